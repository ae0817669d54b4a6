"""Journals of runs without a file for their results: in the user's data folder, until the run is finished.

The same run finds its journal again. A journal is removed when its run is finished; unfinished ones are removed after
`DAYS` days, and the oldest if there are more than `MOST`. The folder `journals` may be deleted at any time.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any

from railbird.arena.play.match import MatchResult
from railbird.arena.run.break_journal import breaks_beside
from railbird.arena.run.growing_journal import JournalError, canonical
from railbird.arena.run.journal import SUFFIX, Journal
from railbird.places import data_folder

DAYS = 30
MOST = 50
_DAY_S = 86_400


@contextmanager
def kept_journal(kind: str, experiment: Mapping[str, Any]) -> Iterator[Journal | None]:
    """The journal of a run, which is removed at the end of the block, unless an error or Ctrl-C ends it.

    None if there cannot be one: the folder cannot be written, or the same run is in progress elsewhere.
    """
    path = data_folder() / "journals" / f"{kind}-{sha256(canonical(experiment)).hexdigest()[:16]}{SUFFIX}"
    try:
        _make_room(path)
        journal = _OptionalJournal(path, experiment).__enter__()
    except (OSError, JournalError):
        yield None
        return
    is_over = False
    try:
        yield journal
        is_over = True
    finally:
        if is_over or (journal.is_empty and not breaks_beside(path).exists()):
            path.unlink(missing_ok=True)
        journal.close()


class _OptionalJournal(Journal):
    """A journal that nobody asked for: on a full disk, the run goes on without keeping what is new."""

    def add(self, result: MatchResult, *, keep_log: bool = False) -> None:
        with suppress(JournalError):
            super().add(result, keep_log=keep_log)

    def add_note(self, name: str, value: Any) -> None:
        with suppress(JournalError):
            super().add_note(name, value)


def _make_room(path: Path) -> None:
    """Create the folder of journals, and remove old ones."""
    path.parent.mkdir(parents=True, exist_ok=True)
    others = sorted(
        ((found.stat().st_mtime, found) for found in path.parent.glob(f"*{SUFFIX}") if found != path),
        reverse=True,
    )
    for place, (changed, found) in enumerate(others, start=2):
        if place > MOST or time() - changed > DAYS * _DAY_S:
            for each in (found, breaks_beside(found)):
                each.unlink(missing_ok=True)
