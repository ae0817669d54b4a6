"""Jobs distributed to processes on this machine.

Each worker has its own pipe, so that if one is killed, even in the middle of an answer, its job is known and the
others are not affected: a new worker plays that job again. Workers exit when their pipe closes, and a thread in each
of them ends it when this process dies in any way, so that none is left behind.
"""

import multiprocessing
import os
import pickle
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any

import numpy as np

from railbird.agent.sending import packed
from railbird.arena.play.match import Partial
from railbird.arena.run.fork_server import start_process
from railbird.arena.run.job import TRIES, Outcome, PartialListener, Work, WorkerError, attempt, given_up

LEAVE_S = 5.0
"""How long a worker may take to end once its pipe is closed."""

_kept: list[list["_Worker"]] = []
"""For every `kept_pool` block, the innermost last, its idle workers."""


@contextmanager
def kept_pool() -> Iterator[None]:
    """Keep idle workers for later calls until the end of this block."""
    waiting: list[_Worker] = []
    _kept.append(waiting)
    try:
        yield
    finally:
        _kept.pop()
        for worker in waiting:
            worker.dismiss()


def run_in_pool(
    jobs: Sequence[Work[Outcome]], size: int, tell: PartialListener | None = None
) -> Generator[tuple[int, Outcome], None, None]:
    """The outcomes of jobs with their numbers, as they become known, from `size` processes."""
    waiting = deque(range(len(jobs)))
    lost: Counter[int] = Counter()
    crew: list[_Worker] = []
    packed(jobs[0], has_main=True)  # what cannot be sent is refused before any process is started
    try:
        for _ in range(min(size, len(jobs))):
            crew.append(_kept[-1].pop() if _kept and _kept[-1] else _Worker())
            crew[-1].give(waiting.popleft(), jobs)
        while busy := {worker.connection: worker for worker in crew if worker.number is not None}:
            for connection in wait(list(busy)):
                worker = busy[connection]  # type: ignore[index]
                number = worker.number
                assert number is not None
                answer = worker.answer()
                if isinstance(answer, Partial):
                    if tell is not None:
                        tell(number, answer)
                    continue
                worker.number = None
                if answer is None:
                    crew.remove(worker)
                    _count_loss(worker, jobs[number], number, lost)
                    waiting.appendleft(number)
                    worker = _Worker()
                    crew.append(worker)
                if waiting:
                    worker.give(waiting.popleft(), jobs)
                if isinstance(answer, Exception):
                    raise answer
                if answer is not None:
                    yield number, answer
        if _kept:
            _kept[-1].extend(crew)
            crew.clear()
        for worker in crew:
            worker.dismiss()
    finally:
        for worker in crew:
            worker.kill()


def _count_loss(worker: "_Worker", job: Work[object], number: int, lost: Counter[int]) -> None:
    """A worker ended without an answer: its job is tried again if a signal ended it, up to `TRIES` times."""
    status = worker.dismiss()
    if status >= 0:
        raise WorkerError(f"the worker that played {job} ended with exit code {status} and no answer")
    lost[number] += 1
    if lost[number] == TRIES:
        raise given_up(job, f"signal {-status}")


class _Worker:
    """A process that plays one job after another."""

    def __init__(self) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        self.number: int | None = None
        """The number of its current job."""
        with theirs:
            # A fork of this process would copy threads' locks, open journals and the connections of other workers.
            self._process = start_process(_serve, theirs, os.getcwd())

    def give(self, number: int, jobs: Sequence[Work[object]]) -> None:
        """Let it play a job."""
        self.number = number
        try:
            self.connection.send_bytes(packed(jobs[number], has_main=True))
        except ConnectionError:
            # It was killed while idle; reading the answer from its pipe will show this.
            return

    def answer(self) -> Any:
        """The outcome or the progress (a `Partial`) of its job; None if it ended without an answer."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            return None

    def dismiss(self) -> int:
        """Let it exit; returns its exit code, or the negative number of the signal that ended it."""
        self.connection.close()
        self._process.join(LEAVE_S)
        self.kill()
        status = self._process.exitcode
        assert status is not None
        return status

    def kill(self) -> None:
        """End it at once, if it still lives."""
        self.connection.close()
        self._process.kill()
        self._process.join()


def _serve(connection: "Connection[object, object]", folder: str) -> None:
    """The main loop of a worker."""
    np.random.seed()  # forks of one process must not share numpy's global generator
    Thread(target=_leave_with_parent, daemon=True).start()
    while True:
        try:
            data = connection.recv_bytes()
            try:
                job: Work[object] = pickle.loads(data)  # noqa: S301  # it comes from our parent
            except (ImportError, AttributeError) as error:
                connection.send(WorkerError(f"a worker cannot find the program of an agent: {error}"))
                continue
            connection.send(attempt(job, folder, connection.send))
        except (EOFError, ConnectionError):
            return


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
