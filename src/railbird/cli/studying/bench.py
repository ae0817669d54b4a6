"""`railbird bench`: every speed figure as a ratio to a peer measured in the same run."""

from pathlib import Path
from typing import Annotated

import typer


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="What to measure; by default everything.", show_default=False),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(help="Also write the figures to this file.", show_default=False)
    ] = None,
) -> None:
    """Measure speed against peers, in one run on one core."""
    from rich.console import Console

    from railbird.benchmarks import NAMES, require_known
    from railbird.benchmarks.report import measure, write_json

    chosen = names or list(NAMES)
    require_known(chosen)
    if json is not None and not json.parent.is_dir():
        raise ValueError(f"{json.name} cannot be written: {json.parent} is not a folder")
    figures = measure(chosen, Console())
    if json is not None:
        write_json(json, figures)
