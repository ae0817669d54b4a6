"""The value of five, six or seven cards by two table lookups, and of fewer cards by counting.

A hand is two 64-bit numbers, and a hand is put together from parts by adding the one and joining the other:

    key  = EMPTY_KEY + Σ CARD_KEYS[card]    bits 0..31 rank keys, 32..35 number of cards, 48..63 suit counters
    mask = | CARD_MASKS[card]               bit 16 * suit + rank

A suit's four-bit counter begins at 3, so that its highest bit says that five or more cards have that suit.
`tables` is always the array of `evaluation_tables`. Higher values are better, equal values tie.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation_tables import (
    BEST_VALUE,
    BUCKET_SHIFT,
    FIVE,
    FLUSH_VALUES,
    RANK_KEYS,
    SEVEN,
    SIX,
)
from railbird.kernels.hands.four_hands import HANDS, can_add_four_hands, sums_of_four_hands

# Compiled code takes bare literals as signed, and signed with unsigned makes a float: hence _U everywhere.
_U = np.uint64
_DECK = _U(52)
_RANKS = _U(13)
_COUNT_SHIFT = _U(32)
_COUNT_FIELD = _U(0xF)
_SUIT_COUNTERS = 48
_ONE_OF_EACH_SUIT = _U(0x1111 << _SUIT_COUNTERS)
_FLUSH_BITS = _U(0x8888 << _SUIT_COUNTERS)
_SUIT_RANKS = _U(0x1FFF)
_BUCKET_SHIFT = _U(BUCKET_SHIFT)

_SEVEN_START, _SEVEN_VALUES = _U(SEVEN.start), _U(SEVEN.values)
_SEVEN_BUCKETS, _SEVEN_SLOTS = _U(SEVEN.buckets - 1), _U(SEVEN.slots - 1)
_SIX_START, _SIX_VALUES = _U(SIX.start), _U(SIX.values)
_SIX_BUCKETS, _SIX_SLOTS = _U(SIX.buckets - 1), _U(SIX.slots - 1)
_FIVE_START, _FIVE_VALUES = _U(FIVE.start), _U(FIVE.values)
_FIVE_BUCKETS, _FIVE_SLOTS = _U(FIVE.buckets - 1), _U(FIVE.slots - 1)
_FLUSH_VALUES = _U(FLUSH_VALUES)

EMPTY_KEY = _U(0x3333 << _SUIT_COUNTERS)
RANK_ONLY_KEYS = np.array([key + (1 << 32) for key in RANK_KEYS], dtype=np.uint64)
"""Keys of cards whose suit does not matter, because no flush can come of it."""
_SUIT_KEYS = [1 << (_SUIT_COUNTERS + 4 * suit) for suit in range(4)]
CARD_KEYS = np.array(
    [int(RANK_ONLY_KEYS[card >> 2]) + _SUIT_KEYS[card & 3] for card in range(52)], dtype=np.uint64
)
CARD_MASKS = np.array([1 << (16 * (card & 3) + (card >> 2)) for card in range(52)], dtype=np.uint64)

_BLOCK, _FOUR = _U(256), _U(HANDS)
_keys_of_four_hands = sums_of_four_hands(RANK_KEYS, _SUIT_KEYS, int(EMPTY_KEY) + (7 << 32))


@njit(cache=True)
def _flush_value(key: np.uint64, mask: np.uint64, tables: NDArray[np.uint16]) -> np.uint16:
    # suit_shift = 16 * suit. Bit 0, 4, 8 or 12 is the suit; a branch on it would be mispredicted most times.
    flush = (key & _FLUSH_BITS) >> _U(51)
    low = (flush | (flush >> _U(8))) & _U(0x10)
    high = ((flush >> _U(3)) | (flush >> _U(7))) & _U(0x20)
    suit_shift = low | high
    value: np.uint16 = tables[_FLUSH_VALUES + ((mask >> suit_shift) & _SUIT_RANKS)]
    return value


@njit(forceinline=True)
def suited_value(mask: np.uint64, suit: int, tables: NDArray[np.uint16]) -> np.uint16:
    """The value of a flush, from a mask that contains its cards."""
    value: np.uint16 = tables[_FLUSH_VALUES + ((mask >> _U(16 * suit)) & _SUIT_RANKS)]
    return value


@njit(cache=True, internal=True)
def seven_rank_value(key: np.uint64, tables: NDArray[np.uint16]) -> np.uint16:
    """The value of a hand of seven cards of which no five have one suit."""
    displacement = tables[_SEVEN_START + ((key >> _BUCKET_SHIFT) & _SEVEN_BUCKETS)]
    value: np.uint16 = tables[_SEVEN_VALUES + ((key + _U(displacement)) & _SEVEN_SLOTS)]
    return value


@njit(cache=True)
def seven_card_value(key: np.uint64, mask: np.uint64, tables: NDArray[np.uint16]) -> np.uint16:
    """The value of a hand of seven cards."""
    if key & _FLUSH_BITS:
        return _flush_value(key, mask, tables)
    return seven_rank_value(key, tables)


@njit(cache=True)
def hand_value(key: np.uint64, mask: np.uint64, tables: NDArray[np.uint16]) -> np.uint16:
    """The value of a hand of five, six or seven cards: the key knows how many."""
    if key & _FLUSH_BITS:
        return _flush_value(key, mask, tables)
    value: np.uint16
    count = (key >> _COUNT_SHIFT) & _COUNT_FIELD
    if count == _U(7):
        value = seven_rank_value(key, tables)
    elif count == _U(6):
        displacement = tables[_SIX_START + ((key >> _BUCKET_SHIFT) & _SIX_BUCKETS)]
        value = tables[_SIX_VALUES + ((key + _U(displacement)) & _SIX_SLOTS)]
    else:
        displacement = tables[_FIVE_START + ((key >> _BUCKET_SHIFT) & _FIVE_BUCKETS)]
        value = tables[_FIVE_VALUES + ((key + _U(displacement)) & _FIVE_SLOTS)]
    return value


@njit(cache=True)
def cards_value(cards: NDArray[np.integer], count: int, tables: NDArray[np.uint16]) -> np.uint16:
    """The value of the first `count` (five, six or seven) cards of an array."""
    key = EMPTY_KEY
    mask = _U(0)
    for i in range(count):
        key += CARD_KEYS[cards[i]]
        mask |= CARD_MASKS[cards[i]]
    return hand_value(key, mask, tables)


@njit(cache=True)
def small_hand_value(cards: NDArray[np.integer], count: int) -> int:
    """The value of the first `count` (one to four) cards, by repeated ranks and then by ranks.

    Suits never matter, and only hands of the same number of cards can be compared. A value is a row of
    four-bit digits: four multiplicities from the largest down, then the ranks in the same order.
    """
    multiplicities = 0
    ranks = 0
    shift = 16
    for multiplicity in range(4, 0, -1):
        for rank in range(12, -1, -1):
            held = 0
            for i in range(count):
                if cards[i] >> 2 == rank:
                    held += 1
            if held == multiplicity:
                shift -= 4
                multiplicities |= multiplicity << shift
                ranks |= rank << shift
    return (multiplicities << 16) | ranks


@njit(cache=True)
def batch_values(hands: NDArray[np.uint8], tables: NDArray[np.uint16], values: NDArray[np.uint16]) -> None:
    """Write the value of every row of five, six or seven cards."""
    for row in range(hands.shape[0]):
        key = EMPTY_KEY
        mask = _U(0)
        for column in range(hands.shape[1]):
            card = _U(hands[row, column])
            key += CARD_KEYS[card]
            mask |= CARD_MASKS[card]
        values[row] = hand_value(key, mask, tables)


@njit(cache=True)
def seven_card_values(
    hands: NDArray[np.uint8], tables: NDArray[np.uint16], values: NDArray[np.uint16]
) -> bool:
    """Write the value of every row of seven cards, faster than `batch_values`; False as soon as a number is not a card.

    Rows are taken in blocks that stay in the processor's nearest cache: their numbers are checked, then every row gets
    the value of its ranks, and then those with flushes get theirs. One random hand in 33 has one, so a branch would
    often be mispredicted: the next place among the flushes gets every row, and is the next no longer if it has one.
    """
    count = _U(hands.shape[0])
    cards = hands.reshape(hands.size)
    flushes = np.empty(_BLOCK, dtype=np.uint64)
    for start in range(_U(0), count, _BLOCK):
        end = min(start + _BLOCK, count)
        highest = np.uint8(0)
        for place in range(_U(7) * start, _U(7) * end):
            highest = max(highest, cards[place])
        if highest >= _DECK:
            return False
        found = _U(0)
        rest = _U(start)
        if can_add_four_hands():
            rest += (end - start) // _FOUR * _FOUR
            for first in range(start, rest, _FOUR):
                keys = _keys_of_four_hands(hands, first)
                for hand in range(_FOUR):
                    found = _write_rank_value(first + hand, keys[hand], tables, values, flushes, found)
        for row in range(rest, end):
            found = _write_rank_value(row, _seven_card_key(hands, row), tables, values, flushes, found)
        for place in range(found):
            flush = flushes[place]
            mask = _U(0)
            for column in range(_U(7)):
                mask |= CARD_MASKS[_U(hands[flush, column])]
            values[flush] = _flush_value(_seven_card_key(hands, flush), mask, tables)
    return True


@njit(forceinline=True)
def _seven_card_key(hands: NDArray[np.uint8], row: "int | np.uint64") -> np.uint64:
    key = EMPTY_KEY
    for column in range(_U(7)):
        key += CARD_KEYS[_U(hands[row, column])]
    return key


@njit(forceinline=True)
def _write_rank_value(
    row: int,
    key: np.uint64,
    tables: NDArray[np.uint16],
    values: NDArray[np.uint16],
    flushes: NDArray[np.uint64],
    found: np.uint64,
) -> np.uint64:
    """Write the value of a row's ranks, and the row behind the flushes found so far; how many there are now."""
    values[row] = seven_rank_value(key, tables)
    flushes[found] = row
    return found + _U((key & _FLUSH_BITS) != _U(0))


@njit(cache=True)
def first_repetition(hands: NDArray[np.uint8]) -> int:
    """The first row that holds a card twice, or -1 where every row's cards are different."""
    if hands.shape[1] == 7:
        return _first_repetition(hands, _U(7))  # a loop of known length is twice as fast
    return _first_repetition(hands, _U(hands.shape[1]))


@njit(forceinline=True)
def _first_repetition(hands: NDArray[np.uint8], cards: np.uint64) -> int:
    for row in range(hands.shape[0]):
        # Adding the same bit twice carries, and a carry leaves fewer bits set than were added.
        seen = _U(0)
        for column in range(cards):
            seen += _U(1) << _U(hands[row, column])
        if _bit_count(seen) != cards:
            return row
    return -1


@njit(cache=True)
def count_seven_card_values(tables: NDArray[np.uint16]) -> NDArray[np.int64]:
    """How many of all 133,784,560 seven-card hands have each value 0..7462.

    Hands are visited with their cards ascending. Where no suit has four of the first six cards, the seventh
    makes no flush, and its suits share one lookup: a rank above the sixth card's counts for four hands.
    """
    counts = np.zeros(BEST_VALUE + 1, dtype=np.int64)
    for a in range(_U(0), _DECK):
        key_a = EMPTY_KEY + CARD_KEYS[a]
        mask_a = CARD_MASKS[a]
        for b in range(a + _U(1), _DECK):
            key_b = key_a + CARD_KEYS[b]
            mask_b = mask_a | CARD_MASKS[b]
            for c in range(b + _U(1), _DECK):
                key_c = key_b + CARD_KEYS[c]
                mask_c = mask_b | CARD_MASKS[c]
                for d in range(c + _U(1), _DECK):
                    key_d = key_c + CARD_KEYS[d]
                    mask_d = mask_c | CARD_MASKS[d]
                    for e in range(d + _U(1), _DECK):
                        key_e = key_d + CARD_KEYS[e]
                        mask_e = mask_d | CARD_MASKS[e]
                        for f in range(e + _U(1), _DECK):
                            _count_last_card(f, key_e + CARD_KEYS[f], mask_e | CARD_MASKS[f], tables, counts)
    return counts


@njit(forceinline=True)  # 20 million calls that pass two arrays would cost twice the work itself
def _count_last_card(
    sixth: int, key: np.uint64, mask: np.uint64, tables: NDArray[np.uint16], counts: NDArray[np.int64]
) -> None:
    """Count the values of six cards with every seventh above the sixth."""
    if (key + _ONE_OF_EACH_SUIT) & _FLUSH_BITS:
        for seventh in range(sixth + _U(1), _DECK):
            counts[seven_card_value(key + CARD_KEYS[seventh], mask | CARD_MASKS[seventh], tables)] += 1
    else:
        rank = sixth >> _U(2)
        suits_above = _U(3) - (sixth & _U(3))
        counts[seven_rank_value(key + RANK_ONLY_KEYS[rank], tables)] += np.int64(suits_above)
        for higher in range(rank + _U(1), _RANKS):
            counts[seven_rank_value(key + RANK_ONLY_KEYS[higher], tables)] += 4


@njit(cache=True)
def _bit_count(bits: np.uint64) -> np.uint64:
    # bin(bits).count("1"), in the form that the compiler knows and turns into one instruction.
    bits -= (bits >> _U(1)) & _U(0x5555555555555555)
    bits = (bits & _U(0x3333333333333333)) + ((bits >> _U(2)) & _U(0x3333333333333333))
    bits = (bits + (bits >> _U(4))) & _U(0x0F0F0F0F0F0F0F0F)
    return (bits * _U(0x0101010101010101)) >> _U(56)
