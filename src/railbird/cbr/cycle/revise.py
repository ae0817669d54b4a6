"""Revise: the value of an outcome, before it is retained.

The observed outcome may be luck. A domain with more knowledge provides a judge, which sees the whole episode
(baycarp-2011 §5.4.5 judges by expected value); one that keeps the outcome unchanged uses `AsObserved`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode


class RevisionError(ValueError):
    """An invalid judgement."""


@dataclass(frozen=True, slots=True)
class AsObserved:
    """The observed outcome."""

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:  # noqa: ARG002
        """The same episode."""
        return episode


@dataclass(frozen=True, slots=True)
class Judged:
    """The outcome that a judge assigns to an episode; None leaves it unknown."""

    judge: Callable[[Episode], float | None]

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:  # noqa: ARG002
        """The episode with the judged outcome."""
        outcome = self.judge(episode)
        if outcome is not None and not isfinite(outcome):
            raise RevisionError(f"an outcome must be a finite number or unknown, not {outcome}")
        return replace(episode, outcome=outcome)


@dataclass(frozen=True, slots=True)
class Repaired:
    """The correct solution, if an expert knows it; its outcome is then unknown."""

    expert: Callable[[Episode], str | None]

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with the better solution."""
        better = self.expert(episode)
        if better is None or better == episode.solution:
            return episode
        base.schema.solution_place(better)
        return replace(episode, solution=better, outcome=None)


def revised(base: CaseBase, outcomes: ArrayLike) -> CaseBase:
    """The same cases, one decision each, with other outcomes."""
    worth = np.asarray(outcomes, dtype=np.float64)
    if not base.is_single:
        raise RevisionError("merged cases have no single outcome to revise")
    if worth.shape != (len(base),) or not np.isfinite(worth).all():
        raise RevisionError(f"expected {len(base):,} finite outcomes, got an array of shape {worth.shape}")
    return CaseBase.of_arrays(
        base.schema,
        base.values,
        base.counts,
        base.counts.copy(),
        base.counts * worth[:, None],
        base.vocabularies(),
    )
