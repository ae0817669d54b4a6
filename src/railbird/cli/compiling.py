"""A notice while code is compiled, which happens on first use only, on standard error."""

import os
import sys
from functools import cache
from threading import Lock
from typing import Any

from numba.core import event
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from railbird.cli.progress import CONSOLE
from railbird.kernels.shared_cache import COMPILING

NOTICE = "Compiling the code for this command, on the first run only; it takes about a minute."


class CompilingNotice(event.Listener):
    """In a terminal, a line that counts the compiled functions while there are any; elsewhere, one line in all."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = Lock()
        self._process = os.getpid()
        self._display: Progress | None = None
        self._under_way = self._compiled = 0

    def on_start(self, event: Any) -> None:  # noqa: ARG002
        """Show the notice; functions are compiled within others."""
        with self._lock:
            self._under_way += 1
            if os.getpid() != self._process or self._under_way > 1:
                return
            if self._console.is_terminal:
                self._display = Progress(
                    SpinnerColumn(),
                    TextColumn("Compiling, on the first run only: {task.completed:,.0f} functions"),
                    TimeElapsedColumn(),
                    console=self._console,
                    transient=True,
                )
                self._display.add_task("", completed=self._compiled, total=None)
                self._display.start()
            elif not self._compiled:
                print(NOTICE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        """Count a function, and remove the notice after the last one."""
        with self._lock:
            self._under_way -= 1
            self._compiled += 1
            if self._display is None:
                return
            if self._under_way:
                self._display.update(self._display.task_ids[0], completed=self._compiled)
            else:
                self._display.stop()
                self._display = None


@cache
def tell_of_compiling() -> None:
    """Show a notice from now on whenever something is compiled in this process."""
    event.register(COMPILING, CompilingNotice(CONSOLE))  # type: ignore[no-untyped-call]
