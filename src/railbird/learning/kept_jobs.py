"""Work for workers whose outcomes are kept in a folder, so that a stopped measurement resumes.

The outcomes do not depend on the workers or on how often the work was stopped.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from railbird.arena.run.job import Outcome, Work
from railbird.arena.run.workers import run_jobs


class KeptWork(Work[Outcome], Protocol[Outcome]):
    """Work whose outcome can be written to a folder and read from it."""

    def kept(self, folder: Path) -> Outcome | None:
        """The outcome of an earlier run, if there is one."""
        ...

    def keep(self, folder: Path, outcome: Outcome) -> None:
        """Write the outcome."""
        ...


def run_kept(
    jobs: Sequence[KeptWork[Outcome]],
    *,
    workers: str = "1",
    folder: Path | None = None,
    listener: Callable[[list[Outcome]], object] | None = None,
) -> list[Outcome]:
    """The outcomes of all jobs in their order; with a folder, those of an earlier run are read from it.

    The listener receives all outcomes known so far, in the order of the jobs, each time there are more.
    """
    found: dict[int, Outcome] = {}

    def tell() -> None:
        if listener is not None:
            listener([found[place] for place in sorted(found)])

    for place, job in enumerate(jobs):
        kept = None if folder is None else job.kept(folder)
        if kept is not None:
            found[place] = kept
    if found:
        tell()
    missing = [place for place in range(len(jobs)) if place not in found]
    with closing(run_jobs([jobs[place] for place in missing], workers)) as outcomes:
        for number, outcome in outcomes:
            place = missing[number]
            found[place] = outcome
            if folder is not None:
                jobs[place].keep(folder, outcome)
            tell()
    return [found[place] for place in range(len(jobs))]
