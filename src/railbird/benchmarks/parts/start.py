"""Speed of starting: what the first run compiles, and what every later run needs before it does anything.

All of it happens in processes of its own, measured by their processor time and that of the processes they start. The
first run finds an empty folder, and prepares the default table of `railbird play`.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from railbird.benchmarks.measuring import Figure, bounded
from railbird.engine.games import named_game
from railbird.interfaces import DEFAULT_GAME
from railbird.interfaces.company import usual_opponents

COMPILE_S, HELP_S, IMPORT_MS, HAND_S = 20.0, 0.15, 60.0, 1.0
"""The required times."""
TURNS = 7
_PREPARATION = "railbird.interfaces.web.thinking.preparation"
_IMPORT = "from time import process_time as now; start = now(); import railbird; print(now() - start)"


def figures() -> Iterator[Figure]:
    """The first run, then later ones."""
    seconds, functions, forms = _first_run()
    yield bounded("first run: the default table compiled in an empty folder", [seconds], COMPILE_S, "s")
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


def _first_run() -> tuple[float, int, int]:
    """Seconds of the preparation, the number of functions compiled, and the number of their specialisations."""
    with TemporaryDirectory() as home:
        environment = {**os.environ, "RAILBIRD_HOME": home}
        environment.pop("NUMBA_CACHE_DIR", None)
        seconds = _processor_seconds([sys.executable, "-P", "-m", _PREPARATION], environment)
        endings = [path.suffix for path in Path(home).rglob("*")]
    if ".prepared" not in endings:
        raise RuntimeError("the default table could not be prepared")
    return seconds, endings.count(".nbi"), endings.count(".nbc")


def _importing() -> list[float]:
    """Milliseconds."""
    command = [sys.executable, "-P", "-c", _IMPORT]
    return [
        1e3 * float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(TURNS)
    ]


def _running(*arguments: str) -> list[float]:
    """The processor times of a command; the first turn warms up."""
    command = [sys.executable, "-P", "-m", "railbird", *arguments]
    seconds = [_processor_seconds(command, os.environ) for _ in range(TURNS + 1)]
    return seconds[1:]


def _processor_seconds(command: list[str], environment: Mapping[str, str]) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
