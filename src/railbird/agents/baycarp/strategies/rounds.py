"""BayCaRP with strategies as solutions (baycarp-2011 §8.2.3, §9.1): less truthful, since a check may be a trap.

A single check costs nothing, so its outcome carries no information, and the case of a raise does not include the check
before it: cases of single decisions cannot teach a check-raise. Here a case is a player's actions in a whole betting
round (`cases`).

1. At its first decision of a round BayCaRP chooses a strategy: what to do now, and what to do if it must act again
   (`cbr.cycle.plans`).
2. At its second decision it follows the strategy. If the cases have no second action, if the rules no longer allow it,
   and at every further decision of the round, it decides by cases of single decisions.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from railbird.agent import HandResult, NoStrategy
from railbird.agents.baycarp.cases import FOLLOW_UPS, SOLUTIONS, STRATEGY_TABLE
from railbird.agents.baycarp.explanation import explain
from railbird.agents.baycarp.parts import Join, Parts, Solved, solved
from railbird.agents.baycarp.strategies.explanation import explain_follow_up, with_follow_up
from railbird.agents.baycarp.view import View
from railbird.agents.casper.explanation import DOING
from railbird.cards import Card
from railbird.cbr.cycle.episode import Episode, Strategy
from railbird.cbr.cycle.plans import Planned
from railbird.cbr.cycle.retrieve import Retrieve
from railbird.cbr.packs.files import Pack
from railbird.features.betting import actions_in_round
from railbird.features.outcomes import name_of, possible
from railbird.observation import Observation


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """A strategy that was chosen in a round of a hand."""

    round: tuple[int, tuple[Card, ...], int]
    begun: Observation
    follow_ups: Mapping[str, Strategy]
    """By first action, what to do at the second decision."""


class ByStrategies(Join):
    """Chooses the strategy of similar rounds, and follows it at the second decision."""

    def __init__(self, parts: Parts, strategies: Pack) -> None:
        self.parts = parts
        self.rounds = strategies
        self.retrieve = {
            stage: Retrieve(STRATEGY_TABLE.similarity(stage, each.similarity.weights()), each.policy)
            for stage, each in parts.retrieve.items()
        }
        self.under_way_: _UnderWay | None = None

    def solve(self, observation: Observation, view: View) -> Solved:
        """The strategy for a new round, or the next action of the current one."""
        done = actions_in_round(observation.node, observation.seat)
        if not done:
            return self._choose(observation, view)
        under_way = self.under_way_
        if under_way is None or under_way.round != _round_of(observation) or len(done) > 1:
            return self.parts.plainly(observation, view)
        return self._follow(observation, view, name_of(under_way.begun, done[0].kind), under_way)

    def episode(self, observation: Observation, view: View) -> Episode:  # noqa: ARG002
        """The plan with other cards is unknown."""
        raise NoStrategy(
            "BayCaRP with solutions=strategies follows a plan made with its own cards: "
            "it cannot state a strategy for other cards"
        )

    def end_hand(self, result: HandResult) -> None:  # noqa: ARG002
        """Forget the strategy of the hand; nothing is learnt."""
        self.under_way_ = None

    def _choose(self, observation: Observation, view: View) -> Solved:
        base = self.rounds.bases[view.stage]
        found = self.retrieve[view.stage](base, Episode(view.target))
        plan = Planned(self.parts.reuse, SOLUTIONS, FOLLOW_UPS, possible(observation))(base, found)
        follow_ups = {} if plan is None else plan.second
        episode = solved(replace(found, strategy=plan.first if plan else None), observation)
        self.under_way_ = _UnderWay(_round_of(observation), observation, follow_ups)
        reasons = explain(self.rounds, view, episode, observation, self.parts.viewer)
        assert episode.strategy is not None
        return Solved(episode, with_follow_up(reasons, episode.strategy.best, follow_ups))

    def _follow(self, observation: Observation, view: View, first: str, under_way: _UnderWay) -> Solved:
        planned = under_way.follow_ups.get(first)
        if planned is None:
            return self.parts.plainly(observation, view)
        left = {
            name: chance for name, chance in planned.as_mapping().items() if name in possible(observation)
        }
        total = sum(left.values())
        if not total:
            plainly = self.parts.plainly(observation, view)
            missing = f"{DOING[planned.best].capitalize()}, as planned after the {first}, is not possible."
            return replace(
                plainly, reasons=replace(plainly.reasons, summary=f"{missing} {plainly.reasons.summary}")
            )
        now = Strategy(SOLUTIONS, tuple(left.get(name, 0.0) / total for name in SOLUTIONS))
        return Solved(
            Episode(view.target, strategy=now),
            explain_follow_up(view, first, now, planned, observation, self.parts.viewer),
        )


def _round_of(observation: Observation) -> tuple[int, tuple[Card, ...], int]:
    return observation.hand_number, observation.hole_cards, observation.round
