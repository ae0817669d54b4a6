"""How memory and disk grow: a store of hands, and a tournament.

Commands run in processes of their own, whose peak memory the operating system knows. Each runs at two sizes, the second
ten times the first, so that one sees whether memory grows with the number of hands. `growth` measures the memory of
cases.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from railbird.benchmarks.measuring import Figure, plain

HANDS = (100_000, 1_000_000)
_PLAYERS = ("always-call", "random", "always-raise")
_MATCH = 100
"""Hands of a match of the tournament, in which every pair of players meets equally often."""
_MB = 1e6
_MEASURE = """
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage
subprocess.run([sys.executable, "-P", "-m", *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL)
print(getrusage(RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small program that starts the command: a process begins with the peak memory of the one that started it."""


def figures() -> Iterator[Figure]:
    """A hand in the store, then the memory of importing, counting and playing at both sizes."""
    with TemporaryDirectory(prefix="railbird-bench-") as name:
        folder = Path(name)
        yield from _store(folder)
        for hands in HANDS:
            pairs = len(_PLAYERS) * (len(_PLAYERS) - 1) // 2
            peak = peak_mb(
                *("tournament", "--game", "limit-2p", "--agents", ",".join(_PLAYERS)),
                *(
                    "--hands",
                    _MATCH,
                    "--matches",
                    hands // (_MATCH * pairs),
                    "--json",
                    folder / f"{hands}.json",
                ),
            )
            yield plain(f"tournament of {hands:,} hands: peak memory", [peak], "MB")


def _store(folder: Path) -> Iterator[Figure]:
    sizes = []
    for hands in HANDS:
        log, store = folder / f"{hands}.log", folder / f"{hands}.db"
        peak_mb(
            "selfplay", "--game", "limit-2p", "--seats", ",".join(_PLAYERS[:2]), "--hands", hands, "-o", log
        )
        importing = peak_mb("import", log, "--store", store)
        yield plain(f"import of {hands:,} hands into SQLite: peak memory", [importing], "MB")
        counting = peak_mb("stats", store, "--player", _PLAYERS[1])
        yield plain(f"statistics of a player in {hands:,} stored hands: peak memory", [counting], "MB")
        sizes.append(store.stat().st_size)
    stored = (sizes[1] - sizes[0]) / (HANDS[1] - HANDS[0])
    yield plain("disk space of a hand in SQLite", [stored], "bytes")


def peak_mb(*arguments: object) -> float:
    """The peak memory of a command in megabytes; a command that fails is an error."""
    words = ["railbird", *map(str, arguments)]
    measured = subprocess.run(
        [sys.executable, "-P", "-c", _MEASURE, *words], capture_output=True, text=True, check=False
    )
    if measured.returncode:
        raise RuntimeError(f"{' '.join(words)} failed: {measured.stderr.strip()}")
    bytes_per_unit = 1 if sys.platform == "darwin" else 1024
    return int(measured.stdout) * bytes_per_unit / _MB
