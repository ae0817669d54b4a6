"""Many matches at once: what the journal lacks is shared out to the workers, and what is finished is written down.

Results stand in the order of the plans and every match is decided by its plan alone, so neither the number of workers
nor any interruption can be seen in them.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from railbird.arena.job import Job
from railbird.arena.journal import Journal
from railbird.arena.match import MatchResult, SeatingOutcome, join
from railbird.arena.plan import MatchPlan
from railbird.arena.workers import check_workers, run_jobs


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is."""

    matches: int
    """Finished matches, those of the journal included."""
    all_matches: int
    seatings: int
    """Finished seatings, those of the journal included."""
    all_seatings: int
    latest: MatchResult | None = None
    """The match that was just finished; None where only a part of one was."""


ProgressListener: TypeAlias = Callable[[Progress], None]


def run_matches(
    plans: Sequence[MatchPlan],
    workers: str = "1",
    journal: Journal | None = None,
    progress: ProgressListener | None = None,
    *,
    keep_log: bool = False,
) -> list[MatchResult]:
    """The results of all plans, in their order; plays only the matches that the journal lacks.

    `progress` hears at once how much the journal already holds, match by match, then of every finished seating.
    """
    check_workers(workers)
    # Plans that say the same are one match.
    results: dict[MatchPlan, MatchResult] = {}
    outcomes: dict[MatchPlan, dict[int, SeatingOutcome]] = {plan: {} for plan in plans}
    all_seatings = sum(len(plan.seatings()) for plan in outcomes)
    seatings = 0

    def report(latest: MatchResult | None) -> None:
        if progress is not None:
            progress(Progress(len(results), len(outcomes), seatings, all_seatings, latest))

    for plan in outcomes:
        known = journal.find(plan, keep_log=keep_log) if journal is not None else None
        if known is not None:
            results[plan] = known
            seatings += len(plan.seatings())
            report(known)

    jobs = [
        Job(plan, number, keep_log)
        for plan in outcomes
        if plan not in results
        for number in range(len(plan.seatings()))
    ]
    # Closed whatever happens, so that no worker goes on after Ctrl-C or an error in `progress`.
    with closing(run_jobs(jobs, workers)) as finished:
        for number, outcome in finished:
            job = jobs[number]
            played = outcomes[job.plan]
            played[job.seating] = outcome
            seatings += 1
            if len(played) < len(job.plan.seatings()):
                report(None)
                continue
            result = join(job.plan, [played[seating] for seating in sorted(played)])
            played.clear()
            if journal is not None:
                journal.add(result, keep_log=keep_log)
            results[job.plan] = result
            report(result)
    return [results[plan] for plan in plans]
