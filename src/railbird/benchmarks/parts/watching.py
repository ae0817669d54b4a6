"""Speed of watching: hands of a log into cases, for one of two players, in processor time.

The hands are those of a solved strategy against itself, and all hole cards are known. Tables of strength are in the
cache folder, as they are when many hands are watched; they are built first if necessary.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from railbird.arena.run.contest import match
from railbird.benchmarks.measuring import Figure, bounded
from railbird.learning.packs import watch
from railbird.learning.systems import system_named

HANDS = 20_000
TURNS = 3
GAMES = (
    ("sartre", "limit-2p", 5000.0),
    ("sartre-nl", "nolimit-2p", 5000.0),
    ("sartre-3p", "limit-3p", 5000.0),
)
"""Systems, games, and the hands a second that are required."""


def figures() -> Iterator[Figure]:
    """Hands watched in a second, by system."""
    for system, game, bound in GAMES:
        yield bounded(f"watching one player as {system}", hands_per_second(system, game), bound, "hands/s")


def hands_per_second(system: str, game: str, hands: int = HANDS) -> list[float]:
    """How many hands are watched in a second, in each turn; the first time only warms up."""
    players = 3 if game.endswith("3p") else 2
    with TemporaryDirectory() as folder:
        log = Path(folder) / "hands.log"
        match(["equilibrium"] * players, game=game, hands=hands, seed="bench watching", log=log)
        learner = system_named(system)
        if learner.prepare is not None:
            learner.prepare(None)
        watch(log, ["equilibrium 1"], system=system)
        rates = []
        for _ in range(TURNS):
            start = process_time()
            watch(log, ["equilibrium 1"], system=system)
            rates.append(hands / (process_time() - start))
        return rates
