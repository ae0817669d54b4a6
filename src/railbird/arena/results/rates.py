"""What a player wins per hand: a mean with its 95 % interval and the number of hands.

Intervals are Student's t intervals with one degree of freedom less than there are independent units (hands, or in a
duplicate match deals over all their seatings). They are exact for normally distributed units and a good approximation
for many units, which must include many of the rare large pots: with 100 units, one of which loses a stack on average,
they cover the mean in only two of three matches. They are not valid after a match that stopped because of its result;
`arena.run.sequential` has intervals that are valid in both cases.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, inf, isinf, sqrt

from railbird.arena.results import student
from railbird.arena.results.tally import Tally
from railbird.engine.events import Chips
from railbird.engine.rules import GameRules
from railbird.explanation.formats import format_signed
from railbird.kernels.rules.pots import PARTS

CONFIDENCE = 0.95


class RateError(ValueError):
    """A rate that cannot be given in the requested form."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean in chips per hand, its standard error, and the degrees of freedom."""

    mean: float
    error: float
    """The standard error; infinite while there are fewer than two units."""
    units: int
    freedom: float
    """The degrees of freedom of the standard error."""
    hands: int

    @classmethod
    def of(cls, tally: Tally, weights: Sequence[int]) -> "Estimate":
        """The estimate from a tally, for a combination of its players such as (1, 0) or (1, −1)."""
        return cls(
            tally.mean(weights), tally.standard_error(weights), tally.units, tally.units - 1, tally.hands
        )

    @classmethod
    def pooled(cls, estimates: Sequence["Estimate"]) -> "Estimate":
        """The mean over the hands of independent estimates, with Welch and Satterthwaite's degrees of freedom."""
        played = [estimate for estimate in estimates if estimate.hands]
        if len(played) == 1:
            return played[0]
        hands = sum(estimate.hands for estimate in played)
        units = sum(estimate.units for estimate in played)
        if not hands:
            return cls(0.0, inf, 0, 0, 0)
        mean = fsum(estimate.hands * estimate.mean for estimate in played) / hands
        if any(isinf(estimate.error) for estimate in played):
            return cls(mean, inf, units, 0, hands)
        variances = [(estimate.hands * estimate.error) ** 2 for estimate in played]
        variance = fsum(variances)
        if variance == 0:
            return cls(mean, 0.0, units, units - len(played), hands)
        doubt = fsum(part * part / estimate.freedom for part, estimate in zip(variances, played, strict=True))
        return cls(mean, sqrt(variance) / hands, units, variance * variance / doubt, hands)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval in chips per hand; unbounded if the standard error is unknown."""
        if isinf(self.error):
            return -inf, inf
        half = student.quantile(CONFIDENCE, self.freedom) * self.error
        return self.mean - half, self.mean + half

    @property
    def p_value(self) -> float:
        """The two-sided p-value: the probability of a mean at least this far from zero if the true mean were zero.

        If all units are equal there is no spread, and the sign test is used instead, so that two equal hands prove
        nothing and a thousand do.
        """
        if isinf(self.error) or self.mean == 0:
            return 1.0
        if self.error == 0:
            return 2.0 ** (1 - self.units)
        return student.tail(abs(self.mean) / self.error, self.freedom)


UNIT_WORDS = {"sb/h": "small bets per hand", "bb/h": "big blinds per hand"}
"""The units of rates in words."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean per hand with its 95 % interval."""

    unit: str
    mean: float
    low: float
    high: float
    hands: int

    @classmethod
    def of(cls, rules: GameRules, estimate: Estimate) -> "Rate":
        """An estimate in the unit of the game: sb/h at limit, bb/h otherwise."""
        low, high = estimate.interval
        chips = rules.unit_chips
        return cls(rules.unit, estimate.mean / chips, low / chips, high / chips, estimate.hands)

    @classmethod
    def from_tally(cls, rules: GameRules, tally: Tally, weights: Sequence[int]) -> "Rate":
        """The rate of a combination of a tally's players, such as (1, 0) for the first or (1, −1) for a difference."""
        return cls.of(rules, Estimate.of(tally, weights))

    def in_thousandths(self) -> "Rate":
        """The same in mbb/h, thousandths of a big blind per hand, as no-limit results are often given."""
        if self.unit != "bb/h":
            raise RateError(f"only a rate in bb/h can be converted to mbb/h, and this one is in {self.unit}")
        return Rate("mbb/h", 1000 * self.mean, 1000 * self.low, 1000 * self.high, self.hands)

    def __str__(self) -> str:
        digits = 0 if self.unit == "mbb/h" else 3
        mean, low, high = (format_signed(value, digits) for value in (self.mean, self.low, self.high))
        hands = f"{self.hands:,} hand{'' if self.hands == 1 else 's'}"
        if isinf(self.low):
            return f"{mean} {self.unit} ({hands})"
        return f"{mean} {self.unit} (95 % interval {low} … {high}, {hands})"


def rate_of(rules: GameRules, payoffs: Sequence[Chips]) -> Rate:
    """The rate of a player's payoffs hand by hand, in the unit of the game."""
    parts = [Fraction(chips) * PARTS for chips in payoffs]
    for chips, value in zip(payoffs, parts, strict=True):
        if value.denominator != 1:
            raise RateError(f"a payoff must be a whole number of 1/{PARTS} chips, not {chips}")
    tally = Tally.of([(value.numerator,) for value in parts]) if parts else Tally.empty(1)
    return Rate.from_tally(rules, tally, (1,))
