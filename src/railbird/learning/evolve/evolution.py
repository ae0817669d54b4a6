"""Weights found by evolution (casper-2008 §VII: CASPERGeneral), with CMA-ES.

The paper refers to another one for the evolutionary algorithm, and prints neither its parameters nor the weights. Here:

1. Weights that evolve together are one point: the square roots of the weights, between 0.1 and 10, so that small
   weights move in small steps. The first mean is the hand-picked weights, the first spread 2.
2. A generation is a number of points drawn around the mean. Each is tried with its weights rounded to a hundredth.
3. CMA-ES moves the mean towards the better half and learns in which directions to draw (covariance matrix
   adaptation). Steps 2 and 3 are repeated.
4. The mean of every generation is tried too, on the tuning data and on the held-out data. The result is the mean with
   the lowest loss on the tuning data, the first one included: a mean is less affected by luck than the best of all
   points. The held-out data decide nothing.

Points are drawn from the seed alone, and trials are kept in a journal: neither the number of workers nor interruptions
affect the weights.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite, nan, sqrt
from statistics import median
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.arena.run.workers import kept_workers
from railbird.cbr.staged import StagedTable
from railbird.cbr.weights import MOST_WEIGHT
from railbird.extras import require_extra
from railbird.learning.evolve.objectives import Objective
from railbird.learning.evolve.trials import Trial, TrialJournal, Weights
from railbird.rng import Stream

LEAST_WEIGHT = 0.01
SPREAD = 2.0
FEWEST = 4
"""Minimum number of points in a generation."""

ProgressListener: TypeAlias = Callable[[int, int], None]
"""Called with the number of finished trials and the maximum number of trials."""


class EvolutionError(ValueError):
    """An evolution that is not possible as requested."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation; the first one, number 0, is the hand-picked weights and has no points."""

    number: int
    weights: Weights
    """Of the mean."""
    loss: float
    """Of the mean."""
    held_out: float
    """The mean's loss on the held-out data."""
    best: float = nan
    """The lowest loss of the points."""
    median: float = nan


@dataclass(frozen=True, slots=True)
class Lineage:
    """All generations of weights that evolved together."""

    stages: tuple[str, ...]
    generations: tuple[Generation, ...]

    @property
    def start(self) -> Generation:
        """The hand-picked weights."""
        return self.generations[0]

    @property
    def found(self) -> Generation:
        """The mean with the lowest loss; the first of equal ones."""
        return min(self.generations, key=lambda generation: generation.loss)


def found_weights(lineages: Sequence[Lineage]) -> dict[str, dict[str, float]]:
    """The weights found, by stage and attribute, in the order of the stages."""
    return {
        stage: dict(weights)
        for lineage in lineages
        for stage, weights in lineage.found.weights.items()
    }  # fmt: skip


def evolve(
    objective: Objective,
    journal: TrialJournal,
    table: StagedTable,
    *,
    generations: int,
    population: int | None = None,
    seed: str = "1",
    workers: str = "1",
    progress: ProgressListener | None = None,
) -> tuple[Lineage, ...]:
    """Let the weights of a table evolve; by default, the population is what CMA-ES recommends for the dimension."""
    if generations < 1:
        raise EvolutionError(f"an evolution must have at least one generation, not {generations}")
    if population is not None and population < FEWEST:
        raise EvolutionError(f"a generation must have at least {FEWEST} points, not {population}")
    streams = Stream.from_seed(seed).child("evolve")
    lines = [_Line(table, stages, population, streams.child(*stages)) for stages in objective.blocks()]
    trying = _Trying(objective, journal, workers, progress)
    trying.expected = sum(2 * (generations + 1) + generations * line.population for line in lines)
    with kept_workers():
        for number in range(generations + 1):
            # The mean is tried together with the points around it, to keep the workers busy.
            asked = [line.trials(is_last=number == generations) for line in lines]
            losses = iter(trying.losses([trial for trials in asked for trial in trials]))
            for line, trials in zip(lines, asked, strict=True):
                line.learn([next(losses) for _ in trials])
    return tuple(line.lineage() for line in lines)


class _Trying:
    """Makes the trials that are not in the journal."""

    def __init__(
        self, objective: Objective, journal: TrialJournal, workers: str, progress: ProgressListener | None
    ) -> None:
        self.objective, self.journal, self.workers, self.progress = objective, journal, workers, progress
        self.expected = 0
        self._done = 0

    def losses(self, trials: Sequence[Trial]) -> list[float]:
        """The losses of the trials, in their order."""
        missing = list({trial.key: trial for trial in trials if self.journal.find(trial) is None}.values())
        before = self._done + len(trials) - len(missing)
        self._tell(before)

        def take(number: int, loss: float) -> None:
            self.journal.add(missing[number], loss)
            self._tell(self._done + 1)

        if missing:
            self.objective.run(missing, self.workers, take)
        found = [self.journal.find(trial) for trial in trials]
        return [loss for loss in found if loss is not None]

    def _tell(self, done: int) -> None:
        self._done = done
        if self.progress is not None:
            self.progress(done, self.expected)


class _Line:
    """Weights that evolve together, while they do."""

    def __init__(
        self, table: StagedTable, stages: tuple[str, ...], population: int | None, stream: Stream
    ) -> None:
        self.stages = stages
        self.weights: Weights = {stage: table.similarity(stage).weights() for stage in stages}
        """Of the present mean."""
        start = [sqrt(weight) for of_stage in self.weights.values() for weight in of_stage.values()]
        generator = stream.generator()
        options: dict[str, Any] = {
            "bounds": [sqrt(LEAST_WEIGHT), sqrt(MOST_WEIGHT)],
            "popsize": population,
            # All randomness comes from our stream: nan leaves numpy's global generator unchanged.
            "seed": nan,
            "randn": lambda *shape: generator.standard_normal(shape),
            # No output, and no signal files in the working folder.
            "verbose": -10,
            "verb_disp": 0,
            "verb_log": 0,
        }
        if population is None:
            del options["popsize"]
        require_extra("learn", "cma", "an evolution")
        import cma  # type: ignore[import-untyped]

        self._strategy: Any = cma.CMAEvolutionStrategy(start, SPREAD, options)
        self.population = int(self._strategy.popsize)
        self._points: list[NDArray[np.float64]] = []
        self._best_and_median = nan, nan
        self._generations: list[Generation] = []
        self._has_ended = False

    def trials(self, *, is_last: bool) -> list[Trial]:
        """The mean, twice, and new points around it unless it is the last; empty if the lineage has ended."""
        if self._has_ended:
            return []
        ends = is_last or bool(self._strategy.stop())
        self._has_ended = ends
        self._points = [] if ends else self._strategy.ask()
        points = [Trial(self._weights_at(point)) for point in self._points]
        return [Trial(self.weights), Trial(self.weights, held_out=True), *points]

    def learn(self, losses: Sequence[float]) -> None:
        """Record the losses of these trials, and advance."""
        if not losses:
            return
        loss, held_out, *others = losses
        number = len(self._generations)
        self._generations.append(Generation(number, self.weights, loss, held_out, *self._best_and_median))
        if others:
            self._best_and_median = min(others), median(others)
            self._strategy.tell(self._points, others)
            self.weights = self._weights_at(self._strategy.result.xfavorite)

    def _weights_at(self, point: Iterable[float]) -> Weights:
        values = iter([round(float(root) ** 2, 2) for root in point])
        return {stage: {name: next(values) for name in of_stage} for stage, of_stage in self.weights.items()}

    def lineage(self) -> Lineage:
        """All generations so far."""
        assert all(isfinite(generation.loss) for generation in self._generations)
        return Lineage(self.stages, tuple(self._generations))
