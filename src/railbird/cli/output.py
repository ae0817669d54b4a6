"""Formatting of what commands print: counts, tables, and a note on hands that could not be used."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from railbird.notation.sources import Refused

_WIDEST = 1000


def hands(count: int) -> str:
    """A number of hands in words."""
    return "1 hand" if count == 1 else f"{count:,} hands"


def cases(count: int) -> str:
    """A number of cases in words."""
    return "1 case" if count == 1 else f"{count:,} cases"


def wide_console() -> "Console":
    """A console that does not wrap lines."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def plain_table(*headings: str) -> "Table":
    """A table without rules: the first column left-aligned, all others right-aligned."""
    from rich.table import Table

    table = Table(headings[0], box=None, padding=(0, 2, 0, 0))
    for heading in headings[1:]:
        table.add_column(heading, justify="right")
    return table


def print_table(table: "Table", console: "Console") -> None:
    """Print a table at its full width, without truncation."""
    from rich.console import Console

    width = console.measure(table, options=console.options.update(max_width=_WIDEST)).maximum
    Console(file=console.file, width=width, highlight=False).print(table)


def tell_refused(refused: "Refused", what: str) -> None:
    """Report on standard error how many hands were refused and why; `what` continues the sentence "7 hands …"."""
    if refused.count:
        print(f"railbird: {hands(refused.count)} {what}; the first:", file=sys.stderr)
        for line in refused.first:
            print(f"  {line}", file=sys.stderr)
