"""The sequential test played as bets: every bettor's capital after every unit, one unit after the other."""

from collections.abc import Sequence
from math import exp, log

import numpy as np
import scipy
from numpy.typing import NDArray

STAKES = [0.9] + [1 / 2**octave for octave in range(1, 11)]


def capital(units: Sequence[float], most_lost: float, mean: float) -> float:
    """What the bettors have on average who bet on more than `mean`, each starting with one chip."""
    chips = []
    for stake in STAKES:
        mine = 1.0
        for unit in units:
            share = unit / most_lost
            price = -log(1 - stake) - stake
            mine *= exp(stake * share - price * share**2) / (1 + stake * mean / most_lost)
        chips.append(mine)
    return sum(chips) / len(chips)


def lower_bound(units: Sequence[float], most_lost: float, alpha: float) -> float:
    """The mean at which the capital is just 2 / alpha."""
    if capital(units, most_lost, -most_lost) < 2 / alpha:
        return -most_lost
    return float(
        scipy.optimize.brentq(
            lambda mean: capital(units, most_lost, mean) - 2 / alpha, -most_lost, max(units), xtol=1e-12
        )
    )


def first_decisions(paths: NDArray[np.float64], most: float, alpha: float) -> NDArray[np.int64]:
    """For every row, after how many units zero is first refuted (negative from below); 0 for never."""
    total, squares = np.cumsum(paths, axis=1) / most, np.cumsum(paths**2, axis=1) / most**2
    found = np.zeros(len(paths), dtype=np.int64)
    for sign in (1, -1):
        chips = np.mean(
            [np.exp(stake * sign * total - (-np.log(1 - stake) - stake) * squares) for stake in STAKES],
            axis=0,
        )
        decided = chips >= 2 / alpha
        when = np.where(decided.any(axis=1), decided.argmax(axis=1) + 1, 0)
        earlier = (when > 0) & ((found == 0) | (when < np.abs(found)))
        found = np.where(earlier, sign * when, found)
    return found
