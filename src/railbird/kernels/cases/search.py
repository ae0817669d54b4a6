"""Exact search in a tree of boxes over cases (`tree`): all above a threshold, or the k most similar.

1. `similarity.prepare` writes bounds for every bin, `steps.prepare_steps` the loss for every step.
2. A node whose box loses more than the budget is skipped, with everything below it.
3. In a leaf, a case whose steps lose more than the budget is skipped; thirty-two cases are looked at together.
4. If there are attributes other than linear ones and decays, so is a case whose codes lose more.
5. The remaining cases are measured in full, and only their similarity decides.
6. Found cases are sorted (`sorting`).

With a threshold the budget is fixed, and each step is done for all nodes or cases before the next one. Most steps are
filters in which every item is written to the next output place, which advances only if the item is kept. So there is no
branch to predict, and the processor fetches many cases at a time.

For the k most similar cases the budget is the loss of the worst of the k best so far. The nearer of two nodes is
searched first, leaf by leaf.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.cases.lanes import LANES, lowest_bit
from railbird.kernels.cases.similarity import (
    BINS,
    BOX_COLUMNS,
    FIRST_WORD,
    NUMBER,
    Tables,
    budget_of,
    measure_cases,
    prepare,
)
from railbird.kernels.cases.sorting import Found, before, sort_found
from railbird.kernels.cases.steps import Stairs, block_within, limit_of, prepare_steps
from railbird.kernels.cases.tree import BELOW, BOX_GREATEST, BOX_LEAST, END, code_at
from railbird.kernels.compiler import njit

_DEPTH = BOX_COLUMNS * BINS
"""Maximum depth of a tree: every split removes codes from one column."""
_NOBODY = -1
_ALL = np.uint64(2**64 - 1)
"""The bits of all cases of a block, and more."""
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
def _codes_bound(words: NDArray[np.uint64], place: np.uint64, columns: int, bounds: NDArray[np.int32]) -> int:
    """The minimum loss of a case."""
    lost = 0
    for word in range((columns + BOX_COLUMNS - 1) // BOX_COLUMNS):
        lost += _word_bound(words[place, FIRST_WORD + word], bounds, word * BOX_COLUMNS * BINS)
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
def _blocks_of(
    leaves: NDArray[np.int64], nodes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """The blocks with cases of these leaves, and which of their cases these are: a bit for each."""
    most = 1
    for leaf in leaves:
        most += (nodes[leaf, END] - ~nodes[leaf, BELOW]) // LANES + 2
    blocks, bits = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.uint64)
    blocks[0], bits[0] = -1, 0
    last = 0
    for leaf in leaves:
        start, end = ~nodes[leaf, BELOW], nodes[leaf, END]
        for block in range(start // LANES, -(-end // LANES)):
            first = block * LANES
            those = (_ALL << np.uint64(max(0, start - first))) & ~(_ALL << np.uint64(min(LANES, end - first)))
            if block != blocks[last]:
                last += 1
                blocks[last], bits[last] = block, 0
            bits[last] |= those
    return blocks[1 : last + 1], bits[1 : last + 1]


@njit(cache=True)
def _cases_within(
    budget: int,
    tables: Tables,
    stairs: Stairs,
    leaves: NDArray[np.int64],
    layout: NDArray[np.int64],
    nodes: NDArray[np.int64],
    steps: NDArray[np.uint8],
    records: NDArray[np.float64],
) -> NDArray[np.uint64]:
    """The places of the cases in these leaves whose steps and codes lose no more than the budget."""
    limit = limit_of(budget, stairs)
    blocks, bits = _blocks_of(leaves, nodes)
    for place in range(len(blocks)):
        bits[place] &= block_within(limit, blocks[place], stairs, steps)
    places = np.empty(len(blocks) * LANES, dtype=np.uint64)
    found = 0
    for place in range(len(blocks)):
        first, those = np.uint64(blocks[place] * LANES), bits[place]
        while those:
            places[found] = first + lowest_bit(those)
            found += 1
            those &= those - np.uint64(1)
    if stairs[2]:
        return places[:found]
    words = records.view(np.uint64)
    kept = 0
    for looked_at in range(found):
        place = places[looked_at]
        places[kept] = place
        kept += _codes_bound(words, place, layout.shape[1], tables[0]) <= budget
    return places[:kept]


@njit(cache=True)
def cases_above(
    threshold: float,
    without: int,
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
    grid: NDArray[np.float64],
    roots: NDArray[np.int64],
    nodes: NDArray[np.int64],
    steps: NDArray[np.uint8],
    records: NDArray[np.float64],
) -> Found:
    """All cases above the threshold, without the one of the given number."""
    tables = prepare(target, measure, symbols, layout, bins)
    stairs = prepare_steps(target, measure, grid)
    budget = budget_of(threshold)
    leaves = _leaves_within(budget, tables, roots, nodes)
    places = _cases_within(budget, tables, stairs, leaves, layout, nodes, steps, records)
    rows, similarities = (
        np.empty(len(places) + 1, dtype=np.int64),
        np.empty(len(places) + 1, dtype=np.float64),
    )
    measure_cases(places, records, target, measure, symbols, layout, tables[3], similarities)
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
    grid: NDArray[np.float64],
    roots: NDArray[np.int64],
    nodes: NDArray[np.int64],
    steps: NDArray[np.uint8],
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
            threshold,
            _NOBODY,
            targets[place],
            measure,
            symbols,
            layout,
            bins,
            grid,
            roots,
            nodes,
            steps,
            records,
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
    grid: NDArray[np.float64],
    roots: NDArray[np.int64],
    nodes: NDArray[np.int64],
    steps: NDArray[np.uint8],
    records: NDArray[np.float64],
) -> Found:
    """The k cases most similar to the target, or all if there are fewer, without the one of the given number."""
    tables = prepare(target, measure, symbols, layout, bins)
    stairs = prepare_steps(target, measure, grid)
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
        places = _cases_within(budget, tables, stairs, only, layout, nodes, steps, records)
        measured = np.empty(len(places) + 1, dtype=np.float64)
        measure_cases(places, records, target, measure, symbols, layout, tables[3], measured)
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
