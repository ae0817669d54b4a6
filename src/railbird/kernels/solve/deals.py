"""What one deal means to a solver: in which bucket every seat's holding is on every street, and who wins."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import (
    CARD_KEYS,
    CARD_MASKS,
    EMPTY_KEY,
    RANK_ONLY_KEYS,
    seven_card_value,
    seven_rank_value,
)
from railbird.kernels.hands.holdings import holding_index
from railbird.kernels.hands.isomorphism import card_bit, situation_of_sets
from railbird.kernels.solve.buckets import Buckets
from railbird.kernels.strength.comparison import BEHIND, compare

_RANKS = 13
_RIVER = 3
_LIVE = 47
"""The number of cards that are not on a full board."""
_LEAST_FOR_A_FLUSH = 3
_HIGHEST = np.uint16(65535)
"""Above the value of every hand."""
_NO_CARDS = np.uint64(0)


class Deal(NamedTuple):
    """A deal as a walk through a betting tree needs it."""

    buckets: NDArray[np.int64]
    """By seat and betting round."""
    values: NDArray[np.int64]
    """The value of every seat's hand at the showdown; the highest wins."""


@njit(cache=True, nogil=True)
def find_deal(cards: NDArray[np.int64], buckets: Buckets, tables: NDArray[np.uint16], deal: Deal) -> None:
    """Work out a deal of hold'em; `cards` has everyone's hole cards and then the board. Scores decide on the river."""
    classes, flops, turns, rivers = buckets.classes, buckets.flop, buckets.turn, buckets.river
    found, values = deal
    seats = len(values)
    board = cards[2 * seats : 2 * seats + 5]
    flop = card_bit(board[0]) | card_bit(board[1]) | card_bit(board[2])
    turn = flop | card_bit(board[3])
    river_scores(cards, board, tables, values, found[:, _RIVER])
    for seat in range(seats):
        first, second = cards[2 * seat], cards[2 * seat + 1]
        hole = card_bit(first) | card_bit(second)
        found[seat, 0] = classes[holding_index(first, second)]
        found[seat, 1] = flops[situation_of_sets(hole, flop)]
        found[seat, 2] = turns[situation_of_sets(hole, turn)]
        found[seat, _RIVER] = rivers[found[seat, _RIVER]]


@njit(cache=True, nogil=True)
def river_scores(
    cards: NDArray[np.int64],
    board: NDArray[np.int64],
    tables: NDArray[np.uint16],
    values: NDArray[np.int64],
    scores: NDArray[np.int64],
) -> None:
    """Write the values of all seats' hole cards on a full board, and their scores.

    A score is twice the number of holdings that two cards beat, and once the number of those with which they tie.
    """
    key, mask = EMPTY_KEY, _NO_CARDS
    suits = np.zeros(4, dtype=np.int64)
    for card in board:
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
        suits[card & 3] += 1
    for seat in range(len(values)):
        first, second = cards[2 * seat], cards[2 * seat + 1]
        values[seat] = seven_card_value(
            key + CARD_KEYS[first] + CARD_KEYS[second], mask | CARD_MASKS[first] | CARD_MASKS[second], tables
        )
    if suits.max() < _LEAST_FOR_A_FLUSH:
        _score_by_ranks(cards, board, tables, scores)
    else:
        _score_by_cards(cards, board, key, mask, tables, values, scores)


@njit(cache=True, nogil=True)
def _score_by_ranks(
    cards: NDArray[np.int64], board: NDArray[np.int64], tables: NDArray[np.uint16], scores: NDArray[np.int64]
) -> None:
    """The scores where nobody can have a flush: holdings of the same ranks have the same value."""
    live = np.full(_RANKS, 4, dtype=np.int64)
    key = EMPTY_KEY
    for card in board:
        live[card >> 2] -= 1
        key += RANK_ONLY_KEYS[card >> 2]
    others = np.empty((_RANKS, _RANKS), dtype=np.int64)
    for high in range(_RANKS):
        with_high = key + RANK_ONLY_KEYS[high]
        for low in range(high + 1):
            others[high, low] = seven_rank_value(with_high + RANK_ONLY_KEYS[low], tables)
    for seat in range(len(scores)):
        one, two = cards[2 * seat] >> 2, cards[2 * seat + 1] >> 2
        live[one] -= 1
        live[two] -= 1
        own = others[max(one, two), min(one, two)]
        score = 0
        for high in range(_RANKS):
            below = 0
            for low in range(high):
                below += live[low] * (BEHIND - compare(own, others[high, low]))
            pairs = live[high] * (live[high] - 1) // 2
            score += live[high] * below + pairs * (BEHIND - compare(own, others[high, high]))
        scores[seat] = score
        live[one] += 1
        live[two] += 1


@njit(cache=True, nogil=True)
def _score_by_cards(
    cards: NDArray[np.int64],
    board: NDArray[np.int64],
    key: Any,
    mask: Any,
    tables: NDArray[np.uint16],
    values: NDArray[np.int64],
    scores: NDArray[np.int64],
) -> None:
    """The scores against all holdings of cards that are not on the board, without those of a card that one holds."""
    place_of = np.full(52, -1, dtype=np.int64)
    live = np.empty(_LIVE, dtype=np.int64)
    for card in board:
        place_of[card] = _LIVE
    count = 0
    for card in range(52):
        if place_of[card] < 0:
            live[count] = card
            place_of[card] = count
            count += 1
    others = np.empty((_LIVE, _LIVE), dtype=np.uint16)
    for i in range(_LIVE):
        with_high, mask_with_high = key + CARD_KEYS[live[i]], mask | CARD_MASKS[live[i]]
        for j in range(i):
            value = seven_card_value(
                with_high + CARD_KEYS[live[j]], mask_with_high | CARD_MASKS[live[j]], tables
            )
            others[i, j] = others[j, i] = value
        others[i, i] = _HIGHEST
    for seat in range(len(values)):
        own = np.uint16(values[seat])
        one, two = place_of[cards[2 * seat]], place_of[cards[2 * seat + 1]]
        twice = 0  # every holding of two cards is met twice
        for i in range(_LIVE):
            if i != one and i != two:
                row: Any = 0
                for j in range(_LIVE):
                    row += np.int32(others[i, j] < own) + np.int32(others[i, j] <= own)
                for held in (one, two):
                    row -= np.int32(others[i, held] < own) + np.int32(others[i, held] <= own)
                twice += row
        scores[seat] = twice // 2
