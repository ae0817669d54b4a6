"""Cards for people: from the operating system's entropy, and never known before they are dealt."""

from random import SystemRandom

import numpy as np
from numpy.typing import NDArray

from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equity.range_notation import parse_weights
from railbird.hands.holdings import holding
from railbird.rng import Stream

LONGEST_RANGE = 1000
"""The maximum length of a text of starting hands: all 169 kinds have room in it."""
MOST_DEALS = 100_000
"""One holding of 1,326 comes up long before."""


def deal(setup: Setup) -> State:
    """A new hand."""
    return State.deal(setup, Stream.live())


def chosen_weights(hands: str) -> NDArray[np.float64]:
    """How often each holding is to be dealt, of which one at least is; a ValueError says why none is."""
    if len(hands) > LONGEST_RANGE:
        raise ValueError(
            f"starting hands are written with at most {LONGEST_RANGE:,} characters, not {len(hands):,}"
        )
    weights = parse_weights(hands)
    if not weights.any():
        raise ValueError(f"{hands!r} names no starting hand that could be dealt")
    relative: NDArray[np.float64] = weights / weights.max()
    return relative


def deal_chosen(setup: Setup, position: int, hands: str) -> State:
    """A new hand in which a position holds one of some starting hands, each as often as it comes and by its weight."""
    weights, random = chosen_weights(hands), SystemRandom()
    for _ in range(MOST_DEALS):
        state = deal(setup)
        cards = state.hole_cards(position)
        assert cards is not None
        if random.random() < weights[holding(cards)]:
            return state
    raise ValueError(f"no hand of {hands!r} was dealt")
