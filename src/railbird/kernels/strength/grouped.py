"""Potential against a weighted range: run-outs of the same ranks are taken together.

The same transitions as in `kernels.strength.weighted`, which goes through run-outs one by one because it also needs the
final strength on each. Transitions are sums, so run-outs can be grouped:

1. Divide the run-outs by the suit of which the final board has three or more cards, and by how many it has.
2. A group has two ranks, and dealt cards of the suit that are the same. The holding has one value on all of its
   boards, and so has every rank class and every flush.
3. Sum the weights of each rank class over the boards of the group: for every first card, over its second cards. A card
   of the second rank counts on all boards but its own, so weights are multiplied by whole numbers; nothing is ever
   subtracted, and no digits cancel.
4. Compare once for the whole group.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.strength.classes import (
    BOTH,
    CLASS_OF_RANKS,
    NO_CARD,
    NO_SUIT,
    ONE,
    RANK_CLASSES,
    Situation,
    bit_count,
    flush_value,
    give_to_states,
    prepare,
)
from railbird.kernels.strength.comparison import AHEAD, BEHIND, TIED, compare, live_cards
from railbird.kernels.strength.weighted import possible_run_outs, weights_by_cards


class Range(NamedTuple):
    """The weights of the holdings that are possible before the run-out, for one division of the run-outs."""

    flushless: NDArray[np.float64]
    """[card, card], in either order: the holdings without a flush of their own cards."""
    with_rank: NDArray[np.float64]
    """[card, rank]: the flushless holdings of the card and any card of the rank."""
    by_class: NDArray[np.float64]
    """[rank class]: the flushless holdings."""


class SuitCards(NamedTuple):
    """The ranks of one suit, as masks; all 0 for `NO_SUIT`."""

    suit: int
    board: int
    """Of the board before the run-out."""
    live: int
    hole: int


class Sums(NamedTuple):
    """The weight of all pairs of an opponent's holding and a run-out that end in one way."""

    by_class: NDArray[np.float64]
    """[how it ends, rank class]: against opponents without a flush of their own cards."""
    by_flush: NDArray[np.float64]
    """[BOTH or ONE, how it ends, rank of a card of the suit, rank of the other card]: against flushes."""


@njit(cache=True)
def sum_grouped_transitions(
    cards: NDArray[np.int64],
    look_ahead: int,
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    transitions: NDArray[np.float64],
) -> None:
    """Sum the transitions of two hole cards, followed in `cards` by the board, when one or two cards are dealt.

    Writes the weights of pairs of opponent and run-out by how they stand [now, later].
    """
    situation = prepare(cards, look_ahead, tables)
    sums = Sums(np.zeros((3, RANK_CLASSES)), np.zeros((2, 3, 13, 13)))
    live = live_cards(cards)
    holdings = weights_by_cards(live, weights)
    is_live = np.zeros(52, dtype=np.bool_)
    for card in live:
        is_live[card] = True
    for suit in range(NO_SUIT, 4):
        ranks = _ranks_of(suit, situation)
        on_board_now = bit_count(ranks.board)
        least, most = max(on_board_now, 3), on_board_now + look_ahead
        if suit == NO_SUIT:
            least = most = 0
        for on_board in range(least, most + 1):
            belongs = possible_run_outs(suit, on_board, look_ahead, situation.deck)
            known = _divide(suit, on_board, holdings)
            of_suit = on_board - on_board_now
            if look_ahead == 1:
                _deal_one(ranks, of_suit, belongs, is_live, holdings, known, situation, tables, sums)
            else:
                _deal_two(ranks, of_suit, belongs, is_live, holdings, known, situation, tables, sums)
    give_to_states(sums.by_class, sums.by_flush, situation, tables, transitions)


@njit(cache=True)
def _ranks_of(suit: Any, situation: Situation) -> SuitCards:
    if suit == NO_SUIT:
        return SuitCards(NO_SUIT, 0, 0, 0)
    deck = situation.deck
    return SuitCards(suit, deck.board_suits[suit], deck.live_suits[suit], situation.hole_suits[suit])


@njit(cache=True)
def _divide(suit: int, on_board: int, holdings: NDArray[np.float64]) -> Range:
    """The sums of weights with which the run-outs of a division begin."""
    flushless = holdings.copy()
    if on_board >= 3:
        for suited in range(suit, 52, 4):
            for other in range(52):
                if on_board >= 4 or other & 3 == suit:
                    flushless[suited, other] = flushless[other, suited] = 0.0
    known = Range(flushless, np.empty((52, 13)), np.empty(RANK_CLASSES))
    for card in range(52):
        for rank in range(13):
            place = 4 * rank
            known.with_rank[card, rank] = (
                flushless[card, place]
                + flushless[card, place + 1]
                + flushless[card, place + 2]
                + flushless[card, place + 3]
            )
    for rank in range(13):
        _sum_classes(rank, NO_CARD, flushless, known.with_rank, known.by_class)
    return known


@njit(cache=True, forceinline=True)
def _sum_classes(
    rank: Any,
    dealt: Any,
    flushless: NDArray[np.float64],
    with_rank: NDArray[np.float64],
    by_class: NDArray[np.float64],
) -> None:
    """Sum the classes with a rank, without a dealt card of it."""
    for other in range(13):
        total = 0.0
        for card in range(4 * rank, 4 * rank + 4):
            if card != dealt:
                total += with_rank[card, other]
        by_class[CLASS_OF_RANKS[rank, other]] = total
    total = 0.0
    for card in range(4 * rank, 4 * rank + 4):
        for other in range(4 * rank, card):
            if card != dealt and other != dealt:
                total += flushless[card, other]
    by_class[CLASS_OF_RANKS[rank, rank]] = total


@njit(cache=True)
def _deal_one(
    ranks: SuitCards,
    of_suit: Any,
    belongs: NDArray[np.bool_],
    is_live: NDArray[np.bool_],
    holdings: NDArray[np.float64],
    known: Range,
    situation: Situation,
    tables: NDArray[np.uint16],
    sums: Sums,
) -> None:
    """Score the run-outs of one card."""
    weights, left = np.empty(RANK_CLASSES), np.empty(4)
    flushless, with_rank, all_weights = known
    by_class, by_flush = sums
    class_values, hole_class = situation.class_values, situation.hole_class
    for card in range(52):
        if is_live[card] and belongs[card & 3, 0]:
            rank = card >> 2
            for number in range(RANK_CLASSES):
                weights[number] = all_weights[number]
            _sum_classes(rank, card, flushless, with_rank, weights)
            board = ranks.board | (1 << rank if of_suit else 0)
            own = _own_value(class_values[rank, hole_class], board, ranks.hole, tables)
            _score_classes(own, rank, board, weights, class_values, tables, by_class)
            if ranks.suit != NO_SUIT:
                for suit in range(4):
                    left[suit] = 1.0 if suit != card & 3 else 0.0
                _score_two_cards(own, board, ranks, 1.0, holdings, tables, by_flush)
                _score_one_card(own, board, ranks, 1.0, rank, left, holdings, tables, by_flush)


# Sums may be taken in any order, which lets the compiler add several classes at a time.
@njit(cache=True, fastmath={"reassoc"})
def _deal_two(
    ranks: SuitCards,
    of_suit: Any,
    belongs: NDArray[np.bool_],
    is_live: NDArray[np.bool_],
    holdings: NDArray[np.float64],
    known: Range,
    situation: Situation,
    tables: NDArray[np.uint16],
    sums: Sums,
) -> None:
    """Score the run-outs of two cards. If one of them is of the suit, it is the first; otherwise the higher one is."""
    after_first, weights = np.empty((4, RANK_CLASSES)), np.empty(RANK_CLASSES)
    left, with_low = np.empty(4), np.empty(13)
    is_first = np.empty(4, dtype=np.bool_)
    flushless, with_rank, all_weights = known
    by_class, by_flush = sums
    class_values, hole_class = situation.class_values, situation.hole_class
    for high in range(13):
        for suit in range(4):
            card = 4 * high + suit
            is_first[suit] = is_live[card] and belongs[suit].any() and (of_suit != 1 or suit == ranks.suit)
            if is_first[suit]:
                for number in range(RANK_CLASSES):
                    after_first[suit, number] = all_weights[number]
                _sum_classes(high, card, flushless, with_rank, after_first[suit])
        for low in range(13 if of_suit == 1 else high + 1):
            all_boards = 0.0
            weights[:] = 0.0
            with_low[:] = 0.0
            for suit in range(4):
                if is_first[suit]:
                    first = 4 * high + suit
                    beyond = 52 if of_suit == 1 else first
                    boards = _second_cards(first, low, beyond, belongs, is_live, left)
                    _add_boards(
                        first, low, boards, left, after_first, flushless, with_rank, weights, with_low
                    )
                    all_boards += boards
            if all_boards == 0.0:
                continue
            for rank in range(13):
                weights[CLASS_OF_RANKS[low, rank]] = with_low[rank]
            run_out = CLASS_OF_RANKS[high, low]
            board = ranks.board | (1 << high if of_suit else 0) | (1 << low if of_suit == 2 else 0)
            own = _own_value(class_values[run_out, hole_class], board, ranks.hole, tables)
            _score_classes(own, run_out, board, weights, class_values, tables, by_class)
            if ranks.suit != NO_SUIT:
                _score_two_cards(own, board, ranks, all_boards, holdings, tables, by_flush)
                # Boards with four cards of the suit have one first card, so `left` is for all of them.
                _score_one_card(own, board, ranks, all_boards, low, left, holdings, tables, by_flush)


@njit(cache=True, forceinline=True)
def _second_cards(
    first: Any,
    rank: Any,
    beyond: Any,
    belongs: NDArray[np.bool_],
    is_live: NDArray[np.bool_],
    left: NDArray[np.float64],
) -> Any:
    """The number of second cards of a rank, below a card; writes on how many boards each card of the rank is left."""
    boards = 0.0
    for suit in range(4):
        card = 4 * rank + suit
        is_second = is_live[card] and card != first and card < beyond and belongs[first & 3, suit]
        left[suit] = -1.0 if is_second else 0.0
        boards += 1.0 if is_second else 0.0
    for suit in range(4):
        left[suit] += boards
    if first >> 2 == rank:
        left[first & 3] = 0.0
    return boards


@njit(cache=True, forceinline=True)
def _add_boards(
    first: Any,
    low: Any,
    boards: Any,
    left: NDArray[np.float64],
    after_first: NDArray[np.float64],
    flushless: NDArray[np.float64],
    with_rank: NDArray[np.float64],
    weights: NDArray[np.float64],
    with_low: NDArray[np.float64],
) -> None:
    """Add every class over the boards of one first card: those with the second rank, by their other rank, apart."""
    high, start = first >> 2, 4 * low
    for each in range(RANK_CLASSES):
        weights[each] += boards * after_first[first & 3, each]
    with_high, pairs = with_low[high], with_low[low]
    for suit in range(4):
        for rank in range(13):
            with_low[rank] += left[suit] * with_rank[start + suit, rank]
    if high != low:
        for suit in range(4):
            for card in range(4 * high, 4 * high + 4):
                if card != first:
                    with_high += left[suit] * flushless[start + suit, card]
        with_low[high] = with_high
    for one in range(4):
        for two in range(one):
            both = max(0.0, left[one] + left[two] - boards)  # on how many boards neither is dealt
            pairs += both * flushless[start + one, start + two]
    with_low[low] = pairs


@njit(cache=True, forceinline=True)
def _own_value(without_flush: Any, board: Any, hole: Any, tables: NDArray[np.uint16]) -> Any:
    """The value of the holding, from the ranks of the suit on the final board and in the hand."""
    if board and bit_count(board) + bit_count(hole) >= 5:
        return flush_value(board | hole, tables)
    return np.int64(without_flush)


@njit(cache=True, forceinline=True)
def _score_classes(
    own: Any,
    run_out: Any,
    board: Any,
    weights: NDArray[np.float64],
    class_values: NDArray[np.uint16],
    tables: NDArray[np.uint16],
    by_class: NDArray[np.float64],
) -> None:
    """Compare with all opponents without a flush of their own cards, class by class."""
    if bit_count(board) == 5:  # nobody has less than the flush on the board
        later = compare(own, flush_value(board, tables))
        for each in range(RANK_CLASSES):
            by_class[later, each] += weights[each]
        return
    own_value = np.uint16(own)
    for each in range(RANK_CLASSES):
        value = class_values[run_out, each]
        by_class[AHEAD, each] += weights[each] if value < own_value else 0.0
        by_class[TIED, each] += weights[each] if value == own_value else 0.0
        by_class[BEHIND, each] += weights[each] if value > own_value else 0.0


@njit(cache=True, forceinline=True)
def _score_two_cards(
    own: Any,
    board: Any,
    ranks: SuitCards,
    boards: Any,
    holdings: NDArray[np.float64],
    tables: NDArray[np.uint16],
    by_flush: NDArray[np.float64],
) -> None:
    """Compare with all opponents who hold two cards of the suit."""
    live = ranks.live & ~board
    for one in range(13):
        if (live >> one) & 1:
            with_one = board | (1 << one)
            for two in range(one):
                if (live >> two) & 1:
                    later = compare(own, flush_value(with_one | (1 << two), tables))
                    weight = boards * holdings[4 * one + ranks.suit, 4 * two + ranks.suit]
                    by_flush[BOTH, later, one, two] += weight


@njit(cache=True)
def _score_one_card(
    own: Any,
    board: Any,
    ranks: SuitCards,
    boards: Any,
    rank: Any,
    left: NDArray[np.float64],
    holdings: NDArray[np.float64],
    tables: NDArray[np.uint16],
    by_flush: NDArray[np.float64],
) -> None:
    """Compare with all opponents who hold one card of the suit, if the board has four: `rank` is `left` on some."""
    if bit_count(board) < 4:
        return
    live = ranks.live & ~board
    for one in range(13):
        if (live >> one) & 1:
            later = compare(own, flush_value(board | (1 << one), tables))
            for card in range(52):
                if card & 3 != ranks.suit:
                    times = left[card & 3] if card >> 2 == rank else boards
                    by_flush[ONE, later, one, card >> 2] += times * holdings[4 * one + ranks.suit, card]
