"""Passes the hands of files to a learner: files are identified by their digests, and their hands are counted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from railbird.agents.system import System
from railbird.engine.actions import ActionError
from railbird.engine.record import HandRecord
from railbird.learning.recipes import WatchedFile
from railbird.notation.reading import BadHand
from railbird.notation.sources import Listen, Refused, Sources

MANY_BYTES = 7_500_000
"""Size of files from which on tables are built first: about 100,000 hands of an ACPC log, heads-up.

Watching both players of so many hands, SARTRE's tables save the 16 seconds that building them takes.
"""


@dataclass(slots=True)
class ReadHands:
    """The files read, and the hands that could not be used."""

    files: tuple[WatchedFile, ...]
    refused: Refused = field(default_factory=Refused)


def prepare(system: System, sources: Sources, progress: Listen | None) -> None:
    """Let a system build its tables, in the cache folder, if there are many hands to watch."""
    if system.prepare is not None:
        files = [file for file in sources.files()[0] if isinstance(file, Path)]
        if sum(file.stat().st_size for file in files) >= MANY_BYTES:
            system.prepare(progress)


def read_into(
    learner: Callable[[HandRecord, str], None],
    sources: Sources,
    progress: Listen | None,
    refusals: type[Exception] = ActionError,
) -> ReadHands:
    """Pass every hand to a learner, with the name of its file; hands that it refuses count as bad."""
    watched = {str(path): WatchedFile.of(path) for path in map(Path, sources.files()[0])}
    read = ReadHands(tuple(watched.values()))
    for found in sources.hands(progress):
        file = watched[found.source]
        reason = None
        if isinstance(found.reading, BadHand):
            reason = found.reading.reason
        else:
            try:
                learner(found.reading, file.name)
            except refusals as error:
                reason = str(error)
        if reason is None:
            file.hands += 1
        else:
            file.bad += 1
            read.refused.note(found.where, reason)
    return read
