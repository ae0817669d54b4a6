"""One problem on its way through the four phases.

A phase is called with a case base and an episode and returns the episode one step further. `retrieve`, `reuse`,
`revise` and `retain` all have this signature, so that phases can be exchanged, wrapped and chained.

A search among 100,000 cases takes no longer than creating twenty frozen dataclass objects, so `Retrieved` and `Episode`
set their fields directly, which takes half the time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase
from railbird.cbr.schema import SchemaError
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Retrieved:
    """The cases found, most similar first; equally similar ones in the order in which they were added."""

    similarity: Similarity
    rows: NDArray[np.int64]
    similarities: NDArray[np.float64]
    met: bool = True
    """Whether they meet the criterion, rather than being merely the best available."""

    def __init__(
        self,
        similarity: Similarity,
        rows: NDArray[np.int64],
        similarities: NDArray[np.float64],
        met: bool = True,
    ) -> None:
        _set_similarity(self, similarity)
        _set_rows(self, rows)
        _set_similarities(self, similarities)
        _set_met(self, met)

    def __len__(self) -> int:
        return len(self.rows)


_set_similarity, _set_rows, _set_similarities, _set_met = (
    getattr(Retrieved, field.name).__set__ for field in fields(Retrieved)
)


@dataclass(frozen=True, slots=True)
class Strategy:
    """The probability of every solution, with its votes and outcomes; all in the order of the schema."""

    solutions: tuple[str, ...]
    probabilities: tuple[float, ...]
    votes: tuple[float, ...] = ()
    """The number of decisions for each solution, weighted by similarity if so configured."""
    outcomes: tuple[float | None, ...] = ()
    """The worth of each solution to a policy that uses outcomes; None if no outcome is known."""

    @property
    def best(self) -> str:
        """The most probable solution; the first of equally probable ones."""
        return self.solutions[self.probabilities.index(max(self.probabilities))]

    def draw(self, generator: np.random.Generator) -> str:
        """A solution drawn by its probability."""
        return self.solutions[int(generator.choice(len(self.solutions), p=self.probabilities))]

    def as_mapping(self) -> Mapping[str, float]:
        """Probabilities by solution."""
        return dict(zip(self.solutions, self.probabilities, strict=True))


@dataclass(frozen=True, slots=True, init=False)
class Episode:
    """A problem, and the results of the phases so far."""

    target: Target
    retrieved: Retrieved | None = None
    strategy: Strategy | None = None
    solution: str | None = None
    """The solution actually carried out, set by the caller."""
    outcome: float | None = None
    case: int | None = None
    """The number of the case that this episode became."""

    def __init__(
        self,
        target: Target,
        retrieved: Retrieved | None = None,
        strategy: Strategy | None = None,
        solution: str | None = None,
        outcome: float | None = None,
        case: int | None = None,
    ) -> None:
        _set_target(self, target)
        _set_retrieved(self, retrieved)
        _set_strategy(self, strategy)
        _set_solution(self, solution)
        _set_outcome(self, outcome)
        _set_case(self, case)

    def solved_by(self, solution: str) -> "Episode":
        """The episode with the solution that was carried out."""
        self.target.schema.solution_place(solution)
        return replace(self, solution=solution)

    def ended(self, outcome: float) -> "Episode":
        """The episode with its known outcome."""
        if self.solution is None:
            raise SchemaError("an episode without a solution has no outcome")
        return replace(self, outcome=outcome)


_set_target, _set_retrieved, _set_strategy, _set_solution, _set_outcome, _set_case = (
    getattr(Episode, field.name).__set__ for field in fields(Episode)
)


class Phase(Protocol):
    """One step of the cycle."""

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode one step further."""
        ...
