"""What is shown while one waits, on the error stream so that results can be piped: progress bars, a notice."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)


def bar(title: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """Show a bar while the body runs; it is moved by calls of `progress(done, total)`."""
    return _bar(title, MofNCompleteColumn())


def byte_bar(title: str) -> AbstractContextManager[Callable[[int, int], None]]:
    """The same for files: what is done and in total are bytes."""
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


def tell_of_compiling() -> None:
    """Say so when something must be compiled, which happens at its first use only and takes its time."""
    from typing import Any

    from numba.core import event

    console = Console(stderr=True)

    class Notice(event.Listener):
        """Speaks once."""

        def on_start(self, event: Any) -> None:  # noqa: ARG002
            if not told:
                told.append(True)
                console.print(
                    "Compiling what these players need: about a minute, only this once.", style="dim"
                )

        def on_end(self, event: Any) -> None:
            """Nothing to say."""

    told: list[bool] = []
    if console.is_terminal:
        event.register("numba:compile", Notice())  # type: ignore[no-untyped-call]
