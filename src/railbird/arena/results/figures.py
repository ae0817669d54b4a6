"""Figures: bankroll curve, crosstable, action frequencies, winnings per hand type, ranges, measured lines; PNG or SVG.

They are readable in greyscale: lines differ in their dashes, bars in their hatching, and every number of a table is
printed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from railbird.arena.play.match import MatchResult
from railbird.arena.results.rates import CONFIDENCE, Estimate
from railbird.arena.results.standings import Crosstable, head_to_head, total_bankroll
from railbird.arena.results.statistics import PlayerStatistics
from railbird.arena.results.student import quantile
from railbird.cards import RANKS
from railbird.engine.rules import ROUND_NAMES, GameRules
from railbird.explanation import RangeGrid
from railbird.explanation.formats import format_signed
from railbird.extras import require_extra
from railbird.hands.types import HandType
from railbird.kernels.rules.pots import PARTS
from railbird.places import require_ending, require_output, write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg")
"""The formats of figures."""
_DASHES = (
    "-",
    "--",
    "-.",
    ":",
    (0, (5, 1, 1, 1, 1, 1)),
    (0, (1, 3)),
    (0, (8, 3)),
    (0, (3, 1)),
    (0, (6, 2, 2, 2)),
)
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\")
_GREYS = ("0.15", "0.95", "0.65", "0.8", "0.4")
_ACTIONS = ("fold", "check", "call", "bet", "raise")


def require_figure(path: Path, *, force: bool = False) -> None:
    """Refuse a file that is neither PNG nor SVG or cannot be written."""
    require_ending(path, *ENDINGS)
    require_output(path, force=force)


def blank_figure(width: float, height: float) -> "Figure":
    """A figure without content, its size in inches."""
    require_extra("figures", "matplotlib", "a figure")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: "Figure", path: Path) -> None:
    """Write a figure; the file's ending says whether as PNG or SVG."""
    require_ending(path, *ENDINGS)
    content = BytesIO()
    figure.savefig(content, format=path.suffix[1:], dpi=150)
    write_whole(path, lambda file: file.write(content.getvalue()))


def bankroll_curve(rules: GameRules, result: MatchResult) -> "Figure":
    """Each player's winnings over the hands, within the 95 % interval for a player of that rate and spread."""
    figure, axes = _sheet(7, 4.2)
    curve = np.array(result.curve, dtype=np.float64)
    units, won = curve[:, 0], curve[:, 1:] / PARTS / rules.unit_chips
    hands_per_unit = result.tally.hands / result.tally.units
    for place, label in enumerate(result.plan.labels):
        dashes = _DASHES[place % len(_DASHES)]
        axes.plot(
            units * hands_per_unit, won[:, place], color="black", linewidth=1.2, linestyle=dashes, label=label
        )
        if result.tally.units > 1:
            weights = [int(place == other) for other in range(len(result.plan.labels))]
            estimate = Estimate.of(result.tally, weights)
            mean = estimate.mean * hands_per_unit * units / rules.unit_chips
            # The sum of n units spreads by √n times as much as one unit.
            spread = estimate.error * hands_per_unit * np.sqrt(result.tally.units) / rules.unit_chips
            half = quantile(CONFIDENCE, estimate.freedom) * spread * np.sqrt(units)
            axes.fill_between(
                units * hands_per_unit, mean - half, mean + half, color="0.5", alpha=0.15, linewidth=0
            )
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.set_xlabel("hands")
    axes.set_ylabel(f"won, in {rules.unit.partition('/')[0]}")
    axes.legend(frameon=False)
    return figure


def crosstable(table: Crosstable) -> "Figure":
    """Who wins how much from whom, in the order of the total bankroll; darker is better for the row's player."""
    labels = [line.label for line in total_bankroll(table)]
    size = len(labels)
    figure, axes = _sheet(2.2 + 1.1 * size, 1.4 + 0.6 * size)
    means = np.zeros((size, size))
    for row, first in enumerate(labels):
        for column, second in enumerate(labels):
            if row != column:
                rate = head_to_head(table, first, second).rate
                means[row, column] = rate.mean
                half = (rate.high - rate.low) / 2
                axes.text(
                    column,
                    row,
                    f"{format_signed(rate.mean, 3)}\n±{half:.3f}",
                    ha="center",
                    va="center",
                    fontsize=8,
                )
    largest = np.abs(means).max() or 1.0
    axes.imshow(means, cmap="Greys", vmin=-2 * largest, vmax=4 * largest)
    axes.set_xticks(range(size), labels, rotation=30, ha="right")
    axes.set_yticks(range(size), labels)
    axes.set_title(f"won by the row from the column, {table.rules.unit} with 95 % interval", fontsize=9)
    return figure


def action_frequencies(label: str, statistics: PlayerStatistics) -> "Figure":
    """How often a player folds, checks, calls, bets and raises, stage by stage (baycarp-2011 fig. 7.5)."""
    figure, axes = _sheet(6, 3.8)
    bottom = np.zeros(len(ROUND_NAMES))
    for action, grey, hatch in zip(_ACTIONS, _GREYS, _HATCHES, strict=True):
        shares = [counts.frequencies[action] for counts in statistics.rounds]
        heights = np.array([100 * share.count / share.of if share.of else 0.0 for share in shares])
        axes.bar(
            ROUND_NAMES, heights, bottom=bottom, color=grey, hatch=hatch, edgecolor="black", label=action
        )
        bottom += heights
    for place, counts in enumerate(statistics.rounds):
        axes.text(place, 101, f"n = {counts.decisions:,}", ha="center", fontsize=8)
    axes.set_ylim(0, 108)
    axes.set_ylabel("% of decisions")
    axes.set_title(label, fontsize=10)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def winnings_per_hand_type(rules: GameRules, label: str, statistics: PlayerStatistics) -> "Figure":
    """What a player won with each hand type at the flop (baycarp-2011 fig. 7.6)."""
    figure, axes = _sheet(7, 4.2)
    names = [kind.title for kind in HandType]
    won = [float(part.net) / rules.unit_chips for part in statistics.flop_types]
    bars = axes.bar(names, won, color=["0.35" if value >= 0 else "0.85" for value in won], edgecolor="black")
    axes.bar_label(
        bars, [f"{part.hands:,}" if part.hands else "" for part in statistics.flop_types], fontsize=7
    )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel(f"won, in {rules.unit.partition('/')[0]} (hands above the bars)")
    axes.set_title(label, fontsize=10)
    axes.tick_params(axis="x", labelrotation=60)
    return figure


def range_grids(title: str, grids: Sequence[RangeGrid]) -> "Figure":
    """Grids of starting hands side by side, suited above the diagonal; darker is more, and every weight is printed."""
    side = len(RANKS)
    ranks = list(RANKS[::-1])
    figure = blank_figure(5.2 * len(grids), 6.2)
    figure.suptitle(title, fontsize=11)
    for place, grid in enumerate(grids):
        axes = figure.add_subplot(1, len(grids), place + 1)
        weights = np.array(grid.weights).reshape(side, side)
        axes.imshow(weights, cmap="Greys", vmin=0, vmax=max(1.0, float(weights.max())))
        for row, column in np.ndindex(side, side):
            shown, ink = (
                f"{100 * weights[row, column]:.0f}",
                "white" if weights[row, column] > 0.5 else "black",
            )
            axes.text(column, row, shown, ha="center", va="center", fontsize=6.5, color=ink)
        axes.set_xticks(range(side), ranks)
        axes.set_yticks(range(side), ranks)
        axes.set_title(f"{grid.title}\n(in %)", fontsize=8)
    return figure


@dataclass(frozen=True, slots=True)
class MeasuredLine:
    """A measured figure as a function of a number."""

    label: str
    points: Sequence[tuple[float, float, float, float]]
    """The number, the figure, and the ends of its 95 % interval."""


def measured_lines(
    lines: Sequence[MeasuredLine], across: str, up: str, *, logarithmic: bool = True
) -> "Figure":
    """Lines with their 95 % intervals over a number, with the labels of both axes."""
    figure, axes = _sheet(7, 4.2)
    for place, line in enumerate(lines):
        numbers, figures, low, high = np.array(line.points, dtype=np.float64).T
        axes.errorbar(
            numbers
            * 1.02 ** (place - (len(lines) - 1) / 2),  # side by side, so that no interval hides another
            figures,
            yerr=np.maximum([figures - low, high - figures], 0.0),
            color="black",
            linewidth=1.2,
            linestyle=_DASHES[place % len(_DASHES)],
            marker="os^vD"[place % 5],
            markersize=4,
            capsize=2,
            elinewidth=0.7,
            label=line.label,
        )
    axes.set_xscale("log" if logarithmic else "linear")
    ticks = sorted({number for line in lines for number, *_ in line.points})
    axes.set_xticks(ticks, [f"{number:,.0f}" for number in ticks])
    axes.minorticks_off()
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.legend(frameon=False)
    return figure


def _sheet(width: float, height: float) -> "tuple[Figure, Axes]":
    figure = blank_figure(width, height)
    return figure, figure.add_subplot()
