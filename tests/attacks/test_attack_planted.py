"""Programs that somebody else put where Railbird looks: into the current folder, or among compiled code."""

import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from stat import S_IMODE

import pytest

from railbird.arena.run.pool import run_in_pool
from railbird.places import private_folder

SOMEBODY_ELSE = 12345
AS_ADMINISTRATOR = pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
KERNEL = """
import numpy as np
from railbird.kernels.random import shuffle_first
print(shuffle_first._cache._cache_file._index_path)
"""
CALL = "shuffle_first(np.ones(4, np.uint64), np.arange(52), 5)"


@dataclass(frozen=True, slots=True)
class Look:
    """A job that tells where its worker is, and which setting of Python's it would hand down."""

    def play(self, tell: object = None) -> tuple[str, str | None]:
        return os.getcwd(), os.environ.get("PYTHONSAFEPATH")


def test_workers_run_nothing_that_lies_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "ran"
    for name in ("struct", "selectors", "signal", "multiprocessing"):
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise ImportError('planted')\n")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.chdir(tmp_path)
    forkserver._forkserver._stop()  # type: ignore[attr-defined]  # the next one starts among these files
    assert list(run_in_pool([Look()], 1)) == [(0, (str(tmp_path), None))]
    assert not mark.exists()
    assert "PYTHONSAFEPATH" not in os.environ


def test_what_the_user_set_is_handed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    assert list(run_in_pool([Look()], 1)) == [(0, (os.getcwd(), "1"))]


# Compiled code, which numba keeps as pickles


class Planted:
    """A pickle that makes a file when it is read."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)


def index_of_kernel(home: Path, then: str = "") -> tuple[Path, str]:
    """Where a process with that home looks for a compiled kernel, and what it says on its error stream."""
    environment = {**os.environ, "RAILBIRD_HOME": str(home)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", KERNEL + then], env=environment, capture_output=True, text=True, check=True
    )
    return Path(done.stdout.strip()), done.stderr


def test_compiled_code_lies_in_a_folder_of_its_owner_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        index, said = index_of_kernel(tmp_path / "home")
    finally:
        os.umask(before)
    assert index.is_relative_to(tmp_path / "home")
    assert S_IMODE(index.parents[1].stat().st_mode) == 0o700
    assert not said


@AS_ADMINISTRATOR
def test_compiled_code_of_somebody_else_is_not_run(tmp_path: Path) -> None:
    home, mark = tmp_path / "home", tmp_path / "ran"
    index, _ = index_of_kernel(home)
    index.write_bytes(pickle.dumps(Planted(mark)))
    for path in (home, *home.rglob("*")):
        os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE)
    used, said = index_of_kernel(home, CALL)
    assert not mark.exists()
    assert not used.is_relative_to(home)
    assert not used.parent.exists(), "what was compiled for this process goes with it"
    assert "cannot be written, or others could put files there" in said


def test_without_a_place_for_compiled_code_none_is_written_beside_the_package(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("no folder")
    used, said = index_of_kernel(home)
    assert used.parents[1].name.startswith("railbird-kernels-")
    assert "compiled code is not kept" in said


def test_a_folder_is_private_only_if_nobody_can_put_another_in_its_place(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "kernels"
    assert private_folder(folder) == folder
    for place, mode, is_private in (
        (folder, 0o755, True),
        (folder, 0o757, False),
        (folder, 0o1757, False),
        (folder.parent, 0o757, False),
        (folder.parent, 0o555, True),
    ):
        place.chmod(mode)
        assert (private_folder(folder) is not None) == is_private, oct(mode)
        place.chmod(0o700)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert private_folder(link) == folder


@AS_ADMINISTRATOR
def test_a_folder_below_one_of_somebody_else_is_not_private(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "kernels"
    folder.mkdir(parents=True, mode=0o700)
    os.chown(folder.parent, SOMEBODY_ELSE, -1)
    assert private_folder(folder) is None
