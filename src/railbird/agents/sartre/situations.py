"""Situations of limit hold'em as SARTRE describes them: hand strength, betting sequence and board texture."""

import numpy as np
from numpy.typing import NDArray

from railbird.agents.sartre.cases import BOARD_TEXTURES, SEQUENCE, STAGES, TEXTURE
from railbird.agents.sartre.hand_strength import HAND_STRENGTH, HOLE_CARDS, RANKS, HandFinder, HandStrength
from railbird.agents.sartre.sequences import SequenceMemory
from railbird.cards import Card
from railbird.cbr.schema import Value
from railbird.hands.boards import texture
from railbird.hands.holdings import cards_of, holding
from railbird.observation import Observation


class Situations:
    """Describes situations, the seat to act being the observer's."""

    def __init__(self, strength: HandStrength) -> None:
        self.hands = HandFinder(strength)
        self._sequences = SequenceMemory()
        self._cards: tuple[tuple[Card, ...], tuple[Card, ...]] = (), ()
        self._strength: Value = 0
        self._texture = ""

    def describe(self, observation: Observation) -> dict[str, Value]:
        """The attributes of a situation in the stage of the observation."""
        sequence = self.sequence(observation)
        if not observation.round:
            return {HOLE_CARDS: int(RANKS[holding(observation.hole_cards)]), SEQUENCE: sequence}
        # Several imitators ask for the same cards, and one asks again when it acts once more in the round.
        cards = observation.hole_cards, observation.board
        if cards != self._cards:
            self._strength = self.hands.value(*cards)
            self._texture = BOARD_TEXTURES.symbols[texture(observation.board)]
            self._cards = cards
        return {HAND_STRENGTH: self._strength, SEQUENCE: sequence, TEXTURE: self._texture}

    def sequence(self, observation: Observation) -> str:
        """The betting sequence of a situation."""
        return self._sequences.sequence(observation.node)

    def of_holdings(
        self, observation: Observation, holdings: NDArray[np.int64]
    ) -> tuple[list[dict[str, Value]], NDArray[np.int64]]:
        """The different situations of many holdings, and which of them each holding is in."""
        some = self.describe(observation.holding(cards_of(int(holdings[0]))))
        name = HAND_STRENGTH if observation.round else HOLE_CARDS
        every = self.hands.values(observation.board) if observation.round else RANKS.tolist()
        places: dict[Value, int] = {}
        which = [places.setdefault(every[each], len(places)) for each in holdings.tolist()]
        return [{**some, name: value} for value in places], np.array(which)


def stage_of(observation: Observation) -> str:
    """The stage of an observation."""
    return STAGES[observation.round]
