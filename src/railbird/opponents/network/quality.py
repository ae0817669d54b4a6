"""How well a network predicts what players hold (baycarp-2011 §7.2), on hands that it did not learn from.

Hand groups are predicted after the betting before the flop, for all players who saw the flop; hand types after the
betting of their stage, for all players who continued to the next card, or from the river to a showdown. The true hand
must be known. The thesis measures how often the truth is among the k most probable states; added here are the log-loss
in nats and the calibration: how often states with a given predicted probability were true.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.forward import Forward
from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN, Structure
from railbird.opponents.network.nodes import ACTIONS, BOARDS, HAND_GROUP, HAND_TYPES, PARTIAL_HANDS
from railbird.opponents.network.rows import Codes

LEAST_CHANCE = 1e-12
BINS = 10
"""The number of equal-width bins of probabilities for calibration."""


@dataclass(frozen=True, slots=True, eq=False)
class NodePredictions:
    """The predictions for one node, row by row."""

    node: str
    rows: Codes
    """All codes, including the true hands."""
    chances: NDArray[np.float64]
    truth: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.truth)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of the truth among the states by probability, from 0; ties count as the best rank."""
        order = np.argsort(-self.chances, axis=1, kind="stable")
        found: NDArray[np.int64] = np.argmax(order == self.truth[:, None], axis=1)
        return found

    def top(self, count: int) -> float:
        """How often the truth is among the `count` most probable states."""
        return float((self.ranks < count).mean())

    @property
    def log_loss(self) -> float:
        """The mean of −ln of the probability of the truth."""
        given = self.chances[np.arange(len(self)), self.truth]
        return float(-np.log(np.maximum(given, LEAST_CHANCE)).mean())

    def calibration(self) -> list[tuple[float, float, int]]:
        """For each bin of probabilities: their mean, how often such a state was true, and their number."""
        true = np.zeros(self.chances.shape, dtype=np.bool_)
        true[np.arange(len(self)), self.truth] = True
        places = np.minimum((self.chances * BINS).astype(np.int64), BINS - 1).ravel()
        counts = np.bincount(places, minlength=BINS)
        said = np.bincount(places, self.chances.ravel(), minlength=BINS)
        came = np.bincount(places, true.ravel(), minlength=BINS)
        return [
            (said[each] / counts[each], came[each] / counts[each], int(counts[each]))
            for each in range(BINS)
            if counts[each]
        ]

    @property
    def calibration_error(self) -> float:
        """The mean absolute difference of predicted probabilities and observed frequencies."""
        bins = self.calibration()
        total = sum(count for _, _, count in bins)
        return sum(abs(said - came) * count for said, came, count in bins) / total

    def faults(self, structure: Structure, node: str, count: int) -> Mapping[str, float]:
        """How misses, truths not among the `count` most probable states, are distributed over another node's states."""
        codes = self.rows[self.ranks >= count, structure.place(node)]
        states = structure.variable(node).states
        known = codes[codes != UNKNOWN]
        shares = np.bincount(known, minlength=len(states)) / max(1, len(codes))
        return dict(zip(states, shares.tolist(), strict=True))

    def missed_with(self, structure: Structure, state: str, count: int) -> float:
        """The share of the misses in which a state was the most probable one (§7.2.2)."""
        wrong = self.ranks >= count
        first = self.chances.argmax(axis=1) == structure.code(self.node, state)
        return float(first[wrong].mean()) if wrong.any() else 0.0

    def faults_by(
        self, structure: Structure, first: str, second: str, count: int
    ) -> Mapping[tuple[str, str], float]:
        """How the misses are distributed over the states of two other nodes (table 7.2)."""
        wrong = self.rows[self.ranks >= count]
        one, two = (wrong[:, structure.place(name)] for name in (first, second))
        return {
            (a, b): float(((one == i) & (two == j)).sum() / max(1, len(wrong)))
            for i, a in enumerate(structure.variable(first).states)
            for j, b in enumerate(structure.variable(second).states)
        }


def predictions(network: Network, rows: Codes, stage: int) -> NodePredictions:
    """The predictions of the hand group (stage 0) or the hand type of a later stage, and the truth."""
    structure = network.structure
    node = HAND_TYPES[stage - 1] if stage else HAND_GROUP
    chosen = rows[_reached(structure, rows, stage) & (rows[:, structure.place(node)] != UNKNOWN)]
    forward = Forward(network, [node])
    return NodePredictions(
        node,
        chosen,
        forward.rows(known_at(structure, chosen, stage)),
        chosen[:, structure.place(node)].astype(np.int64),
    )


def known_at(structure: Structure, rows: Codes, stage: int) -> Codes:
    """The rows as an opponent sees them after the betting of a stage: without hands and later stages."""
    found = rows.copy()
    hidden = {HAND_GROUP, *HAND_TYPES, *PARTIAL_HANDS}
    later = len(structure.variables) if stage + 1 == len(ACTIONS) else structure.place(ACTIONS[stage + 1])
    for place, variable in enumerate(structure.variables):
        if variable.name in hidden or place >= later:
            found[:, place] = UNKNOWN
    return found


def _reached(structure: Structure, rows: Codes, stage: int) -> NDArray[np.bool_]:
    """The players who continued after a stage; after the river the rows must be those of a showdown."""
    if stage >= len(BOARDS):
        return np.ones(len(rows), dtype=np.bool_)
    found: NDArray[np.bool_] = rows[:, structure.place(BOARDS[stage])] != UNKNOWN
    return found
