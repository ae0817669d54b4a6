"""An observer's knowledge of the players at its table, by label, over a match."""

from collections.abc import Mapping, Sequence
from typing import Any

from railbird.agent import HandResult
from railbird.cards import Card
from railbird.engine.actions import Action, ActionError, ActionKind
from railbird.engine.events import Act, DealBoard, Reveal
from railbird.engine.setup import Setup
from railbird.hands.holdings import holding
from railbird.opponents.weights.lessons import finished_hand, learnt
from railbird.opponents.weights.styles import GENERIC, Style
from railbird.opponents.weights.tendencies import GENERIC_SHARPNESS, Tendencies

_UNKNOWN = Tendencies()
"""What all observers know of a player before its first hand."""


class BookError(ValueError):
    """Data that is not a valid book."""


class Book:
    """The tendencies of every player by label. A book that does not adapt treats all players as generic."""

    def __init__(self, *, adapts: bool = True) -> None:
        self.adapts = adapts
        self.hands = 0
        self._players: dict[str, Tendencies] = {}

    def tendencies(self, label: str) -> Tendencies:
        """The tendencies of a player."""
        return self._players.setdefault(label, _UNKNOWN)

    @property
    def labels(self) -> tuple[str, ...]:
        """The known players, in the order in which they became known."""
        return tuple(self._players)

    def arrange(self, labels: Sequence[str]) -> None:
        """Give the players this order."""
        self._players = {label: self.tendencies(label) for label in (*labels, *self._players)}

    def style(self, label: str) -> Style:
        """The believed style of a player."""
        return self.tendencies(label).style if self.adapts else GENERIC

    def sharpness(self, label: str) -> float:
        """The exponent applied to a player's weights."""
        return self.tendencies(label).sharpness if self.adapts else GENERIC_SHARPNESS

    def learn(self, result: HandResult, setup: Setup) -> None:
        """Learn from a finished hand that started from `setup`."""
        try:
            hand = finished_hand(setup, _actions(result), _board(result))
        except ActionError:
            # The actual stacks differed from the setup, so an all-in does not replay; the hand is skipped.
            return
        self.hands += 1
        shown = {event.seat: event.cards for event in result.events if isinstance(event, Reveal)}
        for seat in {node.actor for node, _ in hand.path if node.actor is not None} - {result.seat}:
            label, cards = result.players[seat], shown.get(seat)
            known, showed = self.tendencies(label), None if cards is None else holding(cards)
            self._players[label] = learnt(known, hand, seat, showed, self.adapts)

    def add(self, other: "Book") -> None:
        """Add the observations of another book."""
        self.hands += other.hands
        for label, tendencies in other._players.items():
            self._players[label] = self.tendencies(label) + tendencies

    def to_json(self) -> dict[str, Any]:
        """The book as plain data, for a session to be resumed."""
        players = {label: tendencies.to_json() for label, tendencies in self._players.items()}
        return {"hands": self.hands, "players": players}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Book":
        """The book that `to_json` wrote."""
        try:
            book = cls()
            book.hands = int(data["hands"])
            book._players = {label: Tendencies.from_json(each) for label, each in data["players"].items()}
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise BookError(f"not a valid book of players: {error!r}") from None
        return book


def _actions(result: HandResult) -> tuple[Action, ...]:
    return tuple(
        [
            Action(event.kind, event.to if event.kind is ActionKind.RAISE else 0)
            for event in result.events
            if isinstance(event, Act)
        ]
    )


def _board(result: HandResult) -> tuple[Card, ...]:
    return tuple([card for event in result.events if isinstance(event, DealBoard) for card in event.cards])
