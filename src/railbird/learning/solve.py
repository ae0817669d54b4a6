"""Solving a game: iterations of a solver, with checkpoints from which a stopped run goes on to the same bits."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.equities.table_files import Progress
from railbird.learning.exploit import exact_exploitability
from railbird.learning.flop_responses import FLOP_SEED, exploit_table
from railbird.learning.solvers import ExactSolver, GameSolver, SeatSolvers
from railbird.places import OutputExists
from railbird.strategies.best_response import Exploitability, sampled_flops
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.exact_strategy import EXACT, ExactStrategy, SolvedStrategy
from railbird.strategies.files import StrategyFileError
from railbird.strategies.streets import UnsolvableGame, limit_tree
from railbird.strategies.table_strategy import read_with_recipe

SECONDS_BETWEEN_CHECKPOINTS = 60.0
FIRST_MEASUREMENT = 256
"""Exploitability is measured at this number of iterations, at every doubling of it, and at the end."""
CARDS = "percentiles:200"
"""The card abstraction of hold'em unless another one is named."""
_REPORTS_EVERY = 0.5

Solved = TypeVar("Solved", bound=SolvedStrategy)


@dataclass(frozen=True, slots=True)
class SolvingReport:
    """How far a solver is."""

    iterations: int
    """All iterations, including those of earlier runs."""
    total: int | None
    """The number of iterations at the end; None if time decides."""
    seconds: float
    """Time spent on the iterations of this run."""
    per_second: float
    button: float | None
    """What the last seat (heads-up the button) wins, in mbb/h; in hold'em, what it won in this run."""
    exploitability: Exploitability | None = None
    """As last measured."""


Listener: TypeAlias = Callable[[SolvingReport], object]


class SolvingError(ValueError):
    """A run that is not possible as requested."""


class SolvingRun(Generic[Solved]):
    """A run of a solver: when it ends, when it reports, when it writes a checkpoint."""

    def __init__(self, solver: GameSolver[Solved], *, checkpoint: Path | None = None) -> None:
        self.solver = solver
        self.checkpoint = checkpoint
        if checkpoint is not None:
            solver.resume(checkpoint)

    def until(
        self,
        iterations: int | None = None,
        *,
        minutes: float | None = None,
        listener: Listener | None = None,
        measure: Callable[[Solved], Exploitability] | None = None,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Solved:
        """Go on to a number of iterations, for some minutes, or until `is_stopped` says so; the average strategy.

        The number of iterations is counted from the first run; it alone decides the strategy. The time that `measure`
        takes does not count.
        """
        if iterations is None and minutes is None:
            raise SolvingError("a solver needs a number of iterations or of minutes to end")
        if iterations is not None and self.solver.iterations > iterations:
            raise SolvingError(
                f"there are already {self.solver.iterations:,} iterations, more than the {iterations:,} asked for"
            )
        solver, start = self.solver, time.monotonic()
        first = saved = solver.iterations
        last_report = last_checkpoint = start
        seconds, measured = 0.0, None

        def report() -> None:
            if listener is not None:
                value = solver.value()
                button = None if value is None else 1000 * value / solver.rules.big_blind
                rate = (solver.iterations - first) / max(seconds, 1e-9)
                listener(SolvingReport(solver.iterations, iterations, seconds, rate, button, measured))

        while iterations is None or solver.iterations < iterations:
            if is_stopped() or (minutes is not None and seconds >= 60 * minutes):
                break
            before = time.monotonic()
            solver.iterate()
            now = time.monotonic()
            seconds += now - before
            if now - last_report >= _REPORTS_EVERY:
                last_report = now
                report()
            is_due = (
                measure is not None and _is_doubling(solver.iterations) and solver.iterations != iterations
            )
            if is_due or now - last_checkpoint >= SECONDS_BETWEEN_CHECKPOINTS:
                self._save()
                last_checkpoint, saved = now, solver.iterations
            if measure is not None and is_due:
                measured = measure(solver.strategy())
                report()
        if saved != solver.iterations:
            self._save()
        strategy = solver.strategy()
        if measure is not None and not is_stopped():
            measured = measure(strategy)
        report()
        return strategy

    def _save(self) -> None:
        if self.checkpoint is not None:
            self.solver.save(self.checkpoint)


def _is_doubling(iterations: int) -> bool:
    times, rest = divmod(iterations, FIRST_MEASUREMENT)
    return not rest and times & (times - 1) == 0


def solve(
    game: str,
    output: Path,
    *,
    iterations: int | None = None,
    minutes: float | None = None,
    cards: str | None = None,
    against: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    flops: int = 0,
    force: bool = False,
    listener: Listener | None = None,
    tables: Progress | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> SolvedStrategy | None:
    """Solve a game and write its strategy; None if the run was stopped, with a checkpoint beside the output.

    Args:
        game: `limit-2p`, or a small game such as `leduc-2p`, which is solved exactly.
        output: The strategy file. The same call resumes from its checkpoint, also with more iterations.
        iterations: Number of iterations, counted from the first run; with game, cards and seed it decides the strategy.
        minutes: Time to spend on iterations, instead of a number of them.
        cards: The card abstraction, by default `percentiles:200`.
        against: A finer card abstraction for the opponents against which each seat learns.
        seed: Seed of the sampled boards.
        threads: Number of threads, by default one for each processor.
        flops: Measure the exploitability on this many fixed flops, now and then; small games always are.
        force: Overwrite an output file that this run did not write.
        listener: Receives reports.
        tables: Receives the progress of building tables of buckets.
        is_stopped: Asked after every iteration.

    """
    rules = named_game(game)
    names = _abstractions(rules, cards, against)
    reached = _reached(output, (rules.name, *names, seed), force=force)
    threads = threads or os.cpu_count() or 1
    checkpoint = checkpoint_beside(output)
    run: SolvingRun[SolvedStrategy]
    if names[0] == EXACT:
        run = SolvingRun(ExactSolver(rules, seed), checkpoint=checkpoint)
    else:
        opponents = CardAbstraction.parse(names[1]) if names[1] else None
        own = CardAbstraction.parse(names[0])
        run = SolvingRun(
            SeatSolvers(rules, own, seed, against=opponents, threads=threads, tables=tables),
            checkpoint=checkpoint,
        )
    if reached > run.solver.iterations:
        raise OutputExists(output)

    def measure(strategy: SolvedStrategy) -> Exploitability:
        if isinstance(strategy, ExactStrategy):
            return exact_exploitability(strategy.game, strategy.profile)
        return exploit_table(strategy, sampled_flops(flops, FLOP_SEED), workers=str(threads), listener=stop)

    def stop(*_: object) -> None:
        if is_stopped():
            raise KeyboardInterrupt

    is_measured = flops > 0 or names[0] == EXACT
    strategy = run.until(
        iterations,
        minutes=minutes,
        listener=listener,
        measure=measure if is_measured else None,
        is_stopped=is_stopped,
    )
    if is_stopped() and strategy.recipe.iterations != iterations:
        return None
    strategy.write(output)
    return strategy


def checkpoint_beside(output: Path) -> Path:
    """Where the checkpoint of a strategy file is written."""
    return output.with_name(f"{output.name}.checkpoint")


def _abstractions(rules: GameRules, cards: str | None, against: str | None) -> tuple[str, str]:
    """The names of both card abstractions in a recipe; an error if the game cannot be solved with them."""
    if rules.is_holdem:
        try:
            limit_tree(rules)
        except UnsolvableGame as error:
            raise SolvingError(f"{error}; Railbird solves limit-2p, kuhn-2p, kuhn-3p and leduc-2p") from None
        own = str(CardAbstraction.parse(cards or CARDS))
        opponents = str(CardAbstraction.parse(against)) if against else ""
        return own, "" if opponents == own else opponents
    for option, value in (("--cards", cards), ("--against", against)):
        if value is not None:
            raise SolvingError(f"{rules.name} is solved exactly, without card abstraction: omit {option}")
    return EXACT, ""


def _reached(output: Path, wanted: tuple[str, str, str, int], *, force: bool) -> int:
    """The iterations of an output file that an earlier run wrote; an error if it is any other file."""
    if output.is_dir():
        raise SolvingError(f"{output} is a folder; name a file to write")
    if not output.parent.is_dir():
        raise SolvingError(f"{output.parent} is not a folder to write {output.name} into")
    if force or not output.exists():
        return 0
    try:
        recipe, _ = read_with_recipe(output)
    except StrategyFileError:
        raise OutputExists(output) from None
    if (recipe.game, recipe.cards, recipe.against, recipe.seed) != wanted:
        raise OutputExists(output)
    return recipe.iterations
