"""Strategies for tests: probabilities drawn at random, in few buckets."""

import numpy as np

from railbird.engine.games import named_game
from railbird.strategies.actions import ActionAbstraction
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.table_strategy import Recipe, TableStrategy
from railbird.strategies.tree import PublicTree, public_tree

CARDS = "percentiles:200/200/190"
"""An abstraction that needs no tables: its boundaries are shipped."""


def random_strategy(tree: PublicTree, cards: str = CARDS, seed: int = 1) -> TableStrategy:
    """A strategy that plays by chance, otherwise in every bucket."""
    generator = np.random.default_rng(seed)
    abstraction = CardAbstraction.parse(cards)
    weights = {
        node: generator.random(
            (abstraction.buckets[int(tree.rounds[node])], tree.children.shape[1]), dtype=np.float32
        )
        for node in tree.decisions.tolist()
    }
    recipe = Recipe(tree.rules.name, str(tree.actions), cards, 0, seed)
    return TableStrategy.of_weights(recipe, tree, abstraction, weights)


def small_tree(game: str, actions: str = "fcr") -> PublicTree:
    """The betting tree of a game with some actions."""
    return public_tree(named_game(game), ActionAbstraction(actions))
