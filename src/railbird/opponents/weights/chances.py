"""The probability that each of the 1,326 holdings folds, calls or raises in a situation; shared by all observers."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.engine.betting_tree import BettingNode
from railbird.engine.setup import Setup
from railbird.hands.holdings import CLASS_OF_HOLDING
from railbird.kernels.play.holding_weights import act_chances
from railbird.kernels.play.situations import GROUP, SITUATION_LENGTH, Situation, situation_of
from railbird.opponents.weights.holding_values import HoldingValues, board_values, preflop_values
from railbird.opponents.weights.styles import Style

MOST_SITUATIONS = 1024
"""Maximum number of cached situations: about 33 MB."""
_ONE_OF_EACH_CLASS = np.unique(CLASS_OF_HOLDING, return_index=True)[1]


def situation_at(setup: Setup, node: BettingNode) -> Situation:
    """The situation of the seat to act at a betting node."""
    situation = np.empty(SITUATION_LENGTH)
    situation_of(setup.rules_vector, node.vector, situation)
    return situation


def values_at(situation: Situation, board: tuple[Card, ...]) -> HoldingValues:
    """The values of all holdings in a situation, with the board dealt by then."""
    return board_values(board) if board else preflop_values(int(situation[GROUP]))


def chances_at(setup: Setup, node: BettingNode, board: tuple[Card, ...], style: Style) -> NDArray[np.float64]:
    """By kind of action and holding, the probability that a player of this style takes it at a node (read-only)."""
    return _chances(situation_at(setup, node).tobytes(), board, style.key)


@lru_cache(maxsize=MOST_SITUATIONS)
def _chances(situation: bytes, board: tuple[Card, ...], style: bytes) -> NDArray[np.float64]:
    entries = np.frombuffer(situation).copy()  # writable, as in simulations: compiled for one kind of array
    values = values_at(entries, board)
    strengths, potentials = values.strengths, values.potentials
    if not board:  # holdings of a class are equivalent
        strengths, potentials = strengths[_ONE_OF_EACH_CLASS], potentials[_ONE_OF_EACH_CLASS]
        strengths.setflags(write=False)
        potentials.setflags(write=False)
    chances = np.empty((3, len(strengths)))
    act_chances(entries, np.frombuffer(style).copy(), strengths, potentials, chances)
    if not board:
        chances = chances[:, CLASS_OF_HOLDING]
    chances.setflags(write=False)
    return chances
