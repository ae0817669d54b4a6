"""Progress bars and a notice, on standard error so that results can be piped."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

if TYPE_CHECKING:
    from railbird.arena.play.match import MatchResult
    from railbird.arena.run.experiment import Progress as ContestProgress
    from railbird.arena.run.experiment import ProgressListener
    from railbird.engine.rules import GameRules
    from railbird.learning.exploit import ExploitListener, ExploitProgress
    from railbird.learning.solve import SolvingReport


def bar(title: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """Show a bar while the body runs; calls of `progress(done, total)` advance it."""
    return _bar(title, MofNCompleteColumn())


def byte_bar(title: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """The same for files, counted in bytes."""
    return _bar(title, DownloadColumn())


@contextmanager
def _bar(title: str, amounts: ProgressColumn) -> Iterator[Callable[[int, int], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), amounts, TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as display:
        task = display.add_task(title, total=None)

        def progress(done: int, total: int) -> None:
            display.update(task, completed=done, total=total)

        yield progress


@contextmanager
def steps_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar for work in steps; calls of `progress(step, done, total)` advance it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as display:
        task = display.add_task("", total=None)

        def progress(step: str, done: int, total: int) -> None:
            display.update(task, description=step, completed=done, total=total)

        yield progress


@contextmanager
def contest_bar(rules: "GameRules", labels: Sequence[str]) -> Iterator["ProgressListener"]:
    """Show a bar from a contest's first progress report to its end: of tables that are built, then of hands.

    With the hands it shows the rates so far.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[running]}"),
    )
    display = Progress(*columns, console=Console(stderr=True), transient=True)
    task = display.add_task("playing", total=None, unit="hands", running="")

    def listen(progress: "ContestProgress") -> None:
        display.start()
        if progress.table is not None:
            done, total = progress.table
            display.update(task, completed=done, total=total, description="building tables", unit="")
            return
        display.update(
            task,
            completed=progress.hands,
            total=progress.all_hands,
            unit="hands",
            description=f"match {min(progress.matches + 1, progress.all_matches)} of {progress.all_matches}",
        )
        if progress.totals:
            display.update(task, running=_means(rules, labels, progress))
        elif progress.latest is not None:
            display.update(task, running=_latest(rules, progress.latest))

    try:
        yield listen
    finally:
        if display.live.is_started:
            display.stop()


def _means(rules: "GameRules", labels: Sequence[str], progress: "ContestProgress") -> str:
    """Everyone's rate so far."""
    from railbird.kernels.rules.pots import PARTS

    scale = PARTS * rules.unit_chips * max(progress.hands, 1)
    means = (f"{label} {won / scale:+.3f}" for label, won in zip(labels, progress.totals, strict=True))
    return f"{', '.join(means)} {rules.unit}"


def _latest(rules: "GameRules", result: "MatchResult") -> str:
    """Everyone's rate in a match that has just finished."""
    from railbird.arena.results.rates import Rate

    players = len(result.plan.entrants)
    rates = (
        f"{label} {Rate.from_tally(rules, result.tally, [int(place == other) for other in range(players)]).mean:+.3f}"
        for place, label in enumerate(result.plan.labels)
    )
    return f"{', '.join(rates)} {rules.unit}"


class SolvingDisplay:
    """A bar of a solver: first of the tables that it builds, then of its iterations."""

    def __init__(self, display: Progress) -> None:
        self._display = display
        self._task = display.add_task("", total=None, running="")
        self.last: SolvingReport | None = None
        """The latest report."""

    def tables(self, done: int, total: int) -> None:
        """Show how much of a table is built."""
        self._show("tables of buckets", done, total, "")

    def __call__(self, report: "SolvingReport") -> None:
        """Show a report."""
        self.last = report
        self._show("iterations", report.iterations, report.total, running_figures(report))

    def _show(self, title: str, done: int, total: int | None, running: str) -> None:
        if self._display.console.is_terminal:
            self._display.start()
        # A task keeps its total unless it is reset; time may decide when a solver ends.
        if total is None:
            self._display.tasks[0].total = None
        self._display.update(self._task, description=title, completed=done, total=total, running=running)


@contextmanager
def solving_bar() -> Iterator[SolvingDisplay]:
    """Show how far a solver is: iterations, iterations per second, value of the game, exploitability."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[running]}"),
    )
    display = Progress(*columns, console=Console(stderr=True), transient=True)
    try:
        yield SolvingDisplay(display)
    finally:
        if display.live.is_started:
            display.stop()


def running_figures(report: "SolvingReport") -> str:
    """The figures of a solver in words."""
    parts = [f"{report.per_second:,.1f} per second"]
    if report.button is not None:
        parts.append(f"last seat {report.button:+.1f} mbb/h")
    found = report.exploitability
    if found is not None and found.flops:
        parts.append(
            f"exploitability {found.best.mean:.0f} mbb/h, with its own preflop play {found.own_preflop.mean:.0f}, "
            f"on {found.flops} flops"
        )
    elif found is not None:
        parts.append(f"exploitability {found.best.mean:.3g} mbb/h")
    return ", ".join(parts)


@contextmanager
def exploit_bar() -> Iterator["ExploitListener"]:
    """Show how many flops or hands are finished, and the estimate so far."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[running]}"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as display:
        task = display.add_task("", total=None, running="")
        next_estimate = 0.0

        def listen(progress: "ExploitProgress") -> None:
            nonlocal next_estimate
            display.update(task, description=progress.what, completed=progress.done, total=progress.total)
            begin = monotonic()
            if console.is_terminal and begin >= next_estimate:
                rate = progress.so_far()
                interval = f" ({rate.low:,.0f} to {rate.high:,.0f})" if rate.low < rate.high else ""
                display.update(task, running=f"{rate.mean:,.0f} mbb/h{interval}")
                # Estimates from many flops take long: they may cost a twentieth of the time.
                next_estimate = monotonic() + 20 * (monotonic() - begin)

        yield listen


def tell_of_compiling() -> None:
    """Show a notice when something must be compiled, which takes time on first use only."""
    from typing import Any

    from numba.core import event

    console = Console(stderr=True)

    class Notice(event.Listener):
        """Shows the notice once."""

        def on_start(self, event: Any) -> None:  # noqa: ARG002
            if not told:
                told.append(True)
                console.print(
                    "Compiling the code for these players: about a minute, first run only.", style="dim"
                )

        def on_end(self, event: Any) -> None:
            """Does nothing."""

    told: list[bool] = []
    if console.is_terminal:
        event.register("numba:compile", Notice())  # type: ignore[no-untyped-call]
