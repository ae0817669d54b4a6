"""Beliefs about opponents as sections of an explanation: a grid of starting hands and the most probable holdings."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.explanation import SHARE, Bar, Bars, Belief, RangeGrid
from railbird.hands.holdings import format_holding

MOST_PROBABLE = 8
"""Maximum number of holdings listed for each opponent."""


def belief_sections(
    players: Sequence[str], opponents: Mapping[int, NDArray[np.float64]]
) -> tuple[Belief, ...]:
    """What each opponent may hold, by seat: its probabilities as a grid, and its most probable holdings."""
    return tuple(_belief(players[seat], probabilities) for seat, probabilities in opponents.items())


def _belief(label: str, probabilities: NDArray[np.float64]) -> Belief:
    best = np.argsort(-probabilities, kind="stable")[:MOST_PROBABLE]
    bars = tuple(Bar(format_holding(int(each)), float(probabilities[each])) for each in best)
    return Belief(
        label,
        RangeGrid.of(f"{label}'s range", probabilities, "probability of each combo"),
        (Bars("most probable hands", bars, SHARE),),
    )
