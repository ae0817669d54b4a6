"""Ranges: a weight for each of the 1,326 holdings a player may have.

A weight of 1 means "always held", 0 "never", and 0.5 "half of the time". A range never changes; every
operation returns a new one. A weight is always the amount of a holding:

    a | b    the larger amount of the two
    a & b    the smaller amount of the two
    a - b    a reduced by b, not below zero
    ~a       every holding once, reduced by a
    a + b    both amounts together
    a * 0.5  half of every amount

Where all weights are 0 or 1, the first four are union, intersection, difference and complement of sets.

>>> from railbird.cards import parse_cards
>>> premium = Range.parse("QQ+, AKs, AKo:0.5")
>>> len(premium), premium.combos
(34, 28.0)
>>> str(premium - Range.parse("QQ, AK"))
'KK+'
>>> str(premium.without(parse_cards("Ah Ad")) & Range.parse("AA, AKs"))
'AsAc,AsKs,AcKc'
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import overload

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card, format_cards
from railbird.equities.range_notation import RangeError, format_weights, parse_weights, top_weights
from railbird.hands.holdings import (
    CLASS_OF_HOLDING,
    CLASS_SIZES,
    CLASSES,
    HOLDINGS,
    Holding,
    blocked_by,
    class_index,
    holdings_of_class,
)
from railbird.hands.starting import class_ranks

__all__ = ["Range", "RangeError"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Range:
    """Weights of the holdings in the order of `railbird.hands.holdings`: finite, not negative, read-only.

    >>> premium = Range.parse("QQ+, AKs")
    >>> premium.combos, str(premium - Range.parse("AA"))
    (22.0, 'KK-QQ,AKs')
    """

    weights: NDArray[np.float64]

    def __post_init__(self) -> None:
        weights = np.array(self.weights, dtype=np.float64) + 0.0  # an own copy, without negative zeros
        if weights.shape != (HOLDINGS,):
            raise RangeError(
                f"a range has {HOLDINGS:,} weights, one for each holding, not shape {weights.shape}"
            )
        wrong = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
        if len(wrong):
            raise RangeError(
                f"weight {weights[wrong[0]]} of holding {wrong[0]} is not a finite number of at least 0"
            )
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    @classmethod
    def random(cls) -> "Range":
        """Every holding with weight 1."""
        return cls(np.ones(HOLDINGS))

    @classmethod
    def empty(cls) -> "Range":
        """No holding at all."""
        return cls(np.zeros(HOLDINGS))

    @classmethod
    def parse(cls, text: str) -> "Range":
        """A range from text such as `22+, ATs+, KQo, A5s-A2s, AhKh, 76s:0.5` (see `range_notation`)."""
        return cls(parse_weights(text))

    @classmethod
    def of_holdings(cls, holdings: Iterable[Holding]) -> "Range":
        """Exactly these holdings, each with weight 1."""
        weights = np.zeros(HOLDINGS)
        for holding in holdings:
            if not 0 <= holding < HOLDINGS:
                raise RangeError(f"{holding} is not a holding: holdings are 0..{HOLDINGS - 1}")
            weights[holding] = 1.0
        return cls(weights)

    @classmethod
    def of_classes(cls, classes: Iterable[str] | Mapping[str, float]) -> "Range":
        """All holdings of classes such as `AKs`, `T9o`, `77`, with weight 1 or the weights of a mapping."""
        given = classes if isinstance(classes, Mapping) else dict.fromkeys(classes, 1.0)
        weights = np.zeros(HOLDINGS)
        for name, weight in given.items():
            weights[holdings_of_class(class_index(name))] = weight
        return cls(weights)

    @classmethod
    def top(cls, share: float | Fraction) -> "Range":
        """The best starting hands that make up a share (0 to 1) of all holdings, the last class partially."""
        if not 0 <= share <= 1:
            raise RangeError(f"a share of the holdings is between 0 and 1, not {share}")
        # A float such as 0.2 or 6 / 1326 stands for the nearest simple fraction, not for its exact binary value.
        return cls(top_weights(Fraction(share).limit_denominator(1_000_000)))

    def __str__(self) -> str:
        return format_weights(self.weights)

    def __repr__(self) -> str:
        text = str(self)
        return (
            f"Range.parse({text!r})" if len(text) <= 80 else f"<Range of {len(self)} holdings, {text[:60]}…>"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __len__(self) -> int:
        """The number of holdings with positive weight."""
        return int(np.count_nonzero(self.weights))

    @property
    def combos(self) -> float:
        """The sum of all weights: 1326 for a random hand."""
        return float(self.weights.sum())

    def __iter__(self) -> Iterator[Holding]:
        """The holdings with positive weight, ascending."""
        return iter(np.flatnonzero(self.weights).tolist())

    def __contains__(self, holding: Holding) -> bool:
        return 0 <= holding < HOLDINGS and bool(self.weights[holding] > 0)

    def __getitem__(self, holding: Holding) -> float:
        """The weight of a holding."""
        if not 0 <= holding < HOLDINGS:
            raise RangeError(f"{holding} is not a holding: holdings are 0..{HOLDINGS - 1}")
        return float(self.weights[holding])

    def best_first(self) -> list[tuple[Holding, float]]:
        """The holdings with positive weight and their weights, the best starting hands first."""
        holdings = np.flatnonzero(self.weights)
        ranks = class_ranks()[CLASS_OF_HOLDING[holdings]]
        ordered = holdings[np.lexsort((-holdings, ranks))]
        return list(zip(ordered.tolist(), self.weights[ordered].tolist(), strict=True))

    def grid(self) -> NDArray[np.float64]:
        """The mean weight of each class as 13 × 13 numbers, aces first, suited above the diagonal."""
        sums = np.bincount(CLASS_OF_HOLDING, weights=self.weights, minlength=CLASSES)
        means: NDArray[np.float64] = (sums / CLASS_SIZES).reshape(13, 13)
        return means

    def without(self, cards: Iterable[Card]) -> "Range":
        """The range without the holdings that contain one of these cards."""
        return Range(np.where(blocked_by(cards), 0.0, self.weights))

    def __or__(self, other: "Range") -> "Range":
        return Range(np.maximum(self.weights, other.weights))

    def __and__(self, other: "Range") -> "Range":
        return Range(np.minimum(self.weights, other.weights))

    def __sub__(self, other: "Range") -> "Range":
        return Range(np.maximum(self.weights - other.weights, 0.0))

    def __invert__(self) -> "Range":
        return Range.random() - self

    def __add__(self, other: "Range") -> "Range":
        return Range(self.weights + other.weights)

    def __mul__(self, factor: float) -> "Range":
        return Range(self.weights * factor)

    __rmul__ = __mul__

    def normalised(self) -> "Range":
        """The same proportions with weights that sum to 1: the probability of each holding."""
        _require_some(self.weights)
        return Range(self.weights / self.weights.sum())

    @overload
    def sample(self, generator: np.random.Generator, dead: Iterable[Card] = ()) -> Holding: ...
    @overload
    def sample(
        self, generator: np.random.Generator, dead: Iterable[Card] = (), *, size: int
    ) -> NDArray[np.int64]: ...

    def sample(
        self, generator: np.random.Generator, dead: Iterable[Card] = (), *, size: int | None = None
    ) -> Holding | NDArray[np.int64]:
        """A random holding, drawn in proportion to its weight and without dead cards; with `size`, an array of them."""
        cards = tuple(dead)
        weights = np.where(blocked_by(cards), 0.0, self.weights) if cards else self.weights
        _require_some(weights, cards)
        holdings = np.flatnonzero(weights)
        sums = np.cumsum(weights[holdings])
        drawn = np.searchsorted(sums, generator.random(size) * sums[-1], side="right")
        # With the smallest floats the product can round up to the total, which belongs to no holding.
        places = np.minimum(drawn, len(holdings) - 1)
        return int(holdings[places]) if size is None else holdings[places]


def _require_some(weights: NDArray[np.float64], removed: tuple[Card, ...] = ()) -> None:
    if not weights.any():
        reason = f" without {format_cards(removed, ' ')}" if removed else ""
        raise RangeError(f"the range is empty{reason}: at least one holding must have a positive weight")
