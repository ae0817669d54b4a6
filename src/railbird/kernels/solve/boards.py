"""The holdings of one full board: by strength, and in which bucket each of them is on every street."""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.hands.isomorphism import situations_of_board
from railbird.kernels.strength.board import Comparison, compare_all, comparison
from railbird.kernels.strength.comparison import live_cards
from railbird.kernels.strength.places import MOST_PLACES

LIVE = 1081
"""The holdings that a full board leaves."""
STREETS = 4


class Buckets(NamedTuple):
    """A card abstraction as compiled code reads it."""

    classes: NDArray[np.uint16]
    """Before the flop: the bucket of every holding."""
    flop: NDArray[np.uint16]
    """The bucket of every situation of a flop, as `kernels.hands.isomorphism` numbers them."""
    turn: NDArray[np.uint16]
    river: NDArray[np.uint16]
    """The bucket of every score on the river (`kernels.strength.tables.RIVER_SCORES`)."""


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
    """By street, the bucket of each of them."""
    slots: NDArray[np.int64]
    """By street, the number of each one's bucket among those that occur."""
    present: NDArray[np.int64]
    """By street, the buckets that occur, by slot."""
    slot_counts: NDArray[np.int64]


class BoardRoom(NamedTuple):
    """Where a board is worked out."""

    ones: NDArray[np.int32]
    now: Comparison
    situations: NDArray[np.int64]
    marks: NDArray[np.int64]


@njit(cache=True, nogil=True)
def board_room(most_buckets: int) -> BoardRoom:
    """Room for working out boards, for streets of at most so many buckets."""
    ones = np.ones(HOLDINGS, dtype=np.int32)
    return BoardRoom(
        ones, comparison(ones), np.empty(HOLDINGS, dtype=np.int64), np.full(most_buckets, -1, dtype=np.int64)
    )


@njit(cache=True, nogil=True)
def empty_board() -> Board:
    """A board that is not yet worked out."""
    return Board(
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(LIVE, dtype=np.int64),
        np.zeros(MOST_PLACES + 1, dtype=np.int64),
        np.zeros((STREETS, LIVE), dtype=np.int64),
        np.zeros((STREETS, LIVE), dtype=np.int64),
        np.zeros((STREETS, LIVE), dtype=np.int64),
        np.zeros(STREETS, dtype=np.int64),
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


@njit(cache=True, nogil=True)
def find_buckets(cards: NDArray[np.uint8], buckets: Buckets, room: BoardRoom, board: Board) -> None:
    """Write the buckets of the ordered holdings on all streets, and number those that occur."""
    for row in range(LIVE):
        board.buckets[0, row] = buckets.classes[board.holdings[row]]
        board.buckets[3, row] = buckets.river[board.scores[row]]
    situations_of_board(cards[:3], room.situations)
    for row in range(LIVE):
        board.buckets[1, row] = buckets.flop[room.situations[board.holdings[row]]]
    situations_of_board(cards[:4], room.situations)
    for row in range(LIVE):
        board.buckets[2, row] = buckets.turn[room.situations[board.holdings[row]]]
    for street in range(STREETS):
        count = 0
        for row in range(LIVE):
            bucket = board.buckets[street, row]
            if room.marks[bucket] < 0:
                room.marks[bucket] = count
                board.present[street, count] = bucket
                count += 1
            board.slots[street, row] = room.marks[bucket]
        board.slot_counts[street] = count
        for slot in range(count):
            room.marks[board.present[street, slot]] = -1


@njit(cache=True, nogil=True)
def buckets_of_board(cards: NDArray[np.uint8], table: NDArray[np.uint16], out: NDArray[np.int64]) -> None:
    """The bucket of every holding on a flop or turn; −1 where the board blocks it."""
    situations = np.empty(HOLDINGS, dtype=np.int64)
    situations_of_board(cards, situations)
    for holding in range(HOLDINGS):
        out[holding] = -1 if situations[holding] < 0 else table[situations[holding]]


@njit(inline="always")
def holds(holding: int, card: int) -> bool:
    """Whether a holding contains a card."""
    return HIGH_CARDS[holding] == card or LOW_CARDS[holding] == card  # type: ignore[no-any-return]
