"""CASPER's view of one public situation with many holdings: one description, and what differs by holding."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.agents.casper.attributes import STAGES, cards_ahead, describe
from railbird.agents.casper.cases import schema
from railbird.cards import Card
from railbird.cbr.cycle.many import Problems
from railbird.cbr.target import Target
from railbird.equities.strength import BoardPotentials, board_potentials
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, cards_of, holdings_of_class
from railbird.hands.starting import starting_hand_strength
from railbird.observation import Observation

_STRENGTH = "hand strength"
_POTENTIALS = ("positive potential", "negative potential")
_REMEMBERED = 16
"""Maximum number of cached boards: the same board is often asked about more than once."""
_BEFORE_FLOP: NDArray[np.float64] = np.array(
    [starting_hand_strength(cards_of(int(holdings_of_class(each)[0]))) for each in range(CLASSES)]
)[CLASS_OF_HOLDING]


def problems(observation: Observation, holdings: NDArray[np.int64], look_ahead: int) -> Problems:
    """The situation of the seat to act, with each of the holdings."""
    stage = STAGES[observation.round]
    description = describe(observation.holding(cards_of(int(holdings[0]))), look_ahead)
    if not observation.round:
        return Problems(Target(schema(stage), description), {_STRENGTH: _BEFORE_FLOP[holdings]})
    found = _potentials(observation.board, look_ahead)
    measured = dict(zip((_STRENGTH, *_POTENTIALS), (found.hs, found.ppot, found.npot), strict=True))
    varying = {name: values[holdings] for name, values in measured.items() if name in description}
    return Problems(Target(schema(stage), description), varying)


@lru_cache(maxsize=_REMEMBERED)
def _potentials(board: tuple[Card, ...], look_ahead: int) -> BoardPotentials:
    (found,) = board_potentials(board, look_ahead=cards_ahead(board, look_ahead))
    return found
