"""The sections of an explanation that know poker: weights of starting hands, and beliefs about a player's cards."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.explanation.sections import Bars, ExplanationError
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASS_SIZES, CLASSES, HOLDINGS


@dataclass(frozen=True, slots=True)
class RangeGrid:
    """The weights of the 169 starting hands, in the order of `hands.holdings`: the usual grid, row by row."""

    title: str
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != CLASSES:
            raise ExplanationError(
                f"{self.title}: got {len(self.weights)} weights for {CLASSES} starting hands"
            )
        if not all(isfinite(weight) and weight >= 0 for weight in self.weights):
            raise ExplanationError(f"{self.title}: weights of starting hands must be finite and not negative")

    @classmethod
    def of(cls, title: str, weights: NDArray[np.float64]) -> "RangeGrid":
        """The grid of weights over the 1,326 holdings: for every starting hand the mean of its holdings' weights."""
        if weights.shape != (HOLDINGS,):
            raise ExplanationError(f"{title}: weights of shape {weights.shape} for {HOLDINGS:,} holdings")
        means = np.bincount(CLASS_OF_HOLDING, weights, minlength=CLASSES) / CLASS_SIZES
        return cls(title, tuple(means.tolist()))

    def to_json(self) -> dict[str, Any]:
        """The grid as plain data."""
        return {"kind": "range", "title": self.title, "weights": list(self.weights)}


@dataclass(frozen=True, slots=True)
class Belief:
    """What a player is believed to hold: a range, and bars such as the most probable holdings."""

    label: str
    grid: RangeGrid
    bars: tuple[Bars, ...] = ()

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
        }
