"""What `match`, `tournament` and `selfplay` share: plans from options, running them, and showing what came of it."""

import json
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from railbird import __version__
from railbird.agent import make_agent
from railbird.arena.experiment import Progress as ExperimentProgress
from railbird.arena.experiment import run_matches
from railbird.arena.journal import Journal, journal_beside
from railbird.arena.match import MatchResult, rules_of
from railbird.arena.plan import Bust, Duplicate, FaultPolicy, Limits, MatchPlan, PlanError, entrants_of
from railbird.arena.rates import Rate
from railbird.arena.report import SCHEMA, match_report, tournament_report
from railbird.engine.json_form import rules_to_json
from railbird.notation.game_names import find_game
from railbird.places import write_whole
from railbird.spec import split_specs, unknown

LOG_SCHEMA = "railbird.log/1"
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
    seatings: str
    faults: str
    bust: str
    decision_time: float | None
    hand_time: float | None
    memory: int | None
    workers: str

    def plan(
        self, agents: Sequence[str], name: tuple[str | int, ...], labels: Sequence[str] | None = None
    ) -> MatchPlan:
        """One match of this contest."""
        entrants = entrants_of(agents)
        if labels is not None:
            entrants = tuple(
                type(entrant)(label, entrant.agent) for label, entrant in zip(labels, entrants, strict=True)
            )
        duplicate = self.seatings
        if duplicate == "default":
            duplicate = "permutations" if len(agents) <= 3 else "rotations"
        return MatchPlan(
            game=self.game,
            entrants=entrants,
            hands=self.hands,
            seed=self.seed,
            name=name,
            duplicate=_choice("seatings", duplicate, Duplicate),
            bust=_choice("bust", self.bust, Bust),
            faults=_choice("faults", self.faults, FaultPolicy),
            limits=Limits(self.decision_time, self.hand_time, self.memory),
        )

    def match(self, seats: str, output: Path | None, log: Path | None, figures: Path | None) -> None:
        """Play one match and show it."""
        plan = self.plan(_agents(seats), ("match", 0))
        rules = rules_of(plan)
        self._require_ours(output, "match")
        _require_writable(log)
        started = perf_counter()
        (result,) = self._run([plan], output, keep_log=log is not None)
        report = match_report(rules, result, reproduce=_command(), elapsed_s=perf_counter() - started)
        if log is not None:
            write_log(log, result)
        _write(output, report)
        if figures is not None:
            from railbird.cli.drawing import draw_match

            draw_match(rules, result, figures)
        show_match(report, result, Console(highlight=False))

    def tournament(self, agents: str, matches: int, output: Path | None, figures: Path | None) -> None:
        """Play a round robin and show it."""
        specs = _agents(agents)
        rules = find_game(self.game)
        if len(specs) < rules.players:
            raise PlanError(
                f"{self.game} needs {rules.players} agents at a table, but {len(specs)} were named"
            )
        self._require_ours(output, "tournament")
        entrants = entrants_of(specs)
        # Every table has deals of its own, so that what a player won at several tables is independent.
        plans = [
            self.plan(
                [one.agent for one in group],
                ("match", number, *(one.label for one in group)),
                [one.label for one in group],
            )
            for number in range(matches)
            for group in combinations(entrants, rules.players)
        ]
        started = perf_counter()
        results = self._run(plans, output)
        named = [(entrant.label, entrant.agent) for entrant in entrants]
        report = tournament_report(
            rules, named, results, reproduce=_command(), elapsed_s=perf_counter() - started
        )
        _write(output, report)
        if figures is not None:
            from railbird.cli.drawing import draw_tournament

            draw_tournament(rules, named, results, figures)
        show_tournament(report, Console(highlight=False))

    def _run(
        self, plans: Sequence[MatchPlan], output: Path | None, *, keep_log: bool = False
    ) -> list[MatchResult]:
        """Play what the journal beside the results lacks, with a bar that shows the running result."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("seatings"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[running]}"),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as display:
            task = display.add_task("playing", total=None, running="")

            def listen(progress: ExperimentProgress) -> None:
                display.update(task, completed=progress.seatings, total=progress.all_seatings)
                if progress.latest is not None:
                    display.update(task, running=_running(progress.latest))

            if output is None:
                return run_matches(plans, self.workers, None, listen, keep_log=keep_log)
            with Journal(journal_beside(output), self._common()) as journal:
                return run_matches(plans, self.workers, journal, listen, keep_log=keep_log)

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
            "version": __version__,
        }

    def _require_ours(self, path: Path | None, kind: str) -> None:
        """Refuse to write over anything but earlier results of the same experiment."""
        _require_writable(path)
        if path is None or not path.exists():
            return
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError):
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


def _running(result: MatchResult) -> str:
    rules = rules_of(result.plan)
    players = len(result.plan.entrants)
    rates = (
        f"{label} {Rate.from_tally(rules, result.tally, [int(place == other) for other in range(players)]).mean:+.3f}"
        for place, label in enumerate(result.plan.labels)
    )
    return f"{', '.join(rates)} {rules.unit}"


def _agents(text: str) -> list[str]:
    specs = split_specs(text)
    for spec in specs:
        make_agent(spec)  # a wrong name or parameter is told before anything is played
    return specs


def _command() -> str:
    return shlex.join(["railbird", *sys.argv[1:]])


def _require_writable(path: Path | None) -> None:
    if path is None:
        return
    folder = path.parent
    if not folder.is_dir():
        raise PlanError(f"{folder} is not a folder to write {path.name} into")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise PlanError(f"{path} cannot be written")


def _write(path: Path | None, report: dict[str, Any]) -> None:
    if path is not None:
        text = json.dumps(report, indent=2) + "\n"
        write_whole(path, lambda file: file.write(text.encode()))


def write_log(path: Path, result: MatchResult) -> None:
    """Write the hands as STATE lines below a header that names the game and its rules."""
    rules = rules_of(result.plan)
    header = {
        "schema": LOG_SCHEMA,
        "game": result.plan.game,
        "seed": result.plan.seed,
        "rules": rules_to_json(rules),
    }
    lines = [f"# {json.dumps(header)}", *result.log]
    write_whole(path, lambda file: file.write(("\n".join(lines) + "\n").encode()))


def show_match(report: dict[str, Any], result: MatchResult, console: Console) -> None:
    """The final table of a match."""
    table = Table("player", box=None, padding=(0, 2, 0, 0))
    for heading in (
        "hands",
        "net",
        report["players"][0]["rate"]["unit"],
        "95 % interval",
        "played",
        "won",
        "faults",
    ):
        table.add_column(heading, justify="right")
    for player, statistics in zip(report["players"], result.statistics, strict=True):
        rate = player["rate"]
        interval = "" if rate["low"] is None else f"{rate['low']:+.3f} … {rate['high']:+.3f}"
        table.add_row(
            player["label"], f"{player['hands']:,}", f"{player['net']:,}", f"{rate['mean']:+.3f}", interval,
            _percent(statistics.played), _percent(statistics.won),
            ", ".join(f"{count} {fault}" for fault, count in player["faults"].items()),
        )  # fmt: skip
    console.print(table)
    if report["void"]:
        console.print(f"void: {report['void']}")
    _show_end(report, console)


def _percent(share: Any) -> str:
    return f"{100 * share.count / share.of:.1f} %" if share.of else ""


def show_tournament(report: dict[str, Any], console: Console) -> None:
    """The standings and the crosstable of a tournament."""
    bankroll, runoff = report["standings"]["total_bankroll"], report["standings"]["instant_runoff"]
    standings = Table("", "total bankroll", "instant run-off", box=None, padding=(0, 2, 0, 0))
    for place, (first, second) in enumerate(zip(bankroll, runoff, strict=True), start=1):
        standings.add_row(str(place), first, second)
    console.print(standings)
    console.print()
    unit = report["players"][0]["rate"]["unit"]
    table = Table(f"won from, {unit}", box=None, padding=(0, 2, 0, 0))
    for label in bankroll:
        table.add_column(label, justify="right")
    for label in bankroll:
        cells = []
        for other in bankroll:
            rate = report["crosstable"][label].get(other)
            half = None if rate is None or rate["low"] is None else (rate["high"] - rate["low"]) / 2
            cells.append(
                "" if rate is None else f"{rate['mean']:+.3f}" + ("" if half is None else f" ±{half:.3f}")
            )
        table.add_row(label, *cells)
    console.print(table)
    for void in report["void"]:
        console.print(f"void: {void}")
    _show_end(report, console)


def _show_end(report: dict[str, Any], console: Console) -> None:
    console.print(
        f"\ndigest {report['digest'][:16]}, {report['elapsed_s']:.1f} s; again: {report['reproduce']}",
        soft_wrap=True,
    )
