"""The hands of unfinished seatings on disk, from which an interrupted match resumes (`arena.play.breaks`).

It is an append-only text file next to a journal, and removed when the experiment is finished. Its first line is
{"schema": "railbird.breaks/2", "version": …}; every further line has some hands of a seating: {"match": digest of its
plan, "seating": …, "from": number of the first hand, "hands": [[[kind, to], …], …], "notes": [[…], …], "bookmarks":
[…]}. If it cannot be written, the match goes on, and its new hands are not kept (`problem`).
"""

from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any

from railbird import __version__
from railbird.arena.play.breaks import NOTHING_BEFORE, HandsBefore, PastHand
from railbird.arena.play.match import Partial
from railbird.arena.play.plan import MatchPlan
from railbird.arena.run.growing_journal import GrowingJournal, JournalError, read_line
from railbird.arena.run.journal import plan_digest
from railbird.engine.actions import Action, ActionKind
from railbird.plain_data import require_like

SCHEMA = "railbird.breaks/2"
SUFFIX = ".unfinished"
WRITE_S = 2.0
"""How often the hands of a seating are written."""
_SHAPE = {"match": "", "seating": 0, "from": 0, "hands": [[[0]]], "notes": [[]]}

_Key = tuple[str, int]


def breaks_beside(journal: Path) -> Path:
    """The path of the hands of unfinished seatings next to a journal."""
    return journal.with_name(journal.name + SUFFIX)


class BreakJournal(GrowingJournal):
    """The hands of unfinished seatings; open and locked inside its `with` block."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.problem = ""
        """Why hands could not be written."""
        self._found: dict[_Key, HandsBefore] = {}
        """What an earlier run kept."""
        self._written: dict[_Key, int] = {}
        """The number of hands on disk."""
        self._unwritten: dict[_Key, tuple[int, HandsBefore]] = {}
        self._times: dict[_Key, float] = {}
        """When hands were last written."""
        self._digests: dict[MatchPlan, str] = {}

    @property
    def hands(self) -> int:
        """The number of hands that are kept, or will be when the journal is closed."""
        waiting = {key: first + len(new.hands) for key, (first, new) in self._unwritten.items()}
        return sum((self._written | waiting).values())

    def find(self, plan: MatchPlan, seating: int) -> HandsBefore:
        """What an earlier run kept of a seating."""
        return self._found.get(self._key(plan, seating), NOTHING_BEFORE)

    def add(self, plan: MatchPlan, seating: int, part: Partial) -> None:
        """Keep new hands of a seating, if it can resume after them; they are on disk a little later."""
        new = part.before
        if not new.bookmarks or self._file is None:
            return
        key, first = self._key(plan, seating), part.hands - len(new.hands)
        begun, waiting = self._unwritten.get(key, (first, NOTHING_BEFORE))
        if begun + len(waiting.hands) != first:  # a worker was lost, and another one plays from the start
            begun, waiting = first, NOTHING_BEFORE
        if begun > self._written.get(key, 0):
            return  # hands before could not be kept
        self._unwritten[key] = begun, HandsBefore(waiting.hands + new.hands, new.bookmarks)
        if monotonic() - self._times.setdefault(key, monotonic()) > WRITE_S:
            self._write_hands(key)

    def forget(self, plan: MatchPlan) -> None:
        """A match is finished."""
        for seating in range(len(plan.seatings())):
            for kept in (self._found, self._written, self._unwritten):
                kept.pop(self._key(plan, seating), None)

    def close(self) -> None:
        """Write what is not on disk yet, and close the file."""
        if self._file is not None:
            for key in tuple(self._unwritten):
                self._write_hands(key)
        super().close()

    def _write_hands(self, key: _Key) -> None:
        """Write the new hands of a seating; on a full disk, neither they nor later ones are kept."""
        first, new = self._unwritten.pop(key)
        notes = [list(hand.notes) for hand in new.hands]
        self._times[key] = monotonic()
        try:
            self._write(
                {
                    "match": key[0],
                    "seating": key[1],
                    "from": first,
                    "hands": [[list(action) for action in hand.actions] for hand in new.hands],
                    "notes": notes if any(notes) else [],
                    "bookmarks": list(new.bookmarks),
                }
            )
        except JournalError as error:
            self.problem = str(error)
            return
        self._written[key] = first + len(new.hands)

    def _key(self, plan: MatchPlan, seating: int) -> _Key:
        if plan not in self._digests:
            self._digests[plan] = plan_digest(plan)
        return self._digests[plan], seating

    def _header(self) -> Mapping[str, Any]:
        return {"schema": SCHEMA, "version": __version__}

    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        if read_line(line) != header:
            raise JournalError(f"{self.path} belongs to another version of Railbird")

    def _take(self, line: bytes, number: int) -> None:
        entry = read_line(line)
        try:
            require_like(entry, _SHAPE, f"line {number}")
            actions = [tuple(Action(ActionKind(kind), to) for kind, to in hand) for hand in entry["hands"]]
            notes = entry["notes"] or [()] * len(actions)
            new = tuple(PastHand(did, tuple(noted)) for did, noted in zip(actions, notes, strict=True))
            key, first = (entry["match"], entry["seating"]), entry["from"]
            hands = self._found.get(key, NOTHING_BEFORE).hands[:first] + new
            self._found[key] = HandsBefore(hands, tuple(entry["bookmarks"]))
            self._written[key] = len(hands)
        except (ValueError, LookupError, TypeError):
            raise JournalError(f"line {number} of {self.path} is damaged") from None
