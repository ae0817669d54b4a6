"""A solved strategy at rest: for every decision and bucket, how probable each action is, in a byte or two.

Probabilities are multiples of 1/255. Calling is always possible and gets what the other letters leave, so a decision
needs one byte for each of the other letters: folding where there is a bet, raising where the cap allows it. Decisions
follow each other as in the tree, buckets as in the card abstraction.

    strategy = TableStrategy.read(Path("limit.strategy"))
    strategy.recipe                      game, abstractions, iterations, seed
    strategy.probabilities(node)         by bucket and letter
"""

import json
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from railbird import __version__
from railbird.engine.games import named_game
from railbird.engine.rules import RulesError
from railbird.kernels.solve.lanes import LANES
from railbird.spec import SpecError
from railbird.strategies.actions import AbstractionError, ActionAbstraction
from railbird.strategies.card_abstraction import (
    CLUSTERS,
    BucketFinder,
    CardAbstraction,
    CardAbstractionError,
)
from railbird.strategies.files import StrategyFileError, read_numbers, write_numbers
from railbird.strategies.portable_clusters import PortableClusters
from railbird.strategies.streets import TreeLayout
from railbird.strategies.tree import PublicTree, TreeError, public_tree

WHOLE = 255
"""The bytes of all letters of a bucket add up to this."""
_KIND = "strategy"
_ALONE, _WITH_CLUSTERS = 1, 2
"""The formats of strategy files: probabilities only, or followed by the clusters of the card abstraction."""
_CALL = 1


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a strategy was made."""

    game: str
    actions: str
    cards: str
    iterations: int
    seed: int
    against: str = ""
    """The opponents against whom all seats learnt, if they were others: a card abstraction, or strangers."""
    version: str = __version__


def write_with_recipe(
    path: Path, recipe: Recipe, numbers: NDArray[Any], clusters: PortableClusters | None = None
) -> None:
    """Write the numbers of a strategy with its recipe to a file, and the clusters that its player needs."""
    if clusters is None:
        write_numbers(path, _KIND, asdict(recipe), [numbers], version=_ALONE)
    else:
        write_numbers(path, _KIND, asdict(recipe), [numbers, *clusters.parts()], version=_WITH_CLUSTERS)


def read_with_recipe(path: Path) -> tuple[Recipe, NDArray[np.uint8]]:
    """The recipe of a strategy file, and its numbers as bytes, memory-mapped and verified."""
    example = asdict(Recipe("", "", "", 0, 0))
    header, numbers = read_numbers(path, _KIND, example, versions=(_ALONE, _WITH_CLUSTERS))
    return Recipe(**{name: header[name] for name in example}), numbers


def strategy_digest(recipe: Recipe, numbers: NDArray[Any]) -> str:
    """A name for exactly these numbers with this recipe."""
    digest = blake2b(json.dumps(asdict(recipe), sort_keys=True).encode(), digest_size=32)
    digest.update(np.ascontiguousarray(numbers).data)
    return digest.hexdigest()


class AveragingSolver(Protocol):
    """A solver whose average strategy can be taken."""

    @property
    def tree(self) -> PublicTree:
        """The betting tree."""
        ...

    @property
    def books(self) -> tuple[CardAbstraction, ...]:
        """The card abstraction of all seats, or heads-up those of the big blind and of the button."""
        ...

    @property
    def iterations(self) -> int:
        """All iterations so far."""
        ...

    @property
    def seed(self) -> int:
        """The seed of what is sampled."""
        ...

    def weights(self, node: int) -> NDArray[np.float32]:
        """The weighted sum of all strategies at a decision, by bucket and letter."""
        ...


class TableStrategy:
    """Probabilities of actions for every decision of a tree and every bucket."""

    def __init__(
        self,
        recipe: Recipe,
        tree: PublicTree,
        cards: CardAbstraction,
        numbers: NDArray[np.uint8],
        clusters: PortableClusters | None = None,
    ) -> None:
        self.recipe, self.tree, self.cards, self.numbers = recipe, tree, cards, numbers
        self.clusters = clusters
        """What the file carries to find clusters without tables."""

    @classmethod
    def average_of(cls, solver: AveragingSolver, against: str = "") -> "TableStrategy":
        """The average strategy of a solver, which heads-up approaches an equilibrium."""
        (cards,) = solver.books
        return cls._average(cards, against, (solver,) * solver.tree.rules.players)

    @classmethod
    def joined_average_of(cls, big_blind: AveragingSolver, button: AveragingSolver) -> "TableStrategy":
        """The averages of a big blind and of a button that learnt against the same other abstraction."""
        (cards, against), books = big_blind.books, button.books
        assert books == (against, cards), (
            "both seats must have the same card abstraction, and the same opponents"
        )
        assert (big_blind.iterations, big_blind.seed) == (button.iterations, button.seed)
        return cls._average(cards, str(against), (big_blind, button))

    @classmethod
    def _average(
        cls, cards: CardAbstraction, against: str, solvers: tuple[AveragingSolver, ...]
    ) -> "TableStrategy":
        """The average strategy of all seats, each from its own solver."""
        first, tree = solvers[0], solvers[0].tree
        recipe = Recipe(tree.rules.name, str(tree.actions), str(cards), first.iterations, first.seed, against)
        weights = {node: solvers[int(tree.actors[node])].weights(node) for node in tree.decisions.tolist()}
        return cls.of_weights(recipe, tree, cards, weights)

    @classmethod
    def of_weights(
        cls, recipe: Recipe, tree: PublicTree, cards: CardAbstraction, weights: dict[int, NDArray[np.float32]]
    ) -> "TableStrategy":
        """The strategy that plays in proportion to weights, by bucket and letter; evenly where all are 0."""
        made = cls(recipe, tree, cards, np.empty(0, dtype=np.uint8))
        made.numbers = np.concatenate(
            [
                in_bytes(weights[node], tree.children[node] >= 0)[:, made.stored_letters(node)].ravel()
                for node in tree.decisions.tolist()
            ]
        )
        return made

    def write(self, path: Path) -> None:
        """Write the strategy to a file, with its clusters where a solver has built them."""
        known = self.clusters
        if known is None and self.cards.kind == CLUSTERS:
            flop = self.cards.stored_situation_table(3)
            known = None if flop is None else PortableClusters.of_table(flop, self.cards.counts)
        write_with_recipe(path, self.recipe, self.numbers, known)

    @classmethod
    def read(cls, path: Path) -> "TableStrategy":
        """The strategy in a file, memory-mapped; refused with a sentence where the file is anything else."""
        recipe, numbers = read_with_recipe(path)
        try:
            cards = CardAbstraction.parse(recipe.cards)
            tree = public_tree(named_game(recipe.game), ActionAbstraction(recipe.actions))
        except (SpecError, RulesError, AbstractionError, CardAbstractionError, TreeError) as error:
            raise StrategyFileError(f"{path} is for a game that cannot be played: {error}") from None
        found = cls(recipe, tree, cards, numbers)
        needed = int(found.starts[-1])
        if cards.kind == CLUSTERS and len(numbers) == needed + PortableClusters.size(cards.counts):
            found.clusters = PortableClusters.of_bytes(numbers[needed:], cards.counts)
            found.numbers = numbers[:needed]
        elif len(numbers) != needed:
            raise StrategyFileError(
                f"{path} has {len(numbers):,} probabilities, but {recipe.game} with {cards} needs {needed:,}"
            )
        return found

    @cached_property
    def finder(self) -> BucketFinder:
        """Finds the buckets of holdings."""
        return BucketFinder(self.cards, self.clusters)

    @cached_property
    def digest(self) -> str:
        """A name for exactly these probabilities."""
        return strategy_digest(self.recipe, self.numbers)

    def stored_letters(self, node: int) -> list[int]:
        """The letters of a decision whose probabilities are stored: all possible ones but calling."""
        possible = np.flatnonzero(self.tree.children[node] >= 0).tolist()
        return [letter for letter in possible if letter != _CALL]

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the numbers of every node begin, and at last where they all end."""
        tree = self.tree
        letters = (tree.children >= 0).sum(axis=1) - 1
        buckets = np.array(self.cards.buckets)[tree.rounds]
        lengths = np.where(tree.actors >= 0, letters * buckets, 0)
        return np.concatenate(([0], np.cumsum(lengths)))

    def bytes_of(self, node: int) -> NDArray[np.uint8]:
        """The probabilities at a decision in parts of 255, by bucket and letter."""
        stored = self.stored_letters(node)
        buckets = self.cards.buckets[int(self.tree.rounds[node])]
        rows = self.numbers[self.starts[node] : self.starts[node + 1]].reshape(buckets, len(stored))
        found = np.zeros((buckets, self.tree.children.shape[1]), dtype=np.uint8)
        found[:, stored] = rows
        found[:, _CALL] = WHOLE - rows.sum(axis=1, dtype=np.int64)
        return found

    def parts(self, node: int, bucket: int) -> list[int]:
        """The probabilities of one bucket at a decision in parts of 255, by letter."""
        stored = self.stored_letters(node)
        start = int(self.starts[node]) + bucket * len(stored)
        found = [0] * self.tree.children.shape[1]
        for letter, part in zip(stored, self.numbers[start : start + len(stored)].tolist(), strict=True):
            found[letter] = part
        found[_CALL] = WHOLE - sum(found)
        return found

    def probabilities(self, node: int) -> NDArray[np.float64]:
        """The probabilities at a decision, by bucket and letter."""
        return self.bytes_of(node) / WHOLE

    def in_lanes(self, layout: TreeLayout) -> NDArray[np.uint8]:
        """All probabilities in parts of 255, where kernels look for them."""
        found = np.zeros((layout.size, LANES), dtype=np.uint8)
        for node in self.tree.decisions.tolist():
            rows = self.bytes_of(node).ravel()
            found[layout.rows[node] : layout.rows[node] + len(rows), layout.lanes[node]] = rows
        return found


def in_bytes(weights: NDArray[np.float32], possible: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Rows of weights as parts of 255 in proportion, which add up to 255; even shares where all weights are 0."""
    known = np.where(possible, weights.astype(np.float64), 0)
    whole = known.sum(axis=1, keepdims=True)
    shares = np.where(whole > 0, known / np.where(whole > 0, whole, 1), possible / possible.sum())
    rounded = np.floor(shares * WHOLE + 0.5).astype(np.int64)
    largest = shares.argmax(axis=1)
    rounded[np.arange(len(rounded)), largest] += WHOLE - rounded.sum(axis=1)
    return rounded.astype(np.uint8)
