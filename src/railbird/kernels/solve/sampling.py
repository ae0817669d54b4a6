"""Regret minimisation on sampled deals with sampled actions of the others (Lanctot and others 2009).

A *walk* of a seat through the betting tree of one deal ("external sampling"):

1. Where the seat is to act, follow each of its actions, one after another.
2. Where another seat is to act, add its strategy to the average, and follow one action drawn from it.
3. Where the hand ends, count the chips that the seat wins.
4. On the way back, add to the regret of every action how much more it won than the strategy did.

Some walks have *strangers*, who ignore their cards and learn nothing. Each of the others is one with probability one
half, and all strangers of a walk are of one kind: they raise whenever they can, or act at random. Such walks are drawn
more often than they are believed to come, and count as much less, so that rare situations are met often enough
("importance sampling").

Strategies are in proportion to positive regrets. The numbers of a decision, one for each possible action, begin at its
`START` for the first bucket, and a stride of its seat and round further for each of the others.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.random import Words, draw_cards, load, next_of, store
from railbird.kernels.solve.buckets import Buckets
from railbird.kernels.solve.deals import Deal, find_deal
from railbird.kernels.solve.regrets import Learned

ACTOR, ROUND, COUNT, START, FOLDED, CHILDREN = range(6)
"""The columns of a node: the seat to act or −1, the betting round, the number of its actions, where its numbers begin,
the seats that folded, and from the last column on the nodes that follow."""
LEARNING, RAISING, RANDOM = range(3)
"""How a seat plays in a walk: by what it has learnt, or as a stranger of either kind."""
MET = 0.2
"""The share of walks with strangers, unless these are believed to be more frequent."""
_UNIT = 1.0 / 9007199254740992.0


class Game(NamedTuple):
    """A betting tree for walks."""

    nodes: NDArray[np.int32]
    """A row of columns for every node."""
    strides: NDArray[np.int64]
    """By seat and round, how far the numbers of the next bucket are."""
    paid: NDArray[np.float32]
    """Chips paid, by node and seat."""


class Room(NamedTuple):
    """Where a walk keeps the decisions of the seat that it has not finished, by depth."""

    nodes: NDArray[np.int64]
    rows: NDArray[np.int64]
    tried: NDArray[np.int64]
    """How many actions have been followed."""
    values: NDArray[np.float64]
    """What each of them won."""


@njit(cache=True)
def empty_room(depth: int, letters: int) -> Room:
    """Room for walks in which a seat acts at most `depth` times."""
    return Room(
        np.zeros(depth, dtype=np.int64),
        np.zeros(depth, dtype=np.int64),
        np.zeros(depth, dtype=np.int64),
        np.zeros((depth, letters), dtype=np.float64),
    )


@njit(cache=True, nogil=True)
def walk_deals(
    game: Game,
    walks: int,
    weight: float,
    strangers: float,
    words: NDArray[np.uint64],
    buckets: Buckets,
    tables: NDArray[np.uint16],
    learned: Learned,
    room: Room,
    won: NDArray[np.float64],
) -> None:
    """Do a number of walks with every seat; adds what the seats won.

    Every walk has its own deal: a seat must not meet others who have just learnt from the same cards. `strangers` is
    the believed share of walks with strangers.
    """
    seats = game.paid.shape[1]
    deck = np.arange(52)
    deal = Deal(np.zeros((seats, 4), dtype=np.int64), np.zeros(seats, dtype=np.int64))
    manners = np.full(seats, LEARNING)
    likelihood = 1.0
    state = load(words)
    for _ in range(walks):
        for seat in range(seats):
            state = draw_cards(state, deck, 2 * seats + 5)
            find_deal(deck, buckets, tables, deal)
            if strangers > 0.0:
                likelihood, state = _draw_manners(strangers, seat, state, manners)
            value, state = _walk(game, deal, seat, weight * likelihood, manners, state, learned, room)
            won[seat] += value * likelihood
    store(state, words)


@njit(cache=True, nogil=True)
def walk(
    game: Game, deal: Deal, seat: int, weight: float, words: NDArray[np.uint64], learned: Learned, room: Room
) -> float:
    """One walk of a seat, without strangers; returns the chips that it won."""
    manners = np.full(len(deal.values), LEARNING)
    value, state = _walk(game, deal, seat, weight, manners, load(words), learned, room)
    store(state, words)
    return value


@njit(cache=True, nogil=True)
def _walk(
    game: Game,
    deal: Deal,
    seat: int,
    weight: float,
    manners: NDArray[np.int64],
    state: Words,
    learned: Learned,
    room: Room,
) -> tuple[float, Words]:
    # Arrays are taken out of their tuples once: doing so in the loop would count references again and again.
    nodes, strides, paid = game
    buckets, hand_values = deal
    regrets, sums = learned
    decisions, rows, tried, values = room
    depth = 0
    node: Any = np.int64(0)
    while True:
        while nodes[node, ACTOR] >= 0:
            actor, count, street = nodes[node, ACTOR], nodes[node, COUNT], nodes[node, ROUND]
            row = nodes[node, START] + strides[actor, street] * buckets[actor, street]
            action = np.int64(0)
            if actor == seat:
                decisions[depth], rows[depth], tried[depth] = node, row, 0
                depth += 1
            elif manners[actor] == RAISING:
                action = np.int64(count - 1)
            else:
                chance, state = _next_chance(state)
                if manners[actor] == RANDOM:
                    action = np.int64(chance * count)
                else:
                    action = _draw(regrets, row, count, chance)
                    _add_to_average(regrets, sums, row, count, weight)
            node = np.int64(nodes[node, CHILDREN + action])
        value = _win(nodes[node, FOLDED], paid, node, seat, hand_values)
        while depth > 0:
            last = depth - 1
            values[last, tried[last]] = value
            tried[last] += 1
            node = decisions[last]
            if tried[last] < nodes[node, COUNT]:
                node = np.int64(nodes[node, CHILDREN + tried[last]])
                break
            value = _update(regrets, rows[last], nodes[node, COUNT], weight, values, last)
            depth = last
        else:
            return value, state


@njit(forceinline=True)
def _next_chance(state: Words) -> tuple[float, Words]:
    """A number in [0, 1), and the generator after it."""
    word, state = next_of(state)
    return np.float64(word >> np.uint64(11)) * _UNIT, state


@njit(forceinline=True)
def _draw_manners(
    strangers: float, seat: int, state: Words, manners: NDArray[np.int64]
) -> tuple[float, Words]:
    """Decide who of the others is a stranger; returns how much more likely that is than it is drawn."""
    met = max(MET, strangers)
    manners[:] = LEARNING
    chance, state = _next_chance(state)
    if chance >= met:
        return (1.0 - strangers) / (1.0 - met), state
    kind = RAISING if chance < met / 2 else RANDOM
    for other in range(len(manners)):
        if other != seat:
            chance, state = _next_chance(state)
            if chance < 0.5:
                manners[other] = kind
    return strangers / met, state


@njit(forceinline=True)
def _positive(regrets: NDArray[np.float32], row: int, count: int) -> float:
    """The sum of the positive regrets."""
    whole = 0.0
    for action in range(row, row + count):
        whole += max(np.float64(regrets[action]), 0.0)
    return whole


@njit(forceinline=True)
def _draw(regrets: NDArray[np.float32], row: int, count: int, chance: float) -> Any:
    """The action that a number between 0 and 1 chooses."""
    whole = _positive(regrets, row, count)
    if whole <= 0.0:
        return np.int64(chance * count)
    left = chance * whole
    chosen = np.int64(0)
    for action in range(count):
        positive = np.float64(regrets[row + action])
        if positive > 0.0:
            chosen = np.int64(action)
            left -= positive
            if left < 0.0:
                break
    return chosen


@njit(forceinline=True)
def _add_to_average(
    regrets: NDArray[np.float32], sums: NDArray[np.float32], row: int, count: int, weight: float
) -> None:
    whole = _positive(regrets, row, count)
    for action in range(row, row + count):
        positive = max(np.float64(regrets[action]), 0.0)
        sums[action] += np.float32(weight * (positive / whole if whole > 0.0 else 1.0 / count))


@njit(forceinline=True)
def _update(
    regrets: NDArray[np.float32], row: int, count: int, weight: float, values: NDArray[np.float64], depth: int
) -> float:
    """Add to the regrets of a decision what its actions won more than the strategy; returns what that won."""
    whole = _positive(regrets, row, count)
    mean = 0.0
    for action in range(count):
        if whole > 0.0:
            mean += max(np.float64(regrets[row + action]), 0.0) / whole * values[depth, action]
        else:
            mean += values[depth, action] / count
    for action in range(count):
        regrets[row + action] += np.float32(weight * (values[depth, action] - mean))
    return mean


@njit(forceinline=True)
def _win(folded: Any, paid: NDArray[np.float32], node: Any, seat: int, values: NDArray[np.int64]) -> float:
    """The chips that a seat wins at the end of a hand; equal hands share the pot."""
    own = -np.float64(paid[node, seat])
    if (folded >> seat) & 1:
        return own
    pot = 0.0
    winners = 0
    for other in range(len(values)):
        pot += np.float64(paid[node, other])
        if not (folded >> other) & 1:
            if values[other] > values[seat]:
                return own
            winners += values[other] == values[seat]
    return own + pot / winners


@njit(cache=True, nogil=True)
def merge(shared: NDArray[np.float32], lots: NDArray[np.float32], first: int, beyond: int) -> None:
    """Add the changes of all lots to the shared numbers of a range, from which each lot then goes on."""
    for place in range(first, beyond):
        before = shared[place]
        after = before
        for lot in range(len(lots)):
            after += lots[lot, place] - before
        shared[place] = after
        for lot in range(len(lots)):
            lots[lot, place] = after
