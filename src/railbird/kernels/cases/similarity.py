"""Local similarities of cases in compiled form, and the tables in which a search looks up its bounds.

A *measure* is one row of four floats for each attribute: kind, weight, and two parameters. For `LINEAR` and `DECAY`
the parameters are rate and span; for `SYMBOL` they are the start of the attribute's similarities in a separate array
(one for every symbol: its similarity to the target's) and their number.

The similarity of a case is Σ weight · local similarity / Σ weight, summed in the order of the schema in double
precision: `measure_cases` is the only place that computes it, so that every search returns the same bits.

A search does not touch most cases. Every value is in one of up to 256 *bins* of its attribute, whose least and greatest
values are known, so a case is a row of bytes. Before a search, `prepare` writes for every bin the minimum share of
similarity that any value in it loses, in whole units of 2⁻²⁴ rounded down. The sum over the bytes of a case is then a
bound that is exact to add and never too high.

A case is a *record*: its number, its bytes in *words* of eight, and its values. Those that the bytes do not determine
come first, so that a search mostly reads one processor cache line of a record.
"""

from math import exp, floor
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit

LINEAR, DECAY, EQUAL, SYMBOL = range(4)
KIND, WEIGHT, RATE, SPAN = range(4)
FIRST, COUNT = RATE, SPAN
"""The places of a symbol's parameters in its row of a measure."""

ATTRIBUTE, COLUMN, BIN_COUNT, SINGLE, FIELD = range(5)
"""The rows of a layout: the attribute of each column, the column of each attribute, of each column how many bins it has
and whether every one of them holds one value only, and the field of a record in which each attribute stands."""
NUMBER, FIRST_WORD = range(2)
"""The fields of a record: the number of the case and its words, whose bits are those of ints, and then its values."""
LEAST, GREATEST = range(2)
"""The parts of the array of bins: by column and bin the least and the greatest value."""

BINS = 256
BOX_COLUMNS = 8
"""Number of columns in one 64-bit word; boxes exist for the first word only."""

UNITS = 16_777_216.0
"""A loss of 1 in whole units: 2²⁴."""
_SLACK = 0.001
"""A margin in units, far above the rounding errors of double precision."""
STEEPEST = 1e300
"""Maximum rate at which a loss grows with the difference, so that every difference loses something."""

_BATCH = 128
"""Number of cases measured together."""

Tables: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int64], NDArray[np.float64]]


@njit(forceinline=True)
def budget_of(similarity: float) -> int:
    """The units that a case may lose and still be above the threshold, plus two for safety."""
    loss = min(1.0, max(-1.0, 1.0 - similarity))
    return np.int32(floor(loss * UNITS) + 3)  # type: ignore[return-value]


@njit(forceinline=True)
def local_similarity(kind: int, rate: float, span: float, difference: float) -> float:
    """The similarity of two numbers with this difference."""
    if kind == LINEAR:
        return max(0.0, 1.0 - rate * (difference / span))
    if kind == DECAY:
        return exp(-(rate * (difference / span)))
    return 1.0 if difference == 0.0 else 0.0


@njit(forceinline=True)
def _units(loss: float) -> int:
    """A loss in whole units, rounded down."""
    return np.int32(max(0.0, loss * UNITS - _SLACK))  # type: ignore[return-value]


@njit(forceinline=True)
def total_weight(measure: NDArray[np.float64]) -> float:
    """The sum of all weights, in the order of the schema, so that an identical case is exactly 1 similar."""
    total = 0.0
    for attribute in range(len(measure)):
        total += measure[attribute, WEIGHT]
    return total


@njit(cache=True)
def _prepare_symbol(
    weight: float,
    share: float,
    similarities: NDArray[np.float64],
    bounds: NDArray[np.int32],
    shares: NDArray[np.float64],
) -> int:
    """The tables of a symbol, and its pivot; symbols of one code, if there are more than 256, have the best's bound."""
    pivot = 0
    for code in range(len(bounds)):
        shares[code] = weight * similarities[code]
        best = similarities[code]
        for other in range(code + BINS, len(similarities), BINS):
            best = max(best, similarities[other])
        bounds[code] = _units(share * (1.0 - best))
        if bounds[code] < bounds[pivot]:
            pivot = code
    return pivot


@njit(cache=True)
def _prepare_ranges(pivot: int, bounds: NDArray[np.int32], range_bounds: NDArray[np.int32]) -> None:
    """The bounds of ranges of symbols: the least of the bounds from each bin to the end away from the pivot."""
    least = bounds[0]
    for code in range(pivot + 1):
        least = min(least, bounds[code])
        range_bounds[code] = least
    least = bounds[len(bounds) - 1]
    for code in range(len(bounds) - 1, pivot, -1):
        least = min(least, bounds[code])
        range_bounds[code] = least


@njit(cache=True)
def _prepare_number(
    kind: int,
    rate: float,
    span: float,
    wanted: float,
    share: float,
    least: NDArray[np.float64],
    greatest: NDArray[np.float64],
    bounds: NDArray[np.int32],
) -> int:
    """The bounds of a number, and its pivot: no value of a bin is nearer to the wanted one than the bin's nearer end.

    Bins ascend and none is empty, so the pivot is the first bin that is not all below the wanted value, or the one
    before it.
    """
    if kind == LINEAR:
        # The same as below, but without branches and divisions, so that the compiler vectorises the loop.
        whole, slope = share * UNITS, min(share * UNITS * rate / span, STEEPEST)
        for code in range(len(least)):
            difference = max(least[code] - wanted, wanted - greatest[code])
            bounds[code] = np.int32(max(0.0, min(whole, slope * difference) - _SLACK))
    else:
        for code in range(len(least)):
            difference = max(0.0, max(least[code] - wanted, wanted - greatest[code]))
            bounds[code] = _units(share * (1.0 - local_similarity(kind, rate, span, difference)))
    low, high = 0, len(least) - 1
    while low < high:
        middle = (low + high) // 2
        if greatest[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    if low > 0 and bounds[low - 1] < bounds[low]:
        low -= 1
    return low


@njit(cache=True)
def prepare(
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
) -> Tables:
    """The tables of a search: bounds, bounds of ranges, pivots, shares.

    - bounds: of every bin, by column
    - bounds of ranges of bins, by boxed column: the one at the range's bin nearest to the pivot is never too high.
      Numbers lose more the farther they are, so theirs are the bounds of the bins; of symbols no order is assumed
    - pivots: by boxed column the bin that loses least
    - shares: the contribution of each bin to the sum, for columns whose bins hold one value each
    """
    columns = layout.shape[1]
    padded = (columns + BOX_COLUMNS - 1) // BOX_COLUMNS * BOX_COLUMNS
    bounds = np.empty(padded * BINS, dtype=np.int32)
    range_bounds = np.empty(BOX_COLUMNS * BINS, dtype=np.int32)
    pivots = np.zeros(BOX_COLUMNS, dtype=np.int64)
    shares = np.empty(columns * BINS, dtype=np.float64)
    for column in range(columns, padded):
        bounds[column * BINS] = 0
    total = total_weight(measure)
    for column in range(columns):
        attribute, count = layout[ATTRIBUTE, column], layout[BIN_COUNT, column]
        kind = int(measure[attribute, KIND])
        weight, rate, span = measure[attribute, WEIGHT], measure[attribute, RATE], measure[attribute, SPAN]
        first, last = column * BINS, column * BINS + count
        if kind == SYMBOL:
            start, known = int(measure[attribute, FIRST]), int(measure[attribute, COUNT])
            similarities = symbols[start : start + known]
            last = first + min(known, BINS)
            pivot = _prepare_symbol(
                weight, weight / total, similarities, bounds[first:last], shares[first:last]
            )
        else:
            wanted = target[attribute]
            least, greatest = bins[LEAST, column, :count], bins[GREATEST, column, :count]
            pivot = _prepare_number(
                kind, rate, span, wanted, weight / total, least, greatest, bounds[first:last]
            )
            if layout[SINGLE, column]:
                for code in range(count):
                    difference = abs(least[code] - wanted)
                    shares[first + code] = weight * local_similarity(kind, rate, span, difference)
        if column < BOX_COLUMNS and last > first:
            pivots[column] = pivot
            if kind == SYMBOL:
                _prepare_ranges(pivot, bounds[first:last], range_bounds[first:last])
            else:
                for place in range(first, last):
                    range_bounds[place] = bounds[place]
    return bounds, range_bounds, pivots, shares


@njit(cache=True, internal=True)
def measure_cases(
    places: NDArray[np.uint64],
    records: NDArray[np.float64],
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    shares: NDArray[np.float64],
    similarities: NDArray[np.float64],
) -> None:
    """Write the similarities to the target of the cases at these places of a tree.

    The attributes are added one by one, in the order of the schema, for a batch of cases whose records stay in the
    processor's cache meanwhile.
    """
    words, total = records.view(np.uint64), total_weight(measure)
    codes, values = np.empty(((len(target) + 7) // 8, _BATCH), dtype=np.uint64), np.empty(_BATCH)
    for first in range(0, len(places), _BATCH):
        batch, found = places[first : first + _BATCH], similarities[first : first + _BATCH]
        count = len(batch)
        for word in range(len(codes)):
            for case in range(count):
                codes[word, case] = words[batch[case], np.uint64(FIRST_WORD + word)]
        for case in range(count):
            found[case] = 0.0
        for attribute in range(len(target)):
            column, field = layout[COLUMN, attribute], np.uint64(layout[FIELD, attribute])
            kind, weight = int(measure[attribute, KIND]), measure[attribute, WEIGHT]
            if weight == 0.0:
                continue
            if layout[SINGLE, column]:
                word, shift, start = column >> 3, np.uint64((column & 7) << 3), np.uint64(column * BINS)
                for case in range(count):
                    found[case] += shares[start + ((codes[word, case] >> shift) & np.uint64(255))]
                continue
            for case in range(count):
                values[case] = records[batch[case], field]
            if kind == SYMBOL:
                start = np.uint64(measure[attribute, FIRST])
                for case in range(count):
                    found[case] += weight * symbols[start + np.uint64(values[case])]
            else:
                rate, span, wanted = measure[attribute, RATE], measure[attribute, SPAN], target[attribute]
                if kind == LINEAR:
                    # The same as below, but without branches, so that the compiler vectorises the loop.
                    for case in range(count):
                        found[case] += weight * local_similarity(
                            LINEAR, rate, span, abs(values[case] - wanted)
                        )
                else:
                    for case in range(count):
                        found[case] += weight * local_similarity(kind, rate, span, abs(values[case] - wanted))
        for case in range(count):
            found[case] /= total
