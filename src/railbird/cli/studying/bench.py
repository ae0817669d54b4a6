"""`railbird bench`: every speed figure as a ratio to a peer measured in the same run."""

from typing import Annotated

import typer

from railbird.benchmarks import NAMES, require_known
from railbird.cli.options import Force, JsonFile, refuse_idle_force
from railbird.cli.output import is_standard_output, require_json, write_json


def bench(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help=f"What to measure, by default everything: {', '.join(NAMES)}.", show_default=False
        ),
    ] = None,
    json: JsonFile = None,
    force: Force = False,
) -> None:
    """Measure speed against peers, in one run on one core."""
    from rich.console import Console

    from railbird.benchmarks.report import figures_to_json, measure

    chosen = names or list(NAMES)
    require_known(chosen)
    refuse_idle_force(context, json)
    require_json(json, force=force)
    figures = measure(chosen, Console(stderr=is_standard_output(json)))
    write_json(json, lambda: figures_to_json(figures))
