"""Percentages as the states of a network's node: the thesis writes `a5_10` for 5–10 % (baycarp-2011 §5.3.2).

>>> raises = Intervals((0, 5, 10, 100))
>>> raises.states
('a0_5', 'a5_10', 'a10_100')
>>> [raises.states[raises.code(percent)] for percent in (0, 5, 7.5, 100)]
['a0_5', 'a5_10', 'a5_10', 'a10_100']
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Intervals:
    """The percentages from 0 to 100, divided at edges; an edge belongs to the interval above it."""

    edges: tuple[int, ...]
    states: tuple[str, ...] = field(init=False)
    _inner: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rises = all(low < high for low, high in pairwise(self.edges))
        if len(self.edges) < 2 or not rises or (self.edges[0], self.edges[-1]) != (0, 100):
            raise ValueError(f"the edges of intervals must rise from 0 to 100, unlike {self.edges}")
        object.__setattr__(self, "states", tuple(f"a{low}_{high}" for low, high in pairwise(self.edges)))
        object.__setattr__(self, "_inner", self.edges[1:-1])

    @property
    def titles(self) -> tuple[str, ...]:
        """The states in words: "5 to 10 %"."""
        return tuple(f"{low} to {high} %" for low, high in pairwise(self.edges))

    def code(self, percent: float) -> int:
        """The number of the interval that contains a percentage."""
        return bisect_right(self._inner, percent)
