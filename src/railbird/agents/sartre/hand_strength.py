"""Three ways to describe the strength of a hand after the flop (sartre-2012 §5.2.1 and §5.3.1).

    categories    one of 284 expert categories: the made hand, its kicker and its draws
    ehs-20        E[HS], the mean strength at the showdown, in 20 buckets of equal width
    ehs2-50       E[HS²], the mean of its square, which values potential more, in 50 buckets

Any number of buckets can be given. They are counted from 1, for the weakest hands. Before the flop a hand is one of the
169 classes of starting hands, by its rank: 1 for pocket aces.

>>> from railbird.cards import parse_cards
>>> HandFinder(HandStrength.parse("ehs2-50")).value(parse_cards("AsKs"), parse_cards("Kd7s2s9h3c"))
41
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.cbr.schema import Attribute, Number, OutOf, Symbol, Value
from railbird.cbr.similarity import AllOrNothing, Linear, Local
from railbird.equities.buckets import Buckets
from railbird.equities.strength import board_strengths
from railbird.equities.table_files import Progress
from railbird.equities.tables import StrengthFinder, StrengthMeasure
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES
from railbird.hands.sartre_categories import EXPERT_CATEGORIES, expert_categories, expert_category
from railbird.hands.starting import class_ranks, ranked_classes

HAND_STRENGTH = "hand strength"
HOLE_CARDS = "hole cards"
CATEGORIES = "categories"
_NAME = re.compile(r"(?P<measure>ehs2?)-(?P<count>[1-9][0-9]{0,3})")
_MEASURES = {"ehs": StrengthMeasure.EXPECTED_HS, "ehs2": StrengthMeasure.EXPECTED_HS_SQUARED}


def _starting_hand(rank: Value) -> str:
    """A rank among the starting hands in words."""
    return f"{ranked_classes()[int(rank) - 1]} (rank {int(rank)} of {CLASSES})"


BEFORE_FLOP: Attribute = Number(HOLE_CARDS, whole=True, low=1, high=CLASSES, words=_starting_hand)
RANKS: NDArray[np.int64] = class_ranks()[CLASS_OF_HOLDING]
"""The rank of every holding among the starting hands."""


class HandStrengthError(ValueError):
    """A way to describe hands that does not exist."""


@dataclass(frozen=True, slots=True)
class HandStrength:
    """A way to describe hands after the flop: categories if there is no measure, else buckets of it."""

    measure: StrengthMeasure | None = None
    count: int = len(EXPERT_CATEGORIES)

    @classmethod
    def parse(cls, text: str) -> "HandStrength":
        """The way with this name."""
        if text == CATEGORIES:
            return cls()
        found = _NAME.fullmatch(text)
        if not found:
            raise HandStrengthError(
                f"hands cannot be described by {text!r}: write {CATEGORIES}, ehs-20, or ehs2-50 for 50 buckets of "
                "E[HS²]"
            )
        return cls(_MEASURES[found["measure"]], int(found["count"]))

    def __str__(self) -> str:
        names = {measure: name for name, measure in _MEASURES.items()}
        return CATEGORIES if self.measure is None else f"{names[self.measure]}-{self.count}"

    @property
    def attribute(self) -> Attribute:
        """The attribute of cases after the flop."""
        if self.measure is None:
            return Symbol(HAND_STRENGTH, tuple(map(str, EXPERT_CATEGORIES)))
        return Number(HAND_STRENGTH, whole=True, low=1, high=self.count, words=OutOf(self.count))

    def metric(self, rate: float) -> Local:
        """How similar two values are: falls linearly with the distance of buckets (Eq. 2), `rate` is its k."""
        return AllOrNothing() if self.measure is None else Linear(float(self.count), rate)


class HandFinder:
    """Finds the values of hands, which are described in one way."""

    def __init__(self, way: HandStrength) -> None:
        self.way = way
        self._measured = None if way.measure is None else StrengthFinder(way.measure)
        self._buckets = Buckets.uniform(way.count)

    def value(self, hole: Sequence[Card], board: Sequence[Card]) -> int | str:
        """The value of hole cards on a board."""
        if self._measured is None:
            return str(expert_category(hole, board))
        return 1 + self._buckets.bucket(self._measured(hole, board))

    def values(self, board: Sequence[Card]) -> list[int | str | None]:
        """The value of every holding on a board; None where the board blocks it."""
        if self._measured is None:
            return [
                None if each < 0 else str(EXPERT_CATEGORIES[each])
                for each in expert_categories(board).tolist()
            ]
        strengths = board_strengths(board)
        squared = self._measured.measure is StrengthMeasure.EXPECTED_HS_SQUARED
        found = strengths.expected_hs_squared if squared else strengths.expected_hs
        return [None if each < 0 else 1 + each for each in self._buckets.bucket_all(found).tolist()]

    def build(self, progress: Progress | None = None) -> None:
        """Build the tables of strength, which make finding values fast."""
        if self._measured is not None:
            self._measured.build(progress)
