"""Progress bars, on standard error so that results can be piped."""

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
    from railbird.engine.rules import GameRules
    from railbird.learning.exploit import ExploitListener, ExploitProgress
    from railbird.learning.solve import SolvingReport

CONSOLE = Console(stderr=True)
"""The console of all displays: those on one console do not overwrite each other."""
_ALL_SHOWN = 3
"""Maximum number of players whose rates fit on a line."""


def bar(title: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """Show a bar while the body runs; calls of `progress(done, total)` advance it."""
    return _bar(title, MofNCompleteColumn())


def byte_bar(title: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """The same for files, counted in bytes."""
    return _bar(title, DownloadColumn())


@contextmanager
def _bar(title: str, amounts: ProgressColumn) -> Iterator[Callable[[int, int], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), amounts, TimeRemainingColumn())
    with Progress(*columns, console=CONSOLE, transient=True, disable=not CONSOLE.is_terminal) as display:
        task = display.add_task(title, total=None)

        def progress(done: int, total: int) -> None:
            display.update(task, completed=done, total=total)

        yield progress


@contextmanager
def steps_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar for work in steps; calls of `progress(step, done, total)` advance it."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=CONSOLE, transient=True, disable=not CONSOLE.is_terminal) as display:
        task = display.add_task("", total=None)

        def progress(step: str, done: int, total: int) -> None:
            display.update(task, description=step, completed=done, total=total)

        yield progress


class ContestDisplay:
    """A bar from a contest's first progress report to its end: of tables that are built, then of hands.

    With the hands it shows the rates so far.
    """

    def __init__(self, rules: "GameRules", labels: Sequence[str]) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[running]}"),
        )
        self.last: ContestProgress | None = None
        """The latest report."""
        self._rules, self._labels = rules, labels
        self._display = Progress(*columns, console=CONSOLE, transient=True, disable=not CONSOLE.is_terminal)
        self._task = self._display.add_task("playing", total=None, unit="hands", running="")

    def __enter__(self) -> "ContestDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        if self._display.live.is_started:
            self._display.stop()

    def __call__(self, progress: "ContestProgress") -> None:
        """Show a report."""
        display, task = self._display, self._task
        if display.console.is_terminal:
            display.start()
        if progress.write_error and not (self.last and self.last.write_error):
            display.console.print(
                f"railbird: {progress.write_error}; the match continues, but after an interruption its latest hands "
                "are played again",
                style=None,
                soft_wrap=True,
                markup=False,
                highlight=False,
            )
        self.last = progress
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
            display.update(task, running=_means(self._rules, self._labels, progress))
        elif progress.latest is not None:
            display.update(task, running=_latest(self._rules, progress.latest))


def _means(rules: "GameRules", labels: Sequence[str], progress: "ContestProgress") -> str:
    """The players' rates so far."""
    from railbird.kernels.rules.pots import PARTS

    scale = PARTS * rules.unit_chips * max(progress.hands, 1)
    return _rates(rules, labels, [won / scale for won in progress.totals])


def _latest(rules: "GameRules", result: "MatchResult") -> str:
    """The players' rates in a match that has just finished."""
    from railbird.arena.results.rates import Rate

    labels = result.plan.labels
    weights = [[int(place == other) for other in range(len(labels))] for place in range(len(labels))]
    return _rates(rules, labels, [Rate.from_tally(rules, result.tally, each).mean for each in weights])


def _rates(rules: "GameRules", labels: Sequence[str], rates: Sequence[float]) -> str:
    """Everyone's rate in a small game, otherwise the greatest one."""
    from railbird.explanation.formats import format_signed

    if len(labels) > _ALL_SHOWN:
        best = max(range(len(rates)), key=lambda place: rates[place])
        return f"{labels[best]} leads with {format_signed(rates[best], 3)} {rules.unit}"
    shown = (f"{label} {format_signed(rate, 3)}" for label, rate in zip(labels, rates, strict=True))
    return f"{', '.join(shown)} {rules.unit}"


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
    display = Progress(*columns, console=CONSOLE, transient=True, disable=not CONSOLE.is_terminal)
    try:
        yield SolvingDisplay(display)
    finally:
        if display.live.is_started:
            display.stop()


def running_figures(report: "SolvingReport") -> str:
    """The figures of a solver in words."""
    from railbird.explanation.formats import format_signed

    parts = [f"{report.per_second:,.1f} iterations per second"] if report.per_second else []
    if report.button is not None:
        parts.append(f"the last seat wins {format_signed(report.button, 1)} mbb/h")
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
    with Progress(*columns, console=CONSOLE, transient=True, disable=not CONSOLE.is_terminal) as display:
        task = display.add_task("", total=None, running="")
        next_estimate = 0.0

        def listen(progress: "ExploitProgress") -> None:
            nonlocal next_estimate
            display.update(task, description=progress.what, completed=progress.done, total=progress.total)
            begin = monotonic()
            if CONSOLE.is_terminal and begin >= next_estimate:
                rate = progress.so_far()
                interval = f" ({rate.low:,.0f} to {rate.high:,.0f})" if rate.low < rate.high else ""
                display.update(task, running=f"{rate.mean:,.0f} mbb/h{interval}")
                # Estimates from many flops take long: they may cost a twentieth of the time.
                next_estimate = monotonic() + 20 * (monotonic() - begin)

        yield listen
