"""Expected strength of all holdings of a flop or turn against a random one: exact counts over all run-outs.

Run-outs and holdings alike are pairs of kinds of cards (`strength_classes`), so one calculation serves all
that have the same kinds:

1. Ignore suits, so that nobody can have a flush. For every run-out, by ranks, score all holdings, by ranks,
   as in `strength_board`: place them by value, and count the opponents below and at each place
   (`strength_places`).
2. Give a holding the score as often as the run-out can be dealt when the holding's two cards are out of the
   deck.
3. For every suit, and every run-out that leaves three or more of its cards on the board, do the same with the
   kinds of this suit. Here suits count, and what step 1 gave was wrong: correct it by the difference of the
   two scores.
4. At the end, a holding's sum is the one of its ranks and the corrections of its kinds for each of the four
   suits.

A score counts two for every opponent beaten and one for every tie, so everything stays an integer.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.strength.classes import (
    CLASS_OF_RANKS,
    KINDS,
    NO_CARD,
    NO_SUIT,
    SUITED,
    Deck,
    bit_count,
    deck,
    flush_value,
    stock_of_kinds,
    values_of_classes,
    ways,
)
from railbird.kernels.strength.places import MARKS, MOST_PLACES, number_places, sum_up

_PAIRS_OF_KINDS = KINDS * (KINDS + 1) // 2
_SUM, _SUM_OF_SQUARES = 0, 1


class Workspace(NamedTuple):
    """Arrays that serve one run-out after the other."""

    values: NDArray[np.uint16]
    """[pair of kinds]: the final value of the holdings."""
    places: NDArray[np.uint8]
    """[value]: whether it occurs, and then its place."""
    by_kind: NDArray[np.int32]
    """[kind, place]: the holdings there that contain one given card; and then the score against them."""
    by_place: NDArray[np.int32]
    """[place]: the holdings there; and then the score against them."""
    class_values: NDArray[np.uint16]
    """[run-out, rank class]: final values without a flush."""
    class_scores: NDArray[np.int64]
    """[run-out, rank class]: the scores of step 1."""


@njit(cache=True)
def count_final_scores(
    board: NDArray[np.int64],
    tables: NDArray[np.uint16],
    scores: NDArray[np.int64],
    squares: NDArray[np.int64],
) -> None:
    """Sum over all run-outs of a board of three or four cards every holding's score, and the square of it."""
    to_come = 5 - board.size
    cards = deck(board[:0], board)
    class_values = values_of_classes(cards.board_key, to_come, tables)
    work = Workspace(
        np.empty(_PAIRS_OF_KINDS, dtype=np.uint16),
        np.empty(MARKS, dtype=np.uint8),
        np.empty((KINDS, MOST_PLACES), dtype=np.int32),
        np.empty(MOST_PLACES, dtype=np.int32),
        class_values,
        np.zeros(class_values.shape, dtype=np.int64),
    )
    # One more than suits: NO_SUIT, minus one, is the last place.
    sums = np.zeros((5, 2, _PAIRS_OF_KINDS), dtype=np.int64)
    for suit in range(NO_SUIT, 4):
        if suit == NO_SUIT or bit_count(cards.board_suits[suit]) + to_come >= 3:
            _go_through(suit, to_come, cards, tables, work, sums[suit])

    scores[:] = 0
    squares[:] = 0
    for holding in range(HOLDINGS):
        high, low = np.int64(HIGH_CARDS[holding]), np.int64(LOW_CARDS[holding])
        if _is_live(high, cards) and _is_live(low, cards):
            for suit in range(NO_SUIT, 4):
                pair = _pair_of_kinds(_kind(high, suit), _kind(low, suit))
                scores[holding] += sums[suit, _SUM, pair]
                squares[holding] += sums[suit, _SUM_OF_SQUARES, pair]


@njit(forceinline=True)
def _is_live(card: Any, cards: Deck) -> Any:
    return (cards.live_suits[card & 3] >> (card >> 2)) & 1


@njit(forceinline=True)
def _kind(card: Any, suit: Any) -> Any:
    return (card >> 2) + (SUITED if card & 3 == suit else 0)


@njit(forceinline=True)
def _pair_of_kinds(first: Any, second: Any) -> Any:
    high, low = max(first, second), min(first, second)
    return high * (high + 1) // 2 + low


@njit(cache=True)
def _go_through(
    suit: Any,
    to_come: Any,
    cards: Deck,
    tables: NDArray[np.uint16],
    work: Workspace,
    sums: NDArray[np.int64],
) -> None:
    """Score the run-outs that leave three or more cards of a suit on the board; for NO_SUIT, all of them."""
    board_now = 0 if suit == NO_SUIT else cards.board_suits[suit]
    stock = stock_of_kinds(suit, cards)
    for first in range(KINDS):
        if stock[first] == 0:
            continue
        seconds = range(first + 1) if to_come == 2 else range(NO_CARD, NO_CARD + 1)
        for second in seconds:
            if ways(first, stock[first], second, stock[second]) == 0:
                continue
            run_out = first % SUITED if second == NO_CARD else CLASS_OF_RANKS[first % SUITED, second % SUITED]
            board_ranks = board_now
            if first >= SUITED:
                board_ranks |= 1 << (first - SUITED)
            if second >= SUITED:
                board_ranks |= 1 << (second - SUITED)
            if suit == NO_SUIT or bit_count(board_ranks) >= 3:
                _score_run_out(first, second, run_out, board_ranks, stock, tables, work)
                _give_scores(first, second, run_out, suit, stock, work, sums)


@njit(cache=True)
def _score_run_out(
    first: Any,
    second: Any,
    run_out: Any,
    board_ranks: Any,
    stock: NDArray[np.int64],
    tables: NDArray[np.uint16],
    work: Workspace,
) -> None:
    """Place all pairs of kinds by value, and sum up the opponents below and at each place."""
    on_board = bit_count(board_ranks)
    left = stock.copy()
    left[first] -= 1
    if second != NO_CARD:
        left[second] -= 1
    values, place_of = work.values, work.places
    place_of[:] = 0
    for high in range(KINDS):
        for low in range(high + 1):
            if ways(high, left[high], low, left[low]) == 0:
                continue
            ranks = board_ranks
            if high >= SUITED:
                ranks |= 1 << (high - SUITED)
            if low >= SUITED:
                ranks |= 1 << (low - SUITED)
            if on_board >= 3 and on_board + np.int64(high >= SUITED) + np.int64(low >= SUITED) >= 5:
                value = np.uint16(flush_value(ranks, tables))
            else:
                value = work.class_values[run_out, CLASS_OF_RANKS[high % SUITED, low % SUITED]]
            values[_pair_of_kinds(high, low)] = value
            place_of[value] = 1
    places = number_places(place_of)

    by_kind, by_place = work.by_kind, work.by_place
    by_kind[:, :places] = 0
    by_place[:places] = 0
    for high in range(KINDS):
        for low in range(high + 1):
            holdings = ways(high, left[high], low, left[low])
            if holdings == 0:
                continue
            place = place_of[values[_pair_of_kinds(high, low)]]
            by_place[place] += holdings
            if high == low:
                by_kind[high, place] += left[high] - 1
            else:
                by_kind[high, place] += left[low]
                by_kind[low, place] += left[high]
    sum_up(by_place[:places])
    for kind in range(KINDS):
        sum_up(by_kind[kind, :places])


@njit(cache=True)
def _give_scores(
    first: Any,
    second: Any,
    run_out: Any,
    suit: Any,
    stock: NDArray[np.int64],
    work: Workspace,
    sums: NDArray[np.int64],
) -> None:
    """Add the score of every pair of kinds as often as it can meet the run-out; of a suit, the correction."""
    values, place_of, by_kind, by_place = work.values, work.places, work.by_kind, work.by_place
    class_scores = work.class_scores
    for high in range(KINDS):
        for low in range(high + 1):
            held_firsts = np.int64(high == first) + np.int64(low == first)
            held_seconds = np.int64(high == second) + np.int64(low == second)
            copies = ways(first, stock[first] - held_firsts, second, stock[second] - held_seconds)
            if copies <= 0 or ways(high, stock[high], low, stock[low]) == 0:
                continue
            pair = _pair_of_kinds(high, low)
            rank_class = CLASS_OF_RANKS[high % SUITED, low % SUITED]
            place = place_of[values[pair]]
            # The holding, tied with itself, was subtracted once with each of its cards: add one back.
            score = np.int64(by_place[place] - by_kind[high, place] - by_kind[low, place] + 1)
            before = np.int64(0)
            if suit == NO_SUIT:
                class_scores[run_out, rank_class] = score
            else:
                before = class_scores[run_out, rank_class]
            sums[_SUM, pair] += copies * (score - before)
            sums[_SUM_OF_SQUARES, pair] += copies * (score * score - before * before)
