"""The way of all changes into the store: one thread writes, and everything that waits is written together.

A database needs milliseconds to make one transaction safe, whatever is in it. So while a transaction is written, the
changes of all tables gather, and the next transaction holds all of them (group commit).
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from railbird.store.addresses import StoreError
from railbird.store.session_changes import Change, SessionError
from railbird.store.sessions import StoredSessions


class JournalClosed(RuntimeError):
    """Something was to be written after the end."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    changes: tuple[Change, ...]
    written: asyncio.Future[None]


class SessionJournal:
    """Writes changes for everyone on one event loop, in the order in which they come."""

    def __init__(self, sessions: StoredSessions) -> None:
        self._sessions = sessions
        self._thread = ThreadPoolExecutor(1, "journal")
        self._waiting: list[_Waiting] = []
        self._busy = False
        self._closed = False

    async def write(self, *changes: Change) -> None:
        """Write changes that belong together; when this returns they are kept, and when it raises none of them is.

        Who is cancelled while waiting does not know; the changes are written all the same.
        """
        if self._closed:
            raise JournalClosed("the journal is closed")
        await self._enter(changes)

    async def close(self) -> None:
        """Write what still waits, and let go of the thread."""
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
            # Not at once: others who are about to write in this turn of the loop come along.
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
        """Write the changes of everyone in one transaction; what became of each."""
        error = self._attempt([change for changes in group for change in changes])
        if error is None:
            return [None] * len(group)
        if isinstance(error, StoreError) and not isinstance(error, SessionError):
            # The database takes nothing from anyone now.
            return [type(error)(str(error)) if changes else None for changes in group]
        # Somebody's changes are wrong, which is no reason to refuse those of the others.
        return [self._attempt(changes) for changes in group]

    def _attempt(self, changes: Sequence[Change]) -> Exception | None:
        try:
            self._sessions.write(changes)
        except SessionError as error:
            return error
        except StoreError as error:
            # Without its cause, which would tell the values: there are hidden cards among them.
            return type(error)(str(error))
        except Exception as error:  # whatever it is, those who wait must hear of it
            return error
        return None
