"""Reuse: from the retrieved cases to a strategy over solutions.

- `Probabilistic`: each solution with its frequency in the cases (casper-2007 §6; sartre-2012 §5.2.5)
- `MaxFrequency`: the most frequent solution (sartre-2012 §5.2.5), also called majority vote (baycarp-2011 §6.2.1)
- `BestOutcome`: the solution with the best mean outcome (sartre-2012 §5.2.5)
- `BestSumOfOutcomes`: the solution with the largest sum of outcomes (baycarp-2011 §5.4.4)
- `Among`: any of these, counting only votes for solutions that are possible in this problem
- `Otherwise`: one policy, and another if the first gives no strategy; `Always` as such a default (sartre-2012 §5.2.2)

With `weighted`, every decision is weighted by the similarity of its case. Similarities are rounded to multiples of
2⁻³², so that their sums are exact and single and merged cases give the same result. Ties go to the first solution in
the schema.
"""

from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Phase, Retrieved, Strategy

_STEPS = 2.0**32
_MOST_CHOICES = 256
"""Maximum number of cached selections of solutions."""


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """The decisions, known outcomes and their sums of the retrieved cases, by solution; weighted on request.

    The votes on many problems are rows of these arrays.
    """

    counts: NDArray[np.float64]
    known: NDArray[np.float64]
    sums: NDArray[np.float64]


class ReuseError(ValueError):
    """A strategy that cannot be made."""


def counted_as(similarity: float) -> float:
    """The weight of one decision of a case with this similarity, if votes are weighted."""
    return round(similarity * _STEPS) / _STEPS


def count_votes(base: CaseBase, retrieved: Retrieved, weighted: bool = False) -> Votes:
    """Add up the decisions of the retrieved cases."""
    rows = retrieved.rows
    # `take` is several times as fast as indexing by rows.
    counts, known, sums = (each.take(rows, axis=0) for each in (base.counts, base.known, base.sums))
    if not weighted:
        return Votes(counts.sum(axis=0) * 1.0, known.sum(axis=0) * 1.0, sums.sum(axis=0))
    steps = np.rint(retrieved.similarities * _STEPS).astype(np.int64)
    return Votes(
        steps @ counts / _STEPS, steps @ known / _STEPS, (sums * retrieved.similarities[:, None]).sum(axis=0)
    )


class VotePolicy(Protocol):
    """From votes to probabilities."""

    @property
    def weighted(self) -> bool:
        """Whether similarities count."""
        ...

    @property
    def counts_suffice(self) -> bool:
        """Whether the number of decisions for each solution is all that matters of the votes."""
        ...

    def chances(self, solutions: tuple[str, ...], votes: Votes) -> NDArray[np.float64]:
        """The probabilities of the solutions, a row for each row of the votes; NaN where the votes say nothing."""
        ...

    def strategy(self, solutions: tuple[str, ...], votes: Votes) -> Strategy | None:
        """The strategy, or None if there is none for these votes."""
        ...


def _retrieved(episode: Episode) -> Retrieved:
    if episode.retrieved is None:
        raise ReuseError("there are no retrieved cases to reuse: call retrieve first")
    return episode.retrieved


def _reuse(policy: VotePolicy, base: CaseBase, episode: Episode) -> Episode:
    votes = count_votes(base, _retrieved(episode), policy.weighted)
    return replace(episode, strategy=policy.strategy(base.schema.solutions, votes))


def _strategy(
    solutions: tuple[str, ...],
    votes: Votes,
    chances: NDArray[np.float64],
    outcomes: tuple[float | None, ...] = (),
) -> Strategy | None:
    if np.isnan(chances).any():
        return None
    return Strategy(solutions, tuple(chances.tolist()), tuple(votes.counts.tolist()), outcomes)


def _chosen(worth: NDArray[np.float64], speaks: NDArray[np.bool_] | np.bool_) -> NDArray[np.float64]:
    """The solution of the highest worth for certain, the first of several; NaN where nothing is said."""
    chosen = np.arange(worth.shape[-1]) == worth.argmax(axis=-1, keepdims=True)
    return np.where(speaks, chosen, np.nan)


@cache
def _pure(chosen: int, count: int) -> tuple[float, ...]:
    return tuple(1.0 if place == chosen else 0.0 for place in range(count))


@dataclass(frozen=True, slots=True)
class Probabilistic:
    """Every solution with the probability of its frequency in the cases."""

    weighted: bool = False

    @property
    def counts_suffice(self) -> bool:
        """Unless similarities count."""
        return not self.weighted

    def chances(self, solutions: tuple[str, ...], votes: Votes) -> NDArray[np.float64]:  # noqa: ARG002
        """The shares of the votes."""
        total = votes.counts.sum(axis=-1, keepdims=True)
        shares = np.full(votes.counts.shape, np.nan)
        np.divide(votes.counts, total, out=shares, where=total > 0)
        return shares

    def strategy(self, solutions: tuple[str, ...], votes: Votes) -> Strategy | None:
        """The shares of the votes."""
        return _strategy(solutions, votes, self.chances(solutions, votes))

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy."""
        return _reuse(self, base, episode)


@dataclass(frozen=True, slots=True)
class MaxFrequency:
    """The most frequent solution."""

    weighted: bool = False

    @property
    def counts_suffice(self) -> bool:
        """Unless similarities count."""
        return not self.weighted

    def chances(self, solutions: tuple[str, ...], votes: Votes) -> NDArray[np.float64]:  # noqa: ARG002
        """The solution with the most votes."""
        return _chosen(votes.counts, votes.counts.sum(axis=-1, keepdims=True) > 0)

    def strategy(self, solutions: tuple[str, ...], votes: Votes) -> Strategy | None:
        """The solution with the most votes."""
        return _strategy(solutions, votes, self.chances(solutions, votes))

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy."""
        return _reuse(self, base, episode)


@dataclass(frozen=True, slots=True)
class BestOutcome:
    """The solution with the best mean outcome; solutions without a known outcome are excluded."""

    weighted: bool = False

    @property
    def counts_suffice(self) -> bool:
        """Outcomes matter."""
        return False

    def chances(self, solutions: tuple[str, ...], votes: Votes) -> NDArray[np.float64]:  # noqa: ARG002
        """The solution with the highest mean."""
        return _best(_means(votes))

    def strategy(self, solutions: tuple[str, ...], votes: Votes) -> Strategy | None:
        """The solution with the highest mean."""
        worth = _means(votes)
        return _strategy(solutions, votes, _best(worth), _outcomes(votes, worth))

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy."""
        return _reuse(self, base, episode)


@dataclass(frozen=True, slots=True)
class BestSumOfOutcomes:
    """The solution with the highest sum of outcomes; solutions without a known outcome are excluded."""

    weighted: bool = False

    @property
    def counts_suffice(self) -> bool:
        """Outcomes matter."""
        return False

    def chances(self, solutions: tuple[str, ...], votes: Votes) -> NDArray[np.float64]:  # noqa: ARG002
        """The solution with the highest sum."""
        return _best(_known_sums(votes))

    def strategy(self, solutions: tuple[str, ...], votes: Votes) -> Strategy | None:
        """The solution with the highest sum."""
        worth = _known_sums(votes)
        return _strategy(solutions, votes, _best(worth), _outcomes(votes, worth))

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy."""
        return _reuse(self, base, episode)


def _means(votes: Votes) -> NDArray[np.float64]:
    """The mean outcomes; -inf where none is known."""
    means = np.full(votes.sums.shape, -np.inf)
    np.divide(votes.sums, votes.known, out=means, where=votes.known > 0)
    return means


def _known_sums(votes: Votes) -> NDArray[np.float64]:
    """The sums of outcomes; -inf where none is known."""
    return np.where(votes.known > 0, votes.sums, -np.inf)


def _best(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    return _chosen(worth, np.isfinite(worth).any(axis=-1, keepdims=True))


def _outcomes(votes: Votes, worth: NDArray[np.float64]) -> tuple[float | None, ...]:
    return tuple(
        value if known else None for value, known in zip(worth.tolist(), votes.known > 0, strict=True)
    )


@lru_cache(maxsize=_MOST_CHOICES)
def _possible(solutions: tuple[str, ...], chosen: frozenset[str]) -> NDArray[np.bool_]:
    """Whether each solution is among the selected ones."""
    found = np.array([solution in chosen for solution in solutions])
    found.setflags(write=False)
    return found


@dataclass(frozen=True, slots=True)
class Among:
    """A policy that counts only the votes for solutions that are possible in this problem."""

    policy: VotePolicy
    solutions: frozenset[str]

    @property
    def weighted(self) -> bool:
        """Whether similarities count."""
        return self.policy.weighted

    @property
    def counts_suffice(self) -> bool:
        """Whether they suffice for the policy."""
        return self.policy.counts_suffice

    def chances(self, solutions: tuple[str, ...], votes: Votes) -> NDArray[np.float64]:
        """The policy's probabilities for the votes that count."""
        return self.policy.chances(solutions, self._heard(solutions, votes))

    def strategy(self, solutions: tuple[str, ...], votes: Votes) -> Strategy | None:
        """The policy's strategy for the votes that count."""
        return self.policy.strategy(solutions, self._heard(solutions, votes))

    def _heard(self, solutions: tuple[str, ...], votes: Votes) -> Votes:
        possible = _possible(solutions, self.solutions)
        return Votes(votes.counts * possible, votes.known * possible, np.where(possible, votes.sums, 0.0))

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy."""
        return _reuse(self, base, episode)


@dataclass(frozen=True, slots=True)
class Always:
    """One solution, regardless of the cases."""

    solution: str

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy."""
        solutions = base.schema.solutions
        chosen = base.schema.solution_place(self.solution)
        return replace(episode, strategy=Strategy(solutions, _pure(chosen, len(solutions))))


@dataclass(frozen=True, slots=True)
class Otherwise:
    """A policy, and a second one for when the first has no strategy."""

    first: Phase
    second: Phase

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy."""
        reused = self.first(base, episode)
        return reused if reused.strategy is not None else self.second(base, episode)
