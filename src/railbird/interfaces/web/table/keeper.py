"""The open tables; others are in the store until they are opened again.

With `keep_days`, sessions are not kept forever: those that are finished, or in which nothing was played, are removed
with their hands after that many days without use.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from weakref import WeakValueDictionary

from railbird.interfaces.web.table.live_table import LiveTable
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.thinking.thinkers import Thinkers
from railbird.store.addresses import StoreError
from railbird.store.sessions import SessionError, SessionOpened, SessionRemoved, StoredSession, StoredSessions

log = logging.getLogger(__name__)

MOST_TABLES = 1000
MOST_VIEWERS = 16
"""Maximum number of browsers of one player at a table."""
IDLE_S = 300.0
"""Seconds without viewers after which a table is closed."""
_CHECK_S = 20.0
_ARRIVAL_S = 5.0
"""Seconds within which a browser that requested a table joins it."""
PRUNE_S = 3600.0
"""Interval between removals of old sessions."""
_PAUSE_S = 0.1
"""Pause between two removals, because on SQLite a removal blocks other writers."""


class TooMany(Exception):
    """The maximum number of open tables, or of browsers at a table, is reached."""


class TableKeeper:
    """Opens tables on request, and closes those without viewers."""

    def __init__(
        self, stored: StoredSessions, journal: SessionJournal, thinkers: Thinkers, keep_days: int = 0
    ) -> None:
        self._stored, self._journal, self._thinkers = stored, journal, thinkers
        self._keep_days = keep_days
        """Days without use after which sessions are removed; 0 keeps them forever."""
        self._tables: dict[str, LiveTable] = {}
        self._seen: dict[str, float] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Locks of sessions whose tables are being opened or closed."""
        self._cleaning: asyncio.Task[None] | None = None
        self._pruning: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Remove old sessions now and every hour, unless sessions are kept forever."""
        if self._keep_days:
            self._pruning = asyncio.create_task(self._prune_hourly())

    async def table(self, session: StoredSession, player: str, address: str) -> LiveTable:
        """The table of a session for one more viewer of a player, loaded from the store if it is not open."""
        if self._cleaning is None:
            self._cleaning = asyncio.create_task(self._clean())
        async with self._lock(session.id):
            table = self._tables.get(session.id)
            if table is None:
                if len(self._tables) >= MOST_TABLES:
                    await self._make_room()
                if len(self._tables) >= MOST_TABLES:
                    raise TooMany(f"the maximum of {MOST_TABLES} open tables is reached")
                table = LiveTable(session, self._stored, self._journal, self._thinkers, address)
                await table.load()
                with suppress(StoreError):  # such as a full disk; the time is needed for pruning only
                    await self._journal.write(SessionOpened(session.id))
                self._tables[session.id] = table
            if table.viewers.of(player) >= MOST_VIEWERS:
                raise TooMany(f"the maximum of {MOST_VIEWERS} browsers at this table is reached")
            self._seen[session.id] = monotonic()
            return table

    async def _make_room(self) -> None:
        """Close the table that has been without viewers for the longest time, if there is one."""
        unseen = [session for session, table in self._tables.items() if not table.viewers]
        if unseen:
            longest = min(unseen, key=lambda session: self._seen.get(session, 0.0))
            await self.put_away(longest, idle_s=_ARRIVAL_S)

    def opened(self, session: str) -> LiveTable | None:
        """The table of a session if it is open."""
        return self._tables.get(session)

    def _lock(self, session: str) -> asyncio.Lock:
        return self._locks.setdefault(session, asyncio.Lock())

    async def put_away(self, session: str, *, idle_s: float = 0.0) -> None:
        """Close a table that was not requested for `idle_s` seconds; everything played is in the store."""
        async with self._lock(session):
            if monotonic() - self._seen.get(session, 0.0) < idle_s:
                return
            table = self._tables.pop(session, None)
            self._seen.pop(session, None)
            if table is not None:
                await table.stop()

    async def close(self) -> None:
        """Close all tables."""
        for task in filter(None, (self._cleaning, self._pruning)):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        for session in tuple(self._tables):
            await self.put_away(session)

    async def _clean(self) -> None:
        while True:
            await asyncio.sleep(_CHECK_S)
            now = monotonic()
            for session, table in tuple(self._tables.items()):
                if table.viewers:
                    self._seen[session] = now
                elif now - self._seen.get(session, now) > IDLE_S:
                    await self.put_away(session, idle_s=IDLE_S)

    async def _prune_hourly(self) -> None:
        while True:
            try:
                await self.prune()
            except StoreError as error:  # a database that is unavailable now may be available in an hour
                log.warning("old sessions were not removed: %s", error)
            await asyncio.sleep(PRUNE_S)

    async def prune(self) -> None:
        """Remove sessions not used for `keep_days` days, one after the other."""
        before = (datetime.now(UTC) - timedelta(days=self._keep_days)).isoformat(timespec="seconds")
        last = ""
        while found := await asyncio.to_thread(self._stored.outlived, before, last):
            for session in found:
                await self._remove(session)
                await asyncio.sleep(_PAUSE_S)
            last = found[-1]

    async def _remove(self, session: str) -> None:
        async with self._lock(session):
            if session not in self._tables:
                with suppress(SessionError):  # already removed elsewhere
                    await self._journal.write(SessionRemoved(session))
