"""A progress bar for long work, on the error stream so that results can be piped."""

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
