"""The search tree over a case base: exact, and updated as the case base grows.

The cases are in a few trees of decreasing size. A new case is appended to a small unsorted tail; when that is full, it
is merged with every tree that is not much larger, so that each case is re-sorted only a logarithmic number of times.
A search covers all trees. Bins are recomputed whenever the number of cases has doubled.

The tree is laid out for one similarity, by its weights, and finds exactly the right cases for any other of the
schema.
"""

from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.measure import Measure, Sought
from railbird.kernels.cases.search import cases_above, many_cases_above, nearest_cases
from railbird.kernels.cases.similarity import (
    ATTRIBUTE,
    BIN_COUNT,
    BINS,
    COLUMN,
    FIELD,
    FIRST_VALUE,
    GREATEST,
    KIND,
    LEAST,
    NUMBER,
    SINGLE,
    SYMBOL,
    WEIGHT,
)
from railbird.kernels.cases.sorting import Found
from railbird.kernels.cases.tree import (
    BOX_GREATEST,
    BOX_LEAST,
    END,
    distinct_values,
    encode,
    split_cases,
    write_records,
)

LEAF_SIZE = 48
TAIL_SIZE = 256
"""Maximum number of new cases that are not sorted yet."""
_FEWEST_BINS = 32
_SAMPLE = 65_536
_NOBODY = -1
_ONLY: NDArray[np.int64] = np.zeros(1, dtype=np.int64)
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
        self._layout[FIELD, by_use] = FIRST_VALUE + np.arange(attributes)
        self._count = self._binned = count
        order, nodes = self._split(words, 0, 0)
        self._words = words[order]
        fields = FIRST_VALUE + attributes
        self._records: NDArray[np.float64] = _aligned(count, -(-fields // _LINE) * _LINE, np.float64)
        write_records(values, order, 0, self._layout, self._records)
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
        if place == len(self._words):
            size = place + max(64, place)
            records: NDArray[np.float64] = _aligned(size, self._records.shape[1], np.float64)
            words = np.empty((size, self._words.shape[1]), dtype=np.uint64)
            records[:place], words[:place] = self._records, self._words
            self._records, self._words = records, words
        only = slice(place, place + 1)
        self._encode(row[np.newaxis], self._words[only])
        write_records(row[np.newaxis], _ONLY, place, self._layout, self._records[only])
        self._count += 1
        first, first_node = self._trees[-1]
        tail = self._nodes[first_node]
        codes = self._words[place, :1].view(np.uint8)
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
        order, nodes = self._split(self._words[part], first, first_node)
        self._words[part] = self._words[part][order]
        self._records[part] = self._records[part][order]
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

    def many_above(self, threshold: float, targets: NDArray[np.float64], sought: Sought) -> list[Found]:
        """`above` for many problems with other numbers than the one sought: a row for each."""
        rows, similarities, ends = many_cases_above(threshold, targets, *self._searched(sought)[1:])
        limits = [0, *ends.tolist()]
        return [(rows[start:end], similarities[start:end]) for start, end in pairwise(limits)]

    def nearest(self, k: int, sought: Sought, without: int = _NOBODY) -> Found:
        """The k most similar cases, in the same order; lower numbers first among equally similar ones."""
        return nearest_cases(min(k, self._count), without, *self._searched(sought))

    def _searched(self, sought: Sought) -> "_Searched":
        """The arguments of compiled searches."""
        return *sought, self._layout, self._bins, self._roots, self._nodes, self._words, self._records


_Floats: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int64]
_Searched: TypeAlias = tuple[
    _Floats, _Floats, _Floats, _Ints, _Floats, _Ints, _Ints, NDArray[np.uint64], _Floats
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


def _aligned(rows: int, fields: int, kind: type) -> NDArray[Any]:
    """An array whose first row is aligned to a processor cache line."""
    size = rows * fields * 8
    room = np.empty(size + 8 * _LINE, dtype=np.uint8)
    start = -room.ctypes.data % (8 * _LINE)
    return room[start : start + size].view(kind).reshape(rows, fields)
