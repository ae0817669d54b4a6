"""Hand strength by comparing with a sample of holdings: for boards that occur once, where all are too expensive."""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, hand_value
from railbird.kernels.hands.holdings import HIGH_CARDS, LOW_CARDS
from railbird.kernels.rules.betting import Vector
from railbird.kernels.showdown.joint_draws import CARD_BITS, HOLDING_BITS

# Cards are signed here, because numba turns signed with unsigned 64-bit numbers into floats.
_HIGH_CARDS, _LOW_CARDS = HIGH_CARDS.astype(np.int64), LOW_CARDS.astype(np.int64)
_NOTHING = np.uint64(0)


@njit(cache=True, borrows=True)
def compared_values(
    board: Vector, others: Vector, tables: NDArray[np.uint16], values: NDArray[np.int64]
) -> None:
    """Write the values of holdings on a board, −1 where the board blocks them."""
    board_key = EMPTY_KEY
    board_mask = _NOTHING
    board_bits = _NOTHING
    for card in board:
        board_key += CARD_KEYS[card]
        board_mask |= CARD_MASKS[card]
        board_bits |= CARD_BITS[card]
    for place in range(len(others)):
        other = others[place]
        if HOLDING_BITS[other] & board_bits:
            values[place] = -1
        else:
            high, low = _HIGH_CARDS[other], _LOW_CARDS[other]
            key = board_key + CARD_KEYS[high] + CARD_KEYS[low]
            values[place] = hand_value(key, board_mask | CARD_MASKS[high] | CARD_MASKS[low], tables)


@njit(cache=True, borrows=True)
def compared_strength(
    holding: int,
    board: Vector,
    others: NDArray[np.uint64],
    values: NDArray[np.int64],
    tables: NDArray[np.uint16],
) -> float:
    """The share of the compared holdings that a holding beats, ties half; one half where none is possible.

    The others are given as sets of two cards, and by their values.
    """
    key = EMPTY_KEY
    mask = _NOTHING
    for card in board:
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    high, low = _HIGH_CARDS[holding], _LOW_CARDS[holding]
    key += CARD_KEYS[high] + CARD_KEYS[low]
    own = np.int64(hand_value(key, mask | CARD_MASKS[high] | CARD_MASKS[low], tables))
    bits = HOLDING_BITS[holding]
    score = np.int64(0)
    possible = np.int64(0)
    for place in range(len(others)):
        value = values[place]
        # Without a branch, several places are compared at once.
        counts = np.int64(value >= 0) & np.int64(others[place] & bits == _NOTHING)
        possible += 2 * counts
        score += counts * (np.int64(own > value) + np.int64(own >= value))
    return float(score) / possible if possible else 0.5
