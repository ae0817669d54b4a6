"""The hand type of every holding on one board.

A hand type is a band of hand values (`railbird.hands.types` explains why), so a type is one more lookup after
the evaluation.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, hand_value
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS

BLOCKED = -1
"""The entry of a holding that shares a card with the board."""


@njit(cache=True)
def holding_types(
    board: NDArray[np.uint8],
    type_of_value: NDArray[np.int8],
    tables: NDArray[np.uint16],
    types: NDArray[np.int8],
) -> None:
    """Write the type of each of the 1,326 holdings on a board of three to five cards, −1 if it is blocked."""
    board_key = EMPTY_KEY
    board_mask = np.uint64(0)
    for card in board:
        board_key += CARD_KEYS[card]
        board_mask |= CARD_MASKS[card]
    for holding in range(HOLDINGS):
        high, low = HIGH_CARDS[holding], LOW_CARDS[holding]
        hole_mask = CARD_MASKS[high] | CARD_MASKS[low]
        if hole_mask & board_mask:
            types[holding] = BLOCKED
        else:
            key = board_key + CARD_KEYS[high] + CARD_KEYS[low]
            types[holding] = type_of_value[hand_value(key, hole_mask | board_mask, tables)]
