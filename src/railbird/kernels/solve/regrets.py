"""Counterfactual regret minimisation for sixteen betting histories at once, on one sampled board.

The walk is a program of `kernels.solve.programs`. MATCH makes a strategy of regrets, in proportion to the positive
ones; AVERAGE adds the opponent's strategy, weighted with its range, to the average strategy; UPDATE adds to the regrets
of the seat, whose value is the mean over its strategy.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.solve.boards import LIVE, Board
from railbird.kernels.solve.ends import clear, win_showdown, win_showdown_or_fold, win_uncontested
from railbird.kernels.solve.lanes import load, maximum, splat, store, total, where_positive
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
    STREET,
    STRIDE,
    UPDATE,
    WHAT,
    gather,
    hand_down,
    take_up,
)

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
            gather(now[LETTER], room.values, (1 + LETTERS * now[DEPTH]) * LIVE, LIVE, out)
        elif what == HAND_DOWN:
            hand_down(room.reach, reach, LIVE, onward[now[END]], 0, passing)
        else:
            take_up(passing, onward[now[END]], 0, LIVE, room.values, out)


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
