"""The expert that SARTRE watches in these experiments: the solved strategy of heads-up limit hold'em."""

from pathlib import Path

from railbird.arena.run.contest import match
from railbird.cbr.packs.files import Pack
from railbird.experiments.frame import Laboratory
from railbird.learning.packs import watch

GAME = "limit-2p"
EXPERT = "equilibrium"
HANDS = 150_000
"""Number of hands watched: both players of each, about a million decisions, as many as in table 2."""


def watched(laboratory: Laboratory, folder: Path, system: str) -> Pack:
    """What the expert did in hands against itself, as cases of a system."""
    hands = laboratory.sized(HANDS, 100)
    log = folder / f"{EXPERT}-{hands}.log"
    if not log.exists():
        unfinished = log.with_suffix(".unfinished")
        match([EXPERT, EXPERT], game=GAME, hands=hands, seed=f"sartre {laboratory.seed}", log=unfinished)
        unfinished.replace(log)
    return watch(log, system=system).pack
