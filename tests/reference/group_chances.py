"""Chances against groups of holdings, opponent by opponent."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from reference.hand_referees import eval7_values


def river_chances(
    hole: Sequence[int], board: Sequence[int], groups: NDArray[np.int64], count: int
) -> list[float]:
    """Against every group of holdings, the share that a holding beats less the share that beats it on the river."""
    live = [card for card in range(52) if card not in {*hole, *board}]
    others = list(combinations(live, 2))
    own, *values = eval7_values(
        np.array([(*held, *board) for held in (tuple(hole), *others)], dtype=np.uint8)
    ).tolist()
    won, met = [0] * count, [0] * count
    for (low, high), value in zip(others, values, strict=True):
        group = int(groups[high * (high - 1) // 2 + low])
        won[group] += (own > value) - (own < value)
        met[group] += 1
    return [each / many if many else 0.0 for each, many in zip(won, met, strict=True)]


def turn_chances(
    hole: Sequence[int], board: Sequence[int], groups: NDArray[np.int64], count: int
) -> list[float]:
    """The mean of the chances over all rivers."""
    rivers = [card for card in range(52) if card not in {*hole, *board}]
    found = [river_chances(hole, (*board, river), groups, count) for river in rivers]
    mean: list[float] = np.mean(found, axis=0).tolist()
    return mean
