"""The holdings of one full board, ascending by strength."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.kernels.strength.board import Comparison, compare_all, comparison
from railbird.kernels.strength.comparison import live_cards
from railbird.kernels.strength.places import MOST_PLACES

LIVE = 1081
"""The holdings that a full board leaves."""
STREETS = 4
BOOKS = 2
"""Seats may have different card abstractions: the first book is of one seat or of both, the second of the other."""


class Board(NamedTuple):
    """The live holdings of a full board, ascending by strength."""

    holdings: NDArray[np.int64]
    high: NDArray[np.int64]
    """The higher card of each of them."""
    low: NDArray[np.int64]
    scores: NDArray[np.int64]
    ties: NDArray[np.int64]
    """Where each group of equal holdings ends; after the last group, zeros."""
    buckets: NDArray[np.int64]
    """By book and street (row STREETS · book + street), the bucket of each of them."""
    slots: NDArray[np.int64]
    """The number of each one's bucket among those that occur."""
    present: NDArray[np.int64]
    """The buckets that occur, by slot."""
    slot_counts: NDArray[np.int64]


class BoardRoom(NamedTuple):
    """Where holdings are compared."""

    ones: NDArray[np.int32]
    now: Comparison


@njit(cache=True, nogil=True)
def board_room() -> BoardRoom:
    """Room for putting holdings in order."""
    ones = np.ones(HOLDINGS, dtype=np.int32)
    return BoardRoom(ones, comparison(ones))


@njit(cache=True, nogil=True)
def empty_board() -> Board:
    """A board that is not yet worked out."""
    return Board(
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(MOST_PLACES + 1, dtype=np.int64),
        np.zeros((BOOKS * STREETS, LIVE), dtype=np.int64),
        np.zeros((BOOKS * STREETS, LIVE), dtype=np.int64),
        np.zeros((BOOKS * STREETS, LIVE), dtype=np.int64),
        np.zeros(BOOKS * STREETS, dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def order_holdings(
    cards: NDArray[np.uint8], tables: NDArray[np.uint16], room: BoardRoom, board: Board
) -> None:
    """Put the live holdings of five cards in the order of their strength."""
    now = room.now
    whole = cards.astype(np.int64)
    compare_all(whole, room.ones, tables, now)
    live = live_cards(whole)
    ends = board.ties
    ends[:] = 0
    for i in range(live.size):
        for j in range(i):
            ends[now.places[now.values[live[i] * (live[i] - 1) // 2 + live[j]]] + 1] += 1
    places = 0
    while places + 1 < ends.size and ends[places + 1] > 0:
        places += 1
        ends[places] += ends[places - 1]
    # ends[place] is where a place begins; writing its holdings moves it to where the place ends.
    for i in range(live.size):
        for j in range(i):
            holding = live[i] * (live[i] - 1) // 2 + live[j]
            place = now.places[now.values[holding]]
            row = ends[place]
            ends[place] += 1
            board.holdings[row] = holding
            board.high[row] = live[i]
            board.low[row] = live[j]
            board.scores[row] = now.scores[holding]
    ends[places] = 0
