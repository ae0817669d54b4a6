"""What happens in a hand, as frozen records: posts, deals, actions, reveals, awards.

Seats are positions, counted from the left of the button. Hidden cards are None.
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from railbird.cards import Card
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to

Chips: TypeAlias = int | Fraction
"""Whole chips, or exact fractions of them where a split pot is divided fractionally."""


class PostKind(Enum):
    """Why a seat pays before it can act."""

    ANTE = "ante"
    BLIND = "blind"


@dataclass(frozen=True, slots=True)
class Post:
    """A seat pays its ante or blind."""

    seat: int
    kind: PostKind
    amount: int


@dataclass(frozen=True, slots=True)
class DealHole:
    """A seat gets its hole cards; None where they are not known."""

    seat: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class DealBoard:
    """The board cards of a round are laid open."""

    round: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, init=False)
class Act:
    """A seat folds, calls or raises. `paid` is what it cost, `to` the seat's bet of this round afterwards."""

    seat: int
    kind: ActionKind
    paid: int
    to: int

    def __init__(self, seat: int, kind: ActionKind, paid: int, to: int) -> None:
        # Most events in a log are acts; written out, this takes two thirds of the time of the generated method.
        _set_seat(self, seat)
        _set_kind(self, kind)
        _set_paid(self, paid)
        _set_to(self, to)

    @property
    def action(self) -> Action:
        """What the seat decided."""
        if self.kind is ActionKind.RAISE:
            return raise_to(self.to)
        return CALL if self.kind is ActionKind.CALL else FOLD


_set_seat, _set_kind, _set_paid, _set_to = (
    vars(Act)[field].__set__ for field in ("seat", "kind", "paid", "to")
)


@dataclass(frozen=True, slots=True)
class Return:
    """The part of a bet that no opponent called goes back."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """A seat shows its hole cards at the showdown; None when it mucks them."""

    seat: int
    cards: tuple[Card, ...] | None


@dataclass(frozen=True, slots=True)
class Award:
    """A seat takes chips from a pot; pot 0 is the main pot."""

    seat: int
    pot: int
    amount: Chips


Event: TypeAlias = Post | DealHole | DealBoard | Act | Return | Reveal | Award
