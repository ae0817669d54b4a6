"""The figures of a match or a tournament, drawn into a folder as PNG and SVG."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.arena.play.match import MatchResult
from railbird.arena.results import figures
from railbird.arena.results.report import ranked_table
from railbird.arena.results.statistics import PlayerStatistics
from railbird.engine.rules import GameRules
from railbird.places import require_output, require_output_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_KINDS = ("actions", "hand-types")
"""The figures of a player."""


def require_match_figures(folder: Path, labels: Sequence[str], *, force: bool = False) -> None:
    """Refuse a folder into which the figures of a match cannot be drawn."""
    _require(folder, ["bankroll", *_names_of(labels)], force=force)


def require_tournament_figures(folder: Path, labels: Sequence[str], *, force: bool = False) -> None:
    """Refuse a folder into which the figures of a tournament cannot be drawn."""
    _require(folder, ["crosstable", *_names_of(labels)], force=force)


def draw_match(rules: GameRules, result: MatchResult, folder: Path) -> None:
    """Bankroll curve, and for every player action frequencies and winnings per hand type."""
    folder.mkdir(parents=True, exist_ok=True)
    _save(folder, "bankroll", figures.bankroll_curve(rules, result))
    for label, statistics in zip(result.plan.labels, result.statistics, strict=True):
        _draw_player(rules, label, statistics, folder)


def draw_tournament(
    rules: GameRules, labels: Sequence[str], results: Sequence[MatchResult], folder: Path
) -> None:
    """The crosstable, and for every player action frequencies and winnings per hand type."""
    folder.mkdir(parents=True, exist_ok=True)
    table = ranked_table(rules, labels, results)
    if table.labels:
        _save(folder, "crosstable", figures.crosstable(table))
    for label in labels:
        parts = (
            result.statistics[result.plan.labels.index(label)]
            for result in results
            if label in result.plan.labels
        )
        _draw_player(rules, label, sum(parts, PlayerStatistics()), folder)


def _draw_player(rules: GameRules, label: str, statistics: PlayerStatistics, folder: Path) -> None:
    actions, hand_types = _names_of([label])
    _save(folder, actions, figures.action_frequencies(label, statistics))
    _save(folder, hand_types, figures.winnings_per_hand_type(rules, label, statistics))


def _names_of(labels: Sequence[str]) -> list[str]:
    """The names of all players' figures."""
    files = ("".join(letter if letter.isalnum() else "-" for letter in label) for label in labels)
    return [f"{kind}-{name}" for name in files for kind in _KINDS]


def _files(folder: Path, name: str) -> list[Path]:
    return [folder / f"{name}{ending}" for ending in figures.ENDINGS]


def _require(folder: Path, names: Sequence[str], *, force: bool) -> None:
    require_output_folder(folder)
    if folder.exists():
        for name in names:
            for file in _files(folder, name):
                require_output(file, force=force)


def _save(folder: Path, name: str, figure: "Figure") -> None:
    for file in _files(folder, name):
        figures.save(figure, file)
