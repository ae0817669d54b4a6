"""The value of every holding, before the flop and on a board: what ProbTriple compares.

Before the flop a holding's value is the percentile of its income rate at the table size of the situation's group
(`hands.income`); on a board it is hand strength against one random holding, exact, and a crude estimate of the positive
potential (`kernels.play.holding_weights`). Values do not depend on the observer: all agents in a process share them.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.equities.strength import board_hand_strengths
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASS_SIZES, HOLDINGS
from railbird.hands.income import income_rates
from railbird.kernels.play.holding_weights import crude_potentials

TABLE_SIZE_OF_GROUP = (2, 4, 7)
"""The table sizes whose income rates serve Loki's groups by expected players (`kernels.play.situations.GROUP`)."""

MOST_BOARDS = 128
"""Maximum number of cached boards: about 3 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class HoldingValues:
    """Strength and positive potential of all 1,326 holdings (read-only); NaN where the board blocks a holding."""

    strengths: NDArray[np.float64]
    potentials: NDArray[np.float64]


@cache
def preflop_values(group: int) -> HoldingValues:
    """Percentiles of the income rates in a group 0..2: 1 for the best holding, no potential."""
    rates = income_rates(TABLE_SIZE_OF_GROUP[group]).rates
    order = np.argsort(rates, kind="stable")
    sizes = CLASS_SIZES[order]
    percentiles = np.empty(len(rates))
    percentiles[order] = (np.cumsum(sizes) - sizes / 2) / HOLDINGS
    return _frozen(percentiles[CLASS_OF_HOLDING], np.zeros(HOLDINGS))


@lru_cache(maxsize=MOST_BOARDS)
def board_values(board: tuple[Card, ...]) -> HoldingValues:
    """The values on a board of three to five cards."""
    potentials = np.empty(HOLDINGS)
    crude_potentials(np.array(board, dtype=np.int64), potentials)
    return _frozen(board_hand_strengths(board), potentials)


def _frozen(strengths: NDArray[np.float64], potentials: NDArray[np.float64]) -> HoldingValues:
    strengths.setflags(write=False)
    potentials.setflags(write=False)
    return HoldingValues(strengths, potentials)
