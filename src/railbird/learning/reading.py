"""Passes the hands of files to a learner: files are identified by their digests, and their hands are counted."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from railbird.agents.system import System
from railbird.engine.actions import ActionError
from railbird.engine.record import HandRecord
from railbird.learning.recipes import WatchedFile
from railbird.notation.files import STANDARD_INPUT, HandFileError
from railbird.notation.reading import BadFile, BadHand
from railbird.notation.refusals import Refused
from railbird.notation.sources import Listen, Sources
from railbird.store.addresses import StoreError

MANY_BYTES = 7_500_000
"""Size of files from which on tables are built first: about 100,000 hands of an ACPC log, heads-up.

Watching both players of so many hands, SARTRE's tables save the 16 seconds that building them takes.
"""


@dataclass(frozen=True, slots=True)
class ReadHands:
    """The files read, and the hands that could not be used."""

    files: tuple[WatchedFile, ...]
    refused: Refused


def prepare(system: System, sources: Sources, progress: Listen | None) -> None:
    """Let a system build its tables, in the cache folder, if there are many hands to watch."""
    if system.prepare is not None:
        files = [file for file in sources.files() if isinstance(file, Path)]
        if sum(file.stat().st_size for file in files) >= MANY_BYTES:
            system.prepare(progress)


def read_into(
    learner: Callable[[HandRecord, str], None],
    sources: Sources,
    progress: Listen | None,
    refusals: type[Exception] = ActionError,
    bad: Path | None = None,
) -> ReadHands:
    """Pass every hand to a learner, with the name of its file; those that cannot be used are kept in `bad`."""
    watched = _watched(sources)
    with Refused(bad) as refused:
        for found in sources.hands(progress):
            reading = found.reading
            if isinstance(reading, BadFile):
                refused.add(found)
                if found.source in watched and not watched[found.source].hands:
                    del watched[found.source]
                continue
            file = watched[found.source]
            reason = None
            if isinstance(reading, BadHand):
                reason = reading.reason
            else:
                try:
                    learner(reading, file.name)
                except refusals as error:
                    reason = str(error)
            if reason is None:
                file.hands += 1
            else:
                file.bad += 1
                refused.add(found, reason)
    return ReadHands(tuple(watched.values()), refused)


def _watched(sources: Sources) -> dict[str, WatchedFile]:
    """The files that can be read, by name."""
    watched = {}
    for file in sources.files():
        if file == STANDARD_INPUT:
            raise HandFileError("the standard input cannot be used: every source is identified by its hash")
        with suppress(StoreError):  # the file is reported when its hands are to be read
            watched[str(file)] = WatchedFile.of(Path(file))
    return watched
