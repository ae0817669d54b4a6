"""Many hands at once, in compiled code."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.hands.evaluator import tables
from railbird.kernels.play.playout import play_known_hands, play_random_hands
from railbird.kernels.rules.known_betting import KnownBetting, known_from
from railbird.kernels.rules.pots import PARTS
from railbird.rng import Stream

MOST_SITUATIONS = 1 << 15
"""Maximum number of betting situations kept for a setup: 20 MB. Heads-up limit hold'em has 16,584."""


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
    rest = setup.deck.copy(), setup.cards_dealt, hands, stream.words(), tables(), totals
    if setup.rules.betting is Betting.LIMIT:
        actions, showdowns = play_known_hands(setup.rules_vector, _known(setup), *rest)
    else:
        actions, showdowns = play_random_hands(setup.rules_vector, setup.opening, *rest)
    winnings = tuple(Fraction(parts, PARTS) for parts in totals.tolist())
    return RandomPlay(hands, actions, showdowns, winnings)


@lru_cache(maxsize=2)
def _known(setup: Setup) -> KnownBetting:
    """The situations of a setup that hands have reached so far."""
    return known_from(setup.opening, MOST_SITUATIONS)
