"""What `match`, `tournament` and `selfplay` share: plans from options, running them, and showing what came of it."""

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from railbird import __version__
from railbird.agent import make_agent
from railbird.arena.play.experience import (
    NO_EXPERIENCE,
    Experience,
    ExperienceBook,
    of_agents,
    snapshot_digest,
)
from railbird.arena.play.match import MatchResult, rules_of, together
from railbird.arena.play.plan import (
    Bust,
    Duplicate,
    Entrant,
    FaultPolicy,
    Limits,
    MatchPlan,
    PlanError,
    entrants_of,
    round_robin,
)
from railbird.arena.results.adjustment import adjusted_rates
from railbird.arena.results.rates import Rate
from railbird.arena.results.report import SCHEMA, match_report, rate_to_json, tournament_report
from railbird.arena.run.experiment import Progress as ExperimentProgress
from railbird.arena.run.experiment import run_matches
from railbird.arena.run.journal import Journal, experiment_of, journal_beside, plan_digest
from railbird.arena.run.sequential import SequentialTest
from railbird.arena.run.stopping import UntilDecided
from railbird.cli.views.contest import show_match, show_tournament, write_log, write_report
from railbird.cli.views.progress import tell_of_compiling
from railbird.engine.rules import GameRules
from railbird.kernels.rules.pots import PARTS
from railbird.notation.game_names import find_game
from railbird.plain_data import PlainDataError, read_json
from railbird.spec import split_specs, unknown

_Choice = TypeVar("_Choice", bound=Enum)


def seatings_for(duplicate: bool, seatings: str | None) -> str:
    """Which seatings a duplicate match has: as asked, otherwise all of them for up to three players."""
    if seatings is not None:
        return seatings
    return "default" if duplicate else Duplicate.NONE.value


def _choice(option: str, value: str, choices: type[_Choice]) -> _Choice:
    known = {choice.value: choice for choice in choices}
    if value not in known:
        raise unknown(f"choice for --{option}", value, known)
    return known[value]


@dataclass(frozen=True, slots=True)
class Contest:
    """The options that all contests share."""

    game: str
    hands: int
    seed: str
    seatings: str = Duplicate.NONE.value
    faults: str = FaultPolicy.NATIVE.value
    bust: str = Bust.LEAVE.value
    decision_time: float | None = None
    hand_time: float | None = None
    memory: int | None = None
    workers: str = "1"
    shuffle: bool = False
    experience: Path | None = None
    """The book of what agents lived through."""
    snapshot: int | None = None
    """How many of its matches count; None for all."""

    def plan(
        self, entrants: Sequence[Entrant], name: tuple[str | int, ...], lived: Experience = NO_EXPERIENCE
    ) -> MatchPlan:
        """One match of this contest."""
        duplicate = self.seatings
        if duplicate == "default":
            duplicate = "permutations" if len(entrants) <= 3 else "rotations"
        return MatchPlan(
            game=self.game,
            entrants=tuple(entrants),
            hands=self.hands,
            seed=self.seed,
            name=name,
            duplicate=_choice("seatings", duplicate, Duplicate),
            bust=_choice("bust", self.bust, Bust),
            faults=_choice("faults", self.faults, FaultPolicy),
            limits=Limits(self.decision_time, self.hand_time, self.memory),
            shuffle=self.shuffle,
            snapshot=snapshot_digest(of_agents(lived, (entrant.agent for entrant in entrants))),
        )

    def match(
        self,
        seats: str,
        matches: int,
        output: Path | None,
        log: Path | None,
        figures: Path | None,
        *,
        error_rate: float | None = None,
        reduce_luck: bool = False,
    ) -> None:
        """Play matches of the same players and show them as one."""
        entrants = entrants_of(_agents(seats, self.game), trusted=True)
        self._require_ours(output, "match")
        _require_writable(log)
        contest, book = self._with_book(output)
        lived = book.snapshot(contest.snapshot) if book else NO_EXPERIENCE
        plans = [contest.plan(entrants, ("match", number), lived) for number in range(matches)]
        rules = rules_of(plans[0])
        stop = None if error_rate is None else UntilDecided(rules, error_rate)
        if stop is not None:
            SequentialTest.for_game(
                rules, stop.error_rate
            )  # what it cannot judge is told before anything is played
        started = perf_counter()
        results = contest._run(plans, output, lived, keep_log=log is not None or reduce_luck, stop=stop)
        if book is not None:
            _commit(book, results)
        report = match_report(
            rules, results, reproduce=contest._command(), elapsed_s=perf_counter() - started
        )
        if stop is not None:
            report["sequential"] = {
                "error_rate": error_rate,
                "decided": stop(results),
                "rate": rate_to_json(stop.rate(results)),
            }
        if reduce_luck:
            for player, rate in zip(report["players"], adjusted_rates(rules, results), strict=True):
                player["without_luck"] = rate_to_json(rate)
        if log is not None:
            write_log(log, results)
        if output is not None:
            write_report(output, report)
        result = together(results)
        if figures is not None:
            from railbird.cli.views.figures import draw_match

            draw_match(rules, result, figures)
        show_match(report, result.statistics, Console(highlight=False))

    def tournament(self, agents: str, matches: int, output: Path | None, figures: Path | None) -> None:
        """Play a round robin and show it."""
        specs = _agents(agents, self.game)
        rules = find_game(self.game)
        if len(specs) < rules.players:
            raise PlanError(
                f"{self.game} needs {rules.players} agents at a table, but {len(specs)} were named"
            )
        self._require_ours(output, "tournament")
        contest, book = self._with_book(output)
        lived = book.snapshot(contest.snapshot) if book else NO_EXPERIENCE
        entrants = entrants_of(specs, trusted=True)
        plans = [
            contest.plan(group, name, lived) for name, group in round_robin(entrants, rules.players, matches)
        ]
        started = perf_counter()
        results = contest._run(plans, output, lived)
        if book is not None:
            _commit(book, results)
        named = [(entrant.label, entrant.agent) for entrant in entrants]
        report = tournament_report(
            rules, named, results, reproduce=contest._command(), elapsed_s=perf_counter() - started
        )
        if output is not None:
            write_report(output, report)
        if figures is not None:
            from railbird.cli.views.figures import draw_tournament

            draw_tournament(rules, named, results, figures)
        show_tournament(report, Console(highlight=False))

    def _with_book(self, output: Path | None) -> tuple["Contest", ExperienceBook | None]:
        """The contest with a stated snapshot of its book: one that was stopped goes on from where it began."""
        if self.experience is None:
            if self.snapshot is not None:
                raise PlanError(
                    "--snapshot says how much of a book counts, so --experience must name the book"
                )
            return self, None
        _require_writable(self.experience)
        book = ExperienceBook(self.experience)
        if self.snapshot is not None:
            return self, book
        begun = experiment_of(journal_beside(output)) if output is not None else None
        matches = (begun or {}).get("snapshot")
        return replace(self, snapshot=matches if isinstance(matches, int) else len(book)), book

    def _run(
        self,
        plans: Sequence[MatchPlan],
        output: Path | None,
        lived: Experience,
        *,
        keep_log: bool = False,
        stop: UntilDecided | None = None,
    ) -> list[MatchResult]:
        """Play what the journal beside the results lacks, with a bar that shows the running result."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("hands"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[running]}"),
        )
        rules = rules_of(plans[0])
        tell_of_compiling()
        with Progress(*columns, console=Console(stderr=True), transient=True) as display:
            task = display.add_task("playing", total=None, running="")

            def listen(progress: ExperimentProgress) -> None:
                display.update(
                    task,
                    completed=progress.hands,
                    total=progress.all_hands,
                    description=f"match {min(progress.matches + 1, progress.all_matches)} of {progress.all_matches}",
                )
                if progress.totals:
                    display.update(task, running=_means(rules, plans[0].labels, progress))
                elif progress.latest is not None:
                    display.update(task, running=_latest(rules, progress.latest))

            def run(journal: Journal | None) -> list[MatchResult]:
                return run_matches(
                    plans, self.workers, journal, listen, keep_log=keep_log, experience=lived, stop=stop
                )

            if output is None:
                return run(None)
            with Journal(journal_beside(output), self._common()) as journal:
                return run(journal)

    def _command(self) -> str:
        """The line that repeats this contest; of a book it uses the same part again."""
        words = ["railbird", *sys.argv[1:]]
        if self.snapshot is not None and "--snapshot" not in words:
            words += ["--snapshot", str(self.snapshot)]
        return shlex.join(words)

    def _common(self) -> dict[str, Any]:
        """What all matches of this contest share, whoever plays."""
        return {
            "game": self.game,
            "hands": self.hands,
            "seed": self.seed,
            "seatings": self.seatings,
            "faults": self.faults,
            "bust": self.bust,
            "limits": [self.decision_time, self.hand_time, self.memory],
            "shuffle": self.shuffle,
            "snapshot": self.snapshot,
            "version": __version__,
        }

    def _require_ours(self, path: Path | None, kind: str) -> None:
        """Refuse to write over anything but earlier results of the same experiment."""
        _require_writable(path)
        if path is None or not path.exists():
            return
        try:
            found = read_json(path.read_bytes())
        except PlainDataError:
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise PlanError(f"{path} exists and holds no results: name another file")
        mine = {
            "kind": kind,
            "game": self.game,
            "hands": self.hands,
            "seed": self.seed,
            "bust": self.bust,
            "fault_policy": self.faults,
        }
        for key, value in mine.items():
            if str(found.get(key)) != str(value):
                raise PlanError(
                    f"{path} holds another experiment ({key} is {found.get(key)}, not {value}): name another file"
                )


def _means(rules: GameRules, labels: Sequence[str], progress: ExperimentProgress) -> str:
    """Everyone's rate so far."""
    scale = PARTS * rules.unit_chips * max(progress.hands, 1)
    means = (f"{label} {won / scale:+.3f}" for label, won in zip(labels, progress.totals, strict=True))
    return f"{', '.join(means)} {rules.unit}"


def _latest(rules: GameRules, result: MatchResult) -> str:
    """Everyone's rate in a match that was just finished."""
    players = len(result.plan.entrants)
    rates = (
        f"{label} {Rate.from_tally(rules, result.tally, [int(place == other) for other in range(players)]).mean:+.3f}"
        for place, label in enumerate(result.plan.labels)
    )
    return f"{', '.join(rates)} {rules.unit}"


def _commit(book: ExperienceBook, results: Sequence[MatchResult]) -> None:
    """Add what was lived through, in the order of the matches; void ones teach nothing."""
    book.commit(
        (
            plan_digest(result.plan),
            [
                (entrant.agent, texts)
                for entrant, texts in zip(result.plan.entrants, result.experience, strict=True)
            ],
        )
        for result in results
        if result.experience and result.void is None
    )


def _agents(text: str, game: str) -> list[str]:
    specs = split_specs(text)
    rules = find_game(game)
    for spec in specs:
        # A wrong name or parameter, or a game that the agent does not play, is told before anything is played.
        make_agent(spec).verify_game(rules)
    return specs


def _require_writable(path: Path | None) -> None:
    if path is None:
        return
    folder = path.parent
    if not folder.is_dir():
        raise PlanError(f"{folder} is not a folder to write {path.name} into")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise PlanError(f"{path} cannot be written")
