"""Long-running questions: answered in the background while the client polls the progress.

Every player has one such question of each kind at a time; asking another one ends the one before.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any, TypeAlias

from railbird.interfaces.web.http.room import Crowded
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.places import without_passwords

log = logging.getLogger(__name__)

MOST_JOBS = 1000
"""Maximum number of jobs of all players; the oldest make room, whether they are done or not."""
MOST_OF_ONE = 4
"""Maximum number of unfinished jobs from one address."""
MOST_KEPT_OF_ONE = 50
"""Maximum number of jobs from one address, including finished ones; its own oldest make room."""

Progress: TypeAlias = Callable[[int, int], None]
"""Receives the amount done and the total."""
Work: TypeAlias = Callable[[Progress], Awaitable[Mapping[str, Any]]]


@dataclass(slots=True)
class StudyJob:
    """A question, its progress, and finally its answer or an error."""

    owner: str
    address: str
    kind: str
    done: int = 0
    of: int = 0
    result: Mapping[str, Any] | None = None
    error: str | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        """Whether there is an answer or an error."""
        return self.result is not None or self.error is not None

    def advance(self, done: int, of: int) -> None:
        """Set the amount done and the total."""
        self.done, self.of = done, of

    def end(self) -> None:
        """Stop working on it, if it is not done."""
        if not self.is_over:
            # Set here, because a task that has not begun yet would never set it.
            self.error = "this was stopped before it was finished"
            if self.task is not None:
                self.task.cancel()

    def to_json(self) -> dict[str, Any]:
        """The state that is sent to the client."""
        return {"done": self.done, "of": self.of, "result": self.result, "error": self.error}


class Jobs:
    """Running and recently finished jobs; used only from the event loop."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, StudyJob] = OrderedDict()

    def begin(self, owner: str, address: str, work: Work, kind: str = "") -> str:
        """Start working on a player's question; returns the name of its job.

        Raises `Crowded` if too many from the same address are running.
        """
        for job in self._jobs.values():
            if (job.owner, job.kind) == (owner, kind):
                job.end()
        if sum(job.address == address and not job.is_over for job in self._jobs.values()) >= MOST_OF_ONE:
            raise Crowded
        near = [name for name, job in self._jobs.items() if job.address == address]
        for name in near[: len(near) - MOST_KEPT_OF_ONE + 1]:
            self._jobs.pop(name).end()
        name = token_urlsafe(12)
        job = self._jobs[name] = StudyJob(owner, address, kind)
        job.task = asyncio.create_task(_worked(job, work))
        while len(self._jobs) > MOST_JOBS:
            self._jobs.popitem(last=False)[1].end()
        return name

    def job(self, owner: str, name: str) -> StudyJob | None:
        """A player's job; another player's job is treated as if it did not exist."""
        job = self._jobs.get(name)
        return job if job is not None and job.owner == owner else None


async def _worked(job: StudyJob, work: Work) -> None:
    try:
        job.result = await work(job.advance)
    except (ValueError, ThinkerError) as error:
        job.error = without_passwords(str(error))
    except Exception:
        log.exception("a job failed")
        job.error = "internal server error"
