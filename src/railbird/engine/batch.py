"""Many hands at once, in compiled code."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from railbird.engine.setup import Setup
from railbird.hands.evaluator import tables
from railbird.kernels.play.playout import play_random_hands
from railbird.kernels.rules.pots import PARTS
from railbird.rng import Stream


@dataclass(frozen=True, slots=True)
class RandomPlay:
    """The result of many random hands."""

    hands: int
    actions: int
    showdowns: int
    winnings: tuple[Fraction, ...]
    """Chips won by position, over all hands."""


def play_random(setup: Setup, hands: int, stream: Stream) -> RandomPlay:
    """Play hands in which every seat acts at random: fold, call or raise with equal chances, raises of any size."""
    if hands < 0:
        raise ValueError(f"the number of hands must be at least one, not {hands}")
    totals = np.zeros(setup.rules.players, dtype=np.int64)
    actions, showdowns = play_random_hands(
        setup.rules_vector,
        setup.opening,
        setup.deck.copy(),
        setup.cards_dealt,
        hands,
        stream.words(),
        tables(),
        totals,
    )
    winnings = tuple(Fraction(parts, PARTS) for parts in totals.tolist())
    return RandomPlay(hands, actions, showdowns, winnings)
