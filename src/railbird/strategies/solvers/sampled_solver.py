"""Equilibria of hold'em with any betting tree: regret minimisation with sampled deals and actions.

Walks are those of external sampling (`kernels.solve.sampling`; Lanctot and others 2009). With two seats the average
strategy approaches an equilibrium of the abstract game; with more seats there is no such guarantee.

An *iteration* is many walks, each with its own deal, in `LOTS` lots of the same size. Every lot has its own random
stream and its own copy of all numbers, so that it sees what it learns itself; at the end of the iteration the changes
of all lots are added in a fixed order. Threads only share out the lots, so the result is the same to the last bit
whatever their number, also when a run is stopped between iterations and resumed. Iteration t counts t times, in
regrets and in the average ("linear").
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.engine.rules import GameRules
from railbird.equities.table_files import Progress
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.kernels.solve import sampling
from railbird.kernels.solve.regrets import Learned
from railbird.rng import Stream
from railbird.strategies.actions import ActionAbstraction
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.files import CHECKPOINT, read_checkpoint, write_numbers
from railbird.strategies.solvers.strangers import NO_STRANGERS, Strangers
from railbird.strategies.streets import UnsolvableGame
from railbird.strategies.tree import SHOWDOWN, PublicTree, public_tree

LOTS = 2
WALKS = 8192
"""Walks of every seat in each lot of an iteration."""
MOST_NODES = 500_000
"""Maximum size of a betting tree."""
MOST_NUMBERS = 100_000_000
"""Maximum number of buckets times actions, over all decisions; each takes 24 bytes of memory."""


def sampled_tree(rules: GameRules, actions: ActionAbstraction) -> PublicTree:
    """The betting tree of a game of hold'em that can be solved; an error if it cannot."""
    if not rules.is_holdem:
        raise UnsolvableGame(f"{rules.name} is not hold'em with a full deck")
    tree = public_tree(rules, actions, MOST_NODES)
    shown = tree.kinds == SHOWDOWN
    has_folded = tree.folded[shown, None] >> np.arange(rules.players) & 1
    stakes = tree.paid[shown]
    if (np.where(has_folded, 0, stakes.max(axis=1, keepdims=True) - stakes) != 0).any():
        raise UnsolvableGame(f"{rules.name} can have side pots: all stacks must be the same")
    return tree


class TreeNumbers:
    """Where the numbers of every decision are: for every bucket, one for each possible letter.

    A seat has one bucket throughout a betting round. So for each of its buckets the numbers of all its decisions in the
    round are next to each other, in the order of the tree: a walk finds most of what it reads in few cache lines.
    """

    def __init__(self, tree: PublicTree, buckets: tuple[int, ...]) -> None:
        self.tree = tree
        self.buckets = buckets
        self.possible = tree.children >= 0
        counts = self.possible.sum(axis=1)
        self.strides = np.zeros((tree.rules.players, tree.rules.rounds), dtype=np.int64)
        """By seat and round, how far the numbers of the next bucket are."""
        self.starts = np.zeros(tree.size, dtype=np.int64)
        """Where the numbers of every decision begin for the first bucket."""
        self.size = 0
        """The number of numbers."""
        for seat, street in np.ndindex(*self.strides.shape):
            nodes = np.flatnonzero((tree.actors == seat) & (tree.rounds == street))
            ends = np.cumsum(counts[nodes])
            self.starts[nodes] = self.size + ends - counts[nodes]
            self.strides[seat, street] = ends[-1] if len(nodes) else 0
            self.size += int(self.strides[seat, street]) * buckets[street]

    def of(self, array: NDArray[np.float32], node: int) -> NDArray[np.float32]:
        """The numbers of a decision in an array, by bucket and letter; 0 where a letter is not possible."""
        possible, street = self.possible[node], self.tree.rounds[node]
        first = (
            self.starts[node] + np.arange(self.buckets[street]) * self.strides[self.tree.actors[node], street]
        )
        found = np.zeros((len(first), len(possible)), dtype=np.float32)
        found[:, possible] = array[first[:, None] + np.arange(possible.sum())]
        return found

    def game(self) -> sampling.Game:
        """The tree as walks read it."""
        tree = self.tree
        nodes = np.full((tree.size, sampling.CHILDREN + tree.children.shape[1]), -1, dtype=np.int32)
        counts = self.possible.sum(axis=1)
        nodes[:, sampling.ACTOR] = tree.actors
        nodes[:, sampling.ROUND] = tree.rounds
        nodes[:, sampling.COUNT] = counts
        nodes[:, sampling.START] = self.starts
        nodes[:, sampling.FOLDED] = tree.folded
        first = np.argsort(~self.possible, axis=1, kind="stable")  # possible letters first
        nodes[:, sampling.CHILDREN :] = np.take_along_axis(tree.children, first, axis=1)
        return sampling.Game(nodes, self.strides, tree.paid.astype(np.float32))


class SampledSolver:
    """What has been learnt about a game after some iterations; `run` adds more."""

    def __init__(
        self,
        rules: GameRules,
        actions: ActionAbstraction,
        cards: CardAbstraction,
        seed: int,
        threads: int = 1,
        progress: Progress | None = None,
        *,
        strangers: Strangers = NO_STRANGERS,
        walks: int = WALKS,
    ) -> None:
        if cards.kind != "percentiles":
            raise UnsolvableGame(
                f"{rules.name} is solved with percentiles, such as percentiles:200, not {cards}"
            )
        self.rules, self.seed = rules, seed
        self.books = (cards,)
        self.strangers = strangers
        self.tree = sampled_tree(rules, actions)
        self.layout = TreeNumbers(self.tree, cards.buckets)
        size = self.layout.size
        if size > MOST_NUMBERS:
            raise UnsolvableGame(
                f"{rules.name} with {actions} and {cards} has {size:,} numbers to learn, more than {MOST_NUMBERS:,}"
            )
        self.iterations = 0
        self.learned = Learned(np.zeros(size, dtype=np.float32), np.zeros(size, dtype=np.float32))
        self._lots = Learned(*(np.zeros((LOTS, size), dtype=np.float32) for _ in self.learned))
        self._walks = walks
        self._game = self.layout.game()
        self._buckets = cards.tables(progress)
        self._stream = Stream.from_seed(seed).child("solve", "deal")
        letters = self.tree.children.shape[1]
        self._rooms = [sampling.empty_room(len(self.tree.levels), letters) for _ in range(LOTS)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def run(self, iterations: int) -> NDArray[np.float64]:
        """Do a number of iterations; returns what the seats won in each, in chips per hand."""
        won = np.zeros((iterations, LOTS, self.rules.players))
        each_lot = map if self._pool is None else self._pool.map
        for row in won:
            list(each_lot(partial(self._walk_lot, row), range(LOTS)))
            list(each_lot(self._merge_part, range(LOTS)))
            self.iterations += 1
        means: NDArray[np.float64] = won.mean(axis=1) / self._walks
        return means

    def _walk_lot(self, won: NDArray[np.float64], lot: int) -> None:
        sampling.walk_deals(
            self._game,
            self._walks,
            float(self.iterations + 1),
            self.strangers.share,
            self._stream.child(self.iterations, lot).words(),
            self._buckets,
            evaluator_tables(),
            Learned(self._lots.regrets[lot], self._lots.sums[lot]),
            self._rooms[lot],
            won[lot],
        )

    def _merge_part(self, part: int) -> None:
        first, beyond = (self.layout.size * place // LOTS for place in (part, part + 1))
        for shared, lots in zip(self.learned, self._lots, strict=True):
            sampling.merge(shared, lots, first, beyond)

    def weights(self, node: int) -> NDArray[np.float32]:
        """The weighted sum of all strategies at a decision, by bucket and letter.

        Buckets ascend by strength: one that was never met does what the nearest one does that was.
        """
        sums = self.layout.of(self.learned.sums, node)
        met = np.flatnonzero(sums.any(axis=1))
        if not len(met):
            return sums
        nearest = np.abs(met[:, None] - np.arange(len(sums))).argmin(axis=0)
        found: NDArray[np.float32] = sums[met[nearest]]
        return found

    def save(self, path: Path) -> None:
        """Write a checkpoint, from which `resume` goes on to the same bits."""
        write_numbers(path, CHECKPOINT, self._header(), self.learned)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same game, abstractions and seed."""
        size = sum(each.nbytes for each in self.learned)
        self.iterations, numbers = read_checkpoint(path, self._header(), size)
        for each, lots, found in zip(
            self.learned, self._lots, np.split(numbers.view(np.float32), 2), strict=True
        ):
            each[:] = lots[:] = found

    def _header(self) -> dict[str, Any]:
        (cards,) = self.books
        return {
            "game": self.rules.name,
            "actions": str(self.tree.actions),
            "cards": str(cards),
            "against": str(self.strangers),
            "walks": LOTS * self._walks,
            "order": "seat, round, bucket, decision",
            "seed": self.seed,
            "iterations": self.iterations,
        }
