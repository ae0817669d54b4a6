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

# Of signed numbers, compiled code checks in each step whether they count from an array's end.
_U = np.uint64
_SUITS, _RANKS, _DECK = _U(4), _U(13), _U(52)
_FLUSH = 5
_NO_MASK = _U(0)


@njit(cache=True, internal=True)
def values_of_holdings(
    board: NDArray[np.int64], tables: NDArray[np.uint16], values: NDArray[np.uint16]
) -> None:
    """Write the value of every holding on a board of three, four or five cards; 0 for one that the board blocks."""
    key = EMPTY_KEY
    in_suits = 0  # four bits for each
    for card in board:
        key += RANK_ONLY_KEYS[card >> 2]
        in_suits += 1 << (4 * (card & 3))
    # Of all ranks before any is copied: the processor would have to wait for what has just been written in small parts.
    by_low_card = np.empty(_RANKS * _DECK, dtype=np.uint16)
    for rank in range(_RANKS):
        with_rank = key + RANK_ONLY_KEYS[rank]
        for low in range(rank + _U(1)):
            value = hand_value(with_rank + RANK_ONLY_KEYS[low], _NO_MASK, tables)
            for suit in range(_SUITS):
                by_low_card[_DECK * rank + _SUITS * low + suit] = value
    for high in range(_U(1), _DECK):
        first = _first_holding(high)
        first_value = _DECK * (high >> _U(2))
        for low in range(high):
            values[first + low] = by_low_card[first_value + low]
    for suit in range(4):
        on_board = (in_suits >> (4 * suit)) & 0xF
        if on_board + 2 >= _FLUSH:
            _write_flushes(board, suit, on_board, tables, values)
    for card in board:
        blocked = _U(card)
        for low in range(blocked):
            values[_first_holding(blocked) + low] = 0
        for high in range(blocked + _U(1), _DECK):
            values[_first_holding(high) + blocked] = 0


@njit(forceinline=True)
def _first_holding(high: "int | np.uint64") -> np.uint64:
    """The index of the first holding with this high card."""
    return (_U(high) * (_U(high) - _U(1))) >> _U(1)


@njit(cache=True)
def _write_flushes(
    board: NDArray[np.int64], suit: int, on_board: int, tables: NDArray[np.uint16], values: NDArray[np.uint16]
) -> None:
    """Write the values of all holdings that make a flush of a suit with the board."""
    mask = _NO_MASK
    for card in board:
        if card & 3 == suit:
            mask |= CARD_MASKS[card]
    for high in range(_U(1), _DECK):
        high_fits = high & _U(3) == _U(suit)
        with_high = mask | CARD_MASKS[high] if high_fits else mask
        needed = _FLUSH - on_board - (1 if high_fits else 0)
        first = _first_holding(high)
        if needed <= 0:
            for low in range(high):
                with_low = with_high | CARD_MASKS[low] if low & _U(3) == _U(suit) else with_high
                values[first + low] = suited_value(with_low, suit, tables)
        elif needed == 1:
            for low in range(_U(suit), high, _SUITS):
                values[first + low] = suited_value(with_high | CARD_MASKS[low], suit, tables)


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
