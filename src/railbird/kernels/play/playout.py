"""Whole hands of random play in compiled code, through the same rules as everything else.

Where raises have one size, the betting follows the table of known situations (`kernels.rules.known_betting`). Hands
that end in the same situation pay the same for the same order of the hands shown, so that with two players it is enough
to count how often each order came up, and to divide each pot once.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.random import Words, below_of, draw_cards, load, store
from railbird.kernels.rules.betting import (
    ACTOR,
    BOARD_CARDS,
    CALL,
    FOLD,
    HOLE_CARDS,
    LIVE,
    MAY_FOLD,
    MOST_SEATS,
    RAISE,
    RAISE_MAXIMUM,
    RAISE_MINIMUM,
    SEATS,
    STATE_LENGTH,
    Vector,
    advance,
)
from railbird.kernels.rules.known_betting import (
    CHOICES,
    LIVES,
    UNKNOWN,
    KnownBetting,
    follow,
    perform_choice,
)
from railbird.kernels.rules.pots import collect_all
from railbird.kernels.rules.showdown import EQUAL, SMALL_HAND, order_of_two, settle, settle_values


@njit(forceinline=True)
def random_action(state: Vector, generator: Words) -> tuple[int, int, Words]:
    """Draw fold, call or raise uniformly among the legal ones, and a raise uniformly between its bounds."""
    choices = 1
    if state[MAY_FOLD]:
        choices += 1
    if state[RAISE_MAXIMUM]:
        choices += 1
    drawn, generator = below_of(generator, choices)
    if state[MAY_FOLD] and drawn == 0:
        return FOLD, 0, generator
    if drawn == choices - 1 and state[RAISE_MAXIMUM]:
        least = state[RAISE_MINIMUM]
        spread = state[RAISE_MAXIMUM] - least
        if spread:
            more, generator = below_of(generator, spread + 1)
            return RAISE, least + more, generator
        return RAISE, least, generator
    return CALL, 0, generator


@njit(cache=True)
def play_random_hands(
    rules: Vector,
    opening: Vector,
    deck: Vector,
    dealt: int,
    hands: int,
    words: NDArray[np.uint64],
    tables: NDArray[np.uint16],
    totals: Vector,
) -> tuple[int, int]:
    """Play hands at random; adds each seat's winnings, in parts of a chip, to `totals`.

    Returns the number of actions and of showdowns.
    """
    state = np.empty_like(opening)
    payoffs = np.empty(MOST_SEATS, dtype=np.int64)
    actions = 0
    showdowns = 0
    generator = load(words)
    for _ in range(hands):
        generator = draw_cards(generator, deck, dealt)
        for entry in range(STATE_LENGTH):
            state[entry] = opening[entry]
        while state[ACTOR] >= 0:
            kind, amount, generator = random_action(state, generator)
            advance(rules, state, kind, amount)
            actions += 1
        showdowns += _take(rules, state, deck, tables, payoffs, totals)
    store(generator, words)
    return actions, showdowns


@njit(cache=True)
def play_known_hands(
    rules: Vector,
    known: KnownBetting,
    deck: Vector,
    dealt: int,
    hands: int,
    words: NDArray[np.uint64],
    tables: NDArray[np.uint16],
    totals: Vector,
) -> tuple[int, int]:
    """`play_random_hands` of a limit game, with known situations."""
    links = known.links
    is_heads_up = rules[SEATS] == 2 and rules[HOLE_CARDS] + rules[BOARD_CARDS] >= SMALL_HAND
    state = np.empty(STATE_LENGTH, dtype=np.int64)
    payoffs = np.empty(MOST_SEATS, dtype=np.int64)
    orders = np.zeros((len(links), 3), dtype=np.int32)
    actions = 0
    showdowns = 0
    generator = load(words)
    for _ in range(hands):
        generator = draw_cards(generator, deck, dealt)
        situation = 0
        choices = links[0, CHOICES]
        while choices:
            drawn, generator = below_of(generator, choices)
            actions += 1
            following = links[situation, drawn]
            if following == UNKNOWN:
                following = follow(rules, known, situation, drawn)
                if following == UNKNOWN:
                    break
            situation = following
            choices = links[situation, CHOICES]
        if choices:  # the situations that follow are not known
            for entry in range(STATE_LENGTH):
                state[entry] = known.states[situation, entry]
            perform_choice(rules, state, drawn)
            while state[ACTOR] >= 0:
                kind, amount, generator = random_action(state, generator)
                advance(rules, state, kind, amount)
                actions += 1
            showdowns += _take(rules, state, deck, tables, payoffs, totals)
        elif links[situation, LIVES] == 1:
            orders[situation, EQUAL] += 1
        elif is_heads_up:
            showdowns += 1
            orders[situation, order_of_two(rules, deck, tables)] += 1
        else:
            showdowns += _take(rules, known.states[situation], deck, tables, payoffs, totals)
    store(generator, words)
    for situation in range(known.filled[0]):
        for order in range(3):
            if orders[situation, order]:
                _settle_order(rules, known.states[situation], order, payoffs)
                for seat in range(rules[SEATS]):
                    totals[seat] += payoffs[seat] * orders[situation, order]
    return actions, showdowns


@njit(cache=True, forceinline=True)
def _take(
    rules: Vector,
    state: Vector,
    deck: Vector,
    tables: NDArray[np.uint16],
    payoffs: Vector,
    totals: Vector,
) -> int:
    """Add what the seats won in a finished hand to `totals`; returns 1 if it was shown down."""
    if state[LIVE] == 1:
        collect_all(rules, state, totals)
        return 0
    settle(rules, state, deck, tables, payoffs)
    for seat in range(rules[SEATS]):
        totals[seat] += payoffs[seat]
    return 1


@njit(cache=True)
def _settle_order(rules: Vector, state: Vector, order: int, payoffs: Vector) -> None:
    """Write what every seat won in a finished hand of two, by the order of their hands."""
    payoffs[:] = 0
    if state[LIVE] == 1:
        collect_all(rules, state, payoffs)
        return
    values = np.zeros(MOST_SEATS, dtype=np.int64)
    values[0] = order
    values[1] = EQUAL
    settle_values(rules, state, values, payoffs)
