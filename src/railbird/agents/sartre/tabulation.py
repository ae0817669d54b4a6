"""SARTRE as a table: what it does at every decision of heads-up limit hold'em, for each hand strength and texture.

A best response to SARTRE is found in this table. Its card abstraction is SARTRE's own: buckets of E[HS²], or categories
of hands, for each board texture (`strategies.card_abstraction`), and classes of starting hands before the flop.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agents.sartre.cases import SEQUENCE, STAGES, TEXTURE
from railbird.agents.sartre.hand_strength import HAND_STRENGTH, HOLE_CARDS, HandStrength
from railbird.agents.sartre.imitator import ExpertCases, Imitator
from railbird.agents.sartre.sequences import BETWEEN_ROUNDS
from railbird.cbr.case_base import CaseBase
from railbird.cbr.schema import Number, Schema, Value
from railbird.equities.tables import StrengthMeasure
from railbird.hands.boards import Texture
from railbird.hands.sartre_categories import EXPERT_CATEGORIES
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
    if len(ways) > 1 or way.measure not in (None, StrengthMeasure.EXPECTED_HS_SQUARED):
        described = " and by ".join(sorted(map(str, ways)))
        raise TabulationError(
            "only cases that describe hands by categories, or by the same buckets of E[HS²], can be a table, "
            f"not by {described}"
        )
    cards = _card_abstraction(way)
    searched = [each if way.measure is not None else _with_numbers(each) for each in imitators]
    sequences = betting_sequences(tree)
    weights = {}
    for node in tree.decisions.tolist():
        round_, possible = int(tree.rounds[node]), tree.children[node] >= 0
        triples = combine(np.array([_triples(each, sequences[node], round_) for each in searched]))
        # Where folding or raising is not possible, SARTRE checks or calls.
        triples[:, 1] += triples[:, ~possible].sum(axis=1)
        triples[:, ~possible] = 0.0
        weights[node] = triples.astype(np.float32)
    return TableStrategy.of_weights(
        Recipe(tree.rules.name, str(tree.actions), str(cards), 0, 0), tree, cards, weights
    )


def _card_abstraction(way: HandStrength) -> CardAbstraction:
    """The abstraction whose buckets are the values of hands for each board texture."""
    if way.measure is None:
        return CardAbstraction.by_category()
    return CardAbstraction(TEXTURES, (way.count,) * 3)


def _with_numbers(imitator: Imitator) -> ExpertCases:
    """The same cases with categories as numbers, counted from 1, of which many are searched at once."""
    numbered = Number(HAND_STRENGTH, whole=True, low=1, high=len(EXPERT_CATEGORIES))
    category = imitator.table[HAND_STRENGTH]
    rows = [replace(row, attribute=numbered) if row is category else row for row in imitator.table.rows]
    table = replace(imitator.table, rows=tuple(rows))
    bases = {stage: _numbered(base, table.schema(stage)) for stage, base in imitator.pack.bases.items()}
    pack = replace(imitator.pack, bases=bases)
    return ExpertCases(pack, imitator.situations, table, imitator.architecture)


def _numbered(base: CaseBase, schema: Schema) -> CaseBase:
    """The cases of a stage with the numbers of their categories, where they have them."""
    words, values = base.vocabularies(), base.values.copy()
    known = words.pop(HAND_STRENGTH, None)
    if known is not None:
        number = {str(category): category.index + 1.0 for category in EXPERT_CATEGORIES}
        place = schema.places[HAND_STRENGTH]
        values[:, place] = np.array([number[word] for word in known])[values[:, place].astype(np.int64)]
    return CaseBase.of_arrays(schema, values, base.counts, base.known, base.sums, words)


def _triples(imitator: ExpertCases, sequence: str, round_: int) -> NDArray[np.float64]:
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
