"""Speed of the store: from the text of a log to rows on disk, and back."""

import asyncio
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import count
from operator import itemgetter
from pathlib import Path

from railbird.benchmarks.measuring import Figure, Work, compare_rates, if_installed
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.notation.acpc.log import read_log, write_log
from railbird.notation.formats import PHH
from railbird.rng import Stream
from railbird.store.sessions import (
    ActionsDone,
    Change,
    HandBegun,
    SessionBegun,
    StoredSession,
    StoredSessions,
)
from railbird.store.sources import Source
from railbird.store.store import open_store
from railbird.store.tables import METADATA

_GAME = "limit-2p"
_HANDS = 4000
_TABLES, _ACTIONS = 300, 20
_SOURCE = Source("bench", "bench")


def figures() -> Iterator[Figure]:
    """A log into SQLite against PokerKit's reading alone, and the rows alone against Python's own `sqlite3`."""
    records = _records(_HANDS)
    with tempfile.TemporaryDirectory(prefix="railbird-bench-") as name:
        folder = Path(name)
        yield compare_rates(
            "import of an ACPC log into SQLite",
            _import(folder, "".join(write_log(records)).splitlines(), len(records)),
            "PokerKit, reading PHH alone",
            _pokerkit_reading(records[:100]),
            unit="hands/s",
            required=5,
            turns=3,
        )
        yield compare_rates(
            "hands into SQLite",
            _add(folder, records),
            "sqlite3, the same rows without a digest",
            _bare_rows(folder, records),
            unit="hands/s",
            turns=3,
        )
        yield compare_rates(
            "hands out of SQLite",
            _read(folder, records),
            "PokerKit, reading PHH alone",
            _pokerkit_reading(records[:100]),
            unit="hands/s",
            turns=3,
        )
        yield compare_rates(
            f"actions at {_TABLES} tables into SQLite, by group commit",
            _journalled(folder),
            "a transaction for each action",
            _one_by_one(folder),
            unit="changes/s",
            turns=3,
        )


def _records(hands: int) -> list[HandRecord]:
    draw = random.Random(7)
    setup = Setup.of(named_game(_GAME))
    words = Stream.from_seed("bench").words()
    records = []
    for number in range(hands):
        state = State.deal(setup, words)
        while not state.is_over:
            state.act(draw.choice(state.legal_actions.kinds()))
        records.append(HandRecord.of(state, ("ann", "bob"), str(number)))
    return records


_numbers = count()


def _fresh(folder: Path) -> Path:
    return folder / f"{next(_numbers)}.db"


def _import(folder: Path, lines: list[str], hands: int) -> Work:
    rules = named_game(_GAME)

    def work() -> int:
        records = (reading for reading in read_log(lines, rules) if isinstance(reading, HandRecord))
        with open_store(_fresh(folder)) as store:
            assert store.add_hands(records, _SOURCE).new == hands
        return hands

    return work


def _add(folder: Path, records: list[HandRecord]) -> Work:
    def work() -> int:
        with open_store(_fresh(folder)) as store:
            return store.add_hands(records, _SOURCE).new

    return work


def _read(folder: Path, records: list[HandRecord]) -> Work:
    path = _fresh(folder)
    with open_store(path) as store:
        store.add_hands(records, _SOURCE)

    def work() -> int:
        with open_store(path) as store:
            return sum(1 for _ in store.hands())

    return work


def _bare_rows(folder: Path, records: list[HandRecord]) -> Work:
    """The rows of a finished store, inserted in one transaction into identical tables."""
    path = _fresh(folder)
    with open_store(path) as store:
        store.add_hands(records, _SOURCE)
    finished = sqlite3.connect(path)
    rows = {
        table.name: finished.execute(f"SELECT * FROM {table.name}").fetchall()
        for table in METADATA.sorted_tables
    }
    made = [sql for (sql,) in finished.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
    finished.close()

    def work() -> int:
        connection = sqlite3.connect(_fresh(folder))
        for statement in made:
            connection.execute(statement)
        for name, values in filter(itemgetter(1), rows.items()):
            places = ", ".join("?" * len(values[0]))
            connection.executemany(f"INSERT INTO {name} VALUES ({places})", values)
        connection.commit()
        connection.close()
        return len(records)

    return work


def _session(name: str) -> tuple[Change, ...]:
    session = StoredSession(name, "bench", "2026-01-01T00:00:00", False, {"game": _GAME})
    return SessionBegun(session), HandBegun(name, 1, {}, True)


def _journalled(folder: Path) -> Work:
    """Every table waits for its action to be stored before it acts again."""

    async def table(journal: SessionJournal, name: str) -> None:
        await journal.write(*_session(name))
        for actions in range(1, _ACTIONS + 1):
            await journal.write(ActionsDone(name, 1, " ".join("c" * actions)))

    async def play(sessions: StoredSessions) -> None:
        journal = SessionJournal(sessions)
        await asyncio.gather(*(table(journal, f"table {number}") for number in range(_TABLES)))
        await journal.close()

    def work() -> int:
        with open_store(_fresh(folder)) as store:
            asyncio.run(play(StoredSessions(store)))
        return _TABLES * _ACTIONS

    return work


def _one_by_one(folder: Path) -> Work:
    def work() -> int:
        with open_store(_fresh(folder)) as store:
            sessions = StoredSessions(store)
            sessions.write(_session("table"))
            for actions in range(1, _ACTIONS + 1):
                sessions.write([ActionsDone("table", 1, " ".join("c" * actions))])
        return _ACTIONS

    return work


@if_installed
def _pokerkit_reading(records: list[HandRecord]) -> Work:
    from pokerkit import HandHistory

    assert PHH.writer is not None
    texts = [PHH.writer().hand(record) for record in records]

    def work() -> int:
        for written in texts:
            for _ in HandHistory.loads(written):
                pass
        return len(texts)

    return work
