"""Agents for tests of thinkers: one that never answers, one whose reasons change with it, one that cannot give any."""

import time
from collections.abc import Sequence

from railbird.agent import Agent, Decision, Explanation, Fact, HandResult
from railbird.engine.actions import CALL
from railbird.explanation import Bar, Bars, Deferred, Section
from railbird.observation import Observation


class Sleeps(Agent):
    """Never answers."""

    def act(self, observation: Observation) -> Decision:
        while True:
            time.sleep(0.05)


class IsLateOnce(Agent):
    """Takes long over its first decision."""

    def __init__(self, seconds: float = 0.5) -> None:
        self.seconds = seconds

    def act(self, observation: Observation) -> Decision:
        time.sleep(self.seconds)
        self.seconds = 0.0
        return Decision(CALL)


class CountsHands(Agent):
    """Explains itself, slowly, with how many hands it has seen: reasons that are made too late are wrong."""

    def __init__(self, seconds: float = 0.1) -> None:
        self.seconds = seconds
        self.seen = 0

    def act(self, observation: Observation) -> Decision:
        return Decision(CALL, Explanation("It counts.", (), Deferred(self.count)), ((CALL, 1.0),))

    def count(self) -> Sequence[Section]:
        time.sleep(self.seconds)
        return (Bars("hands", (Bar("seen", float(self.seen)),)),)

    def end_hand(self, result: HandResult) -> None:
        self.seen += 1


class CannotSayWhy(Agent):
    """Decides, and crashes when it is asked for its reasons."""

    def act(self, observation: Observation) -> Decision:
        return Decision(CALL, Explanation("It knows.", (Fact("number", 7),), Deferred(self.fail)))

    def fail(self) -> Sequence[Section]:
        raise RuntimeError("no words")


class ExplainsForEver(Agent):
    """Decides, and then never finishes its reasons."""

    def act(self, observation: Observation) -> Decision:
        return Decision(CALL, Explanation("Where shall it begin?", (), Deferred(self.explain)))

    def explain(self) -> Sequence[Section]:
        while True:
            time.sleep(0.05)


class Compiles(Agent):
    """Has a function compiled before it acts."""

    def act(self, observation: Observation) -> Decision:
        from numba import njit

        assert njit(lambda number: number + 1)(1) == 2
        return Decision(CALL)
