"""Explanations in the terminal: one view for each kind of section, independent of the agent."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from railbird.agent import Decision
from railbird.cards import RANKS
from railbird.engine.wording import Wording
from railbird.explanation import (
    SHARE,
    Bar,
    Bars,
    Belief,
    Explanation,
    Fact,
    RangeGrid,
    Section,
    TableSection,
)
from railbird.explanation.formats import format_estimate, format_share, format_value
from railbird.interfaces.fitting import FittedTable, SideBySide

BAR_WIDTH = 24
_SIDE = len(RANKS)
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_SHADES = ("dim", "dim", "cyan", "cyan", "green", "green", "yellow", "yellow", "red", "bold red")
_LEAST_SHARE = 0.05
"""Starting hands below this share of the greatest weight are shown as a dot."""


def decision_view(decision: Decision, wording: Wording) -> RenderableType:
    """The action, the strategy it was drawn from, and the reasons; the wording is that of the situation."""
    parts: list[RenderableType] = [Text(wording.name(decision.action).capitalize(), style="bold")]
    if decision.strategy:
        chances = tuple(Bar(wording.name(action), chance) for action, chance in decision.strategy)
        parts.append(_indented(bars_view(Bars("strategy", chances, SHARE))))
        chance = dict(decision.strategy).get(decision.action, 1.0)
        if 0.0 < chance < 1.0:
            parts.append(Text(f"The action was drawn at random: it had a chance of {format_share(chance)}."))
    return Group(*parts, Text(), explanation_view(decision.explanation))


def explanation_view(explanation: Explanation) -> RenderableType:
    """The summary, the facts, and every section."""
    parts: list[RenderableType] = [Text(explanation.summary)]
    if explanation.facts:
        parts.append(_indented(facts_view(explanation.facts)))
    for section in explanation.sections:
        parts += [Text(), section_view(section)]
    return Group(*parts)


def facts_view(facts: Sequence[Fact]) -> RenderableType:
    """Names and values, one per line."""
    grid = _grid()
    grid.add_column()
    grid.add_column(justify="right")
    for fact in facts:
        grid.add_row(Text(fact.name), Text(format_value(fact.value, fact.unit)))
    return grid


def section_view(section: Section) -> RenderableType:
    """A section with its title."""
    match section:
        case Bars():
            return Group(_title(section.title), _indented(bars_view(section)))
        case TableSection():
            return Group(_title(section.title), _indented(table_view(section)))
        case RangeGrid():
            return Group(_title(section.title), _indented(range_view(section)))
        case Belief(_, grid, bars, summary):
            views: list[RenderableType] = [Group(_title(each.title), bars_view(each)) for each in bars]
            said = [_indented(Text(summary))] if summary else []
            return Group(_title(grid.title), *said, _indented(SideBySide([*views, range_view(grid)])))
        case _:
            raise TypeError(f"sections of type {type(section).__name__} cannot be drawn")


def bars_view(bars: Bars) -> RenderableType:
    """A line for each value; if some are negative, bars extend from a common zero to both sides."""
    grid = _grid()
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_column()
    most = max((abs(bar.value) for bar in bars.bars), default=0.0) or 1.0
    negative = any(bar.value < 0 for bar in bars.bars)
    for bar in bars.bars:
        value = format_estimate(bar.value, bar.error, bars.unit)
        grid.add_row(Text(bar.label), Text(value), Text(_bar(bar.value / most, negative)))
    return grid


def _bar(share: float, negative: bool) -> str:
    length = round(abs(share) * BAR_WIDTH * 8)
    drawn = "█" * (length // 8) + _EIGHTHS[length % 8].strip()
    if share < 0:
        # Partial block characters are filled from the left only, so a bar to the left is drawn in whole blocks.
        return f"{'█' * round(-share * BAR_WIDTH):>{BAR_WIDTH}}│"
    return f"{'':{BAR_WIDTH}}│{drawn}" if negative else drawn


def table_view(table: TableSection) -> RenderableType:
    """Rows with column headings; numbers are right-aligned."""
    grid = FittedTable(header_style="dim")
    for place, column in enumerate(table.columns):
        numbers = table.rows and all(not isinstance(row[place], str) for row in table.rows)
        grid.add_column(Text(column), justify="right" if numbers else "left")
    units = table.units or ("",) * len(table.columns)
    for row in table.rows:
        grid.add_row(*(Text(format_value(cell, unit)) for cell, unit in zip(row, units, strict=True)))
    return grid


def range_view(grid: RangeGrid) -> RenderableType:
    """The 169 starting hands, suited above the diagonal: a digit gives the weight in ninths of the greatest weight."""
    ranks = RANKS[::-1]
    most = max(grid.weights) or 1.0
    drawn = Text(f"  {' '.join(ranks)}\n", style="dim")
    for row in range(_SIDE):
        drawn.append(f"{ranks[row]} ", style="dim")
        for weight in grid.weights[_SIDE * row : _SIDE * (row + 1)]:
            share = weight / most
            digit = max(1, round(9 * share))
            dot = share < _LEAST_SHARE
            drawn.append("· " if dot else f"{digit} ", style="dim" if dot else _SHADES[digit])
        drawn.append("\n")
    drawn.append(f"9 = {format_share(most)}, {grid.measure or 'weight'}", style="dim")
    return drawn


def _title(text: str) -> Text:
    return Text(text, style="bold")


def _indented(view: RenderableType) -> Padding:
    return Padding(view, (0, 0, 0, 2))


def _grid() -> FittedTable:
    return FittedTable(show_header=False)
