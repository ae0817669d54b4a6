"""`HandRecord`: one hand as its events, the one form in which hands are stored and exchanged.

Every notation is read into it and written from it. A record replays to the identical state at every step. Cards that
the source did not show stay unknown; then the awards of the source tell who won, not the cards. Where a house takes
rake, the awards are what the players got, and the payoffs add up to less than nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from railbird.cards import Card
from railbird.engine.actions import Action, ActionError, ActionKind
from railbird.engine.events import Act, Chips, DealBoard, DealHole, Event
from railbird.engine.history import events_of, payoffs_of
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State


@dataclass(frozen=True, slots=True)
class Details:
    """What a source tells of a hand beyond the play. Everything may be missing."""

    venue: str = ""
    """The card room, site or program."""
    table: str = ""
    time: str = ""
    """When it was played, ISO 8601 as far as the source tells."""
    currency: str = ""
    """The currency's code, such as USD; empty for play chips."""
    chip: Fraction = Fraction(1)
    """What one chip is worth in the currency: 1/100 where chips are cents."""
    notes: tuple[tuple[str, str], ...] = ()
    """Anything else, by the names that the source's format gives it."""


NO_DETAILS = Details()


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A hand that was played: its setup, who sat in which position, and what happened."""

    hand_id: str
    setup: Setup
    players: tuple[str, ...]
    """Labels by position, counted from the left of the button."""
    events: tuple[Event, ...]
    seats: tuple[int, ...] = ()
    """The seat at the table of each position, where the source has seats."""
    details: Details = NO_DETAILS

    def __post_init__(self) -> None:
        if len(self.players) != self.rules.players:
            raise ActionError(
                f"hand {self.hand_id} names {len(self.players)} players for a game of {self.rules.players}"
            )

    @classmethod
    def of(
        cls, state: State, players: tuple[str, ...], hand_id: str = "", seats: tuple[int, ...] = ()
    ) -> "HandRecord":
        """The record of a hand as it stands."""
        return cls(hand_id, state.setup, players, events_of(state), seats)

    @property
    def rules(self) -> GameRules:
        """The game."""
        return self.setup.rules

    @property
    def payoffs(self) -> tuple[Chips, ...]:
        """What every position won or lost, from the events."""
        return payoffs_of(self.events, self.rules.players)

    @property
    def rake(self) -> Chips:
        """What the house kept."""
        return -sum(self.payoffs)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Hole cards seat by seat, then the board; unknown ones are −1."""
        size = self.rules.hole_cards
        hole = [UNKNOWN] * (self.rules.players * size)
        board: list[Card] = []
        for event in self.events:
            match event:
                case DealHole(seat, cards) if cards is not None:
                    hole[seat * size : (seat + 1) * size] = cards
                case DealBoard(_, cards):
                    board.extend(cards)
                case _:
                    pass
        missing = sum(self.rules.board_cards) - len(board)
        return (*hole, *board, *(UNKNOWN,) * missing)

    def state(self) -> State:
        """The state after everything in this record was done."""
        state = State(self.setup, self.cards)
        for event in self.events:
            if isinstance(event, Act):
                self._require_turn(state, event)
                state.act(_action(event))
        return state

    def states(self) -> Iterator[tuple[State, Act]]:
        """Every decision: the state in which it was made, and what was done. The states are copies."""
        state = State(self.setup, self.cards)
        for event in self.events:
            if isinstance(event, Act):
                self._require_turn(state, event)
                yield state.clone(), event
                state.act(_action(event))

    def _require_turn(self, state: State, event: Act) -> None:
        if state.actor is None:
            raise ActionError(f"hand {self.hand_id}: seat {event.seat} acts after the hand is over")
        if event.seat != state.actor:
            raise ActionError(
                f"hand {self.hand_id}: seat {event.seat} acts out of turn, it is seat {state.actor}'s turn"
            )

    def actions(self) -> tuple[Action, ...]:
        """The decisions in order."""
        return tuple(_action(event) for event in self.events if isinstance(event, Act))


def _action(event: Act) -> Action:
    return Action(event.kind, event.to if event.kind is ActionKind.RAISE else 0)
