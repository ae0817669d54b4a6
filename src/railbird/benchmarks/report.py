"""Figures as a table that grows while they are measured, and as JSON."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

from railbird.benchmarks import figures as figures_of
from railbird.benchmarks.measuring import Figure
from railbird.places import write_whole

SCHEMA = "railbird.bench/1"


def measure(names: Iterable[str], console: Console) -> list[Figure]:
    """Measure the named parts and print each figure as soon as it is known."""
    figures: list[Figure] = []
    with Live(_table(figures), console=console, refresh_per_second=4) as live:
        for name in names:
            for figure in figures_of(name):
                figures.append(figure)
                live.update(_table(figures))
    return figures


def _table(figures: Sequence[Figure]) -> Table:
    table = Table(
        "figure", "ours", "peer", "theirs", "unit", "ratio", "asked", box=None, padding=(0, 2, 0, 0)
    )
    for figure in figures:
        asked = "" if figure.required is None else f"≥ {figure.required:g}"
        table.add_row(
            figure.name,
            f"{figure.ours:,.4g}" if figure.ours < 1000 else f"{figure.ours:,.0f}",
            figure.peer,
            f"{figure.theirs:,.4g}" if figure.theirs < 1000 else f"{figure.theirs:,.0f}",
            figure.unit,
            f"{figure.ratio:.2f}",
            asked if figure.reached else f"{asked}  missed",
        )
    return table


def write_json(path: Path, figures: Iterable[Figure]) -> None:
    """Write the figures in the documented form."""
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
    text = json.dumps({"schema": SCHEMA, "results": results}, indent=2) + "\n"
    write_whole(path, lambda file: file.write(text.encode()))
