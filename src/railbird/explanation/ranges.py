"""The sections of an explanation that know poker: weights of starting hands, and beliefs about a player's cards."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.explanation.sections import Bars, ExplanationError
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASS_SIZES, CLASSES, HOLDINGS

ALL_COMBOS: tuple[int, ...] = tuple(CLASS_SIZES.tolist())
"""The combos of every starting hand if no card is known: 6 of a pair, 4 suited, 12 offsuit."""
MOST_COMBOS = max(ALL_COMBOS)


@dataclass(frozen=True, slots=True)
class RangeGrid:
    """The weights of the 169 starting hands, in the order of `hands.holdings`: the usual grid, row by row.

    A weight is a part of one: how often an action is taken with a combo, or how probable a combo is.
    """

    title: str
    weights: tuple[float, ...]
    """For every starting hand the mean over its possible combos."""
    combos: tuple[int, ...] = ALL_COMBOS
    """The number of possible combos of every starting hand; fewer than usual if cards are known."""
    measure: str = ""
    """What a weight is, such as "how often it raises"."""

    def __post_init__(self) -> None:
        if len(self.combos) != CLASSES or not all(0 <= number <= MOST_COMBOS for number in self.combos):
            raise ExplanationError(
                f"{self.title}: each of {CLASSES} starting hands has 0 to {MOST_COMBOS} combos"
            )
        if len(self.weights) != CLASSES:
            raise ExplanationError(
                f"{self.title}: got {len(self.weights)} weights for {CLASSES} starting hands"
            )
        if not all(isfinite(weight) and weight >= 0 for weight in self.weights):
            raise ExplanationError(f"{self.title}: weights of starting hands must be finite and not negative")

    @classmethod
    def of(cls, title: str, weights: NDArray[np.float64], measure: str = "") -> "RangeGrid":
        """The grid of weights over the 1,326 holdings; holdings of weight 0 are impossible."""
        if weights.shape != (HOLDINGS,):
            raise ExplanationError(f"{title}: weights of shape {weights.shape} for {HOLDINGS:,} holdings")
        possible = np.bincount(CLASS_OF_HOLDING[weights > 0], minlength=CLASSES)
        means = np.bincount(CLASS_OF_HOLDING, weights, minlength=CLASSES) / np.maximum(possible, 1)
        return cls(title, tuple(means.tolist()), tuple(possible.tolist()), measure)

    def to_json(self) -> dict[str, Any]:
        """The grid as plain data."""
        return {
            "kind": "range",
            "title": self.title,
            "weights": list(self.weights),
            "combos": list(self.combos),
            "measure": self.measure,
        }


@dataclass(frozen=True, slots=True)
class Belief:
    """What a player is believed to hold: in words, as bars such as the most probable holdings, and as a range."""

    label: str
    grid: RangeGrid
    bars: tuple[Bars, ...] = ()
    summary: str = ""

    @property
    def title(self) -> str:
        """The player whose cards these are."""
        return self.label

    def to_json(self) -> dict[str, Any]:
        """The belief as plain data."""
        return {
            "kind": "belief",
            "label": self.label,
            "grid": self.grid.to_json(),
            "bars": [each.to_json() for each in self.bars],
            "summary": self.summary,
        }
