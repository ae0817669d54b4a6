"""Ctrl-C for commands that finish a step before they stop."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def stopped_by_interrupt() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed while the body runs; the second time it ends the body at once, as usual."""
    stopped = threading.Event()
    usual = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, stop)
    try:
        yield stopped.is_set
    finally:
        signal.signal(signal.SIGINT, usual)
