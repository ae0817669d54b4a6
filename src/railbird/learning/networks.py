"""Training the network that reads opponents: from recorded hands to tables (baycarp-2011 §6.1.1).

Every hand gives a row for each selected player, with the styles known before it; tables are counted from the rows. The
players are selected by `who`:

- `showdown`: those who showed their cards, as in the thesis. Folded hands are never seen, so the network believes in
  too many good hands and too few draws (§8.1.2, §9.1).
- `flop`: all players who saw the flop. If all cards are known, as in hands of our own dealer, there is no bias.
- `everybody`: also those who folded before the flop.

Hands that were not shown are unknown in their rows. Counting ignores them; `expectation` estimates them instead
(expectation maximisation). A prior is added to the counts, so that unseen events are not impossible.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from railbird import __version__
from railbird.bayes.learning.counts import Average, Prior, Uniform, count
from railbird.bayes.learning.expectation import learn
from railbird.bayes.network import Network, Table
from railbird.bayes.structure import Structure
from railbird.engine.record import HandRecord
from railbird.features.playing_style import StyleBook
from railbird.opponents.network.groups import PlayerGroup, train_groups
from railbird.opponents.network.nodes import HAND_GROUP, HAND_TYPES, PUBLISHED, Variant, structure
from railbird.opponents.network.rows import Coder, Codes, Who

PSEUDO_COUNT = 0.1
"""Prior count of every entry of a table."""
BACKING = 1.0
"""Weight, in rows, of the coarser table on which a row of a fine one falls back; 1, 2 and 4 were tried."""


class TrainingError(ValueError):
    """Hands from which a network cannot be learnt."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a network is learnt."""

    variant: Variant = PUBLISHED
    who: Who = Who.SHOWDOWN
    expectation: bool = False
    """Whether unknown hands are estimated."""
    pseudo_count: float = PSEUDO_COUNT
    backing: float = 0.0
    """If above zero, the weight of the same table without the action, on which rows of hand nodes fall back."""


class Trainer:
    """Takes hands in the order they were played and learns a network from them."""

    def __init__(self, training: Training) -> None:
        self.training = training
        self.hands = 0
        self.other_games = 0
        self._coder = Coder(training.variant)
        self._styles = StyleBook()
        self._rows: list[Codes] = []
        self._labels: list[str] = []
        self._games: dict[str, int] = {}
        self._players: dict[str, None] = {}

    def add(self, record: HandRecord) -> None:
        """Learn from a hand; hands of other games are counted and skipped."""
        if not record.rules.is_limit_holdem:
            self.other_games += 1
            return
        found = self._coder.rows(record, self._styles, self.training.who)
        self.hands += 1
        self._games[record.rules.name] = self._games.get(record.rules.name, 0) + 1
        self._players.update(dict.fromkeys(record.players))
        self._rows.append(found.codes)
        self._labels += [record.players[seat] for seat in found.seats]
        self._styles.observe(record)

    def rows(self) -> Codes:
        """The rows so far."""
        empty = np.empty((0, len(self._coder.structure.variables)), dtype=np.int16)
        return np.concatenate([empty, *self._rows])

    def network(self) -> Network:
        """The network of all hands so far."""
        rows = self.rows()
        if not len(rows):
            raise TrainingError("no hand has a row for a player, so there is nothing to learn")
        return train(rows, self.training)

    def groups(self, count: int, average: Network) -> tuple[PlayerGroup, ...]:
        """Groups of players by their styles, each with its own network next to the population network."""
        players = {label: self._styles.counts(label) for label in self._labels}
        return train_groups(average, zip(self._labels, self.rows(), strict=True), players, count)

    def recipe(self, sources: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """The origin of the network, as plain data."""
        training = self.training
        return {
            "made by": "railbird train-network",
            "version": __version__,
            "variant": [name for name in Variant.__slots__ if getattr(training.variant, name)],
            "learnt from": training.who.value,
            "expectation": training.expectation,
            "pseudo-count": training.pseudo_count,
            "backing": training.backing,
            "hands": self.hands,
            "rows": sum(map(len, self._rows)),
            "table": {"players": list(self._players), "games": dict(self._games)},
            "sources": list(sources),
        }


def train(rows: Codes, training: Training) -> Network:
    """The network of a variant whose tables are learnt from rows."""
    of = structure(training.variant)
    prior: Prior = Uniform(training.pseudo_count)
    if training.backing:
        prior = Average(_coarser(of, rows, training.pseudo_count), training.backing)
    if training.expectation:
        return learn(of, rows, prior=prior, most_iterations=30).network
    return count(of, rows, prior=prior)


def _coarser(of: Structure, rows: Codes, pseudo_count: float) -> Network:
    """Tables in which hands do not depend on all parents, expanded to all parents.

    A hand group falls back on the player's action alone; a hand type on the previous hand and the board.
    """
    kept = {HAND_GROUP: ("Action",)} | {
        name: tuple(
            each for each in of.parents[name] if not each.startswith(("Action", "Aggression", "PotOdds"))
        )
        for name in HAND_TYPES
    }
    coarse = Structure(of.variables, {**of.parents, **kept})
    found = count(coarse, rows, prior=Uniform(pseudo_count))
    return Network(
        of, {name: _spread(of, name, kept.get(name), table) for name, table in found.tables.items()}
    )


def _spread(of: Structure, name: str, kept: tuple[str, ...] | None, table: Table) -> Table:
    if kept is None:
        return table
    shape = of.shape(name)
    axes = [size if parent in kept else 1 for parent, size in zip(of.parents[name], shape[:-1], strict=True)]
    return np.broadcast_to(table.reshape(*axes, shape[-1]), shape)
