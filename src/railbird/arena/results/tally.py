"""What players won, added up exactly: the sums behind every mean and interval.

The unit of a tally is the independent unit: a hand, or in a duplicate match a deal over all its seatings, so that the
luck of the cards cancels before anything is averaged. Sums are exact ints in parts of a chip
(`kernels.rules.pots.PARTS`), so tallies add (`+`) in any order to the same bits, and change sides with `~`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, zip_longest
from math import inf, sqrt
from operator import add
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.rules.pots import PARTS

Units: TypeAlias = Sequence[Sequence[int]] | NDArray[Any]
"""What every player won in each unit, in parts of a chip."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over units for several players: of what each won, and of every product of two players' winnings."""

    units: int
    hands: int
    """Hands played: units times the seatings of a unit."""
    totals: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    @classmethod
    def empty(cls, players: int) -> "Tally":
        """An empty tally."""
        return cls(0, 0, (0,) * players, ((0,) * players,) * players)

    @classmethod
    def of(cls, units: Units, hands_per_unit: int = 1) -> "Tally":
        """The tally of units, of which there is at least one."""
        won = _exact(units)
        return cls(
            len(won),
            len(won) * hands_per_unit,
            tuple(won.sum(axis=0).tolist()),
            tuple(map(tuple, (won.T @ won).tolist())),
        )

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.units + other.units,
            self.hands + other.hands,
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            tuple(
                tuple(a + b for a, b in zip(row, others, strict=True))
                for row, others in zip(self.products, other.products, strict=True)
            ),
        )

    def __invert__(self) -> "Tally":
        """The same from the other side of the table: everyone's winnings are the others' losses."""
        return Tally(self.units, self.hands, tuple(-total for total in self.totals), self.products)

    def mean(self, weights: Sequence[int]) -> float:
        """Chips per hand of a combination of players, such as (1, 0) for the first or (1, −1) for a difference."""
        if not self.hands:
            return 0.0
        return sum(w * total for w, total in zip(weights, self.totals, strict=True)) / (PARTS * self.hands)

    def standard_error(self, weights: Sequence[int]) -> float:
        """The standard error of that mean, from the spread between units; infinite with fewer than two."""
        if self.units < 2:
            return inf
        total = sum(w * value for w, value in zip(weights, self.totals, strict=True))
        squares = sum(
            a * b * self.products[i][j] for i, a in enumerate(weights) for j, b in enumerate(weights)
        )
        # The exact form of Σ (x − mean)², in integers to avoid cancellation.
        spread = self.units * squares - total * total
        variance = spread / (self.units * (self.units - 1)) / PARTS**2
        hands_per_unit = self.hands / self.units
        return sqrt(variance / self.units) / hands_per_unit


def over_all_seatings(seatings: Sequence[Sequence[tuple[int, ...]]]) -> NDArray[Any]:
    """What every player won with each deal, added up over the seatings, as far as all of them were played.

    >>> over_all_seatings([[(10, -10), (20, -20)], [(-5, 5), (0, 0), (30, -30)]]).tolist()
    [[5, -5], [20, -20]]
    """
    deals = min(map(len, seatings))
    return reduce(add, (_exact(payoffs[:deals]) for payoffs in seatings))


def tally_so_far(players: int, seatings: Sequence[Sequence[tuple[int, ...]]]) -> Tally:
    """The tally of a match in progress, from its payoffs by seating and hand.

    The unit is a deal over the seatings in which it has been played so far.
    """
    units: dict[int, list[tuple[int, ...]]] = {}
    for deal in zip_longest(*seatings):
        played = [won for won in deal if won is not None]
        units.setdefault(len(played), []).append(tuple(map(sum, zip(*played, strict=True))))
    return sum((Tally.of(found, hands) for hands, found in units.items()), Tally.empty(players))


def running_totals(units: Units, points: int) -> tuple[tuple[int, ...], ...]:
    """At evenly spaced units, including the last one: the units so far, then what each player had won.

    >>> running_totals([(1, -1), (1, -1), (2, -2), (0, 0), (1, -1)], 2)
    ((3, 4, -4), (5, 5, -5))
    """
    won = _exact(units)
    numbers = sorted({-(-len(won) * point // points) for point in range(1, points + 1)}) if len(won) else []
    sums = won.cumsum(axis=0)[[number - 1 for number in numbers]].tolist()
    return tuple((number, *row) for number, row in zip(numbers, sums, strict=True))


def _exact(units: Units) -> NDArray[Any]:
    """Units as a matrix in which sums of units, and of products of two numbers of a unit, are exact.

    Its numbers are Python's ints if machine words might overflow.
    """
    if isinstance(units, np.ndarray):
        won = units
    else:
        shape = (len(units), len(units[0]) if units else 0)
        try:
            # Several times as fast as `np.array(units)`.
            won = np.fromiter(chain.from_iterable(units), np.int64, shape[0] * shape[1]).reshape(shape)
        except OverflowError:
            return np.array(units, dtype=object)
    if not won.size or won.dtype == object:
        return won
    largest = max(-int(won.min()), int(won.max()))
    return won if largest**2 * len(won) < 1 << 63 else won.astype(object)
