"""Values replaced by their places, and the score at every place: how many things are compared without pairs.

On one board only a hundred or so values occur. Numbered from the lowest, they are *places*. When the weight
at every place is known, summing up from the lowest gives the score at each place: twice the weight below (a
win counts two) and once the weight at the place itself (a tie counts one).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation_tables import BEST_VALUE

MOST_PLACES = 91 + 45
"""One for every two ranks, and one for every two of the ten cards that a flush suit has off the board."""
MARKS = BEST_VALUE + 8 - BEST_VALUE % 8
"""Room for a mark at every value, in whole groups of eight."""


@njit(cache=True, internal=True)
def number_places(marks: NDArray[np.uint8]) -> int:
    """Replace the one at every value that occurs by the value's place; returns the number of places."""
    # for value in range(MARKS): marks[value], places = places, places + marks[value]
    # but most groups of eight values are empty, and places of values that do not occur are not needed.
    groups = marks.view(np.uint64)
    places = 0
    for group in range(groups.size):
        if groups[group]:
            for value in range(8 * group, 8 * group + 8):
                occurs = marks[value]
                marks[value] = places
                places += occurs
    return places


@njit(cache=True, internal=True)
def sum_up(weights: NDArray[Any]) -> Any:
    """Replace the weight at every place by the score there; returns the whole weight."""
    below = weights[0] - weights[0]
    for place in range(weights.size):
        here = weights[place]
        weights[place] = below + below + here
        below += here
    return below
