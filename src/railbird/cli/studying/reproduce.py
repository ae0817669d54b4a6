"""`railbird reproduce`: the papers' experiments."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.completing import complete_experiments
from railbird.cli.options import Force, Workers, refuse_idle, refuse_idle_force


def reproduce(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names of experiments; all to run all of them; list to list them.",
            autocompletion=complete_experiments,
            show_default=False,
        ),
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
    force: Force = False,
) -> None:
    """Run the papers' experiments and compare the findings with the published results."""
    from railbird.cli.interrupts import tells_when_stopped
    from railbird.cli.output import result_console
    from railbird.cli.progress import bar
    from railbird.cli.views.findings import show_experiments, show_findings, show_heading
    from railbird.experiments import experiment_named, experiments
    from railbird.experiments.running import require_findings, run_experiment

    if not names or names == ["list"]:
        refuse_idle(context, "without an experiment to run", "quick", "output", "seed", "workers", "force")
        show_experiments(experiments().values(), result_console())
        return
    refuse_idle_force(context, output)
    chosen = list(experiments().values()) if "all" in names else [experiment_named(name) for name in names]
    if output is not None:
        for experiment in chosen:
            require_findings(experiment, output, force=force)
        output.mkdir(parents=True, exist_ok=True)
    console = result_console()
    for experiment in chosen:
        show_heading(experiment, console)
        kept = "the finished matches are kept; this command resumes"
        with tells_when_stopped(kept), bar(experiment.name) as progress:
            found = run_experiment(
                experiment,
                quick=quick,
                folder=output,
                seed=seed,
                workers=workers,
                progress=progress,
                resume=True,
            )
        show_findings(found, console)
