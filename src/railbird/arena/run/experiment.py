"""Many matches at once: matches missing in the journal are distributed to workers, finished ones recorded.

Results are in the order of the plans and every match is determined by its plan alone, so neither the number of workers
nor any interruption affects them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from railbird.agent import make_agent
from railbird.arena.play.breaks import NOTHING_BEFORE
from railbird.arena.play.experience import NO_EXPERIENCE, Experience, of_agents
from railbird.arena.play.match import MatchResult, Partial, SeatingOutcome, join
from railbird.arena.play.plan import MatchPlan
from railbird.arena.results.compact import compact
from railbird.arena.results.tally import Tally, tally_so_far
from railbird.arena.run.break_journal import BreakJournal, breaks_beside
from railbird.arena.run.growing_journal import JournalError
from railbird.arena.run.job import Job
from railbird.arena.run.journal import Journal
from railbird.arena.run.workers import check_workers, run_jobs
from railbird.equities.table_files import Progress as TableProgress
from railbird.notation.game_names import find_game


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match in progress."""

    plan: MatchPlan
    payoffs: tuple[list[tuple[int, ...]], ...]
    """By seating and hand, what every entrant won, as far as known."""

    @property
    def tally(self) -> Tally:
        """The tally so far, computed on each call."""
        return tally_so_far(len(self.plan.entrants), self.payoffs)


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of an experiment."""

    matches: int
    """Number of finished matches, including those of the journal."""
    all_matches: int
    hands: int
    """Hands played so far over all seatings, including those of the journal."""
    all_hands: int
    totals: tuple[int, ...]
    """The entrants' winnings in those hands, in parts of a chip; empty unless the same entrants play every match."""
    latest: MatchResult | None = None
    """The match that has just finished; None if only a part of one has."""
    unfinished: tuple[Unfinished, ...] = ()
    """The unfinished matches; they grow after the listener has returned."""
    table: tuple[int, int] | None = None
    """How much of a table is built, and the total, while agents prepare for many hands."""
    kept_hands: int = 0
    """Hands of unfinished matches that are kept, so that they are not played again after an interruption."""
    obstacle: str = ""
    """Why hands of an unfinished match are not kept: which of its agents cannot go on."""
    write_error: str = ""
    """Why hands of unfinished matches cannot be written."""


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
    """The results of all plans, in their order; plays only the matches missing in the journal.

    `progress` first receives the matches already in the journal, one by one, then the tables that agents build before
    many hands (`Agent.prepare`), then the overall progress. `stop` is
    called with the first result, the first two, and so on; once it returns true the rest is not played, and what
    workers have already played of it does not count, so the decision does not depend on the number of workers.
    """
    check_workers(workers)
    with _kept_hands(journal) as breaks:
        return _run(
            plans, workers, keep_log, experience, _Run(plans, keep_log, journal, progress, stop, breaks)
        )


@contextmanager
def _kept_hands(journal: Journal | None) -> Iterator[BreakJournal | None]:
    """The hands of unfinished matches next to a journal; they are removed at the end, unless it is interrupted."""
    if journal is None:
        yield None
        return
    breaks = _open_breaks(breaks_beside(journal.path))
    is_over = False
    try:
        yield breaks
        is_over = True
    finally:
        breaks.close()
        if is_over or not breaks.hands:
            with suppress(OSError):  # its folder can no longer be written
                breaks.path.unlink(missing_ok=True)


def _open_breaks(path: Path) -> BreakJournal:
    """The open journal; a closed one, which keeps nothing and says why, if it cannot be written."""
    breaks = BreakJournal(path)
    try:
        return breaks.__enter__()
    except JournalError:  # of another version, or damaged: these hands are played again
        with suppress(OSError):
            path.unlink(missing_ok=True)
    breaks = BreakJournal(path)
    try:
        return breaks.__enter__()
    except JournalError as error:
        breaks.problem = str(error)
        return breaks


def _run(
    plans: Sequence[MatchPlan], workers: str, keep_log: bool, experience: Experience, run: "_Run"
) -> list[MatchResult]:
    jobs = [
        Job(
            plan,
            number,
            keep_log,
            of_agents(experience, (entrant.agent for entrant in plan.entrants)),
            NOTHING_BEFORE if run.breaks is None else run.breaks.find(plan, number),
            keep_hands=run.breaks is not None,
        )
        for plan in run.outcomes
        if plan not in run.results
        for number in range(len(plan.seatings()))
    ]
    if not run.is_enough():
        _prepare(jobs, run.hear_of_table)
        # Always closed, so that no worker continues after Ctrl-C or an error in `progress`.
        with closing(run_jobs(jobs, workers, lambda number, part: run.hear(jobs[number], part))) as finished:
            for number, outcome in finished:
                run.take(jobs[number], outcome)
                if run.is_enough():
                    break
    return [run.results[plan] for plan in plans[: run.enough]]


def _prepare(jobs: Sequence[Job], progress: TableProgress) -> None:
    """Let all agents that play in this program's processes prepare for the hands that they have to play."""
    hands: Counter[tuple[str, str]] = Counter()
    for plan in (job.plan for job in jobs if not job.plan.limits.isolates):
        hands.update({(plan.game, entrant.agent): plan.hands for entrant in plan.entrants})
    for (game, agent), count in hands.items():
        make_agent(agent).prepare(find_game(game), count, progress)


class _Run:
    """An experiment in progress."""

    def __init__(
        self,
        plans: Sequence[MatchPlan],
        keep_log: bool,
        journal: Journal | None,
        progress: ProgressListener | None,
        stop: Stop | None,
        breaks: BreakJournal | None = None,
    ) -> None:
        self.plans = plans
        self.keep_log = keep_log
        self.journal = journal
        self.breaks = breaks
        self.progress = progress
        self.stop = stop
        self.enough = len(plans)
        """Number of matches to play, as far as known."""
        self.results: dict[MatchPlan, MatchResult] = {}
        # Equal plans are one match.
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
        """A job has made progress."""
        self._parts[job.plan, job.seating] = part
        payoffs = self._payoffs(job)
        # A job whose worker was lost reports again from its first hand.
        del payoffs[part.hands - len(part.payoffs) :]
        payoffs += part.payoffs
        if self.breaks is not None:
            self.breaks.add(job.plan, job.seating, part)
        self._report(None)

    def take(self, job: Job, outcome: SeatingOutcome) -> None:
        """A job is finished, and perhaps its match."""
        plan = job.plan
        played = self.outcomes[plan]
        played[job.seating] = outcome
        if len(played) < len(plan.seatings()):
            self._payoffs(job)[:] = outcome.payoffs
            sums = Tally.of(outcome.payoffs).totals if outcome.payoffs else (0,) * len(plan.labels)
            self.hear(job, Partial(plan.hands, sums))
            return
        result = compact(join(plan, [played[seating] for seating in sorted(played)]))
        played.clear()
        self._unfinished.pop(plan, None)
        for seating in range(len(plan.seatings())):
            self._parts.pop((plan, seating), None)
        if self.journal is not None:
            self.journal.add(result, keep_log=self.keep_log)
        if self.breaks is not None:
            self.breaks.forget(plan)
        self._keep(result)

    def hear_of_table(self, done: int, total: int) -> None:
        """A part of a table is built."""
        self._report(None, (done, total))

    def _payoffs(self, job: Job) -> list[tuple[int, ...]]:
        """The winnings in the hands of a job, as far as known."""
        plan = job.plan
        if plan not in self._unfinished:
            self._unfinished[plan] = Unfinished(plan, tuple([] for _ in plan.seatings()))
        return self._unfinished[plan].payoffs[job.seating]

    def is_enough(self) -> bool:
        """Whether the finished matches, up to the first unfinished one, decide the question or are all there are."""
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

    def _report(self, latest: MatchResult | None, table: tuple[int, int] | None = None) -> None:
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
                len(self.results),
                len(self.outcomes),
                hands,
                self._all_hands,
                totals,
                latest,
                unfinished,
                table,
                0 if self.breaks is None else self.breaks.hands,
                next((part.before.obstacle for part in parts if part.before.obstacle), ""),
                "" if self.breaks is None else self.breaks.problem,
            )
        )
