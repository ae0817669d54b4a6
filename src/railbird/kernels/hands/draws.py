"""Straight and flush draws of holdings, by sets of ranks held as bits (bit 0 the deuce … bit 12 the ace).

A draw is the number `straight draw + 3 · flush draw`: a straight draw is 0 for none, 1 for a gutshot (one
rank makes the straight) and 2 for two ranks or more; a flush draw is 0 or 1. `railbird.hands.draws` names and
explains them.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.hands.types import BLOCKED

# Cards are signed here, because numba turns signed with unsigned 64-bit numbers into floats.
_HIGH_CARDS, _LOW_CARDS = HIGH_CARDS.astype(np.int64), LOW_CARDS.astype(np.int64)

FLUSH_DRAW = 3
"""What a flush draw adds to the number of the straight draw."""

_POPULATION: NDArray[np.int8] = np.array([ranks.bit_count() for ranks in range(1 << 13)], dtype=np.int8)


def _straight_tops() -> NDArray[np.int8]:
    rank_sets = np.arange(1 << 13)
    tops = np.full(1 << 13, -1, dtype=np.int8)
    five_high = 0b1_0000_0000_1111
    tops[(rank_sets & five_high) == five_high] = 3
    for top in range(4, 13):
        straight = 0b11111 << (top - 4)
        tops[(rank_sets & straight) == straight] = top
    return tops


_STRAIGHT_TOPS = _straight_tops()


@njit(cache=True, internal=True)
def population(ranks: int) -> int:
    """How many ranks a set of ranks has."""
    return int(_POPULATION[ranks])


@njit(cache=True, internal=True)
def best_straight(ranks: int) -> int:
    """The highest rank of the best straight within a set of ranks, −1 without one; a five tops A-2-3-4-5."""
    return int(_STRAIGHT_TOPS[ranks])


@njit(cache=True, internal=True)
def straight_draw(hand_ranks: int, board_ranks: int) -> int:
    """0, 1 or 2 for no, one, or several ranks that bring a straight better than the one on the board."""
    ways = 0
    for rank in range(13):
        with_rank = hand_ranks | (1 << rank)
        if best_straight(with_rank) > best_straight(board_ranks | (1 << rank)):
            ways += 1
    return min(ways, 2)


@njit(cache=True, internal=True)
def has_full_house(rank_counts: int) -> bool:
    """Whether ranks counted in four bits each hold a full house or four of a kind."""
    triples = 0
    repeated = 0
    for rank in range(13):
        count = (rank_counts >> (4 * rank)) & 15
        if count == 4:
            return True
        if count == 3:
            triples += 1
        if count >= 2:
            repeated += 1
    return triples >= 1 and repeated >= 2


@njit(cache=True, borrows=True)
def board_sets(board: NDArray[np.int64], suit_ranks: NDArray[np.int64]) -> tuple[int, int]:
    """A board's ranks and their counts (four bits each); its ranks suit by suit are written down."""
    ranks = 0
    rank_counts = 0
    suit_ranks[:] = 0
    for card in board:
        rank = int(card) >> 2
        ranks |= 1 << rank
        rank_counts += 1 << (4 * rank)
        suit_ranks[card & 3] |= 1 << rank
    return ranks, rank_counts


@njit(cache=True, internal=True, borrows=True)
def draw_of(first: int, second: int, ranks: int, rank_counts: int, suit_ranks: NDArray[np.int64]) -> int:
    """The draw of two hole cards on a board of three or four cards, given by its `board_sets`."""
    first_rank, second_rank = first >> 2, second >> 2
    if has_full_house(rank_counts + (1 << (4 * first_rank)) + (1 << (4 * second_rank))):
        return 0
    flush_draw = 0
    for suit in range(4):
        suited = population(suit_ranks[suit])
        held = int(first & 3 == suit) + int(second & 3 == suit)
        if suited + held >= 5:
            return 0
        if held > 0 and suited + held == 4:
            flush_draw = FLUSH_DRAW
    hand_ranks = ranks | (1 << first_rank) | (1 << second_rank)
    if best_straight(hand_ranks) >= 0:
        return flush_draw
    return flush_draw + straight_draw(hand_ranks, ranks)


@njit(cache=True)
def holding_draw(first: int, second: int, board: NDArray[np.int64]) -> int:
    """The draw of two hole cards on a board of three to five cards; on five there is none left."""
    if len(board) == 5:
        return 0
    suit_ranks = np.empty(4, dtype=np.int64)
    ranks, rank_counts = board_sets(board, suit_ranks)
    return draw_of(first, second, ranks, rank_counts, suit_ranks)


@njit(cache=True)
def holding_draws(board: NDArray[np.int64], draws: NDArray[np.int8]) -> None:
    """Write the draw of each of the 1,326 holdings on a board of three to five cards, −1 if it is blocked."""
    suit_ranks = np.empty(4, dtype=np.int64)
    ranks, rank_counts = board_sets(board, suit_ranks)
    for holding in range(HOLDINGS):
        high, low = int(_HIGH_CARDS[holding]), int(_LOW_CARDS[holding])
        if (suit_ranks[high & 3] >> (high >> 2)) & 1 or (suit_ranks[low & 3] >> (low >> 2)) & 1:
            draws[holding] = BLOCKED
        elif len(board) == 5:
            draws[holding] = 0
        else:
            draws[holding] = draw_of(high, low, ranks, rank_counts, suit_ranks)
