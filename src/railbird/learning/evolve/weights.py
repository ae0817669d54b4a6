"""`evolve_weights`: weights of attributes found by evolution, with their recipe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

from railbird import __version__
from railbird.arena.results.figures import require_figure, save
from railbird.arena.run.journal import journal_beside
from railbird.arena.run.workers import check_workers
from railbird.cbr.weights import format_weights
from railbird.frames import data_frame
from railbird.learning.evolve.convergence import convergence
from railbird.learning.evolve.evolution import (
    Lineage,
    ProgressListener,
    evolve,
    found_weights,
)
from railbird.learning.evolve.objectives import Objective, digest_of, split_pack
from railbird.learning.evolve.trials import TrialJournal, Weights
from railbird.learning.evolve.weighted import weighted_system
from railbird.learning.imitation import Agreement, agreement
from railbird.places import require_ending, require_output, write_whole

if TYPE_CHECKING:
    import polars as pl

_TRIED = ".tried"


@dataclass(frozen=True, slots=True)
class EvolvedWeights:
    """The result of an evolution."""

    weights: Weights
    unit: str
    """The unit of the losses."""
    lineages: tuple[Lineage, ...]
    hand_picked: Mapping[str, Agreement]
    """How well the hand-picked weights predict the held-out decisions, by stage."""
    found: Mapping[str, Agreement]
    """The same for the weights found."""

    def to_json(self) -> dict[str, Any]:
        """The weights and the losses of all generations, as plain data."""
        return {
            "weights": {stage: dict(of_stage) for stage, of_stage in self.weights.items()},
            "unit": self.unit,
            "generations": self._rows(),
        }

    def to_frame(self) -> "pl.DataFrame":
        """A row for each generation of each lineage: its losses."""
        return data_frame(self._rows())

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "stages": ", ".join(lineage.stages),
                "generation": generation.number,
                "loss": generation.loss,
                "held_out": generation.held_out,
                "best": None if isnan(generation.best) else generation.best,
                "median": None if isnan(generation.median) else generation.median,
            }
            for lineage in self.lineages
            for generation in lineage.generations
        ]


def tried_beside(output: Path) -> Path:
    """The folder of weights being tried, next to the output file."""
    return output.with_name(output.name + _TRIED)


def require_evolution(
    system: str, output: Path, figure: Path | None = None, *, workers: str = "1", force: bool = False
) -> None:
    """Refuse invalid arguments before anything is tried."""
    weighted_system(system)
    check_workers(workers)
    require_ending(output, ".toml")
    resumes = journal_beside(output).exists()
    require_output(output, force=force or resumes)
    if figure is not None:
        require_figure(figure, force=force or resumes)


def evolve_weights(
    objective: Objective,
    pack: Path,
    output: Path,
    *,
    system: str,
    generations: int = 40,
    population: int | None = None,
    seed: str = "1",
    workers: str = "1",
    figure: Path | None = None,
    force: bool = False,
    command: str = "",
    progress: ProgressListener | None = None,
) -> EvolvedWeights:
    """Let weights evolve, starting with the hand-picked ones, and write the weights found.

    Trials are kept in a journal next to `output`: the same call resumes an interrupted evolution, also with more
    generations. `command` is written to the file as the command that reproduces it.
    """
    require_evolution(system, output, figure, workers=workers, force=force)
    # A pack that cannot be used is refused before a journal is created.
    parts, _ = split_pack(pack, system), objective.blocks()
    table, retrieval = weighted_system(system).table, weighted_system(system).retrieval
    evolution = {
        "system": system,
        "seed": seed,
        "population": population,
        "version": __version__,
        **objective.identity(),
    }
    with TrialJournal(journal_beside(output), evolution) as journal:
        lineages = evolve(
            objective,
            journal,
            table,
            generations=generations,
            population=population,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    weights = found_weights(lineages)
    hand_picked, found = (
        agreement(
            parts.cases,
            parts.held_out,
            {stage: table.similarity(stage, of.get(stage)) for stage in table.stages},
            retrieval,
        )
        for of in ({}, weights)
    )
    recipe = _recipe(system, pack, objective, lineages, command)
    text = recipe + format_weights(weights)
    write_whole(output, lambda file: file.write(text.encode()))
    rmtree(tried_beside(output), ignore_errors=True)
    if figure is not None:
        save(convergence(lineages, objective.unit), figure)
    return EvolvedWeights(weights, objective.unit, tuple(lineages), hand_picked, found)


def _recipe(system: str, pack: Path, objective: Objective, lineages: Sequence[Lineage], command: str) -> str:
    """How the weights were found, as comments."""
    lines = [
        f"Weights of {system}, found by evolution with railbird {__version__}:",
        *([command] if command else []),
        f"{pack.name} has the SHA-256 {digest_of(pack)}",
    ]
    for lineage in lineages:
        start, found = lineage.start, lineage.found
        lines.append(
            f"{', '.join(lineage.stages)}: {objective.unit} {found.loss:.4f} in generation {found.number} of "
            f"{lineage.generations[-1].number}, held out {found.held_out:.4f}; "
            f"hand-picked {start.loss:.4f}, held out {start.held_out:.4f}"
        )
    return "".join(f"# {line}\n" for line in lines) + "\n"
