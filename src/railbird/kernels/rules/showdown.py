"""From cards to chips: hand values at the showdown, and what every seat takes out of a finished hand.

Cards are in one array: all hole cards seat by seat, then the board.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, hand_value, small_hand_value
from railbird.kernels.rules.betting import (
    BOARD_CARDS,
    FOLDED,
    HOLE_CARDS,
    LIVE,
    MOST_SEATS,
    PAID,
    SEATS,
    Vector,
)
from railbird.kernels.rules.pots import PARTS, award, collect_all

SMALL_HAND = 5  # hands of fewer cards rank by pairs and ranks only, as in Kuhn and Leduc poker
LOWER, EQUAL, HIGHER = range(3)


@njit(cache=True, borrows=True)
def showdown_values(
    rules: Vector, state: Vector, cards: Vector, tables: NDArray[np.uint16], values: Vector
) -> None:
    """Write the value of every seat's hand, −1 for those that folded."""
    hole = rules[HOLE_CARDS]
    board = rules[BOARD_CARDS]
    board_start = rules[SEATS] * hole
    if hole + board < SMALL_HAND:
        _small_values(rules, state, cards, values)
        return
    board_key = EMPTY_KEY
    board_mask = np.uint64(0)
    for place in range(board_start, board_start + board):
        board_key += CARD_KEYS[cards[place]]
        board_mask |= CARD_MASKS[cards[place]]
    for seat in range(rules[SEATS]):
        values[seat] = -1
        if not (state[FOLDED] >> seat) & 1:
            key = board_key
            mask = board_mask
            for place in range(seat * hole, seat * hole + hole):
                key += CARD_KEYS[cards[place]]
                mask |= CARD_MASKS[cards[place]]
            values[seat] = hand_value(key, mask, tables)


@njit(cache=True, internal=True)
def order_of_two(rules: Vector, cards: Vector, tables: NDArray[np.uint16]) -> int:
    """`LOWER`, `EQUAL` or `HIGHER`: how the first of two hands compares with the second at the showdown."""
    hole = rules[HOLE_CARDS]
    board_key = EMPTY_KEY
    board_mask = np.uint64(0)
    for place in range(2 * hole, 2 * hole + rules[BOARD_CARDS]):
        board_key += CARD_KEYS[cards[place]]
        board_mask |= CARD_MASKS[cards[place]]
    first_key = second_key = board_key
    first_mask = second_mask = board_mask
    for place in range(hole):
        first_key += CARD_KEYS[cards[place]]
        first_mask |= CARD_MASKS[cards[place]]
        second_key += CARD_KEYS[cards[hole + place]]
        second_mask |= CARD_MASKS[cards[hole + place]]
    first = np.int64(hand_value(first_key, first_mask, tables))
    second = np.int64(hand_value(second_key, second_mask, tables))
    return int(EQUAL + (first > second) - (first < second))


@njit(cache=True)
def _small_values(rules: Vector, state: Vector, cards: Vector, values: Vector) -> None:
    hole = rules[HOLE_CARDS]
    board = rules[BOARD_CARDS]
    board_start = rules[SEATS] * hole
    hand = np.empty(SMALL_HAND, dtype=np.int64)
    for place in range(board):
        hand[place] = cards[board_start + place]
    for seat in range(rules[SEATS]):
        values[seat] = -1
        if not (state[FOLDED] >> seat) & 1:
            for place in range(hole):
                hand[board + place] = cards[seat * hole + place]
            values[seat] = small_hand_value(hand, board + hole)


@njit(cache=True)
def settle(rules: Vector, state: Vector, cards: Vector, tables: NDArray[np.uint16], payoffs: Vector) -> None:
    """Write what every seat won or lost in a finished hand, in parts of a chip (`pots.PARTS`)."""
    if state[LIVE] == 1:
        payoffs[:] = 0
        collect_all(rules, state, payoffs)
        return
    values = np.empty(MOST_SEATS, dtype=np.int64)
    showdown_values(rules, state, cards, tables, values)
    settle_values(rules, state, values, payoffs)


@njit(cache=True, internal=True, borrows=True)
def settle_values(rules: Vector, state: Vector, values: Vector, payoffs: Vector) -> None:
    """Write what every seat won or lost at a showdown, in parts of a chip; `values` are the hands, higher is better."""
    award(rules, state, values, payoffs)
    for seat in range(rules[SEATS]):
        payoffs[seat] -= state[PAID + seat] * PARTS
