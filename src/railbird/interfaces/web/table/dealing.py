"""Cards for people: from the operating system's entropy, and never known before they are dealt."""

from random import SystemRandom

import numpy as np
from numpy.typing import NDArray

from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equities.range_notation import parse_weights
from railbird.hands.holdings import HOLDINGS, cards_of
from railbird.rng import Stream

LONGEST_RANGE = 1000
"""The maximum length of a text of starting hands: all 169 kinds have room in it."""


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
    """A new hand in which a position holds one of some starting hands, each as often as it comes and by its weight.

    The other cards are those of a shuffled deck, in which the chosen two have changed places with those dealt there.
    """
    chosen = SystemRandom().choices(range(HOLDINGS), chosen_weights(hands).tolist())[0]
    deck = [int(card) for card in setup.deck]
    SystemRandom().shuffle(deck)
    for place, card in enumerate(cards_of(chosen), position * setup.rules.hole_cards):
        other = deck.index(card)
        deck[place], deck[other] = deck[other], deck[place]
    return State(setup, deck[: setup.cards_dealt])
