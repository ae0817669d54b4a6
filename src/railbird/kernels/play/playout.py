"""Whole hands of random play in compiled code, through the same rules as everything else."""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.random import Words, below_of, draw_cards, load, store
from railbird.kernels.rules.betting import (
    ACTOR,
    CALL,
    FOLD,
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
from railbird.kernels.rules.pots import collect_all
from railbird.kernels.rules.showdown import settle


@njit(inline="always")
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
        if state[LIVE] == 1:
            collect_all(rules, state, totals)
        else:
            showdowns += 1
            settle(rules, state, deck, tables, payoffs)
            for seat in range(rules[SEATS]):
                totals[seat] += payoffs[seat]
    store(generator, words)
    return actions, showdowns
