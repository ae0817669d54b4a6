"""Calls of LLVM that nobody hears of.

While numba compiles a function, it measures how long LLVM takes for it and for each function that it is compiled for.
Every call of LLVM, of which there are many tiny ones, is announced to all these clocks before and afterwards.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite.binding.ffi import lib


@contextmanager
def unheard() -> Iterator[None]:
    """Announce no calls of LLVM meanwhile."""
    announced = lib._lock._cblist
    with lib._lock._lock:  # no call is under way in another thread
        kept = announced[:]
        announced.clear()
    try:
        yield
    finally:
        with lib._lock._lock:
            announced[:0] = kept  # another thread may have put back its own meanwhile
