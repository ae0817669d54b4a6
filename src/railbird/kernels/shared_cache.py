"""The cache of compiled code, shared by processes that need the same function at the same time: one compiles it.

numba's own cache lets every process compile what it does not find there. Here a process locks a function before it
compiles it, and looks again once it has the lock. A function is locked while the functions that it calls are, never the
other way round, so that processes cannot wait for each other in a circle.

A function is compiled once for numbers, not again for every constant that another compiled function passes to it.
"""

import fcntl
import gc
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, ClassVar

from numba import __version__ as numba_version
from numba import config
from numba.core import dispatcher
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import trigger_event
from numba.core.types import unliteral

from railbird.kernels.compiler_parts import load_few_modules, prepare_to_compile, prepare_to_load
from railbird.kernels.inner_code import compiling_kernel, leave_out_inner_code
from railbird.kernels.resolved_calls import remember_resolved_calls
from railbird.kernels.unheard_calls import unheard

COMPILING = "numba:compile"
"""The event that listeners hear while something is compiled, here or in a process that this one waits for."""
KNOWN_NUMBA = "0.68."
"""The versions whose compiler is known from inside; with others, everything is compiled as numba would, only slower."""
IS_KNOWN = numba_version.startswith(KNOWN_NUMBA)
GARBAGE = 100_000, 50, 50
"""Thresholds of the garbage collector while something is compiled; by default it takes a seventh of that time."""


class NotCompiled(Exception):
    """A function would have to be compiled, within `loading_only`."""


class SharedCache(FunctionCache):
    """The compiled forms of one function."""

    only_loads: ClassVar[bool] = False
    """Whether nothing may be compiled now."""
    loads_alone: ClassVar[bool] = False
    """Whether compiled forms are loaded without what only compiling needs."""

    _lock: int | None = None
    """The open lock file, while this process holds the lock."""
    _thresholds: ClassVar[list[tuple[int, int, int]]] = []
    """For each lock of this process: the thresholds of Python's garbage collector before it."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for a signature; None if this process, which locks the function, has to compile it."""
        found = self._loaded(sig, target_context)
        if found is None and self.only_loads:
            raise NotCompiled(self._name)
        if found is None and self._lock is None:
            self._acquire()
            found = self._loaded(sig, target_context)
        if found is None:
            prepare_to_compile()
        return found

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        """The compiled form for a signature, if there is one."""
        if not self.loads_alone:
            prepare_to_compile()
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        prepare_to_load(target_context)
        return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled form; if it cannot be written, such as on a full disk, only this process has it."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            warnings.warn(f"compiled code is not kept: {error}", stacklevel=2)

    @contextmanager
    def unlocked_afterwards(self) -> Iterator[None]:
        """Release the lock at the end if it was acquired meanwhile, whatever happens."""
        was_locked = self._lock is not None
        try:
            yield
        finally:
            if not was_locked:
                self._release()

    def _acquire(self) -> None:
        """Lock the function; in a folder without locks, several processes may compile it."""
        with suppress(OSError):
            self._impl.locator.ensure_cache_path()
            path = Path(self.cache_path) / f"{self._impl.filename_base}.lock"
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                _lock(lock)
            except BaseException:
                os.close(lock)
                raise
            self._lock = lock
            self._thresholds.append(gc.get_threshold())
            gc.set_threshold(*GARBAGE)

    def _release(self) -> None:
        if self._lock is not None:
            fcntl.flock(self._lock, fcntl.LOCK_UN)  # also for processes that were forked meanwhile
            os.close(self._lock)
            self._lock = None
            gc.set_threshold(*self._thresholds.pop())


@contextmanager
def loading_only() -> Iterator[None]:
    """Raise `NotCompiled` instead of compiling a function, in all threads."""
    SharedCache.only_loads = True
    try:
        yield
    finally:
        SharedCache.only_loads = False


def _lock(file: int) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        with trigger_event(COMPILING):
            fcntl.flock(file, fcntl.LOCK_EX)


def share_compiled_code() -> None:
    """Let all functions compiled from now on use this cache; numba has no setting for it."""
    compile_or_load = dispatcher.Dispatcher.compile

    @global_compiler_lock
    def unlocking(function: Any, sig: Any) -> Any:
        cache = function._cache
        if not isinstance(cache, SharedCache):  # one of numba's own functions
            prepare_to_compile()
            return compile_or_load(function, sig)
        if isinstance(sig, tuple):
            sig = tuple(unliteral(each) for each in sig)  # type: ignore[no-untyped-call]
        with cache.unlocked_afterwards(), compiling_kernel(), unheard() if IS_KNOWN else nullcontext():
            return compile_or_load(function, sig)

    if IS_KNOWN:
        leave_out_inner_code()
        remember_resolved_calls()
        load_few_modules()
        SharedCache.loads_alone = True
    dispatcher.FunctionCache = SharedCache  # type: ignore[attr-defined]
    dispatcher.Dispatcher.compile = unlocking  # type: ignore[method-assign]


def compiled_code() -> Path:
    """The folder of compiled code."""
    return Path(config.CACHE_DIR)  # type: ignore[attr-defined]  # numba makes its settings at run time


def sources() -> list[Path]:
    """The files that are compiled."""
    return sorted(Path(__file__).parent.rglob("*.py"))
