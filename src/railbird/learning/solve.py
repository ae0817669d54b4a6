"""Solving a game: iterations of a solver, with checkpoints from which a stopped run goes on to the same bits."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from railbird.arena.run.workers import check_workers, kept_workers
from railbird.engine.games import named_game
from railbird.engine.rules import Betting, GameRules
from railbird.equities.table_files import Progress
from railbird.learning.exploit import exact_exploitability
from railbird.learning.flop_responses import FLOP_SEED, exploit_table
from railbird.learning.solvers import AnyTreeSolver, ExactSolver, GameSolver, SeatSolvers
from railbird.places import OutputExists, require_output
from railbird.strategies.actions import LIMIT, ActionAbstraction
from railbird.strategies.best_response import Exploitability, sampled_flops
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.exact_strategy import EXACT, ExactStrategy, SolvedStrategy
from railbird.strategies.files import StrategyFileError
from railbird.strategies.solvers.strangers import NO_STRANGERS, Strangers
from railbird.strategies.streets import UnsolvableGame, limit_tree
from railbird.strategies.table_strategy import read_with_recipe

SECONDS_BETWEEN_CHECKPOINTS = 60.0
FIRST_MEASUREMENT = 256
"""Exploitability is measured at this number of iterations, at every doubling of it, and at the end."""
LIMIT_CARDS = "percentiles:200"
"""The card abstraction of heads-up limit hold'em unless another one is named."""
CAPPED_LIMIT = "fcr/fcr/fc", "percentiles:200/80/44"
"""The abstractions of limit hold'em with more seats: at most two raises in a round."""
NO_LIMIT = "fchpa/fcpa/fcpa/fca", "percentiles:200/200/190"
"""The abstractions of no-limit and pot-limit hold'em."""
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
            raise SolvingError("a solver needs a number of iterations or minutes")
        if iterations is not None and self.solver.iterations > iterations:
            raise SolvingError(
                f"there are already {self.solver.iterations:,} iterations, more than the {iterations:,} requested"
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
            before, next_stop = time.monotonic(), self._next_stop(iterations, is_measured=measure is not None)
            solver.iterate(next_stop - solver.iterations)
            now = time.monotonic()
            seconds += now - before
            if now - last_report >= _REPORTS_EVERY:
                last_report = now
                report()
            is_due = measure is not None and solver.iterations == next_stop != iterations
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

    def _next_stop(self, iterations: int | None, *, is_measured: bool) -> int:
        """The number of iterations at which this run ends, or is measured before."""
        end = sys.maxsize if iterations is None else iterations
        due = FIRST_MEASUREMENT
        while due <= self.solver.iterations:
            due *= 2
        return min(end, due) if is_measured else end

    def _save(self) -> None:
        if self.checkpoint is not None:
            self.solver.save(self.checkpoint)


def solve(
    game: str,
    output: Path,
    *,
    iterations: int | None = None,
    minutes: float | None = None,
    actions: str | None = None,
    cards: str | None = None,
    against: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    workers: str = "1",
    flops: int = 0,
    force: bool = False,
    listener: Listener | None = None,
    tables: Progress | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> SolvedStrategy | None:
    """Solve a game and write its strategy; None if the run was stopped, with a checkpoint beside the output.

    Args:
        game: `limit-2p`, `nolimit-2p`, `limit-3p`, or a small game such as `leduc-2p`, which is solved exactly.
        output: The strategy file. The same call resumes from its checkpoint, also with more iterations.
        iterations: Number of iterations, counted from the first run; with game, abstractions and seed it decides the
            strategy.
        minutes: Time to spend on iterations, instead of a number of them.
        actions: The action abstraction, such as `fcpa`; by default everything in `limit-2p`, at most two raises a round
            in `limit-3p`, and half the pot, the pot and all-in in `nolimit-2p`.
        cards: The card abstraction; the default depends on the game (`percentiles:200` in `limit-2p`).
        against: The opponents against whom each seat learns: in `limit-2p` a finer card abstraction, in other games
            `strangers:0.01`, so that in this share of hands some of the others ignore their cards.
        seed: Seed of the sampled boards or deals.
        threads: Number of threads, by default one for each processor; with workers, the number of each.
        workers: Where both seats are solved at the same time with `against`, and where flops are measured: a number of
            processes, `ray`, or `ray://host:port`. Otherwise every iteration needs the one before, and this process
            does them all. The strategy is the same.
        flops: Measure the exploitability in `limit-2p` on this many fixed flops, now and then; small games always are.
        force: Overwrite an output file that this run did not write.
        listener: Receives reports.
        tables: Receives the progress of building tables of buckets.
        is_stopped: Asked after every iteration.

    """
    check_workers(workers)
    rules = named_game(game)
    names = _abstractions(rules, actions, cards, against)
    if flops and not (names.is_exact or names.is_whole_limit):
        raise SolvingError(f"the exploitability of {rules.name} cannot be measured while it is solved")
    reached = _reached(output, rules, names, seed, force=force)
    threads = threads or os.cpu_count() or 1
    run: SolvingRun[SolvedStrategy] = SolvingRun(
        _solver(rules, names, seed, threads, workers, tables), checkpoint=checkpoint_beside(output)
    )
    if reached > run.solver.iterations:
        raise OutputExists(output)

    def measure(strategy: SolvedStrategy) -> Exploitability:
        if isinstance(strategy, ExactStrategy):
            return exact_exploitability(strategy.game, strategy.profile)
        where = str(threads) if workers == "1" else workers
        return exploit_table(strategy, sampled_flops(flops, FLOP_SEED), workers=where, listener=stop)

    def stop(*_: object) -> None:
        if is_stopped():
            raise KeyboardInterrupt

    is_measured = flops > 0 or names.is_exact
    with kept_workers():
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


@dataclass(frozen=True, slots=True)
class _Abstractions:
    """The names of the abstractions in a recipe."""

    actions: str
    cards: str
    against: str
    is_whole_limit: bool
    """Whether the game is heads-up limit hold'em with all its actions."""

    @property
    def is_exact(self) -> bool:
        """Whether nothing is abstracted."""
        return self.cards == EXACT


def _abstractions(
    rules: GameRules, actions: str | None, cards: str | None, against: str | None
) -> _Abstractions:
    """The abstractions with which a game is solved; an error if it cannot be solved with them."""
    if not rules.is_holdem:
        for option, value in (("actions", actions), ("cards", cards), ("against", against)):
            if value is not None:
                raise SolvingError(
                    f"{rules.name} is solved exactly, without abstraction, so {option} has no effect"
                )
        return _Abstractions(str(LIMIT), EXACT, "", is_whole_limit=False)
    is_whole_limit = actions in (None, str(LIMIT)) and _is_whole_limit(rules)
    if is_whole_limit:
        usual = str(LIMIT), LIMIT_CARDS
    else:
        usual = CAPPED_LIMIT if rules.betting is Betting.LIMIT else NO_LIMIT
    own = str(CardAbstraction.parse(cards or usual[1]))
    opponents = str((CardAbstraction if is_whole_limit else Strangers).parse(against)) if against else ""
    known = str(ActionAbstraction(actions or usual[0]))
    return _Abstractions(known, own, "" if opponents == own else opponents, is_whole_limit)


def _is_whole_limit(rules: GameRules) -> bool:
    try:
        limit_tree(rules)
    except UnsolvableGame:
        return False
    return True


def _solver(
    rules: GameRules, names: _Abstractions, seed: int, threads: int, workers: str, tables: Progress | None
) -> GameSolver[SolvedStrategy]:
    """The solver of a game with its abstractions."""
    if names.is_exact:
        return ExactSolver(rules, seed)
    own = CardAbstraction.parse(names.cards)
    if names.is_whole_limit:
        opponents = CardAbstraction.parse(names.against) if names.against else None
        return SeatSolvers(
            rules, own, seed, against=opponents, threads=threads, workers=workers, tables=tables
        )
    strangers = Strangers.parse(names.against) if names.against else NO_STRANGERS
    actions = ActionAbstraction(names.actions)
    return AnyTreeSolver(rules, actions, own, seed, strangers=strangers, threads=threads, tables=tables)


def _reached(output: Path, rules: GameRules, names: _Abstractions, seed: int, *, force: bool) -> int:
    """The iterations of an output file that an earlier run wrote; an error if it is any other file."""
    require_output(output, force=True)
    if force or not output.exists():
        return 0
    try:
        recipe, _ = read_with_recipe(output)
    except StrategyFileError:
        raise OutputExists(output) from None
    wanted = (rules.name, names.actions, names.cards, names.against, seed)
    if (recipe.game, recipe.actions, recipe.cards, recipe.against, recipe.seed) != wanted:
        raise OutputExists(output)
    return recipe.iterations
