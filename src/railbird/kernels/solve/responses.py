"""The best response to a strategy in a table, for sixteen betting histories at once.

Walks are programs of `kernels.solve.programs`. The opponent plays what stands in the table, in parts of 255; UPDATE
takes the best of the seat's actions for every holding; MATCH and AVERAGE have nothing to do. On flop and turn a walk
has a row for each of the 1,326 holdings, on the river one for each that is live, by strength.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.solve.boards import LIVE, Board, BoardRoom, order_holdings
from railbird.kernels.solve.buckets import BucketRoom, Buckets, find_river_buckets
from railbird.kernels.solve.ends import clear, win_showdown, win_showdown_or_fold, win_uncontested
from railbird.kernels.solve.lanes import LANES, load, load_bytes, maximum, splat, store, total
from railbird.kernels.solve.programs import (
    AVERAGE,
    DEPTH,
    END,
    FOLD,
    GATHER,
    HAND_DOWN,
    LETTER,
    LETTERS,
    MATCH,
    MAY_FOLD,
    MAY_RAISE,
    OUT,
    REACH,
    ROW,
    SEND,
    SHOWDOWN,
    SHOWDOWN_OR_FOLD,
    SKIP,
    STRIDE,
    TAKE_UP,
    UPDATE,
    WHAT,
    gather,
    hand_down,
    take_up,
)

_PART = np.float32(1 / 255)


class Hands(NamedTuple):
    """The holdings of a walk, a row each."""

    high: NDArray[np.int64]
    low: NDArray[np.int64]
    buckets: NDArray[np.int64]
    ties: NDArray[np.int64]
    """Where groups of equal holdings end, for walks that come to showdowns."""


class Room(NamedTuple):
    """Where a walk keeps what it is working on."""

    reach: NDArray[np.float32]
    values: NDArray[np.float32]
    cards: NDArray[np.float32]


@njit(cache=True, nogil=True)
def respond(
    program: NDArray[np.int64],
    batch: int,
    hands: Hands,
    payoffs: NDArray[np.float32],
    table: NDArray[np.uint8],
    passing: NDArray[np.float32],
    onward: NDArray[np.int64],
    room: Room,
) -> None:
    """Do the steps of a program for one batch of histories.

    The opponent's range at the start stands in the first rows of `room.reach`, the value of the best response comes
    into the first rows of `room.values`.
    """
    rows = len(hands.high)
    step = 0
    while step < len(program):
        now = program[step]
        what = now[WHAT]
        reach = now[REACH] * rows
        out = now[OUT] * rows
        children = (1 + LETTERS * now[DEPTH]) * rows
        step += 1
        if what in (MATCH, AVERAGE):
            continue
        if what == SEND:
            row = now[ROW] + batch * now[STRIDE] + now[LETTER]
            if not _send(table, row, hands.buckets, room.reach, reach, out):
                step = now[SKIP]
                clear(room.values, children + now[LETTER] * rows, rows)
        elif what == FOLD:
            stake = load(payoffs, now[END] + batch * now[STRIDE])
            win_uncontested(room.reach, reach, hands.high, hands.low, stake, room.cards, room.values, out)
        elif what == SHOWDOWN:
            stake = load(payoffs, now[END] + batch * now[STRIDE])
            win_showdown(
                room.reach, reach, hands.high, hands.low, hands.ties, stake, room.cards, room.values, out
            )
        elif what == SHOWDOWN_OR_FOLD:
            at = now[END] + batch * now[STRIDE]
            win_showdown_or_fold(
                room.reach,
                reach,
                hands.high,
                hands.low,
                hands.ties,
                load(payoffs, at + 1),
                load(payoffs, at),
                room.cards,
                room.values,
                out + rows,
                out,
            )
        elif what == UPDATE:
            _best(now[LETTER], room.values, children, rows, out)
        elif what == GATHER:
            gather(now[LETTER], room.values, children, rows, out)
        else:
            ahead = batch * len(onward) * LANES
            if what == HAND_DOWN:
                hand_down(room.reach, reach, rows, onward[now[END]], ahead, passing)
            else:
                assert what == TAKE_UP
                take_up(passing, onward[now[END]], ahead, rows, room.values, out)


@njit(cache=True, nogil=True)
def _send(
    table: NDArray[np.uint8],
    row: int,
    buckets: NDArray[np.int64],
    ranges: NDArray[np.float32],
    reach: int,
    out: int,
) -> bool:
    """The opponent's range after an action; returns whether anything is left of it."""
    part = splat(_PART)
    whole = splat(np.float32(0))
    for place in range(len(buckets)):
        share = part * load_bytes(table, row + LETTERS * buckets[place])
        left = load(ranges, reach + place) * share
        whole = whole + left
        store(ranges, out + place, left)
    return total(whole) > np.float32(0)  # type: ignore[no-any-return]


@njit(cache=True, nogil=True)
def _best(letters: int, values: NDArray[np.float32], first: int, rows: int, out: int) -> None:
    for place in range(rows):
        value = load(values, first + rows + place)
        if letters & MAY_FOLD:
            value = maximum(value, load(values, first + place))
        if letters & MAY_RAISE:
            value = maximum(value, load(values, first + 2 * rows + place))
        store(values, out + place, value)


@njit(cache=True, nogil=True)
def respond_on_river(
    program: NDArray[np.int64],
    cards: NDArray[np.uint8],
    images: NDArray[np.int64],
    evaluator: NDArray[np.uint16],
    buckets: Buckets,
    payoffs: NDArray[np.float32],
    table: NDArray[np.uint8],
    ranges: NDArray[np.float32],
    values: NDArray[np.float32],
    board: Board,
    board_room: BoardRoom,
    bucket_room: BucketRoom,
    room: Room,
) -> None:
    """Add the values of the best response on one river, by batch and holding, for each of its images.

    `ranges` has the opponent's ranges by batch and holding. Rivers that differ only in the names of suits are worked
    out once: a row of `images` says which holding every holding is on another one of them.
    """
    order_holdings(cards, evaluator, board_room, board)
    find_river_buckets(cards, buckets, 0, bucket_room, board)
    hands = Hands(board.high, board.low, board.buckets[3], board.ties)
    nowhere = np.empty((0, 0), dtype=np.int64)
    holdings = ranges.shape[1]
    for batch in range(len(ranges)):
        whole = splat(np.float32(0))
        for row in range(LIVE):
            met = load(ranges, batch * holdings + board.holdings[row])
            whole = whole + met
            store(room.reach, row, met)
        if total(whole) > np.float32(0):
            respond(program, batch, hands, payoffs, table, ranges, nowhere, room)
            for image in range(len(images)):
                for row in range(LIVE):
                    to = batch * holdings + images[image, board.holdings[row]]
                    store(values, to, load(values, to) + load(room.values, row))
