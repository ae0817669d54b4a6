"""Four hands at once have the sums that numpy finds for each."""

from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from railbird.kernels.hands.four_hands import can_add_four_hands, sums_of_four_hands

BY_RANK = [(rank * 0x9E37_79B9_7F4A_7C15) & 0xFF_FFFF_FFFF for rank in range(1, 14)]
BY_SUIT = [1 << 63, 0, 0xFFFF_FFFF_FFFF_FFFF, 3 << 20]
START = 0x0123_4567_89AB_CDEF

_sums = sums_of_four_hands(BY_RANK, BY_SUIT, START)


@njit(nogil=True)
def sums_from(hands: NDArray[np.uint8], row: int) -> Any:
    return _sums(hands, np.uint64(row))


@njit(nogil=True)
def can_add() -> bool:
    return can_add_four_hands()  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def needs_the_instructions() -> None:
    if not can_add():
        pytest.skip("this processor adds up hands one by one")


def added_one_by_one(hands: NDArray[np.uint8]) -> list[int]:
    return [
        (START + sum(BY_RANK[card >> 2] + BY_SUIT[card & 3] for card in hand)) % 2**64
        for hand in hands.tolist()
    ]


def test_sums_are_those_of_each_hand() -> None:
    hands = np.random.default_rng(4).integers(0, 52, (100, 7), dtype=np.uint8)
    for row in range(len(hands) - 3):
        assert [int(total) for total in sums_from(hands, row)] == added_one_by_one(hands[row : row + 4])


@pytest.mark.parametrize("card", range(52))
def test_every_card_counts_in_every_place(card: int) -> None:
    for place in range(28):
        hands = np.zeros(28, dtype=np.uint8)
        hands[place] = card
        rows = hands.reshape(4, 7)
        assert [int(total) for total in sums_from(rows, 0)] == added_one_by_one(rows)
