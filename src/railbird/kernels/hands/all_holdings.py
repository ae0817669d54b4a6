"""The values of all holdings on one board: what equities, ranges and solvers need.

Without a flush, a value depends on the ranks only: 91 lookups serve all holdings. All holdings with the same high card
are adjacent, so the values of each rank are written once for every possible low card and then copied in one piece.
Afterwards, holdings that make a flush get the flush's value: five cards of one suit leave no two cards that could make
a better hand than it.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import (
    CARD_MASKS,
    EMPTY_KEY,
    RANK_ONLY_KEYS,
    hand_value,
    suited_value,
)

_RANKS, _SUITS, _DECK = 13, 4, 52
_FLUSH = 5
_NO_MASK = np.uint64(0)


@njit(cache=True, internal=True)
def values_of_holdings(
    board: NDArray[np.int64], tables: NDArray[np.uint16], values: NDArray[np.uint16]
) -> None:
    """Write the value of every holding on a board of three, four or five cards; 0 for one that the board blocks."""
    key = EMPTY_KEY
    in_suit = np.zeros(_SUITS, dtype=np.int64)
    for card in board:
        key += RANK_ONLY_KEYS[card >> 2]
        in_suit[card & 3] += 1
    by_low_card = np.empty(_DECK, dtype=np.uint16)
    for rank in range(_RANKS):
        with_rank = key + RANK_ONLY_KEYS[rank]
        for low in range(rank + 1):
            value = hand_value(with_rank + RANK_ONLY_KEYS[low], _NO_MASK, tables)
            for suit in range(_SUITS):
                by_low_card[_SUITS * low + suit] = value
        for high in range(_SUITS * rank, _SUITS * (rank + 1)):
            first = high * (high - 1) // 2
            for low in range(high):
                values[first + low] = by_low_card[low]
    for suit in range(_SUITS):
        if in_suit[suit] + 2 >= _FLUSH:
            _write_flushes(board, suit, in_suit[suit], tables, values)
    for card in board:
        for low in range(card):
            values[card * (card - 1) // 2 + low] = 0
        for high in range(card + 1, _DECK):
            values[high * (high - 1) // 2 + card] = 0


@njit(cache=True)
def _write_flushes(
    board: NDArray[np.int64], suit: int, on_board: int, tables: NDArray[np.uint16], values: NDArray[np.uint16]
) -> None:
    """Write the values of all holdings that make a flush of a suit with the board."""
    mask = _NO_MASK
    for card in board:
        if card & 3 == suit:
            mask |= CARD_MASKS[card]
    needed = _FLUSH - on_board
    for high in range(_DECK):
        high_fits = high & 3 == suit
        if needed == 2 and not high_fits:
            continue
        with_high = mask | CARD_MASKS[high] if high_fits else mask
        first = high * (high - 1) // 2
        # Two cards are needed: only every fourth low card is of the suit.
        for low in range(suit, high, _SUITS) if needed == 2 else range(0, high, 1):
            low_fits = low & 3 == suit
            if needed == 1 and not (high_fits or low_fits):
                continue
            with_low = with_high | CARD_MASKS[low] if low_fits else with_high
            values[first + low] = suited_value(with_low, suit, tables)


@njit(cache=True)
def values_on_boards(
    boards: NDArray[np.uint8], tables: NDArray[np.uint16], values: NDArray[np.uint16]
) -> None:
    """Write the values of all holdings on each of the boards, a row for each."""
    board = np.empty(boards.shape[1], dtype=np.int64)
    for row in range(boards.shape[0]):
        for place in range(boards.shape[1]):
            board[place] = boards[row, place]
        values_of_holdings(board, tables, values[row])
