"""Structures learnt from rows by pyAgrum's searches, and compared.

Prior knowledge narrows a search: required and forbidden arcs, tiers (no variable depends on a later tier), a maximum
number of parents. Searches need complete rows. pyAgrum is imported when a search runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.agrum import pyagrum_module
from railbird.bayes.learning.counts import Prior, Uniform, count
from railbird.bayes.learning.likelihood import log_likelihood
from railbird.bayes.rows import Codes, checked_rows
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure, Variable

Arc: TypeAlias = tuple[str, str]
"""From a parent to a child."""


class StructureScore(Enum):
    """The score that a search maximises."""

    BIC = "bic"
    BDEU = "bdeu"
    AIC = "aic"


@dataclass(frozen=True, slots=True)
class HillClimbing:
    """Adds, removes or reverses the arc that improves the score most, as long as there is one."""

    score: StructureScore = StructureScore.BIC


@dataclass(frozen=True, slots=True)
class Tabu:
    """Hill climbing beyond local optima: steps may worsen the score, and recent changes are not undone."""

    score: StructureScore = StructureScore.BIC
    worse_steps: int = 20
    """Maximum number of consecutive steps without improvement."""
    remembered: int = 100


@dataclass(frozen=True, slots=True)
class Miic:
    """Uses the mutual information between variables (Verny and others, 2017) instead of a score."""


Search: TypeAlias = HillClimbing | Tabu | Miic


@dataclass(frozen=True, slots=True)
class Constraints:
    """Prior knowledge about a structure."""

    required: tuple[Arc, ...] = ()
    forbidden: tuple[Arc, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    """Variables in temporal order: none depends on a later tier. All variables are listed, or none."""
    most_parents: int | None = None


def learn_structure(
    variables: Sequence[Variable],
    rows: NDArray[np.integer],
    *,
    search: Search | None = None,
    constraints: Constraints | None = None,
) -> Structure:
    """The structure found by a search, `HillClimbing()` by default; parents are in the variables' order."""
    search = HillClimbing() if search is None else search
    bare = Structure(tuple(variables))
    limits = Constraints() if constraints is None else constraints
    checked = _complete(bare, rows)
    _check(bare, limits)
    if isinstance(search, Miic) and limits.most_parents is not None:
        raise NetworkError("MIIC does not support a maximum number of parents")
    pyagrum = pyagrum_module()
    # Learner and template are kept in variables while in use: pyAgrum's objects do not keep each other alive.
    template = pyagrum.BayesNet()
    for place, variable in enumerate(bare.variables):
        template.add(pyagrum.LabelizedVariable(_column(place), "", len(variable)))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        header = ",".join(_column(place) for place in range(len(bare.variables)))
        np.savetxt(file, checked, fmt="%d", delimiter=",", header=header, comments="")
        learner = pyagrum.BNLearner(str(file), template)
        learner.setNumberOfThreads(1)
        _configure(learner, bare, search, limits)
        found = learner.learnDAG()
        arcs = sorted((int(parent), int(child)) for parent, child in found.arcs())
    parents: dict[str, tuple[str, ...]] = {}
    for parent, child in arcs:
        name = bare.variables[child].name
        parents[name] = (*parents.get(name, ()), bare.variables[parent].name)
    return Structure(bare.variables, parents)


def _column(place: int) -> str:
    return f"v{place}"


def _complete(structure: Structure, rows: NDArray[np.integer]) -> Codes:
    """The rows; refused if any state is unknown."""
    checked = checked_rows(structure, rows)
    if not len(checked):
        raise NetworkError("there are no rows to learn a structure from")
    unknown = np.argwhere(checked == UNKNOWN)
    if len(unknown):
        row, place = unknown[0].tolist()
        raise NetworkError(
            f"row {row}: {structure.variables[place].name} is unknown, but structures are learnt from complete rows"
        )
    return checked


def _check(structure: Structure, limits: Constraints) -> None:
    for parent, child in (*limits.required, *limits.forbidden):
        structure.place(parent)
        structure.place(child)
    both = set(limits.required) & set(limits.forbidden)
    if both:
        raise NetworkError(f"the arc {' → '.join(min(both))} is both required and forbidden")
    tiers = [name for tier in limits.tiers for name in tier]
    if tiers and sorted(tiers) != sorted(structure.places):
        raise NetworkError(f"tiers must list each variable once, unlike {', '.join(tiers)}")
    if limits.most_parents is not None and limits.most_parents < 1:
        raise NetworkError(f"the maximum number of parents must be at least one, not {limits.most_parents}")
    rank = {name: number for number, tier in enumerate(limits.tiers) for name in tier}
    for parent, child in limits.required:
        if rank.get(parent, 0) > rank.get(child, 0):
            raise NetworkError(f"the arc {parent} → {child} is required, but {parent} is in a later tier")
    parents: dict[str, tuple[str, ...]] = {}
    for parent, child in limits.required:
        parents[child] = (*parents.get(child, ()), parent)
    Structure(structure.variables, parents)


def _configure(learner: Any, structure: Structure, search: Search, limits: Constraints) -> None:
    match search:
        case HillClimbing():
            learner.useGreedyHillClimbing()
        case Tabu():
            learner.useLocalSearchWithTabuList(search.remembered, search.worse_steps)
        case Miic():
            learner.useMIIC()
    if not isinstance(search, Miic):
        match search.score:
            case StructureScore.BIC:
                learner.useScoreBIC()
            case StructureScore.BDEU:
                learner.useScoreBDeu()
            case StructureScore.AIC:
                learner.useScoreAIC()
    for parent, child in limits.required:
        learner.addMandatoryArc(structure.places[parent], structure.places[child])
    for parent, child in limits.forbidden:
        learner.addForbiddenArc(structure.places[parent], structure.places[child])
    if limits.tiers:
        learner.setSliceOrder([[_column(structure.places[name]) for name in tier] for tier in limits.tiers])
    if limits.most_parents is not None:
        learner.setMaxIndegree(limits.most_parents)


@dataclass(frozen=True, slots=True)
class ComparedStructure:
    """How well a structure explains the rows it was learnt from, and held-out rows."""

    name: str
    parameters: int
    """The number of free probabilities."""
    bic: float
    """The maximum log-likelihood minus half the logarithm of the number of rows per parameter: higher is better."""
    held_out: float
    """The mean log-probability of a held-out row, in nats: higher is better."""


def compare(
    structures: Mapping[str, Structure],
    rows: NDArray[np.integer],
    held_out: NDArray[np.integer],
    prior: Prior | None = None,
) -> tuple[ComparedStructure, ...]:
    """Structures over the same variables, the best on held-out rows first; tables are counted from the rows."""
    found = [
        ComparedStructure(
            name,
            parameters(structure),
            bic(structure, rows),
            log_likelihood(count(structure, rows, prior=prior), held_out) / len(held_out),
        )
        for name, structure in structures.items()
    ]
    return tuple(sorted(found, key=lambda each: -each.held_out))


def parameters(structure: Structure) -> int:
    """The number of free probabilities in all tables: in each row of a table, all but one."""
    total = 0
    for variable in structure.variables:
        entries = int(np.prod(structure.shape(variable.name)))
        total += entries - entries // len(variable)
    return total


def bic(structure: Structure, rows: NDArray[np.integer]) -> float:
    """Schwarz's information criterion for complete rows, in nats: higher is better."""
    checked = _complete(structure, rows)
    best = count(structure, checked, prior=Uniform(0.0))
    return log_likelihood(best, checked) - parameters(structure) / 2 * log(len(checked))
