"""The expert category of holdings on a board, as a number `((made · 4 + place) · 3 + kicker) · 6 + draw`.

`railbird.hands.sartre_categories` names and explains the made hands, their places and the kickers. Sets of
ranks are bits as in `kernels.hands.draws`.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.draws import best_straight, board_sets, draw_of, population
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.hands.types import BLOCKED

(
    HIGH_CARD,
    BOARD_PAIR,
    PAIR,
    POCKET_PAIR,
    BOARD_TWO_PAIR,
    PAIR_WITH_BOARD_PAIR,
    POCKET_PAIR_WITH_BOARD_PAIR,
    TWO_PAIR,
    BOARD_TRIPS,
    TRIPS,
    SET,
    BOARD_STRAIGHT,
    STRAIGHT,
    BOARD_FLUSH,
    FLUSH,
    BOARD_FULL_HOUSE,
    FULL_HOUSE,
    BOARD_FOUR_OF_A_KIND,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
) = range(20)

PLACES, KICKERS, DRAWS = 4, 3, 6
CODES = 20 * PLACES * KICKERS * DRAWS

WEAK, STRONG, TOP = range(3)

_TEN = 8

# Cards are signed here, because numba turns signed with unsigned 64-bit numbers into floats.
_HIGH_CARDS, _LOW_CARDS = HIGH_CARDS.astype(np.int64), LOW_CARDS.astype(np.int64)


@njit(cache=True)
def _highest(ranks: int) -> int:
    """The highest rank of a set, −1 for the empty set."""
    for rank in range(12, -1, -1):
        if ranks >> rank & 1:
            return rank
    return -1


@njit(cache=True)
def _count(counts: int, rank: int) -> int:
    """How many cards of a rank there are, from counts of four bits each."""
    return counts >> (4 * rank) & 15


@njit(cache=True)
def _kicker(rank: int, board_ranks: int, made_ranks: int, slots: int) -> int:
    """How good a hole card is as a kicker next to a made hand of fewer than five cards."""
    rivals = board_ranks & ~made_ranks
    if population(rivals >> rank) >= slots:
        return WEAK
    if rank == _highest(~board_ranks & 0x1FFF):
        return TOP
    return STRONG if rank >= _TEN else WEAK


@njit(cache=True)
def _suited_hand(first: int, second: int, suit_ranks: NDArray[np.int64]) -> tuple[int, int, int]:
    """Flush or straight flush as made hand, place and kicker; −1 as made hand where there is neither."""
    for suit in range(4):
        on_board = suit_ranks[suit]
        held = 0
        if first & 3 == suit:
            held |= 1 << (first >> 2)
        if second & 3 == suit:
            held |= 1 << (second >> 2)
        suited = on_board | held
        if population(suited) < 5:
            continue
        straight_top = best_straight(suited)
        if straight_top >= 0:
            return STRAIGHT_FLUSH, _missing_from_straight(straight_top, on_board), WEAK
        best_five = suited
        while population(best_five) > 5:
            best_five &= best_five - 1
        used = population(best_five & held)
        if used == 0:
            return BOARD_FLUSH, 0, WEAK
        best_held = _highest(held)
        kicker = STRONG if best_held >= _TEN else WEAK
        if best_held == _highest(~on_board & 0x1FFF):
            kicker = TOP
        return FLUSH, used - 1, kicker
    return -1, 0, 0


@njit(cache=True)
def _missing_from_straight(top: int, ranks: int) -> int:
    """How many ranks of the straight with that top a set of ranks lacks."""
    missing = 0
    for step in range(5):
        # (top − step) mod 13: below the deuce of a five-high straight stands the ace.
        if not ranks >> ((top - step) % 13) & 1:
            missing += 1
    return missing


@njit(cache=True)
def _nut_straight_top(board_ranks: int) -> int:
    """The top of the best straight that two hole cards make on a board where one is possible."""
    top = 12
    while _missing_from_straight(top, board_ranks) > 2:
        top -= 1
    return top


@njit(cache=True)
def _made_hand(
    first: int, second: int, board_ranks: int, board_counts: int, suit_ranks: NDArray[np.int64]
) -> tuple[int, int, int]:
    """The made hand, its place and its kicker."""
    suited_hand = _suited_hand(first, second, suit_ranks)
    if suited_hand[0] == STRAIGHT_FLUSH:
        return suited_hand

    high, low = max(first >> 2, second >> 2), min(first >> 2, second >> 2)
    counts = board_counts + (1 << (4 * high)) + (1 << (4 * low))
    four = three = second_three = pair = second_pair = -1
    for rank in range(12, -1, -1):
        count = _count(counts, rank)
        if count == 4:
            four = rank
        elif count == 3 and three < 0:
            three = rank
        elif count == 3:
            second_three = rank
        elif count == 2 and pair < 0:
            pair = rank
        elif count == 2 and second_pair < 0:
            second_pair = rank
    board_top = _highest(board_ranks)

    if four >= 0:
        on_board = _count(board_counts, four)
        if on_board == 4:
            return BOARD_FOUR_OF_A_KIND, 0, _kicker(high, board_ranks, 1 << four, 1)
        return FOUR_OF_A_KIND, 3 - on_board, WEAK

    full_of = max(second_three, pair)
    if three >= 0 and full_of >= 0:
        used = 3 - _count(board_counts, three)
        used += max(2 - _count(board_counts, full_of), 0)
        if used == 0:
            return BOARD_FULL_HOUSE, 0, WEAK
        return FULL_HOUSE, 2 * (used - 1) + int(three == board_top), WEAK

    if suited_hand[0] >= 0:
        return suited_hand

    straight_top = best_straight(board_ranks | 1 << high | 1 << low)
    if straight_top >= 0:
        used = _missing_from_straight(straight_top, board_ranks)
        is_nut = int(straight_top == _nut_straight_top(board_ranks))
        if used == 0:
            return BOARD_STRAIGHT, is_nut, WEAK
        return STRAIGHT, 2 * (used - 1) + is_nut, WEAK

    if three >= 0:
        on_board = _count(board_counts, three)
        if on_board == 3:
            return BOARD_TRIPS, 0, _kicker(high, board_ranks, 1 << three, 2)
        if on_board == 2:
            return TRIPS, 0, _kicker(low if high == three else high, board_ranks, 1 << three, 2)
        above = population(board_ranks >> (three + 1))
        return SET, 2 - min(above, 2), WEAK

    if second_pair >= 0:
        pairs = 1 << pair | 1 << second_pair
        pair_on_board = _count(board_counts, pair) == 2
        second_on_board = _count(board_counts, second_pair) == 2
        if pair_on_board and second_on_board:
            return BOARD_TWO_PAIR, 0, _kicker(high, board_ranks, pairs, 1)
        if not pair_on_board and not second_on_board:
            runner_up = _highest(board_ranks & ~(1 << board_top))
            if pair != board_top:
                return TWO_PAIR, 0, WEAK
            return TWO_PAIR, 2 if second_pair == runner_up else 1, WEAK
        own_pair = second_pair if pair_on_board else pair
        if high == low:
            place = int(own_pair == pair) + int(own_pair > board_top)
            return POCKET_PAIR_WITH_BOARD_PAIR, place, WEAK
        kicker = _kicker(low if high == own_pair else high, board_ranks, pairs, 1)
        return PAIR_WITH_BOARD_PAIR, int(own_pair == board_top), kicker

    if pair >= 0:
        if _count(board_counts, pair) == 2:
            return BOARD_PAIR, 0, _kicker(high, board_ranks, 1 << pair, 3)
        above = population(board_ranks >> (pair + 1))
        if high == low:
            return POCKET_PAIR, 3 - min(above, 3), WEAK
        kicker = _kicker(low if high == pair else high, board_ranks, 1 << pair, 3)
        return PAIR, 2 - min(above, 2), kicker

    overcards = int(high > board_top) + int(low > board_top)
    return HIGH_CARD, overcards, _kicker(high, board_ranks, 0, 5)


@njit(cache=True)
def _category_code(
    first: int,
    second: int,
    cards: int,
    board_ranks: int,
    board_counts: int,
    suit_ranks: NDArray[np.int64],
) -> int:
    made, place, kicker = _made_hand(first, second, board_ranks, board_counts, suit_ranks)
    draw = 0
    if cards < 5 and made <= STRAIGHT:
        draw = draw_of(first, second, board_ranks, board_counts, suit_ranks)
    return ((made * PLACES + place) * KICKERS + kicker) * DRAWS + draw


@njit(cache=True)
def holding_category(first: int, second: int, board: NDArray[np.int64]) -> int:
    """The number of the category of two hole cards on a board of three to five cards."""
    suit_ranks = np.empty(4, dtype=np.int64)
    board_ranks, board_counts = board_sets(board, suit_ranks)
    return _category_code(first, second, len(board), board_ranks, board_counts, suit_ranks)


@njit(cache=True)
def holding_categories(
    board: NDArray[np.int64], index_of_code: NDArray[np.int16], categories: NDArray[np.int16]
) -> None:
    """Write each holding's category through the given table of codes, −1 where the board blocks it."""
    suit_ranks = np.empty(4, dtype=np.int64)
    board_ranks, board_counts = board_sets(board, suit_ranks)
    for holding in range(HOLDINGS):
        high, low = int(_HIGH_CARDS[holding]), int(_LOW_CARDS[holding])
        if (suit_ranks[high & 3] >> (high >> 2)) & 1 or (suit_ranks[low & 3] >> (low >> 2)) & 1:
            categories[holding] = BLOCKED
        else:
            code = _category_code(high, low, len(board), board_ranks, board_counts, suit_ranks)
            categories[holding] = index_of_code[code]
