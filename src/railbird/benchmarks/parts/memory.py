"""How memory and disk grow: a store of hands, and a tournament.

Commands run in processes of their own, whose peak memory and processor time the operating system knows. Each runs at
two sizes; what a hand adds is the difference. The figures for 10 million hands and for a day would take hours to
measure, so they are extrapolated from that difference, and their names say so. They are upper bounds: between
the two sizes, trees of betting situations grow too, and caches that keep them, both of which have limits. `growth`
measures the memory of 10 million cases.

SQLite keeps up to 128 MB of a store in memory, so that at these sizes importing takes more memory with every hand that
the store grows by. What a hand adds is therefore counted without the growth of the store, and SQLite's memory is added
once.
"""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from railbird.benchmarks.measuring import Figure, plain

HANDS = (50_000, 200_000)
TOURNAMENT_HANDS = (300_000, 600_000)
MANY = 10_000_000
DAY_S = 86_400
_PLAYERS = ("always-call", "random", "always-raise")
_MATCH = 100
"""Hands of a match of the tournament, in which every pair of players meets equally often."""
_MB = 1e6
_SLOW_HAND_S = 0.008
"""The processor time of a hand of Pokibots and Simbots."""
_SQLITE_MB = 128 * 1024**2 / _MB
"""SQLite's memory for a store."""
_MEASURE = """
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage
subprocess.run([sys.executable, "-P", *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL)
used = getrusage(RUSAGE_CHILDREN)
print(used.ru_maxrss, used.ru_utime + used.ru_stime)
"""
"""A small program that starts the other: a process begins with the peak memory of the one that started it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process used."""

    peak_mb: float
    seconds: float
    """Of processor time."""


def figures() -> Iterator[Figure]:
    """A store, then a tournament: at both sizes, and extrapolated."""
    with TemporaryDirectory(prefix="railbird-bench-") as name:
        folder = Path(name)
        yield from _store(folder)
        yield from _tournament(folder)


def _store(folder: Path) -> Iterator[Figure]:
    sizes, imports, counts = [], [], []
    for hands in HANDS:
        log, store = folder / f"{hands}.log", folder / f"{hands}.db"
        peak_mb(
            "selfplay", "--game", "limit-2p", "--seats", ",".join(_PLAYERS[:2]), "--hands", hands, "-o", log
        )
        imports.append(peak_mb("import", log, "--store", store))
        yield plain(f"import of {hands:,} hands into SQLite: peak memory", imports[-1:], "MB")
        counts.append(peak_mb("stats", store, "--player", _PLAYERS[1]))
        yield plain(f"statistics of a player in {hands:,} stored hands: peak memory", counts[-1:], "MB")
        sizes.append(store.stat().st_size / _MB)
    yield plain("disk space of a hand in SQLite", [_MB * slope(HANDS, sizes)], "bytes")
    yield plain(
        f"{MANY:,} hands in SQLite: disk space, extrapolated", [at_size(MANY, HANDS, sizes) / 1e3], "GB"
    )
    for what, peaks in (("import", imports), ("statistics", counts)):
        mb = at_size(MANY, HANDS, without_cache(peaks, sizes)) + _SQLITE_MB
        yield plain(f"{what} of {MANY:,} hands: peak memory, extrapolated", [mb / 1e3], "GB")


def _tournament(folder: Path) -> Iterator[Figure]:
    pairs = len(_PLAYERS) * (len(_PLAYERS) - 1) // 2
    used, played, sizes = [], [], []
    for hands in TOURNAMENT_HANDS:
        results = folder / f"{hands}.json"
        matches = hands // (_MATCH * pairs)
        played.append(matches * _MATCH * pairs)
        command = ("tournament", "--game", "limit-2p", "--agents", ",".join(_PLAYERS))
        used.append(
            usage_of("-m", "railbird", *command, "--hands", _MATCH, "--matches", matches, "--json", results)
        )
        sizes.append(results.stat().st_size / _MB)
        yield plain(f"tournament of {played[-1]:,} hands: peak memory", [used[-1].peak_mb], "MB")
    peaks = [each.peak_mb for each in used]
    yield plain(
        f"match of {_MATCH} hands in a tournament: memory", [_MB * _MATCH * slope(played, peaks)], "bytes"
    )
    of_baselines = round(DAY_S / slope(played, [each.seconds for each in used]))
    for whom, day in (
        ("baselines", of_baselines),
        (f"agents that take {_SLOW_HAND_S:g} s for a hand", round(DAY_S / _SLOW_HAND_S)),
    ):
        name = f"tournament of a day of {whom}"
        yield plain(f"{name} on one core, extrapolated", [day / 1e6], "million hands")
        yield plain(f"{name}: peak memory, extrapolated", [at_size(day, played, peaks) / 1e3], "GB")
        yield plain(f"{name}: results, extrapolated", [at_size(day, played, sizes) / 1e3], "GB")


def slope(sizes: tuple[int, int] | list[int], values: list[float]) -> float:
    """What each unit of size adds to the value."""
    return (values[1] - values[0]) / (sizes[1] - sizes[0])


def at_size(size: int, sizes: tuple[int, int] | list[int], values: list[float]) -> float:
    """The value at another size, if it grows by as much for each unit as between the two sizes, and never shrinks."""
    return values[1] + max(0.0, slope(sizes, values)) * (size - sizes[1])


def without_cache(peaks: list[float], sizes: list[float]) -> list[float]:
    """Peaks of memory in MB without what SQLite kept of stores of these sizes."""
    return [peak - min(size, _SQLITE_MB) for peak, size in zip(peaks, sizes, strict=True)]


def peak_mb(*arguments: object) -> float:
    """The peak memory of a command in megabytes; a command that fails is an error."""
    return usage_of("-m", "railbird", *arguments).peak_mb


def usage_of(*arguments: object) -> Usage:
    """What a Python program used; one that fails is an error."""
    words = [str(each) for each in arguments]
    measured = subprocess.run(
        [sys.executable, "-P", "-c", _MEASURE, *words], capture_output=True, text=True, check=False
    )
    if measured.returncode:
        raise RuntimeError(f"{' '.join(words[1:])} failed: {measured.stderr.strip()}")
    bytes_per_unit = 1 if sys.platform == "darwin" else 1024
    peak, seconds = measured.stdout.split()
    return Usage(int(peak) * bytes_per_unit / _MB, float(seconds))
