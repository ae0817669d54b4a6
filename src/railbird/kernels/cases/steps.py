"""Numbers of cases in equal steps, thirty-two cases in a block: the first filter of a search.

A *grid* has a column for every attribute that is a number, and 65,281 equal steps between the attribute's least and
greatest value. Values are rounded to steps, in *coarse* columns to every 256th, so that one byte is enough; values
outside are counted as the nearest of these. A block has thirty-two cases that follow each other in the order of the
tree: the fine columns, two bytes for a case, and then the coarse ones.

Before a search, `prepare_steps` writes the *stairs*: the target's step in every column, the loss for a step, and the
maximum loss, all rounded down to whole units of 1/65,535. The loss of a linear similarity is a straight line up to its
maximum. Exponential decay loses at least a straight line until it has lost 1 − 1/e, and at least that beyond. All
losses of a case together are no more than 1, so that sums of 16 bits do not overflow.

The filter keeps every case that it should, and some more: `limit_of` allows for the rounding of values, and values
outside the grid are nearer to each other on it than they are.
"""

from math import exp
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.cases.lanes import (
    LANES,
    bytes_at,
    cases_within,
    no_losses,
    shorts_at,
    with_losses,
)
from railbird.kernels.cases.similarity import (
    DECAY,
    FIELD,
    KIND,
    LINEAR,
    RATE,
    SPAN,
    STEEPEST,
    UNITS,
    WEIGHT,
    total_weight,
)
from railbird.kernels.compiler import njit

GRID_ATTRIBUTE, ORIGIN, STEP, GRAIN = range(4)
"""The rows of a grid: the attribute of each column, its least value, the size of a step, and to how many of them values
are rounded: 1 in fine columns, 256 in coarse ones."""
COARSE = 256
MOST_STEPS = 65_280
"""Number of steps between the least and the greatest value: 255 · 256."""
WANTED, SLOPE, MAXIMUM = range(3)
"""The rows of stairs: the target's step in each column, the loss for 65,536 steps, and the maximum loss."""
_WHOLE = 65_535.0
"""A loss of 1 in units."""
_SLOPES = 65_536.0
_BENT = 1.0 - exp(-1.0)
"""The share of the loss of a decay that is at the end of the straight line below it."""

Stairs: TypeAlias = tuple[NDArray[np.uint16], int, bool]
"""Stairs, the number of fine columns, and whether all attributes of the measure are on the stairs."""


@njit(forceinline=True)
def _step_of(value: float, origin: float, step: float) -> float:
    return min(float(MOST_STEPS), max(0.0, (value - origin) / step))


@njit(forceinline=True)
def _fine_columns(grid: NDArray[np.float64]) -> int:
    fine = 0
    while fine < grid.shape[1] and grid[GRAIN, fine] == 1.0:
        fine += 1
    return fine


@njit(cache=True)
def write_steps(
    start: int,
    end: int,
    records: NDArray[np.float64],
    layout: NDArray[np.int64],
    grid: NDArray[np.float64],
    steps: NDArray[np.uint8],
) -> None:
    """Write the steps of the cases at these places of a tree."""
    fine = _fine_columns(grid)
    for column in range(grid.shape[1]):
        field = layout[FIELD, int(grid[GRID_ATTRIBUTE, column])]
        origin, step, grain = grid[ORIGIN, column], grid[STEP, column], grid[GRAIN, column]
        first = (min(column, fine) + column) * LANES
        for place in range(start, end):
            rounded = int(_step_of(records[place, field], origin, step) / grain + 0.5)
            lane = place % LANES
            if column < fine:
                steps[place // LANES, first + 2 * lane] = rounded & 255
                steps[place // LANES, first + 2 * lane + 1] = rounded >> 8
            else:
                steps[place // LANES, first + lane] = rounded


@njit(cache=True)
def prepare_steps(
    target: NDArray[np.float64], measure: NDArray[np.float64], grid: NDArray[np.float64]
) -> Stairs:
    """The stairs of a search; numbers whose similarity is neither linear nor a decay lose nothing on them."""
    stairs = np.zeros((3, grid.shape[1]), dtype=np.uint16)
    total = total_weight(measure)
    climbed = 0
    for column in range(grid.shape[1]):
        attribute = int(grid[GRID_ATTRIBUTE, column])
        kind = int(measure[attribute, KIND])
        if kind in (LINEAR, DECAY):
            maximum = measure[attribute, WEIGHT] / total * (1.0 if kind == LINEAR else _BENT) * _WHOLE
            steepness = min(
                measure[attribute, RATE] * (grid[STEP, column] / measure[attribute, SPAN]), STEEPEST
            )
            step = _step_of(target[attribute], grid[ORIGIN, column], grid[STEP, column])
            stairs[WANTED, column] = np.uint16(step + 0.5)
            stairs[SLOPE, column] = np.uint16(min(_WHOLE, maximum * steepness * _SLOPES))
            stairs[MAXIMUM, column] = np.uint16(maximum)
            climbed += 1
    return stairs, _fine_columns(grid), climbed == len(measure)


@njit(cache=True)
def limit_of(budget: int, stairs: Stairs) -> np.uint16:
    """The units that a case may lose on the stairs for a budget, with what rounding may add, and one for safety."""
    slopes, fine, _ = stairs
    added = 0.0
    for column in range(slopes.shape[1]):
        added += slopes[SLOPE, column] * (1.0 if column < fine else COARSE / 2 + 0.5)
    return np.uint16(min(_WHOLE, budget / UNITS * _WHOLE + added / _SLOPES + 1.0))


@njit(forceinline=True)
def block_within(limit: np.uint16, block: int, stairs: Stairs, steps: NDArray[np.uint8]) -> np.uint64:
    """The cases of a block that lose no more than the limit on the stairs: a bit for each."""
    slopes, fine, _ = stairs
    place = block * steps.shape[1]
    lost = no_losses()
    for column in range(fine):
        lost = with_losses(
            lost,
            shorts_at(steps, place),
            slopes[WANTED, column],
            slopes[SLOPE, column],
            slopes[MAXIMUM, column],
        )
        place += 2 * LANES
    for column in range(fine, slopes.shape[1]):
        lost = with_losses(
            lost,
            bytes_at(steps, place),
            slopes[WANTED, column],
            slopes[SLOPE, column],
            slopes[MAXIMUM, column],
        )
        place += LANES
    return cases_within(lost, limit)  # type: ignore[no-any-return]
