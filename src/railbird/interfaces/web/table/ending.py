"""The end of a hand as its viewers are told: the last action, the opened hands, street after street, the result.

When cards decide a hand, everything is determined by its last action, but it is told in stages:

    0              the last action, with the bets still in front of the players
    1              if players are all-in before the river: their hands, opened
    2, 3, …        each street that is still to be dealt
    the last one   the result

A hand that ends by a fold has only its result.
"""

from collections.abc import Iterable
from typing import NamedTuple

from railbird.cards import Card
from railbird.engine.events import Award, DealBoard, Event, Return, Reveal
from railbird.engine.state import State


class Stage(NamedTuple):
    """How much of a hand is told."""

    round: int
    """The board is open up to this round."""
    bets: bool
    """Whether bets are in front of the players, and no hand has been opened."""
    result: bool

    def tells(self, event: Event) -> bool:
        """Whether an event is told at this stage or was before."""
        match event:
            case DealBoard(number):
                return number <= self.round
            case Return() | Reveal():
                return not self.bets
            case Award():
                return self.result
            case _:
                return True

    def board(self, state: State) -> tuple[Card, ...]:
        """The open board."""
        return state.cards[state.setup.board_slices[self.round]]


def stages_before_result(state: State) -> int:
    """The number of stages before the result of a hand that is over."""
    if not state.is_showdown:
        return 0
    streets = state.rules.rounds - 1 - state.round
    return 2 + streets if streets else 1


def stage_of(state: State, told: int | None) -> Stage:
    """A stage of the ending by its number; the result without one, and all that happened while a hand is played."""
    if not state.is_over:
        return Stage(state.round, bets=True, result=False)
    if told is None or told >= stages_before_result(state):
        return Stage(state.rules.rounds - 1 if state.is_showdown else state.round, bets=False, result=True)
    return Stage(state.round + max(0, told - 1), bets=told == 0, result=False)


def in_order(state: State, events: Iterable[Event]) -> list[Event]:
    """The events in the order in which they are told: all-in hands are opened before the streets that follow."""

    def stage(event: Event) -> int:
        match event:
            case Return() | Reveal():
                return 1
            case DealBoard(number) if number > state.round:
                return 2
            case Award():
                return 3
            case _:
                return 0

    return sorted(events, key=stage)
