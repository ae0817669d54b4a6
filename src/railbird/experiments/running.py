"""Running an experiment: its findings, and a file for them."""

import json
import shlex
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from railbird import __version__
from railbird.arena.run.journal import Journal, journal_beside
from railbird.arena.run.kept_journals import kept_journal
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.frames import data_frame
from railbird.places import require_output, require_output_folder, write_whole

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "railbird.reproduction/1"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """An experiment and what it found."""

    experiment: Experiment
    findings: tuple[Finding, ...]
    seed: str
    quick: bool
    command: str
    """Repeats the experiment."""
    elapsed_s: float
    provenance: Mapping[str, str] = field(default_factory=dict)
    """Where the knowledge of the agents comes from that played and had learnt something."""

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "schema": SCHEMA,
            "name": self.experiment.name,
            "paper": self.experiment.paper,
            "claim": self.experiment.claim,
            "setup": self.experiment.setup,
            "seed": self.seed,
            "quick": self.quick,
            "findings": [asdict(finding) for finding in self.findings],
            "provenance": dict(self.provenance),
            "reproduce": self.command,
            "elapsed_s": self.elapsed_s,
            "version": __version__,
        }

    def to_frame(self) -> "pl.DataFrame":
        """A row for each finding."""
        return data_frame([asdict(finding) for finding in self.findings])


def require_findings(experiment: Experiment, folder: Path, *, force: bool = False) -> None:
    """Refuse a folder into which the findings cannot be written; those of a run with a journal are its own."""
    require_output_folder(folder)
    results = _results(experiment, folder)
    if folder.exists():
        require_output(results, force=force or journal_beside(results).exists())


def _results(experiment: Experiment, folder: Path) -> Path:
    return folder / f"{experiment.name}.json"


def run_experiment(
    experiment: Experiment,
    *,
    quick: bool = False,
    folder: Path | None = None,
    seed: str = "1",
    workers: str = "1",
    progress: Callable[[int, int], None] | None = None,
    resume: bool = False,
) -> Reproduction:
    """Run an experiment; with a folder for its findings, one that was stopped resumes.

    Without a folder, `resume` keeps its matches in the user's data folder until it is finished.
    """
    arguments = ["railbird", "reproduce", experiment.name, *["--quick"] * quick, "--seed", seed]
    command = shlex.join([*arguments, *(["-o", str(folder)] if folder is not None else [])])
    results = None if folder is None else _results(experiment, folder)
    started = perf_counter()
    with ExitStack() as open_files:
        journal: Journal | None = None
        common = {"experiment": experiment.name, "seed": seed, "quick": quick, "version": __version__}
        if results is not None:
            journal = open_files.enter_context(Journal(journal_beside(results), common))
        elif resume:
            journal = open_files.enter_context(kept_journal("reproduce", common))
        laboratory = Laboratory(seed, quick, workers, journal, progress, folder)
        findings = list(experiment.run(laboratory))
        learnt = {agent: told for agent, told in laboratory.provenance.items() if told}
    if quick:
        findings = [
            replace(finding, holds=None, agrees=None) for finding in findings
        ]  # too little was played to judge
    found = Reproduction(experiment, tuple(findings), seed, quick, command, perf_counter() - started, learnt)
    if results is not None:
        text = json.dumps(found.to_json(), indent=2, ensure_ascii=False) + "\n"
        write_whole(results, lambda file: file.write(text.encode()))
    return found
