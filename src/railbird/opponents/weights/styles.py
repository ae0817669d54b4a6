"""Styles of play: the vectors that adjust ProbTriple, made from a few named numbers.

A style is hashable and compares by value, so that probabilities computed for one observer serve all others with an
equal model of a player. Its numbers are rounded to steps too small to matter at a table, so that models are equal more
often.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from railbird.kernels.play import prob_triple
from railbird.kernels.play.situations import AGAIN, BET_CONTEXTS, CONTEXTS

STEP = 0.125
"""Log-odds are rounded to multiples of this; a step changes a probability of one half by 0.03."""
MOST = 6.0
"""Maximum absolute log-odds, however many actions were observed."""


class StyleError(ValueError):
    """Numbers that are not a valid style."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a player differs from the generic one, by context (`kernels.play.situations.CONTEXT`)."""

    looseness: tuple[float, ...] = (0.0,) * CONTEXTS
    """Added to the log-odds of staying in."""
    aggression: tuple[float, ...] = (0.0,) * CONTEXTS
    """Added to the log-odds of betting or raising."""
    bluffing: float = 1.0
    """Multiplies bluffs and semi-bluffs."""
    vector: prob_triple.Style = field(init=False, repr=False, compare=False)
    """The style as compiled code reads it."""
    key: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("looseness", "aggression"):
            values = getattr(self, name)
            if len(values) != CONTEXTS:
                raise StyleError(
                    f"{name} must have a number for each of {CONTEXTS} contexts, not {len(values)}"
                )
        if self.bluffing < 0:
            raise StyleError(f"bluffing must be a factor of at least 0, not {self.bluffing}")
        vector = np.empty(prob_triple.STYLE_LENGTH)
        vector[prob_triple.LOOSENESS : prob_triple.LOOSENESS + CONTEXTS] = self.looseness
        vector[prob_triple.AGGRESSION : prob_triple.AGGRESSION + CONTEXTS] = self.aggression
        vector[prob_triple.BLUFFING] = self.bluffing
        vector.setflags(write=False)
        object.__setattr__(self, "vector", vector)
        object.__setattr__(self, "key", vector.tobytes())

    @property
    def preflop_looseness(self) -> float:
        """The mean looseness over all contexts before the flop."""
        return sum(self.looseness[:AGAIN]) / AGAIN

    @classmethod
    def of(
        cls,
        *,
        preflop: tuple[float, float] = (0.0, 0.0),
        postflop: tuple[float, float] = (0.0, 0.0),
        bluffing: float = 1.0,
    ) -> "Style":
        """A style with one (looseness, aggression) for all contexts before the flop, and one for all after it."""
        looseness, aggression = (
            (before,) * BET_CONTEXTS + (after,) * (CONTEXTS - BET_CONTEXTS)
            for before, after in zip(preflop, postflop, strict=True)
        )
        return cls(looseness, aggression, bluffing)

    @classmethod
    def rounded(cls, looseness: Sequence[float], aggression: Sequence[float]) -> "Style":
        """A style from measured log-odds: bounded, and rounded so that equal players have equal styles."""
        return cls(tuple(map(_rounded, looseness)), tuple(map(_rounded, aggression)))


def _rounded(log_odds: float) -> float:
    return max(-MOST, min(MOST, round(log_odds / STEP) * STEP))


GENERIC = Style()
"""The style of a player about whom nothing is known."""
