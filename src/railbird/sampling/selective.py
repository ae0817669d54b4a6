"""Selective sampling (loki-1999, figure 3): draw the hidden information, try every move, and repeat.

There is no poker in this module. The search has these steps:

1. Draw the hidden information, in proportion to its probability, which gives a fully known position.
2. Try each move in that same position: play to the end, with all players acting by a policy, and record the outcome.
3. Repeat until all trials are played or the best move is obvious (`Obvious`).
4. Choose by the mean outcomes (`strategy`).

The first two steps belong to the game. Its trials are rows of outcomes, one column for each move (`Trials`). All moves
of a row share the same hidden information and the same luck, so two columns differ only by the moves: outcomes are
paired, and the error of a difference is smaller than the errors of the two means suggest.
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
"""Plays a number of further trials and returns their outcomes."""
BATCH = 25
"""Number of trials between two looks at the estimates."""
LEAST_TRIALS = 50
"""Minimum number of trials before a move can be obvious: with fewer, deviations and errors are too uncertain."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Means and co-moments of the outcomes so far."""

    trials: int
    means: NDArray[np.float64]
    moments: NDArray[np.float64]
    """For every pair of moves, the sum over trials of the product of their deviations from the mean."""

    @classmethod
    def none(cls, moves: int) -> "Estimates":
        """The estimates before the first trial."""
        return cls(0, np.zeros(moves), np.zeros((moves, moves)))

    def with_trials(self, outcomes: Outcomes) -> "Estimates":
        """The estimates after more trials."""
        more = len(outcomes)
        means = np.add.reduce(outcomes, axis=0) / more
        centred = outcomes - means
        trials = self.trials + more
        step = means - self.means
        moments = self.moments + centred.T @ centred + step[:, None] * step * (self.trials * more / trials)
        return Estimates(trials, self.means + step * (more / trials), moments)

    @property
    def best(self) -> int:
        """The move with the greatest mean; of equal ones, the last."""
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
    """Decides when the best move is clear and no more trials are needed."""

    def __call__(self, estimates: Estimates) -> bool:
        """Whether the best move is obvious."""
        ...


@dataclass(frozen=True, slots=True)
class NeverObvious:
    """Always plays all trials."""

    def __call__(self, estimates: Estimates) -> bool:  # noqa: ARG002
        """No."""
        return False


@dataclass(frozen=True, slots=True)
class ApartByDeviations:
    """The paper's criterion: the two best means differ by more than the sum of their outcomes' standard deviations.

    loki-1999 calls it extremely conservative: unlike an error, a deviation does not shrink with more trials.
    """

    factor: float = 1.0
    least_trials: int = LEAST_TRIALS
    """Minimum number of trials, which the paper does not state."""

    def __call__(self, estimates: Estimates) -> bool:
        """Whether the best move leads every other by the required multiple of the summed standard deviations."""
        if estimates.trials < self.least_trials:
            return False
        best, means, deviations = estimates.best, estimates.means, estimates.deviations
        return all(
            means[best] - means[other] > self.factor * (deviations[best] + deviations[other])
            for other in range(len(means))
            if other != best
        )


@dataclass(frozen=True, slots=True)
class ApartByErrors:
    """The best mean leads every other by a number of standard errors of their paired difference.

    Repeated checks need a higher threshold than a single one: with 4, a move that is not the best is called obvious
    in fewer than one of a thousand searches with twenty checks each, if outcomes are many and normal.
    """

    errors: float = 4.0
    least_trials: int = LEAST_TRIALS
    """Minimum number of trials."""

    def __call__(self, estimates: Estimates) -> bool:
        """Whether the best move leads every other by the required number of standard errors."""
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

    OBVIOUS = "the best action was clear"
    TRIALS = "all simulated hands were played"
    NO_CHOICE = "only one action was possible"


@dataclass(frozen=True, slots=True)
class Findings(Generic[MoveT]):
    """The result of a search, by move."""

    moves: tuple[MoveT, ...]
    estimates: Estimates
    stopped: Stopped

    @property
    def best(self) -> MoveT:
        """The move with the greatest mean; of equal ones, the last one."""
        return self.moves[self.estimates.best]


def search(
    moves: Sequence[MoveT],
    trials: Trials,
    *,
    most_trials: int,
    obvious: Obvious,
    batch: int = BATCH,
) -> Findings[MoveT]:
    """Play trials until the best move is obvious or all are played. Of moves with equal means, the last is the best."""
    estimates = Estimates.none(len(moves))
    while estimates.trials < most_trials:
        estimates = estimates.with_trials(trials(min(batch, most_trials - estimates.trials)))
        if len(moves) > 1 and obvious(estimates):
            return Findings(tuple(moves), estimates, Stopped.OBVIOUS)
    return Findings(tuple(moves), estimates, Stopped.TRIALS if len(moves) > 1 else Stopped.NO_CHOICE)


def strategy(estimates: Estimates, mix: float = 0.0) -> NDArray[np.float64]:
    """The probability of each move: 1 for the best, or shared by the moves whose means are less than `mix` behind it.

    A move's share falls linearly from that of the best to zero at a distance of `mix`.
    """
    shares = np.zeros(len(estimates.means))
    if mix > 0:
        behind = estimates.means.max() - estimates.means
        np.maximum(0.0, 1.0 - behind / mix, out=shares)
    else:
        shares[estimates.best] = 1.0
    shares /= shares.sum()
    return shares
