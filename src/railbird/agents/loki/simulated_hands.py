"""Trials of a decision in limit hold'em, for `sampling.selective`: from an observation to `kernels.play.simulation`."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.engine.actions import Action, ActionKind
from railbird.equities.strength import board_hand_strengths
from railbird.hands.evaluator import tables
from railbird.hands.holdings import HOLDINGS
from railbird.kernels.play import simulation
from railbird.kernels.play.poki_formula import THRESHOLDS_LENGTH
from railbird.kernels.play.prob_triple import STYLE_LENGTH
from railbird.kernels.play.situations import GROUPS
from railbird.kernels.rules.betting import MOST_SEATS
from railbird.kernels.showdown import joint_draws
from railbird.observation import Observation
from railbird.opponents.weights.holding_values import board_values, preflop_values
from railbird.opponents.weights.styles import Style
from railbird.sampling.selective import Outcomes

STRIDE = 10
"""On boards to come, a holding is compared with every n-th other one; the error of its strength is then about 0.04."""


class SimulatedHands:
    """Outcomes of every action of the seat to act, in chips won from now on; folding wins nothing."""

    def __init__(
        self,
        observation: Observation,
        weights: Mapping[int, NDArray[np.float64]],
        styles: Sequence[Style],
        words: NDArray[np.uint64],
        *,
        thresholds: NDArray[np.float64] | None = None,
        stride: int = STRIDE,
    ) -> None:
        """Weights are those of all live opponents by seat, styles those of all players; thresholds select the formula.

        `words` is a generator of `kernels.random`; drawing advances it. With thresholds, the weights may include the
        observer's own seat: what the opponents believe it to hold.
        """
        self.moves: tuple[Action, ...] = observation.choices
        """From the least aggressive to the most."""
        self._words = words
        self._folds = sum(move.kind is ActionKind.FOLD for move in self.moves)
        rows = np.zeros((MOST_SEATS + 1, HOLDINGS))
        for seat, believed in weights.items():
            rows[seat] = believed
        rows[joint_draws.MEAN_ROW] = np.mean(list(weights.values()), axis=0)
        self._chances = joint_draws.Chances(rows, np.empty(rows.shape), np.empty(rows.shape, dtype=np.int64))
        joint_draws.fill_alias_tables(self._chances)
        strengths, potentials = _open_board(
            observation, None if thresholds is None else rows[joint_draws.MEAN_ROW]
        )
        self._table = simulation.Table(
            rules=observation.setup.rules_vector,
            state=observation.node.vector,
            cards=_known_cards(observation),
            board_cards=len(observation.board),
            policy=simulation.PROB_TRIPLE if thresholds is None else simulation.FORMULA,
            styles=_by_seat([style.vector for style in styles], STYLE_LENGTH),
            thresholds=_by_seat([] if thresholds is None else thresholds, THRESHOLDS_LENGTH),
            preflop=_percentiles(),
            strengths=strengths,
            potentials=potentials,
            stride=stride,
        )

    def __call__(self, trials: int) -> Outcomes:
        """The outcomes of further trials: a row for each, a column for each move."""
        played = np.empty((trials, 2))
        simulation.simulate_hands(self._table, self._chances, tables(), self._words, played)
        outcomes = np.zeros((trials, len(self.moves)))
        outcomes[:, self._folds :] = played[:, : len(self.moves) - self._folds]
        return outcomes


def _known_cards(observation: Observation) -> NDArray[np.int64]:
    players = observation.rules.players
    cards = np.zeros(2 * players + simulation.BOARD, dtype=np.int64)
    cards[2 * observation.seat : 2 * observation.seat + 2] = observation.hole_cards
    cards[2 * players : 2 * players + len(observation.board)] = observation.board
    return cards


def _open_board(
    observation: Observation, mean: NDArray[np.float64] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Strength and potential of all holdings on the present board, against the mean range or a random holding."""
    if not observation.board:
        return _NOTHING, _NOTHING
    values = board_values(observation.board)
    if mean is None:
        return values.strengths, values.potentials
    strengths = np.nan_to_num(board_hand_strengths(observation.board, mean), nan=0.5)
    strengths.setflags(
        write=False
    )  # read-only like the others: another array type would be compiled separately
    return strengths, values.potentials


def _by_seat(
    vectors: Sequence[NDArray[np.float64]] | NDArray[np.float64], length: int
) -> NDArray[np.float64]:
    rows = np.zeros((MOST_SEATS, length))
    for seat, vector in enumerate(vectors):
        rows[seat] = vector
    return rows


@cache
def _percentiles() -> NDArray[np.float64]:
    return np.stack([preflop_values(group).strengths for group in range(GROUPS)])


_NOTHING: NDArray[np.float64] = np.zeros(HOLDINGS)
_NOTHING.setflags(write=False)
