"""What players won, added up exactly: the sums behind every mean and interval.

The unit of a tally is the independent unit: a hand, or in a duplicate match a deal over all its seatings, so that the
luck of the cards cancels before anything is averaged. Sums are exact ints in parts of a chip
(`kernels.rules.pots.PARTS`), so tallies add (`+`) in any order to the same bits, and change sides with `~`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

from railbird.kernels.rules.pots import PARTS


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
    def of(cls, units: Sequence[Sequence[int]], hands_per_unit: int = 1) -> "Tally":
        """The tally of units, each the players' winnings in parts of a chip."""
        players = len(units[0])
        columns = list(zip(*units, strict=True))
        return cls(
            len(units),
            len(units) * hands_per_unit,
            tuple(map(sum, columns)),
            tuple(
                tuple(sum(a * b for a, b in zip(columns[i], columns[j], strict=True)) for j in range(players))
                for i in range(players)
            ),
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
