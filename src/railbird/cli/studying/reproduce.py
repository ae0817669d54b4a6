"""`railbird reproduce`: the papers' experiments."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.options import Workers


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Names of experiments, all, or list.", show_default=False),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Far fewer hands, only to check that everything runs.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            help="Write each experiment's findings into this folder; an interrupted run resumes.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        str, typer.Option(help="Seed of the experiment; the same seed gives the same findings.")
    ] = "1",
    workers: Workers = "1",
) -> None:
    """Run the papers' experiments and compare the findings with the published results."""
    from rich.console import Console

    from railbird.cli.progress import bar, tell_of_compiling
    from railbird.cli.views.findings import show_experiments, show_findings, show_heading
    from railbird.experiments import experiment_named, experiments
    from railbird.experiments.running import run_experiment

    if not names or names == ["list"]:
        show_experiments(experiments().values(), Console())
        return
    chosen = list(experiments().values()) if "all" in names else [experiment_named(name) for name in names]
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
    tell_of_compiling()
    console = Console(highlight=False)
    for experiment in chosen:
        show_heading(experiment, console)
        with bar(experiment.name) as progress:
            found = run_experiment(
                experiment, quick=quick, folder=output, seed=seed, workers=workers, progress=progress
            )
        show_findings(found, console)
