"""What a player wins per hand: a mean with its 95 % interval and the number of hands."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, stdev

from railbird.engine.events import Chips
from railbird.engine.rules import GameRules

_NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean per hand with its 95 % interval (normal approximation)."""

    unit: str
    mean: float
    low: float
    high: float
    hands: int

    def __str__(self) -> str:
        if self.hands < 2:
            return f"{self.mean:+.3f} {self.unit} ({self.hands} hand{'' if self.hands == 1 else 's'})"
        return f"{self.mean:+.3f} {self.unit} (95 % interval {self.low:+.3f} … {self.high:+.3f}, {self.hands} hands)"


def rate_of(rules: GameRules, payoffs: Sequence[Chips]) -> Rate:
    """The rate of a player's payoffs hand by hand, in the unit of the game."""
    values = [float(chips) / rules.unit_chips for chips in payoffs]
    if len(values) < 2:
        mean = values[0] if values else 0.0
        return Rate(rules.unit, mean, -inf, inf, len(values))
    mean = fmean(values)
    half = _NORMAL_95 * stdev(values) / sqrt(len(values))
    return Rate(rules.unit, mean, mean - half, mean + half, len(values))
