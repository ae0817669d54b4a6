"""The figures of a match or a tournament, drawn into a folder as PNG and SVG."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from railbird.arena.play.match import MatchResult
from railbird.arena.results import figures
from railbird.arena.results.standings import Crosstable
from railbird.arena.results.statistics import PlayerStatistics
from railbird.engine.rules import GameRules


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
    table = Crosstable.of(rules, labels, [(result.plan.labels, result.tally) for result in results])
    _save(folder, "crosstable", figures.crosstable(table))
    for label in labels:
        parts = (
            result.statistics[result.plan.labels.index(label)]
            for result in results
            if label in result.plan.labels
        )
        _draw_player(rules, label, sum(parts, PlayerStatistics()), folder)


def _draw_player(rules: GameRules, label: str, statistics: PlayerStatistics, folder: Path) -> None:
    name = "".join(letter if letter.isalnum() else "-" for letter in label)
    _save(folder, f"actions-{name}", figures.action_frequencies(label, statistics))
    _save(folder, f"hand-types-{name}", figures.winnings_per_hand_type(rules, label, statistics))


def _save(folder: Path, name: str, figure: Figure) -> None:
    for ending in (".png", ".svg"):
        figures.save(figure, folder / f"{name}{ending}")
