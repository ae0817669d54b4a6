"""`railbird bench`: every speed figure as a ratio to a peer measured in the same run."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.benchmarks import NAMES, require_known
from railbird.cli.options import Force, JsonFile, refuse_idle_force, require_figures
from railbird.cli.output import is_standard_output, require_json, write_json

CURVES = "growth"
"""The part whose figures are points of curves."""


def bench(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help=f"What to measure, by default everything: {', '.join(NAMES)}.", show_default=False
        ),
    ] = None,
    json: JsonFile = None,
    figure: Annotated[
        Path | None,
        typer.Option(
            help="Draw how times grow with the number of cases (growth) to this .png or .svg.",
            show_default=False,
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Measure speed against peers, in one run on one core."""
    from rich.console import Console

    from railbird.arena.results.figures import require_figure
    from railbird.benchmarks.report import draw_curves, figures_to_json, measure

    chosen = names or list(NAMES)
    require_known(chosen)
    if figure is not None and CURVES not in chosen:
        raise ValueError(f"--figure draws the curves of {CURVES}, which is not measured here")
    refuse_idle_force(context, json, figure)
    require_json(json, force=force)
    require_figures(figure, "--figure")
    if figure is not None:
        require_figure(figure, force=force)
    figures = measure(chosen, Console(stderr=is_standard_output(json)))
    write_json(json, lambda: figures_to_json(figures))
    if figure is not None:
        draw_curves(figures, figure)
