"""Simbot: tries every action in simulated hands (loki-1999, "selective sampling").

For each trial, the opponents' holdings are drawn from Simbot's beliefs about them (`opponents.weights.beliefs`), and
then the board to come; the hand is played to its end after a call and after a raise, with the same cards; folding is
worth 0. The action with the greatest mean is chosen, and among equal ones the more aggressive (`sampling.selective`).

The policy decides how the players continue: `triple` draws from ProbTriple in each player's style, `formula` applies
Pokibot's rules. These are the two that the paper compares. The other parameters:

- `obvious`: when to stop before all trials are played: `errors`, when the best action leads by `apart` (default 4)
  standard errors of a paired difference; `deviations`, the paper's criterion, when it leads by more than the sum of the
  standard deviations, times `apart` (default 1); or `never`.
- `preflop`: `simulated` as later, or `hard`: Loki-1 and Loki-2 chose hands by thresholds (`income_thresholds`; Peña
  1999 §3.1).
- `mix`: actions less than this number of small bets behind the best are drawn too.
- `stride`: on boards to come, strength is measured against every n-th holding.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from railbird.agent import ActionValue, Decision, MatchStart, Meaning, NoStrategy, Strategies, drawn
from railbird.agents.loki.income_thresholds import hard_decision, hard_strategies
from railbird.agents.loki.pokibot import Pokibot, believed
from railbird.agents.loki.profiles import POKIBOT_PROFILES, ModelsParameter, Profile, ProfileParameter
from railbird.agents.loki.simulated_hands import STRIDE, SimulatedHands
from railbird.engine.actions import Action, ActionKind
from railbird.engine.wording import Wording
from railbird.explanation import CHIPS, COUNT, SHARE, Bar, Bars, Deferred, Explanation, Fact, Section
from railbird.explanation.formats import format_value
from railbird.observation import Observation
from railbird.opponents.weights.explaining import belief_sections
from railbird.sampling.selective import (
    ApartByDeviations,
    ApartByErrors,
    Findings,
    NeverObvious,
    Obvious,
    search,
    strategy,
)

Policy = Literal["triple", "formula"]
Criterion = Literal["deviations", "errors", "never"]


class SimbotError(ValueError):
    """An invalid parameter of Simbot."""


class Simbot(Pokibot):
    """Plays every action out in hundreds of simulated hands against what its opponents may hold."""

    title = "Simbot"
    papers = "loki-1999; casper-2007; baycarp-2011"

    def __init__(
        self,
        trials: Annotated[
            int, Meaning("Maximum number of simulated hands per action.", "loki-1999, Results")
        ] = 500,
        policy: Annotated[
            Policy,
            Meaning(
                "How all players continue in simulated hands: triple draws from Loki's probabilities in each player's "
                "style, formula applies Pokibot's rules.",
                "loki-1999, Probability triples",
            ),
        ] = "triple",
        obvious: Annotated[
            Criterion,
            Meaning(
                "When to stop before all trials are played: errors if the best action leads by enough standard errors, "
                "deviations by the paper's criterion, never.",
                "loki-1999, Results",
            ),
        ] = "errors",
        apart: Annotated[
            float,
            Meaning(
                "The lead that makes an action obvious: in standard errors (0 means 4), or as a multiple of the sum "
                "of the standard deviations (0 means 1).",
                "loki-1999, Results",
            ),
        ] = 0.0,
        mix: Annotated[
            float,
            Meaning(
                "Actions less than this number of small bets behind the best are played too, at random; with 0, only "
                "the best is.",
                "loki-1999, An Expected Value Based Betting Strategy",
            ),
        ] = 0.0,
        stride: Annotated[
            int,
            Meaning(
                "On boards to come, hand strength is measured against one in this many holdings: 1 is exact and slow."
            ),
        ] = STRIDE,
        profile: ProfileParameter = "balanced",
        models: ModelsParameter = True,
        preflop: Annotated[
            Literal["simulated", "hard"],
            Meaning(
                "How it chooses hands before the flop: simulated as later, or hard by comparing income rates with "
                "thresholds.",
                "papp-1998 §6.1",
            ),
        ] = "simulated",
    ) -> None:
        super().__init__(profile, models)
        if trials < 1:
            raise SimbotError(f"trials={trials} is not a valid number of trials: it must be at least 1")
        if not 1 <= stride <= 100:
            raise SimbotError(f"stride={stride} must be between 1, which compares with all holdings, and 100")
        if not (mix >= 0 and apart >= 0):
            raise SimbotError(f"mix={mix} and apart={apart} must not be negative")
        self.trials = trials
        self.policy = policy
        self.obvious = obvious
        self.apart = apart
        self.mix = mix
        self.stride = stride
        self.preflop = preflop

    def start(self, match: MatchStart) -> None:
        """Forget all opponents, and take the randomness of the simulations."""
        super().start(match)
        self.words_ = match.stream.child("simulations").words()

    def bookmark(self) -> Any:
        """The bookmark of Pokibot, and the state of the simulations."""
        return {**super().bookmark(), "simulations": self.words_.tolist()}

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        super().go_on(bookmark)
        self.words_[:] = bookmark["simulations"]

    def choose(self, observation: Observation) -> Decision:
        """Simulate, and take the action that wins the most."""
        self.setup_ = observation.setup
        if self.preflop == "hard" and not observation.board:
            return hard_decision(observation, POKIBOT_PROFILES[self.profile])
        opponents = believed(self.beliefs_, observation)
        hands = self.simulated_hands(observation, opponents)
        found = search(hands.moves, hands, most_trials=self.trials, obvious=self._criterion())
        chances = strategy(found.estimates, self.mix * observation.rules.small_bet)
        stated = tuple(zip(found.moves, chances.tolist(), strict=True))
        possible = [each for each in stated if each[1] > 0.0]
        chosen = drawn(possible, self.chance()) if self.mix else found.best
        return Decision(chosen, _explain(observation, found, opponents, chosen), stated, _values(found))

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        if self.preflop == "hard" and not observation.board:
            return hard_strategies(observation, holdings, POKIBOT_PROFILES[self.profile])
        raise NoStrategy(
            "Simbot simulates hands with its own cards: it cannot state a strategy for other cards"
        )

    def simulated_hands(
        self, observation: Observation, opponents: Mapping[int, NDArray[np.float64]]
    ) -> SimulatedHands:
        """The trials of a decision against the believed ranges of the opponents."""
        profile = POKIBOT_PROFILES[self.profile]
        styles = [self.book_.style(label) for label in observation.players]
        styles[observation.seat] = profile.style
        if self.policy == "triple":
            return SimulatedHands(observation, opponents, styles, self.words_, stride=self.stride)
        thresholds = np.tile(_thresholds(POKIBOT_PROFILES["balanced"]), (len(styles), 1))
        thresholds[observation.seat] = _thresholds(profile)
        everybody = dict(opponents)
        everybody[observation.seat] = self.beliefs_.of(observation, observation.seat)
        return SimulatedHands(
            observation, everybody, styles, self.words_, thresholds=thresholds, stride=self.stride
        )

    def _criterion(self) -> Obvious:
        match self.obvious:
            case "deviations":
                return ApartByDeviations(self.apart or 1.0)
            case "errors":
                return ApartByErrors(self.apart or 4.0)
            case "never":
                return NeverObvious()


def _thresholds(profile: Profile) -> NDArray[np.float64]:
    return np.array([profile.bet_at, profile.raise_at, profile.calling, profile.deception])


def _values(found: Findings[Action]) -> tuple[ActionValue, ...]:
    estimates = found.estimates
    return tuple(
        ActionValue(move, mean, estimates.error_of_difference(estimates.best, place))
        for place, (move, mean) in enumerate(zip(found.moves, estimates.means.tolist(), strict=True))
    )


def _explain(
    observation: Observation,
    found: Findings[Action],
    opponents: Mapping[int, NDArray[np.float64]],
    chosen: Action,
) -> Explanation:
    estimates = found.estimates
    means, errors = estimates.means.tolist(), estimates.errors.tolist()
    best = estimates.best
    wording = Wording.at(observation.node)
    hands = f"in {estimates.trials:,} simulated hands"
    doing = wording.doing(chosen).capitalize()
    if chosen != found.best:
        summary = f"{doing} was nearly as good as {wording.doing(found.best)} {hands}."
    elif chosen.kind is ActionKind.FOLD:
        summary = f"Continuing lost money {hands}."
    elif means[best] < 0:
        summary = f"{doing} lost the least {hands}: {format_value(-means[best], CHIPS)} on average."
    else:
        summary = f"{doing} won the most {hands}: {format_value(means[best], CHIPS)} on average."
    facts = [Fact("simulated hands", estimates.trials, COUNT), Fact("stopped because", found.stopped.value)]
    if observation.to_call:
        facts.append(Fact("pot odds", observation.to_call / (observation.pot + observation.to_call), SHARE))
    if len(means) > 1:
        second = max((place for place in range(len(means)) if place != best), key=means.__getitem__)
        facts.append(Fact("lead over the second best", means[best] - means[second], CHIPS))
        facts.append(Fact("standard error of the lead", estimates.error_of_difference(best, second), CHIPS))

    def sections() -> tuple[Section, ...]:
        values = zip(found.moves, means, errors, strict=True)
        bars = tuple(Bar(wording.name(move), mean, error) for move, mean, error in values)
        return (
            Bars("expected value", bars, CHIPS),
            *belief_sections(observation.players, opponents),
        )

    return Explanation(summary, tuple(facts), Deferred(sections))
