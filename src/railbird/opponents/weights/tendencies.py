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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log
from operator import add
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


Counts: TypeAlias = tuple[float, ...]
"""The numbers of folds, calls and raises in the first context, in the second one, and so on."""
_NO_COUNTS: Counts = (0.0,) * (_KINDS * CONTEXTS)
_NO_EVIDENCE: NDArray[np.float64] = np.zeros(len(SHARPNESSES))
_NO_EVIDENCE.setflags(write=False)


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """An action, its context, and the probabilities of a generic player to fold, call and raise there."""

    context: int
    kind: int
    expected: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Tendencies:
    """One player's actions so far. Observers of the same hands share them, because they never change."""

    observed: Counts = _NO_COUNTS
    expected: Counts = _NO_COUNTS
    evidence: NDArray[np.float64] = field(default_factory=lambda: _NO_EVIDENCE)
    """By sharpness, the log-likelihood of the holdings that the player showed."""
    actions: int = 0
    """The number of observed actions."""
    shown: int = 0
    """The number of shown holdings."""
    style: Style = GENERIC
    """The player's style: generic at first, specific as actions accumulate."""
    sharpness: float = GENERIC_SHARPNESS
    """The power to which the player's weights are raised."""
    next_style: int = 1
    """The number of actions at which the style is computed again: the more actions, the less often."""

    def after(self, actions: Iterable[ObservedAction]) -> "Tendencies":
        """The tendencies after further actions."""
        observed, expected = list(self.observed), list(self.expected)
        count, style, next_style = self.actions, self.style, self.next_style
        for action in actions:
            first = _KINDS * action.context
            observed[first + action.kind] += 1.0
            for kind, chance in enumerate(action.expected):
                expected[first + kind] += chance
            count += 1
            if count >= next_style:
                style, next_style = _style_of(observed, expected), _next_style(count)
        return replace(
            self,
            observed=tuple(observed),
            expected=tuple(expected),
            actions=count,
            style=style,
            next_style=next_style,
        )

    def after_shown(self, evidence: NDArray[np.float64]) -> "Tendencies":
        """The tendencies after a shown holding: its log-likelihood by sharpness."""
        total = self.evidence + evidence
        return replace(self, evidence=total, shown=self.shown + 1, sharpness=_sharpness_of(total))

    def __add__(self, other: "Tendencies") -> "Tendencies":
        """The tendencies with observations of the same player made elsewhere."""
        observed = tuple(map(add, self.observed, other.observed))
        expected = tuple(map(add, self.expected, other.expected))
        evidence = self.evidence + other.evidence
        actions, shown = self.actions + other.actions, self.shown + other.shown
        return Tendencies(
            observed,
            expected,
            evidence,
            actions,
            shown,
            _style_of(observed, expected) if actions else self.style,
            _sharpness_of(evidence) if shown else self.sharpness,
            _next_style(actions) if actions else self.next_style,
        )

    def to_json(self) -> dict[str, Any]:
        """The tendencies as plain data, for a session to be resumed."""
        return {
            "observed": _rows(self.observed),
            "expected": _rows(self.expected),
            "evidence": self.evidence.tolist(),
            "actions": self.actions,
            "shown": self.shown,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Tendencies":
        """The tendencies that `to_json` wrote."""
        shapes = {
            "observed": (CONTEXTS, _KINDS),
            "expected": (CONTEXTS, _KINDS),
            "evidence": (len(SHARPNESSES),),
        }
        arrays = {name: np.array(data[name], dtype=np.float64) for name in shapes}
        for name, shape in shapes.items():
            if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
                raise TendenciesError(
                    f"{name} of a player must have the shape {shape}, not {arrays[name].shape}"
                )
        observed, expected = (tuple(arrays[name].ravel().tolist()) for name in ("observed", "expected"))
        return cls() + cls(observed, expected, arrays["evidence"], int(data["actions"]), int(data["shown"]))


def _rows(counts: Counts) -> list[list[float]]:
    """The counts of each context."""
    return [list(counts[first : first + _KINDS]) for first in range(0, len(counts), _KINDS)]


def _next_style(actions: int) -> int:
    """It depends on the count alone, so that all observers of a player arrive at the same style."""
    return actions + 1 + actions // 10


def _sharpness_of(evidence: NDArray[np.float64]) -> float:
    beliefs = np.exp(_PRIOR_OF_SHARPNESS + evidence - evidence.max())
    return round(20.0 * float(beliefs @ SHARPNESSES / beliefs.sum())) / 20.0


def _style_of(observed: Sequence[float], expected: Sequence[float]) -> Style:
    """The style implied by counts."""
    looseness = [-each for each in _log_odds(observed, expected, FOLD)]
    return Style.rounded(looseness, _log_odds(observed, expected, RAISE))


def _log_odds(observed: Sequence[float], expected: Sequence[float], kind: int) -> list[float]:
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
