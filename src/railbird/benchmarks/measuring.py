"""Timing against a peer: alternately, in one process, medians of several turns.

The speed of a shared machine varies within a second; alternating the two sides exposes both to the same variation, and
the median discards outliers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from statistics import median
from time import perf_counter
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
    """None if the peer is not installed."""
    unit: str
    required: float | None = None
    """The required ratio, if there is one."""

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
    clock: Callable[[], float] = perf_counter,
) -> Figure:
    """Run both sides alternately and compare the medians of their rates; the first turn is a warm-up."""
    sides = [ours] if theirs is None else [ours, theirs]
    rates: list[list[float]] = [[] for _ in sides]
    for turn in range(turns + 1):
        for side, work in zip(rates, sides, strict=True):
            rate = _rate(work, clock)
            if turn:
                side.append(rate)
    return Figure(name, median(rates[0]), peer, None if theirs is None else median(rates[1]), unit, required)


def _rate(work: Work, clock: Callable[[], float]) -> float:
    start = clock()
    units = work()
    return units / (clock() - start)
