"""Potential of all holdings of a flop or turn at once, against any number of ranges: exact sums over all run-outs.

The table of baycarp-2011 fig. 6.4 (ahead, tied or behind now × later) for every holding:

1. For every run-out, evaluate all holdings, and replace every value by its place among the values that occur
   (`strength.places`), counted from one. A holding that a run-out blocks gets the place 0.
2. For every two holdings that share no card, count the run-outs after which the first is placed higher, and those
   after which it is placed lower. A row of places is bytes in whole blocks, so the compiler compares many at a time.
3. A holding that a run-out blocks is placed lower than one that it does not block. How many run-outs block just one
   of two holdings does not depend on the holdings: subtract that number.
4. Give the counts to both holdings, each with the other's weight. All ranges share the comparisons.

With whole weights, all sums are exact.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.all_holdings import values_of_holdings
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, hand_value
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.kernels.strength.comparison import AHEAD, BEHIND, TIED, compare, live_cards
from railbird.kernels.strength.places import MARKS, number_places

_BLOCK = 192
"""Comparisons that are counted in one byte: whole vectors of the processor, and fewer than 256."""


class _Holdings(NamedTuple):
    """The holdings that a board leaves possible, in the order of their numbers."""

    numbers: NDArray[np.int64]
    high: NDArray[np.int64]
    low: NDArray[np.int64]
    values: NDArray[np.int64]
    """On the present board."""


@njit(cache=True)
def sum_board_transitions(
    board: NDArray[np.int64],
    look_ahead: int,
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    transitions: NDArray[np.float64],
) -> None:
    """Sum the transitions of every holding on a board when one or two cards are dealt.

    `weights` has a row of 1,326 for each range. Writes into `transitions` [range, holding, now, later] the weights of
    pairs of opponent and run-out by how they stand; 0 for a holding that the board blocks.
    """
    live = live_cards(board)
    held = _held(board, live, tables)
    places = _places(board, live, look_ahead, tables)
    free = live.size - 4
    run_outs, blocking_one = (free * (free - 1) // 2, 2 * free + 1) if look_ahead == 2 else (free, 2)
    in_range = np.zeros(held.numbers.size, dtype=np.bool_)
    for place in range(held.numbers.size):
        for each in range(weights.shape[0]):
            in_range[place] |= weights[each, held.numbers[place]] != 0.0
    transitions[:] = 0.0
    for own in range(held.numbers.size):
        high, low = held.high[own], held.low[own]
        for other in range(own):
            if not (in_range[own] or in_range[other]):
                continue
            if held.high[other] == low or held.low[other] == low or held.high[other] == high:
                continue
            higher, lower = _compare_rows(places[own], places[other])
            ahead, behind = higher - blocking_one, lower - blocking_one
            tied = run_outs - ahead - behind
            now = compare(held.values[own], held.values[other])
            for each in range(weights.shape[0]):
                weight = weights[each, held.numbers[other]]
                of_own = transitions[each, held.numbers[own], now]
                of_own[AHEAD] += weight * ahead
                of_own[TIED] += weight * tied
                of_own[BEHIND] += weight * behind
                weight = weights[each, held.numbers[own]]
                of_other = transitions[each, held.numbers[other], BEHIND - now]
                of_other[AHEAD] += weight * behind
                of_other[TIED] += weight * tied
                of_other[BEHIND] += weight * ahead


@njit(cache=True)
def _held(board: NDArray[np.int64], live: NDArray[np.int64], tables: NDArray[np.uint16]) -> _Holdings:
    count = live.size * (live.size - 1) // 2
    found = _Holdings(
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )
    values = np.empty(HOLDINGS, dtype=np.uint16)
    values_of_holdings(board, tables, values)
    place = 0
    for i in range(live.size):
        for j in range(i):
            high, low = live[i], live[j]
            number = high * (high - 1) // 2 + low
            found.numbers[place], found.values[place] = number, values[number]
            found.high[place], found.low[place] = high, low
            place += 1
    return found


@njit(cache=True)
def _of_board(board: NDArray[np.int64]) -> tuple[Any, Any]:
    """The key and the mask of a board, to which those of hole cards are added."""
    key, mask = EMPTY_KEY, np.uint64(0)
    for card in board:
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    return key, mask


@njit(cache=True)
def _places(
    board: NDArray[np.int64], live: NDArray[np.int64], look_ahead: int, tables: NDArray[np.uint16]
) -> NDArray[np.uint8]:
    """Step 1: the places of each holding after all run-outs, in blocks; also 0 after the last run-out."""
    count = live.size * (live.size - 1) // 2
    run_outs = count if look_ahead == 2 else live.size
    places = np.zeros((count, -(-run_outs // _BLOCK), _BLOCK), dtype=np.uint8)
    key, mask = _of_board(board)
    values = np.empty(count, dtype=np.uint16)
    marks = np.empty(MARKS, dtype=np.uint8)
    run_out = 0
    for i in range(live.size):
        first_key, first_mask = key + CARD_KEYS[live[i]], mask | CARD_MASKS[live[i]]
        for j in range(i if look_ahead == 2 else 1):
            if look_ahead == 2:
                second = live[j]
                _evaluate(
                    live,
                    i,
                    j,
                    first_key + CARD_KEYS[second],
                    first_mask | CARD_MASKS[second],
                    tables,
                    values,
                    marks,
                )
            else:
                _evaluate(live, i, i, first_key, first_mask, tables, values, marks)
            number_places(marks)
            block, column = run_out // _BLOCK, run_out % _BLOCK
            for place in range(count):
                if values[place]:
                    places[place, block, column] = marks[values[place]] + np.uint8(1)
            run_out += 1
    return places


@njit(cache=True)
def _evaluate(
    live: NDArray[np.int64],
    first: int,
    second: int,
    key: Any,
    mask: Any,
    tables: NDArray[np.uint16],
    values: NDArray[np.uint16],
    marks: NDArray[np.uint8],
) -> None:
    """Write the values of all holdings on a board, 0 for those with one of two dealt cards; mark those that occur."""
    marks[:] = 0
    place = 0
    for i in range(live.size):
        high_key, high_mask = key + CARD_KEYS[live[i]], mask | CARD_MASKS[live[i]]
        for j in range(i):
            if i in (first, second) or j in (first, second):
                values[place] = 0
            else:
                value = hand_value(high_key + CARD_KEYS[live[j]], high_mask | CARD_MASKS[live[j]], tables)
                values[place] = value
                marks[value] = 1
            place += 1


@njit(cache=True)
def _compare_rows(own: NDArray[np.uint8], other: NDArray[np.uint8]) -> tuple[Any, Any]:
    """Step 2: how many places of the first row are higher and how many are lower than those of the second."""
    higher = lower = np.int64(0)
    for block in range(own.shape[0]):
        left, right = own[block], other[block]
        some_higher = some_lower = np.uint8(0)
        # Kept in bytes, so that the compiler compares as many at a time as a vector has bytes.
        for place in range(_BLOCK):
            some_higher = np.uint8(some_higher + np.uint8(left[place] > right[place]))
            some_lower = np.uint8(some_lower + np.uint8(left[place] < right[place]))
        higher += np.int64(some_higher)
        lower += np.int64(some_lower)
    return higher, lower
