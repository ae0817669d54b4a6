"""Shared by the kernels of potential and expected strength: rank classes of cards, and kinds of cards.

*Rank classes.* Flushes aside, the value of a hand depends only on its ranks. Two cards whose suits are
ignored form one of 91 rank classes; while no flush is possible, the turn and river together, and likewise a
holding, need only be told apart by rank class. Run-out and holding add to a board alike, so of a table of
values by run-out and holding one half is the mirror of the other.

*Kinds.* With respect to one suit, a card is of one of 26 kinds: its rank, and whether it is of the suit.
Kinds 0..12 are the cards of the three other suits, kinds 13..25 those of the suit. On a final board with
three or more cards of the suit everything can be told from kinds. Only one suit can have three cards on a
board of five, so nobody has a choice of flushes; and next to five cards of one suit there is no room for a
full house or four of a kind, so a hand with a flush is worth its flush.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, hand_value
from railbird.kernels.hands.evaluation_tables import FLUSH_VALUES
from railbird.kernels.strength.comparison import compare

RANK_CLASSES = 91
_RANKS_OF_CLASSES = [(high, low) for high in range(13) for low in range(high + 1)]
CLASS_OF_RANKS: NDArray[np.int64] = np.zeros((13, 13), dtype=np.int64)
"""The rank class of two ranks in either order: `high · (high + 1) / 2 + low`."""
for _class, (_high, _low) in enumerate(_RANKS_OF_CLASSES):
    CLASS_OF_RANKS[_high, _low] = CLASS_OF_RANKS[_low, _high] = _class

KINDS = 26
SUITED = 13
"""The first kind of the suit: the kind of a card is its rank, plus this if it is of the suit."""
NO_SUIT = -1
"""In place of a suit, if suits are ignored: all cards are then of kinds 0..12."""
NO_CARD = -1
"""In place of the second card of a run-out of one card; what it finds as an index is read and not used."""

# The low 36 bits of a card's key are its rank and the count of one card: without suits there is no flush.
RANK_KEYS: NDArray[np.uint64] = CARD_KEYS[::4] & np.uint64((1 << 36) - 1)
CLASS_KEYS: NDArray[np.uint64] = np.array(
    [RANK_KEYS[high] + RANK_KEYS[low] for high, low in _RANKS_OF_CLASSES], dtype=np.uint64
)
_NO_MASK = np.uint64(0)


class Deck(NamedTuple):
    """A board and the cards not yet seen, by rank and by suit."""

    board_suits: NDArray[np.int64]
    """For every suit, the mask of the board's ranks."""
    live_suits: NDArray[np.int64]
    """For every suit, the mask of the ranks not yet seen."""
    live_ranks: NDArray[np.int64]
    """For every rank, how many of its cards are not yet seen."""
    board_key: np.uint64
    """The sum of the board's rank keys."""


@njit(cache=True, internal=True)
def deck(hole: NDArray[np.int64], board: NDArray[np.int64]) -> Deck:
    """The deck without the cards of a board and without hole cards, if any are known."""
    board_suits = np.zeros(4, dtype=np.int64)
    live_suits = np.full(4, 0x1FFF, dtype=np.int64)
    live_ranks = np.full(13, 4, dtype=np.int64)
    board_key = np.uint64(0)
    for i in range(board.size):
        rank, suit = board[i] >> 2, board[i] & 3
        board_suits[suit] |= 1 << rank
        board_key += RANK_KEYS[rank]
        live_suits[suit] &= ~(1 << rank)
        live_ranks[rank] -= 1
    for i in range(hole.size):
        live_suits[hole[i] & 3] &= ~(1 << (hole[i] >> 2))
        live_ranks[hole[i] >> 2] -= 1
    return Deck(board_suits, live_suits, live_ranks, board_key)


@njit(cache=True, internal=True)
def stock_of_kinds(suit: int, cards: Deck) -> NDArray[np.int64]:
    """For every kind with respect to a suit, how many cards are not yet seen."""
    stock = np.zeros(KINDS, dtype=np.int64)
    for rank in range(13):
        if suit != NO_SUIT:
            stock[SUITED + rank] = (cards.live_suits[suit] >> rank) & 1
        stock[rank] = cards.live_ranks[rank] - stock[SUITED + rank]
    return stock


@njit(forceinline=True)
def ways(first: Any, firsts: Any, second: Any, seconds: Any) -> Any:
    """How many pairs of cards two kinds can form, from the number of each; with NO_CARD, the number of one."""
    if second == NO_CARD:
        return firsts
    if first == second:
        return firsts * (firsts - 1) // 2
    return firsts * seconds


@njit(cache=True, internal=True)
def bit_count(mask: Any) -> Any:
    """How many bits of a mask are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit(cache=True, internal=True)
def flush_value(ranks: Any, tables: NDArray[np.uint16]) -> Any:
    """The value of a flush, from the mask of all ranks held in its suit."""
    return np.int64(tables[FLUSH_VALUES + ranks])


@njit(cache=True, internal=True)
def values_of_classes(
    board_key: np.uint64, look_ahead: int, tables: NDArray[np.uint16]
) -> NDArray[np.uint16]:
    """The final values of all rank classes, by run-out: two cards are a rank class, one is a rank."""
    if look_ahead == 2:
        values = np.empty((RANK_CLASSES, RANK_CLASSES), dtype=np.uint16)
        for run_out in range(RANK_CLASSES):
            for holding in range(run_out + 1):
                key = board_key + CLASS_KEYS[run_out] + CLASS_KEYS[holding]
                values[run_out, holding] = values[holding, run_out] = hand_value(key, _NO_MASK, tables)
    else:
        values = np.empty((13, RANK_CLASSES), dtype=np.uint16)
        for run_out in range(13):
            for holding in range(RANK_CLASSES):
                key = board_key + RANK_KEYS[run_out] + CLASS_KEYS[holding]
                values[run_out, holding] = hand_value(key, _NO_MASK, tables)
    return values


class Situation(NamedTuple):
    """A holding on a board, how it compares now, and the final values of rank classes."""

    deck: Deck
    hole_class: int
    """The rank class of the holding."""
    hole_suits: NDArray[np.int64]
    """For every suit, the mask of the holding's ranks."""
    value_now: Any
    """The value of the holding on the present board."""
    class_states: NDArray[np.int64]
    """For every rank class, how the holding stands now against its holdings that have no flush."""
    class_values: NDArray[np.uint16]
    """The final values of rank classes, by run-out."""


@njit(cache=True, internal=True)
def prepare(cards: NDArray[np.int64], look_ahead: int, tables: NDArray[np.uint16]) -> Situation:
    """The situation of two hole cards, followed in `cards` by the board, with one or two cards to come."""
    cards_left = deck(cards[:2], cards[2:])
    key = EMPTY_KEY
    mask = _NO_MASK
    for i in range(cards.size):
        key += CARD_KEYS[cards[i]]
        mask |= CARD_MASKS[cards[i]]
    hole_suits = np.zeros(4, dtype=np.int64)
    for i in range(2):
        hole_suits[cards[i] & 3] |= 1 << (cards[i] >> 2)
    value_now = np.int64(hand_value(key, mask, tables))
    class_states = np.empty(RANK_CLASSES, dtype=np.int64)
    for each in range(RANK_CLASSES):
        other = hand_value(cards_left.board_key + CLASS_KEYS[each], _NO_MASK, tables)
        class_states[each] = compare(value_now, np.int64(other))
    return Situation(
        cards_left,
        CLASS_OF_RANKS[cards[0] >> 2, cards[1] >> 2],
        hole_suits,
        value_now,
        class_states,
        values_of_classes(cards_left.board_key, look_ahead, tables),
    )


# How many of an opponent's cards are of the flush suit, in arrays over opponents with a flush.
BOTH, ONE = 0, 1


@njit(cache=True, internal=True)
def give_to_states(
    by_class: NDArray[Any],
    by_flush: NDArray[Any],
    situation: Situation,
    tables: NDArray[np.uint16],
    transitions: NDArray[Any],
) -> None:
    """Write the table [now, later] from what was found by class and by flush.

    `by_class` is [later, rank class], and `by_flush` [BOTH or ONE, later, rank, rank]: the first rank is that
    of a card of the suit, the second too if both are. Who has no flush in the end has none now, and stands
    where the class stands. Who has one in the end may have it already: where a suit has three cards on the
    board, no other suit can get there, so the suit needs no naming.
    """
    board_ranks = 0
    for suit in range(4):
        if bit_count(situation.deck.board_suits[suit]) >= 3:
            board_ranks = situation.deck.board_suits[suit]
    on_board = bit_count(board_ranks)
    transitions[:] = 0
    for later in range(3):
        for each in range(RANK_CLASSES):
            transitions[situation.class_states[each], later] += by_class[later, each]
        for first in range(13):
            first_ranks = board_ranks | (1 << first)
            for second in range(13):
                both = one = situation.class_states[CLASS_OF_RANKS[first, second]]
                if on_board >= 3:
                    both = compare(situation.value_now, flush_value(first_ranks | (1 << second), tables))
                if on_board >= 4:
                    one = compare(situation.value_now, flush_value(first_ranks, tables))
                transitions[both, later] += by_flush[BOTH, later, first, second]
                transitions[one, later] += by_flush[ONE, later, first, second]
