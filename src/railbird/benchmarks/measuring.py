"""Timing against a peer: alternately, in one process, medians of several turns, by processor time.

The speed of a shared machine varies within a second; alternating the two sides exposes both to the same variation, and
the median discards outliers. The spread of the turns tells how much of a figure is noise: a target within the spread of
a figure is neither reached nor missed in that run. Elapsed time is measured where several processes work together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from statistics import median, quantiles
from time import process_time
from typing import ParamSpec, TypeAlias, TypeVar

_Arguments = ParamSpec("_Arguments")
_Made = TypeVar("_Made")

Work: TypeAlias = Callable[[], int]
"""Does a fixed piece of work and returns its number of units (hands, situations, calls)."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure and its peer's; for rates higher is better, for durations (`s`, `µs`, …) lower."""

    name: str
    ours: float
    peer: str
    theirs: float | None
    """None if the peer is not installed, or if there is none and its name is empty."""
    unit: str
    required: float | None = None
    """The required ratio, if there is one."""
    spread: float | None = None
    """By what share of the ratio the middle half of the turns deviate from it; None after a single turn."""
    point: tuple[str, int] | None = None
    """The curve of which this figure is a point, and the size at which it was measured."""

    @property
    def ratio(self) -> float | None:
        """How many times better ours is than the peer's; None without the peer."""
        if self.theirs is None:
            return None
        return self.ours / self.theirs if self.unit.endswith("/s") else self.theirs / self.ours

    @property
    def reached(self) -> bool:
        """Whether the required ratio was reached in this run."""
        return self.required is None or self.ratio is None or self.ratio >= self.required

    @property
    def is_noise(self) -> bool:
        """Whether the required ratio is within the spread, so that another run might decide otherwise."""
        if self.required is None or self.ratio is None or self.spread is None:
            return False
        return abs(self.required / self.ratio - 1.0) < self.spread


class PeerMissing(ImportError):
    """A peer that is installed, but not in the form that is measured."""


def if_installed(make: Callable[_Arguments, _Made]) -> Callable[_Arguments, _Made | None]:
    """The same function, which returns None if the peer that it imports is not installed."""

    @wraps(make)
    def made(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Made | None:
        try:
            return make(*arguments, **named)
        except ImportError:
            return None

    return made


def compare_rates(
    name: str,
    ours: Work,
    peer: str,
    theirs: Work | None,
    *,
    unit: str,
    required: float | None = None,
    turns: int = 5,
    clock: Callable[[], float] = process_time,
) -> Figure:
    """Run both sides alternately and compare the medians of their rates; the first turn is a warm-up."""
    sides = [ours] if theirs is None else [ours, theirs]
    rates: list[list[float]] = [[] for _ in sides]
    for turn in range(turns + 1):
        for side, work in zip(rates, sides, strict=True):
            rate = _rate(work, clock)
            if turn:
                side.append(rate)
    return compared(name, rates[0], peer, None if theirs is None else rates[1], unit, required)


def compared(
    name: str,
    ours: Sequence[float],
    peer: str,
    theirs: Sequence[float] | None,
    unit: str,
    required: float | None = None,
) -> Figure:
    """A figure of both sides' turns, which alternated."""
    if theirs is None:
        return Figure(name, median(ours), peer, None, unit, required, spread_of(ours))
    ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
    return Figure(name, median(ours), peer, median(theirs), unit, required, spread_of(ratios))


def bounded(name: str, ours: Sequence[float], bound: float, unit: str) -> Figure:
    """A figure of several turns that has a bound instead of a peer: at least this rate, or at most this duration."""
    return Figure(name, median(ours), "bound", bound, unit, required=1.0, spread=spread_of(ours))


def plain(name: str, ours: Sequence[float], unit: str) -> Figure:
    """A figure of one or several turns that has neither a peer nor a bound."""
    return Figure(name, median(ours), "", None, unit, spread=spread_of(ours))


def spread_of(values: Sequence[float]) -> float | None:
    """By what share of their median the middle half of some values deviate from it."""
    if len(values) < 2:
        return None
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return max(high - middle, middle - low) / middle


def _rate(work: Work, clock: Callable[[], float]) -> float:
    start = clock()
    units = work()
    return units / (clock() - start)
