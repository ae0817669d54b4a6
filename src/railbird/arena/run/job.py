"""The unit of work that workers share: one seating of one match."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from railbird.agent.faults import ArenaFailure
from railbird.arena.play.experience import Experience
from railbird.arena.play.match import Partial, SeatingOutcome, play_seating
from railbird.arena.play.plan import MatchPlan

TRIES = 3
"""How often a job is begun when its worker is killed."""


Outcome = TypeVar("Outcome")
_Outcome = TypeVar("_Outcome", covariant=True)
PartialListener: TypeAlias = Callable[[int, Partial], None]
"""Hears the number of a job and how far it is."""


class Work(Protocol[_Outcome]):
    """What workers do: a job, or whatever else depends on nothing but itself; its text names it in errors."""

    def play(self, tell: Callable[[Partial], None] | None = None) -> _Outcome:
        """Do it here and now; an outcome is anything but None, a `Partial` or an exception."""
        ...


class WorkerError(ValueError):
    """Jobs that cannot be shared out as asked, or one that no worker can finish."""


@dataclass(frozen=True, slots=True)
class Job:
    """One seating of a match, which depends on nothing else."""

    plan: MatchPlan
    seating: int = 0
    keep_log: bool = False
    experience: Experience = field(default_factory=dict, compare=False)
    """The snapshot that the plan names."""

    def __str__(self) -> str:
        name = " ".join(map(str, self.plan.name))
        return f"seating {self.seating + 1} of {name} ({', '.join(self.plan.labels)})"

    def play(self, tell: Callable[[Partial], None] | None = None) -> SeatingOutcome:
        """Play it here and now."""
        return play_seating(
            self.plan, self.seating, keep_log=self.keep_log, experience=self.experience, tell=tell
        )


def attempt(
    job: Work[Outcome], folder: str | None = None, tell: Callable[[Partial], None] | None = None
) -> Outcome | Exception:
    """Play a job in a worker: its outcome, or the error that whoever asked for it must raise.

    `folder` is where relative paths of agents and games begin. Errors that are not the arena's own sentences end the
    worker, which prints them where they happened.
    """
    if folder is not None:
        os.chdir(folder)
    try:
        return job.play(tell)
    except (ValueError, ArenaFailure) as error:
        # An error class from an agent's own file is unknown to the process that asked.
        is_ours = type(error).__module__.split(".")[0] in ("railbird", "builtins")
        return error if is_ours else WorkerError(f"{job} ended with {type(error).__name__}: {error}")


def given_up(job: Work[object], reason: str) -> WorkerError:
    """The error about a job whose worker was lost in every try."""
    return WorkerError(f"{job} was begun {TRIES} times, and each time its worker was lost ({reason})")
