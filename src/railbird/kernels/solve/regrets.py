"""Counterfactual regret minimisation for sixteen betting histories at once, on one sampled board.

A *program* walks a part of the betting tree in order, without recursion: a row of numbers for every step, made by
`railbird.strategies.streets`. What it walks has the same shape for every betting history, so one walk serves sixteen
of them. Of the columns of a step

    WHAT      is one of the steps below
    STREET    says which buckets count
    ROW       is the first row of the decision's regrets for the first batch of histories,
    STRIDE    how many rows later those of the next batch are
    DEPTH     is where the decision keeps its strategy, and its children their values
    REACH     is where the range of the opponent stands
    OUT       is where the value goes, or for SEND the range of the opponent after the letter
    LETTER    is the action (fold, call, raise); for MATCH and UPDATE, the possible ones as bits
    END       is which payoff counts, or which part of the tree follows
    SKIP      is where to go on when the opponent never comes there

and the steps are

    MATCH                regrets to a strategy: in proportion to the positive ones
    AVERAGE              add the opponent's strategy, weighted with its range, to the average strategy
    SEND                 the opponent's range after one of its actions
    FOLD, SHOWDOWN       what holdings win at the end of a hand
    SHOWDOWN_OR_FOLD     both at once where the seat itself decides between them
    UPDATE               add to the regrets of the seat; its value is the mean over its strategy
    GATHER               the sum over the opponent's actions
    HAND_DOWN            give the opponent's range to the next part of the tree
    TAKE_UP              take the value from there
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from railbird.kernels.solve.boards import LIVE, Board
from railbird.kernels.solve.ends import clear, win_showdown, win_showdown_or_fold, win_uncontested
from railbird.kernels.solve.lanes import LANES, load, maximum, splat, store, total, where_positive

WHAT, STREET, ROW, STRIDE, DEPTH, REACH, OUT, LETTER, END, SKIP = range(10)
COLUMNS = 10
MATCH, AVERAGE, SEND, FOLD, SHOWDOWN, SHOWDOWN_OR_FOLD, UPDATE, GATHER, HAND_DOWN, TAKE_UP = range(10)
LETTERS = 3
MAY_FOLD, MAY_RAISE = 1, 4

_LEAST = np.float32(1e-30)


class Learned(NamedTuple):
    """What a solver has learnt: a row of lanes for every decision, bucket and action."""

    regrets: NDArray[np.float32]
    sums: NDArray[np.float32]
    """The weighted sum of all strategies."""


class Room(NamedTuple):
    """Where a walk keeps what it is working on; every thread has its own."""

    reach: NDArray[np.float32]
    values: NDArray[np.float32]
    strategy: NDArray[np.float32]
    by_slot: NDArray[np.float32]
    cards: NDArray[np.float32]


@njit(cache=True, nogil=True)
def walk(
    program: NDArray[np.int64],
    batch: int,
    weight: float,
    board: Board,
    payoffs: NDArray[np.float32],
    learned: Learned,
    passing: NDArray[np.float32],
    onward: NDArray[np.int64],
    room: Room,
) -> None:
    """Do the steps of a program for one batch of histories.

    The opponent's range at the start stands in the first rows of `room.reach`, the value of the walk comes into the
    first rows of `room.values`. `onward` says for every end and lane in which row block and lane of `passing` the
    history goes on, −1 where there is none.
    """
    step = 0
    while step < len(program):
        now = program[step]
        what = now[WHAT]
        row = now[ROW] + batch * now[STRIDE]
        slots = board.slots[now[STREET]]
        present = board.present[now[STREET]]
        count = board.slot_counts[now[STREET]]
        reach = now[REACH] * LIVE
        out = now[OUT] * LIVE
        plan = now[DEPTH] * LIVE * LETTERS
        step += 1
        if what == MATCH:
            _match(learned.regrets, row, present, count, now[LETTER], room.strategy, plan)
        elif what == AVERAGE:
            _average(learned.sums, row, present, count, slots, weight, room, reach, plan)
        elif what == SEND:
            if not _send(slots, now[LETTER], room, reach, plan, out):
                step = now[SKIP]
                clear(room.values, (1 + LETTERS * now[DEPTH] + now[LETTER]) * LIVE, LIVE)
        elif what == FOLD:
            stake = load(payoffs, now[END] + batch * now[STRIDE])
            win_uncontested(room.reach, reach, board.high, board.low, stake, room.cards, room.values, out)
        elif what == SHOWDOWN:
            stake = load(payoffs, now[END] + batch * now[STRIDE])
            win_showdown(
                room.reach, reach, board.high, board.low, board.ties, stake, room.cards, room.values, out
            )
        elif what == SHOWDOWN_OR_FOLD:
            at = now[END] + batch * now[STRIDE]
            win_showdown_or_fold(
                room.reach,
                reach,
                board.high,
                board.low,
                board.ties,
                load(payoffs, at + 1),
                load(payoffs, at),
                room.cards,
                room.values,
                out + LIVE,
                out,
            )
        elif what == UPDATE:
            _update(
                learned.regrets, row, present, count, slots, weight, now[LETTER], room, now[DEPTH], plan, out
            )
        elif what == GATHER:
            _gather(now[LETTER], room.values, (1 + LETTERS * now[DEPTH]) * LIVE, out)
        elif what == HAND_DOWN:
            _hand_down(room.reach, reach, onward[now[END]], passing)
        else:
            _take_up(passing, onward[now[END]], room.values, out)


@njit(cache=True, nogil=True)
def _match(
    regrets: NDArray[np.float32],
    row: int,
    present: NDArray[np.int64],
    count: int,
    letters: int,
    strategy: NDArray[np.float32],
    plan: int,
) -> None:
    folds = np.float32(letters & 1)
    raises = np.float32(letters >> 2)
    share = np.float32(1) / (np.float32(1) + folds + raises)
    zero, one, least = splat(np.float32(0)), splat(np.float32(1)), splat(_LEAST)
    even_fold, even_call, even_raise = splat(share * folds), splat(share), splat(share * raises)
    for slot in range(count):
        at = row + LETTERS * present[slot]
        fold = maximum(load(regrets, at), zero)
        call = maximum(load(regrets, at + 1), zero)
        bet = maximum(load(regrets, at + 2), zero)
        whole = fold + call + bet
        part = one / maximum(whole, least)
        to = plan + LETTERS * slot
        store(strategy, to, where_positive(whole, fold * part, even_fold))
        store(strategy, to + 1, where_positive(whole, call * part, even_call))
        store(strategy, to + 2, where_positive(whole, bet * part, even_raise))


@njit(cache=True, nogil=True)
def _average(
    sums: NDArray[np.float32],
    row: int,
    present: NDArray[np.int64],
    count: int,
    slots: NDArray[np.int64],
    weight: float,
    room: Room,
    reach: int,
    plan: int,
) -> None:
    clear(room.by_slot, 0, count)
    for place in range(LIVE):
        slot = slots[place]
        store(room.by_slot, slot, load(room.by_slot, slot) + load(room.reach, reach + place))
    factor = splat(np.float32(weight))
    for slot in range(count):
        come = factor * load(room.by_slot, slot)
        at = row + LETTERS * present[slot]
        of = plan + LETTERS * slot
        for letter in range(LETTERS):
            store(sums, at + letter, load(sums, at + letter) + come * load(room.strategy, of + letter))


@njit(cache=True, nogil=True)
def _send(slots: NDArray[np.int64], letter: int, room: Room, reach: int, plan: int, out: int) -> bool:
    """Returns whether anything is left of the range."""
    whole = splat(np.float32(0))
    for place in range(LIVE):
        left = load(room.reach, reach + place) * load(room.strategy, plan + LETTERS * slots[place] + letter)
        whole = whole + left
        store(room.reach, out + place, left)
    return total(whole) > np.float32(0)  # type: ignore[no-any-return]


@njit(cache=True, nogil=True)
def _update(
    regrets: NDArray[np.float32],
    row: int,
    present: NDArray[np.int64],
    count: int,
    slots: NDArray[np.int64],
    weight: float,
    letters: int,
    room: Room,
    depth: int,
    plan: int,
    out: int,
) -> None:
    fold = (1 + LETTERS * depth) * LIVE
    call, bet = fold + LIVE, fold + 2 * LIVE
    values, strategy, sums = room.values, room.strategy, room.by_slot
    clear(sums, 0, LETTERS * count)
    for place in range(LIVE):
        slot = LETTERS * slots[place]
        gained = load(values, call + place)
        store(sums, slot + 1, load(sums, slot + 1) + gained)
        mean = gained * load(strategy, plan + slot + 1)
        if letters & MAY_FOLD:
            gained = load(values, fold + place)
            store(sums, slot, load(sums, slot) + gained)
            mean = mean + gained * load(strategy, plan + slot)
        if letters & MAY_RAISE:
            gained = load(values, bet + place)
            store(sums, slot + 2, load(sums, slot + 2) + gained)
            mean = mean + gained * load(strategy, plan + slot + 2)
        store(values, out + place, mean)
    factor = splat(np.float32(weight))
    for slot in range(count):
        at = row + LETTERS * present[slot]
        of = LETTERS * slot
        mean = load(sums, of + 1) * load(strategy, plan + of + 1)
        if letters & MAY_FOLD:
            mean = mean + load(sums, of) * load(strategy, plan + of)
        if letters & MAY_RAISE:
            mean = mean + load(sums, of + 2) * load(strategy, plan + of + 2)
        for letter in range(LETTERS):
            if (letters >> letter) & 1:
                more = factor * (load(sums, of + letter) - mean)
                store(regrets, at + letter, load(regrets, at + letter) + more)


@njit(cache=True, nogil=True)
def _gather(letters: int, values: NDArray[np.float32], first: int, out: int) -> None:
    for place in range(LIVE):
        value = load(values, first + LIVE + place)
        if letters & MAY_FOLD:
            value = value + load(values, first + place)
        if letters & MAY_RAISE:
            value = value + load(values, first + 2 * LIVE + place)
        store(values, out + place, value)


@njit(cache=True, nogil=True)
def _hand_down(
    reach: NDArray[np.float32], start: int, onward: NDArray[np.int64], passing: NDArray[np.float32]
) -> None:
    for lane in range(LANES):
        if onward[lane] >= 0:
            batch, to = onward[lane] // LANES, onward[lane] % LANES
            for place in range(LIVE):
                passing[batch, place, to] = reach[start + place, lane]


@njit(cache=True, nogil=True)
def _take_up(
    passing: NDArray[np.float32], onward: NDArray[np.int64], values: NDArray[np.float32], out: int
) -> None:
    clear(values, out, LIVE)
    for lane in range(LANES):
        if onward[lane] >= 0:
            batch, of = onward[lane] // LANES, onward[lane] % LANES
            for place in range(LIVE):
                values[out + place, lane] = passing[batch, place, of]
