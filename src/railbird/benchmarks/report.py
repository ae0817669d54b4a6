"""Figures as a table that grows while they are measured, and as JSON."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.table import Table

from railbird.benchmarks import figures as figures_of
from railbird.benchmarks.measuring import Figure
from railbird.extras import MissingExtra

SCHEMA = "railbird.bench/1"


def measure(names: Iterable[str], console: Console) -> list[Figure]:
    """Measure the named parts and print each figure as soon as it is known."""
    figures: list[Figure] = []
    notes: list[str] = []
    with Live(_table(figures), console=console, refresh_per_second=4) as live:
        for name in names:
            try:
                for figure in figures_of(name):
                    figures.append(figure)
                    live.update(_table(figures))
            except MissingExtra as error:
                notes.append(str(error))
    if not console.is_terminal:
        console.line()  # elsewhere the table does not end its last line
    missing = dict.fromkeys(figure.peer.partition(",")[0] for figure in figures if figure.theirs is None)
    if missing:
        hint = "pip install 'railbird[bench]' installs all peers except CBRkit"
        notes.append(f"not installed, and left out: {', '.join(missing)}; {hint}")
    for note in notes:
        console.print(note, markup=False, highlight=False)
    return figures


def _table(figures: Sequence[Figure]) -> Table:
    table = Table(
        "figure", "ours", "peer", "theirs", "unit", "ratio", "target", box=None, padding=(0, 2, 0, 0)
    )
    for figure in figures:
        asked = "" if figure.required is None else f"≥ {figure.required:g}"
        table.add_row(
            figure.name,
            _number(figure.ours),
            figure.peer,
            "" if figure.theirs is None else _number(figure.theirs),
            figure.unit,
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            asked if figure.reached else f"{asked}  not reached",
        )
    return table


def _number(number: float) -> str:
    return f"{number:,.4g}" if number < 1000 else f"{number:,.0f}"


def figures_to_json(figures: Iterable[Figure]) -> dict[str, Any]:
    """The figures as plain data."""
    results = [
        {
            "name": figure.name,
            "ours": figure.ours,
            "peer": figure.peer,
            "theirs": figure.theirs,
            "unit": figure.unit,
            "ratio": figure.ratio,
            "required": figure.required,
        }
        for figure in figures
    ]
    return {"schema": SCHEMA, "results": results}
