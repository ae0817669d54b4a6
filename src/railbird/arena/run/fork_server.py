"""How the workers of a pool are started: forked from Python's fork server, which is started once for this process.

The server has no memory, threads or open files of this process and runs no agent of a user. It has loaded what every
worker needs (`preloaded`), so that a worker starts in milliseconds. Like a spawned process, a worker loads the main
program itself; if that is our own command, the server has loaded its modules too. The server ends after this process
and its workers, in whatever way they end.

Without fork, and on macOS, where system libraries do not survive one, workers are spawned: each loads everything.
"""

import atexit
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import forkserver, resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any

from railbird.arena.processes.environment import environment

FORKS = (
    "forkserver" in multiprocessing.get_all_start_methods()
    and sys.platform != "darwin"
    and sys.version_info >= (3, 11, 1)  # before, other users of the machine could connect to the server
)
_context = multiprocessing.get_context("forkserver" if FORKS else "spawn")


def open_fork_server() -> None:
    """Start the fork server, if it is not running, without waiting until it has loaded everything."""
    if FORKS:
        _context.set_forkserver_preload([*own_command(), "railbird.arena.run.preloaded"])
        with _starting():
            forkserver.ensure_running()


def own_command() -> Iterator[str]:
    """The module of our own command, if that is the main program; the programs of users run in their workers only."""
    start = getattr(sys.modules["__main__"], "main", None)
    module = getattr(start, "__module__", "")
    if module.partition(".")[0] == __package__.partition(".")[0]:
        yield module


def start_process(serve: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a process that calls `serve` with arguments, in the environment of this one; Ctrl-C does not reach it."""
    process: BaseProcess = _context.Process(  # type: ignore[attr-defined]  # both kinds of context have it
        target=_serve, args=(dict(os.environ), serve, arguments), daemon=True
    )
    if FORKS:
        open_fork_server()
        process.start()
    else:
        with _starting():
            process.start()
    return process


@contextmanager
def _starting() -> Iterator[None]:
    """Defer Ctrl-C until the end of this block; a process started in it, and its forks, never receive it.

    Such a process imports no modules from the current folder before it has our path: Python starts it with `-c`, which
    searches the current folder first, and in a folder with untrusted files, a file `struct.py` would be run. It has no
    threads for linear algebra, which would not survive a fork.
    """
    with environment(PYTHONSAFEPATH="1", OPENBLAS_NUM_THREADS="1"):
        # Started here, because starting the tracker unblocks Ctrl-C.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(variables: Mapping[str, str], serve: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """The life of a process."""
    os.environ.clear()
    os.environ.update(variables)
    # Ctrl-C in the terminal is handled by the process that distributes the jobs, which then ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if not FORKS:
        serve(*arguments)
        return
    # Before Python 3.14 a forked process ends without what was registered in it for its end; what the server registered
    # is not for its forks.
    atexit._clear()
    try:
        serve(*arguments)
    finally:
        atexit._run_exitfuncs()
