"""Holdings of several players drawn at once: each in proportion to its weights, no card twice."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.random import Words, below_of, draw_cards, next_of
from railbird.kernels.rules.betting import MOST_SEATS, Vector

CARD_BITS: NDArray[np.uint64] = np.array([1 << card for card in range(52)], dtype=np.uint64)
HOLDING_BITS: NDArray[np.uint64] = CARD_BITS[HIGH_CARDS] | CARD_BITS[LOW_CARDS]
"""The set of a holding's two cards."""

MEAN_ROW = MOST_SEATS
"""The row of `Chances` with the mean range of the players."""

MOST_REJECTIONS = 2000
"""Maximum number of successive joint draws with a conflict, after which `draw_holdings` uses another method."""
CANDIDATES = 32
"""How many sets `resample_holdings` draws to choose one."""
_TO_UNIT = 1.0 / 9007199254740992.0


@njit(forceinline=True, borrows=True)
def in_unit_interval(word: np.uint64) -> float:
    """The upper 53 bits of a word as a number in [0, 1)."""
    return np.float64(word >> np.uint64(11)) * _TO_UNIT


class Chances(NamedTuple):
    """Weights of holdings as Walker's alias tables, a row for each seat and `MEAN_ROW`: two numbers draw a holding."""

    weights: NDArray[np.float64]
    """What the tables were made from."""
    kept: NDArray[np.float64]
    """The chance that the place that was drawn is kept."""
    alias: NDArray[np.int64]
    """The holding to take otherwise."""


@njit(cache=True)
def fill_alias_tables(chances: Chances) -> None:
    """Write the alias tables of the weights (Walker's method with Vose's order).

    A row without any weight is drawn uniformly.
    """
    weights = chances.weights
    small = np.empty(HOLDINGS, dtype=np.int64)
    large = np.empty(HOLDINGS, dtype=np.int64)
    scaled = np.empty(HOLDINGS, dtype=np.float64)
    for row in range(weights.shape[0]):
        total = weights[row].sum()
        count_small = 0
        count_large = 0
        for holding in range(HOLDINGS):
            scaled[holding] = weights[row, holding] * (HOLDINGS / total) if total > 0.0 else 1.0
            chances.kept[row, holding] = 1.0
            chances.alias[row, holding] = holding
            if scaled[holding] < 1.0:
                small[count_small] = holding
                count_small += 1
            else:
                large[count_large] = holding
                count_large += 1
        while count_small and count_large:
            count_small -= 1
            poor = small[count_small]
            rich = large[count_large - 1]
            chances.kept[row, poor] = scaled[poor]
            chances.alias[row, poor] = rich
            scaled[rich] -= 1.0 - scaled[poor]
            if scaled[rich] < 1.0:
                count_large -= 1
                small[count_small] = rich
                count_small += 1
        # Rounding leaves a remainder: it must not make a holding of weight 0 possible.
        for place in range(count_small):
            rest = small[place]
            if weights[row, rest] == 0.0 and total > 0.0:
                chances.kept[row, rest] = 0.0
                chances.alias[row, rest] = np.argmax(weights[row])


@njit(forceinline=True, borrows=True)
def _draw_holding(
    kept: NDArray[np.float64], alias: NDArray[np.int64], row: int, generator: Words
) -> tuple[int, Words]:
    place, generator = below_of(generator, HOLDINGS)
    word, generator = next_of(generator)
    if in_unit_interval(word) < kept[row, place]:
        return place, generator
    return alias[row, place], generator


@njit(cache=True, borrows=True)
def draw_holdings(
    chances: Chances, seats: Vector, dead: np.uint64, holdings: Vector, generator: Words
) -> tuple[np.uint64, Words]:
    """Draw a holding for each of the seats, jointly; returns the set of dead and drawn cards, and the generator.

    The joint probability of a set is proportional to the product of its weights if no card occurs twice, otherwise 0.
    Each seat is drawn independently, and a set with a conflict is rejected as a whole: redrawing only the last one
    would favour the earlier ones. If weights conflict so much that this fails, `resample_holdings` takes over.
    """
    kept, alias = chances.kept, chances.alias
    for _ in range(MOST_REJECTIONS):
        drawn = dead
        fits = True
        for place in range(len(seats)):
            holding, generator = _draw_holding(kept, alias, seats[place], generator)
            bits = HOLDING_BITS[holding]
            if drawn & bits:
                fits = False
                break
            drawn |= bits
            holdings[seats[place]] = holding
        if fits:
            return drawn, generator
    return resample_holdings(chances.weights, seats, dead, holdings, generator)


@njit(cache=True)
def resample_holdings(
    weights: NDArray[np.float64], seats: Vector, dead: np.uint64, holdings: Vector, generator: Words
) -> tuple[np.uint64, Words]:
    """The same for weights that mostly conflict, nearly exact: sampling importance resampling.

    Candidates are drawn seat by seat in random order, each from the holdings that the previous seats leave. The bias is
    the weight left to each seat; one candidate is chosen in proportion to these weights. If no set has any weight, all
    free cards are equally likely.
    """
    order = seats.copy()
    candidate = np.empty(MOST_SEATS, dtype=np.int64)
    total = 0.0
    for _ in range(CANDIDATES):
        generator = draw_cards(generator, order, len(order))
        drawn = dead
        importance = 1.0
        for place in range(len(order)):
            row = weights[order[place]]
            left = 0.0
            for holding in range(HOLDINGS):
                if not drawn & HOLDING_BITS[holding]:
                    left += row[holding]
            importance *= left
            if left == 0.0:
                break
            word, generator = next_of(generator)
            until = in_unit_interval(word) * left
            for holding in range(HOLDINGS):
                if row[holding] > 0.0 and not drawn & HOLDING_BITS[holding]:
                    candidate[order[place]] = holding
                    until -= row[holding]
                    if until < 0.0:
                        break
            drawn |= HOLDING_BITS[candidate[order[place]]]
        total += importance
        word, generator = next_of(generator)
        if importance > 0.0 and in_unit_interval(word) * total < importance:
            for place in range(len(seats)):
                holdings[seats[place]] = candidate[seats[place]]
    drawn = dead
    for place in range(len(seats)):
        if total == 0.0:
            holding, generator = below_of(generator, HOLDINGS)
            while drawn & HOLDING_BITS[holding]:
                holding, generator = below_of(generator, HOLDINGS)
            holdings[seats[place]] = holding
        drawn |= HOLDING_BITS[holdings[seats[place]]]
    return drawn, generator
