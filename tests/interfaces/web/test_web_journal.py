"""The journal of the table in the browser: who waits together is written together, and what was acknowledged is kept.

Tables are tasks that write one after another, as many at a time as there are tables.
"""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence

import pytest
from sqlalchemy import event, text

from folders import SUPPORT
from played_sessions import a_session, hands_after, writes_of_session
from railbird.interfaces.web.table.session_journal import JournalClosed, SessionJournal
from railbird.store.addresses import StoreError
from railbird.store.sessions import (
    ActionsDone,
    Change,
    HandBegun,
    HandOver,
    SessionBegun,
    SessionError,
    StoredSessions,
)
from railbird.store.store import Store, open_store


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


def counted(store: Store, what: str) -> list[object]:
    """Grows with every transaction of a store."""
    heard: list[object] = []
    event.listen(store._engine, what, heard.append)
    return heard


def journalling(store: Store, work: Callable[[SessionJournal], Awaitable[None]]) -> None:
    """Do something with a journal and close it."""

    async def run() -> None:
        journal = SessionJournal(StoredSessions(store))
        try:
            await work(journal)
        finally:
            await journal.close()

    asyncio.run(run())


def begun(name: str) -> tuple[Change, ...]:
    return SessionBegun(a_session(name)), HandBegun(name, 1, {}, True)


class HeldSessions(StoredSessions):
    """Sessions whose first write waits until it may go on."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.free = threading.Event()
        self.groups: list[int] = []

    def write(self, changes: Sequence[Change]) -> None:
        assert self.free.wait(60)
        self.groups.append(len(changes))
        super().write(changes)


# Group commit


def test_who_comes_together_is_written_in_one_transaction(store: Store) -> None:
    commits = counted(store, "commit")

    async def work(journal: SessionJournal) -> None:
        await asyncio.gather(*(journal.write(*begun(f"s{number}")) for number in range(300)))
        assert len(commits) == 1
        assert len(StoredSessions(store).of_owner("ann")) == 300

    journalling(store, work)


def test_everyone_who_came_during_a_transaction_is_in_the_next(store: Store) -> None:
    sessions = HeldSessions(store)

    async def run() -> None:
        journal = SessionJournal(sessions)
        first = asyncio.create_task(journal.write(*begun("first")))
        await asyncio.sleep(0.01)
        others = []
        for number in range(50):
            others.append(asyncio.create_task(journal.write(*begun(f"s{number}"))))
            await asyncio.sleep(0)
        assert not first.done()
        sessions.free.set()
        await asyncio.gather(first, *others)
        await journal.close()

    asyncio.run(run())
    assert sessions.groups == [2, 100, 0]


def test_a_write_is_in_the_store_when_it_returns_and_in_order(store: Store) -> None:
    """Every table sees its own writes, one after another."""
    commits = counted(store, "commit")
    tables, writes = 20, 20

    async def work(journal: SessionJournal) -> None:
        sessions = StoredSessions(store)

        async def table(name: str) -> None:
            for number, changes in zip(range(1, writes + 1), writes_of_session(name), strict=False):
                await journal.write(*changes)
                if number % 10 == 0:
                    found = await asyncio.to_thread(sessions.hands, name, with_reasons=True)
                    assert found == hands_after(name, number)

        await asyncio.gather(*(table(f"s{number}") for number in range(tables)))

    journalling(store, work)
    reads = tables * writes // 10
    assert len(commits) - reads < tables * writes / 4, "tables do not share their transactions"


def test_closing_writes_what_waits(store: Store) -> None:
    async def run() -> None:
        journal = SessionJournal(StoredSessions(store))
        waiting = [asyncio.create_task(journal.write(*begun(f"s{number}"))) for number in range(5)]
        await asyncio.sleep(0)
        await journal.close()
        await journal.close()
        assert [task.done() for task in waiting] == [True] * 5
        with pytest.raises(JournalClosed, match="the journal is closed"):
            await journal.write(*begun("late"))

    asyncio.run(run())
    assert len(StoredSessions(store).of_owner("ann")) == 5
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("journal")]


def test_a_write_of_nothing_waits_for_those_before_it(store: Store) -> None:
    async def work(journal: SessionJournal) -> None:
        task = asyncio.create_task(journal.write(*begun("evening")))
        await asyncio.sleep(0)
        await journal.write()
        assert task.done()

    journalling(store, work)


def test_who_is_cancelled_is_written_all_the_same(store: Store) -> None:
    sessions = HeldSessions(store)

    async def run() -> None:
        journal = SessionJournal(sessions)
        tasks = [asyncio.create_task(journal.write(*begun(name))) for name in ("a", "b", "c")]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.sleep(0)
        sessions.free.set()
        await journal.close()
        assert [task.cancelled() for task in tasks] == [False, True, False]

    asyncio.run(run())
    assert [each.id for each in sessions.of_owner("ann")] == ["a", "b", "c"]


# Errors


def test_one_who_is_wrong_is_told_so_and_the_others_are_written(store: Store) -> None:
    async def work(journal: SessionJournal) -> None:
        told = await asyncio.gather(
            journal.write(*begun("a")),
            journal.write(*begun("b"), HandOver("b", 2, {}, None)),
            journal.write(ActionsDone("a", 1, "c")),
            journal.write(ActionsDone("nobody", 1, "c")),
            journal.write(*begun("c")),
            return_exceptions=True,
        )
        assert [str(error or "") for error in told] == [
            "",
            "session 'b' has no hand 2",
            "",
            "there is no session 'nobody'",
            "",
        ]
        assert [type(error) for error in told if error] == [SessionError] * 2

    journalling(store, work)
    sessions = StoredSessions(store)
    assert [each.id for each in sessions.of_owner("ann")] == ["a", "c"]
    hand = sessions.hand("a", 1)
    assert hand is not None
    assert hand.actions == "c"


def test_when_the_database_fails_everyone_is_told_and_later_it_goes_on(store: Store) -> None:
    """An error for each of those who wait, which does not tell the values that were to be written."""
    with store._writing() as connection:
        connection.execute(text("ALTER TABLE session_hands RENAME TO elsewhere"))

    async def work(journal: SessionJournal) -> None:
        begins = counted(store, "begin")
        told = await asyncio.gather(
            *(journal.write(*begun(f"s{number}")) for number in range(20)),
            journal.write(),
            return_exceptions=True,
        )
        assert len(begins) == 1, "everyone tried again alone"
        assert [type(error) for error in told] == [StoreError] * 20 + [type(None)]
        assert len({id(error) for error in told}) == 21
        assert all(error is None or (error.__cause__ is None and error.__context__ is None) for error in told)
        assert "session_hands" in str(told[0])
        with store._writing() as connection:
            connection.execute(text("ALTER TABLE elsewhere RENAME TO session_hands"))
        await journal.write(*begun("later"))

    journalling(store, work)
    assert [each.id for each in StoredSessions(store).of_owner("ann")] == ["later"]


def test_a_mistake_in_the_program_reaches_who_made_it(store: Store) -> None:
    async def work(journal: SessionJournal) -> None:
        wrong: Change = 7  # type: ignore[assignment]
        told = await asyncio.gather(journal.write(*begun("a")), journal.write(wrong), return_exceptions=True)
        assert [type(error) for error in told] == [type(None), AttributeError]

    journalling(store, work)
    assert len(StoredSessions(store).of_owner("ann")) == 1


# Kill -9

KILLED = """
import asyncio, json, os, random, signal, sys
sys.path.insert(0, sys.argv[1])
from itertools import islice
from sqlalchemy import event
from killing import acknowledged_until_killed
from played_sessions import hands_after, record_of, writes_of_session
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.store.sessions import StoredSessions
from railbird.store.store import open_store

address, kills = sys.argv[2], int(sys.argv[3])
chance = random.Random(kills)
TABLES = [f"table {number}" for number in range(8)]


def serve(done, deadly, acknowledge):
    async def table(journal, name):
        for number, changes in enumerate(islice(writes_of_session(name), done[name], None), start=done[name] + 1):
            await journal.write(*changes)
            acknowledge(f"{name}|{number}")

    async def run():
        store = open_store(address)
        statements = []

        def die(connection, cursor, statement, *others):
            statements.append(statement)
            if len(statements) == deadly:
                os.kill(os.getpid(), signal.SIGKILL)

        if deadly:
            event.listen(store._engine, "after_cursor_execute", die)
        journal = SessionJournal(StoredSessions(store))
        await asyncio.gather(*(table(journal, name) for name in TABLES))

    asyncio.run(run())


done = dict.fromkeys(TABLES, 0)
for kill in range(kills):
    deadly = chance.randrange(20, 250) if kill % 2 else 0
    lines = 0 if deadly else chance.randrange(1, 80)
    heard = acknowledged_until_killed(
        lambda acknowledge: serve(done, deadly, acknowledge), lines, chance.random() * 0.05
    )
    for line in heard:
        name, number = line.split("|")
        assert int(number) == done[name] + 1, "acknowledged out of order"
        done[name] = int(number)
    with open_store(address) as store:
        with store._writing():
            pass  # PostgreSQL may have got the order to commit and be at it
        sessions = StoredSessions(store)
        for name in TABLES:
            # What was written and not yet acknowledged may be there: all of one write, or nothing of it.
            found = sessions.hands(name, with_reasons=True)
            present = sessions.session(name) is not None
            known = [
                more for more in (0, 1)
                if hands_after(name, done[name] + more) == found and present == (done[name] + more > 0)
            ]
            assert known, f"{name}: {len(found)} hands, {found[-1:] and found[-1].actions!r} after {done[name]} writes"
            done[name] += known[0]
            over = [record_of(name, hand.number) for hand in found if hand.over]
            assert not over or list(store.hands(source=f"web session {name}")) == over
            assert sessions.totals(name) == (len(over), str(sum(record.payoffs[0] for record in over)))
print("all is well", sum(done.values()))
"""


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_whatever_was_acknowledged_is_there_after_a_kill_and_nothing_is_half_written(
    address: str, kills: int
) -> None:
    """Eight tables play on after every kill, which comes at any time or in the middle of a transaction."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(SUPPORT), address, str(kills)],
        capture_output=True,
        text=True,
        timeout=600 + 60 * kills,
        check=False,
    )
    assert done.stdout.startswith("all is well"), done.stderr
    assert int(done.stdout.split()[-1]) > 20 * kills
