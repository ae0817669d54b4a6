"""The decisions in all cases above a threshold, for many targets that differ in a few numbers: counted, not listed.

What targets share is compared once.

1. Cases that lose too much by the shared attributes are dropped: by their steps, thirty-two at once, then in full.
2. The numbers that vary are rounded to *marks*, 65,536 equal steps of a scale, and the loss by the shared attributes to
   whole units. Cases are put in order by cells of the first two such numbers, in blocks of thirty-two.
3. For every target, the cells within its reach are looked at. The loss of a case is the sum of its shared loss and, for
   every number, of the least of a few straight lines over the distance of its mark. Up to one limit the case is
   certainly above the threshold, up to another possibly; the limits allow for all rounding.
4. Certain cases are counted by bits. Each of the few that are possible is measured in full, and its similarity decides.

Counts are bits as well: every *plane* has one bit of the count of one solution, for each case of a block.

A case is compared as in `search`, so the counts are those of the cases that are found there.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.cases.lanes import (
    LANES,
    bit_count,
    cases_within,
    distances,
    lesser,
    lowest_bit,
    on_line,
    shorts_at,
    sums,
)
from railbird.kernels.cases.similarity import (
    COLUMN,
    FIELD,
    NUMBER,
    SINGLE,
    WEIGHT,
    budget_of,
    measure_cases,
    prepare,
    total_weight,
)
from railbird.kernels.cases.steps import GRID_ATTRIBUTE, MAXIMUM, SLOPE, block_within, limit_of, prepare_steps
from railbird.kernels.compiler import njit

SCALE_ATTRIBUTE, SCALE_ORIGIN, SCALE_RATE = range(3)
"""The rows of scales: the attribute of each column, the value of its first mark, and the number of marks per unit."""
LINE_OFFSET, LINE_SLOPE = range(2)
"""The parts of lines: by column and line its loss at no distance, and for 65,536 steps."""
LAST_MARK = 65_535
SEVERAL = -1
"""Instead of a solution: the decisions of a case are several, or none."""

Ramps: TypeAlias = tuple[NDArray[np.float64], NDArray[np.uint16], float, int, int]
"""Scales, lines, the units of a loss of 1, and the limits: the units up to which cases are possible, and certain."""
Tallied: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""By target the decisions for every solution, and the number of cases."""
Decisions: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int16]]
"""By number of a case how often every solution was chosen; and which one, or that there are several decisions."""
_Left: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.int16]]
"""The cases that are left: their places, of each the shared loss and the marks, and its only decision."""
_Blocks: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.uint32], NDArray[np.int64]]
"""By block the losses and marks of its cases, and its planes; and of each plane the solution and the worth of a bit."""
_Cells: TypeAlias = tuple[NDArray[np.int64], int, int, int]
"""The start of each cell's cases; and how many of the lowest bits do not matter for it: of the shared loss, and of the
first two marks."""

_FULL = np.uint64(2**LANES - 1)
_ROOM = 64 * LANES
"""Number of cases that are measured together, so that their records are still in the processor's cache later."""
_PER_CELL = 48
"""Approximate number of cases in one cell."""
_SHARED_BITS = 2
"""Maximum number of bits of the shared loss that tell cells apart."""


@njit(cache=True)
def _left(
    count: int,
    budget: int,
    target: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    shares: NDArray[np.float64],
    grid: NDArray[np.float64],
    steps: NDArray[np.uint8],
    records: NDArray[np.float64],
    ramps: Ramps,
    chosen: NDArray[np.int16],
) -> _Left:
    """The cases that can be above the threshold, by the attributes that all targets share."""
    scales, _, units, possible, _ = ramps
    stairs = prepare_steps(target, measure, grid)
    shared = measure.copy()
    for column in range(scales.shape[1]):
        attribute = int(scales[SCALE_ATTRIBUTE, column])
        shared[attribute, WEIGHT] = 0.0
        for other in range(grid.shape[1]):
            if int(grid[GRID_ATTRIBUTE, other]) == attribute:
                stairs[0][SLOPE, other] = stairs[0][MAXIMUM, other] = 0
    limit = limit_of(budget, stairs)
    weight = total_weight(shared)
    units *= weight / total_weight(measure)
    places, fields = np.empty(count, dtype=np.uint64), np.empty((1 + scales.shape[1], count), dtype=np.uint16)
    only = np.empty(count, dtype=np.int16)
    numbers = records.view(np.int64)
    some, similarities = np.empty(_ROOM, dtype=np.uint64), np.ones(_ROOM)
    kept = 0
    for first in range(0, count, _ROOM):
        found, before = 0, kept
        for start in range(first, min(count, first + _ROOM), LANES):
            those = block_within(limit, start // LANES, stairs, steps)
            if count - start < LANES:
                those &= _FULL >> np.uint64(LANES - (count - start))
            while those:
                some[found] = np.uint64(start) + lowest_bit(those)
                found += 1
                those &= those - np.uint64(1)
        if weight > 0.0:
            measure_cases(some[:found], records, target, shared, symbols, layout, shares, similarities)
        for case in range(found):
            lost = int((1.0 - similarities[case]) * units)
            places[kept], fields[0, kept] = some[case], min(lost, LAST_MARK)
            kept += lost <= possible
        for column in range(scales.shape[1]):
            field = np.uint64(layout[FIELD, int(scales[SCALE_ATTRIBUTE, column])])
            origin, rate = scales[SCALE_ORIGIN, column], scales[SCALE_RATE, column]
            for case in range(before, kept):
                mark = _mark_of(records[places[case], field], origin, rate)
                fields[1 + column, case] = mark
                if mark < 0 or mark > LAST_MARK:
                    fields[0, case] = LAST_MARK  # too far from all targets
        for case in range(before, kept):
            only[case] = chosen[numbers[places[case], np.uint64(NUMBER)]]
    return places[:kept], fields[:, :kept], only[:kept]


@njit(forceinline=True)
def _mark_of(value: float, origin: float, rate: float) -> int:
    """The mark nearest to a value; -1 or more than the last one if the value is outside the scale."""
    return int(min(LAST_MARK + 2.0, max(-1.0, (value - origin) * rate + 0.5)))


@njit(cache=True)
def _in_order(left: _Left, possible: int) -> tuple[NDArray[np.int64], _Cells]:
    """The order of the cases by cells."""
    _, fields, _ = left
    bits = 0
    while _PER_CELL << (bits + 1) <= fields.shape[1]:
        bits += 1
    second = min(2, len(fields) - 1)
    shared_bits = min(_SHARED_BITS, bits // 3)
    second_bits = (bits - shared_bits) // 2 if second == 2 else 0
    first_bits = min(16, bits - shared_bits - second_bits)
    shared_shift = 0
    while possible >> (shared_shift + shared_bits):
        shared_shift += 1
    first_shift, second_shift = 16 - first_bits, 16 - second_bits
    starts = np.zeros((1 << (shared_bits + first_bits + second_bits)) + 1, dtype=np.int64)
    cells = np.empty(fields.shape[1], dtype=np.int64)
    for case in range(len(cells)):
        layer = min(int(fields[0, case]), possible) >> shared_shift
        stripe = layer << first_bits | int(fields[1, case]) >> first_shift
        cell = stripe << second_bits | int(fields[second, case]) >> second_shift
        cells[case] = cell
        starts[cell + 1] += 1
    for place in range(len(starts) - 1):
        starts[place + 1] += starts[place]
    ends, order = starts[:-1].copy(), np.empty(len(cells), dtype=np.int64)
    for case in range(len(cells)):
        order[ends[cells[case]]] = case
        ends[cells[case]] += 1
    return order, (starts, shared_shift, first_shift, second_shift)


@njit(cache=True)
def _blocks_of(
    left: _Left, order: NDArray[np.int64], records: NDArray[np.float64], counts: NDArray[np.int64]
) -> _Blocks:
    """The cases in this order, in blocks."""
    places, fields, only = left
    blocks = (len(order) + LANES - 1) // LANES
    losses = np.zeros((blocks, 2 * LANES * len(fields)), dtype=np.uint8)
    kinds = _kinds_of(left, records, counts)
    planes = np.zeros((blocks, len(kinds)), dtype=np.uint32)
    shorts, numbers = losses.view(np.uint16), records.view(np.int64)
    for block in range(blocks):
        cases = order[block * LANES : (block + 1) * LANES]
        for field in range(len(fields)):
            for lane in range(len(cases)):
                shorts[block, LANES * field + lane] = fields[field, cases[lane]]
        for plane in range(len(kinds)):
            solution, bit = kinds[plane]
            bits = 0
            for lane in range(len(cases)):
                case = cases[lane]
                if only[case] == SEVERAL:
                    bits |= (counts[numbers[places[case], NUMBER], solution] >> bit & 1) << lane
                else:
                    bits |= int((only[case] == solution) & (bit == 0)) << lane
            planes[block, plane] = bits
    return losses, planes, kinds


@njit(cache=True)
def _kinds_of(left: _Left, records: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The solutions and bits of the planes that the counts of these cases need."""
    places, _, only = left
    numbers = records.view(np.int64)
    every = np.zeros(counts.shape[1], dtype=np.int64)
    for case in range(len(only)):
        if only[case] == SEVERAL:
            for solution in range(len(every)):
                every[solution] |= counts[numbers[places[case], NUMBER], solution]
        else:
            every[only[case]] |= 1
    kinds = np.empty((64 * len(every), 2), dtype=np.int64)
    used = 0
    for solution in range(len(every)):
        for bit in range(63):
            if every[solution] >> bit & 1:
                kinds[used, 0], kinds[used, 1] = solution, bit
                used += 1
    return kinds[:used]


@njit(forceinline=True)
def _lost_at(distance: int, lines: NDArray[np.uint16], column: int) -> int:
    """The loss at a distance, for one case."""
    lost = LAST_MARK
    for line in range(lines.shape[2]):
        offset, slope = int(lines[LINE_OFFSET, column, line]), int(lines[LINE_SLOPE, column, line])
        lost = min(lost, offset + (distance * slope >> 16))
    return lost


@njit(forceinline=True)
def _reach(budget: int, lines: NDArray[np.uint16], column: int) -> int:
    """The maximum distance that loses no more than the budget; -1 if there is none."""
    reach = -1
    for line in range(lines.shape[2]):
        offset, slope = int(lines[LINE_OFFSET, column, line]), int(lines[LINE_SLOPE, column, line])
        if offset <= budget:
            within = LAST_MARK if slope == 0 else (((budget - offset + 1) << 16) - 1) // slope
            reach = max(reach, min(LAST_MARK, within))
    return reach


@njit(cache=True)
def _count_run(
    start: int,
    end: int,
    wanted: NDArray[np.uint16],
    ramps: Ramps,
    blocks: _Blocks,
    votes: NDArray[np.int64],
    unsure: NDArray[np.int64],
    asked: int,
) -> tuple[int, int]:
    """Count the certain cases of a run, and note the possible ones: how many are certain, and how many are noted."""
    _, lines, _, possible, certain = ramps
    losses, planes, kinds = blocks
    found = 0
    for block in range(start // LANES, (end + LANES - 1) // LANES):
        place = block * losses.shape[1]
        lost = shorts_at(losses, place)
        for column in range(lines.shape[1]):
            place += 2 * LANES
            distance = distances(shorts_at(losses, place), wanted[column])
            least = on_line(distance, lines[LINE_OFFSET, column, 0], lines[LINE_SLOPE, column, 0])
            for line in range(1, lines.shape[2]):
                other = on_line(distance, lines[LINE_OFFSET, column, line], lines[LINE_SLOPE, column, line])
                least = lesser(least, other)
            lost = sums(lost, least)
        those = cases_within(lost, np.uint16(possible))
        first = block * LANES
        if first < start:
            those &= _FULL << np.uint64(start - first)
        if end - first < LANES:
            those &= _FULL >> np.uint64(LANES - (end - first))
        if not those:
            continue
        sure = those & cases_within(lost, np.uint16(certain))
        those ^= sure
        if sure:
            found += bit_count(sure)
            for plane in range(len(kinds)):
                votes[kinds[plane, 0]] += bit_count(sure & planes[block, plane]) << kinds[plane, 1]
        while those:
            unsure[asked] = first + np.int64(lowest_bit(those))
            asked += 1
            those &= those - np.uint64(1)
    return found, asked


@njit(cache=True)
def _count_near(
    target: NDArray[np.float64],
    ramps: Ramps,
    cells: _Cells,
    blocks: _Blocks,
    votes: NDArray[np.int64],
    unsure: NDArray[np.int64],
) -> tuple[int, int]:
    """Count the certain cases of all cells within reach of a target, and note the possible ones."""
    scales, lines, _, possible, _ = ramps
    starts, shared_shift, first_shift, second_shift = cells
    second_cells = 1 << (16 - second_shift)
    layer_cells = second_cells << (16 - first_shift)
    wanted = np.empty(scales.shape[1], dtype=np.uint16)
    for column in range(scales.shape[1]):
        value = target[int(scales[SCALE_ATTRIBUTE, column])]
        wanted[column] = _mark_of(value, scales[SCALE_ORIGIN, column], scales[SCALE_RATE, column])
    mark, other_mark = int(wanted[0]), int(wanted[min(1, len(wanted) - 1)])
    found = asked = 0
    for layer in range((len(starts) - 1) // layer_cells):
        budget = possible - (layer << shared_shift)
        reach = _reach(budget, lines, 0)
        last_stripe = min(LAST_MARK, mark + reach) >> first_shift
        for stripe in range(max(0, mark - reach) >> first_shift, last_stripe + 1):
            start = layer * layer_cells + stripe * second_cells
            end = start + second_cells
            if second_cells > 1:
                nearest = min(max(mark, stripe << first_shift), ((stripe + 1) << first_shift) - 1)
                other_reach = _reach(budget - _lost_at(abs(mark - nearest), lines, 0), lines, 1)
                end = start + (min(LAST_MARK, other_mark + other_reach) >> second_shift) + 1
                start += max(0, other_mark - other_reach) >> second_shift
            if starts[start] < starts[end]:
                some, asked = _count_run(
                    starts[start], starts[end], wanted, ramps, blocks, votes, unsure, asked
                )
                found += some
    return found, asked


@njit(cache=True)
def count_above(
    threshold: float,
    count: int,
    targets: NDArray[np.float64],
    measure: NDArray[np.float64],
    symbols: NDArray[np.float64],
    layout: NDArray[np.int64],
    bins: NDArray[np.float64],
    grid: NDArray[np.float64],
    steps: NDArray[np.uint8],
    records: NDArray[np.float64],
    ramps: Ramps,
    decisions: Decisions,
) -> Tallied:
    """By target how often every solution was chosen in the cases above the threshold, and how many cases these are.

    `layout` is that of the search; `count` cases are at the first places of `steps` and `records`.
    """
    scales, counts = ramps[0], decisions[0]
    votes = np.zeros((len(targets), counts.shape[1]), dtype=np.int64)
    found = np.zeros(len(targets), dtype=np.int64)
    shares = prepare(targets[0], measure, symbols, layout, bins)[3]
    layout = layout.copy()
    for column in range(scales.shape[1]):
        # The shares of other attributes are those of all targets.
        layout[SINGLE, layout[COLUMN, int(scales[SCALE_ATTRIBUTE, column])]] = 0
    budget, chosen = budget_of(threshold), decisions[1]
    left = _left(
        count, budget, targets[0], measure, symbols, layout, shares, grid, steps, records, ramps, chosen
    )
    if len(left[0]) == 0:
        return votes, found
    order, cells = _in_order(left, ramps[3])
    blocks = _blocks_of(left, order, records, counts)
    unsure = np.empty(len(order), dtype=np.int64)
    places, similarities = np.empty(len(order), dtype=np.uint64), np.empty(len(order))
    numbers = records.view(np.int64)
    for problem in range(len(targets)):
        target = targets[problem]
        found[problem], asked = _count_near(target, ramps, cells, blocks, votes[problem], unsure)
        for case in range(asked):
            places[case] = left[0][order[unsure[case]]]
        measure_cases(places[:asked], records, target, measure, symbols, layout, shares, similarities)
        for case in range(asked):
            if similarities[case] >= threshold:
                found[problem] += 1
                row = numbers[places[case], NUMBER]
                for solution in range(counts.shape[1]):
                    votes[problem, solution] += counts[row, solution]
    return votes, found
