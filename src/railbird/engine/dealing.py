"""Hands dealt many at a time in compiled code, and handed out one by one.

>>> from itertools import islice
>>> from railbird.engine.games import named_game
>>> setup = Setup.of(named_game("limit-2p"))
>>> first, second = islice(deal_in_turn(setup, Stream.from_seed(7)), 2)
>>> first == State.deal(setup, Stream.from_seed(7)), first == second
(True, False)
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.hands.evaluator import tables
from railbird.kernels.play.deals import deal_hands
from railbird.rng import Stream

AT_ONCE = 256


def deal_in_turn(setup: Setup, stream: Stream) -> Iterator[State]:
    """One hand after another, without end: those that `State.deal` deals from the words of the stream."""
    generator = stream.words().reshape(1, -1)
    start = State.dealt
    while True:
        for cards, values in zip(*_dealt(setup, generator, AT_ONCE), strict=True):
            yield start(setup, cards, values)


class NumberedDeals:
    """The hands of a match, each from the stream of its own number."""

    def __init__(self, stream: Stream, hands: int) -> None:
        self._stream = stream
        self._hands = hands
        self._rules: GameRules | None = None
        self._first = 0
        self._cards: NDArray[np.int64] = np.empty((0, 0), dtype=np.int64)
        """The cards of the hands of this game from the first one on, a row for each."""
        self._values: list[list[int]] = []

    def deal(self, setup: Setup, number: int) -> State:
        """The hand that `State.deal` deals from the child of the stream with this number."""
        place = number - self._first
        if setup.rules is not self._rules or not 0 <= place < len(self._values):
            numbers = range(number, max(number + 1, min(number + AT_ONCE, self._hands)))
            self._cards, self._values = _dealt(setup, self._stream.words_below(numbers), len(numbers))
            self._rules, self._first, place = setup.rules, number, 0
        return State.dealt(setup, self._cards[place], self._values[place])


def _dealt(
    setup: Setup, generators: NDArray[np.uint64], hands: int
) -> tuple[NDArray[np.int64], list[list[int]]]:
    """The cards of hands, a row for each, and the values of everyone's hand at the showdown."""
    cards = np.empty((hands, setup.cards_dealt), dtype=np.int64)
    values = np.empty((hands, len(setup.stacks)), dtype=np.int64)
    deal_hands(setup.rules_vector, setup.opening, generators, setup.deck, tables(), cards, values)
    return cards, values.tolist()
