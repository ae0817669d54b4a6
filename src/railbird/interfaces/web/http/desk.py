"""A small thread pool for lookups, which refuses requests when too many wait.

An address gets one thread at a time: a long session takes many seconds to read, and others must not wait for a dozen.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar
from weakref import WeakValueDictionary

from railbird.interfaces.web.http.room import Crowded, Room
from railbird.interfaces.web.web import HttpRefusal

THREADS, MOST_WAITING = 2, 40
MOST_OF_ONE = 12
"""Maximum number of concurrent lookups from one address."""

Found = TypeVar("Found")


class Desk:
    """Runs lookups in its own threads; a limited number may wait."""

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(THREADS, name)
        self._room = Room(THREADS + MOST_WAITING, MOST_OF_ONE)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """The locks of addresses with current lookups."""

    async def find(self, address: str, find: Callable[[], Found]) -> Found:
        """Run a lookup for an address."""
        try:
            with self._room.taken(address):
                async with self._turns.setdefault(address, asyncio.Lock()):
                    return await asyncio.get_running_loop().run_in_executor(self._threads, find)
        except Crowded:
            raise HttpRefusal(503, "too many requests at the moment: try again soon") from None

    @asynccontextmanager
    async def lifespan(self, _: object) -> AsyncIterator[None]:
        """Keep the threads until the application shuts down."""
        yield
        self._threads.shutdown(wait=False, cancel_futures=True)
