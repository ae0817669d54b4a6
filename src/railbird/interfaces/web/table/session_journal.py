"""Writes all changes to the store in one thread, with group commit.

A database needs milliseconds to commit a transaction, whatever its size. While one transaction is written, the changes
of all tables are collected, and the next transaction contains all of them.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from railbird.store.addresses import StoreError
from railbird.store.sessions import Change, SessionError, StoredSessions


class JournalClosed(RuntimeError):
    """A write after the journal was closed."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    changes: tuple[Change, ...]
    written: asyncio.Future[None]


class SessionJournal:
    """Writes changes for all tables of one event loop, in order of arrival."""

    def __init__(self, sessions: StoredSessions) -> None:
        self._sessions = sessions
        self._thread = ThreadPoolExecutor(1, "journal")
        self._waiting: list[_Waiting] = []
        self._busy = False
        self._closed = False

    async def write(self, *changes: Change) -> None:
        """Write changes atomically: when this returns they are stored; when it raises, none of them is.

        If the caller is cancelled while waiting, the changes are still written.
        """
        if self._closed:
            raise JournalClosed("the journal is closed")
        await self._enter(changes)

    async def close(self) -> None:
        """Write all pending changes, and stop the thread."""
        if not self._closed:
            self._closed = True
            await self._enter(())
            self._thread.shutdown()

    def _enter(self, changes: tuple[Change, ...]) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append(_Waiting(changes, written))
        if not self._busy:
            self._busy = True
            # Not at once: other writes in this iteration of the loop join the same transaction.
            loop.call_soon(self._begin)
        return written

    def _begin(self) -> None:
        group, self._waiting = self._waiting, []
        work = asyncio.get_running_loop().run_in_executor(
            self._thread, self._write, [each.changes for each in group]
        )
        work.add_done_callback(partial(self._end, group))

    def _end(self, group: Sequence[_Waiting], work: "asyncio.Future[list[Exception | None]]") -> None:
        for each, error in zip(group, work.result(), strict=True):
            if each.written.cancelled():
                continue
            if error is None:
                each.written.set_result(None)
            else:
                each.written.set_exception(error)
        if self._waiting:
            self._begin()
        else:
            self._busy = False

    # In the thread

    def _write(self, group: Sequence[tuple[Change, ...]]) -> list[Exception | None]:
        """Write all groups of changes in one transaction; returns the error of each, or None."""
        error = self._attempt([change for changes in group for change in changes])
        if error is None:
            return [None] * len(group)
        if isinstance(error, StoreError) and not isinstance(error, SessionError):
            # The database accepts no writes at all at the moment.
            return [type(error)(str(error)) if changes else None for changes in group]
        # One group of changes is invalid; the others must still be written.
        return [self._attempt(changes) for changes in group]

    def _attempt(self, changes: Sequence[Change]) -> Exception | None:
        try:
            self._sessions.write(changes)
        except SessionError as error:
            return error
        except StoreError as error:
            # Without its cause, which would contain the values, including hidden cards.
            return type(error)(str(error))
        except Exception as error:  # any error must reach the waiting tasks
            return error
        return None
