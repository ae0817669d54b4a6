"""Cards for people: from the operating system's entropy, and never known before they are dealt."""

from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equity.range_notation import parse_weights
from railbird.hands.holdings import holding
from railbird.rng import Stream

MOST_DEALS = 100_000
"""One holding of 1,326 comes up long before."""


def deal(setup: Setup) -> State:
    """A new hand."""
    return State.deal(setup, Stream.live())


def deal_chosen(setup: Setup, position: int, hands: str) -> State:
    """A new hand in which a position holds one of some starting hands, each as probable as it is among them."""
    weights = parse_weights(hands)
    for _ in range(MOST_DEALS):
        state = deal(setup)
        cards = state.hole_cards(position)
        assert cards is not None
        if weights[holding(cards)] > 0:
            return state
    raise ValueError(f"no hand of {hands!r} was dealt")
