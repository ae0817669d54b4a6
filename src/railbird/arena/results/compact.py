"""Finished matches in little memory: a tournament keeps the result of every match until its end.

Counts of short matches are often equal, so equal ones become one object; bankroll curves become arrays of small
numbers. A compact result equals the one that it was made from.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from railbird.arena.play.match import MatchResult
from railbird.arena.results.statistics import SHARES, PlayerStatistics

_MOST_SHARED = 100_000
"""Maximum number of different values that are remembered; a few megabytes."""
_shared: dict[Any, Any] = {}

_Value = TypeVar("_Value")


class CompactCurve(Sequence[tuple[int, ...]]):
    """The points of a bankroll curve as an array; equal to the tuple of its points."""

    __slots__ = ("_points",)

    def __init__(self, points: NDArray[np.integer[Any]]) -> None:
        self._points = points

    @classmethod
    def of(cls, points: Sequence[tuple[int, ...]]) -> Sequence[tuple[int, ...]]:
        """The same points; as they are if there are none, or if their numbers do not fit into machine words."""
        if not points or isinstance(points, cls):
            return points
        least, most = min(map(min, points)), max(map(max, points))
        for kind in (np.int16, np.int32, np.int64):
            if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max:
                return cls(np.array(points, dtype=kind))
        return points

    def __len__(self) -> int:
        return len(self._points)

    @overload
    def __getitem__(self, place: int) -> tuple[int, ...]: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[tuple[int, ...], ...]: ...

    def __getitem__(self, place: int | slice) -> tuple[int, ...] | tuple[tuple[int, ...], ...]:
        found = self._points[place].tolist()
        return tuple(map(tuple, found)) if isinstance(place, slice) else tuple(found)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))


def compact(result: MatchResult) -> MatchResult:
    """An equal result that takes little memory."""
    return replace(
        result,
        curve=CompactCurve.of(result.curve),
        statistics=tuple(map(_compact_statistics, result.statistics)),
    )


def _compact_statistics(statistics: PlayerStatistics) -> PlayerStatistics:
    shares: dict[str, Any] = {name: _one(getattr(statistics, name)) for name in SHARES}
    return replace(
        statistics,
        **shares,
        rounds=tuple(map(_one, statistics.rounds)),
        flop_types=_one(tuple(map(_one, statistics.flop_types))),
    )


def _one(value: _Value) -> _Value:
    """The first value that is equal to this one."""
    found: _Value = _shared.get(value, value)
    if found is value and len(_shared) < _MOST_SHARED:
        _shared[value] = value
    return found
