"""A few threads that look things up, beside the tables; who asks when too many wait is sent away."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

from railbird.interfaces.web.web import Refusal

THREADS, MOST_WAITING = 2, 40

Found = TypeVar("Found")


class Desk:
    """Answers questions in threads of its own; some may wait."""

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(THREADS, name)
        self._asked = 0

    async def find(self, find: Callable[[], Found]) -> Found:
        """What is asked for."""
        if self._asked >= THREADS + MOST_WAITING:
            raise Refusal(503, "too many look at this at the moment: try again soon")
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, find)
        finally:
            self._asked -= 1

    @asynccontextmanager
    async def lifespan(self, _: object) -> AsyncIterator[None]:
        """Until nobody asks any more."""
        yield
        self._threads.shutdown(wait=False, cancel_futures=True)
