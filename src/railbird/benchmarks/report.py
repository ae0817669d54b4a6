"""Figures as a table that grows while they are measured, and as JSON."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live

from railbird.arena.results.figures import MeasuredLine, measured_lines, save
from railbird.benchmarks import figures as figures_of
from railbird.benchmarks.measuring import Figure
from railbird.extras import MissingExtra
from railbird.interfaces.fitting import FittedTable

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
    missing = dict.fromkeys(
        figure.peer.partition(",")[0] for figure in figures if figure.theirs is None and figure.peer
    )
    if missing:
        hint = "pip install 'railbird[bench]' installs all peers except CBRkit and OMPEval (docs/speed.md)"
        notes.append(f"not installed, and left out: {', '.join(missing)}; {hint}")
    noisy = sum(figure.is_noise for figure in figures)
    if noisy:
        notes.append(
            f"too noisy to judge: the spread of {noisy} of {len(figures)} figures reaches across their targets;"
            " measure them again on a quieter machine"
        )
    for note in notes:
        console.print(note, markup=False, highlight=False)
    return figures


def draw_curves(figures: Sequence[Figure], path: Path) -> None:
    """Draw the figures that are points of curves, with the spread of their turns."""
    curves: dict[str, list[tuple[float, float, float, float]]] = {}
    for figure in figures:
        if figure.point is not None:
            name, size = figure.point
            noise = figure.ours * (figure.spread or 0.0)
            curves.setdefault(name, []).append((size, figure.ours, figure.ours - noise, figure.ours + noise))
    units = {figure.unit for figure in figures if figure.point is not None}
    lines = [MeasuredLine(name, points) for name, points in curves.items()]
    drawn = measured_lines(lines, "cases", f"time of a query ({', '.join(units)})")
    (axes,) = drawn.axes
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.7 * min(low for points in curves.values() for _, _, low, _ in points))
    save(drawn, path)


def _table(figures: Sequence[Figure]) -> FittedTable:
    table = FittedTable("figure")
    for heading in ("ours", "theirs", "ratio", "spread"):
        table.add_column(heading, justify="right")
    for heading in ("unit", "peer", "target"):
        table.add_column(heading)
    for figure in figures:
        table.add_row(
            figure.name,
            _number(figure.ours),
            "" if figure.theirs is None else _number(figure.theirs),
            "" if figure.ratio is None else f"{figure.ratio:.2f}",
            "" if figure.spread is None else f"± {figure.spread:.0%}".replace("%", " %"),
            figure.unit,
            figure.peer,
            _verdict(figure),
        )
    return table


def _verdict(figure: Figure) -> str:
    if figure.required is None:
        return ""
    target = f"≥ {figure.required:g}"
    if figure.is_noise:
        return f"{target}, too noisy to judge"
    return target if figure.reached else f"{target}, not reached"


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
            "spread": figure.spread,
        }
        for figure in figures
    ]
    return {"schema": SCHEMA, "results": results}
