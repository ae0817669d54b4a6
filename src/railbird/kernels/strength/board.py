"""All holdings of a board at once: how much of a range each of them beats, now and over all run-outs.

On one board, every holding is compared with every other one that shares no card with it, without going
through pairs:

1. Evaluate all holdings, and replace every value by its place among the values that occur
   (`strength_places`).
2. Sum the weights at every place: of all holdings, and for every card of those that contain it.
3. Sum up from the lowest place, which gives the score against all holdings, and against those with a given
   card.
4. A holding's score is the one against all, without those against the holdings with its first and with its
   second card. The holding itself, tied with itself, was thus subtracted twice: add one back.

Weights that are integers keep everything exact; against a random holding they are all one. With other
weights, a difference loses digits where a holding's own cards take away nearly all of the range: such a
holding is compared with the range one by one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.all_holdings import values_of_holdings
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.strength.comparison import BEHIND, compare, live_cards
from railbird.kernels.strength.places import MARKS, MOST_PLACES, number_places, sum_up

_TRUSTED_SHARE = 1e-3
"""Minimum share of a range that must remain for a difference to be accurate to about twelve digits."""


class Comparison(NamedTuple):
    """The result for one board, and what it was made from; the arrays serve one board after the other."""

    scores: NDArray[Any]
    """For every live holding, twice the weight that it beats and once the weight that it ties with."""
    possible: NDArray[Any]
    """For every live holding, the weight of the holdings that share no card with it."""
    values: NDArray[np.uint16]
    """The values of the live holdings."""
    places: NDArray[np.uint8]
    """By value: whether it occurs, and then its place."""
    by_card: NDArray[Any]
    """By card and place: the weight there, and then the score against the holdings with the card."""
    by_place: NDArray[Any]
    """By place: the weight there, and then the score against all holdings."""
    card_weights: NDArray[Any]
    """By card, the weight of the holdings that contain it."""
    in_range: NDArray[np.int64]
    """The holdings that have weight."""


@njit(cache=True, internal=True)
def comparison(weights: NDArray[Any]) -> Comparison:
    """Scratch space for comparing with a range of these weights."""
    return Comparison(
        np.zeros(HOLDINGS, dtype=weights.dtype),
        np.zeros(HOLDINGS, dtype=weights.dtype),
        np.zeros(HOLDINGS, dtype=np.uint16),
        np.zeros(MARKS, dtype=np.uint8),
        np.zeros((52, MOST_PLACES), dtype=weights.dtype),
        np.zeros(MOST_PLACES, dtype=weights.dtype),
        np.zeros(52, dtype=weights.dtype),
        _in_range(weights),
    )


@njit(cache=True)
def _in_range(weights: NDArray[Any]) -> NDArray[np.int64]:
    """The holdings that have weight; `np.flatnonzero` takes longer to compile than the rest of the comparison."""
    holdings = np.empty(HOLDINGS, dtype=np.int64)
    count = 0
    for holding in range(HOLDINGS):
        if weights[holding] != 0:
            holdings[count] = holding
            count += 1
    return holdings[:count]


@njit(cache=True, internal=True)
def compare_all(
    board: NDArray[np.int64], weights: NDArray[Any], tables: NDArray[np.uint16], result: Comparison
) -> None:
    """Compare all live holdings on a board of three to five cards with the range of the weights."""
    live = live_cards(board)
    values_of_holdings(board, tables, result.values)
    _mark(live, result.values, result.places)
    total = _score_places(live, number_places(result.places), weights, result)
    _score_holdings(live, total, weights, result)


@njit(cache=True)
def _mark(live: NDArray[np.int64], values: NDArray[np.uint16], marks: NDArray[np.uint8]) -> None:
    """The second half of step 1: mark the values that occur."""
    marks[:] = 0
    for i in range(live.size):
        first_holding = live[i] * (live[i] - 1) // 2
        for j in range(i):
            marks[values[first_holding + live[j]]] = 1


@njit(cache=True)
def _score_places(live: NDArray[np.int64], places: int, weights: NDArray[Any], result: Comparison) -> Any:
    """Steps 2 and 3; returns the weight of the whole range."""
    values, place_of = result.values, result.places
    by_card, by_place = result.by_card, result.by_place
    by_place[:places] = 0
    for i in range(live.size):
        by_card[live[i], :places] = 0
    for i in range(live.size):
        high = live[i]
        first_holding = high * (high - 1) // 2
        for j in range(i):
            holding = first_holding + live[j]
            place = place_of[values[holding]]
            by_place[place] += weights[holding]
            by_card[high, place] += weights[holding]
            by_card[live[j], place] += weights[holding]
    for i in range(live.size):
        result.card_weights[live[i]] = sum_up(by_card[live[i], :places])
    return sum_up(by_place[:places])


@njit(cache=True)
def _score_holdings(live: NDArray[np.int64], total: Any, weights: NDArray[Any], result: Comparison) -> None:
    """Step 4."""
    values, place_of, by_card, by_place = result.values, result.places, result.by_card, result.by_place
    card_weights = result.card_weights
    trusted = total * _TRUSTED_SHARE
    for i in range(live.size):
        high = live[i]
        first_holding = high * (high - 1) // 2
        for j in range(i):
            low = live[j]
            holding = first_holding + low
            place = place_of[values[holding]]
            own = weights[holding]
            possible = total - card_weights[high] - card_weights[low] + own
            score = by_place[place] - by_card[high, place] - by_card[low, place] + own
            if possible < trusted:
                possible, score = _compare_one_by_one(holding, live, weights, values, result.in_range)
            result.possible[holding] = possible
            result.scores[holding] = score


@njit(cache=True)
def _compare_one_by_one(
    holding: int,
    live: NDArray[np.int64],
    weights: NDArray[Any],
    values: NDArray[np.uint16],
    in_range: NDArray[np.int64],
) -> tuple[Any, Any]:
    """The weight of the holdings that share no card with a holding, and its score against them."""
    free = np.zeros(52, dtype=np.bool_)
    for i in range(live.size):
        free[live[i]] = True
    free[HIGH_CARDS[holding]] = free[LOW_CARDS[holding]] = False
    possible = score = weights[0] - weights[0]
    for i in range(in_range.size):
        other = in_range[i]
        if free[HIGH_CARDS[other]] and free[LOW_CARDS[other]]:
            possible += weights[other]
            score += (BEHIND - compare(values[holding], values[other])) * weights[other]
    return possible, score


@njit(cache=True)
def hand_strengths(
    board: NDArray[np.int64],
    weights: NDArray[Any],
    tables: NDArray[np.uint16],
    strengths: NDArray[np.float64],
) -> None:
    """Write HS of every holding on a board of three to five cards, NaN where there is none."""
    result = comparison(weights)
    compare_all(board, weights, tables, result)
    strengths[:] = np.nan
    live = live_cards(board)
    for i in range(live.size):
        first_holding = live[i] * (live[i] - 1) // 2
        for j in range(i):
            holding = first_holding + live[j]
            if result.possible[holding] > 0:
                strengths[holding] = 0.5 * result.scores[holding] / result.possible[holding]


@njit(cache=True)
def sum_final_strengths(
    board: NDArray[np.int64],
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    expectations: NDArray[np.float64],
) -> None:
    """Sum over all full boards, for every holding, the weight w left possible, the weight s won, and s² / w.

    `expectations` has a row for each of the three; a tie wins half.
    """
    result = comparison(weights)
    expectations[:] = 0.0
    boards = _full_boards(board)
    for row in range(boards.shape[0]):
        compare_all(boards[row], weights, tables, result)
        live = live_cards(boards[row])
        for i in range(live.size):
            first_holding = live[i] * (live[i] - 1) // 2
            for j in range(i):
                holding = first_holding + live[j]
                possible = result.possible[holding]
                if possible > 0.0:
                    won = 0.5 * result.scores[holding]
                    expectations[0, holding] += possible
                    expectations[1, holding] += won
                    # won² / possible, safe for very large and very small weights
                    expectations[2, holding] += won * (won / possible)


@njit(cache=True)
def _full_boards(board: NDArray[np.int64]) -> NDArray[np.int64]:
    """All boards of five cards that begin with a board of three or four, a row each."""
    live = live_cards(board)
    count = live.size if board.size == 4 else live.size * (live.size - 1) // 2
    boards = np.empty((count, 5), dtype=np.int64)
    for row in range(count):
        for i in range(board.size):
            boards[row, i] = board[i]
    row = 0
    for i in range(live.size):
        if board.size == 4:
            boards[row, 4] = live[i]
            row += 1
        else:
            for j in range(i):
                boards[row, 3] = live[i]
                boards[row, 4] = live[j]
                row += 1
    return boards
