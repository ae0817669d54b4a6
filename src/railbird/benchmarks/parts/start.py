"""Speed of starting: what the first run compiles, and what every later run needs before it does anything.

All of it happens in processes of its own, measured by their processor time and that of the processes they start. The
first run finds an empty folder, and prepares the default table of `railbird play` in several processes. The modules of
Python are compiled before, as they are after an installation.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from railbird.benchmarks.measuring import Figure, bounded
from railbird.engine.games import named_game
from railbird.interfaces import DEFAULT_GAME
from railbird.interfaces.company import usual_opponents

COMPILE_S, HELP_S, IMPORT_MS, HAND_S = 20.0, 0.15, 60.0, 1.0
"""The required times."""
COMPILING_PROCESSES = 2
TURNS = 7
POLL_S = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")
_PREPARATION = "railbird.interfaces.web.thinking.preparation"
_IMPORT = "from time import process_time as now; start = now(); import railbird; print(now() - start)"


def figures() -> Iterator[Figure]:
    """The first run, then later ones."""
    seconds, of_processes, functions, forms = _first_run()
    yield bounded("first run: the default table compiled in an empty folder", [seconds], COMPILE_S, "s")
    for place, busy in enumerate(sorted(of_processes, reverse=True)[:COMPILING_PROCESSES], 1):
        yield bounded(f"first run: of that, compiling process {place}", [busy], COMPILE_S, "s")
    yield Figure(
        "first run: functions compiled, and the forms of them", forms, "functions", functions, "forms"
    )
    yield bounded("import railbird", _importing(), IMPORT_MS, "ms")
    yield bounded("railbird --help", _running("--help"), HELP_S, "s")
    seats = ",".join([*usual_opponents(named_game(DEFAULT_GAME)), "always-call"])
    yield bounded(
        "railbird match: one hand of the default table, everything included",
        _running("match", "--game", DEFAULT_GAME, "--seats", seats, "--hands", "1"),
        HAND_S,
        "s",
    )


def _first_run() -> tuple[float, list[float], int, int]:
    """Seconds of the preparation in all and of each process, the number of functions, and of their specialisations."""
    with TemporaryDirectory() as home:
        environment = {**_environment(), "RAILBIRD_HOME": home}
        environment.pop("NUMBA_CACHE_DIR", None)
        _processor_seconds([sys.executable, "-P", "-c", f"import {_PREPARATION}"], environment)
        before = _of_children()
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", _PREPARATION],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        of_processes: dict[int, float] = {}
        while process.poll() is None:
            of_processes.update(_of_descendants(process.pid))
            time.sleep(POLL_S)
        seconds = _of_children() - before
        endings = [path.suffix for path in Path(home).rglob("*")]
    if ".prepared" not in endings:
        raise RuntimeError("the default table could not be prepared")
    return seconds, list(of_processes.values()), endings.count(".nbi"), endings.count(".nbc")


def _of_descendants(process: int) -> dict[int, float]:
    """The processor times of all running processes that a process started, by id; on Linux only."""
    parents, seconds = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            fields = path.read_text().rpartition(")")[2].split()
            number = int(path.parent.name)
            parents[number] = int(fields[1])
            seconds[number] = (int(fields[11]) + int(fields[12])) / _TICKS
    found, newest = set[int](), {process}
    while newest:
        newest = {number for number, parent in parents.items() if parent in newest}
        found |= newest
    return {number: seconds[number] for number in found}


def _importing() -> list[float]:
    """Milliseconds."""
    command = [sys.executable, "-P", "-c", _IMPORT]
    return [
        1e3
        * float(
            subprocess.run(command, check=True, capture_output=True, text=True, env=_environment()).stdout
        )
        for _ in range(TURNS + 1)
    ][1:]


def _running(*arguments: str) -> list[float]:
    """The processor times of a command; the first turn warms up."""
    command = [sys.executable, "-P", "-m", "railbird", *arguments]
    seconds = [_processor_seconds(command, _environment()) for _ in range(TURNS + 1)]
    return seconds[1:]


def _processor_seconds(command: list[str], environment: Mapping[str, str]) -> float:
    before = _of_children()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return _of_children() - before


def _of_children() -> float:
    """The processor time of all processes that this one started and that have ended."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment() -> dict[str, str]:
    """That of this process, in which Python may keep its compiled modules."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
