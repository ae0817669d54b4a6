"""A tree of boxes over cases: bins, codes, and the splitting.

Cases are rows of numbers. Each attribute has up to 256 bins (`similarity`); a case's codes, one byte each, are in
64-bit words, heaviest attribute first. A node is a range of cases and a box: the least and the greatest code in each
of the first eight columns, as two words. A node's two children are adjacent and share one processor cache line.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.cases.similarity import (
    ATTRIBUTE,
    BIN_COUNT,
    BINS,
    BOX_COLUMNS,
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
    local_similarity,
    total_weight,
)
from railbird.kernels.compiler import njit

BELOW, END, BOX_LEAST, BOX_GREATEST = range(4)
"""The entries of a node: the first of its two children or, in a leaf, ~ the first of its cases; the end of its cases;
and its box."""

_BYTE = np.uint64(255)
_USUAL_LOSS = 0.02
"""The typical loss of the cases that searches find."""
_SAMPLE = 256
"""Minimum number of cases sampled to choose the split of a node; at most twice as many are."""


@njit(forceinline=True)
def code_at(word: np.uint64, column: int) -> int:
    """The code of one of the first eight columns."""
    return np.int64((word >> np.uint64(column << 3)) & _BYTE)  # type: ignore[return-value]


@njit(cache=True)
def distinct_values(values: NDArray[np.float64], attribute: int) -> NDArray[np.float64]:
    """The distinct values of an attribute, ascending; empty if they are more than there are bins."""
    found = np.empty(BINS, dtype=np.float64)
    count = 0
    for row in range(len(values)):
        value = values[row, attribute]
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            if found[middle] < value:
                low = middle + 1
            else:
                high = middle
        if low < count and found[low] == value:
            continue
        if count == BINS:
            return found[:0]
        for place in range(count, low, -1):
            found[place] = found[place - 1]
        found[low] = value
        count += 1
    return found[:count]


@njit(cache=True)
def encode(
    values: NDArray[np.float64],
    measure: NDArray[np.float64],
    layout: NDArray[np.int64],
    edges: NDArray[np.float64],
    bins: NDArray[np.float64],
    words: NDArray[np.uint64],
) -> None:
    """Write the codes of cases and widen the bins by their values.

    A number belongs to the first bin whose edge is not below it, or to the last; the code of a symbol is its number
    modulo 256.
    """
    words[:] = np.uint64(0)
    for row in range(len(values)):
        for column in range(layout.shape[1]):
            attribute = layout[ATTRIBUTE, column]
            value = values[row, attribute]
            if int(measure[attribute, KIND]) == SYMBOL:
                number = int(value)
                code = number & (BINS - 1)
                layout[BIN_COUNT, column] = max(layout[BIN_COUNT, column], code + 1)
                if number >= BINS:
                    layout[SINGLE, column] = 0
            else:
                low, high = 0, layout[BIN_COUNT, column] - 1
                while low < high:
                    middle = (low + high) // 2
                    if edges[column, middle] < value:
                        low = middle + 1
                    else:
                        high = middle
                code = low
                bins[LEAST, column, code] = min(bins[LEAST, column, code], value)
                bins[GREATEST, column, code] = max(bins[GREATEST, column, code], value)
                if bins[LEAST, column, code] != bins[GREATEST, column, code]:
                    layout[SINGLE, column] = 0
            words[row, column >> 3] |= np.uint64(code) << np.uint64((column & 7) << 3)


@njit(cache=True)
def _box(words: NDArray[np.uint64], start: int, end: int, columns: int) -> tuple[np.uint64, np.uint64]:
    least, greatest = np.uint64(0), np.uint64(0)
    for column in range(columns):
        low, high = BINS - 1, 0
        for place in range(start, end):
            code = code_at(words[place], column)
            low = min(low, code)
            high = max(high, code)
        least |= np.uint64(low) << np.uint64(column << 3)
        greatest |= np.uint64(high) << np.uint64(column << 3)
    return least, greatest


@njit(cache=True)
def _middle_code(counts: NDArray[np.int64], low: int, high: int, half: int) -> int:
    """The code that divides the cases in about equal halves; below the highest, so that neither half is empty."""
    passed, chosen, off = 0, low, half
    for code in range(low, high):
        passed += counts[code]
        if abs(passed - half) < off:
            chosen, off = code, abs(passed - half)
    return chosen


@njit(cache=True)
def _looked_at(
    counts: NDArray[np.int64],
    low: int,
    middle: int,
    high: int,
    parameters: NDArray[np.float64],
    total: float,
    least: NDArray[np.float64],
    greatest: NDArray[np.float64],
) -> float:
    """The number of cases that a search around one of them visits after this split, summed over all of them.

    It visits the half that contains its case, and the other half with a probability that falls with the loss of getting
    there.
    """
    kind, share = int(parameters[KIND]), parameters[WEIGHT] / total
    after = middle + 1
    while counts[after] == 0 and after < high:
        after += 1
    left, right, near_left, near_right = 0, 0, 0.0, 0.0
    for code in range(low, high + 1):
        lost = share
        if kind != SYMBOL:
            gap = least[max(code, after)] - greatest[min(code, middle)]
            lost = share * (1.0 - local_similarity(kind, parameters[RATE], parameters[SPAN], gap))
        near = counts[code] * max(0.0, 1.0 - lost / _USUAL_LOSS)
        if code <= middle:
            left += counts[code]
            near_left += near
        else:
            right += counts[code]
            near_right += near
    return left * (left + near_right) + right * (right + near_left)


@njit(cache=True)
def _best_split(
    words: NDArray[np.uint64],
    start: int,
    end: int,
    least: np.uint64,
    greatest: np.uint64,
    measure: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
) -> tuple[int, int]:
    """The column to split by and the last code of its first half; −1 if the box is one point.

    Of the splits in about equal halves, the best is the one after which searches visit the fewest cases.
    """
    total = total_weight(measure)
    step = max(1, (end - start) // _SAMPLE)
    counts = np.empty(BINS, dtype=np.int64)
    chosen, chosen_code, fewest = -1, 0, np.inf
    for column in range(min(BOX_COLUMNS, layout.shape[1])):
        low, high = code_at(least, column), code_at(greatest, column)
        if low == high:
            continue
        counts[low : high + 1] = 0
        for place in range(start, end, step):
            counts[code_at(words[place], column)] += 1
        middle = _middle_code(counts, low, high, (end - start) // step // 2)
        parameters = measure[layout[ATTRIBUTE, column]]
        looked_at = _looked_at(
            counts, low, middle, high, parameters, total, bins[LEAST, column], bins[GREATEST, column]
        )
        if looked_at < fewest:
            chosen, chosen_code, fewest = column, middle, looked_at
    return chosen, chosen_code


@njit(cache=True)
def write_records(
    values: NDArray[np.float64],
    words: NDArray[np.uint64],
    order: NDArray[np.int64],
    first: int,
    layout: NDArray[np.int64],
    records: NDArray[np.float64],
) -> None:
    """Write the records of cases in the given order; the first of them has the number `first`."""
    numbers, coded = records.view(np.int64), records.view(np.uint64)
    for place in range(len(order)):
        row = order[place]
        numbers[place, NUMBER] = first + row
        for word in range(words.shape[1]):
            coded[place, FIRST_WORD + word] = words[row, word]
        for attribute in range(layout.shape[1]):
            records[place, layout[FIELD, attribute]] = values[row, attribute]


@njit(cache=True)
def split_cases(
    words: NDArray[np.uint64],
    first: int,
    first_node: int,
    leaf_size: int,
    measure: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Build a tree: the order of its cases, and the nodes, the first of which is the root.

    Nodes count cases from `first` and nodes from `first_node` on. The root is paired with an empty leaf, so that all
    nodes come in pairs.
    """
    count = len(words)
    order, moved_order = np.arange(count), np.empty(count, dtype=np.int64)
    current, moved = words[:, 0].copy(), np.empty(count, dtype=np.uint64)
    capacity = 64
    nodes = np.empty((capacity, 4), dtype=np.int64)
    nodes[0, BELOW], nodes[0, END] = ~0, count
    nodes[1, BELOW], nodes[1, END] = ~0, 0
    used, done = 2, 0
    boxed = min(BOX_COLUMNS, layout.shape[1])
    while done < used:
        start, end = ~nodes[done, BELOW], nodes[done, END]
        least, greatest = _box(current, start, end, boxed)
        nodes[done, BOX_LEAST], nodes[done, BOX_GREATEST] = np.int64(least), np.int64(greatest)
        column, code = -1, 0
        if end - start > leaf_size:
            column, code = _best_split(current, start, end, least, greatest, measure, layout, bins)
        if column >= 0:
            left, right = start, 0
            for place in range(start, end):
                if code_at(current[place], column) <= code:
                    current[left], order[left] = current[place], order[place]
                    left += 1
                else:
                    moved[right], moved_order[right] = current[place], order[place]
                    right += 1
            for place in range(right):
                current[left + place], order[left + place] = moved[place], moved_order[place]
            if used + 2 > capacity:
                capacity *= 2
                more = np.empty((capacity, 4), dtype=np.int64)
                for node in range(used):
                    for entry in range(4):
                        more[node, entry] = nodes[node, entry]
                nodes = more
            nodes[done, BELOW] = first_node + used
            nodes[used, BELOW], nodes[used, END] = ~start, left
            nodes[used + 1, BELOW], nodes[used + 1, END] = ~left, end
            used += 2
        done += 1
    for node in range(used):
        if nodes[node, BELOW] < 0:
            nodes[node, BELOW] -= first
        nodes[node, END] += first
    return order, nodes[:used]
