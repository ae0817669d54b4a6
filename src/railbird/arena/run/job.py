"""The unit of work for workers: one seating of one match."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from railbird.agent.faults import ArenaFailure
from railbird.arena.play.breaks import NOTHING_BEFORE, HandsBefore
from railbird.arena.play.experience import Experience
from railbird.arena.play.match import Partial, SeatingOutcome, play_seating
from railbird.arena.play.plan import MatchPlan

TRIES = 3
"""Maximum number of attempts at a job whose worker is killed."""


Outcome = TypeVar("Outcome")
_Outcome = TypeVar("_Outcome", covariant=True)
PartialListener: TypeAlias = Callable[[int, Partial], None]
"""Receives the number of a job and its progress."""


class Work(Protocol[_Outcome]):
    """A self-contained piece of work for workers, such as a job; its text names it in errors."""

    def play(self, tell: Callable[[Partial], None] | None = None) -> _Outcome:
        """Do the work in this process; an outcome is anything but None, a `Partial` or an exception."""
        ...


class WorkerError(ValueError):
    """Jobs that cannot be distributed as requested, or a job that no worker can finish."""


@dataclass(frozen=True, slots=True)
class Job:
    """One seating of a match, independent of all others."""

    plan: MatchPlan
    seating: int = 0
    keep_log: bool = False
    experience: Experience = field(default_factory=dict, compare=False)
    """The snapshot that the plan names."""
    before: HandsBefore = field(default=NOTHING_BEFORE, compare=False, repr=False)
    """The hands before a break."""
    keep_hands: bool = field(default=True, compare=False)
    """Whether its progress includes what is to be kept of the hands, so that it can resume after a break."""

    def __str__(self) -> str:
        name = " ".join(map(str, self.plan.name))
        return f"seating {self.seating + 1} of {name} ({', '.join(self.plan.labels)})"

    def play(self, tell: Callable[[Partial], None] | None = None) -> SeatingOutcome:
        """Play it in this process."""
        return play_seating(
            self.plan,
            self.seating,
            keep_log=self.keep_log,
            experience=self.experience,
            before=self.before,
            tell=tell,
            keep_hands=self.keep_hands,
        )


def attempt(
    job: Work[Outcome], folder: str | None = None, tell: Callable[[Partial], None] | None = None
) -> Outcome | Exception:
    """Play a job in a worker: returns its outcome, or the error that the caller must raise.

    Relative paths of agents and games start at `folder`. Unexpected errors end the worker, which prints their
    traceback.
    """
    if folder is not None:
        os.chdir(folder)
    try:
        return job.play(tell)
    except (ValueError, ArenaFailure) as error:
        # An error class from an agent's own file is unknown to the calling process.
        is_ours = type(error).__module__.split(".")[0] in ("railbird", "builtins")
        return error if is_ours else WorkerError(f"{job} ended with {type(error).__name__}: {error}")


def given_up(job: Work[object], reason: str) -> WorkerError:
    """The error for a job whose worker was lost in every attempt."""
    return WorkerError(f"{job} was started {TRIES} times, and each time its worker was lost ({reason})")
