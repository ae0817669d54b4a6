"""The processor time of this process without what compiling took: a first call may compile for seconds."""

from time import process_time
from typing import Any

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
    """Seconds that were not spent compiling."""
    return process_time() - _COMPILING.seconds
