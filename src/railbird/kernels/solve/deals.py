"""What one deal means to a solver: in which bucket every seat's holding is on every street, and who wins."""

from typing import NamedTuple

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
_LEAST_FOR_A_FLUSH = 3
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
    seats = len(deal.values)
    board = cards[2 * seats : 2 * seats + 5]
    flop = card_bit(board[0]) | card_bit(board[1]) | card_bit(board[2])
    turn = flop | card_bit(board[3])
    key, mask = EMPTY_KEY, _NO_CARDS
    for card in board:
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    for seat in range(seats):
        first, second = cards[2 * seat], cards[2 * seat + 1]
        hole = card_bit(first) | card_bit(second)
        value = seven_card_value(
            key + CARD_KEYS[first] + CARD_KEYS[second], mask | CARD_MASKS[first] | CARD_MASKS[second], tables
        )
        deal.values[seat] = value
        deal.buckets[seat, 0] = buckets.classes[holding_index(first, second)]
        deal.buckets[seat, 1] = buckets.flop[situation_of_sets(hole, flop)]
        deal.buckets[seat, 2] = buckets.turn[situation_of_sets(hole, turn)]
        deal.buckets[seat, 3] = buckets.river[river_score(first, second, board, tables)]


@njit(cache=True, nogil=True)
def river_score(first: int, second: int, board: NDArray[np.int64], tables: NDArray[np.uint16]) -> int:
    """Twice the holdings that two cards beat on a full board, and once those with which they tie."""
    suits = np.zeros(4, dtype=np.int64)
    for card in board:
        suits[card & 3] += 1
    if suits.max() < _LEAST_FOR_A_FLUSH:
        return _score_by_ranks(first, second, board, tables)
    return _score_by_cards(first, second, board, tables)


@njit(cache=True, nogil=True)
def _score_by_ranks(first: int, second: int, board: NDArray[np.int64], tables: NDArray[np.uint16]) -> int:
    """The score where nobody can have a flush: holdings of the same ranks have the same value."""
    live = np.full(_RANKS, 4, dtype=np.int64)
    key = EMPTY_KEY
    for card in board:
        live[card >> 2] -= 1
        key += RANK_ONLY_KEYS[card >> 2]
    live[first >> 2] -= 1
    live[second >> 2] -= 1
    own = seven_rank_value(key + RANK_ONLY_KEYS[first >> 2] + RANK_ONLY_KEYS[second >> 2], tables)
    score = 0
    for high in range(_RANKS):
        with_high = key + RANK_ONLY_KEYS[high]
        for low in range(high):
            other = seven_rank_value(with_high + RANK_ONLY_KEYS[low], tables)
            score += live[high] * live[low] * (BEHIND - compare(own, other))
        if live[high] > 1:
            other = seven_rank_value(with_high + RANK_ONLY_KEYS[high], tables)
            pairs = live[high] * (live[high] - 1) // 2
            score += pairs * (BEHIND - compare(own, other))
    return score


@njit(cache=True, nogil=True)
def _score_by_cards(first: int, second: int, board: NDArray[np.int64], tables: NDArray[np.uint16]) -> int:
    """The score against all 990 holdings, one by one."""
    key, mask = EMPTY_KEY, _NO_CARDS
    seen = card_bit(first) | card_bit(second)
    for card in board:
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
        seen |= card_bit(card)
    live = np.empty(45, dtype=np.int64)
    count = 0
    for card in range(52):
        if not seen & card_bit(card):
            live[count] = card
            count += 1
    own = seven_card_value(
        key + CARD_KEYS[first] + CARD_KEYS[second], mask | CARD_MASKS[first] | CARD_MASKS[second], tables
    )
    score = 0
    for i in range(1, 45):
        with_high, mask_with_high = key + CARD_KEYS[live[i]], mask | CARD_MASKS[live[i]]
        for j in range(i):
            other = seven_card_value(
                with_high + CARD_KEYS[live[j]], mask_with_high | CARD_MASKS[live[j]], tables
            )
            score += BEHIND - compare(own, other)
    return score
