"""The first filter of a search: blocks of cases are what each case is alone, and no similar case is lost."""

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from railbird.kernels.cases import similarity
from railbird.kernels.cases import steps as case_steps
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
from railbird.kernels.cases.similarity import DECAY, EQUAL, FIELD, LINEAR
from railbird.kernels.cases.steps import (
    COARSE,
    MOST_STEPS,
    limit_of,
    prepare_steps,
    write_steps,
)
from reference.case_steps import lost_on_stairs, within


@njit
def bits_of(limit, block, stairs, steps):  # type: ignore[no-untyped-def]
    return case_steps.block_within(limit, block, stairs, steps)


@njit
def lowest(bits):  # type: ignore[no-untyped-def]
    return lowest_bit(bits)


@njit
def count_of(bits):  # type: ignore[no-untyped-def]
    return bit_count(bits)


@njit
def within_lines(steps, wanted, lines, limit):  # type: ignore[no-untyped-def]
    distance = distances(shorts_at(steps, 0), wanted)
    one = on_line(distance, lines[0, 0], lines[0, 1])
    other = on_line(distance, lines[1, 0], lines[1, 1])
    return cases_within(sums(shorts_at(steps, 2 * LANES), lesser(one, other)), limit)


@njit
def budget_for(threshold):  # type: ignore[no-untyped-def]
    return similarity.budget_of(threshold)


@njit
def similarity_of(kind, rate, span, difference):  # type: ignore[no-untyped-def]
    return similarity.local_similarity(kind, rate, span, difference)


def test_the_lowest_bit() -> None:
    assert [lowest(np.uint64(bits)) for bits in (1, 6, 1 << 31, (1 << 63) | (1 << 40))] == [0, 1, 31, 40]


def test_the_number_of_bits() -> None:
    assert [count_of(np.uint64(bits)) for bits in (0, 1, 6, (1 << 32) - 1)] == [0, 1, 2, 32]


@pytest.mark.parametrize("limit", [0, 3000, 40_000, 65_534])
def test_the_lesser_of_two_lines_is_added_up_to_the_greatest_number(limit: int) -> None:
    random = np.random.default_rng(limit)
    shorts = random.integers(0, 65_536, (2, LANES)).astype(np.uint16)
    lines = np.array([[0, 60_000], [9000, 20_000]], dtype=np.uint16)
    wanted = np.uint16(30_000)
    found = int(within_lines(shorts.view(np.uint8), wanted, lines, np.uint16(limit)))
    for lane, (step, lost) in enumerate(shorts.T.tolist()):
        least = min(offset + (abs(step - 30_000) * slope >> 16) for offset, slope in lines.tolist())
        assert bool(found >> lane & 1) == (min(65_535, lost + least) <= limit)


@pytest.mark.parametrize("fine", [0, 2, 5])
@pytest.mark.parametrize("limit", [0, 900, 12_000, 65_535])
def test_a_block_is_what_each_of_its_cases_is(fine: int, limit: int) -> None:
    random = np.random.default_rng(fine + limit)
    columns, blocks = 5, 3
    grains = np.where(np.arange(columns) < fine, 1, COARSE)
    cases = random.integers(0, MOST_STEPS // grains + 1, (blocks * LANES, columns)) * grains
    stairs = np.stack(
        [
            random.integers(0, MOST_STEPS + 1, columns),
            random.integers(0, 65_536, columns),
            random.integers(0, 65_536 // columns, columns),
        ]
    ).astype(np.uint16)
    steps = np.zeros((blocks, 2 * columns * LANES), dtype=np.uint8)
    for block, part in zip(steps, cases.reshape(blocks, LANES, columns), strict=True):
        written = b"".join(
            part[:, column].astype("<u2").tobytes()
            if column < fine
            else (part[:, column] // COARSE).astype(np.uint8).tobytes()
            for column in range(columns)
        )
        block[: len(written)] = np.frombuffer(written, dtype=np.uint8)
    found = [
        block * LANES + lane
        for block in range(blocks)
        for lane in range(LANES)
        if int(bits_of(np.uint16(limit), block, (stairs, fine, True), steps)) >> lane & 1
    ]
    assert found == within(cases.tolist(), stairs.tolist(), limit)


def measured(
    values: NDArray[np.float64], target: NDArray[np.float64], measure: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.array(
        [
            sum(
                weight * similarity_of(int(kind), rate, span, abs(value - wanted))
                for value, wanted, (kind, weight, rate, span) in zip(
                    row, target, measure.tolist(), strict=True
                )
            )
            / measure[:, 1].sum()
            for row in values.tolist()
        ]
    )


@pytest.mark.parametrize("seed", range(20))
def test_no_case_that_is_similar_enough_is_lost(seed: int) -> None:
    random = np.random.default_rng(seed)
    columns, count = int(random.integers(1, 7)), 200
    scale = 10.0 ** random.integers(-3, 4, columns)
    values = random.normal(size=(count, columns)) * scale
    measure = np.stack(
        [
            random.choice([LINEAR, DECAY, EQUAL], columns),
            random.choice([0.0, 1.0, 5.0, 80.0], columns) + 0.5,
            random.choice([0.25, 1.0, 4.0, 300.0], columns),
            scale * random.choice([0.3, 1.0, 9.0], columns),
        ],
        axis=1,
    )
    # Half of the cases and most targets are outside the grid, or at its ends.
    least, greatest = values[:100].min(axis=0), values[:100].max(axis=0)
    grid = np.stack(
        [
            np.arange(columns),
            least,
            np.maximum((greatest - least) / MOST_STEPS, 1e-300),
            np.sort(random.choice([1, COARSE], columns)),
        ]
    ).astype(np.float64)
    layout = np.zeros((5, columns), dtype=np.int64)
    layout[FIELD] = np.arange(columns)
    steps = np.zeros((count // LANES + 1, 2 * columns * LANES), dtype=np.uint8)
    write_steps(0, count, values, layout, grid, steps)
    for target in (*values[::40], *(3 * random.normal(size=(5, columns)) * scale)):
        stairs = prepare_steps(target, measure, grid)
        similarities = measured(values, target, measure)
        for threshold in (1.0, 0.99, 0.9, 0.5, 0.0):
            limit = limit_of(budget_for(threshold), stairs)
            bits = [int(bits_of(limit, block, stairs, steps)) for block in range(len(steps))]
            for place in np.flatnonzero(similarities >= threshold).tolist():
                assert bits[place // LANES] >> place % LANES & 1, (seed, threshold, values[place], target)


def test_a_case_that_is_far_away_is_left_out() -> None:
    measure = np.array([[LINEAR, 3.0, 1.0, 1.0], [DECAY, 1.0, 4.0, 4.0]])
    grid = np.array([[0.0, 1.0], [0.0, 0.0], [1 / MOST_STEPS, 4 / MOST_STEPS], [1.0, COARSE]])
    values = np.array([[0.5, 2.0], [0.55, 2.0], [0.5, 3.0], [0.5, 4.0]])
    layout = np.zeros((5, 2), dtype=np.int64)
    layout[FIELD] = range(2)
    steps = np.zeros((1, 3 * LANES), dtype=np.uint8)
    write_steps(0, 4, values, layout, grid, steps)
    stairs = prepare_steps(values[0], measure, grid)
    kept = {
        threshold: int(bits_of(limit_of(budget_for(threshold), stairs), 0, stairs, steps)) & 15
        for threshold in (0.99, 0.95, 0.8)
    }
    assert kept == {0.99: 0b0001, 0.95: 0b0011, 0.8: 0b1111}
    assert lost_on_stairs([0, 0], stairs[0].tolist()) == pytest.approx(
        65_535 * (0.375 + 0.25 * 0.632), abs=200
    )
