"""`railbird rate`: how strong the agents are."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Force, Workers, refuse_idle_force


def rate(
    context: typer.Context,
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
    force: Force = False,
) -> None:
    """Rate every agent by tournaments in every game (about 20 minutes on one core)."""
    from railbird.cli.interrupts import tells_when_stopped
    from railbird.cli.output import result_console
    from railbird.cli.progress import steps_bar
    from railbird.cli.views.ratings import show_ratings
    from railbird.experiments.ratings import measure_ratings
    from railbird.interfaces.ratings import ratings_from_json

    refuse_idle_force(context, output)
    with tells_when_stopped("the finished matches are kept; this command resumes"), steps_bar() as progress:
        found = measure_ratings(
            output, seed=seed, quick=quick, workers=workers, force=force, progress=progress, resume=True
        )
    show_ratings(ratings_from_json(found).values(), result_console())
