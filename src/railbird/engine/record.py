"""`HandRecord`: one hand as its events, the one form in which hands are stored and exchanged.

Every notation is read into it and written from it. A record replays to the identical state at every step. Cards that
the source did not show stay unknown; the source's awards then determine who won. With rake, the awards are what the
players received, and the payoffs have a negative sum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from railbird.cards import Card
from railbird.engine.actions import Action, ActionError
from railbird.engine.events import Act, Chips, DealBoard, DealHole, Event
from railbird.engine.history import events_of, payoffs_of
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State


@dataclass(frozen=True, slots=True)
class Details:
    """What a source says about a hand beyond the play. Every field is optional."""

    venue: str = ""
    """The card room, site or program."""
    table: str = ""
    time: str = ""
    """When it was played, ISO 8601, as precise as the source."""
    currency: str = ""
    """The currency's code, such as USD; empty for play chips."""
    chip: Fraction = Fraction(1)
    """What one chip is worth in the currency: 1/100 where chips are cents."""
    notes: tuple[tuple[str, str], ...] = ()
    """Anything else, under the names used by the source's format."""


NO_DETAILS = Details()
UNCERTAIN_WINNER = "_uncertain_winner"
"""The note of a showdown whose winner the source does not name, so that an unseen hand may have won."""


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A hand that was played: its setup, the players by position, and its events."""

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
                f"hand {self.hand_id} names {len(self.players)} players in a game for {self.rules.players}"
            )

    @classmethod
    def of(
        cls, state: State, players: tuple[str, ...], hand_id: str = "", seats: tuple[int, ...] = ()
    ) -> "HandRecord":
        """The record of a hand up to now."""
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
        """The chips that the house kept."""
        return -sum(self.payoffs)

    @property
    def has_certain_winner(self) -> bool:
        """Whether the cards or the source tell who won."""
        return all(name != UNCERTAIN_WINNER for name, _ in self.details.notes)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Hole cards seat by seat, then the board; unknown ones are −1."""
        size = self.rules.hole_cards
        hole = [UNKNOWN] * (self.rules.players * size)
        board: list[Card] = []
        for event in self.events:
            if isinstance(event, DealHole):
                if event.cards is not None:
                    hole[event.seat * size : (event.seat + 1) * size] = event.cards
            elif isinstance(event, DealBoard):
                board += event.cards
        missing = sum(self.rules.board_cards) - len(board)
        return (*hole, *board, *(UNKNOWN,) * missing)

    def state(self) -> State:
        """The state after all events of this record."""
        state = State(self.setup, self.cards)
        for _ in self.replay(state):
            pass
        return state

    def states(self) -> Iterator[tuple[State, Act]]:
        """Every decision: a copy of the state in which it was made, and the action."""
        state = State(self.setup, self.cards)
        for act in self.replay(state):
            yield state.clone(), act

    def replay(self, state: State) -> Iterator[Act]:
        """Play the hand on a state at its beginning: every action, just before the state performs it."""
        for event in self.events:
            if isinstance(event, Act):
                self._require_turn(state, event)
                yield event
                state.act(event.action)

    def _require_turn(self, state: State, event: Act) -> None:
        actor = state.node.actor
        if event.seat == actor:
            return
        if actor is None:
            raise ActionError(f"hand {self.hand_id}: seat {event.seat} acts after the hand is over")
        raise ActionError(
            f"hand {self.hand_id}: seat {event.seat} acts out of turn, it is seat {actor}'s turn"
        )

    def actions(self) -> tuple[Action, ...]:
        """The decisions in order."""
        return tuple(event.action for event in self.events if isinstance(event, Act))
