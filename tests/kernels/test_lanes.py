"""Sixteen numbers at once are what numpy makes of each."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from railbird.kernels.solve.lanes import (
    LANES,
    aligned_zeros,
    load,
    load_bytes,
    maximum,
    splat,
    store,
    total,
    where_positive,
)


@njit(nogil=True)
def operate(
    one: NDArray[np.float32], other: NDArray[np.float32], small: NDArray[np.uint8], out: Any
) -> float:
    a, b = load(one, 1), load(other, 2)
    store(out, 0, a + b)
    store(out, 1, a - b)
    store(out, 2, a * b)
    store(out, 3, a / b)
    store(out, 4, maximum(a, b))
    store(out, 5, where_positive(a, b, splat(np.float32(7))))
    store(out, 6, load_bytes(small, 1))
    return total(a)  # type: ignore[no-any-return]


def test_operations_are_those_of_single_precision() -> None:
    generator = np.random.default_rng(1)
    one = generator.normal(size=(3, LANES)).astype(np.float32)
    other = generator.normal(size=(1, 3, LANES)).astype(np.float32)
    small = generator.integers(0, 256, (2, LANES), dtype=np.uint8)
    out = aligned_zeros(7)
    whole = operate(one, other, small, out)
    a, b = one[1], other[0, 2]
    expected = [a + b, a - b, a * b, a / b, np.maximum(a, b), np.where(a > 0, b, 7), small[1]]
    assert np.array_equal(out, np.array(expected, dtype=np.float32))
    in_order = np.float32(0)
    for number in a:
        in_order += number
    assert whole == in_order


def test_rooms_are_empty_and_aligned() -> None:
    room = aligned_zeros(5, 3)
    assert room.shape == (5, 3, LANES)
    assert room.ctypes.data % 64 == 0
    assert not room.any()
