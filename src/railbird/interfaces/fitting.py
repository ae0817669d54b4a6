"""Views that fit the terminal: nothing is cut, however narrow it is.

Text wraps, numbers do not. If a table is still too wide, its columns continue in further blocks below, each of which
begins with the first column. Views side by side move below each other. On a console whose lines may have any length
(`soft_wrap`), tables are as wide as they need.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Column, Table

_NARROWEST = 16
"""The width to which columns of text may shrink."""
_LONGEST_WORD = 26
"""The length up to which words, such as names, are not broken."""
_GAP = 2
_UNLIMITED = 10_000


class _Span(NamedTuple):
    """The widths that a column can have, with its gap."""

    least: int
    most: int


class FittedTable(Table):
    """A table without lines; columns that are justified to the right hold numbers."""

    def __init__(self, *headings: str, show_header: bool = True, header_style: str | None = None) -> None:
        super().__init__(
            *headings,
            box=None,
            padding=(0, _GAP, 0, 0),
            show_header=show_header,
            header_style=header_style,
        )

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        unlimited = options.update(max_width=_UNLIMITED)
        if console.soft_wrap:  # lines may have any length
            options = unlimited
        spans = [self._span(column, console, unlimited) for column in self.columns]
        for number, places in enumerate(_blocks(spans, options.max_width)):
            if number:
                yield ""
            block = self._block(places, _widths([spans[place] for place in places], options.max_width))
            for line in Segment.split_lines(console.render(block, options)):
                yield from _trimmed(line)
                yield Segment.line()

    def _span(self, column: Column, console: Console, options: ConsoleOptions) -> _Span:
        cells = [Measurement.get(console, options, cell) for cell in column.cells]
        heading = Measurement.get(console, options, column.header) if self.show_header else Measurement(0, 0)
        widest = max((cell.maximum for cell in cells), default=0)
        most = max(widest, heading.maximum)
        if column.justify == "right":
            least = max(widest, heading.minimum)
        else:
            longest = max((cell.minimum for cell in cells), default=0)
            least = min(most, max(_NARROWEST, heading.minimum, longest if longest <= _LONGEST_WORD else 0))
        return _Span(least + _GAP, most + _GAP)

    def _block(self, places: Sequence[int], widths: Sequence[int]) -> Table:
        block = Table(
            box=None, padding=self.padding, show_header=self.show_header, header_style=self.header_style
        )
        columns = [self.columns[place] for place in places]
        for column, width in zip(columns, widths, strict=True):
            block.add_column(column.header, justify=column.justify, width=width - _GAP, overflow="fold")
        for cells in zip(*(column.cells for column in columns), strict=True):
            block.add_row(*cells)
        return block


def _trimmed(line: list[Segment]) -> list[Segment]:
    """A line without the spaces that would fill its last column."""
    while line and not line[-1].text.strip(" "):
        line = line[:-1]
    return [*line[:-1], line[-1]._replace(text=line[-1].text.rstrip(" "))] if line else line


def _blocks(spans: Sequence[_Span], room: int) -> Iterator[list[int]]:
    """The columns of each block, the first column in all of them."""
    if not spans:
        return
    block = [0]
    for place in range(1, len(spans)):
        if len(block) > 1 and sum(spans[each].least for each in (*block, place)) > room:
            yield block
            block = [0]
        block.append(place)
    yield block


def _widths(spans: Sequence[_Span], room: int) -> list[int]:
    """The widths of columns: as wide as they need, or an equal share of the room that is left for those that wrap."""
    widths = [span.least for span in spans]
    spare = max(0, room - sum(widths))
    wrapping = sorted(range(len(spans)), key=lambda place: spans[place].most - spans[place].least)
    for waiting, place in zip(range(len(wrapping), 0, -1), wrapping, strict=True):
        more = min(spans[place].most - spans[place].least, spare // waiting)
        widths[place] += more
        spare -= more
    return widths


class SideBySide:
    """Views beside each other, as many as fit, and the others below."""

    def __init__(self, views: Sequence[RenderableType]) -> None:
        self._views = views

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = options.update(max_width=_UNLIMITED)
        widths = [Measurement.get(console, wide, view).maximum + _GAP for view in self._views]
        row: list[int] = []
        for place, width in enumerate(widths):
            if row and sum(widths[each] for each in row) + width > options.max_width:
                yield self._row(row)
                yield ""
                row = []
            row.append(place)
        yield self._row(row)

    def _row(self, places: Sequence[int]) -> Table:
        row = Table(box=None, padding=(0, _GAP, 0, 0), show_header=False)
        row.add_row(*(self._views[place] for place in places))
        return row
