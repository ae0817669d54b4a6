"""The server's side of one thinker process: started, asked, given a time limit, killed and restarted.

The process answers questions in any order; if it continues to work after an answer, it reports when it is done. The
time limit of a question starts when the process reports that it has begun, so that queueing does not count, is
suspended while kernels are compiled, and restarts with each progress report. A late answer gets the same time again, at
most `CANCEL_S`; then the process is killed, because nothing else stops an agent that never answers.

All open questions of a process that ended are `Lost`; a new process is started immediately, without any state.

A process is *spent* when it has grown beyond `LARGEST`, or when it has compiled kernels: the compiler keeps nearly
200 MB, and a new process finds the compiled code in the cache. A spent process is replaced as soon as no table has its
agents there and no question is open; one beyond `FULL_AT` times `LARGEST` is *full* and takes no tables until then. A
process that only compiles, for others, is not replaced (`compiles`): its successor would begin anew.
"""

import asyncio
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from railbird.agent.faults import ArenaFailure
from railbird.arena.processes.frames import FrameError, frame, read_frame
from railbird.arena.processes.open_nursery import OpenNursery
from railbird.arena.processes.supervision import kill_group
from railbird.interfaces.brain.messages import LARGEST_ANSWER
from railbird.interfaces.web.thinking.resident import resident

START_S = 300.0
"""How long a process may take to start; it compiles kernels if they are not cached."""
COMPILE_S = 300.0
"""How long an answer may take if kernels are compiled for it."""
CANCEL_S = 10.0
"""How long an answer may take that is no longer needed."""
LEAVE_S = 2.0
"""How long a process may take to end once its connection is closed."""
RESTART_S = 1.0
"""How long to wait after a process that ended before it was ready."""
LARGEST = 1 << 30
"""Memory of a process, in bytes, above which it is replaced."""
FULL_AT = 2
"""Multiple of `LARGEST` above which a process takes no more tables."""
TRUSTED = "trusted"
"""The argument of a process whose agents may come from files."""
_MODULE = "railbird.interfaces.web.thinking.thinker"

News = Callable[[Mapping[str, Any]], None]
"""Called with each message before the answer."""
GivenUp = Callable[[], None]
"""Called when the process is killed because of a question."""


class Lost(Exception):
    """The process ended before it answered."""


class Late(Exception):
    """There was no answer in time. `settled` is done once the answer arrives after all, or never will."""

    def __init__(self, settled: "asyncio.Future[None]") -> None:
        super().__init__("no answer in time")
        self.settled = settled


@dataclass(slots=True, eq=False)
class _Question:
    answer: "asyncio.Future[dict[str, Any]]"
    settled: "asyncio.Future[None]"
    limit_s: float
    news: News | None
    given_up: GivenUp | None
    timer: asyncio.TimerHandle | None = None

    def wait(self, seconds: float, then: "Callable[[_Life, _Question], None]", life: "_Life") -> None:
        """Call a function after this many seconds, unless something else happens before."""
        self.stop_waiting()
        self.timer = asyncio.get_running_loop().call_later(seconds, then, life, self)

    def stop_waiting(self) -> None:
        if self.timer is not None:
            self.timer.cancel()


@dataclass(slots=True, eq=False)
class _Life:
    """One process from its start to its end."""

    nursery: OpenNursery
    pid: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    questions: dict[int, _Question] = field(default_factory=dict)
    is_ready: bool = False
    has_compiled: bool = False

    def kill(self) -> None:
        """Kill it and every process it started. Until it is waited for, its id cannot be reused."""
        kill_group(self.pid)


class ThinkingProcess:
    """A thinker process, and its successors."""

    def __init__(
        self, *, trusted: bool, largest: int = LARGEST, nice: int = 0, compiles: bool = False
    ) -> None:
        self.trusted = trusted
        self.largest = largest
        self.compiles = compiles
        """Whether it exists in order to compile."""
        self.nice = nice
        """How much lower its priority is than the server's."""
        self.generation = 0
        """Counts the processes: seats in an earlier one are gone."""
        self.tables = 0
        """Number of tables with agents here; counted by `Thinkers`."""
        self._numbers = count(1)
        self._life: _Life | None = None
        self._changed = asyncio.Event()
        self.was_ready = asyncio.Event()
        """Set once a process is ready."""
        self._running: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return None if self._life is None else self._life.pid

    @property
    def is_full(self) -> bool:
        """Whether it should take no more tables."""
        return self._life is not None and resident(self._life.pid) > FULL_AT * self.largest

    def renew_if_spent(self) -> None:
        """Replace a process that is spent, unless a table has its agents there or a question is open."""
        life = self._life
        if life is None or life.questions or self.tables:
            return
        if (life.has_compiled and not self.compiles) or resident(life.pid) > self.largest:
            self._life = None  # new questions wait for the next process
            life.writer.close()  # the process then exits, and `_run` starts the next one

    def start(self) -> None:
        """Start the process in the background."""
        if self._running is None:
            self._running = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End the process; open questions are lost."""
        running, self._running = self._running, None
        if running is not None:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
        self._changed.set()

    async def up(self) -> int:
        """Wait until a process is ready; returns its generation."""
        while self._life is None:
            if self._running is None:
                raise Lost
            self._changed.clear()
            await self._changed.wait()
        return self.generation

    async def ask(
        self,
        question: Mapping[str, Any],
        limit_s: float,
        generation: int,
        *,
        news: News | None = None,
        given_up: GivenUp | None = None,
    ) -> dict[str, Any]:
        """The answer of the process of a generation; raises `Late` or `Lost` if there is none."""
        life = self._life
        if life is None or generation != self.generation:
            raise Lost
        loop = asyncio.get_running_loop()
        number = next(self._numbers)
        asked = _Question(loop.create_future(), loop.create_future(), limit_s, news, given_up)
        life.questions[number] = asked
        life.writer.write(frame({"id": number, **question}))
        try:
            return await asked.answer
        except asyncio.CancelledError:
            self.tell({"ask": "cancel", "question": number}, generation)
            if asked.timer is not None:
                asked.wait(min(limit_s, CANCEL_S), _be_late, life)
            raise

    def tell(self, news: Mapping[str, Any], generation: int) -> None:
        """Send a message without an answer, if the process is still the same."""
        if self._life is not None and generation == self.generation:
            self._life.writer.write(frame({"id": 0, **news}))

    # The life of processes

    async def _run(self) -> None:
        while True:
            try:
                life = await _begin(self.trusted, self.nice)
            except (OSError, ArenaFailure):  # no memory or process ids left
                await asyncio.sleep(RESTART_S)
                continue
            self._life, self.generation = life, self.generation + 1
            self._changed.set()
            starting = asyncio.get_running_loop().call_later(START_S, life.kill)
            try:
                while True:
                    self._hear(life, await read_frame(life.reader, LARGEST_ANSWER), starting)
            except (EOFError, OSError, FrameError):
                pass  # it ended, or sent invalid messages
            finally:
                starting.cancel()
                self._life = None
                self._changed.set()
                _lose(life)
                await _end(life)
            if not life.is_ready:
                await asyncio.sleep(RESTART_S)

    def _hear(self, life: _Life, message: dict[str, Any], starting: asyncio.TimerHandle) -> None:
        if "ready" in message:
            life.is_ready = True
            self.was_ready.set()
            starting.cancel()
            return
        number = message.get("id")
        asked = life.questions.get(number) if isinstance(number, int) else None
        if asked is None:
            return
        if "begun" in message:
            asked.wait(asked.limit_s, _be_late, life)
        elif "compiling" in message:
            life.has_compiled = True
            asked.wait(COMPILE_S, _be_late, life)
        elif "news" in message:
            if asked.news is not None and not asked.answer.done():
                asked.news(message["news"])
                asked.wait(asked.limit_s, _be_late, life)
        else:
            if not asked.answer.done():
                asked.answer.set_result(message)
            if message.get("works_on"):
                asked.wait(asked.limit_s, _be_late, life)
            else:
                del life.questions[message["id"]]
                _settle(asked)
                self.renew_if_spent()


async def _begin(trusted: bool, nice: int) -> _Life:
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_unix_connection(sock=ours)
    arguments = [TRUSTED] if trusted else []
    forking = asyncio.ensure_future(
        asyncio.to_thread(OpenNursery.fork, _MODULE, theirs, *arguments, nice=nice)
    )
    try:
        nursery, pid = await asyncio.shield(forking)
    except asyncio.CancelledError:
        with suppress(OSError, ArenaFailure):
            nursery, pid = await forking
            await _end(_Life(nursery, pid, reader, writer))
        raise
    except (OSError, ArenaFailure):
        writer.close()
        raise
    finally:
        theirs.close()
    return _Life(nursery, pid, reader, writer)


def _be_late(life: _Life, asked: _Question) -> None:
    if not asked.answer.done():
        asked.answer.set_exception(Late(asked.settled))
    asked.wait(min(asked.limit_s, CANCEL_S), _be_hopeless, life)


def _be_hopeless(life: _Life, asked: _Question) -> None:
    if asked.given_up is not None:
        asked.given_up()
    life.kill()


def _settle(asked: _Question) -> None:
    asked.stop_waiting()
    asked.settled.set_result(None)


def _lose(life: _Life) -> None:
    for asked in life.questions.values():
        if not asked.answer.done():
            asked.answer.set_exception(Lost())
        _settle(asked)
    life.questions.clear()


async def _end(life: _Life) -> None:
    """Close the connection, so that the process exits; kill what is left of it."""
    life.writer.close()
    with suppress(OSError):
        await life.writer.wait_closed()
    await asyncio.to_thread(life.nursery.stop, life.pid, LEAVE_S)
