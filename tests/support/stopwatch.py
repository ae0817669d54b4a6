"""Bounds on processor time that a busy machine, a first compilation or a sweep of the memory do not break."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any, TypeVar

from numba.core import event


class _Compiling(event.Listener):
    """Adds up the time of compilations; those within another one count once."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0
        self._depth = 0

    def on_start(self, event: Any) -> None:
        if not self._depth:
            self._began = process_time()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if not self._depth:
            self.seconds += process_time() - self._began


_COMPILING = _Compiling()
event.register("numba:compile", _COMPILING)  # type: ignore[no-untyped-call]


def reading_time() -> float:
    """Seconds of this process that were not spent compiling: a first call may compile for seconds."""
    return process_time() - _COMPILING.seconds


class TooSlow(AssertionError):
    """Something took longer than it may."""


@contextmanager
def at_most_of_processor(seconds: float) -> Iterator[None]:
    """What is done within may take so much processor time."""
    began = reading_time()
    yield
    took = reading_time() - began
    if took >= seconds:
        raise TooSlow(f"{took:.2f} s, at most {seconds:g} s")


Answer = TypeVar("Answer")


def patiently(call: Callable[[], Answer], tries: int = 3) -> Answer:
    """The call's answer. What is slow by its nature is slow every time; what was only unlucky gets another try."""
    for _ in range(tries - 1):
        try:
            return call()
        except TooSlow:
            continue
    return call()
