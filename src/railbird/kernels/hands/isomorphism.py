"""A perfect index of what a player sees, up to the names of the suits: 0, 1, 2 … without gaps.

Two situations (hole cards, board) that differ only by renaming suits have the same strength. Waugh, "A Fast
and Optimal Hand Isomorphism Algorithm" (2013), counts them, and his idea is followed here with the board
unordered:

1. Cut the situation into four *suits*: the ranks held and the ranks on the board, one pair of 13-bit sets per
   suit.
2. A suit's *shape* is how many of its cards are held and how many lie on the board; its *arrangement* numbers
   the ways to choose them: the held ranks out of 13, then the board's ranks out of those left.
3. Sort the suits by shape and arrangement. Renaming suits does not change the sorted list, and different
   lists are different situations: the list is the situation.
4. Lists with the same four shapes form a block. In it, suits of the same shape are an unordered group,
   numbered as a multiset, x₁ ≥ x₂ ≥ … ↦ C(x₁ + k − 1, k) + C(x₂ + k − 2, k − 1) + …; the groups are the
   digits of a number in mixed radix, and blocks follow each other.

Situations are numbered from 0 for every number of board cards, and so are boards without a holding, by the
same rule. Sets of cards are ints of 52 bits here, bit 13 · suit + rank.
"""

from collections import defaultdict
from itertools import combinations_with_replacement, groupby, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS

_RANKS = 13
_SUIT = (1 << _RANKS) - 1
_MOST_HELD = 2
_MOST_ON_BOARD = 5
_SHAPES = (_MOST_HELD + 1) * (_MOST_ON_BOARD + 1)
_ARRANGEMENT_BITS = 16  # the largest shape, two cards held and five on the board, has 36,036 arrangements
_ARRANGEMENTS = (1 << _ARRANGEMENT_BITS) - 1


def _shape(held: int, on_board: int) -> int:
    return (_MOST_ON_BOARD + 1) * held + on_board


def _held(shape: int) -> int:
    return shape // (_MOST_ON_BOARD + 1)


def _on_board(shape: int) -> int:
    return shape % (_MOST_ON_BOARD + 1)


def _block_size(shapes: tuple[int, ...]) -> int:
    """How many lists of suits have these four shapes."""
    size = 1
    for shape, group in groupby(shapes):
        suits = len(list(group))
        size *= comb(int(_WAYS[shape]) + suits - 1, suits)
    return size


def _blocks() -> dict[tuple[int, int], list[tuple[int, ...]]]:
    """Every list of four shapes, sorted downwards, by the number of hole cards and of board cards it uses."""
    blocks: defaultdict[tuple[int, int], list[tuple[int, ...]]] = defaultdict(list)
    for shapes in combinations_with_replacement(range(_SHAPES - 1, -1, -1), 4):
        blocks[sum(map(_held, shapes)), sum(map(_on_board, shapes))].append(shapes)
    return blocks


def _number_rank_sets() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of each set of ranks its size and its place among those of that size; the set of a size and a place."""
    sizes = np.array([ranks.bit_count() for ranks in range(1 << _RANKS)], dtype=np.int64)
    places = np.zeros(1 << _RANKS, dtype=np.int64)
    sets = np.zeros((_RANKS + 1, comb(_RANKS, _RANKS // 2)), dtype=np.int64)
    for size in range(_RANKS + 1):
        of_size = np.flatnonzero(sizes == size)
        places[of_size] = np.arange(len(of_size))
        sets[size, : len(of_size)] = of_size
    return sizes, places, sets


def _number_blocks() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Where each block begins, the blocks in their order, and the number of situations.

    Sorted suits hold (0, 0, 0, 0), (1, 1, 0, 0) or (2, 0, 0, 0) cards, so the first suit says how the cards
    are held, and the fourth suit's share of the board is what the other three leave. A block's start is
    therefore found by
    [board cards, held in the first suit, on the board in the first, second and third suit].
    For the inverse, [hole cards / 2, board cards, n] is the n-th block: its start, then its four shapes.
    """
    starts = np.zeros((6, 3, 6, 6, 6), dtype=np.int64)
    blocks = np.full((2, 6, 40, 5), np.iinfo(np.int64).max, dtype=np.int64)
    totals = np.zeros((2, 6), dtype=np.int64)
    using = _blocks()
    for hole_cards in (0, _MOST_HELD):
        for board_cards in range(_MOST_ON_BOARD + 1):
            start = 0
            for number, shapes in enumerate(using[hole_cards, board_cards]):
                first, second, third = map(_on_board, shapes[:3])
                starts[board_cards, _held(shapes[0]), first, second, third] = start
                blocks[hole_cards // 2, board_cards, number] = (start, *shapes)
                start += _block_size(shapes)
            totals[hole_cards // 2, board_cards] = start
    return starts, blocks, totals


_BOARD_WAYS: NDArray[np.int64] = np.array(
    [comb(_RANKS - _held(shape), _on_board(shape)) for shape in range(_SHAPES)], dtype=np.int64
)
_WAYS: NDArray[np.int64] = np.array(
    [comb(_RANKS, _held(shape)) * int(_BOARD_WAYS[shape]) for shape in range(_SHAPES)], dtype=np.int64
)
_SIZES, _PLACES, _SETS = _number_rank_sets()
_STARTS, _BLOCKS, _TOTALS = _number_blocks()

SITUATIONS: dict[int, int] = {cards: int(_TOTALS[1, cards]) for cards in (0, 3, 4, 5)}
"""How many situations there are, by the number of cards on the board."""
BOARDS: dict[int, int] = {cards: int(_TOTALS[0, cards]) for cards in (3, 4, 5)}
"""How many boards there are, by their number of cards."""

RENAMINGS: NDArray[np.uint8] = np.array(
    [[4 * (card >> 2) + suits[card & 3] for card in range(52)] for suits in permutations(range(4))],
    dtype=np.uint8,
)
"""The 24 ways to rename suits: `RENAMINGS[r, card]` is what a card becomes. The first changes nothing."""


@njit(forceinline=True)
def card_bit(card: Any) -> Any:
    """The set of one card."""
    return np.int64(1) << (13 * (np.int64(card) & 3) + (np.int64(card) >> 2))


@njit(cache=True, internal=True)
def card_set(cards: NDArray[np.uint8]) -> Any:
    """The set of several cards."""
    cards_as_bits = np.int64(0)
    for card in cards:
        cards_as_bits |= card_bit(card)
    return cards_as_bits


@njit(forceinline=True)
def _suit(hole: Any, board: Any, suit: Any) -> Any:
    """The shape of one suit in the high bits and its arrangement in the low sixteen."""
    held = (hole >> (13 * suit)) & _SUIT
    on_board = (board >> (13 * suit)) & _SUIT
    shape = 6 * _SIZES[held] + _SIZES[on_board]
    arrangement = _PLACES[held] * _BOARD_WAYS[shape]
    # Number the board's ranks among those left: close the gaps of the held ranks, the higher one first.
    while held:
        low = held & -held
        highest = held ^ low if held != low else low
        below = highest - 1
        on_board = (on_board & below) | ((on_board >> 1) & ~below)
        held ^= highest
    return (shape << _ARRANGEMENT_BITS) | (arrangement + _PLACES[on_board])


@njit(forceinline=True)
def _multisets(arrangements: Any, suits: Any) -> Any:
    """C(n + k − 1, k): how many unordered groups of k suits can be made of n arrangements."""
    if suits == 1:
        return arrangements
    if suits == 2:
        return arrangements * (arrangements + 1) // 2
    if suits == 3:
        return arrangements * (arrangements + 1) * (arrangements + 2) // 6
    return arrangements * (arrangements + 1) * (arrangements + 2) * (arrangements + 3) // 24


@njit(forceinline=True)
def _sorted_suits(hole: Any, board: Any) -> Any:
    """The four suits of a situation, greatest first, by a sorting network of five exchanges."""
    a, b, c, d = _suit(hole, board, 0), _suit(hole, board, 1), _suit(hole, board, 2), _suit(hole, board, 3)
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    return a, b, c, d


@njit(cache=True, internal=True)
def situation_of_sets(hole: Any, board: Any) -> Any:
    """The index of a situation given as two sets of cards; with an empty `hole`, the index of a board."""
    suits = _sorted_suits(hole, board)
    index = np.int64(0)
    first = 0
    while first < 4:
        shape = suits[first] >> _ARRANGEMENT_BITS
        beyond = first + 1
        while beyond < 4 and suits[beyond] >> _ARRANGEMENT_BITS == shape:
            beyond += 1
        index *= _multisets(_WAYS[shape], beyond - first)
        for place in range(first, beyond):
            index += _multisets(suits[place] & _ARRANGEMENTS, beyond - place)
        first = beyond
    first_shape = suits[0] >> _ARRANGEMENT_BITS
    board_cards = np.int64(0)
    for place in range(4):
        board_cards += (suits[place] >> _ARRANGEMENT_BITS) % 6
    return (
        index
        + _STARTS[
            board_cards,
            first_shape // 6,
            first_shape % 6,
            (suits[1] >> _ARRANGEMENT_BITS) % 6,
            (suits[2] >> _ARRANGEMENT_BITS) % 6,
        ]
    )


@njit(cache=True)
def situation_index(hole: NDArray[np.uint8], board: NDArray[np.uint8]) -> Any:
    """The index of hole cards and a board of 0, 3, 4 or 5 cards; without hole cards, that of the board."""
    return situation_of_sets(card_set(hole), card_set(board))


@njit(cache=True)
def situations_of_board(board: NDArray[np.uint8], out: NDArray[np.int64]) -> None:
    """The situation of every holding on one board, −1 where the board blocks the holding."""
    board_set = card_set(board)
    for holding in range(HOLDINGS):
        hole = card_bit(HIGH_CARDS[holding]) | card_bit(LOW_CARDS[holding])
        out[holding] = -1 if hole & board_set else situation_of_sets(hole, board_set)


@njit(cache=True)
def situation_sets(index: Any, hole_cards: int, board_cards: int) -> Any:
    """The inverse of `situation_of_sets`: the canonical hole cards and board of an index, as two sets."""
    blocks = _BLOCKS[hole_cards // 2, board_cards]
    block = 0
    while block + 1 < len(blocks) and blocks[block + 1, 0] <= index:
        block += 1
    rest = index - blocks[block, 0]
    hole = np.int64(0)
    board = np.int64(0)
    last = 3
    while last >= 0:  # the last group is the lowest digit
        shape = blocks[block, 1 + last]
        first = last
        while first > 0 and blocks[block, first] == shape:
            first -= 1
        groups = _multisets(_WAYS[shape], last - first + 1)
        digit = rest % groups
        rest //= groups
        for place in range(first, last + 1):
            arrangement = _greatest_below(digit, last - place + 1, _WAYS[shape])
            digit -= _multisets(arrangement, last - place + 1)
            held = _SETS[shape // 6, arrangement // _BOARD_WAYS[shape]]
            on_board = _SETS[shape % 6, arrangement % _BOARD_WAYS[shape]]
            # Open the gaps of the held ranks again, the lower one first.
            for rank in range(13):
                if held >> rank & 1:
                    below = (1 << rank) - 1
                    on_board = (on_board & below) | ((on_board & ~below) << 1)
            hole |= held << (13 * place)
            board |= on_board << (13 * place)
        last = first - 1
    return hole, board


@njit(cache=True)
def _greatest_below(digit: Any, suits: Any, arrangements: Any) -> Any:
    """The greatest arrangement x with C(x + k − 1, k) ≤ digit, by bisection."""
    low = np.int64(0)
    high = arrangements - 1
    while low < high:
        middle = (low + high + 1) // 2
        if _multisets(middle, suits) <= digit:
            low = middle
        else:
            high = middle - 1
    return low


@njit(cache=True)
def deals_of_sets(hole: Any, board: Any) -> Any:
    """How many deals are the same situation: 24 renamings of suits, less those that exchange equal suits."""
    suits = _sorted_suits(hole, board)
    renamings = 24
    run = 1
    for place in range(1, 4):
        run = run + 1 if suits[place] == suits[place - 1] else 1
        renamings //= run
    return renamings


@njit(cache=True)
def count_deals(first: int, hole_cards: int, board_cards: int, out: NDArray[np.uint8]) -> None:
    """The number of deals of the situations from index `first` on."""
    for place in range(len(out)):
        hole, board = situation_sets(first + place, hole_cards, board_cards)
        out[place] = deals_of_sets(hole, board)


@njit(cache=True)
def list_cards(card_bits: int, out: NDArray[np.uint8]) -> None:
    """The cards of a set in ascending order."""
    place = 0
    for card in range(52):
        if card_bits & card_bit(card):
            out[place] = card
            place += 1
