"""What `arena.run.contest` returns: results as objects, as plain data and as data frames.

>>> from railbird.arena.run.contest import match
>>> results = match(["always-raise", "always-fold"], game="limit-2p", hands=20, duplicate=True, seed=1)
>>> results.to_json()["players"][0]["net"]
300
>>> results.to_frame().select("player", "hands", "rate", "unit").rows()
[('always-raise', 40, 0.75, 'sb/h'), ('always-fold', 40, -0.75, 'sb/h')]
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird.arena.play.match import MatchResult, rules_of, together
from railbird.arena.play.plan import Entrant
from railbird.arena.results.statistics import PlayerStatistics
from railbird.engine.json_form import rules_to_json
from railbird.engine.rules import GameRules
from railbird.frames import data_frame
from railbird.notation.acpc.header import LOG_SCHEMA
from railbird.places import write_whole

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a contest: its matches, and the report on them (schema `railbird.results/1`)."""

    rules: GameRules
    matches: tuple[MatchResult, ...]
    """The matches in the order of their plans."""
    report: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """Digest of everything determined by the seed: equal digests mean equal results."""
        return str(self.report["digest"])

    @property
    def failed(self) -> tuple[str, ...]:
        """The players with faults: they crashed, were late, or acted illegally."""
        return tuple(str(each["label"]) for each in self.report["players"] if each["faults"])

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, as `--json` writes it."""
        return dict(self.report)

    def to_frame(self) -> "pl.DataFrame":
        """A row for each player: what it won, and its rate with the 95 % interval."""
        return data_frame(
            [
                {"player": each["label"], "agent": each["agent"], "net": float(each["net"]), **_rate(each)}
                for each in self.report["players"]
            ]
        )

    def write(self, path: Path) -> None:
        """Write the report as JSON."""
        text = json.dumps(self.report, indent=2) + "\n"
        write_whole(path, lambda file: file.write(text.encode()))


@dataclass(frozen=True, slots=True)
class MatchResults(Results):
    """One or more matches of the same players."""

    @property
    def statistics(self) -> tuple[PlayerStatistics, ...]:
        """The statistics of each player over all matches."""
        return together(self.matches).statistics

    def write_log(self, path: Path) -> None:
        """Write the hands, if they were kept, as STATE lines below a header that names the game and its rules."""
        plan = self.matches[0].plan
        header = {
            "schema": LOG_SCHEMA,
            "game": plan.game,
            "seed": plan.seed,
            "rules": rules_to_json(rules_of(plan)),
        }
        lines = [f"# {json.dumps(header)}"]
        for number, result in enumerate(self.matches, start=1):
            if len(self.matches) > 1:
                lines.append(f"# match {number} of {len(self.matches)}")
            lines += result.log
        write_whole(path, lambda file: file.write(("\n".join(lines) + "\n").encode()))

    def draw(self, folder: Path) -> None:
        """Draw the bankroll curve and figures of each player into a folder, as PNG and SVG."""
        from railbird.arena.results.drawing import draw_match

        draw_match(self.rules, together(self.matches), folder)


@dataclass(frozen=True, slots=True)
class TournamentResults(Results):
    """A round robin."""

    entrants: tuple[Entrant, ...]

    def pairs_to_frame(self) -> "pl.DataFrame":
        """A row for each pair of players: what the first wins from the second, with interval and p-value."""
        return data_frame(
            [
                {
                    "first": pair["first"],
                    "second": pair["second"],
                    **_rate(pair),
                    "p_value": pair["p_value"],
                    "adjusted_p_value": pair["adjusted_p_value"],
                }
                for pair in self.report["comparisons"]
            ]
        )

    def draw(self, folder: Path) -> None:
        """Draw the crosstable and figures of each player into a folder, as PNG and SVG."""
        from railbird.arena.results.drawing import draw_tournament

        draw_tournament(self.rules, [entrant.label for entrant in self.entrants], self.matches, folder)


def _rate(of: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a rate; unknown bounds are null."""
    rate = of["rate"]
    return {
        "hands": rate["hands"],
        "rate": rate["mean"],
        "low": rate["low"],
        "high": rate["high"],
        "unit": rate["unit"],
    }
