"""A player's actions compared with a generic player's, which give its style and sharpness.

Loki counts how often every opponent folded, called and raised, by round and bets to call, and infers the holdings that
these frequencies imply (Papp 1998, §7.2). Here every observed action is compared with the probabilities that ProbTriple
gives the generic player in the same situation, averaged over the player's range at that point. The difference of the
two log-odds is how much looser or more aggressive the player is. It is shrunk by sample size: the generic player counts
as a number of actions, first in the mean over the contexts before and after the flop, then in each context around that
mean. Contexts in which the player has already paid in the round have a mean of their own.

A showdown reveals how good the weights were. Weights raised to the power of a *sharpness* below 1 are more cautious,
above 1 bolder; every shown holding is evidence for the sharpness that gives it the highest probability.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import exp, log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.play.situations import AGAIN, BET_CONTEXTS, CONTEXTS
from railbird.kernels.rules.betting import FOLD, RAISE
from railbird.opponents.weights.styles import GENERIC, Style

GENERIC_ACTIONS = 12.0
"""The weight of the generic player in the mean over several contexts, in actions."""
MEAN_ACTIONS = 25.0
"""The weight of that mean in each context, in actions."""

SHARPNESSES = (0.25, 0.5, 0.75, 1.0, 1.25)
GENERIC_SHARPNESS = 0.75
SHOWN_HOLDINGS = 6.0
"""The weight of the generic sharpness, in shown holdings."""

_PRIOR_OF_SHARPNESS = np.array(
    [-SHOWN_HOLDINGS * (sharpness - GENERIC_SHARPNESS) ** 2 for sharpness in SHARPNESSES]
)
_PARTS = (
    [context for context in range(BET_CONTEXTS) if context != AGAIN],
    [AGAIN],
    [context for context in range(BET_CONTEXTS, CONTEXTS) if context % BET_CONTEXTS != AGAIN],
    [context for context in range(BET_CONTEXTS, CONTEXTS) if context % BET_CONTEXTS == AGAIN],
)
"""The contexts that share a mean: before and after the flop, separately if the player has paid in the round."""
_KINDS = 3
"""Fold, call and raise."""


class TendenciesError(ValueError):
    """Data that is not valid tendencies."""


Counts: TypeAlias = list[list[float]]
"""By context, the numbers of folds, calls and raises."""


def _no_counts() -> Counts:
    return [[0.0, 0.0, 0.0] for _ in range(CONTEXTS)]


@dataclass(slots=True, eq=False)
class Tendencies:
    """One player's actions so far."""

    observed: Counts = field(default_factory=_no_counts)
    expected: Counts = field(default_factory=_no_counts)
    evidence: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(SHARPNESSES)))
    """By sharpness, the log-likelihood of the holdings that the player showed."""
    actions: int = 0
    """The number of observed actions."""
    shown: int = 0
    """The number of shown holdings."""
    style: Style = GENERIC
    """The player's style: generic at first, specific as actions accumulate."""
    sharpness: float = GENERIC_SHARPNESS
    """The power to which the player's weights are raised."""
    _next_style: int = 1

    def observe(self, context: int, kind: int, expected: tuple[float, float, float]) -> None:
        """Count an action and the generic player's probabilities to fold, call and raise."""
        self.observed[context][kind] += 1.0
        sums = self.expected[context]
        sums[0] += expected[0]
        sums[1] += expected[1]
        sums[2] += expected[2]
        self.actions += 1
        if self.actions >= self._next_style:
            self._adapt()

    def observe_shown(self, evidence: NDArray[np.float64]) -> None:
        """Count a shown holding: its log-likelihood by sharpness."""
        self.evidence += evidence
        self.shown += 1
        self._weigh_evidence()

    def _adapt(self) -> None:
        """Recompute the style and schedule the next time; the more actions, the less often.

        The schedule depends on the count alone, so that all observers of a player arrive at the same style.
        """
        self._next_style = self.actions + 1 + self.actions // 10
        self.style = _style_of(
            tuple(chain.from_iterable(self.observed)), tuple(chain.from_iterable(self.expected))
        )

    def _weigh_evidence(self) -> None:
        beliefs = np.exp(_PRIOR_OF_SHARPNESS + self.evidence - self.evidence.max())
        self.sharpness = round(20.0 * float(beliefs @ SHARPNESSES / beliefs.sum())) / 20.0

    def add(self, other: "Tendencies") -> None:
        """Add observations of the same player made elsewhere."""
        for mine, others in ((self.observed, other.observed), (self.expected, other.expected)):
            for context, counts in enumerate(others):
                mine[context] = [one + more for one, more in zip(mine[context], counts, strict=True)]
        self.evidence += other.evidence
        self.actions += other.actions
        self.shown += other.shown
        if self.actions:
            self._adapt()
        if self.shown:
            self._weigh_evidence()

    def to_json(self) -> dict[str, Any]:
        """The tendencies as plain data, for a session to be resumed."""
        return {
            "observed": self.observed,
            "expected": self.expected,
            "evidence": self.evidence.tolist(),
            "actions": self.actions,
            "shown": self.shown,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Tendencies":
        """The tendencies that `to_json` wrote."""
        shapes = {"observed": (CONTEXTS, 3), "expected": (CONTEXTS, 3), "evidence": (len(SHARPNESSES),)}
        arrays = {name: np.array(data[name], dtype=np.float64) for name in shapes}
        for name, shape in shapes.items():
            if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
                raise TendenciesError(
                    f"{name} of a player must have the shape {shape}, not {arrays[name].shape}"
                )
        observed, expected, evidence = arrays.values()
        made = cls()
        made.add(
            cls(observed.tolist(), expected.tolist(), evidence, int(data["actions"]), int(data["shown"]))
        )
        return made


@lru_cache(maxsize=64)
def _style_of(observed: tuple[float, ...], expected: tuple[float, ...]) -> Style:
    """The style implied by counts, row by row; cached, because all observers of a player have the same counts."""
    looseness = [-each for each in _log_odds(observed, expected, FOLD)]
    return Style.rounded(looseness, _log_odds(observed, expected, RAISE))


def _log_odds(observed: tuple[float, ...], expected: tuple[float, ...], kind: int) -> list[float]:
    """By context, how much more often than the generic player this one takes an action, in log-odds."""
    differences = [0.0] * CONTEXTS
    for part in _PARTS:
        counts = []
        for context in part:
            foreseen = expected[_KINDS * context + kind]
            if foreseen:
                row = observed[_KINDS * context : _KINDS * (context + 1)]
                counts.append((row[kind], foreseen, sum(row)))
            else:
                counts.append((0.0, 0.0, 0.0))  # impossible in this context
        happened, foreseen, total = map(sum, zip(*counts, strict=True))
        mean = _difference(happened, foreseen, total, 0.0, GENERIC_ACTIONS)
        for context, each in zip(part, counts, strict=True):
            differences[context] = _difference(*each, mean, MEAN_ACTIONS)
    return differences


def _difference(happened: float, foreseen: float, total: float, prior: float, prior_actions: float) -> float:
    """The difference of observed and expected log-odds, given a prior difference with the weight of `prior_actions`."""
    if total == 0.0:
        return prior
    foreseen_odds = _log_odds_of(foreseen / total)
    prior_share = 1.0 / (1.0 + exp(-foreseen_odds - prior))
    return _log_odds_of((happened + prior_actions * prior_share) / (total + prior_actions)) - foreseen_odds


def _log_odds_of(share: float) -> float:
    share = min(0.999, max(0.001, share))
    return log(share / (1.0 - share))
