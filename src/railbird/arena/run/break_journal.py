"""The hands of unfinished seatings on disk, from which an interrupted match resumes (`arena.play.breaks`).

It is an append-only text file next to a journal, and removed when the experiment is finished. Its first line is
{"schema": "railbird.breaks/1", "version": …}; every further line has some hands of a seating: {"match": digest of its
plan, "seating": …, "from": number of the first hand, "hands": [[[kind, to], …], …], "bookmarks": […]}.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from railbird import __version__
from railbird.arena.play.breaks import NOTHING_BEFORE, HandsBefore
from railbird.arena.play.match import Partial
from railbird.arena.play.plan import MatchPlan
from railbird.arena.run.growing_journal import GrowingJournal, JournalError, read_line
from railbird.arena.run.journal import plan_digest
from railbird.engine.actions import Action, ActionKind
from railbird.plain_data import require_like

SCHEMA = "railbird.breaks/1"
SUFFIX = ".unfinished"
WRITE_S = 2.0
"""How often the hands of a seating are written."""
_SHAPE = {"match": "", "seating": 0, "from": 0, "hands": [[[0]]]}

_Key = tuple[str, int]


def breaks_beside(journal: Path) -> Path:
    """The path of the hands of unfinished seatings next to a journal."""
    return journal.with_name(journal.name + SUFFIX)


class BreakJournal(GrowingJournal):
    """The hands of unfinished seatings; open and locked inside its `with` block."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._found: dict[_Key, HandsBefore] = {}
        self._unwritten: dict[_Key, tuple[int, HandsBefore]] = {}
        self._written: dict[_Key, float] = {}
        self._digests: dict[MatchPlan, str] = {}

    @property
    def hands(self) -> int:
        """The number of hands that are kept."""
        return sum(len(before.hands) for before in self._found.values())

    def find(self, plan: MatchPlan, seating: int) -> HandsBefore:
        """What was kept of a seating."""
        return self._found.get(self._key(plan, seating), NOTHING_BEFORE)

    def add(self, plan: MatchPlan, seating: int, part: Partial) -> None:
        """Keep new hands of a seating, if it can resume after them; they are on disk a little later."""
        new = part.before
        if not new.bookmarks:
            return
        key, first = self._key(plan, seating), part.hands - len(new.hands)
        begun, waiting = self._unwritten.get(key, (first, NOTHING_BEFORE))
        if begun + len(waiting.hands) != first:  # a worker was lost, and another one plays from the start
            begun, waiting = first, NOTHING_BEFORE
        if begun > len(self._found.get(key, NOTHING_BEFORE).hands):
            return  # hands before could not be kept
        self._unwritten[key] = begun, HandsBefore(waiting.hands + new.hands, new.bookmarks)
        if monotonic() - self._written.setdefault(key, monotonic()) > WRITE_S:
            with suppress(JournalError):  # on a full disk, the match goes on, and its hands are not kept
                self._write_hands(key)

    def forget(self, plan: MatchPlan) -> None:
        """A match is finished."""
        for seating in range(len(plan.seatings())):
            self._found.pop(self._key(plan, seating), None)
            self._unwritten.pop(self._key(plan, seating), None)

    def close(self) -> None:
        """Write what is not on disk yet, and close the file."""
        if self._file is not None:
            with suppress(JournalError):  # on a full disk, the last hands are not kept
                for key in tuple(self._unwritten):
                    self._write_hands(key)
        super().close()

    def _write_hands(self, key: _Key) -> None:
        first, new = self._unwritten.pop(key)
        self._write(
            {
                "match": key[0],
                "seating": key[1],
                "from": first,
                "hands": [[list(action) for action in hand] for hand in new.hands],
                "bookmarks": list(new.bookmarks),
            }
        )
        self._keep(key, first, new)
        self._written[key] = monotonic()

    def _keep(self, key: _Key, first: int, new: HandsBefore) -> None:
        hands = self._found.get(key, NOTHING_BEFORE).hands[:first] + new.hands
        self._found[key] = HandsBefore(hands, new.bookmarks)

    def _key(self, plan: MatchPlan, seating: int) -> _Key:
        if plan not in self._digests:
            self._digests[plan] = plan_digest(plan)
        return self._digests[plan], seating

    def _header(self) -> Mapping[str, Any]:
        return {"schema": SCHEMA, "version": __version__}

    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        if read_line(line) != header:
            raise JournalError(f"{self.path} belongs to another version")

    def _take(self, line: bytes, number: int) -> None:
        entry = read_line(line)
        try:
            require_like(entry, _SHAPE, f"line {number}")
            hands = tuple(tuple(Action(ActionKind(kind), to) for kind, to in hand) for hand in entry["hands"])
            self._keep(
                (entry["match"], entry["seating"]),
                entry["from"],
                HandsBefore(hands, tuple(entry["bookmarks"])),
            )
        except (ValueError, LookupError, TypeError):
            raise JournalError(f"line {number} of {self.path} is damaged") from None
