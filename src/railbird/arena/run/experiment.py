"""Many matches at once: what the journal lacks is shared out to the workers, and what is finished is written down.

Results stand in the order of the plans and every match is decided by its plan alone, so neither the number of workers
nor any interruption can be seen in them.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from railbird.arena.play.experience import NO_EXPERIENCE, Experience, of_agents
from railbird.arena.play.match import MatchResult, Partial, SeatingOutcome, join, tally_so_far
from railbird.arena.play.plan import MatchPlan
from railbird.arena.results.tally import Tally
from railbird.arena.run.job import Job
from railbird.arena.run.journal import Journal
from railbird.arena.run.workers import check_workers, run_jobs


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match that is being played."""

    plan: MatchPlan
    payoffs: tuple[list[tuple[int, ...]], ...]
    """By seating and hand what every entrant won, as far as it is known."""

    @property
    def tally(self) -> Tally:
        """What was won so far; every call adds it up anew."""
        return tally_so_far(len(self.plan.entrants), self.payoffs)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is."""

    matches: int
    """Finished matches, those of the journal included."""
    all_matches: int
    hands: int
    """Hands played so far in every seating, those of the journal included."""
    all_hands: int
    totals: tuple[int, ...]
    """What the entrants have won in those hands, in parts of a chip; empty unless the same play every match."""
    latest: MatchResult | None = None
    """The match that was just finished; None where only a part of one was."""
    unfinished: tuple[Unfinished, ...] = ()
    """The matches of which only a part is known; they grow when the listener has returned."""


ProgressListener: TypeAlias = Callable[[Progress], None]
Stop: TypeAlias = Callable[[Sequence[MatchResult]], bool]
"""Whether the first matches, in the order of their plans, are enough."""


def run_matches(
    plans: Sequence[MatchPlan],
    workers: str = "1",
    journal: Journal | None = None,
    progress: ProgressListener | None = None,
    *,
    keep_log: bool = False,
    experience: Experience = NO_EXPERIENCE,
    stop: Stop | None = None,
) -> list[MatchResult]:
    """The results of all plans, in their order; plays only the matches that the journal lacks.

    `progress` hears at once how much the journal already holds, match by match, then how far everything is. `stop` is
    asked with the first result, the first two, and so on; where it says yes the rest is not played, and what workers
    have played of it does not count: the number of workers cannot be seen in when a comparison is decided.
    """
    check_workers(workers)
    run = _Run(plans, keep_log, journal, progress, stop)
    jobs = [
        Job(plan, number, keep_log, of_agents(experience, (entrant.agent for entrant in plan.entrants)))
        for plan in run.outcomes
        if plan not in run.results
        for number in range(len(plan.seatings()))
    ]
    if not run.is_enough():
        # Closed whatever happens, so that no worker goes on after Ctrl-C or an error in `progress`.
        with closing(run_jobs(jobs, workers, lambda number, part: run.hear(jobs[number], part))) as finished:
            for number, outcome in finished:
                run.take(jobs[number], outcome)
                if run.is_enough():
                    break
    return [run.results[plan] for plan in plans[: run.enough]]


class _Run:
    """An experiment while it is played."""

    def __init__(
        self,
        plans: Sequence[MatchPlan],
        keep_log: bool,
        journal: Journal | None,
        progress: ProgressListener | None,
        stop: Stop | None,
    ) -> None:
        self.plans = plans
        self.keep_log = keep_log
        self.journal = journal
        self.progress = progress
        self.stop = stop
        self.enough = len(plans)
        """How many matches there will be, as far as is known."""
        self.results: dict[MatchPlan, MatchResult] = {}
        # Plans that say the same are one match.
        self.outcomes: dict[MatchPlan, dict[int, SeatingOutcome]] = {plan: {} for plan in plans}
        self._asked = 0
        self._parts: dict[tuple[MatchPlan, int], Partial] = {}
        self._unfinished: dict[MatchPlan, Unfinished] = {}
        self._all_hands = sum(plan.hands * len(plan.seatings()) for plan in self.outcomes)
        self._hands = 0
        self._are_alike = len({plan.labels for plan in plans}) == 1
        self._totals = (0,) * len(plans[0].labels) if self._are_alike else ()
        for plan in self.outcomes:
            known = journal.find(plan, keep_log=keep_log) if journal is not None else None
            if known is not None:
                self._keep(known)

    def hear(self, job: Job, part: Partial) -> None:
        """A job is so far."""
        self._parts[job.plan, job.seating] = part
        payoffs = self._payoffs(job)
        # A job whose worker was lost is told again from its first hand.
        del payoffs[part.hands - len(part.payoffs) :]
        payoffs += part.payoffs
        self._report(None)

    def take(self, job: Job, outcome: SeatingOutcome) -> None:
        """A job is finished, and perhaps its match."""
        plan = job.plan
        played = self.outcomes[plan]
        played[job.seating] = outcome
        if len(played) < len(plan.seatings()):
            sums = tuple(map(sum, zip(*outcome.payoffs, strict=True)))
            self._payoffs(job)[:] = outcome.payoffs
            self.hear(job, Partial(plan.hands, sums or (0,) * len(plan.labels)))
            return
        result = join(plan, [played[seating] for seating in sorted(played)])
        played.clear()
        self._unfinished.pop(plan, None)
        for seating in range(len(plan.seatings())):
            self._parts.pop((plan, seating), None)
        if self.journal is not None:
            self.journal.add(result, keep_log=self.keep_log)
        self._keep(result)

    def _payoffs(self, job: Job) -> list[tuple[int, ...]]:
        """What was won in the hands of a job, as far as it is known."""
        plan = job.plan
        if plan not in self._unfinished:
            self._unfinished[plan] = Unfinished(plan, tuple([] for _ in plan.seatings()))
        return self._unfinished[plan].payoffs[job.seating]

    def is_enough(self) -> bool:
        """Whether the matches that are known from the first one on decide the question, or are all."""
        while self._asked < len(self.plans) and self.plans[self._asked] in self.results:
            self._asked += 1
            if self.stop is not None:
                first = [self.results[plan] for plan in self.plans[: self._asked]]
                if self.stop(first):
                    self.enough = self._asked
                    return True
        return self._asked == len(self.plans)

    def _keep(self, result: MatchResult) -> None:
        self.results[result.plan] = result
        self._hands += result.plan.hands * len(result.plan.seatings())
        if self._are_alike:
            self._totals = tuple(map(sum, zip(self._totals, result.tally.totals, strict=True)))
        self._report(result)

    def _report(self, latest: MatchResult | None) -> None:
        if self.progress is None:
            return
        parts = list(self._parts.values())
        hands = self._hands + sum(part.hands for part in parts)
        totals = self._totals
        if self._are_alike:
            totals = tuple(map(sum, zip(totals, *(part.totals for part in parts), strict=True)))
        unfinished = tuple(self._unfinished.values())
        self.progress(
            Progress(
                len(self.results), len(self.outcomes), hands, self._all_hands, totals, latest, unfinished
            )
        )
