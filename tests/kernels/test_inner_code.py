"""What only compiled functions call is finished within its callers, in the process that compiles and in later ones."""

import subprocess
import sys
from pathlib import Path

MODULE = """
import numpy as np
from railbird.kernels.compiler import njit

@njit(cache=True)
def _share(number, of):
    if of == 0:
        raise ValueError("a share of nothing")
    return number / of

@njit(cache=True, internal=True)
def shares(numbers):
    found = np.zeros(len(numbers))
    for place in range(len(numbers)):
        found[place] = _share(numbers[place], numbers[0])
    return found

@njit(cache=True)
def largest(numbers):
    return shares(numbers).max()

@njit(cache=True)
def smallest(numbers):
    return shares(numbers).min()
"""

PROCESS = """
import sys
import numpy as np
import sharing

numbers = np.array([4.0, 6.0, 1.0])
for name in sys.argv[1:]:
    print(getattr(sharing, name)(numbers))
try:
    getattr(sharing, name)(np.zeros(1))
except ValueError as error:
    print(error)
for function in (sharing._share, sharing.shares, sharing.largest, sharing.smallest):
    print(*(each.library._is_inner for each in function.overloads.values()))
"""


def _run(folder: Path, *names: str) -> list[str]:
    """What a process prints that calls these functions."""
    (folder / "sharing.py").write_text(MODULE)
    command = [sys.executable, "-c", PROCESS, *names]
    environment = {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    process = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return process.stdout.splitlines()


def test_functions_that_kernels_call_have_no_machine_code_of_their_own(tmp_path: Path) -> None:
    assert _run(tmp_path, "largest") == ["1.5", "a share of nothing", "True", "True", "False", ""]


def test_loaded_code_needs_no_other_and_can_be_copied_into_new_functions(tmp_path: Path) -> None:
    _run(tmp_path, "largest")
    assert _run(tmp_path, "largest") == ["1.5", "a share of nothing", "", "", "False", ""]
    both = ["1.5", "0.25", "a share of nothing", "", "True", "False", "False"]
    assert _run(tmp_path, "largest", "smallest") == both
    assert _run(tmp_path, "largest", "smallest") == [*both[:3], "", "", "False", "False"]
