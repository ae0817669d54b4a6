"""Workers are forked from a server that has loaded what they need, and know of this process what spawned ones would."""

import atexit
import gc
import os
import signal
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from types import ModuleType

import numpy as np
import pytest

from railbird.arena.run.fork_server import FORKS, own_command
from railbird.arena.run.pool import run_in_pool
from railbird.arena.run.workers import kept_workers

pytestmark = pytest.mark.skipif(not FORKS, reason="workers are spawned here")


@dataclass(frozen=True, slots=True)
class Seen:
    """What a job sees of its worker."""

    worker: int
    server: int
    has_everything: bool
    frozen_objects: int
    drawn: float
    home: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """A job that looks around, and waits a moment so that another worker takes the next one."""

    def play(self, tell: object = None) -> Seen:
        sleep(0.2)
        return Seen(
            os.getpid(),
            os.getppid(),
            "railbird.arena.run.preloaded" in sys.modules,
            gc.get_freeze_count(),
            np.random.random(),  # the global generator is what this is about
            os.environ.get("RAILBIRD_HOME"),
        )


@dataclass(frozen=True, slots=True)
class WriteAtTheEnd:
    """A job that leaves something to do for the end of its worker."""

    path: Path

    def play(self, tell: object = None) -> bool:
        atexit.register(self.path.write_text, "done")
        return True


def look(jobs: int = 1) -> list[Seen]:
    return outcomes(run_in_pool([Look()] * jobs, jobs))


def outcomes(answers: Iterable[tuple[int, Seen]]) -> list[Seen]:
    return [seen for _, seen in answers]


def test_workers_are_forked_from_one_process_that_has_loaded_everything() -> None:
    first, second = look(2)
    assert first.has_everything
    assert first.worker != second.worker
    assert first.server == second.server != os.getpid()


def test_the_collector_of_a_worker_ignores_what_the_server_has_loaded() -> None:
    (seen,) = look()
    assert seen.frozen_objects > 50_000  # numba alone has more


@pytest.mark.parametrize(
    ("module", "preloaded"),
    [("railbird.cli", ["railbird.cli"]), ("railbirds.cli", []), ("__main__", []), (None, [])],
)
def test_the_server_loads_our_own_command_and_no_program_of_a_user(
    monkeypatch: pytest.MonkeyPatch, module: str | None, preloaded: list[str]
) -> None:
    program = ModuleType("__main__")
    if module is not None:
        program.main = type("start", (), {"__module__": module})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "__main__", program)
    assert list(own_command()) == preloaded


def test_workers_do_not_share_a_random_generator() -> None:
    first, second = look(2)
    assert first.drawn != second.drawn


def test_a_worker_has_the_environment_that_this_process_has_now(monkeypatch: pytest.MonkeyPatch) -> None:
    look()
    monkeypatch.setenv("RAILBIRD_HOME", "/somewhere/else")
    assert [seen.home for seen in look()] == ["/somewhere/else"]


def test_a_killed_server_is_replaced_and_its_workers_go_on() -> None:
    with kept_workers():
        (before,) = look()
        os.kill(before.server, signal.SIGKILL)
        assert [seen.worker for seen in look()] == [before.worker]
        old, new = sorted(look(2), key=lambda seen: seen.worker != before.worker)
    assert old.worker == before.worker
    assert new.server != before.server
    assert new.has_everything


def test_what_an_agent_left_for_the_end_of_its_worker_is_done(tmp_path: Path) -> None:
    assert list(run_in_pool([WriteAtTheEnd(tmp_path / "note")], 1)) == [(0, True)]
    assert (tmp_path / "note").read_text() == "done"
