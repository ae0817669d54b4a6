"""Exact search in a tree of boxes over cases (`case_tree`): all above a threshold, or the k most similar.

1. `case_similarity.prepare` writes bounds for every bin.
2. A node whose box loses more than the budget is skipped, with everything below it.
3. In a leaf, a case whose codes lose more than the budget is skipped.
4. The remaining cases are measured in full, and only their similarity decides.
5. Found cases are sorted (`case_sorting`).

With a threshold the budget is fixed, and each step is done for all nodes or cases before the next one. Each step is a
filter: every item is written to the next output place, which advances only if the item is kept. So there is no branch
to predict, and the processor fetches many cases at a time.

For the k most similar cases the budget is the loss of the worst of the k best so far. The nearer of two nodes is
searched first, leaf by leaf.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.cases.similarity import (
    BINS,
    BOX_COLUMNS,
    NUMBER,
    Tables,
    budget_of,
    measure_cases,
    prepare,
)
from railbird.kernels.cases.sorting import Found, before, sort_found
from railbird.kernels.cases.tree import BELOW, BOX_GREATEST, BOX_LEAST, END, code_at
from railbird.kernels.compiler import njit

_DEPTH = BOX_COLUMNS * BINS
"""Maximum depth of a tree: every split removes codes from one column."""
_NOBODY = -1
_LEAST_ROOM = 1024
"""Initial capacity for found cases; it at least doubles when it is full."""


@njit(forceinline=True)
def _box_bound(
    nodes: NDArray[np.int64],
    node: int,
    bounds: NDArray[np.int32],
    range_bounds: NDArray[np.int32],
    pivots: NDArray[np.int64],
) -> int:
    """The minimum loss of every case in a node's box: exact for one symbol, a lower bound for several."""
    least, greatest = np.uint64(nodes[node, BOX_LEAST]), np.uint64(nodes[node, BOX_GREATEST])
    lost = np.int32(0)
    for column in range(BOX_COLUMNS):
        low, high = code_at(least, column), code_at(greatest, column)
        nearest = column * BINS + min(max(pivots[column], low), high)
        lost = np.int32(lost + (bounds[nearest] if low == high else range_bounds[nearest]))
    return lost  # type: ignore[return-value]


@njit(forceinline=True)
def _word_bound(word: np.uint64, bounds: NDArray[np.int32], first: int) -> int:
    """The minimum loss of the eight codes of a word; columns that do not exist lose nothing."""
    byte = np.uint64(255)
    return np.int32(  # type: ignore[return-value]
        bounds[first + np.int64(word & byte)]
        + bounds[first + BINS + np.int64((word >> np.uint64(8)) & byte)]
        + bounds[first + 2 * BINS + np.int64((word >> np.uint64(16)) & byte)]
        + bounds[first + 3 * BINS + np.int64((word >> np.uint64(24)) & byte)]
        + bounds[first + 4 * BINS + np.int64((word >> np.uint64(32)) & byte)]
        + bounds[first + 5 * BINS + np.int64((word >> np.uint64(40)) & byte)]
        + bounds[first + 6 * BINS + np.int64((word >> np.uint64(48)) & byte)]
        + bounds[first + 7 * BINS + np.int64(word >> np.uint64(56))]
    )


@njit(forceinline=True)
def _all_words_bound(words: NDArray[np.uint64], place: int, bounds: NDArray[np.int32]) -> int:
    """The minimum loss of a case."""
    lost = 0
    for word in range(words.shape[1]):
        lost += _word_bound(words[place, word], bounds, word * BOX_COLUMNS * BINS)
    return lost


@njit(cache=True)
def _leaves_within(
    budget: int,
    tables: Tables,
    roots: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The leaves whose boxes lose no more than the budget."""
    bounds, range_bounds, pivots, _ = tables
    pairs = np.empty(len(nodes) // 2 + 1, dtype=np.int64)
    leaves = np.empty(len(nodes) + 1, dtype=np.int64)
    waiting = found = 0
    for root in roots:
        pairs[waiting] = root
        waiting += 1
    done = 0
    while done < waiting:
        pair = pairs[done]
        done += 1
        for node in range(pair, pair + 2):
            stays = _box_bound(nodes, node, bounds, range_bounds, pivots) <= budget
            first = nodes[node, BELOW]
            pairs[waiting] = first
            waiting += stays & (first >= 0)
            leaves[found] = node
            found += stays & (first < 0)
    return leaves[:found]


@njit(cache=True)
def _cases_within(
    budget: int,
    tables: Tables,
    leaves: NDArray[np.int64],
    nodes: NDArray[np.int64],
    words: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """The places of the cases in these leaves whose codes lose no more than the budget."""
    bounds = tables[0]
    most = 1
    for leaf in leaves:
        most += nodes[leaf, END] - ~nodes[leaf, BELOW]
    places = np.empty(most, dtype=np.int64)
    found = 0
    for leaf in leaves:
        for place in range(np.uint64(~nodes[leaf, BELOW]), np.uint64(nodes[leaf, END])):
            places[found] = place
            found += _word_bound(words[place, 0], bounds, 0) <= budget
    if words.shape[1] > 1:
        looked_at, found = found, 0
        for looked in range(looked_at):
            place = places[looked]
            places[found] = place
            found += _all_words_bound(words, place, bounds) <= budget
    return places[:found]


@njit(cache=True)
def cases_above(
    threshold: float,
    without: int,
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
    roots: NDArray[np.int64],
    nodes: NDArray[np.int64],
    words: NDArray[np.uint64],
    records: NDArray[np.float64],
) -> Found:
    """All cases above the threshold, without the one of the given number."""
    tables = prepare(target, measure, symbols, layout, bins)
    budget = budget_of(threshold)
    leaves = _leaves_within(budget, tables, roots, nodes)
    places = _cases_within(budget, tables, leaves, nodes, words)
    rows, similarities = (
        np.empty(len(places) + 1, dtype=np.int64),
        np.empty(len(places) + 1, dtype=np.float64),
    )
    measure_cases(places, words, records, target, measure, symbols, layout, tables[3], similarities)
    numbers = records.view(np.int64)
    found = 0
    for case in range(len(places)):
        row, similarity = numbers[places[case], NUMBER], similarities[case]
        rows[found], similarities[found] = row, similarity
        found += (similarity >= threshold) & (row != without)
    return sort_found(rows[:found], similarities[:found])


@njit(cache=True)
def many_cases_above(
    threshold: float,
    targets: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
    roots: NDArray[np.int64],
    nodes: NDArray[np.int64],
    words: NDArray[np.uint64],
    records: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """`cases_above` of many targets, one after the other: numbers, similarities, and where those of each end."""
    rows, similarities = (
        np.empty(_LEAST_ROOM, dtype=np.int64),
        np.empty(_LEAST_ROOM, dtype=np.float64),
    )
    ends = np.empty(len(targets), dtype=np.int64)
    end = 0
    for place in range(len(targets)):
        found, found_similarities = cases_above(
            threshold, _NOBODY, targets[place], measure, symbols, layout, bins, roots, nodes, words, records
        )
        start, end = end, end + len(found)
        if end > len(rows):
            more_rows, more_similarities = (
                np.empty(2 * end, dtype=np.int64),
                np.empty(2 * end, dtype=np.float64),
            )
            for case in range(start):
                more_rows[case], more_similarities[case] = rows[case], similarities[case]
            rows, similarities = more_rows, more_similarities
        for case in range(len(found)):
            rows[start + case], similarities[start + case] = found[case], found_similarities[case]
        ends[place] = end
    return rows[:end], similarities[:end], ends


@njit(cache=True)
def nearest_cases(
    k: int,
    without: int,
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
    roots: NDArray[np.int64],
    nodes: NDArray[np.int64],
    words: NDArray[np.uint64],
    records: NDArray[np.float64],
) -> Found:
    """The k cases most similar to the target, or all if there are fewer, without the one of the given number."""
    tables = prepare(target, measure, symbols, layout, bins)
    bounds, range_bounds, pivots, _ = tables
    only = np.empty(1, dtype=np.int64)
    numbers = records.view(np.int64)
    budget = budget_of(0.0)

    # A heap whose first entry is the worst of the best so far.
    rows, similarities = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.float64)
    found = 0
    stack = np.empty(len(roots) + _DEPTH, dtype=np.int64)
    stack_bounds = np.empty(len(stack), dtype=np.int64)
    waiting = 0
    for root in roots:
        stack[waiting] = root
        stack_bounds[waiting] = _box_bound(nodes, root, bounds, range_bounds, pivots)
        waiting += 1
    while waiting > 0:
        waiting -= 1
        if stack_bounds[waiting] > budget:
            continue
        node = stack[waiting]
        first = nodes[node, BELOW]
        if first >= 0:
            left = _box_bound(nodes, first, bounds, range_bounds, pivots)
            right = _box_bound(nodes, first + 1, bounds, range_bounds, pivots)
            nearer_is_left = left <= right
            if max(left, right) <= budget:
                stack[waiting] = first + 1 if nearer_is_left else first
                stack_bounds[waiting] = max(left, right)
                waiting += 1
            if min(left, right) <= budget:
                stack[waiting] = first if nearer_is_left else first + 1
                stack_bounds[waiting] = min(left, right)
                waiting += 1
            continue
        only[0] = node
        places = _cases_within(budget, tables, only, nodes, words)
        measured = np.empty(len(places) + 1, dtype=np.float64)
        measure_cases(places, words, records, target, measure, symbols, layout, tables[3], measured)
        for case in range(len(places)):
            row, similarity = numbers[places[case], NUMBER], measured[case]
            if row == without:
                continue
            if found < k:
                hole = found
                found += 1
                while hole > 0:
                    parent = (hole - 1) // 2
                    if not before(similarities[parent], rows[parent], similarity, row):
                        break
                    rows[hole], similarities[hole] = rows[parent], similarities[parent]
                    hole = parent
            elif before(similarity, row, similarities[0], rows[0]):
                hole = 0
                while True:
                    below = 2 * hole + 1
                    if below >= k:
                        break
                    if below + 1 < k and before(
                        similarities[below], rows[below], similarities[below + 1], rows[below + 1]
                    ):
                        below += 1
                    if not before(similarity, row, similarities[below], rows[below]):
                        break
                    rows[hole], similarities[hole] = rows[below], similarities[below]
                    hole = below
            else:
                continue
            rows[hole], similarities[hole] = row, similarity
            if found == k:
                budget = budget_of(similarities[0])
    return sort_found(rows[:found], similarities[:found])
