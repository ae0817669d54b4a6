"""How often every holding beats every other one over all boards, before the flop.

Renaming suits turns the boards of one class into each other, so it is enough to look at one board of each of
the 134,459 classes. Let D be the number of boards in the class of B, and A[i, j] the sum of D over those B on
which holding i beats holding j. The number of all boards on which i beats j is then the mean of A[σi, σj]
over the 24 renamings σ. No pair of holdings is looked at by itself: for a fixed i and B, one pass over the
values of all j is a vector operation.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS, holding_index
from railbird.kernels.hands.isomorphism import deals_of_sets, list_cards, situation_sets
from railbird.kernels.showdown.equity import board_sums, value_on

BATCH = 64
"""Boards at a time: their values stay in the nearest caches, and 64 · 24 wins fit into sixteen bits."""
_BLOCKED = np.int16(32767)
_NO_WIN = np.int16(0)


@njit(cache=True)
def add_wins(first: int, beyond: int, tables: NDArray[np.uint16], wins: NDArray[np.int32]) -> None:
    """Add D · [i beats j] to `wins[i, j]` for the boards of the classes from `first` to before `beyond`."""
    values = np.empty((BATCH, HOLDINGS), dtype=np.int16)
    deals = np.empty(BATCH, dtype=np.int16)
    row = np.empty(HOLDINGS, dtype=np.int16)
    board = np.empty(5, dtype=np.uint8)
    for batch in range(first, beyond, BATCH):
        boards = min(BATCH, beyond - batch)
        for number in range(boards):
            hole_set, board_set = situation_sets(batch + number, 0, 5)
            list_cards(board_set, board)
            deals[number] = deals_of_sets(hole_set, board_set)
            key, mask = board_sums(board)
            for holding in range(HOLDINGS):
                value = np.int16(value_on(key, mask, holding, tables))
                values[number, holding] = value if value else _BLOCKED
        for holding in range(HOLDINGS):
            row[:] = 0
            for number in range(boards):
                own = values[number, holding]
                if own != _BLOCKED:
                    others = values[number]
                    won = deals[number]
                    for other in range(HOLDINGS):
                        row[other] += won if others[other] < own else _NO_WIN
            for other in range(HOLDINGS):
                wins[holding, other] += row[other]


@njit(cache=True)
def rename_and_average(wins: NDArray[np.int32], renamings: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The mean of `wins` over all renamings; 0 where two holdings share a card."""
    renamed = np.empty((len(renamings), HOLDINGS), dtype=np.int64)
    for number in range(len(renamings)):
        for holding in range(HOLDINGS):
            high = renamings[number, HIGH_CARDS[holding]]
            low = renamings[number, LOW_CARDS[holding]]
            renamed[number, holding] = holding_index(high, low)
    averaged = np.zeros((HOLDINGS, HOLDINGS), dtype=np.int32)
    for one in range(HOLDINGS):
        for other in range(HOLDINGS):
            if (
                HIGH_CARDS[one] == HIGH_CARDS[other]
                or HIGH_CARDS[one] == LOW_CARDS[other]
                or LOW_CARDS[one] == HIGH_CARDS[other]
                or LOW_CARDS[one] == LOW_CARDS[other]
            ):
                continue
            total = np.int64(0)
            for number in range(len(renamings)):
                total += wins[renamed[number, one], renamed[number, other]]
            averaged[one, other] = total // len(renamings)
    return averaged
