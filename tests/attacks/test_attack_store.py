"""Who else has an account on the machine cannot read a store, and a server does not keep sessions for ever."""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_IMODE
from time import monotonic, sleep

import pytest

from played_sessions import a_session, writes_of
from railbird.interfaces.web.server import signing_key
from railbird.interfaces.web.table import keeper as table_keeper
from railbird.interfaces.web.table.keeper import TableKeeper
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.thinking.thinkers import Thinkers
from railbird.store.sessions import HandBegun, SessionBegun, SessionFinished, SessionOpened, StoredSessions
from railbird.store.sources import Source
from railbird.store.store import Store, open_store
from web_client import LONG, served_process, serving


@pytest.fixture
def open_umask() -> Iterator[None]:
    """New files would be readable and writable by everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def permissions(path: Path) -> int:
    return S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("open_umask")
def test_a_new_store_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "hands.db"
    with open_store(path) as store:
        assert permissions(path) == 0o600
        assert permissions(_written_to(path, "DELETE")) == 0o600
        signing_key(store.address)
    assert permissions(tmp_path / "hands.db.signing-key") == 0o600


@pytest.mark.usefixtures("open_umask")
def test_a_write_ahead_log_of_a_store_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "hands.db"
    open_store(path).close()
    assert permissions(_written_to(path, "WAL")) == 0o600


def _written_to(path: Path, mode: str) -> Path:
    """The journal that SQLite writes in a mode, which is there while something is being written."""
    journal = path.with_name(path.name + {"DELETE": "-journal", "WAL": "-wal"}[mode])
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE more (number)")
        found = journal.with_suffix(".seen")
        os.link(journal, found)  # the journal itself goes with the connection
    finally:
        connection.close()
    return found


@pytest.mark.usefixtures("open_umask")
def test_a_store_that_was_opened_to_others_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "hands.db"
    open_store(path).close()
    path.chmod(0o664)
    open_store(path).close()
    assert permissions(path) == 0o664


@pytest.mark.usefixtures("open_umask")
def test_the_tournaments_of_a_server_are_for_its_owner_only(tmp_path: Path) -> None:
    with serving(tmp_path / "hands.db"):
        assert permissions(tmp_path / "hands.db.tournaments") == 0o700


# What is kept


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


def play(stored: StoredSessions, session: str, hands: int) -> None:
    """A session that began in 2012 and has so many finished hands."""
    stored.write([SessionBegun(a_session(session))])
    for number in range(1, hands + 1):
        stored.write([change for changes in writes_of(session, number) for change in changes])


def left_long_ago(stored: StoredSessions, session: str) -> None:
    """A session of one hand that was played and left in 2012."""
    play(stored, session, 1)
    stored.write([SessionFinished(session)])
    with stored.store._writing() as connection:
        connection.exec_driver_sql(
            f"UPDATE sessions SET used = '2012-03-05T01:00:00+00:00' WHERE id = '{session}'"
        )


def kept_by(store: Store, keep_days: int, meanwhile: Callable[[TableKeeper], None] = lambda _: None) -> None:
    """Let a keeper remove what is old."""

    async def prune() -> None:
        stored, journal = StoredSessions(store), SessionJournal(StoredSessions(store))
        keeper = TableKeeper(stored, journal, Thinkers(1), keep_days)
        meanwhile(keeper)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table_keeper, "_PAUSE_S", 0.0)
            await keeper.prune()
        await journal.close()

    asyncio.run(prune())


def hands_of(store: Store, session: str) -> int:
    """How many hands of a session are among those of all sources."""
    return sum(each.hands for each in store.sources() if each.digest == Source.of_session(session).digest)


def test_what_ended_long_ago_is_removed_with_its_hands(store: Store) -> None:
    stored = StoredSessions(store)
    for number in range(25):
        left_long_ago(stored, f"old {number:02}")
    play(stored, "other", 5)
    kept_by(store, 90)
    assert [stored.session(f"old {number:02}") for number in range(25)] == [None] * 25
    assert hands_of(store, "old 00") == 0
    assert (hands_of(store, "other"), store.count()) == (5, 5)


def test_what_was_left_a_moment_ago_stays_however_early_it_began(store: Store) -> None:
    stored = StoredSessions(store)
    play(stored, "evening", 5)
    stored.write([SessionFinished("evening")])
    kept_by(store, 90)
    assert stored.session("evening") is not None
    assert hands_of(store, "evening") == 5


def test_hands_of_a_session_that_goes_on_stay(store: Store) -> None:
    stored = StoredSessions(store)
    play(stored, "evening", 3)
    play(stored, "only dealt", 0)
    stored.write([HandBegun("only dealt", 1, {"cards": "AhKs"}, True)])
    kept_by(store, 1)
    assert len(stored.hands("evening")) == 3
    assert len(stored.hands("only dealt")) == 1


def test_a_session_without_hands_goes_unless_somebody_opened_its_table(store: Store) -> None:
    stored = StoredSessions(store)
    stored.write(
        [SessionBegun(a_session("empty")), SessionBegun(a_session("opened")), SessionOpened("opened")]
    )
    kept_by(store, 90)
    assert stored.session("empty") is None
    assert stored.session("opened") is not None


def test_a_session_whose_table_is_open_stays(store: Store) -> None:
    stored = StoredSessions(store)
    for session in ("first", "looked at", "third"):
        left_long_ago(stored, session)

    def open_one(keeper: TableKeeper) -> None:
        keeper._tables["looked at"] = None  # type: ignore[assignment]

    kept_by(store, 90, open_one)
    kept = [each for each in ("first", "looked at", "third") if stored.session(each) is not None]
    assert kept == ["looked at"]


@pytest.mark.parametrize(("days", "kept"), [(30, False), (0, True)])
def test_a_server_removes_old_sessions_when_it_starts(tmp_path: Path, days: int, kept: bool) -> None:
    path = tmp_path / "hands.db"
    with open_store(path) as store:
        stored = StoredSessions(store)
        left_long_ago(stored, "evening")
        with served_process(tmp_path, "serve", "--port", 0, "--store", path, "--keep-days", days) as (
            _,
            line,
        ):
            assert line.startswith("Tables are at")
            until = monotonic() + (1.0 if kept else LONG)
            while stored.session("evening") is not None and monotonic() < until:
                sleep(0.05)
            assert (stored.session("evening") is not None) == kept
