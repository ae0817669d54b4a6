"""Local similarities of cases in compiled form, and the tables in which a search looks its bounds up.

A *measure* is one row of four floats for each attribute: kind, weight, and two parameters. For `LINEAR` and `DECAY`
the parameters are rate and span; for `SYMBOL` they are where the attribute's similarities begin in an array of their
own (one for every symbol, as similar as it is to the target's) and how many there are.

The similarity of a case is Σ weight · local similarity / Σ weight, summed in the order of the schema in double
precision: `similarity_of` is the only place that computes it, so that every search returns the same bits.

A search does not touch most cases. Every value stands in one of up to 256 *bins* of its attribute, of which the least
and the greatest value are known, so a case is a row of bytes. Before a search `prepare` writes for every bin the
least share of similarity that any value in it must lose, in whole units of 2⁻²⁴ rounded down. The sum over the bytes
of a case is then a bound that is exact to add and never too high.
"""

from math import exp, floor

import numpy as np
from numba import njit
from numpy.typing import NDArray

LINEAR, DECAY, EQUAL, SYMBOL = range(4)
KIND, WEIGHT, RATE, SPAN = range(4)
FIRST, COUNT = RATE, SPAN
"""Where the parameters of a symbol stand in its row of a measure."""

ATTRIBUTE, COLUMN, BIN_COUNT, SINGLE = range(4)
"""The rows of a layout: the attribute of each column, the column of each attribute, and of each column how many bins
it has and whether every one of them holds one value only."""
LEAST, GREATEST = range(2)
"""The parts of the array of bins: by column and bin the least and the greatest value."""

BINS = 256
BOX_COLUMNS = 8
"""So many columns are one 64-bit word; boxes are kept for the first word only."""

UNITS = 16_777_216.0
"""A loss of 1 in whole units: 2²⁴."""
_SLACK = 0.001
"""In units, far more than double precision can be wrong by."""


@njit(inline="always")
def budget_of(similarity: float) -> int:
    """The units that a case may lose and still be so similar; two more than that, to be safe."""
    return np.int64(floor((1.0 - similarity) * UNITS)) + 3  # type: ignore[return-value]


@njit(inline="always")
def local_similarity(kind: int, rate: float, span: float, difference: float) -> float:
    """How similar two numbers are that differ by so much."""
    if kind == LINEAR:
        return max(0.0, 1.0 - rate * (difference / span))
    if kind == DECAY:
        return exp(-(rate * (difference / span)))
    return 1.0 if difference == 0.0 else 0.0


@njit(inline="always")
def _units(loss: float) -> int:
    """A loss in whole units, rounded down."""
    return np.int32(max(0.0, loss * UNITS - _SLACK))  # type: ignore[return-value]


@njit(inline="always")
def total_weight(measure: NDArray[np.float64]) -> float:
    """The sum of all weights, in the order of the schema, so that an identical case is exactly 1 similar."""
    total = 0.0
    for attribute in range(len(measure)):
        total += measure[attribute, WEIGHT]
    return total


@njit(cache=True)
def _prepare_symbols(
    weight: float,
    share: float,
    similarities: NDArray[np.float64],
    bounds: NDArray[np.int32],
    shares: NDArray[np.float64],
) -> None:
    """The tables of a symbol: with more than 256 symbols, those with the same code share the best of theirs."""
    count = len(similarities)
    for code in range(min(count, BINS)):
        similarity = similarities[code]
        for other in range(code + BINS, count, BINS):
            similarity = max(similarity, similarities[other])
        bounds[code] = _units(share * (1.0 - similarity))
        shares[code] = weight * similarity


@njit(cache=True)
def _prepare_numbers(
    kind: int,
    rate: float,
    span: float,
    wanted: float,
    weight: float,
    share: float,
    least: NDArray[np.float64],
    greatest: NDArray[np.float64],
    bounds: NDArray[np.int32],
    shares: NDArray[np.float64],
) -> None:
    """The tables of a number: no value of a bin is nearer to the wanted one than the bin's nearer end."""
    if kind == LINEAR:
        # The same as below, but without a choice inside the loop the processor takes several bins at a time.
        for code in range(len(least)):
            difference = max(0.0, max(least[code] - wanted, wanted - greatest[code]))
            similarity = max(0.0, 1.0 - rate * (difference / span))
            bounds[code] = _units(share * (1.0 - similarity))
            shares[code] = weight * similarity
        return
    for code in range(len(least)):
        difference = max(0.0, max(least[code] - wanted, wanted - greatest[code]))
        similarity = local_similarity(kind, rate, span, difference)
        bounds[code] = _units(share * (1.0 - similarity))
        shares[code] = weight * similarity


@njit(cache=True)
def prepare(
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
    bounds: NDArray[np.int32],
    shares: NDArray[np.float64],
) -> None:
    """Write for every column and bin the bound and, for bins of one value, what it adds to the sum."""
    total = total_weight(measure)
    for column in range(layout.shape[1]):
        attribute, count = layout[ATTRIBUTE, column], layout[BIN_COUNT, column]
        kind = int(measure[attribute, KIND])
        weight = measure[attribute, WEIGHT]
        first, last = column * BINS, column * BINS + BINS
        if kind == SYMBOL:
            start = int(measure[attribute, FIRST])
            similarities = symbols[start : start + int(measure[attribute, COUNT])]
            _prepare_symbols(weight, weight / total, similarities, bounds[first:last], shares[first:last])
        else:
            _prepare_numbers(
                kind,
                measure[attribute, RATE],
                measure[attribute, SPAN],
                target[attribute],
                weight,
                weight / total,
                bins[LEAST, column, :count],
                bins[GREATEST, column, :count],
                bounds[first:last],
                shares[first:last],
            )


@njit(cache=True)
def prepare_boxes(
    bounds: NDArray[np.int32],
    measure: NDArray[np.float64],
    layout: NDArray[np.int64],
    box_bounds: NDArray[np.int32],
    pivots: NDArray[np.int64],
    symbolic: NDArray[np.bool_],
) -> None:
    """Write the bounds of ranges of bins: that of the range's bin nearest to the pivot is never too high.

    The pivot is the bin that loses least; beyond it stand the least bounds from there to the end, so nothing is assumed
    about the order of symbols.
    """
    for column in range(len(pivots)):
        first, count = column * BINS, layout[BIN_COUNT, column]
        symbolic[column] = int(measure[layout[ATTRIBUTE, column], KIND]) == SYMBOL
        pivot = 0
        for code in range(1, count):
            if bounds[first + code] < bounds[first + pivot]:
                pivot = code
        pivots[column] = pivot
        box_bounds[first + pivot] = bounds[first + pivot]
        if pivot > 0:
            least = bounds[first]
            for code in range(pivot):
                least = min(least, bounds[first + code])
                box_bounds[first + code] = least
        if pivot < count - 1:
            least = bounds[first + count - 1]
            for code in range(count - 1, pivot, -1):
                least = min(least, bounds[first + code])
                box_bounds[first + code] = least


@njit(inline="always")
def similarity_of(
    place: int,
    values: NDArray[np.float64],
    words: NDArray[np.uint64],
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    shares: NDArray[np.float64],
    total: float,
) -> float:
    """The similarity of the case at a place of a tree to the target, with a search's tables."""
    found = 0.0
    for attribute in range(len(target)):
        column = layout[COLUMN, attribute]
        if layout[SINGLE, column]:
            code = (words[column >> 3, place] >> np.uint64((column & 7) << 3)) & np.uint64(255)
            found += shares[column * BINS + np.int64(code)]
            continue
        kind = int(measure[attribute, KIND])
        weight = measure[attribute, WEIGHT]
        if kind == SYMBOL:
            found += weight * symbols[int(measure[attribute, FIRST]) + int(values[place, attribute])]
        else:
            difference = abs(values[place, attribute] - target[attribute])
            found += weight * local_similarity(
                kind, measure[attribute, RATE], measure[attribute, SPAN], difference
            )
    return found / total
