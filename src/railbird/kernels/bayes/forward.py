"""Exact inference in a Bayesian network whose queries are laid out as programs (`railbird.bayes.programs`).

All numbers are in one array `values`: the tables of the network first, then a place for the product of every step.
The evidence is one code for each variable, -1 for unknown.

1. The table entries that are fully known are multiplied.
2. Every step multiplies its factors cell by cell and adds up the products when a variable is summed out: the innermost
   loop runs along its factors, the others advance like the wheels of an odometer, and each advance moves the place in
   every factor by its stride.
3. A product that has become tiny is scaled up, and the logarithm of the scale is stored.
4. The remaining numbers of a target are divided by their sum.
"""

from math import log

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit

CONSTANTS, STEPS, RESULTS, HEAD = range(4)
"""The header of a program."""
LOOPS, MOVING, FACTORS, OUT, SIZE, STEP_HEAD = range(6)
"""The header of a step."""
FROM, VARIABLE, GOES, STATES, RESULT_WIDTH = range(5)
"""The entries of a result."""

FOUND, IMPOSSIBLE = -1, -2
"""The status of a query; a number from 0 on is a variable whose code is invalid."""

TINY = 1e-30
"""Products whose largest number is smaller are scaled up; a step has at most eight factors, so none vanishes."""


@njit(forceinline=True)
def table_place(layout: NDArray[np.int64], variable: int, codes: NDArray[np.int16]) -> int:
    """The place in a variable's table for the evidence; unknown variables are at their first state."""
    at = layout[1 + layout[0] + variable]
    place = int(layout[at])
    for entry in range(at + 2, at + 2 + 2 * layout[at + 1], 2):
        code = codes[layout[entry]]
        if code > 0:
            place += code * layout[entry + 1]
    return place


@njit(forceinline=True)
def start_loops(
    program: NDArray[np.int64],
    at: int,
    layout: NDArray[np.int64],
    codes: NDArray[np.int16],
    places: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> None:
    """Set the place in every factor of a step and, after them, in the product to the first cell."""
    loops, factors = program[at + LOOPS], program[at + FACTORS]
    row = at + STEP_HEAD + 2 * loops
    for factor in range(factors):
        source = program[row]
        places[factor] = table_place(layout, source, codes) if source >= 0 else -1 - source
        row += 1 + loops
    places[factors] = program[at + OUT]
    for loop in range(loops):
        turns[loop] = 0


@njit(forceinline=True)
def turn_loops(
    program: NDArray[np.int64], at: int, places: NDArray[np.int64], turns: NDArray[np.int64]
) -> bool:
    """Move on to the next cell of the outer loops; False after the last."""
    loops, factors = program[at + LOOPS], program[at + FACTORS]
    sizes = at + STEP_HEAD
    for loop in range(loops - 2, -1, -1):
        turns[loop] += 1
        size = program[sizes + loop]
        steps = 1
        if turns[loop] == size:
            turns[loop] = 0
            steps = 1 - size
        row = sizes + 2 * loops + 1 + loop
        for factor in range(factors):
            places[factor] += steps * program[row]
            row += 1 + loops
        places[factors] += steps * program[sizes + loops + loop]
        if steps == 1:
            return True
    return False


@njit(forceinline=True)
def _dot(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The sum of the products of two rows, in four independent partial sums."""
    length = len(first)
    zeros, ones, twos, threes = 0.0, 0.0, 0.0, 0.0
    end = length - length % 4
    for cell in range(0, end, 4):
        zeros += first[cell] * second[cell]
        ones += first[cell + 1] * second[cell + 1]
        twos += first[cell + 2] * second[cell + 2]
        threes += first[cell + 3] * second[cell + 3]
    for cell in range(end, length):
        zeros += first[cell] * second[cell]
    return (zeros + ones) + (twos + threes)


@njit(cache=True, internal=True)
def multiply(
    program: NDArray[np.int64],
    at: int,
    layout: NDArray[np.int64],
    codes: NDArray[np.int16],
    values: NDArray[np.float64],
    places: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> float:
    """Run one step; returns the divisor of its product, or zero if the whole product is zero."""
    loops, moving, factors = program[at + LOOPS], program[at + MOVING], program[at + FACTORS]
    out, size = program[at + OUT], program[at + SIZE]
    inner = at + STEP_HEAD + loops - 1
    length, out_stride = program[inner], program[inner + loops]
    strides = at + STEP_HEAD + 3 * loops
    first_stride = program[strides]
    second_stride = program[strides + 1 + loops] if moving > 1 else 0
    third_stride = program[strides + 2 * (1 + loops)] if moving > 2 else 0
    start_loops(program, at, layout, codes, places, turns)
    for cell in range(out, out + size):
        values[cell] = 0.0
    while True:
        weight = 1.0
        for factor in range(moving, factors):
            weight *= values[places[factor]]
        if weight != 0.0:
            goes, first = places[factors], places[0]
            # Slices, since their indices cannot be negative: this lets the compiler vectorise the loop.
            if moving == 1 and first_stride == 1 and out_stride == 1:
                target, source = values[goes : goes + length], values[first : first + length]
                for cell in range(length):
                    target[cell] += weight * source[cell]
            elif moving == 1:
                for _ in range(length):
                    values[goes] += weight * values[first]
                    first += first_stride
                    goes += out_stride
            elif moving == 2 and first_stride == 1 and second_stride == 1 and out_stride == 0:
                second = places[1]
                values[goes] += weight * _dot(
                    values[first : first + length], values[second : second + length]
                )
            elif moving == 2 and first_stride == 1 and second_stride == 1 and out_stride == 1:
                second = places[1]
                target = values[goes : goes + length]
                source, other = values[first : first + length], values[second : second + length]
                for cell in range(length):
                    target[cell] += weight * source[cell] * other[cell]
            elif moving == 2:
                second = places[1]
                for _ in range(length):
                    values[goes] += weight * values[first] * values[second]
                    first += first_stride
                    second += second_stride
                    goes += out_stride
            elif moving == 3:
                second, third = places[1], places[2]
                for _ in range(length):
                    values[goes] += weight * values[first] * values[second] * values[third]
                    first += first_stride
                    second += second_stride
                    third += third_stride
                    goes += out_stride
            else:
                for cell in range(length):
                    number = weight * values[first + cell * first_stride]
                    for factor in range(1, moving):
                        number *= values[places[factor] + cell * program[strides + factor * (1 + loops)]]
                    values[goes + cell * out_stride] += number
        if not turn_loops(program, at, places, turns):
            break
    largest = 0.0
    for cell in range(out, out + size):
        largest = max(largest, values[cell])
    if largest == 0.0 or largest >= TINY:
        return 1.0 if largest > 0.0 else 0.0
    for cell in range(out, out + size):
        values[cell] /= largest
    return largest


@njit(cache=True, internal=True)
def propagate(
    program: NDArray[np.int64],
    layout: NDArray[np.int64],
    codes: NDArray[np.int16],
    values: NDArray[np.float64],
    scales: NDArray[np.float64],
    places: NDArray[np.int64],
    turns: NDArray[np.int64],
) -> float:
    """Run all steps; returns the logarithm of the probability of the evidence that involves no target."""
    constants, steps = program[CONSTANTS], program[STEPS]
    found = 0.0
    product = 1.0
    for at in range(HEAD, HEAD + constants):
        entry = values[table_place(layout, program[at], codes)]
        if entry == 0.0:
            return -np.inf
        if entry < TINY:
            found += log(entry)
            entry = 1.0
        product *= entry
        if product < TINY:
            found += log(product)
            product = 1.0
    for step in range(steps):
        at = program[HEAD + constants + step]
        scale = multiply(program, at, layout, codes, values, places, turns)
        if scale == 0.0:
            return -np.inf
        scales[step] = scale
        if scale != 1.0:
            found += log(scale)
        if program[at + SIZE] == 1:
            product *= values[program[at + OUT]]
            if product < TINY:
                found += log(product)
                product = 1.0
    return found + log(product)


@njit(forceinline=True)
def _answer(
    program: NDArray[np.int64],
    codes: NDArray[np.int16],
    values: NDArray[np.float64],
    out: NDArray[np.float64],
) -> bool:
    """Write the posteriors of the targets after all steps; False if the evidence is impossible."""
    at = HEAD + program[CONSTANTS] + program[STEPS]
    for _ in range(program[RESULTS]):
        begin, goes, states = program[at + FROM], program[at + GOES], program[at + STATES]
        if begin < 0:
            for state in range(states):
                out[goes + state] = 0.0
            out[goes + codes[program[at + VARIABLE]]] = 1.0
        else:
            total = 0.0
            for state in range(states):
                total += values[begin + state]
            if total == 0.0:
                return False
            for state in range(states):
                out[goes + state] = values[begin + state] / total
        at += RESULT_WIDTH
    return True


@njit(forceinline=True)
def room(program: NDArray[np.int64], layout: NDArray[np.int64]) -> int:
    """Maximum number of loops or factors of a step, and of steps."""
    return int(layout[0] + program[STEPS] + 1)


@njit(cache=True)
def posteriors(
    program: NDArray[np.int64],
    layout: NDArray[np.int64],
    codes: NDArray[np.int16],
    values: NDArray[np.float64],
    out: NDArray[np.float64],
) -> int:
    """The posteriors of all targets, one after the other: `FOUND`, `IMPOSSIBLE`, or a variable whose code is wrong."""
    for variable in range(layout[0]):
        if codes[variable] < -1 or codes[variable] >= layout[1 + variable]:
            return variable
    space = room(program, layout)
    scales = np.empty(space)
    places, turns = np.empty(space, dtype=np.int64), np.empty(space, dtype=np.int64)
    if propagate(program, layout, codes, values, scales, places, turns) == -np.inf:
        return IMPOSSIBLE
    return FOUND if _answer(program, codes, values, out) else IMPOSSIBLE


@njit(cache=True)
def posteriors_of_rows(
    program: NDArray[np.int64],
    layout: NDArray[np.int64],
    rows: NDArray[np.int16],
    numbers: NDArray[np.int64],
    values: NDArray[np.float64],
    out: NDArray[np.float64],
) -> int:
    """The posteriors for the numbered rows, all with the same known variables; returns an impossible row, or -1."""
    space = room(program, layout)
    scales = np.empty(space)
    places, turns = np.empty(space, dtype=np.int64), np.empty(space, dtype=np.int64)
    for number in numbers:
        codes = rows[number]
        if propagate(program, layout, codes, values, scales, places, turns) == -np.inf:
            return int(number)
        if not _answer(program, codes, values, out[number]):
            return int(number)
    return -1


@njit(cache=True)
def log_likelihoods_of_rows(
    program: NDArray[np.int64],
    layout: NDArray[np.int64],
    rows: NDArray[np.int16],
    numbers: NDArray[np.int64],
    values: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """The logarithms of the probabilities of the numbered rows, all with the same known variables."""
    space = room(program, layout)
    scales = np.empty(space)
    places, turns = np.empty(space, dtype=np.int64), np.empty(space, dtype=np.int64)
    for number in numbers:
        out[number] = propagate(program, layout, rows[number], values, scales, places, turns)
