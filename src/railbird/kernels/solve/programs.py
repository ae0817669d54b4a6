"""Walks through a betting tree as programs: a row of numbers for every step, for sixteen betting histories at once.

A program, written by `railbird.strategies.programs`, walks a part of the betting tree in order, without recursion. What
it walks has the same shape for every betting history, so one walk serves sixteen of them. Of the columns of a step

    WHAT      is one of the steps below
    STREET    says which buckets count: the book of the acting seat and the street
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

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.solve.ends import clear
from railbird.kernels.solve.lanes import LANES, load, store

WHAT, STREET, ROW, STRIDE, DEPTH, REACH, OUT, LETTER, END, SKIP = range(10)
COLUMNS = 10
MATCH, AVERAGE, SEND, FOLD, SHOWDOWN, SHOWDOWN_OR_FOLD, UPDATE, GATHER, HAND_DOWN, TAKE_UP = range(10)
LETTERS = 3
MAY_FOLD, MAY_RAISE = 1, 4


@njit(cache=True, nogil=True, internal=True)
def gather(letters: int, values: NDArray[np.float32], first: int, rows: int, out: int) -> None:
    """Add up the values of the possible actions, from row `first` on."""
    for place in range(rows):
        value = load(values, first + rows + place)
        if letters & MAY_FOLD:
            value = value + load(values, first + place)
        if letters & MAY_RAISE:
            value = value + load(values, first + 2 * rows + place)
        store(values, out + place, value)


@njit(cache=True, nogil=True, internal=True)
def hand_down(
    reach: NDArray[np.float32],
    start: int,
    rows: int,
    onward: NDArray[np.int64],
    ahead: int,
    passing: NDArray[np.float32],
) -> None:
    """Give the ranges of an end to the roots that follow: `onward` says by lane which, from number `ahead` on."""
    for lane in range(LANES):
        if onward[lane] >= 0:
            batch, to = (onward[lane] + ahead) // LANES, (onward[lane] + ahead) % LANES
            for place in range(rows):
                passing[batch, place, to] = reach[start + place, lane]


@njit(cache=True, nogil=True, internal=True)
def take_up(
    passing: NDArray[np.float32],
    onward: NDArray[np.int64],
    ahead: int,
    rows: int,
    values: NDArray[np.float32],
    out: int,
) -> None:
    """Take the values of an end from the roots that follow."""
    clear(values, out, rows)
    for lane in range(LANES):
        if onward[lane] >= 0:
            batch, of = (onward[lane] + ahead) // LANES, (onward[lane] + ahead) % LANES
            for place in range(rows):
                values[out + place, lane] = passing[batch, place, of]
