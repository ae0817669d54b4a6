"""The pace of a table, which reveals nothing about hidden cards, and the clock of people's turns.

An agent's action appears a whole number of steps after the previous one, the fewest that cover the time of its longer
decisions: an easy decision takes as long as a hard one. The only thing observable from outside is that an agent takes
longer than in almost all of its recent decisions.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import ceil
from time import monotonic

from railbird.interfaces.web.table.messages import ClockView, Speed

STEPS: Mapping[Speed, float] = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "instant": 0.05}
"""Length of a step, in seconds."""
AFTER_HAND: Mapping[Speed, float] = {"slow": 7.0, "normal": 4.0, "fast": 2.0, "instant": 0.05}
"""Seconds before the next hand, if hands follow each other automatically."""
AWAY_S = 60
"""Seconds that a table of several people waits for somebody whose page is closed, if it has no clock."""


ENDING: Mapping[Speed, float] = {"slow": 2.0, "normal": 1.0, "fast": 0.4, "instant": 0.0}
"""Seconds of each stage in which the end of a hand is told (`ending`); at once if there are none."""


class Rhythm:
    """The thinking times of a table's agents, as far as their pace may reveal them."""

    REMEMBERED = 100
    """Number of recent decisions per agent; the first one, which loads data, is not included."""
    STANDING_OUT = 30
    """One in this many decisions is ignored as an outlier, so that a busy moment does not slow an agent down."""
    LONGEST = 1.0
    """Maximum delay, in seconds."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def needed(self, label: str, thought: float, *, hides: bool) -> float:
        """The apparent thinking time of a decision, in seconds; the actual time if all cards are open."""
        times = self._times.get(label)
        if times is None:
            self._times[label] = deque(maxlen=self.REMEMBERED)
            return thought
        times.append(thought)
        if not hides:
            return thought
        usual = sorted(times, reverse=True)[len(times) // self.STANDING_OUT]
        return max(thought, min(usual, self.LONGEST))


def quantised(thought: float, step: float) -> float:
    """The smallest positive multiple of a step that is not below the thinking time."""
    return step * max(1, ceil(thought / step - 1e-9))


class Bell:
    """Wakes up whoever waits for a change."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Something has changed."""
        self._rung.set()

    async def until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Wait until a condition holds, or for at most `timeout` seconds."""
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        while not condition():
            self._rung.clear()
            left = None if end is None else end - loop.time()
            if left is not None and left <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._rung.wait()


class TurnClock:
    """The time that the person to act still has; it runs in one chair at a time."""

    def __init__(self) -> None:
        self._chair, self._seconds, self._end = 0, 0, 0.0

    def run(self, chair: int, seconds: int) -> bool:
        """Give a chair so many seconds, 0 for any time, unless its time is already running; whether this is new."""
        if (chair, seconds) == (self._chair, self._seconds):
            return False
        self._chair, self._seconds, self._end = chair, seconds, monotonic() + seconds
        return True

    def stop(self) -> None:
        """The turn is over, or the table is paused."""
        self._chair = self._seconds = 0

    async def overruns(
        self,
        bell: Bell,
        chair: int,
        seconds: int,
        is_done: Callable[[], bool],
        is_away: Callable[[], bool | None],
        show: Callable[[], None],
    ) -> bool:
        """Wait until a turn is done; True if its time is up, or nobody is there any more (`is_away` is None)."""
        try:
            while not is_done():
                away = is_away()
                if away is None or self.left == 0.0:
                    return True
                if self.run(chair, seconds or (AWAY_S if away else 0)):
                    show()
                await bell.until(lambda before=away: is_done() or is_away() != before, self.left)  # type: ignore[misc]
            return False
        finally:
            self.stop()

    @property
    def left(self) -> float | None:
        """The seconds that are left; None if the time is not limited."""
        return max(0.0, self._end - monotonic()) if self._seconds else None

    def view(self) -> ClockView | None:
        """The clock as everybody sees it."""
        left = self.left
        return None if left is None else ClockView(self._chair, self._seconds, round(left, 1))
