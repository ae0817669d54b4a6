"""Published win rates, counts and shares, and how uncertain they are themselves.

Papers print a rate and at best the number of hands. Their interval is estimated from how much a hand varies at our own
table (`Laboratory.deviation`); they did not play duplicate deals. A measured and a published rate agree if their
difference is not significant, given the intervals of both.
"""

from dataclasses import dataclass
from math import hypot, sqrt

from railbird.arena.results.rates import Rate
from railbird.experiments.frame import Finding
from railbird.explanation.formats import format_percent, format_signed

NORMAL_QUANTILE = 1.96
"""The 95 % interval of a mean, in standard errors."""


@dataclass(frozen=True, slots=True)
class PublishedRate:
    """A rate as printed, in the unit of the measured one."""

    mean: float
    hands: int | None = None
    """The number of hands, if it is printed."""

    def half_width(self, deviation: float) -> float | None:
        """Our estimate of its 95 % interval, from the standard deviation of a hand."""
        return None if self.hands is None else NORMAL_QUANTILE * deviation / sqrt(self.hands)

    def finding(
        self, what: str, measured: Rate, deviation: float, *, asked: str = "", holds: bool | None = None
    ) -> Finding:
        """A measured rate next to this one."""
        half, rate = self.half_width(deviation), f"{format_signed(self.mean, 3)} {measured.unit}"
        if half is None:
            return Finding(what, str(measured), f"{rate} (number of hands not printed)", asked, holds)
        printed = f"{rate} (about ± {half:.3f}, {self.hands:,} hands)"
        both = hypot(half, (measured.high - measured.low) / 2)
        return Finding(
            what, str(measured), printed, asked, holds, agrees=abs(measured.mean - self.mean) <= both
        )


@dataclass(frozen=True, slots=True)
class Occurrences:
    """How often something rare occurred, as printed or as measured."""

    count: int
    hands: int

    @property
    def half_width(self) -> float:
        """Its 95 % interval, as for independent events."""
        return NORMAL_QUANTILE * sqrt(self.count)

    def __str__(self) -> str:
        return f"{self.count:,} (about ± {self.half_width:.0f}) in {self.hands:,} hands"

    def finding(
        self, what: str, published: "Occurrences", *, asked: str = "", holds: bool | None = None
    ) -> Finding:
        """What was measured next to what is printed, in as many hands as there."""
        scale = published.hands / self.hands
        found, half = scale * self.count, scale * self.half_width
        agrees = abs(found - published.count) <= hypot(half, published.half_width)
        measured = f"{found:,.0f} (about ± {half:.0f}, {self.count:,} in {self.hands:,} hands)"
        return Finding(what, measured, str(published), asked, holds, agrees)


@dataclass(frozen=True, slots=True)
class Portion:
    """In which part of some occasions something was so, as printed or as measured."""

    share: float
    of: int

    @property
    def half_width(self) -> float:
        """Its 95 % interval, as for independent occasions, by Agresti and Coull: two more of each kind are counted."""
        number = self.of + 4
        share = (self.share * self.of + 2) / number
        return NORMAL_QUANTILE * sqrt(share * (1.0 - share) / number)

    def __str__(self) -> str:
        return f"{format_percent(self.share)} (± {100 * self.half_width:.1f})"

    def agrees(self, other: "Portion") -> bool:
        """Whether the difference is not significant, given the intervals of both."""
        return abs(self.share - other.share) <= hypot(self.half_width, other.half_width)


def difference_finding(what: str, one: PublishedRate, other: PublishedRate, deviation: float) -> Finding:
    """Whether two published rates differ significantly in their own paper."""
    half, other_half = one.half_width(deviation), other.half_width(deviation)
    assert half is not None
    assert other_half is not None
    both, gap = hypot(half, other_half), one.mean - other.mean
    verdict = "significant" if abs(gap) > both else "not significant"
    return Finding(what, verdict, f"{format_signed(gap, 3)} (about ± {both:.3f})")
