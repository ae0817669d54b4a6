"""Processes that need the same function at the same time: one compiles it, and the others take it from the cache."""

import errno
import fcntl
import gc
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from numba.core.caching import IndexDataCacheFile
from numba.core.errors import TypingError

from railbird.kernels.shared_cache import SharedCache

MODULE = """
from numba import njit

@njit(cache=True)
def half(number):
    return number // 2

@njit(cache=True)
def halves(number):
    return half(number) + half(number - 1)

@njit(cache=True)
def quarters():
    return half(half(9)) + half(7)
"""

PROCESS = """
from numba.core import event
from railbird.kernels.shared_cache import COMPILING

class Listener(event.Listener):
    def on_start(self, event):
        print("compiles" if event.data else "waits", flush=True)

    def on_end(self, event):
        pass

event.register(COMPILING, Listener())
import halving
print("ready", flush=True)
input()
print(halving.halves(9), flush=True)
"""

ONLY_LOADING = """
from railbird.kernels.shared_cache import NotCompiled, loading_only
import halving

try:
    with loading_only():
        print(halving.halves(9))
except NotCompiled:
    print("not compiled")
print(halving.halves(9))
"""

DISTINCT = """
import numpy as np
from railbird.kernels.cases.tree import distinct_values

print(distinct_values(np.array([[2.0], [1.0], [2.0]]), 0))
"""

COMPILING = """
import sys

def print_what_is_loaded():
    print("numba.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)

print_what_is_loaded()
import halving
print(halving.halves(9))
print_what_is_loaded()
"""


def test_of_several_processes_one_compiles(tmp_path: Path) -> None:
    (tmp_path / "halving.py").write_text(MODULE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    told = [process.communicate()[0].split() for process in processes]
    assert all(words[-1] == "8" for words in told)
    assert sum(words.count("compiles") for words in told) == 2, told


@pytest.fixture
def halving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The functions, not compiled yet, with an empty cache."""
    path = tmp_path / "halving.py"
    path.write_text(MODULE)
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache"))
    spec = spec_from_file_location("halving", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert isinstance(module.halves._cache, SharedCache)
    return module


def _locked(folder: Path) -> list[str]:
    """The functions that are locked."""
    locked = []
    for path in folder.rglob("*.lock"):
        with path.open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                locked.append(path.name)
    return locked


def test_a_function_that_cannot_be_compiled_is_not_locked(halving: ModuleType, tmp_path: Path) -> None:
    thresholds = gc.get_threshold()
    with pytest.raises(TypingError):
        halving.halves("nine")
    assert len(list(tmp_path.rglob("*.lock"))) == 2
    assert _locked(tmp_path) == []
    assert gc.get_threshold() == thresholds
    assert halving.halves(9) == 8


def test_on_a_full_disk_functions_compile_and_are_not_locked(
    halving: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    with pytest.warns(UserWarning, match="compiled code is not kept: .*No space left on device"):
        assert halving.halves(9) == 8
    assert list(tmp_path.rglob("*.nbc")) == []
    assert _locked(tmp_path) == []


def test_without_a_folder_for_locks_functions_compile(
    halving: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unwritable(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("railbird.kernels.shared_cache.os.open", unwritable)
    with pytest.warns(UserWarning, match="compiled code is not kept: .*Permission denied"):
        assert halving.halves(9) == 8
    assert list(tmp_path.rglob("*.lock")) == []


def test_a_function_is_compiled_once_for_all_constants(halving: ModuleType) -> None:
    assert halving.quarters() == 5
    assert [str(each) for (each,) in halving.half.signatures] == ["int64"]


def test_a_function_can_be_loaded_without_ever_being_compiled(tmp_path: Path) -> None:
    (tmp_path / "halving.py").write_text(MODULE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    said = [
        subprocess.run(
            [sys.executable, "-c", ONLY_LOADING],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        ).stdout
        for _ in range(2)
    ]
    assert said == ["not compiled\n8\n", "8\n8\n"]


def test_the_compiler_is_not_loaded_before_something_is_compiled(tmp_path: Path) -> None:
    (tmp_path / "halving.py").write_text(MODULE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    for program in (DISTINCT, f"{DISTINCT}{COMPILING}"):
        run = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (run.stdout, run.stderr) == ("[1. 2.]\nFalse False\n8\nTrue False\n", "")
