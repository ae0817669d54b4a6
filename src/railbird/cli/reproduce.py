"""`railbird reproduce`: what the papers claim, measured again."""

from pathlib import Path
from typing import Annotated

import typer


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Experiments by name, all, or list.", show_default=False),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Far fewer hands: only to see that everything runs.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            help="Write each experiment's findings into this folder; a stopped run resumes.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[str, typer.Option(help="Names the experiment: the same seed, the same findings.")] = "1",
    workers: Annotated[str, typer.Option(help="1, a number of processes, ray, or ray://host:port.")] = "1",
) -> None:
    """Run the papers' experiments and set what is found beside what was published."""
    from railbird.cli.tasks.reproduction import list_experiments, run_experiments

    chosen = names or ["list"]
    if chosen == ["list"]:
        list_experiments()
    else:
        run_experiments(chosen, quick=quick, folder=output, seed=seed, workers=workers)
