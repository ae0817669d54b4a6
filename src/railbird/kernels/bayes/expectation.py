"""How often every entry of a network's tables was used, expected over unknown variables.

The expectation is a derivative: with P the probability of the evidence, the entry θ of a table was used with the
probability θ · ∂ log P / ∂θ (Darwiche, 2003). So a row takes two passes over its program (`bayes_forward`):

1. Forward, the steps as they are; the products stay where they are.
2. Backward, the last step first: the derivative of log P by every number of a step's product is passed to its factors,
   each times all other factors. At a table it is added to the counts, at an earlier product it is stored.

There is no division by a factor, so zeros in tables are safe.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.bayes.forward import (
    CONSTANTS,
    FACTORS,
    HEAD,
    LOOPS,
    MOVING,
    OUT,
    SIZE,
    STEP_HEAD,
    STEPS,
    propagate,
    room,
    start_loops,
    turn_loops,
)
from railbird.kernels.compiler import njit


@njit(forceinline=True)
def _hand_on_row(
    program: NDArray[np.int64],
    at: int,
    values: NDArray[np.float64],
    slopes: NDArray[np.float64],
    share: float,
    weight: float,
    counts: NDArray[np.float64],
    places: NDArray[np.int64],
) -> None:
    """One iteration of the outer loops in which only the first factor changes, along it and along the product."""
    loops, factors, tables = program[at + LOOPS], program[at + FACTORS], len(counts)
    length = program[at + STEP_HEAD + loops - 1]
    sources, width = at + STEP_HEAD + 2 * loops, 1 + loops
    goes, first = places[factors] - tables, places[0]
    others = share
    for factor in range(1, factors):
        others *= values[places[factor]]
    handed, numbers = slopes[goes : goes + length], values[first : first + length]
    if factors > 1:
        along = 0.0
        for cell in range(length):
            along += handed[cell] * numbers[cell]
        for factor in range(1, factors):
            rest = share * along
            for other in range(1, factors):
                if other != factor:
                    rest *= values[places[other]]
            place = places[factor]
            if program[sources + factor * width] >= 0:
                counts[place] += weight * rest * values[place]
            else:
                slopes[place - tables] += rest
    if program[sources] >= 0:
        counted = counts[first : first + length]
        for cell in range(length):
            counted[cell] += weight * others * handed[cell] * numbers[cell]
    else:
        kept = slopes[first - tables : first - tables + length]
        for cell in range(length):
            kept[cell] += others * handed[cell]


@njit(forceinline=True)
def _hand_on_cells(
    program: NDArray[np.int64],
    at: int,
    values: NDArray[np.float64],
    slopes: NDArray[np.float64],
    share: float,
    weight: float,
    counts: NDArray[np.float64],
    places: NDArray[np.int64],
) -> None:
    """One iteration of the outer loops, cell by cell."""
    loops, factors, tables = program[at + LOOPS], program[at + FACTORS], len(counts)
    inner = at + STEP_HEAD + loops - 1
    sources, width = at + STEP_HEAD + 2 * loops, 1 + loops
    goes, out_stride = places[factors] - tables, program[inner + loops]
    for cell in range(program[inner]):
        slope = share * slopes[goes]
        goes += out_stride
        for factor in range(factors):
            handed = slope
            for other in range(factors):
                if other != factor:
                    handed *= values[places[other] + cell * program[sources + other * width + loops]]
            place = places[factor] + cell * program[sources + factor * width + loops]
            if program[sources + factor * width] >= 0:
                counts[place] += weight * handed * values[place]
            else:
                slopes[place - tables] += handed


@njit(forceinline=True)
def _hand_on_pairs(
    program: NDArray[np.int64],
    at: int,
    values: NDArray[np.float64],
    slopes: NDArray[np.float64],
    share: float,
    weight: float,
    counts: NDArray[np.float64],
    places: NDArray[np.int64],
) -> None:
    """The same for two factors."""
    loops, tables = program[at + LOOPS], len(counts)
    inner = at + STEP_HEAD + loops - 1
    first_source, second_source = at + STEP_HEAD + 2 * loops, at + STEP_HEAD + 3 * loops + 1
    first_stride, second_stride = program[first_source + loops], program[second_source + loops]
    first, second = places[0], places[1]
    goes, out_stride = places[2] - tables, program[inner + loops]
    first_counts, second_counts = program[first_source] >= 0, program[second_source] >= 0
    for _ in range(program[inner]):
        slope = share * slopes[goes]
        from_first, from_second = slope * values[second], slope * values[first]
        if first_counts:
            counts[first] += weight * from_first * values[first]
        else:
            slopes[first - tables] += from_first
        if second_counts:
            counts[second] += weight * from_second * values[second]
        else:
            slopes[second - tables] += from_second
        first += first_stride
        second += second_stride
        goes += out_stride


@njit(cache=True)
def _hand_on(
    program: NDArray[np.int64],
    at: int,
    layout: NDArray[np.int64],
    codes: NDArray[np.int16],
    values: NDArray[np.float64],
    slopes: NDArray[np.float64],
    share: float,
    weight: float,
    counts: NDArray[np.float64],
    places: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> None:
    """Pass the derivatives at a step's product to its factors, each times `share`; counts grow by `weight`."""
    loops = program[at + LOOPS]
    inner = at + STEP_HEAD + loops - 1
    along = program[at + MOVING] == 1 and program[inner + loops] == 1 and program[inner + 2 * loops + 1] == 1
    start_loops(program, at, layout, codes, places, turns)
    while True:
        if along:
            _hand_on_row(program, at, values, slopes, share, weight, counts, places)
        elif program[at + FACTORS] == 2:
            _hand_on_pairs(program, at, values, slopes, share, weight, counts, places)
        else:
            _hand_on_cells(program, at, values, slopes, share, weight, counts, places)
        if not turn_loops(program, at, places, turns):
            break


@njit(cache=True)
def expected_counts(
    program: NDArray[np.int64],
    layout: NDArray[np.int64],
    rows: NDArray[np.int16],
    weights: NDArray[np.float64],
    values: NDArray[np.float64],
    counts: NDArray[np.float64],
) -> float:
    """Add the expectations of weighted rows, all with the same known variables, to the counts.

    Returns the logarithm of their probability, or -inf as soon as a row is impossible.
    """
    space = room(program, layout)
    scales = np.empty(space)
    places, turns = np.empty(space, dtype=np.int64), np.empty(space, dtype=np.int64)
    tables = len(counts)
    slopes = np.empty(len(values) - tables)
    steps, starts = program[STEPS], HEAD + program[CONSTANTS]
    total = 0.0
    for number in range(len(rows)):
        codes = rows[number]
        found = propagate(program, layout, codes, values, scales, places, turns)
        if found == -np.inf:
            return found
        total += weights[number] * found
        for step in range(steps):
            at = program[starts + step]
            out = program[at + OUT]
            if program[at + SIZE] == 1:
                slopes[out - tables] = 1.0 / values[out]
            else:
                slopes[out - tables : out - tables + program[at + SIZE]] = 0.0
        for step in range(steps - 1, -1, -1):
            _hand_on(
                program,
                program[starts + step],
                layout,
                codes,
                values,
                slopes,
                1.0 / scales[step],
                weights[number],
                counts,
                places,
                turns,
            )
    return total
