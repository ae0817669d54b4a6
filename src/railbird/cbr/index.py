"""The search tree over a case base: exact, and growing with it.

The cases stand in a few trees of falling size. A new case joins a last, small leaf; when that is full, it becomes a
tree together with every tree that is not much larger, so that each case is sorted anew a logarithmic number of times
only. One search goes through all trees. Bins are laid out anew whenever the cases have doubled.

The tree is laid out for one similarity, by its weights, and finds exactly the right cases for any other of the
schema.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.measure import Measure
from railbird.cbr.target import Target
from railbird.kernels.case_search import Found, cases_above, nearest_cases
from railbird.kernels.case_similarity import (
    ATTRIBUTE,
    BIN_COUNT,
    BINS,
    COLUMN,
    GREATEST,
    KIND,
    LEAST,
    SINGLE,
    SYMBOL,
    WEIGHT,
)
from railbird.kernels.case_tree import (
    BOX_GREATEST,
    BOX_LEAST,
    CHILD,
    END,
    START,
    distinct_values,
    encode,
    split_cases,
)

LEAF_SIZE = 48
TAIL_SIZE = 256
"""So many new cases stand unsorted at most."""
_FEWEST_BINS = 32
_SAMPLE = 65_536
_NOBODY = -1


class Index:
    """Trees over the rows of a case base."""

    def __init__(self, values: NDArray[np.float64], measure: Measure) -> None:
        self._rows = measure.rows.copy()
        self._build(values)

    def _build(self, values: NDArray[np.float64]) -> None:
        """Lay bins out for these values and make one tree of them."""
        count, attributes = values.shape
        weights = self._rows[:, WEIGHT]
        columns = np.argsort(-weights, kind="stable")
        self._layout: NDArray[np.int64] = np.zeros((4, attributes), dtype=np.int64)
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
        self._words: NDArray[np.uint64] = np.empty(((attributes + 7) // 8, count), dtype=np.uint64)
        self._values = values.copy()
        self._order: NDArray[np.int64] = np.arange(count)
        self._nodes: NDArray[np.int64] = np.empty((0, 5), dtype=np.int64)
        self._trees: list[tuple[int, int]] = []
        """By tree, where its cases and its nodes begin; the last one is the tail."""
        self._encode(values, self._words)
        self._count = self._binned = count
        self._grow_tree(0, 0)

    def __len__(self) -> int:
        return int(self._count)

    def _encode(self, values: NDArray[np.float64], words: NDArray[np.uint64]) -> None:
        encode(values, self._rows, self._layout, self._edges, self._bins, words)

    def _grow_tree(self, first: int, first_node: int) -> None:
        """Make one tree of all cases from `first` on and an empty tail behind it."""
        part = slice(first, self._count)
        order, nodes = split_cases(
            self._words[0, part],
            first,
            LEAF_SIZE,
            self._rows,
            self._layout,
            self._bins,
        )
        self._words[:, part] = self._words[:, part][:, order]
        self._values[part] = self._values[part][order]
        self._order[part] = self._order[part][order]
        nodes[:, CHILD] += np.where(nodes[:, CHILD] >= 0, first_node, 0)
        empty_tail = np.array([[-1, self._count, self._count, -1, 0]], dtype=np.int64)
        self._nodes = np.concatenate([self._nodes[:first_node], nodes, empty_tail])
        self._trees = [tree for tree in self._trees if tree[1] < first_node]
        self._trees += [(first, first_node), (self._count, len(self._nodes) - 1)]
        self._roots = np.array([node for _, node in self._trees], dtype=np.int64)

    def append(self, row: NDArray[np.float64]) -> None:
        """Take in the next case of the case base."""
        place = self._count
        if place == len(self._order):
            more = max(64, place)
            self._values = np.concatenate([self._values, np.empty((more, self._values.shape[1]))])
            self._order = np.concatenate([self._order, np.empty(more, dtype=np.int64)])
            spare = np.empty((len(self._words), more), dtype=np.uint64)
            self._words = np.concatenate([self._words, spare], axis=1)
        self._values[place] = row
        self._order[place] = place
        self._encode(row[np.newaxis], self._words[:, place : place + 1])
        self._count += 1
        tail = self._nodes[-1]
        codes = self._words[0, place : place + 1].view(np.uint8)
        least = tail[BOX_LEAST : BOX_LEAST + 1].view(np.uint8)
        greatest = tail[BOX_GREATEST : BOX_GREATEST + 1].view(np.uint8)
        np.minimum(least, codes, out=least)
        np.maximum(greatest, codes, out=greatest)
        tail[END] = self._count
        if self._count - tail[START] >= TAIL_SIZE:
            if self._count >= 2 * self._binned:
                values = np.empty_like(self._values[: self._count])
                values[self._order[: self._count]] = self._values[: self._count]
                self._build(values)
                return
            first, first_node = self._trees[-1]
            for start, node in reversed(self._trees[:-1]):
                if first - start > 2 * (self._count - first):
                    break
                first, first_node = start, node
            self._grow_tree(first, first_node)

    def above(self, threshold: float, measure: Measure, target: Target, without: int = _NOBODY) -> Found:
        """All cases at least so similar: numbers and similarities, best first; equally similar ones by number."""
        return cases_above(threshold, without, *self._searched(measure, target))

    def nearest(self, k: int, measure: Measure, target: Target, without: int = _NOBODY) -> Found:
        """The k most similar cases, in the same order; of equally similar ones those with the lower numbers."""
        return nearest_cases(min(k, self._count), without, *self._searched(measure, target))

    def _searched(self, measure: Measure, target: Target) -> "_Searched":
        """What compiled searches look through, and for what."""
        return (
            target.numbers,
            measure.rows,
            measure.symbols_of(target),
            self._layout,
            self._bins,
            self._roots,
            self._nodes,
            self._order,
            self._words,
            self._values,
        )


_Floats: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int64]
_Searched: TypeAlias = tuple[
    _Floats, _Floats, _Floats, _Ints, _Floats, _Ints, _Ints, _Ints, NDArray[np.uint64], _Floats
]


def _edges_of(values: NDArray[np.float64], attribute: int, importance: float) -> NDArray[np.float64]:
    """The greatest value of every bin: one bin for each value if these are few, else about equally full ones."""
    if len(values) == 0:
        return np.zeros(1)
    distinct = distinct_values(values, attribute)
    if len(distinct):
        return distinct
    sample = values[:: max(1, len(values) // _SAMPLE), attribute]
    bins = max(_FEWEST_BINS, round(BINS * importance))
    return np.unique(np.quantile(sample, np.arange(1, bins + 1) / bins))
