"""Exact search in a tree of boxes over cases (`case_tree`): all above a threshold, or the k most similar.

Both go the same way:

1. `case_similarity.prepare` writes bounds for every bin.
2. Nodes are taken from a stack that holds the roots at first. One whose box loses more than the budget is left out.
3. In a leaf, a case whose codes lose more than the budget is left out.
4. What remains is measured in full, and its similarity alone decides.
5. Found cases are sorted: most similar first, of equally similar ones the lower number first.

With a threshold the budget is fixed; for the k most similar it is what the worst of the k best so far loses.
"""

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from railbird.kernels.case_similarity import (
    BINS,
    BOX_COLUMNS,
    budget_of,
    prepare,
    prepare_boxes,
    similarity_of,
    total_weight,
)
from railbird.kernels.case_tree import BOX_GREATEST, BOX_LEAST, CHILD, END, START, code_at

Found: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64]]

_FEW = 24
"""So few cases are sorted by insertion."""
_DEPTH = BOX_COLUMNS * BINS
"""No tree is deeper: every split takes codes away from one column."""

Tables: TypeAlias = tuple[
    NDArray[np.int32], NDArray[np.float64], NDArray[np.int32], NDArray[np.int64], NDArray[np.bool_]
]


@njit(cache=True)
def _tables(
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
) -> Tables:
    """What a search looks up: bounds and shares of bins, bounds of ranges, pivots, which columns are symbols."""
    count = layout.shape[1]
    words = (count + BOX_COLUMNS - 1) // BOX_COLUMNS
    bounds = np.zeros(words * BOX_COLUMNS * BINS, dtype=np.int32)
    shares = np.empty(count * BINS, dtype=np.float64)
    pivots = np.empty(min(BOX_COLUMNS, count), dtype=np.int64)
    box_bounds = np.empty(len(pivots) * BINS, dtype=np.int32)
    symbolic = np.empty(len(pivots), dtype=np.bool_)
    prepare(target, measure, symbols, layout, bins, bounds, shares)
    prepare_boxes(bounds, measure, layout, box_bounds, pivots, symbolic)
    return bounds, shares, box_bounds, pivots, symbolic


@njit(inline="always")
def _box_bound(
    nodes: NDArray[np.int64],
    node: int,
    bounds: NDArray[np.int32],
    box_bounds: NDArray[np.int32],
    pivots: NDArray[np.int64],
    symbolic: NDArray[np.bool_],
    budget: int,
) -> int:
    """What every case in a node's box loses at least; the sum stops once it is over the budget.

    Of several symbols only the least loss on their side of the pivot is known; one symbol loses what it loses. Numbers
    lose more the farther they are, so for them the two are the same.
    """
    least, greatest = np.uint64(nodes[node, BOX_LEAST]), np.uint64(nodes[node, BOX_GREATEST])
    lost = 0
    for column in range(len(pivots)):
        low, high = code_at(least, column), code_at(greatest, column)
        first = column * BINS
        if symbolic[column] and low == high:
            lost += bounds[first + low]
        else:
            lost += box_bounds[first + min(max(pivots[column], low), high)]
        if lost > budget:
            break
    return lost


@njit(inline="always")
def _word_bound(word: np.uint64, bounds: NDArray[np.int32], first: int) -> int:
    """What the eight codes of a word lose at least; columns that do not exist lose nothing."""
    byte = np.uint64(255)
    return (  # type: ignore[no-any-return]
        np.int64(bounds[first + np.int64(word & byte)])
        + bounds[first + BINS + np.int64((word >> np.uint64(8)) & byte)]
        + bounds[first + 2 * BINS + np.int64((word >> np.uint64(16)) & byte)]
        + bounds[first + 3 * BINS + np.int64((word >> np.uint64(24)) & byte)]
        + bounds[first + 4 * BINS + np.int64((word >> np.uint64(32)) & byte)]
        + bounds[first + 5 * BINS + np.int64((word >> np.uint64(40)) & byte)]
        + bounds[first + 6 * BINS + np.int64((word >> np.uint64(48)) & byte)]
        + bounds[first + 7 * BINS + np.int64(word >> np.uint64(56))]
    )


@njit(inline="always")
def _before(similarity: float, row: int, other_similarity: float, other_row: int) -> bool:
    return similarity > other_similarity or (similarity == other_similarity and row < other_row)


@njit(cache=True)
def _insertion_sort(rows: NDArray[np.int64], similarities: NDArray[np.float64], start: int, end: int) -> None:
    for place in range(start + 1, end):
        row, similarity = rows[place], similarities[place]
        hole = place
        while hole > start and _before(similarity, row, similarities[hole - 1], rows[hole - 1]):
            rows[hole], similarities[hole] = rows[hole - 1], similarities[hole - 1]
            hole -= 1
        rows[hole], similarities[hole] = row, similarity


@njit(cache=True)
def sort_found(rows: NDArray[np.int64], similarities: NDArray[np.float64]) -> Found:
    """The cases sorted: most similar first, of equally similar ones the lower number first.

    Similarities are spread over as many buckets as there are cases, which leaves little to do within each.
    """
    count = len(rows)
    if count <= _FEW:
        _insertion_sort(rows, similarities, 0, count)
        return rows, similarities
    top, low = similarities.max(), similarities.min()
    if top == low:
        return np.sort(rows), similarities
    scale = (count - 1) / (top - low)
    starts = np.zeros(count + 1, dtype=np.int64)
    buckets = np.empty(count, dtype=np.int64)
    for place in range(count):
        bucket = min(count - 1, int((top - similarities[place]) * scale))
        buckets[place] = bucket
        starts[bucket + 1] += 1
    for bucket in range(count):
        starts[bucket + 1] += starts[bucket]
    sorted_rows, sorted_similarities = np.empty_like(rows), np.empty_like(similarities)
    for place in range(count):
        target = starts[buckets[place]]
        starts[buckets[place]] += 1
        sorted_rows[target], sorted_similarities[target] = rows[place], similarities[place]
    # Every start has moved to its bucket's end.
    start = 0
    for bucket in range(count):
        end = starts[bucket]
        if end - start > _FEW:
            by_row = np.argsort(sorted_rows[start:end])
            some_rows, some = sorted_rows[start:end][by_row], sorted_similarities[start:end][by_row]
            by_similarity = np.argsort(-some, kind="mergesort")
            sorted_rows[start:end] = some_rows[by_similarity]
            sorted_similarities[start:end] = some[by_similarity]
        elif end - start > 1:
            _insertion_sort(sorted_rows, sorted_similarities, start, end)
        start = end
    return sorted_rows, sorted_similarities


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
    order: NDArray[np.int64],
    words: NDArray[np.uint64],
    values: NDArray[np.float64],
) -> Found:
    """All cases at least so similar to the target, without the one of the given number."""
    bounds, shares, box_bounds, pivots, symbolic = _tables(target, measure, symbols, layout, bins)
    total = total_weight(measure)
    budget = budget_of(threshold)

    capacity, found = 256, 0
    rows, similarities = np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.float64)
    stack = np.empty(len(roots) + _DEPTH, dtype=np.int64)
    waiting = 0
    for root in roots:
        stack[waiting] = root
        waiting += 1
    while waiting > 0:
        waiting -= 1
        node = stack[waiting]
        if _box_bound(nodes, node, bounds, box_bounds, pivots, symbolic, budget) > budget:
            continue
        child = nodes[node, CHILD]
        if child >= 0:
            stack[waiting], stack[waiting + 1] = child + 1, child
            waiting += 2
            continue
        for place in range(nodes[node, START], nodes[node, END]):
            lost = _word_bound(words[0, place], bounds, 0)
            if lost > budget:
                continue
            for word in range(1, words.shape[0]):
                lost += _word_bound(words[word, place], bounds, word * BOX_COLUMNS * BINS)
            if lost > budget:
                continue
            similarity = similarity_of(place, values, words, target, measure, symbols, layout, shares, total)
            if similarity < threshold or order[place] == without:
                continue
            if found == capacity:
                capacity *= 2
                more_rows, more = np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.float64)
                more_rows[:found], more[:found] = rows, similarities
                rows, similarities = more_rows, more
            rows[found], similarities[found] = order[place], similarity
            found += 1
    return sort_found(rows[:found].copy(), similarities[:found].copy())


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
    order: NDArray[np.int64],
    words: NDArray[np.uint64],
    values: NDArray[np.float64],
) -> Found:
    """The k cases most similar to the target, or all if there are fewer, without the one of the given number."""
    bounds, shares, box_bounds, pivots, symbolic = _tables(target, measure, symbols, layout, bins)
    total = total_weight(measure)
    budget = budget_of(-1.0)

    # A heap whose first entry is the worst of the best so far.
    rows, similarities = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.float64)
    found = 0
    stack = np.empty(len(roots) + _DEPTH, dtype=np.int64)
    stack_bounds = np.empty(len(roots) + _DEPTH, dtype=np.int64)
    waiting = 0
    for root in roots:
        stack[waiting] = root
        stack_bounds[waiting] = _box_bound(nodes, root, bounds, box_bounds, pivots, symbolic, budget)
        waiting += 1
    while waiting > 0:
        waiting -= 1
        if stack_bounds[waiting] > budget:
            continue
        node = stack[waiting]
        child = nodes[node, CHILD]
        if child >= 0:
            left = _box_bound(nodes, child, bounds, box_bounds, pivots, symbolic, budget)
            right = _box_bound(nodes, child + 1, bounds, box_bounds, pivots, symbolic, budget)
            nearer_is_left = left <= right
            if max(left, right) <= budget:
                stack[waiting] = child + 1 if nearer_is_left else child
                stack_bounds[waiting] = max(left, right)
                waiting += 1
            if min(left, right) <= budget:
                stack[waiting] = child if nearer_is_left else child + 1
                stack_bounds[waiting] = min(left, right)
                waiting += 1
            continue
        for place in range(nodes[node, START], nodes[node, END]):
            lost = _word_bound(words[0, place], bounds, 0)
            if lost > budget:
                continue
            for word in range(1, words.shape[0]):
                lost += _word_bound(words[word, place], bounds, word * BOX_COLUMNS * BINS)
            if lost > budget or order[place] == without:
                continue
            similarity = similarity_of(place, values, words, target, measure, symbols, layout, shares, total)
            row = order[place]
            if found < k:
                hole = found
                found += 1
                while hole > 0:
                    parent = (hole - 1) // 2
                    if not _before(similarities[parent], rows[parent], similarity, row):
                        break
                    rows[hole], similarities[hole] = rows[parent], similarities[parent]
                    hole = parent
            elif _before(similarity, row, similarities[0], rows[0]):
                hole = 0
                while True:
                    below = 2 * hole + 1
                    if below >= k:
                        break
                    if below + 1 < k and _before(
                        similarities[below], rows[below], similarities[below + 1], rows[below + 1]
                    ):
                        below += 1
                    if not _before(similarity, row, similarities[below], rows[below]):
                        break
                    rows[hole], similarities[hole] = rows[below], similarities[below]
                    hole = below
            else:
                continue
            rows[hole], similarities[hole] = row, similarity
            if found == k:
                budget = budget_of(similarities[0])
    return sort_found(rows[:found].copy(), similarities[:found].copy())
