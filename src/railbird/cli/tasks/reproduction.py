"""Running experiments from the command line: a bar while they run, a table of findings, and a file for each."""

import json
import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

from railbird import __version__
from railbird.arena.run.journal import Journal, journal_beside
from railbird.cli.views.progress import bar, tell_of_compiling
from railbird.experiments import experiment_named, experiments
from railbird.experiments.frame import Experiment, Laboratory
from railbird.experiments.report import show_findings, show_heading, to_json
from railbird.places import write_whole


def list_experiments() -> None:
    """Every experiment and its claim."""
    table = Table("experiment", "paper", "claim", box=None, padding=(0, 2, 0, 0))
    for experiment in experiments().values():
        table.add_row(experiment.name, experiment.paper, experiment.claim)
    Console().print(table)


def run_experiments(
    names: Sequence[str], *, quick: bool, folder: Path | None, seed: str, workers: str
) -> None:
    """Run the named experiments, or all of them."""
    chosen = list(experiments().values()) if "all" in names else [experiment_named(name) for name in names]
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    tell_of_compiling()
    for experiment in chosen:
        _run(experiment, quick=quick, folder=folder, seed=seed, workers=workers)


def _run(experiment: Experiment, *, quick: bool, folder: Path | None, seed: str, workers: str) -> None:
    console = Console(highlight=False)
    show_heading(experiment, console)
    arguments = ["railbird", "reproduce", experiment.name, *["--quick"] * quick, "--seed", seed]
    command = shlex.join([*arguments, *(["-o", str(folder)] if folder is not None else [])])
    results = None if folder is None else folder / f"{experiment.name}.json"
    started = perf_counter()
    with ExitStack() as open_files:
        journal = None
        if results is not None:
            common = {"experiment": experiment.name, "seed": seed, "quick": quick, "version": __version__}
            journal = open_files.enter_context(Journal(journal_beside(results), common))
        progress = open_files.enter_context(bar(experiment.name))
        laboratory = Laboratory(seed, quick, workers, journal, progress)
        findings = list(experiment.run(laboratory))
    if quick:
        findings = [replace(finding, holds=None) for finding in findings]  # too little was played to judge
    if results is not None:
        data = to_json(
            experiment,
            findings,
            seed=seed,
            quick=quick,
            command=command,
            elapsed_s=perf_counter() - started,
        )
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        write_whole(results, lambda file: file.write(text.encode()))
    show_findings(findings, command, console)
