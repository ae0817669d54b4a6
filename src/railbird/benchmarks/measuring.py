"""Timing against a peer: alternately, in one process, medians of several turns.

The speed of a shared machine varies within a second; alternating the two sides exposes both to the same variation, and
the median discards outliers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TypeAlias

Work: TypeAlias = Callable[[], int]
"""Does a fixed piece of work and returns its number of units (hands, situations, calls)."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure and its peer's; for rates higher is better, for durations (`s`, `µs`, …) lower."""

    name: str
    ours: float
    peer: str
    theirs: float
    unit: str
    required: float | None = None
    """The required ratio, if there is one."""

    @property
    def ratio(self) -> float:
        """How many times better ours is than the peer's."""
        return self.ours / self.theirs if self.unit.endswith("/s") else self.theirs / self.ours

    @property
    def reached(self) -> bool:
        """Whether the required ratio was reached in this run."""
        return self.required is None or self.ratio >= self.required


class PeerMissing(ValueError):
    """The peer of a figure is not installed."""


def compare_rates(
    name: str,
    ours: Work,
    peer: str,
    theirs: Work,
    *,
    unit: str,
    required: float | None = None,
    turns: int = 5,
) -> Figure:
    """Run both sides alternately and compare the medians of their rates; the first turn is a warm-up."""
    rates: tuple[list[float], list[float]] = ([], [])
    for turn in range(turns + 1):
        for side, work in zip(rates, (ours, theirs), strict=True):
            rate = _rate(work)
            if turn:
                side.append(rate)
    return Figure(name, median(rates[0]), peer, median(rates[1]), unit, required)


def _rate(work: Work) -> float:
    start = perf_counter()
    units = work()
    return units / (perf_counter() - start)
