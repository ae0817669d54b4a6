"""An agent that learns, and whose play shows what it knows."""

from collections.abc import Sequence

from railbird.agent import Agent, Decision, HandResult, MatchStart
from railbird.engine.actions import CALL
from railbird.observation import Observation


class Remembers(Agent):
    """Writes down every hand, and raises whenever the number of those it remembers is a multiple of four."""

    def begin_match(self, match: MatchStart) -> None:
        self.known = len(match.experience)
        self.hands: list[str] = []

    def act(self, observation: Observation) -> Decision:
        choices = observation.choices
        return Decision(choices[-1] if (self.known + len(self.hands)) % 4 == 0 else CALL)

    def end_hand(self, result: HandResult) -> None:
        self.hands.append(f"{result.payoffs[result.seat]} in hand {result.hand_number}")

    def lived(self) -> Sequence[str]:
        return self.hands


class Confused(Remembers):
    """Cannot say what it lived through."""

    def lived(self) -> Sequence[str]:
        return [7]  # type: ignore[list-item]


class Forgetful(Remembers):
    """Breaks down when it is asked what it lived through."""

    def lived(self) -> Sequence[str]:
        raise KeyError("gone")
