"""CASEY: a case-based learner that starts with no cases (Sandven and Tessem 2006, as described in baycarp-2011 §4.3.2).

At its first decision of a stage CASEY chooses a *strategy*: an action, and a follow-up if it must act again in that
stage, so that a check-raise is one strategy. It goes through the four phases with two case bases, preflop and postflop:

1. Retrieve up to 100 of the most similar cases above a threshold.
2. Reuse the most successful strategy: the one whose outcomes in these cases have the greatest sum.
3. Revise: the case waits until the hand is over and its outcome is known, by stage and net.
4. Retain it. Its solution is what was done: if no follow-up was needed, the action alone, which then counts for
   every strategy that begins with it.

Until a base holds an adequate number of cases, and if no similar case is known, the strategy is drawn at random.
What a strategy earned is counted from its decision on: chips already in the pot are lost whatever CASEY does, so
folding earns 0. A check is a call that costs nothing, a bet is the first raise. `docs/casey.md` lists what the papers
leave open and what was chosen here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, HandResult, MatchStart, Meaning, NoStrategy, Strategies, drawn
from railbird.agents.casey.attributes import describe, outcome_of
from railbird.agents.casey.cases import (
    AsPlayed,
    CaseyError,
    Experience,
    MostSuccessful,
    NearestAbove,
    Plan,
    add_experiences,
    experiences,
    plans_for,
    similarity,
)
from railbird.agents.casey.explanation import explain_choice, explain_follow_up
from railbird.agents.holdem import LimitAgent, legal_action
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.pending import Pending
from railbird.cbr.cycle.retain import RetainAlways
from railbird.cbr.cycle.retrieve import Retrieve
from railbird.cbr.target import Target
from railbird.engine.actions import Action
from railbird.kernels.rules import betting
from railbird.observation import Observation

SOURCE = "baycarp-2011 §4.3.2"
"""The description of CASEY's parameters."""


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """The plan of a stage, and the case that it will become."""

    plan: Plan
    target: Target
    hand: int
    round: int
    paid: int
    """CASEY's chips in the pot when it chose the plan."""


class Casey(LimitAgent):
    """Starts with no cases and random play, and reuses the strategies that earned most in similar situations."""

    title = "CASEY"
    papers = "casey-2006; baycarp-2011 §4.3.2; casper-2007 §2"

    def __init__(
        self,
        adequate: Annotated[
            int,
            Meaning(
                "Number of cases up to which it plays at random, before and after the flop separately.",
                SOURCE,
            ),
        ] = 1000,
        threshold: Annotated[
            float, Meaning("Minimum similarity of the cases that it retrieves, from 0 to 1.", SOURCE)
        ] = 0.9,
        most: Annotated[int, Meaning("Maximum number of cases that it retrieves.", SOURCE)] = 100,
        keeps: Annotated[
            bool, Meaning("Whether its cases are written to the experience book, for the next match.")
        ] = True,
    ) -> None:
        if adequate < 0:
            raise CaseyError(f"adequate={adequate} is not a valid number of cases: it must be at least 0")
        if most < 1:
            raise CaseyError(f"most={most} is not a valid number of cases to retrieve: it must be at least 1")
        if not 0.0 <= threshold <= 1.0:
            raise CaseyError(f"threshold={threshold} is not a valid similarity: it must be between 0 and 1")
        self.adequate = adequate
        self.threshold = threshold
        self.most = most
        self.keeps = keeps

    def start(self, match: MatchStart) -> None:
        """Forget everything except the given cases of earlier matches."""
        super().start(match)
        self.experiences_ = experiences(match.experience)
        policy = NearestAbove(self.most, self.threshold)
        self.retrieve_ = {name: Retrieve(similarity(name), policy) for name in self.experiences_}
        self.reminded_ = self.before_hand_ = _sizes(self.experiences_)
        self.small_bet_ = match.rules.small_bet
        self._forget_hand()

    def _forget_hand(self) -> None:
        self.stages_: dict[Target, _UnderWay] = {}
        """The stages of the current hand, by the description of their first decision."""
        self.followed_up_: set[Target] = set()
        self.waiting_ = {
            name: Pending(AsPlayed(self.followed_up_), RetainAlways()) for name in self.experiences_
        }

    @property
    def keeps_experience(self) -> bool:
        """Whether its cases are written to the experience book."""
        return self.keeps

    def lived(self) -> Sequence[str]:
        """The cases of this match."""
        return self._cases_after(self.reminded_) if self.keeps and self.match_ else ()

    def _cases_after(self, sizes: Mapping[str, int]) -> list[str]:
        """The cases that were added since the case bases had these sizes."""
        return [
            found.written(case)
            for name, found in self.experiences_.items()
            for case in range(sizes[name], len(found.cases))
        ]

    def choose(self, observation: Observation) -> Decision:
        """Choose a strategy at the first decision of a stage, and follow it at the others."""
        under_way = self._under_way(observation)
        if under_way is None:
            return self._plan(observation)
        self.followed_up_.add(under_way.target)
        action = legal_action(observation, under_way.plan.follow_up)
        return Decision(action, explain_follow_up(under_way.plan, observation), ((action, 1.0),))

    def _under_way(self, observation: Observation) -> _UnderWay | None:
        """The plan that was chosen earlier in this stage."""
        if not self.stages_:
            return None
        last = next(reversed(self.stages_.values()))
        spoke = observation.node.view[betting.SPOKE] >> observation.seat & 1
        same = (last.hand, last.round) == (observation.hand_number, observation.round)
        return last if spoke and same else None

    def _is_new_hand(self, observation: Observation) -> bool:
        first = next(iter(self.stages_.values()))
        return not observation.round or first.hand != observation.hand_number

    def _plan(self, observation: Observation) -> Decision:
        if self.stages_ and self._is_new_hand(observation):
            self._forget_hand()  # the end of the previous hand was not announced
        name = "postflop" if observation.round else "preflop"
        known = self.experiences_[name]
        plans = plans_for(observation.legal_actions)
        episode = Episode(Target(known.cases.schema, describe(observation)))
        if len(known.cases) >= self.adequate:
            episode = MostSuccessful(plans)(known.cases, self.retrieve_[name](known.cases, episode))
        chances = _chances(plans, episode)
        plan = drawn(chances, self.chance())
        self.stages_[episode.target] = _UnderWay(
            plan,
            episode.target,
            observation.hand_number,
            observation.round,
            observation.paid[observation.seat],
        )
        self.small_bet_ = observation.rules.small_bet
        self.waiting_[name].wait(observation.hand_number, episode.solved_by(plan.solution))
        actions: dict[Action, float] = {}
        for each, chance in chances:
            action = legal_action(observation, each.first)
            actions[action] = actions.get(action, 0.0) + chance
        return Decision(
            legal_action(observation, plan.first),
            explain_choice(plan, episode, known, observation, self.adequate),
            tuple(actions.items()),
        )

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:  # noqa: ARG002
        raise NoStrategy(
            "Casey follows the plan that it drew with its own cards: it cannot state a strategy for other cards"
        )

    def hand_note(self) -> list[str]:
        """The cases of the last hand."""
        return self._cases_after(self.before_hand_) if self.match_ else []

    def recall(self, result: HandResult, asked: Sequence[Observation], note: Any) -> None:  # noqa: ARG002
        """Add the cases of a hand before a break."""
        add_experiences(self.experiences_, note)

    def end_hand(self, result: HandResult) -> None:
        """The outcome is known: the waiting cases are retained."""
        if self.match_ is None:
            return
        self.before_hand_ = _sizes(self.experiences_)
        if not self.stages_:
            return
        stages = self.stages_
        if next(iter(stages.values())).hand == result.hand_number:
            payoff = result.payoffs[result.seat]
            outcome = outcome_of(result.events, result.seat, payoff, self.small_bet_)

            def earned(episode: Episode) -> float:
                return float(payoff + stages[episode.target].paid) / self.small_bet_

            for name, known in self.experiences_.items():
                settled = self.waiting_[name].settle(known.cases, result.hand_number, earned)
                known.outcomes += [outcome] * len(settled)
        self._forget_hand()


def _sizes(experiences: Mapping[str, Experience]) -> dict[str, int]:
    return {name: len(found.cases) for name, found in experiences.items()}


def _chances(plans: Sequence[Plan], episode: Episode) -> list[tuple[Plan, float]]:
    """The probability of every plan; uniform if there are no similar cases."""
    if episode.strategy is None:
        return [(plan, 1.0 / len(plans)) for plan in plans]
    chances = episode.strategy.as_mapping()
    return [(plan, chances[plan.solution]) for plan in plans if chances[plan.solution] > 0.0]
