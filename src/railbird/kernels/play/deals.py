"""The cards of many hands, and the value that every seat's hand would have at the showdown."""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.random import draw_cards, load, store
from railbird.kernels.rules.betting import Vector
from railbird.kernels.rules.showdown import showdown_values


@njit(cache=True)
def deal_hands(
    rules: Vector,
    opening: Vector,
    generators: NDArray[np.uint64],
    deck: Vector,
    tables: NDArray[np.uint16],
    cards: NDArray[np.int64],
    values: NDArray[np.int64],
) -> None:
    """Fill a row of `cards` for every hand with the first cards of a newly shuffled deck, and one of `values`.

    The rows of `generators` are the words of generators, which deal in turn: one for all hands, or one for each.
    """
    size, dealt = len(deck), cards.shape[1]
    shuffled = np.empty_like(deck)
    for hand in range(len(cards)):
        words = generators[hand % len(generators)]
        for place in range(size):
            shuffled[place] = deck[place]
        store(draw_cards(load(words), shuffled, dealt), words)
        for place in range(dealt):
            cards[hand, place] = shuffled[place]
        showdown_values(rules, opening, cards[hand], tables, values[hand])
