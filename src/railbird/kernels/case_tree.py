"""A tree of boxes over cases: bins, codes, and the splitting.

Cases are rows of numbers. Each attribute has up to 256 bins (`case_similarity`); a case's codes, one byte each, stand
in 64-bit words, heaviest attribute first; all first words stand together. A node is a range of cases and a box: the
least and the greatest code in each of the first eight columns, as two words. A node's two children stand beside each
other.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from railbird.kernels.case_similarity import (
    ATTRIBUTE,
    BIN_COUNT,
    BINS,
    BOX_COLUMNS,
    GREATEST,
    KIND,
    LEAST,
    RATE,
    SINGLE,
    SPAN,
    SYMBOL,
    WEIGHT,
    local_similarity,
)

CHILD, START, END, BOX_LEAST, BOX_GREATEST = range(5)
"""What a node says: the first of its two children, or −1, which cases it holds, and its box."""

_BYTE = np.uint64(255)


@njit(inline="always")
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
            words[column >> 3, row] |= np.uint64(code) << np.uint64((column & 7) << 3)


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
def _widest(
    least: np.uint64,
    greatest: np.uint64,
    measure: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
) -> int:
    """The column in which the ends of a box are least similar, by weight; −1 if the box is one point."""
    chosen, widest = -1, -1.0
    for column in range(min(BOX_COLUMNS, layout.shape[1])):
        low, high = code_at(least, column), code_at(greatest, column)
        if low == high:
            continue
        attribute = layout[ATTRIBUTE, column]
        kind, weight = int(measure[attribute, KIND]), measure[attribute, WEIGHT]
        width = weight
        if kind != SYMBOL:
            difference = bins[GREATEST, column, high] - bins[LEAST, column, low]
            similarity = local_similarity(
                kind, measure[attribute, RATE], measure[attribute, SPAN], difference
            )
            width = weight * (1.0 - similarity)
        if width > widest:
            chosen, widest = column, width
    return chosen


@njit(cache=True)
def _middle_code(words: NDArray[np.uint64], start: int, end: int, column: int, greatest: int) -> int:
    """The code up to which about half of the cases lie; below the greatest, so that both halves hold some."""
    counts = np.zeros(BINS, dtype=np.int64)
    for place in range(start, end):
        counts[code_at(words[place], column)] += 1
    half = (end - start) // 2
    passed, code, chosen = 0, 0, -1
    while code < greatest:
        passed += counts[code]
        if passed > 0 and (chosen < 0 or abs(passed - half) < abs(passed - counts[code] - half)):
            chosen = code
        code += 1
    return chosen


@njit(cache=True)
def split_cases(
    words: NDArray[np.uint64],
    first: int,
    leaf_size: int,
    measure: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Build a tree: in which order the cases stand in it, and the nodes, of which the first is the root.

    `words` are the cases' first words. Nodes count cases from `first` on.
    """
    count = len(words)
    order, moved_order = np.arange(count), np.empty(count, dtype=np.int64)
    current, moved = words.copy(), np.empty(count, dtype=np.uint64)
    capacity = 64
    nodes = np.empty((capacity, 5), dtype=np.int64)
    nodes[0, CHILD], nodes[0, START], nodes[0, END] = -1, 0, count
    used, done = 1, 0
    boxed = min(BOX_COLUMNS, layout.shape[1])
    while done < used:
        start, end = nodes[done, START], nodes[done, END]
        least, greatest = _box(current, start, end, boxed)
        nodes[done, BOX_LEAST], nodes[done, BOX_GREATEST] = np.int64(least), np.int64(greatest)
        column = _widest(least, greatest, measure, layout, bins) if end - start > leaf_size else -1
        if column >= 0:
            code = _middle_code(current, start, end, column, code_at(greatest, column))
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
                more = np.empty((capacity, 5), dtype=np.int64)
                more[:used] = nodes[:used]
                nodes = more
            nodes[done, CHILD] = used
            nodes[used, CHILD], nodes[used, START], nodes[used, END] = -1, start, left
            nodes[used + 1, CHILD], nodes[used + 1, START], nodes[used + 1, END] = -1, left, end
            used += 2
        done += 1
    for node in range(used):
        nodes[node, START] += first
        nodes[node, END] += first
    return order, nodes[:used]
