"""One problem on its way through the four phases.

A phase is called with a case base and an episode and returns the episode one step further; that is the one signature
of `retrieve`, `reuse`, `revise` and `retain`, so that phases can be exchanged, wrapped and put in a row.

A search among 100,000 cases takes no longer than making twenty frozen objects in the usual way, so `Retrieved` and
`Episode` write their fields themselves, which takes half the time.
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
    """The cases that were found, most similar first; of equally similar ones those that came earlier."""

    similarity: Similarity
    rows: NDArray[np.int64]
    similarities: NDArray[np.float64]
    met: bool = True
    """Whether they are what was asked for, rather than the best there is."""

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
    """How probable every solution is, and the votes and outcomes that say so; all in the order of the schema."""

    solutions: tuple[str, ...]
    probabilities: tuple[float, ...]
    votes: tuple[float, ...] = ()
    """How many decisions, or similarities where these count, stand for each solution."""
    outcomes: tuple[float | None, ...] = ()
    """What each solution is worth to a policy that goes by outcomes; unknown where no outcome is."""

    @property
    def best(self) -> str:
        """The most probable solution; of equally probable ones the first."""
        return self.solutions[self.probabilities.index(max(self.probabilities))]

    def draw(self, generator: np.random.Generator) -> str:
        """A solution, as probable as stated."""
        return self.solutions[int(generator.choice(len(self.solutions), p=self.probabilities))]

    def as_mapping(self) -> Mapping[str, float]:
        """Probabilities by solution."""
        return dict(zip(self.solutions, self.probabilities, strict=True))


@dataclass(frozen=True, slots=True, init=False)
class Episode:
    """A problem, and what the phases have found out so far."""

    target: Target
    retrieved: Retrieved | None = None
    strategy: Strategy | None = None
    solution: str | None = None
    """What was done, which only who acts can say."""
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
        """The episode in which this was done."""
        self.target.schema.solution_place(solution)
        return replace(self, solution=solution)

    def ended(self, outcome: float) -> "Episode":
        """The episode whose outcome is known."""
        if self.solution is None:
            raise SchemaError("an episode in which nothing was done has no outcome")
        return replace(self, outcome=outcome)


_set_target, _set_retrieved, _set_strategy, _set_solution, _set_outcome, _set_case = (
    getattr(Episode, field.name).__set__ for field in fields(Episode)
)


class Phase(Protocol):
    """One step of the cycle."""

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode one step further."""
        ...
