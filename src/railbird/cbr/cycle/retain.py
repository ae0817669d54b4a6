"""Retain: an episode becomes a case.

- `RetainAlways`: as a new case
- `RetainMerged`: into the case with the same description, if there is one (sartre-2012 §5.2.3)
- `RetainUnknown`: only if the cases that are similar enough do not mostly have the same solution
"""

from dataclasses import dataclass, replace

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.retrieve import Search
from railbird.cbr.cycle.reuse import MaxFrequency, count_votes
from railbird.cbr.similarity import Similarity


class RetentionError(ValueError):
    """An episode that cannot become a case."""


def _add(base: CaseBase, episode: Episode, merge: bool) -> Episode:
    if episode.solution is None:
        raise RetentionError("an episode without a solution cannot become a case")
    if episode.case is not None:
        raise RetentionError(f"the episode has already been retained as case {episode.case}")
    number = base.add(episode.target.description, episode.solution, episode.outcome, merge=merge)
    return replace(episode, case=number)


@dataclass(frozen=True, slots=True)
class RetainAlways:
    """Every episode is a new case."""

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its new case."""
        return _add(base, episode, merge=False)


@dataclass(frozen=True, slots=True)
class RetainMerged:
    """An episode with a known description is merged into its case."""

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with the case into which it was merged."""
        return _add(base, episode, merge=True)


@dataclass(frozen=True, slots=True)
class RetainUnknown:
    """An episode is a new case unless the cases above a threshold mostly have its solution."""

    similarity: Similarity
    threshold: float

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its new case, or without one."""
        found = Search(base, self.similarity, episode.target).above(self.threshold)
        strategy = MaxFrequency().strategy(base.schema.solutions, count_votes(base, found))
        if strategy is not None and strategy.best == episode.solution:
            return episode
        return _add(base, episode, merge=False)
