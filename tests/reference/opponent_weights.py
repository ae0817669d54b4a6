"""An opponent's weights holding by holding: all alike at first, then times ProbTriple's chance of every action."""

from collections.abc import Sequence

from railbird.hands.holdings import HOLDINGS, cards_of
from railbird.kernels.play.prob_triple import triple_of
from railbird.observation import Observation
from railbird.opponents.weights.chances import situation_at, values_at
from railbird.opponents.weights.styles import Style
from reference.situations import round_of_action


def weights(observation: Observation, seat: int, style: Style, sharpness: float) -> list[float]:
    """The probability of every holding of an opponent."""
    known = {*observation.hole_cards, *observation.board}
    masses = [
        0.0 if known & set(cards_of(index)) else likelihood(observation, seat, index, style) ** sharpness
        for index in range(HOLDINGS)
    ]
    total = sum(masses)
    return [mass / total for mass in masses]


def likelihood(observation: Observation, seat: int, index: int, style: Style) -> float:
    """The chance that a player of this style would have acted as the seat did, holding this."""
    chance = 1.0
    for node in observation.node.path:
        assert node.reached_by is not None
        before, action = node.reached_by
        if before.actor == seat:
            board: Sequence[int] = observation.board[: observation.rules.board_size(round_of_action(node))]
            situation = situation_at(observation.setup, before)
            values = values_at(situation, tuple(board))
            strength, potential = float(values.strengths[index]), float(values.potentials[index])
            chance *= triple_of(situation, strength, potential, style.vector)[action.kind]
    return chance
