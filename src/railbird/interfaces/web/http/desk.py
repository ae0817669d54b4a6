"""A few threads that look things up, beside the tables; who asks when too many wait is sent away.

An address has one thread at a time: a long session takes many seconds to read, and others must not wait for a dozen.
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
"""The maximum number of questions of one address that are asked at a time."""

Found = TypeVar("Found")


class Desk:
    """Answers questions in threads of its own; some may wait."""

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(THREADS, name)
        self._room = Room(THREADS + MOST_WAITING, MOST_OF_ONE)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Of addresses that ask at this moment."""

    async def find(self, address: str, find: Callable[[], Found]) -> Found:
        """What somebody at an address asks for."""
        try:
            with self._room.taken(address):
                async with self._turns.setdefault(address, asyncio.Lock()):
                    return await asyncio.get_running_loop().run_in_executor(self._threads, find)
        except Crowded:
            raise HttpRefusal(503, "too many look at this at the moment: try again soon") from None

    @asynccontextmanager
    async def lifespan(self, _: object) -> AsyncIterator[None]:
        """Until nobody asks any more."""
        yield
        self._threads.shutdown(wait=False, cancel_futures=True)
