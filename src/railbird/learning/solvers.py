"""What a run of a solver works on: hold'em in abstractions, or a small game exactly."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.arena.play.match import Partial
from railbird.arena.run.workers import run_jobs
from railbird.engine.rules import GameRules
from railbird.equities.table_files import Progress
from railbird.kernels.solve.regrets import Learned
from railbird.strategies.actions import ActionAbstraction
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.exact_strategy import EXACT, ExactStrategy, SolvedStrategy
from railbird.strategies.files import CHECKPOINT, read_checkpoint, write_numbers
from railbird.strategies.small_games import SmallGame
from railbird.strategies.solvers.limit_solver import LimitSolver
from railbird.strategies.solvers.regret_minimisation import RegretMinimiser, Weighting
from railbird.strategies.solvers.sampled_solver import SampledSolver
from railbird.strategies.solvers.strangers import NO_STRANGERS, Strangers
from railbird.strategies.table_strategy import Recipe, TableStrategy

FIRST_AT_ONCE = 16
"""The iterations that workers do first."""
SECONDS_AT_ONCE = 20.0
"""Workers get more iterations at once until these take as long: all numbers are sent before and after."""

_Solved = TypeVar("_Solved", bound=SolvedStrategy, covariant=True)


class GameSolver(Protocol[_Solved]):
    """Iterations that approach an equilibrium."""

    @property
    def rules(self) -> GameRules:
        """The game."""
        ...

    @property
    def iterations(self) -> int:
        """All iterations so far, including those of earlier runs."""
        ...

    def iterate(self, most: int = 1) -> None:
        """Do one iteration or more, at most so many."""
        ...

    def value(self) -> float | None:
        """What the last seat (heads-up the button) wins, in chips per hand; None if not known yet."""
        ...

    def strategy(self) -> _Solved:
        """The average strategy."""
        ...

    def save(self, checkpoint: Path) -> None:
        """Write a checkpoint."""
        ...

    def resume(self, checkpoint: Path) -> None:
        """Go on from a checkpoint if there is one; it must have been made for the same strategy."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class SeatJob:
    """Some iterations of a seat's solver, as work for workers."""

    rules: GameRules
    books: tuple[CardAbstraction, CardAbstraction]
    seed: int
    threads: int
    learned: Learned
    """After `finished` iterations."""
    finished: int
    iterations: int

    def __str__(self) -> str:
        last = self.finished + self.iterations
        return f"iterations {self.finished + 1:,} to {last:,} of {self.rules.name}"

    def play(self, tell: Callable[[Partial], None] | None = None) -> tuple[Learned, NDArray[np.float64]]:  # noqa: ARG002
        """Do them in this process: what is learnt afterwards, and what the seats won in each."""
        solver = _seat_solver(self.rules, self.books, self.seed, self.threads)
        solver.take(self.finished, self.learned)
        won = solver.run(self.iterations)
        return solver.learned, won


@lru_cache(maxsize=2)
def _seat_solver(
    rules: GameRules, books: tuple[CardAbstraction, CardAbstraction], seed: int, threads: int
) -> LimitSolver:
    """The solver of a job; those of both seats are kept for their next iterations."""
    return LimitSolver(rules, books[0], seed, threads, button=books[1])


class SeatSolvers:
    """Heads-up limit hold'em: one solver for both seats, or one for each seat against another card abstraction.

    With `against`, the big blind and the button learn in two solvers, each against an opponent with that abstraction,
    and the strategy is joined from both. Nothing passes between the two, so workers can run them at the same time, many
    iterations at once. An iteration of one solver needs all those before it.
    """

    def __init__(
        self,
        rules: GameRules,
        cards: CardAbstraction,
        seed: int,
        *,
        against: CardAbstraction | None = None,
        threads: int = 1,
        workers: str = "1",
        tables: Progress | None = None,
    ) -> None:
        make = partial(LimitSolver, rules, seed=seed, threads=threads, progress=tables)
        self.rules = rules
        self.threads, self.workers = threads, workers
        self.solvers: tuple[LimitSolver, ...] = (
            (make(cards),) if against is None else (make(cards, button=against), make(against, button=cards))
        )
        self._won = self._weights = 0.0
        self._at_once = FIRST_AT_ONCE

    @property
    def iterations(self) -> int:
        """The iterations that all solvers have finished."""
        return min(solver.iterations for solver in self.solvers)

    def iterate(self, most: int = 1) -> None:
        """One iteration of every solver, more by workers; one that is ahead, because a run was killed, waits."""
        if self.workers != "1" and len(self.solvers) > 1:
            self._iterate_by_workers(most)
            return
        finished = self.iterations
        for solver in self.solvers:
            if solver.iterations == finished:
                self._count(finished, solver.run(1))

    def _iterate_by_workers(self, most: int) -> None:
        """Let workers go on with all solvers: four times as many iterations as before if those were done soon."""
        start = monotonic()
        end = self.iterations + min(most, self._at_once)
        behind = [solver for solver in self.solvers if solver.iterations < end]
        jobs = [
            SeatJob(
                self.rules,
                (solver.books[0], solver.books[1]),
                solver.seed,
                self.threads,
                solver.learned,
                solver.iterations,
                end - solver.iterations,
            )
            for solver in behind
        ]
        with closing(run_jobs(jobs, self.workers)) as outcomes:
            for number, (learned, won) in outcomes:
                self._count(jobs[number].finished, won)
                behind[number].take(end, learned)
        if monotonic() - start < SECONDS_AT_ONCE:
            self._at_once *= 4

    def _count(self, finished: int, won: NDArray[np.float64]) -> None:
        """Count what the seats won in the iterations after those that were finished."""
        for number, (blind, button) in enumerate(won.tolist(), start=finished + 1):
            self._won += number * (button - blind) / 2
            self._weights += number

    def value(self) -> float | None:
        """What the button won in this run, in chips per hand, iterations weighted as they count."""
        return self._won / self._weights * self.rules.small_bet if self._weights else None

    def strategy(self) -> TableStrategy:
        """The average strategy."""
        if len(self.solvers) == 1:
            return TableStrategy.average_of(self.solvers[0])
        return TableStrategy.joined_average_of(*self.solvers)

    def save(self, checkpoint: Path) -> None:
        """Write a checkpoint; with two solvers, one for each seat."""
        for solver, path in zip(self.solvers, self._paths(checkpoint), strict=True):
            solver.save(path)

    def resume(self, checkpoint: Path) -> None:
        """Go on from the checkpoints that exist."""
        for solver, path in zip(self.solvers, self._paths(checkpoint), strict=True):
            if path.exists():
                solver.resume(path)

    def _paths(self, checkpoint: Path) -> list[Path]:
        if len(self.solvers) == 1:
            return [checkpoint]
        return [checkpoint.with_suffix(f".{seat}.checkpoint") for seat in ("big-blind", "button")]


class AnyTreeSolver:
    """Hold'em with any betting tree, from sampled deals and actions."""

    def __init__(
        self,
        rules: GameRules,
        actions: ActionAbstraction,
        cards: CardAbstraction,
        seed: int,
        *,
        strangers: Strangers = NO_STRANGERS,
        threads: int = 1,
        tables: Progress | None = None,
    ) -> None:
        self.rules = rules
        self.solver = SampledSolver(rules, actions, cards, seed, threads, tables, strangers=strangers)
        self._won = self._weights = 0.0

    @property
    def iterations(self) -> int:
        """All iterations so far."""
        return self.solver.iterations

    def iterate(self, most: int = 1) -> None:  # noqa: ARG002
        """Do one iteration."""
        won = self.solver.run(1)[0]
        # What the others lost in their own walks estimates the same: the mean of both has less noise.
        self._won += self.iterations * (won[-1] - won[:-1].sum()) / 2
        self._weights += self.iterations

    def value(self) -> float | None:
        """What the button won in this run, in chips per hand, iterations weighted as they count."""
        return self._won / self._weights if self._weights else None

    def strategy(self) -> TableStrategy:
        """The average strategy."""
        return TableStrategy.average_of(self.solver, str(self.solver.strangers))

    def save(self, checkpoint: Path) -> None:
        """Write a checkpoint."""
        self.solver.save(checkpoint)

    def resume(self, checkpoint: Path) -> None:
        """Go on from a checkpoint if there is one."""
        if checkpoint.exists():
            self.solver.resume(checkpoint)


class ExactSolver:
    """A small game, all deals of which are listed; CFR+, in which nothing is random."""

    def __init__(self, rules: GameRules, seed: int) -> None:
        self.rules, self.seed = rules, seed
        self._minimiser = RegretMinimiser(SmallGame(rules), Weighting.PLUS)

    @property
    def iterations(self) -> int:
        """All iterations so far."""
        return self._minimiser.iterations

    def iterate(self, most: int = 1) -> None:  # noqa: ARG002
        """Do one iteration."""
        self._minimiser.run(1)

    def value(self) -> float:
        """What the average strategy wins in the last seat, in chips per hand."""
        return float(self._minimiser.game.values(self._minimiser.average())[-1])

    def strategy(self) -> ExactStrategy:
        """The average strategy."""
        game = self._minimiser.game
        recipe = Recipe(self.rules.name, str(game.tree.actions), EXACT, self.iterations, self.seed)
        return ExactStrategy(recipe, game, self._minimiser.average())

    def save(self, checkpoint: Path) -> None:
        """Write a checkpoint."""
        write_numbers(checkpoint, CHECKPOINT, self._header(), [self._minimiser.regrets, self._minimiser.sums])

    def resume(self, checkpoint: Path) -> None:
        """Go on from a checkpoint if there is one."""
        if not checkpoint.exists():
            return
        minimiser = self._minimiser
        iterations, numbers = read_checkpoint(checkpoint, self._header(), 2 * minimiser.sums.nbytes)
        regrets, sums = np.split(numbers.view(np.float64), 2)
        minimiser.regrets = regrets.reshape(minimiser.regrets.shape).copy()
        minimiser.sums = sums.reshape(minimiser.sums.shape).copy()
        minimiser.iterations = iterations

    def _header(self) -> dict[str, Any]:
        return {
            "game": self.rules.name,
            "cards": EXACT,
            "seed": self.seed,
            "iterations": self.iterations,
        }
