"""Maintenance of a case base: redundancy, coverage, deletion, and how well cases predict each other.

A case's *main solution* is its most frequent one; ties go to the first in the schema.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.cycle.retrieve import NOBODY, Policy, Search
from railbird.cbr.cycle.reuse import VotePolicy, Votes, count_votes, counted_as
from railbird.cbr.similarity import Similarity

Keep: TypeAlias = Callable[[CaseBase], NDArray[np.bool_]]
"""A deletion policy: states for every case whether it is kept."""


@dataclass(frozen=True, slots=True)
class Redundancy:
    """The redundancy of a case base (sartre-2012, table 2: 1,000,038 single cases, 95,152 merged ones)."""

    cases: int
    decisions: int
    situations: int
    """Different descriptions: the cases that would remain if equal ones were merged."""
    repeated: int
    """Decisions for the same solution as an earlier decision in the same situation."""
    conflicting: int
    """Situations in which different solutions were chosen."""


def redundancy(base: CaseBase) -> Redundancy:
    """Count redundant and contradictory decisions of a case base."""
    firsts, places = np.unique(base.situations(), return_inverse=True)
    counts = np.zeros((len(firsts), len(base.schema.solutions)), dtype=np.int64)
    np.add.at(counts, places, base.counts)
    kinds = (counts > 0).sum(axis=1)
    return Redundancy(
        cases=len(base),
        decisions=base.decisions,
        situations=len(firsts),
        repeated=base.decisions - int(kinds.sum()),
        conflicting=int((kinds > 1).sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """For every case, the number of other cases above a threshold with the same main solution, and with another one."""

    threshold: float
    agreeing: NDArray[np.int64]
    contradicting: NDArray[np.int64]

    @property
    def covered(self) -> float:
        """The share of cases that the other cases would solve correctly."""
        return float((self.agreeing > 0).mean()) if len(self.agreeing) else 0.0

    @property
    def isolated(self) -> NDArray[np.int64]:
        """The cases without any similar case."""
        return np.flatnonzero(self.agreeing + self.contradicting == 0)


def main_solutions(base: CaseBase) -> NDArray[np.int64]:
    """The place of every case's main solution."""
    main: NDArray[np.int64] = base.counts.argmax(axis=1)
    return main


def coverage(base: CaseBase, similarity: Similarity, threshold: float) -> Coverage:
    """Compare every case with all others."""
    solutions = main_solutions(base)
    agreeing, contradicting = np.zeros(len(base), np.int64), np.zeros(len(base), np.int64)
    for row in range(len(base)):
        found = Search(base, similarity, base.target(row), without=row).above(threshold)
        agreeing[row] = int((solutions[found.rows] == solutions[row]).sum())
        contradicting[row] = len(found) - agreeing[row]
    return Coverage(threshold, agreeing, contradicting)


def forget(base: CaseBase, keep: Keep) -> CaseBase:
    """A case base of the cases that a deletion policy keeps, in the same order."""
    return base.select(keep(base))


def _require_some(count: int) -> None:
    if count < 1:
        raise CaseBaseError(f"a deletion policy must keep at least one case, not {count}")


@dataclass(frozen=True, slots=True)
class KeepNewest:
    """Keep only the most recent cases, up to a number."""

    count: int

    def __post_init__(self) -> None:
        _require_some(self.count)

    def __call__(self, base: CaseBase) -> NDArray[np.bool_]:
        """Whether each case is among the last."""
        return np.arange(len(base)) >= len(base) - self.count


@dataclass(frozen=True, slots=True)
class KeepUnrepeated:
    """Keep the first cases with the same description and main solution, up to a number."""

    most: int = 1

    def __post_init__(self) -> None:
        _require_some(self.most)

    def __call__(self, base: CaseBase) -> NDArray[np.bool_]:
        """Whether each case is among the first of its kind."""
        seen: dict[tuple[int, int], int] = {}
        kept = np.zeros(len(base), dtype=np.bool_)
        for row, kind in enumerate(
            zip(base.situations().tolist(), main_solutions(base).tolist(), strict=True)
        ):
            seen[kind] = seen.get(kind, 0) + 1
            kept[row] = seen[kind] <= self.most
        return kept


@dataclass(frozen=True, slots=True)
class KeepUncovered:
    """Keep cases not covered by an earlier kept one: one above the threshold with the same main solution."""

    similarity: Similarity
    threshold: float

    def __call__(self, base: CaseBase) -> NDArray[np.bool_]:
        """Whether each case is not covered by a kept one."""
        solutions = main_solutions(base)
        kept = np.zeros(len(base), dtype=np.bool_)
        for row in range(len(base)):
            found = Search(base, self.similarity, base.target(row), without=row).above(self.threshold).rows
            earlier = found[kept[found]]
            kept[row] = not (solutions[earlier] == solutions[row]).any()
        return kept


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well the cases predict each other, decision by decision."""

    decisions: int
    correct: int
    """Decisions for the most probable solution by the other cases."""
    probability: float
    """The mean of the probabilities that the other cases gave to the actual solution."""
    unsolved: int
    """Decisions for which the other cases gave no strategy."""

    @property
    def share(self) -> float:
        """The share of correct decisions."""
        return self.correct / self.decisions if self.decisions else 0.0


def leave_one_out(
    base: CaseBase,
    similarity: Similarity,
    policy: Policy,
    reuse: VotePolicy,
    rows: Iterable[int] | None = None,
) -> Accuracy:
    """Predict every decision of these cases, or of all, from all other decisions.

    One decision of a merged case is left out at a time; its outcome is assumed to be the mean of its kind.
    """
    decisions = correct = unsolved = 0
    probability = 0.0
    for row in range(len(base)) if rows is None else rows:
        counts = base.counts[row]
        alone = counts.sum() == 1
        search = Search(base, similarity, base.target(row), without=row if alone else NOBODY)
        found = policy(search)
        votes = count_votes(base, found, reuse.weighted)
        own = np.flatnonzero(found.rows == row)
        part = float(len(own))
        if reuse.weighted and len(own):
            part = counted_as(float(found.similarities[own[0]]))
        for solution in np.flatnonzero(counts).tolist():
            count = int(counts[solution])
            strategy = reuse.strategy(base.schema.solutions, _without_one(base, row, solution, votes, part))
            decisions += count
            if strategy is None:
                unsolved += count
                continue
            correct += count * (strategy.best == base.schema.solutions[solution])
            probability += count * strategy.probabilities[solution]
    return Accuracy(decisions, correct, probability / decisions if decisions else 0.0, unsolved)


def _without_one(base: CaseBase, row: int, solution: int, votes: Votes, part: float) -> Votes:
    """The votes without one decision of a case, which had the weight `part`."""
    counts, known, sums = votes.counts.copy(), votes.known.copy(), votes.sums.copy()
    counts[solution] -= part
    share = float(base.known[row, solution] / base.counts[row, solution])
    known[solution] -= part * share
    sums[solution] -= part * float(base.sums[row, solution] / base.counts[row, solution])
    return Votes(counts, known, sums)
