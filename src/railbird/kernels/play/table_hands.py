"""Whole hands between players of one strategy in a table, exactly as they would play them when asked one by one.

Bets are the letters of the strategy's own tree, so a hand is a walk through the tree: at every decision, the bucket of
the seat's holding and a number drawn by the seat decide.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.isomorphism import card_bit, situation_of_sets
from railbird.kernels.strength.comparison import AHEAD, TIED, compare_with_all

WHOLE = 255
MOST_ACTIONS = 400
_CALL = 1
_BOARD_CARDS = (0, 3, 4, 5)


class StrategyTables(NamedTuple):
    """A tree and the strategy for it, as `strategies.tree`, `table_strategy` and `card_abstraction` have them."""

    children: NDArray[np.int32]
    actors: NDArray[np.int8]
    rounds: NDArray[np.int8]
    starts: NDArray[np.int64]
    numbers: NDArray[np.uint8]
    classes: NDArray[np.uint16]
    flop: NDArray[np.uint16]
    turn: NDArray[np.uint16]
    river: NDArray[np.uint16]


@njit(cache=True)
def play_from_tables(
    known: StrategyTables,
    cards: NDArray[np.int64],
    draws: tuple[NDArray[np.float64], ...],
    places: tuple[NDArray[np.int64], ...],
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    letters: NDArray[np.uint8],
) -> int:
    """Write the letters of a hand with these cards (hole cards seat by seat, then the board); returns their number.

    Every seat takes the numbers of its `draws` from its place on, which moves. All `weights` are one.
    """
    seats = len(places)
    buckets = np.full((seats, 4), -1, dtype=np.int64)
    node = 0
    count = 0
    while known.actors[node] >= 0:
        seat, street = known.actors[node], known.rounds[node]
        if buckets[seat, street] < 0:
            buckets[seat, street] = _bucket(known, cards, seat, street, seats, weights, tables)
        number = draws[seat][places[seat][0]]
        places[seat][0] += 1
        width = 0
        for letter in range(known.children.shape[1]):
            width += letter != _CALL and known.children[node, letter] >= 0
        row = known.starts[node] + buckets[seat, street] * width
        calls = np.int64(WHOLE)
        for place in range(row, row + width):
            calls -= known.numbers[place]
        chosen = _CALL
        for letter in range(known.children.shape[1]):
            if known.children[node, letter] < 0:
                continue
            chosen = letter
            share = calls
            if letter != _CALL:
                share = np.int64(known.numbers[row])
                row += 1
            number -= share / WHOLE
            if number < 0.0:
                break
        letters[count] = chosen
        count += 1
        node = known.children[node, chosen]
    return count


@njit(cache=True)
def _bucket(
    known: StrategyTables,
    cards: NDArray[np.int64],
    seat: int,
    street: int,
    seats: int,
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
) -> Any:
    first, second = cards[2 * seat], cards[2 * seat + 1]
    if street == 0:
        high, low = max(first, second), min(first, second)
        return np.int64(known.classes[high * (high - 1) // 2 + low])
    size = _BOARD_CARDS[street]
    if street < 3:
        board = np.int64(0)
        for place in range(2 * seats, 2 * seats + size):
            board |= card_bit(cards[place])
        situation = situation_of_sets(card_bit(first) | card_bit(second), board)
        return np.int64(known.flop[situation] if street == 1 else known.turn[situation])
    seen = np.empty(7, dtype=np.int64)
    seen[0], seen[1] = first, second
    seen[2:] = cards[2 * seats : 2 * seats + size]
    now = np.empty(3)
    compare_with_all(seen, weights, tables, now)
    return np.int64(known.river[np.int64(2 * now[AHEAD] + now[TIED])])
