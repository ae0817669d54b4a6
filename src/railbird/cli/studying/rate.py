"""`railbird rate`: how strong the agents are."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Workers


def rate(
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", help="Write the ratings to this file; an interrupted run resumes.", show_default=False
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Far fewer hands, only to check that everything runs.")
    ] = False,
    seed: Annotated[str, typer.Option(help="Seed; the same seed gives the same ratings.")] = "1",
    workers: Workers = "1",
) -> None:
    """Rate every agent by tournaments in every game (about 20 minutes of one core)."""
    from rich.console import Console

    from railbird.cli.progress import steps_bar, tell_of_compiling
    from railbird.cli.views.ratings import show_ratings
    from railbird.experiments.ratings import measure_ratings
    from railbird.interfaces.ratings import ratings_from_json

    tell_of_compiling()
    with steps_bar() as progress:
        found = measure_ratings(output, seed=seed, quick=quick, workers=workers, progress=progress)
    show_ratings(ratings_from_json(found).values(), Console(highlight=False))
