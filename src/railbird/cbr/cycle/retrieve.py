"""Retrieve: the cases with which a problem is compared; always exact, in a fixed order.

- `AtLeast`: every case above a threshold (baycarp-2011 §5.4.3)
- `Nearest`: the k most similar; with k = 1 the nearest neighbour (sartre-2012 §5.2.4)
- `AtLeastElseNearest`: above a threshold, and if there is none the best k (casper-2007 §6: 97 %, else the top 20)

"At least" includes the threshold. The unit of k is one of: *cases*, as they are in the case base; *situations*, that is
different descriptions with all their decisions; or *decisions*, which takes as many whole situations as together hold
k decisions. Thresholds, situations and decisions mean the same for single and merged cases.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import repeat
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved
from railbird.cbr.cycle.index import Index
from railbird.cbr.measure import Sought
from railbird.cbr.similarity import Similarity, SimilarityError
from railbird.cbr.target import Target
from railbird.kernels.cases.tallies import Tallied

NOBODY = -1
_ROUNDING = 1e-9
"""By how much two ways to add up the same similarities can differ, and more."""
FEWEST_TALLIED = 16
"""Minimum number of problems whose decisions are counted without listing cases: for fewer, this takes longer."""
_NO_ROWS: NDArray[np.int64] = np.empty(0, dtype=np.int64)
_NO_SIMILARITIES: NDArray[np.float64] = np.empty(0)


class Unit(Enum):
    """The unit of k in "the k most similar"."""

    CASES = "cases"
    SITUATIONS = "situations"
    DECISIONS = "decisions"


class Search:
    """The search for one problem in one case base; `without` excludes a case."""

    __slots__ = ("_index", "_similarity", "_sought", "base", "without")

    def __init__(self, base: CaseBase, similarity: Similarity, target: Target, without: int = NOBODY) -> None:
        self.base, self.without = base, without
        measure = base.measure(similarity)
        self._similarity = similarity
        self._index: Index = base.index(measure)
        self._sought: Sought = measure.sought(target)

    def of(self, numbers: NDArray[np.float64]) -> "Search":
        """The search for a problem with other numbers, in the order of the schema, and the same symbols."""
        search = object.__new__(Search)
        search.base, search.without = self.base, self.without
        search._similarity, search._index = self._similarity, self._index
        search._sought = Sought(numbers, self._sought.measure, self._sought.symbols)
        return search

    def above(self, threshold: float) -> Retrieved:
        """All cases whose similarity is the threshold or more."""
        return Retrieved(self._similarity, *self._index.above(threshold, self._sought, self.without))

    def many_above(self, threshold: float, numbers: NDArray[np.float64]) -> Iterator[Retrieved]:
        """All cases at least so similar, for many problems that differ in their numbers: a row for each."""
        assert self.without == NOBODY
        if self._sought.greatest < threshold - _ROUNDING:
            return repeat(Retrieved(self._similarity, _NO_ROWS, _NO_SIMILARITIES), len(numbers))
        found = self._index.many_above(threshold, numbers, self._sought)
        return (Retrieved(self._similarity, *each) for each in found)

    def tally_above(self, threshold: float, numbers: NDArray[np.float64]) -> Tallied | None:
        """The decisions in all cases at least so similar, for many problems; None if the cases must be listed."""
        assert self.without == NOBODY
        if len(numbers) < FEWEST_TALLIED or self._sought.greatest < threshold - _ROUNDING:
            return None
        return self._index.count_above(threshold, numbers, self._sought, (self.base.counts, self.base.chosen))

    def nearest(self, k: int) -> Retrieved:
        """The k most similar cases."""
        return Retrieved(self._similarity, *self._index.nearest(k, self._sought, self.without))

    def nearest_situations(self, k: int, unit: Unit) -> Retrieved:
        """All cases of the most similar situations: of k situations, or of as many as hold k decisions."""
        first_of = self.base.situations()
        asked = k
        while True:
            some = self.nearest(asked)
            last = self._last_needed(some, first_of, k, unit)
            if last is not None or len(some) < asked:
                break
            asked *= 4
        if last is None:
            last = len(some) - 1
        if last < 0:
            return some
        everything = self.above(float(some.similarities[last]))
        order = np.lexsort((everything.rows, first_of[everything.rows], -everything.similarities))
        rows, similarities = everything.rows[order], everything.similarities[order]
        heads = np.flatnonzero(np.diff(first_of[rows], prepend=-1))
        if unit is Unit.SITUATIONS:
            end = int(heads[k]) if len(heads) > k else len(rows)
        else:
            held = np.cumsum(self.base.counts[rows].sum(axis=1))
            enough = int(np.searchsorted(held, k))
            later = heads[heads > enough]
            end = int(later[0]) if len(later) else len(rows)
        return replace(everything, rows=rows[:end], similarities=similarities[:end])

    def _last_needed(self, some: Retrieved, first_of: NDArray[np.int64], k: int, unit: Unit) -> int | None:
        """Which of the most similar cases completes the count; None if none does."""
        if unit is Unit.SITUATIONS:
            _, firsts = np.unique(first_of[some.rows], return_index=True)
            return int(np.sort(firsts)[k - 1]) if len(firsts) >= k else None
        held = np.cumsum(self.base.counts[some.rows].sum(axis=1))
        place = int(np.searchsorted(held, k))
        return place if place < len(held) else None


class Policy(Protocol):
    """A policy that selects the cases of a search."""

    @abstractmethod
    def __call__(self, search: Search) -> Retrieved:
        """The cases, most similar first."""
        ...

    def many(self, search: Search, numbers: NDArray[np.float64]) -> Iterator[Retrieved]:
        """The cases of many problems that differ from the one of the search in their numbers: a row for each."""
        return (self(search.of(row)) for row in numbers)

    def tally(self, search: Search, numbers: NDArray[np.float64]) -> NDArray[np.int64] | None:  # noqa: ARG002
        """The decisions in the cases of `many` by solution, a row for each problem; None if cases must be listed."""
        return None


def _require_threshold(threshold: float) -> None:
    if not 0.0 <= threshold <= 1.0:
        raise SimilarityError(f"a threshold must be a similarity between 0 and 1, not {threshold}")


def _require_count(k: int) -> None:
    if k < 1:
        raise SimilarityError(f"at least one case must be retrieved, not {k}")


@dataclass(frozen=True, slots=True)
class AtLeast(Policy):
    """All cases whose similarity is the threshold or more."""

    threshold: float

    def __post_init__(self) -> None:
        _require_threshold(self.threshold)

    def __call__(self, search: Search) -> Retrieved:
        """The cases, most similar first."""
        return search.above(self.threshold)

    def many(self, search: Search, numbers: NDArray[np.float64]) -> Iterator[Retrieved]:
        """The cases of many problems, searched together."""
        return search.many_above(self.threshold, numbers)

    def tally(self, search: Search, numbers: NDArray[np.float64]) -> NDArray[np.int64] | None:
        """The decisions in the cases of many problems."""
        tallied = search.tally_above(self.threshold, numbers)
        return None if tallied is None else tallied[0]


@dataclass(frozen=True, slots=True)
class Nearest(Policy):
    """The k most similar cases, situations or decisions."""

    k: int = 1
    unit: Unit = Unit.CASES

    def __post_init__(self) -> None:
        _require_count(self.k)

    def __call__(self, search: Search) -> Retrieved:
        """The cases, most similar first."""
        if self.unit is Unit.CASES:
            return search.nearest(self.k)
        return search.nearest_situations(self.k, self.unit)


@dataclass(frozen=True, slots=True)
class AtLeastElseNearest(Policy):
    """All cases whose similarity is the threshold or more; if there is none, the k most similar."""

    threshold: float
    k: int
    unit: Unit = Unit.CASES

    def __post_init__(self) -> None:
        _require_threshold(self.threshold)
        _require_count(self.k)

    def __call__(self, search: Search) -> Retrieved:
        """The cases, most similar first."""
        found = search.above(self.threshold)
        return found if len(found) else self._nearest(search)

    def many(self, search: Search, numbers: NDArray[np.float64]) -> Iterator[Retrieved]:
        """The cases of many problems; those above the threshold are searched together."""
        for each, row in zip(search.many_above(self.threshold, numbers), numbers, strict=True):
            yield each if len(each) else self._nearest(search.of(row))

    def tally(self, search: Search, numbers: NDArray[np.float64]) -> NDArray[np.int64] | None:
        """The decisions in the cases of many problems; the most similar ones are searched one by one."""
        tallied = search.tally_above(self.threshold, numbers)
        if tallied is None:
            return None
        votes, found = tallied
        for problem in np.flatnonzero(found == 0).tolist():
            nearest = self._nearest(search.of(numbers[problem]))
            votes[problem] = search.base.counts.take(nearest.rows, axis=0).sum(axis=0)
        return votes

    def _nearest(self, search: Search) -> Retrieved:
        return replace(Nearest(self.k, self.unit)(search), met=False)


@dataclass(frozen=True, slots=True)
class Retrieve:
    """The first phase: a similarity and a policy."""

    similarity: Similarity
    policy: Policy

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its cases."""
        found = self.policy(Search(base, self.similarity, episode.target))
        # The same as `replace`, which would take a tenth of the whole search.
        return Episode(
            episode.target, found, episode.strategy, episode.solution, episode.outcome, episode.case
        )
