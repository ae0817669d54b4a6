"""Many problems at once that differ in some numbers only.

Problems with equal numbers are solved once, and symbols are compared once for all problems. Where the decisions in
cases above a threshold are all that matters, they are counted for all problems together, without listing the cases.
Otherwise cases are searched and votes counted together. The probabilities of each problem are those that retrieve and
reuse would find for it alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Retrieved
from railbird.cbr.cycle.retrieve import Policy, Retrieve, Search
from railbird.cbr.cycle.reuse import VotePolicy, Votes, count_votes
from railbird.cbr.target import Target

_COUNTED_TOGETHER = 256
"""Number of problems whose votes are counted together: the votes of more would not fit into the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Problems:
    """A problem, and the numbers in which others differ from it: for each such attribute, a value per problem."""

    target: Target
    varying: Mapping[str, NDArray[np.float64]]

    def __post_init__(self) -> None:
        for least_or_most in (np.min, np.max):
            numbers = {name: float(least_or_most(values)) for name, values in self.varying.items()}
            self.target.schema.require({**self.target.description, **numbers})

    def distinct(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The numbers of all different problems in the order of the schema, and which of them each problem is."""
        values = np.column_stack(list(self.varying.values()))
        rows, which = np.unique(values, axis=0, return_inverse=True)
        numbers = np.tile(self.target.numbers, (len(rows), 1))
        numbers[:, [self.target.schema.places[name] for name in self.varying]] = rows
        return numbers, which.reshape(-1)


def solve_many(
    retrieve: Retrieve, policy: VotePolicy, base: CaseBase, problems: Problems, otherwise: Sequence[float]
) -> NDArray[np.float64]:
    """The probabilities of the solutions, a row for every problem: `otherwise` if the cases give none."""
    numbers, which = problems.distinct()
    search = Search(base, retrieve.similarity, problems.target)
    chances = _tallied(retrieve.policy, policy, search, numbers)
    if chances is None:
        chances = _listed(retrieve.policy, policy, search, numbers)
    return np.where(np.isnan(chances), otherwise, chances)[which]


def _tallied(
    retrieval: Policy, policy: VotePolicy, search: Search, numbers: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """The probabilities by counts of decisions alone; None if they need more, or the cases must be listed."""
    counts = retrieval.tally(search, numbers) if policy.counts_suffice else None
    if counts is None:
        return None
    nothing = np.zeros(counts.shape)
    return policy.chances(search.base.schema.solutions, Votes(counts.astype(np.float64), nothing, nothing))


def _listed(
    retrieval: Policy, policy: VotePolicy, search: Search, numbers: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The probabilities by all that is known of the cases of each problem."""
    base, found = search.base, retrieval.many(search, numbers)
    parts = []
    while some := list(islice(found, _COUNTED_TOGETHER)):
        parts.append(policy.chances(base.schema.solutions, _votes(base, some, policy.weighted)))
    return np.concatenate(parts)


def _votes(base: CaseBase, found: Sequence[Retrieved], weighted: bool) -> Votes:
    """`count_votes` for many problems."""
    if weighted:
        votes = [count_votes(base, each, weighted) for each in found]
        return Votes(*(np.array([getattr(each, name) for each in votes]) for name in Votes.__slots__))
    rows = np.concatenate([each.rows for each in found])
    lengths = np.array([len(each) for each in found])
    heard = np.flatnonzero(lengths)
    starts = np.cumsum(lengths[heard]) - lengths[heard]
    counts, known, sums = (np.zeros((len(found), len(base.schema.solutions))) for _ in range(3))
    for added, each in ((counts, base.counts), (known, base.known), (sums, base.sums)):
        added[heard] = np.add.reduceat(each.take(rows, axis=0), starts, axis=0)
    return Votes(counts, known, sums)
