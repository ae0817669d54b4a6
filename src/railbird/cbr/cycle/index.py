"""The search tree over a case base: exact, and updated as the case base grows.

The cases are in a few trees of decreasing size. A new case is appended to a small unsorted tail; when that is full, it
is merged with every tree that is not much larger, so that each case is re-sorted only a logarithmic number of times.
A search covers all trees. Bins are recomputed whenever the number of cases has doubled.

The tree is laid out for one similarity, by its weights, and finds exactly the right cases for any other of the
schema.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.cycle.ramps import ramps_of
from railbird.cbr.measure import Measure, Sought
from railbird.kernels.cases.lanes import LANES
from railbird.kernels.cases.search import cases_above, many_cases_above, nearest_cases
from railbird.kernels.cases.similarity import (
    ATTRIBUTE,
    BIN_COUNT,
    BINS,
    COLUMN,
    FIELD,
    FIRST_WORD,
    GREATEST,
    KIND,
    LEAST,
    NUMBER,
    RATE,
    SINGLE,
    SPAN,
    SYMBOL,
    WEIGHT,
)
from railbird.kernels.cases.sorting import Found
from railbird.kernels.cases.steps import COARSE, GRAIN, MOST_STEPS, write_steps
from railbird.kernels.cases.tallies import Decisions, Tallied, count_above
from railbird.kernels.cases.tree import (
    BOX_GREATEST,
    BOX_LEAST,
    END,
    distinct_values,
    encode,
    split_cases,
    write_records,
)

LEAF_SIZE = 80
TAIL_SIZE = 256
"""Maximum number of new cases that are not sorted yet."""
_FEWEST_BINS = 32
_SAMPLE = 65_536
_NOBODY = -1
_ONLY: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
_TOGETHER = 256
"""Number of problems whose cases are in memory at the same time."""
_FINEST = 1e-300
"""Minimum size of a step, so that dividing by it gives no infinite number of steps for usual values."""
_TOO_COARSE = 0.0004
"""Maximum loss within the rounding of a coarse column."""
_LINE = 8
"""Number of values in one processor cache line."""


class Index:
    """Trees over the rows of a case base."""

    def __init__(self, values: NDArray[np.float64], measure: Measure) -> None:
        self._rows = measure.rows.copy()
        self._build(values)

    def _build(self, values: NDArray[np.float64]) -> None:
        """Compute bins for these values and build one tree of them."""
        count, attributes = values.shape
        weights = self._rows[:, WEIGHT]
        columns = np.argsort(-weights, kind="stable")
        self._layout: NDArray[np.int64] = np.zeros((5, attributes), dtype=np.int64)
        self._layout[ATTRIBUTE] = columns
        self._layout[COLUMN, columns] = np.arange(attributes)
        self._layout[SINGLE] = 1
        self._edges: NDArray[np.float64] = np.full((attributes, BINS), np.inf)
        self._bins: NDArray[np.float64] = np.empty((2, attributes, BINS))
        self._bins[LEAST], self._bins[GREATEST] = np.inf, -np.inf
        for column, attribute in enumerate(columns.tolist()):
            if self._rows[attribute, KIND] != SYMBOL:
                edges = _edges_of(values, attribute, float(weights[attribute] / weights.max()))
                self._edges[column, : len(edges)] = edges
                self._layout[BIN_COUNT, column] = len(edges)
        words: NDArray[np.uint64] = np.empty((count, (attributes + 7) // 8), dtype=np.uint64)
        self._encode(values, words)
        # Values that the words do not determine come first, so that a search reads only the first cache line.
        by_use = columns[np.argsort(self._layout[SINGLE], kind="stable")]
        first_value = FIRST_WORD + words.shape[1]
        self._layout[FIELD, by_use] = first_value + np.arange(attributes)
        self._count = self._binned = count
        order, nodes = self._split(words, 0, 0)
        fields = first_value + attributes
        self._records: NDArray[np.float64] = _aligned(count, -(-fields // _LINE) * _LINE, np.float64)
        write_records(values, words, order, 0, self._layout, self._records)
        self._grid = _grid_of(values, self._rows, columns)
        self._steps = _blocks(count, self._grid)
        self._write_steps(0)
        self._nodes: NDArray[np.int64] = np.empty((0, 4), dtype=np.int64)
        self._trees: list[tuple[int, int]] = []
        """The start of each tree's cases and nodes; the last one is the tail."""
        self._plant(0, 0, nodes)

    def __len__(self) -> int:
        return int(self._count)

    def _encode(self, values: NDArray[np.float64], words: NDArray[np.uint64]) -> None:
        encode(values, self._rows, self._layout, self._edges, self._bins, words)

    def _split(self, words: NDArray[np.uint64], first: int, first_node: int) -> tuple["_Ints", "_Ints"]:
        return split_cases(words, first, first_node, LEAF_SIZE, self._rows, self._layout, self._bins)

    def _write_steps(self, first: int) -> None:
        """Write the steps of all cases from `first` on."""
        write_steps(first, self._count, self._records, self._layout, self._grid, self._steps)

    def _plant(self, first: int, first_node: int, nodes: NDArray[np.int64]) -> None:
        """Append a tree of all cases from `first` on to the previous trees, followed by an empty tail."""
        empty = [~self._count, self._count, -1, 0]
        tail = first_node + len(nodes)
        planted: NDArray[np.int64] = _aligned(tail + 2, 4, np.int64)
        planted[:first_node] = self._nodes[:first_node]
        planted[first_node:tail] = nodes
        planted[tail:] = empty
        self._nodes = planted
        self._trees = [tree for tree in self._trees if tree[1] < first_node]
        self._trees += [(first, first_node), (self._count, tail)]
        self._roots = np.array([node for _, node in self._trees], dtype=np.int64)

    def append(self, row: NDArray[np.float64]) -> None:
        """Add the next case of the case base."""
        place = self._count
        if place == len(self._records):
            size = place + max(64, place)
            records: NDArray[np.float64] = _aligned(size, self._records.shape[1], np.float64)
            steps = _blocks(size, self._grid)
            records[:place], steps[: len(self._steps)] = self._records, self._steps
            self._records, self._steps = records, steps
        words: NDArray[np.uint64] = np.empty((1, (len(row) + 7) // 8), dtype=np.uint64)
        self._encode(row[np.newaxis], words)
        write_records(row[np.newaxis], words, _ONLY, place, self._layout, self._records[place : place + 1])
        self._count += 1
        self._write_steps(place)
        first, first_node = self._trees[-1]
        tail = self._nodes[first_node]
        codes = words[0, :1].view(np.uint8)
        least = tail[BOX_LEAST : BOX_LEAST + 1].view(np.uint8)
        greatest = tail[BOX_GREATEST : BOX_GREATEST + 1].view(np.uint8)
        np.minimum(least, codes, out=least)
        np.maximum(greatest, codes, out=greatest)
        tail[END] = self._count
        if self._count - first >= TAIL_SIZE:
            self._tidy()

    def _tidy(self) -> None:
        """Merge the tail with every previous tree that is not much larger."""
        if self._count >= 2 * self._binned:
            self._build(self._values())
            return
        first, first_node = self._trees[-1]
        for start, node in reversed(self._trees[:-1]):
            if first - start > 2 * (self._count - first):
                break
            first, first_node = start, node
        part = slice(first, self._count)
        words = self._records[part, FIRST_WORD : FIRST_WORD + 1].copy().view(np.uint64)
        order, nodes = self._split(words, first, first_node)
        self._records[part] = self._records[part][order]
        self._write_steps(first)
        self._plant(first, first_node, nodes)

    def _values(self) -> NDArray[np.float64]:
        """The values of all cases, by number and attribute."""
        records = self._records[: self._count]
        values = np.empty((self._count, self._layout.shape[1]))
        values[records[:, NUMBER].view(np.int64)] = records[:, self._layout[FIELD]]
        return values

    def above(self, threshold: float, sought: Sought, without: int = _NOBODY) -> Found:
        """All cases above the threshold: numbers and similarities, best first; equally similar ones by number."""
        return cases_above(threshold, without, *self._searched(sought))

    def many_above(self, threshold: float, targets: NDArray[np.float64], sought: Sought) -> Iterator[Found]:
        """`above` for many problems with other numbers than the one sought: a row for each."""
        searched = self._searched(sought)[1:]
        for first in range(0, len(targets), _TOGETHER):
            some = targets[first : first + _TOGETHER]
            rows, similarities, ends = many_cases_above(threshold, some, *searched)
            for start, end in pairwise([0, *ends.tolist()]):
                yield rows[start:end], similarities[start:end]

    def count_above(
        self, threshold: float, targets: NDArray[np.float64], sought: Sought, decisions: Decisions
    ) -> Tallied | None:
        """By target the decisions in all cases above the threshold, and how many cases these are.

        None if they must be listed (`ramps`).
        """
        of_columns = self._bins[LEAST].min(axis=1), self._bins[GREATEST].max(axis=1)
        ends = np.stack(of_columns)[:, self._layout[COLUMN]]
        ramps = ramps_of(threshold, targets, sought.measure, ends)
        if ramps is None:
            return None
        return count_above(
            threshold,
            self._count,
            targets,
            sought.measure,
            sought.symbols,
            self._layout,
            self._bins,
            self._grid,
            self._steps,
            self._records,
            ramps,
            decisions,
        )

    def nearest(self, k: int, sought: Sought, without: int = _NOBODY) -> Found:
        """The k most similar cases, in the same order; lower numbers first among equally similar ones."""
        return nearest_cases(min(k, self._count), without, *self._searched(sought))

    def _searched(self, sought: Sought) -> "_Searched":
        """The arguments of compiled searches."""
        return (
            *sought,
            self._layout,
            self._bins,
            self._grid,
            self._roots,
            self._nodes,
            self._steps,
            self._records,
        )


_Floats: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int64]
_Searched: TypeAlias = tuple[
    _Floats,
    _Floats,
    _Floats,
    _Ints,
    _Floats,
    _Floats,
    _Ints,
    _Ints,
    NDArray[np.uint8],
    _Floats,
]


def _edges_of(values: NDArray[np.float64], attribute: int, importance: float) -> NDArray[np.float64]:
    """The greatest value of every bin: one bin per value if there are few, otherwise bins of about equal size.

    Edges are values of cases, so no bin is empty.
    """
    if len(values) == 0:
        return np.zeros(1)
    distinct = distinct_values(values, attribute)
    if len(distinct):
        return distinct
    sample = values[:: max(1, len(values) // _SAMPLE), attribute]
    bins = max(_FEWEST_BINS, round(BINS * importance))
    return np.unique(np.quantile(sample, np.arange(1, bins + 1) / bins, method="inverted_cdf"))


def _grid_of(values: _Floats, measure: _Floats, columns: _Ints) -> _Floats:
    """The grid of all numbers, heaviest first, but fine columns before coarse ones."""
    attributes = columns[measure[columns, KIND] != SYMBOL]
    ends = [
        (values[:, each].min(), values[:, each].max()) if len(values) else (0.0, 1.0) for each in attributes
    ]
    least, greatest = np.array(ends).reshape(-1, 2).T
    step = np.maximum(greatest / MOST_STEPS - least / MOST_STEPS, _FINEST)
    slope = measure[:, WEIGHT] / measure[:, WEIGHT].sum() * measure[:, RATE]
    lost = slope[attributes] * (step / measure[attributes, SPAN]) * COARSE / 2
    grid = np.stack([attributes, least, step, np.where(lost > _TOO_COARSE, 1, COARSE)])
    return np.ascontiguousarray(grid[:, np.argsort(grid[GRAIN], kind="stable")])


def _blocks(cases: int, grid: _Floats) -> NDArray[np.uint8]:
    """Blocks for the steps of this many cases, and one more case."""
    size = LANES * int(np.where(grid[GRAIN] == COARSE, 1, 2).sum())
    blocks: NDArray[np.uint8] = _aligned(cases // LANES + 1, -(-size // (8 * _LINE)) * _LINE, np.uint8)
    blocks[:] = 0
    return blocks


def _aligned(rows: int, fields: int, kind: type) -> NDArray[Any]:
    """An array whose first row is aligned to a processor cache line."""
    size = rows * fields * 8
    room = np.empty(size + 8 * _LINE, dtype=np.uint8)
    start = -room.ctypes.data % (8 * _LINE)
    return room[start : start + size].view(kind).reshape(rows, fields * 8 // np.dtype(kind).itemsize)
