"""Processes that need the same function at the same time: one compiles it, and the others take it from the cache."""

import os
import subprocess
import sys
from pathlib import Path

MODULE = """
from numba import njit

@njit(cache=True)
def half(number):
    return number // 2

@njit(cache=True)
def halves(number):
    return half(number) + half(number - 1)
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
        for _ in range(3)
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
