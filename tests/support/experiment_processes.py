"""Experiments in processes of their own, which tests may kill, and a look at what such a process leaves behind.

A process and all its descendants carry a mark in their environment, by which they are found whatever group, session or
parent they have by then.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from uuid import uuid4

from folders import SUPPORT
from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Duplicate, MatchPlan, entrants_of
from railbird.arena.run.journal import match_result_from_json, plan_to_json

MARK = "RAILBIRD_TEST_MARK"
SLOW = f"{SUPPORT / 'slow_agents.py'}:Slow"
EXPERIMENT = {"game": "limit-2p", "seed": "7"}
PATIENCE_S = 60.0

_SCRIPT = """
import json, os, sys, threading, time
from pathlib import Path
from railbird.arena.run.experiment import run_matches
from railbird.arena.run.journal import Journal, match_result_to_json, plan_from_json

def leave_with_the_test(parent=os.getppid()):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)

def show(progress):
    print(progress.matches, flush=True)

threading.Thread(target=leave_with_the_test, daemon=True).start()
experiment, journal, workers, plans = map(json.loads, sys.argv[1:])
with Journal(Path(journal), experiment) as opened:
    results = run_matches([plan_from_json(plan) for plan in plans], workers, opened, show)
print(json.dumps([match_result_to_json(result) for result in results]))
"""


def slow_plans(matches: int, hands: int = 10, agent: str = SLOW) -> list[MatchPlan]:
    """Duplicate matches against an agent that takes its time."""
    return [
        MatchPlan(
            "limit-2p",
            entrants_of([agent, "always-call"], trusted=True),
            hands,
            seed="7",
            name=("match", number),
            duplicate=Duplicate.PERMUTATIONS,
        )
        for number in range(matches)
    ]


class ExperimentProcess:
    """A process that runs matches and prints, for every finished seating, how many matches are finished.

    It lives no longer than its `with` block.
    """

    def __init__(self, plans: Sequence[MatchPlan], workers: str, journal: Path, **environment: str) -> None:
        self.mark = uuid4().hex
        arguments = (EXPERIMENT, str(journal), workers, [plan_to_json(plan) for plan in plans])
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SCRIPT, *map(json.dumps, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, MARK: self.mark, **environment},
            start_new_session=True,
        )

    def __enter__(self) -> "ExperimentProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()

    def wait_for_seatings(self, count: int) -> int:
        """Read on until that many more seatings are finished; the number of matches it has told of."""
        assert self.process.stdout is not None
        matches = 0
        for _ in range(count):
            line = self.process.stdout.readline()
            if not line.strip().isdigit():
                break
            matches = int(line)
        return matches

    def results(self) -> list[MatchResult]:
        """Wait for its end; the results that it printed."""
        output, errors = self.process.communicate(timeout=3 * PATIENCE_S)
        assert self.process.returncode == 0, errors
        return [match_result_from_json(result) for result in json.loads(output.splitlines()[-1])]

    def signal(self, number: int, *, everyone: bool = False) -> str:
        """Send a signal, as a terminal does to everyone in the foreground or kill -9 to one; what it then said."""
        if everyone:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)
        # Not `communicate`, which would wait for orphans that hold the same pipe.
        self.process.wait(PATIENCE_S)
        wait_until(lambda: not self.alive())
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def alive(self) -> list[int]:
        """It and its descendants, as far as they live."""
        return marked(self.mark)


def marked(mark: str) -> list[int]:
    """The processes with a mark."""
    return [
        int(folder.name)
        for folder in Path("/proc").iterdir()
        if folder.name.isdigit() and f"{MARK}={mark}".encode() in _environment(folder)
    ]


def _environment(folder: Path) -> bytes:
    try:
        return (folder / "environ").read_bytes()
    except OSError:
        # It ended meanwhile, or belongs to somebody else.
        return b""


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens soon, unless it never does."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
