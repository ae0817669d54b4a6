"""SARTRE as a table: what it does at every decision of heads-up limit hold'em, for each hand strength and texture.

A best response to SARTRE is found in this table. Its card abstraction is SARTRE's own: buckets of E[HS²] for each board
texture (`strategies.card_abstraction`), and classes of starting hands before the flop.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agents.sartre.cases import SEQUENCE, STAGES, TEXTURE
from railbird.agents.sartre.hand_strength import HAND_STRENGTH, HOLE_CARDS
from railbird.agents.sartre.imitator import Imitator
from railbird.agents.sartre.sequences import BETWEEN_ROUNDS
from railbird.cbr.schema import Value
from railbird.equities.tables import StrengthMeasure
from railbird.hands.boards import Texture
from railbird.hands.starting import class_ranks
from railbird.strategies.card_abstraction import TEXTURES, CardAbstraction
from railbird.strategies.table_strategy import Recipe, TableStrategy
from railbird.strategies.tree import PublicTree

Combine: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From the probabilities of several imitators, situation by situation, to those of all together."""


class TabulationError(ValueError):
    """An imitator that cannot be a table."""


def tabulated(imitators: Sequence[Imitator], tree: PublicTree, combine: Combine) -> TableStrategy:
    """What imitators do together at every decision of the betting tree of heads-up limit hold'em."""
    ways = {imitator.situations.hands.way for imitator in imitators}
    way = next(iter(ways))
    if len(ways) > 1 or way.measure is not StrengthMeasure.EXPECTED_HS_SQUARED:
        described = " and by ".join(sorted(map(str, ways)))
        raise TabulationError(
            f"only cases that describe hands by the same buckets of E[HS²] can be a table, not by {described}"
        )
    cards = CardAbstraction(TEXTURES, (way.count,) * 3)
    sequences = betting_sequences(tree)
    weights = {}
    for node in tree.decisions.tolist():
        round_, possible = int(tree.rounds[node]), tree.children[node] >= 0
        triples = combine(np.array([_triples(each, sequences[node], round_) for each in imitators]))
        # Where folding or raising is not possible, SARTRE checks or calls.
        triples[:, 1] += triples[:, ~possible].sum(axis=1)
        triples[:, ~possible] = 0.0
        weights[node] = triples.astype(np.float32)
    return TableStrategy.of_weights(
        Recipe(tree.rules.name, str(tree.actions), str(cards), 0, 0), tree, cards, weights
    )


def _triples(imitator: Imitator, sequence: str, round_: int) -> NDArray[np.float64]:
    """An imitator's probabilities of fold, call and raise after a betting sequence, by bucket."""
    stage = STAGES[round_]
    if not round_:
        ranks = class_ranks().astype(np.float64)
        return imitator.varied(stage, {HOLE_CARDS: 1, SEQUENCE: sequence}, HOLE_CARDS, ranks)
    buckets = np.arange(1.0, imitator.situations.hands.way.count + 1.0)
    shared: dict[str, Value] = {HAND_STRENGTH: 1, SEQUENCE: sequence}
    return np.concatenate(
        [
            imitator.varied(stage, {**shared, TEXTURE: texture.label}, HAND_STRENGTH, buckets)
            for texture in Texture
        ]
    )


def betting_sequences(tree: PublicTree) -> list[str]:
    """The betting sequence that leads to every node of a limit game, with hyphens between betting rounds."""
    found = [""] * tree.size
    for node in tree.decisions.tolist():
        for letter, child in zip(tree.actions.letters, tree.children[node].tolist(), strict=True):
            if child >= 0:
                rounds = int(tree.rounds[child] - tree.rounds[node])
                found[child] = found[node] + letter + BETWEEN_ROUNDS * rounds
    return found
