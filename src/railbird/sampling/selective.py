"""Selective sampling (loki-1999, figure 3): where information is missing, draw it, try every move, and repeat.

There is no poker in this module. A decision is searched in these steps:

1. Draw what is hidden, in proportion to how likely it is, which gives a position with nothing hidden.
2. Try each move in that same position: play on to the end, everyone acting by a policy, and note what it came to.
3. Repeat until the trials are used up, or the best move is obvious (`Obvious`).
4. Choose by the mean outcomes (`strategy`).

The first two steps belong to the game. Its trials come as rows of outcomes, one column for each move (`Trials`). All
moves of a row met the same hidden information and the same luck, so what differs between two columns is the moves: the
error of a difference is that of paired outcomes, which is smaller than those of the two means suggest.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf, sqrt
from typing import Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

MoveT = TypeVar("MoveT", bound=Hashable)

Outcomes: TypeAlias = NDArray[np.float64]
"""A row for each trial, a column for each move."""
Trials: TypeAlias = Callable[[int], Outcomes]
"""Makes the outcomes of so many more trials."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Means and co-moments of the outcomes so far."""

    trials: int
    means: NDArray[np.float64]
    moments: NDArray[np.float64]
    """For every pair of moves, the sum over trials of the product of their deviations from the mean."""

    @classmethod
    def none(cls, moves: int) -> "Estimates":
        """Before the first trial."""
        return cls(0, np.zeros(moves), np.zeros((moves, moves)))

    def with_trials(self, outcomes: Outcomes) -> "Estimates":
        """The estimates after more trials."""
        more = len(outcomes)
        means = outcomes.mean(axis=0)
        centred = outcomes - means
        trials = self.trials + more
        step = means - self.means
        moments = self.moments + centred.T @ centred + np.outer(step, step) * (self.trials * more / trials)
        return Estimates(trials, self.means + step * (more / trials), moments)

    @property
    def best(self) -> int:
        """The move of the greatest mean; of equal ones the last."""
        return len(self.means) - 1 - int(np.argmax(self.means[::-1]))

    @property
    def deviations(self) -> NDArray[np.float64]:
        """The standard deviation of each move's outcomes."""
        if self.trials < 2:
            return np.full(len(self.means), inf)
        return np.sqrt(self.moments.diagonal() / (self.trials - 1))

    @property
    def errors(self) -> NDArray[np.float64]:
        """The standard error of each mean."""
        return self.deviations / sqrt(max(1, self.trials))

    def error_of_difference(self, first: int, second: int) -> float:
        """The standard error of the difference between two means, from paired outcomes."""
        if self.trials < 2:
            return inf
        moments = self.moments
        spread = moments[first, first] + moments[second, second] - 2 * moments[first, second]
        return sqrt(max(0.0, spread) / (self.trials - 1) / self.trials)


class Obvious(Protocol):
    """Says when the best move is clear, so that no more trials are needed."""

    def __call__(self, estimates: Estimates) -> bool:
        """Whether the best move is obvious."""
        ...


@dataclass(frozen=True, slots=True)
class NeverObvious:
    """All trials are always played."""

    def __call__(self, estimates: Estimates) -> bool:  # noqa: ARG002
        """No."""
        return False


@dataclass(frozen=True, slots=True)
class ApartByDeviations:
    """The paper's criterion: the two best means are further apart than their outcomes' standard deviations together.

    loki-1999 calls it extremely conservative: a deviation does not shrink with more trials, as an error does.
    """

    factor: float = 1.0

    def __call__(self, estimates: Estimates) -> bool:
        """Whether the best move leads every other one by so many sums of standard deviations."""
        best, means, deviations = estimates.best, estimates.means, estimates.deviations
        return all(
            means[best] - means[other] > self.factor * (deviations[best] + deviations[other])
            for other in range(len(means))
            if other != best
        )


@dataclass(frozen=True, slots=True)
class ApartByErrors:
    """The best mean leads every other one by so many standard errors of their paired difference.

    Whoever looks several times must ask for more than a single look would: with 4, a move that is not the best is
    called obvious less than once in a thousand searches of twenty looks, if outcomes are many and normal.
    """

    errors: float = 4.0
    least_trials: int = 50
    """Before so many trials an error is itself too uncertain."""

    def __call__(self, estimates: Estimates) -> bool:
        """Whether the best move leads every other one."""
        if estimates.trials < self.least_trials:
            return False
        best, means = estimates.best, estimates.means
        return all(
            means[best] - means[other] > self.errors * estimates.error_of_difference(best, other)
            for other in range(len(means))
            if other != best
        )


class Stopped(Enum):
    """Why a search ended."""

    OBVIOUS = "the best move was obvious"
    TRIALS = "all trials were played"
    NO_CHOICE = "there was only one move"


@dataclass(frozen=True, slots=True)
class Findings(Generic[MoveT]):
    """What a search found out about each move."""

    moves: tuple[MoveT, ...]
    estimates: Estimates
    stopped: Stopped

    @property
    def best(self) -> MoveT:
        """The move with the greatest mean; of equal ones the last."""
        return self.moves[self.estimates.best]


def search(
    moves: Sequence[MoveT],
    trials: Trials,
    *,
    most_trials: int,
    obvious: Obvious,
    batch: int = 25,
) -> Findings[MoveT]:
    """Play trials until the best move is obvious or all are played. Of moves with equal means the last is the best."""
    estimates = Estimates.none(len(moves))
    while estimates.trials < most_trials:
        estimates = estimates.with_trials(trials(min(batch, most_trials - estimates.trials)))
        if len(moves) > 1 and obvious(estimates):
            return Findings(tuple(moves), estimates, Stopped.OBVIOUS)
    return Findings(tuple(moves), estimates, Stopped.TRIALS if len(moves) > 1 else Stopped.NO_CHOICE)


def strategy(estimates: Estimates, mix: float = 0.0) -> NDArray[np.float64]:
    """The chance of each move: all to the best one, or shared by those whose means are less than `mix` behind it.

    A move's share falls evenly from that of the best to nothing at a distance of `mix`.
    """
    shares = np.zeros(len(estimates.means))
    if mix > 0:
        behind = estimates.means.max() - estimates.means
        np.maximum(0.0, 1.0 - behind / mix, out=shares)
    else:
        shares[estimates.best] = 1.0
    shares /= shares.sum()
    return shares
