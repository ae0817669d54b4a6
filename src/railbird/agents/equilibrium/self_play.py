"""Hands of a strategy against itself: what the players would do when asked, found in one compiled step per hand."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.engine.betting_tree import BettingNode
from railbird.engine.setup import Setup
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import HOLDINGS
from railbird.kernels.play.table_hands import MOST_ACTIONS, StrategyTables, play_from_tables
from railbird.kernels.solve.buckets import Buckets
from railbird.strategies.table_strategy import TableStrategy

_MOST_ENDS = 1 << 15
"""Maximum number of betting histories kept."""
_NUMBERS = 4 * MOST_ACTIONS


class Draws:
    """Numbers in [0, 1) from a generator, in their order; the next `MOST_ACTIONS` of them are always at hand."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator
        self.numbers = generator.random(_NUMBERS)
        self.place = np.zeros(1, dtype=np.int64)
        """Where the next number is, for compiled code, which moves it."""
        self._discarded = 0

    @property
    def taken(self) -> int:
        """The number of numbers taken so far."""
        return self._discarded + int(self.place[0])

    def skip(self, count: int) -> None:
        """Take numbers that nobody needs."""
        for first in range(0, count, MOST_ACTIONS):
            self.place[0] += min(MOST_ACTIONS, count - first)
            self.refill()

    def next(self) -> float:
        """The next number."""
        number = float(self.numbers[self.place[0]])
        self.place[0] += 1
        self.refill()
        return number

    def refill(self) -> None:
        """Draw more numbers if few are left."""
        taken = int(self.place[0])
        if taken + MOST_ACTIONS > _NUMBERS:
            self.numbers = np.concatenate((self.numbers[taken:], self._generator.random(taken)))
            self.place[0] = 0
            self._discarded += taken


class SelfPlay:
    """Plays the hands of a setup between players of one strategy, each with its own draws, by position."""

    def __init__(
        self, strategy: TableStrategy, buckets: Buckets, draws: Sequence[Draws], setup: Setup
    ) -> None:
        self._tree, self._draws, self._setup = strategy.tree, draws, setup
        tree = strategy.tree
        self._known = StrategyTables(
            tree.children,
            tree.actors,
            tree.rounds,
            strategy.starts,
            strategy.numbers,
            buckets.classes,
            buckets.flop,
            buckets.turn,
            buckets.river,
        )
        self._letters = np.empty(MOST_ACTIONS, dtype=np.uint8)
        self._places = tuple(each.place for each in draws)
        self._weights = np.ones(HOLDINGS)
        self._ends: dict[bytes, BettingNode] = {}

    def __call__(self, cards: NDArray[np.int64]) -> BettingNode:
        """The end of the betting of a hand with these cards."""
        numbers = tuple([draws.numbers for draws in self._draws])
        count = play_from_tables(
            self._known, cards, numbers, self._places, self._weights, evaluator_tables(), self._letters
        )
        for draws in self._draws:
            draws.refill()
        word = self._letters[:count].tobytes()
        end = self._ends.get(word)
        if end is None:
            if len(self._ends) == _MOST_ENDS:
                self._ends.clear()
            end = self._ends[word] = self._after(word)
        return end

    def _after(self, word: bytes) -> BettingNode:
        """The situation after the actions of some letters."""
        node, place = self._setup.tree.root, 0
        for letter in word:
            action = self._tree.action(place, letter)
            node = node.following.get(action) or self._setup.tree.after(node, action, keep=True)
            place = int(self._tree.children[place, letter])
        return node
