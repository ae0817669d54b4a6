"""Explanations in the terminal: one view for each kind of section, independent of the agent."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from railbird.agent import Decision
from railbird.cards import RANKS
from railbird.explanation import Bar, Bars, Belief, Cell, Explanation, Fact, RangeGrid, Section, TableSection

BAR_WIDTH = 24
_SIDE = len(RANKS)
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_SHADES = ("dim", "dim", "cyan", "cyan", "green", "green", "yellow", "yellow", "red", "bold red")
_LEAST_SHARE = 0.05
"""Starting hands below this share of the greatest weight are shown as a dot."""


def decision_view(decision: Decision) -> RenderableType:
    """The action, the strategy it was drawn from, and the reasons."""
    parts: list[RenderableType] = [Text(f"{decision.action}", style="bold")]
    if decision.strategy:
        chances = tuple(Bar(str(action), chance) for action, chance in decision.strategy)
        parts.append(_indented(bars_view(Bars("strategy", chances))))
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
        grid.add_row(Text(fact.name), Text(_cell(fact.value)))
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
        case Belief(label, grid, bars):
            beside = _grid()
            views: list[RenderableType] = [range_view(grid)]
            views += [Group(_title(each.title), bars_view(each)) for each in bars]
            for _ in views:
                beside.add_column()
            beside.add_row(*views)
            return Group(_title(f"{label}: {grid.title}"), _indented(beside))
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
        value = (
            f"{_cell(bar.value)}{'' if bar.error is None else f' ± {_cell(bar.error)}'} {bars.unit}".rstrip()
        )
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
    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for place, column in enumerate(table.columns):
        numbers = table.rows and all(not isinstance(row[place], str) for row in table.rows)
        grid.add_column(Text(column), justify="right" if numbers else "left")
    for row in table.rows:
        grid.add_row(*(Text(_cell(cell)) for cell in row))
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
    drawn.rstrip()
    return drawn


def _title(text: str) -> Text:
    return Text(text, style="bold")


def _indented(view: RenderableType) -> Padding:
    return Padding(view, (0, 0, 0, 2))


def _grid() -> Grid:
    return Grid(box=None, padding=(0, 2, 0, 0), show_header=False)


def _cell(value: Cell) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
