"""Solving a game: iterations of a solver, with checkpoints from which a stopped run goes on to the same bits."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from railbird.engine.rules import GameRules
from railbird.equities.table_files import Progress
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.limit_solver import LimitSolver
from railbird.strategies.table_strategy import TableStrategy

SECONDS_BETWEEN_CHECKPOINTS = 60.0
_REPORTS_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class SolvingReport:
    """How far a solver is."""

    iterations: int
    """All iterations, those of earlier runs included."""
    total: int | None
    """How many there will be; None where time decides."""
    seconds: float
    """Of this run."""
    per_second: float
    button: float
    """What the button won in this run, mbb/h, iterations weighted as they count."""


Listener: TypeAlias = Callable[[SolvingReport], object]


class SolvingError(ValueError):
    """A run that cannot be as asked."""


class SolvingRun:
    """A run of a solver: when it ends, when it reports, when it writes a checkpoint."""

    def __init__(
        self,
        rules: GameRules,
        cards: CardAbstraction,
        seed: int,
        *,
        threads: int = 1,
        checkpoint: Path | None = None,
        tables: Progress | None = None,
    ) -> None:
        self.solver = LimitSolver(rules, cards, seed, threads, tables)
        self.checkpoint = checkpoint
        if checkpoint is not None and checkpoint.exists():
            self.solver.resume(checkpoint)

    def until(
        self,
        iterations: int | None = None,
        *,
        minutes: float | None = None,
        listener: Listener | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> TableStrategy:
        """Go on to a number of iterations, for some minutes, or until `is_stopped` says so; the average strategy.

        The number of iterations is counted from the first run; it alone decides the strategy.
        """
        if iterations is None and minutes is None:
            raise SolvingError("a solver needs a number of iterations or of minutes to end")
        if iterations is not None and self.solver.iterations > iterations:
            raise SolvingError(
                f"there are already {self.solver.iterations:,} iterations, more than the {iterations:,} asked for"
            )
        solver, start, won, weights = self.solver, time.monotonic(), 0.0, 0.0
        last_report = last_checkpoint = start
        first = solver.iterations
        ends = None if minutes is None else start + 60 * minutes
        saved = solver.iterations
        while iterations is None or solver.iterations < iterations:
            now = time.monotonic()
            if is_stopped() or (ends is not None and now >= ends):
                break
            weight = solver.iterations + 1
            blind, button = solver.run(1)[0]
            won += weight * (button - blind) / 2
            weights += weight
            now = time.monotonic()
            if listener is not None and now - last_report >= _REPORTS_EVERY:
                last_report = now
                listener(self._report(iterations, now - start, solver.iterations - first, won / weights))
            if now - last_checkpoint >= SECONDS_BETWEEN_CHECKPOINTS:
                self._save()
                last_checkpoint, saved = now, solver.iterations
        if saved != solver.iterations:
            self._save()
        if listener is not None and weights:
            seconds = time.monotonic() - start
            listener(self._report(iterations, seconds, solver.iterations - first, won / weights))
        return TableStrategy.average_of(solver)

    def _report(self, total: int | None, seconds: float, done: int, won: float) -> SolvingReport:
        rules = self.solver.rules
        button = 1000 * won * rules.small_bet / rules.big_blind
        return SolvingReport(self.solver.iterations, total, seconds, done / max(seconds, 1e-9), button)

    def _save(self) -> None:
        if self.checkpoint is not None:
            self.solver.save(self.checkpoint)
