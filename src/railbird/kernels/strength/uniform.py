"""Potential and expected strength against a random holding: exact counts over all opponents and all run-outs.

The table of baycarp-2011 fig. 6.4 (ahead, tied or behind now × ahead, tied or behind later) and the sums
behind E[HS] and E[HS²] (sartre-2012 §5.2.1), without visiting a million pairs of opponent and run-out on the
flop:

1. Prepare the situation: where the holding stands now against every rank class, and what every rank class
   will be worth (`strength_classes`).
2. For every suit, go through the run-outs that leave three or more of its cards on the board, by kinds of
   cards. All run-outs of the same kinds are alike: score one of them, and count it as often as there are
   such.
3. Then ignore suits, and go through all other run-outs by rank.
4. To score a run-out, count the holdings of every rank class that an opponent without a flush can have (a
   dealt card changes only the classes that contain its rank), and compare the class's value with the holding's.
   Then take the opponents with a flush by their cards of the suit: two of them, or one where the board has
   four.
5. At the end, assign the results by rank class and by flush cards to the state in which each was before.

A run-out's score counts two for every opponent beaten and one for every tie, so everything stays an integer.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.strength.classes import (
    BOTH,
    CLASS_OF_RANKS,
    KINDS,
    NO_CARD,
    NO_SUIT,
    ONE,
    RANK_CLASSES,
    SUITED,
    Situation,
    bit_count,
    flush_value,
    give_to_states,
    prepare,
    stock_of_kinds,
    ways,
)
from railbird.kernels.strength.comparison import AHEAD, BEHIND, TIED, compare


class Counts(NamedTuple):
    """How many pairs of an opponent's holding and a run-out end in which way."""

    by_class: NDArray[np.int32]
    """[how it ends, rank class]: against opponents without a flush of their own cards."""
    by_flush: NDArray[np.int64]
    """[BOTH or ONE, how it ends, rank of a card of the suit, rank of the other card]: against flushes."""
    scores: NDArray[np.int64]
    """The sum of the run-outs' scores, and the sum of their squares."""
    with_flush: NDArray[np.int64]
    """For every rank class (or rank) of run-outs, how many allow a flush and have been gone through."""


@njit(cache=True)
def count_transitions(
    cards: NDArray[np.int64],
    look_ahead: int,
    tables: NDArray[np.uint16],
    transitions: NDArray[np.int64],
    scores: NDArray[np.int64],
) -> None:
    """Count the transitions of two hole cards, followed in `cards` by the board, when one or two cards come.

    Writes the pairs of opponent and run-out by how they stand [now, later], and the sums over run-outs of the
    score and of its square.
    """
    situation = prepare(cards, look_ahead, tables)
    counts = Counts(
        np.zeros((3, RANK_CLASSES), dtype=np.int32),
        np.zeros((2, 3, 13, 13), dtype=np.int64),
        scores,
        np.zeros(RANK_CLASSES, dtype=np.int64),
    )
    scores[:] = 0
    for suit in range(3, NO_SUIT - 1, -1):
        if suit == NO_SUIT or bit_count(situation.deck.board_suits[suit]) + look_ahead >= 3:
            _go_through(suit, look_ahead, situation, tables, counts)
    give_to_states(counts.by_class, counts.by_flush, situation, tables, transitions)


@njit(cache=True)
def _go_through(
    suit: int, look_ahead: int, situation: Situation, tables: NDArray[np.uint16], counts: Counts
) -> None:
    """Score the run-outs that leave three or more cards of a suit on the board; for NO_SUIT, all others."""
    class_values, hole_class = situation.class_values, situation.hole_class
    by_class, by_flush, scores = counts.by_class, counts.by_flush, counts.scores
    board_now = hole_ranks = 0
    if suit != NO_SUIT:
        board_now, hole_ranks = situation.deck.board_suits[suit], situation.hole_suits[suit]
    on_board_now = bit_count(board_now)
    stock = stock_of_kinds(suit, situation.deck)
    holdings_before = np.empty((6, RANK_CLASSES), dtype=np.int32)
    for on_board in range(on_board_now, on_board_now + look_ahead + 1):
        for rank in range(13):
            _count_holdings(rank, on_board, stock, holdings_before[on_board])
    holdings = np.empty(RANK_CLASSES, dtype=np.int32)
    flush_on_board = np.empty((1, RANK_CLASSES), dtype=np.uint16)

    for first in range(KINDS):
        if stock[first] == 0:
            continue
        seconds = range(first + 1) if look_ahead == 2 else range(NO_CARD, NO_CARD + 1)
        for second in seconds:
            copies = ways(first, stock[first], second, stock[second])
            on_board = on_board_now + np.int64(first >= SUITED) + np.int64(second >= SUITED)
            run_out = first % SUITED if second == NO_CARD else CLASS_OF_RANKS[first % SUITED, second % SUITED]
            if suit == NO_SUIT:
                copies -= counts.with_flush[run_out]
            elif on_board >= 3:
                counts.with_flush[run_out] += copies
            else:
                continue
            if copies == 0:
                continue

            board_ranks = board_now
            for each in range(RANK_CLASSES):
                holdings[each] = holdings_before[on_board, each]
            stock[first] -= 1
            if first >= SUITED:
                board_ranks |= 1 << (first - SUITED)
            if second != NO_CARD:
                stock[second] -= 1
                if second >= SUITED:
                    board_ranks |= 1 << (second - SUITED)
                _count_holdings(second % SUITED, on_board, stock, holdings)
            _count_holdings(first % SUITED, on_board, stock, holdings)

            own = np.int64(class_values[run_out, hole_class])
            if on_board + bit_count(hole_ranks) >= 5:
                own = flush_value(board_ranks | hole_ranks, tables)
            values, row = class_values, run_out
            if on_board == 5:
                values, row = flush_on_board, 0
                flush_on_board[:] = flush_value(board_ranks, tables)
            score = _score_classes(own, values, row, copies, holdings, by_class)
            if on_board >= 3:
                score += _score_two_flush_cards(own, board_ranks, copies, stock, tables, by_flush)
            if on_board >= 4:
                score += _score_one_flush_card(own, board_ranks, copies, stock, tables, by_flush)
            scores[0] += copies * score
            scores[1] += copies * score * score

            stock[first] += 1
            if second != NO_CARD:
                stock[second] += 1


@njit(forceinline=True)
def _count_holdings(rank: Any, on_board: Any, stock: NDArray[np.int64], holdings: NDArray[np.int32]) -> None:
    """Count, class by class, the holdings that contain a card of a rank and make no flush."""
    # With three of the suit on the board an opponent without a flush may hold one card of it, with four or
    # five none.
    may_hold_one = np.int64(on_board < 4)
    suited = may_hold_one * stock[SUITED + rank]
    free = stock[rank] + suited
    for other in range(13):
        suited_other = may_hold_one * stock[SUITED + other]
        free_other = stock[other] + suited_other
        holdings[CLASS_OF_RANKS[rank, other]] = free * free_other - suited * suited_other
    holdings[CLASS_OF_RANKS[rank, rank]] = free * (free - 1) // 2


@njit(forceinline=True)
def _score_classes(
    own: Any,
    values: NDArray[np.uint16],
    row: Any,
    copies: Any,
    holdings: NDArray[np.int32],
    by_class: NDArray[np.int32],
) -> Any:
    """Compare with all opponents without a flush of their own cards, class by class."""
    # Small numbers throughout, so that the compiler processes eight classes at a time.
    nothing = np.int32(0)
    own_value = np.uint16(own)
    times = np.int32(copies)
    score = nothing
    for each in range(RANK_CLASSES):
        value = values[row, each]
        beaten = holdings[each] if value < own_value else nothing
        tied = holdings[each] if value == own_value else nothing
        by_class[AHEAD, each] += times * beaten
        by_class[TIED, each] += times * tied
        by_class[BEHIND, each] += times * (holdings[each] - beaten - tied)
        score += beaten + beaten + tied
    return np.int64(score)


@njit(forceinline=True)
def _score_two_flush_cards(
    own: Any,
    board_ranks: Any,
    copies: Any,
    stock: NDArray[np.int64],
    tables: NDArray[np.uint16],
    by_flush: NDArray[np.int64],
) -> Any:
    """Compare with all opponents who hold two cards of the suit."""
    score = 0
    for first in range(13):
        if stock[SUITED + first]:
            for second in range(first):
                if stock[SUITED + second]:
                    ranks = board_ranks | (1 << first) | (1 << second)
                    later = compare(own, flush_value(ranks, tables))
                    by_flush[BOTH, later, first, second] += copies
                    score += BEHIND - later
    return score


@njit(forceinline=True)
def _score_one_flush_card(
    own: Any,
    board_ranks: Any,
    copies: Any,
    stock: NDArray[np.int64],
    tables: NDArray[np.uint16],
    by_flush: NDArray[np.int64],
) -> Any:
    """Compare with all opponents who hold one card of the suit, where the board has four."""
    score = 0
    for first in range(13):
        if stock[SUITED + first]:
            later = compare(own, flush_value(board_ranks | (1 << first), tables))
            for second in range(13):
                by_flush[ONE, later, first, second] += copies * stock[second]
                score += (BEHIND - later) * stock[second]
    return score
