"""Potential and expected strength against a weighted range: sums over its holdings and all run-outs.

The same table and expectations as in `strength_uniform`, where every opponent's holding counts with its own
weight, as Loki weights the calculation by its beliefs about an opponent (loki-1999):

1. Prepare the situation: where the holding stands now against every rank class, and what every rank class
   will be worth (`strength_classes`).
2. Divide the run-outs by the suit of which the final board has three or more cards, and by how many it has.
   For every division, sum the weights of the holdings that make no flush: by card and rank, and by rank
   class.
3. Deal every run-out of the division, card after card. A dealt card changes only sums that contain its rank;
   these are recomputed from the remaining cards. Nothing is ever subtracted: impossible holdings have a weight
   of exactly zero, and no digits cancel.
4. For every run-out, compare every rank class with the holding's value, and then the holdings that make a flush
   by their cards of the suit: two of them, or one where the board has four.
5. At the end, assign the results by rank class and by flush cards to the state in which each was before.

The probability of a run-out is proportional to the weight of the holdings that it leaves possible, and the
expectations weight it accordingly; E[HS] is therefore the equity, the chance to win at showdown with ties
counting half.
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
    Deck,
    Situation,
    bit_count,
    flush_value,
    give_to_states,
    prepare,
)
from railbird.kernels.strength.comparison import AHEAD, BEHIND, TIED, compare, live_cards


class Weights(NamedTuple):
    """The weights of the holdings that are possible before the run-out, for one division of the run-outs."""

    holdings: NDArray[np.float64]
    """[card, card], in either order: all holdings; blocked ones weigh nothing."""
    flushless: NDArray[np.float64]
    """[card, card], in either order: the holdings without a flush of their own cards."""
    with_rank: NDArray[np.float64]
    """[card, rank]: the flushless holdings of the card and any card of the rank."""
    by_class: NDArray[np.float64]
    """[rank class]: the flushless holdings."""
    partners: NDArray[np.float64]
    """[rank, rank]: the holdings of a card of the suit and any card of the second rank in another suit."""


class Sums(NamedTuple):
    """The weight of all pairs of an opponent's holding and a run-out that end in one way."""

    by_class: NDArray[np.float64]
    """[how it ends, rank class]: against opponents without a flush of their own cards."""
    by_flush: NDArray[np.float64]
    """[BOTH or ONE, how it ends, rank of a card of the suit, rank of the other card]: against flushes."""
    expectations: NDArray[np.float64]
    """Over run-outs: the weight w left possible, the weight s won (ties by half), and s² / w."""


@njit(cache=True)
def sum_transitions(
    cards: NDArray[np.int64],
    look_ahead: int,
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    transitions: NDArray[np.float64],
    expectations: NDArray[np.float64],
) -> None:
    """Sum the transitions of two hole cards, followed in `cards` by the board, when one or two cards are dealt.

    Writes the weights of pairs of opponent and run-out by how they stand [now, later], and the sums over
    run-outs of the weight w left possible, of the weight s won (ties by half), and of s² / w.
    """
    situation = prepare(cards, look_ahead, tables)
    sums = Sums(np.zeros((3, RANK_CLASSES)), np.zeros((2, 3, 13, 13)), expectations)
    expectations[:] = 0.0
    live = live_cards(cards)
    holdings = weights_by_cards(live, weights)
    for suit in range(NO_SUIT, 4):
        least = most = 0
        if suit != NO_SUIT:
            on_board_now = bit_count(situation.deck.board_suits[suit])
            least, most = max(on_board_now, 3), on_board_now + look_ahead
        for on_board in range(least, most + 1):
            _go_through(suit, on_board, look_ahead, live, holdings, situation, tables, sums)
    give_to_states(sums.by_class, sums.by_flush, situation, tables, transitions)


@njit(cache=True, internal=True)
def weights_by_cards(live: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of the holdings of live cards, [card, card] in either order."""
    holdings = np.zeros((52, 52))
    for i in range(live.size):
        for j in range(i):
            high, low = live[i], live[j]
            holdings[high, low] = holdings[low, high] = weights[high * (high - 1) // 2 + low]
    return holdings


@njit(cache=True, internal=True)
def possible_run_outs(suit: int, on_board: int, look_ahead: int, deck: Deck) -> NDArray[np.bool_]:
    """By the suits of the dealt cards (only the first counts, if one is dealt): which run-outs belong here."""
    belongs = np.empty((4, 4), dtype=np.bool_)
    for first in range(4):
        for second in range(4):
            cards_of_suit, suit_of_three = 0, NO_SUIT
            for each in range(4):
                cards = bit_count(deck.board_suits[each]) + np.int64(first == each)
                cards += np.int64(look_ahead == 2 and second == each)
                if cards >= 3:
                    cards_of_suit, suit_of_three = cards, each
            belongs[first, second] = cards_of_suit == on_board and suit_of_three == suit
    return belongs


@njit(cache=True)
def _divide(suit: int, on_board: int, holdings: NDArray[np.float64]) -> Weights:
    """The sums of weights with which the run-outs of a division begin."""
    flushless = holdings.copy()
    for card in range(52):
        for other in range(52):
            of_suit = np.int64(card & 3 == suit) + np.int64(other & 3 == suit)
            if of_suit > 0 and of_suit + on_board >= 5:
                flushless[card, other] = 0.0
    weights = Weights(holdings, flushless, np.empty((52, 13)), np.empty(RANK_CLASSES), np.zeros((13, 13)))
    for rank in range(13):
        _sum_with_rank(rank, NO_CARD, flushless, weights.with_rank)
        if on_board >= 4:
            _sum_partners(rank, suit, NO_CARD, NO_CARD, holdings, weights.partners)
    for rank in range(13):
        _sum_classes(rank, NO_CARD, NO_CARD, flushless, weights.with_rank, weights.by_class)
    return weights


# Sums may be taken in any order, which lets the compiler add several classes at a time.
@njit(cache=True, fastmath={"reassoc"})
def _go_through(
    suit: int,
    on_board: int,
    look_ahead: int,
    live: NDArray[np.int64],
    holdings: NDArray[np.float64],
    situation: Situation,
    tables: NDArray[np.uint16],
    sums: Sums,
) -> None:
    """Score the run-outs of one division."""
    belongs = possible_run_outs(suit, on_board, look_ahead, situation.deck)
    weights = _divide(suit, on_board, holdings)
    flushless, with_rank, partners = weights.flushless, weights.with_rank, weights.partners
    after_first = np.empty(RANK_CLASSES)
    by_class = np.empty(RANK_CLASSES)
    for i in range(live.size):
        first = live[i]
        if not belongs[first & 3].any():
            continue
        _sum_with_rank(first >> 2, first, flushless, with_rank)
        for each in range(RANK_CLASSES):
            after_first[each] = weights.by_class[each]
        _sum_classes(first >> 2, first, NO_CARD, flushless, with_rank, after_first)
        if on_board >= 4:
            _sum_partners(first >> 2, suit, first, NO_CARD, holdings, partners)
        for j in range(i if look_ahead == 2 else 1):
            second = live[j] if look_ahead == 2 else NO_CARD
            if not belongs[first & 3, second & 3]:
                continue
            for each in range(RANK_CLASSES):
                by_class[each] = after_first[each]
            if second != NO_CARD:
                _sum_classes(second >> 2, first, second, flushless, with_rank, by_class)
                if on_board >= 4:
                    _sum_partners(second >> 2, suit, first, second, holdings, partners)
            _score_run_out(first, second, suit, on_board, by_class, weights, situation, tables, sums)
            if second != NO_CARD and on_board >= 4:
                _sum_partners(second >> 2, suit, first, NO_CARD, holdings, partners)
        _sum_with_rank(first >> 2, NO_CARD, flushless, with_rank)
        if on_board >= 4:
            _sum_partners(first >> 2, suit, NO_CARD, NO_CARD, holdings, partners)


@njit(cache=True)
def _sum_with_rank(
    rank: Any, dealt: Any, flushless: NDArray[np.float64], with_rank: NDArray[np.float64]
) -> None:
    """For every card, sum its flushless holdings with the undealt cards of a rank."""
    for card in range(52):
        total = 0.0
        for other in range(4 * rank, 4 * rank + 4):
            if other != dealt:
                total += flushless[card, other]
        with_rank[card, rank] = total


@njit(forceinline=True)
def _sum_classes(
    rank: Any,
    first: Any,
    second: Any,
    flushless: NDArray[np.float64],
    with_rank: NDArray[np.float64],
    by_class: NDArray[np.float64],
) -> None:
    """Sum the classes with a rank, without its dealt cards; `with_rank` knows of those dealt of other ranks."""
    for other in range(13):
        total = 0.0
        for card in range(4 * rank, 4 * rank + 4):
            if card != first and card != second:
                total += with_rank[card, other]
        by_class[CLASS_OF_RANKS[rank, other]] = total
    total = 0.0
    for card in range(4 * rank, 4 * rank + 4):
        for other in range(4 * rank, card):
            if card != first and card != second and other != first and other != second:
                total += flushless[card, other]
    by_class[CLASS_OF_RANKS[rank, rank]] = total


@njit(cache=True)
def _sum_partners(
    rank: Any,
    suit: Any,
    first: Any,
    second: Any,
    holdings: NDArray[np.float64],
    partners: NDArray[np.float64],
) -> None:
    """For every card of the suit, sum its holdings with the undealt cards of a rank in other suits."""
    for suited in range(13):
        total = 0.0
        for card in range(4 * rank, 4 * rank + 4):
            if card & 3 != suit and card != first and card != second:
                total += holdings[4 * suited + suit, card]
        partners[suited, rank] = total


@njit(forceinline=True)
def _score_run_out(
    first: Any,
    second: Any,
    suit: Any,
    on_board: Any,
    by_class: NDArray[np.float64],
    weights: Weights,
    situation: Situation,
    tables: NDArray[np.uint16],
    sums: Sums,
) -> None:
    run_out = first >> 2 if second == NO_CARD else CLASS_OF_RANKS[first >> 2, second >> 2]
    own = np.int64(situation.class_values[run_out, situation.hole_class])
    board_ranks = 0
    if suit != NO_SUIT:
        board_ranks = situation.deck.board_suits[suit]
        if first & 3 == suit:
            board_ranks |= 1 << (first >> 2)
        if second != NO_CARD and second & 3 == suit:
            board_ranks |= 1 << (second >> 2)
        hole_ranks = situation.hole_suits[suit]
        if on_board + bit_count(hole_ranks) >= 5:
            own = flush_value(board_ranks | hole_ranks, tables)
    if on_board == 5:
        beaten, tied, beating = _score_flush_on_board(own, board_ranks, by_class, tables, sums.by_class)
    else:
        beaten, tied, beating = _score_classes(own, run_out, by_class, situation.class_values, sums.by_class)
    if on_board >= 3:
        live_ranks = situation.deck.live_suits[suit] & ~board_ranks
        flushes = _score_flushes(own, board_ranks, live_ranks, suit, on_board, weights, tables, sums.by_flush)
        beaten += flushes[AHEAD]
        tied += flushes[TIED]
        beating += flushes[BEHIND]
    possible = beaten + tied + beating
    won = beaten + 0.5 * tied
    sums.expectations[0] += possible
    sums.expectations[1] += won
    if possible > 0.0:
        # won² / possible, safe for very large and very small weights
        sums.expectations[2] += won * (won / possible)


@njit(forceinline=True)
def _score_classes(
    own: Any,
    run_out: Any,
    weights: NDArray[np.float64],
    class_values: NDArray[np.uint16],
    by_class: NDArray[np.float64],
) -> Any:
    """Compare with all opponents without a flush of their own cards, class by class."""
    own_value = np.uint16(own)
    beaten = tied = beating = 0.0
    for each in range(RANK_CLASSES):
        value = class_values[run_out, each]
        worse = weights[each] if value < own_value else 0.0
        equal = weights[each] if value == own_value else 0.0
        better = weights[each] if value > own_value else 0.0
        by_class[AHEAD, each] += worse
        by_class[TIED, each] += equal
        by_class[BEHIND, each] += better
        beaten += worse
        tied += equal
        beating += better
    return beaten, tied, beating


@njit(forceinline=True)
def _score_flush_on_board(
    own: Any,
    board_ranks: Any,
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    by_class: NDArray[np.float64],
) -> Any:
    """Compare with all opponents who have nothing but the flush on the board: nobody has less."""
    later = compare(own, flush_value(board_ranks, tables))
    total = 0.0
    for each in range(RANK_CLASSES):
        by_class[later, each] += weights[each]
        total += weights[each]
    return (total, 0.0, 0.0) if later == AHEAD else (0.0, total, 0.0)


@njit(forceinline=True)
def _score_flushes(
    own: Any,
    board_ranks: Any,
    live_ranks: Any,
    suit: Any,
    on_board: Any,
    weights: Weights,
    tables: NDArray[np.uint16],
    by_flush: NDArray[np.float64],
) -> Any:
    """Compare with all opponents who hold two cards of the suit, or one where the board has four."""
    holdings, partners = weights.holdings, weights.partners
    beaten = tied = beating = 0.0
    for first in range(13):
        if (live_ranks >> first) & 1 == 0:
            continue
        first_ranks = board_ranks | (1 << first)
        for second in range(first):
            if (live_ranks >> second) & 1:
                later = compare(own, flush_value(first_ranks | (1 << second), tables))
                weight = holdings[4 * first + suit, 4 * second + suit]
                by_flush[BOTH, later, first, second] += weight
                beaten += weight if later == AHEAD else 0.0
                tied += weight if later == TIED else 0.0
                beating += weight if later == BEHIND else 0.0
        if on_board >= 4:
            later = compare(own, flush_value(first_ranks, tables))
            weight = 0.0
            for second in range(13):
                by_flush[ONE, later, first, second] += partners[first, second]
                weight += partners[first, second]
            beaten += weight if later == AHEAD else 0.0
            tied += weight if later == TIED else 0.0
            beating += weight if later == BEHIND else 0.0
    return beaten, tied, beating
