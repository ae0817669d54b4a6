"""Shared by all joins of BayCaRP's network and cases: the parts, the result of a join, and the price of an action."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.agent import HandResult
from railbird.agents.baycarp.cases import SOLUTIONS
from railbird.agents.baycarp.explanation import explain
from railbird.agents.baycarp.view import View, Viewer
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.explanation import EXPERTS
from railbird.agents.retaining.memory import Memory
from railbird.cbr.cycle.episode import Episode, Strategy
from railbird.cbr.cycle.many import solve_many
from railbird.cbr.cycle.retrieve import Retrieve
from railbird.cbr.cycle.reuse import Among, VotePolicy
from railbird.cbr.packs.files import Pack
from railbird.explanation import Deferred, Explanation, Fact, Section
from railbird.features.outcomes import BET, CALL, CHECK, FOLD, RAISE, g_bucks, possible
from railbird.hands.holdings import cards_of
from railbird.observation import Observation

PAID = (CALL, BET, RAISE)
"""The actions that cost something, so that they can fail."""


@dataclass(frozen=True, slots=True)
class Solved:
    """What a join decided, and why."""

    episode: Episode
    reasons: Explanation


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of every join."""

    pack: Pack
    """The cases, with the outcomes that count."""
    watched: Pack
    """The same cases, whose outcomes state whether the hand was won."""
    retrieve: Mapping[str, Retrieve]
    """By stage, as BayCaRP does."""
    k: int
    """Number of most similar cases retrieved if none is similar enough."""
    reuse: VotePolicy
    viewer: Viewer
    memory: Memory | None = None
    """The memory that `pack` belongs to, if the agent retains its own decisions."""

    def plainly(self, observation: Observation, view: View) -> Solved:
        """What to do by all similar cases, with the network's beliefs as attributes (BN-CBR-2)."""
        episode = self.plain_episode(observation, view)
        assert episode.retrieved is not None
        who = EXPERTS if self.memory is None else self.memory.who(view.stage, episode.retrieved, EXPERTS)
        return Solved(episode, explain(self.pack, view, episode, observation, self.viewer, who))

    def plain_episode(self, observation: Observation, view: View) -> Episode:
        """`plainly` without the reasons."""
        base = self.pack.bases[view.stage]
        found = self.retrieve[view.stage](base, Episode(view.target))
        return solved(Among(self.reuse, possible(observation))(base, found), observation)

    def plain_chances(self, observation: Observation, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of `plainly` for many holdings: a row for each."""
        stage = STAGES[observation.round]
        problems = self.viewer.problems(observation, holdings)
        policy = Among(self.reuse, possible(observation))
        otherwise = free_action(observation).probabilities
        return solve_many(self.retrieve[stage], policy, self.pack.bases[stage], problems, otherwise)

    def explained(
        self,
        observation: Observation,
        view: View,
        episode: Episode,
        sentence: str,
        facts: Sequence[Fact],
        section: Callable[[], Section],
    ) -> Solved:
        """An episode with the reasons of the join, followed by those of its cases."""
        reasons = explain(self.pack, view, episode, observation, self.viewer)
        return Solved(
            episode,
            Explanation(
                f"{sentence} {reasons.summary}",
                (*facts, *reasons.facts),
                Deferred(lambda: (section(), *reasons.sections)),
            ),
        )


class Join(ABC):
    """A way to join the parts; a new one is made for every match, so it remembers nothing of earlier matches."""

    parts: Parts

    @abstractmethod
    def solve(self, observation: Observation, view: View) -> Solved:
        """What to do in a situation, and why; a join that learns waits for the result of the hand."""

    @abstractmethod
    def episode(self, observation: Observation, view: View) -> Episode:
        """What to do in a situation; nothing changes."""

    def chances(self, observation: Observation, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
        """The probabilities of the solutions, a row for each of the holdings; nothing changes."""
        found = []
        for number in holdings.tolist():
            held = observation.holding(cards_of(number))
            strategy = self.episode(held, self.parts.viewer.view(held)).strategy
            assert strategy is not None
            found.append(strategy.probabilities)
        return np.array(found)

    def end_hand(self, result: HandResult) -> None:  # noqa: B027
        """Learn from the result of a hand; most joins learn nothing."""

    def note(self) -> Any:
        """What it learnt from the last hand, as plain data."""
        return None

    def recall(self, note: Any) -> None:  # noqa: B027
        """Learn it again after a break."""


def solved(episode: Episode, observation: Observation) -> Episode:
    """The episode with a strategy: check or call if there are no cases."""
    if episode.strategy is not None:
        return episode
    return Episode(episode.target, episode.retrieved, free_action(observation))


def free_action(observation: Observation) -> Strategy:
    """Check or call with certainty."""
    return certain(CALL if CALL in possible(observation) else CHECK)


def certain(action: str) -> Strategy:
    """One action with certainty."""
    return Strategy(SOLUTIONS, tuple(1.0 if each == action else 0.0 for each in SOLUTIONS))


def break_even(observation: Observation, action: str, instead: str = FOLD) -> float:
    """The chance to win the showdown above which an action that costs something is worth more than a cheaper one."""
    lost, won = (
        g_bucks(observation, action, equity) - g_bucks(observation, instead, equity) for equity in (0.0, 1.0)
    )
    return -lost / (won - lost) if won > lost else 1.0
