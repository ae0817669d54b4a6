"""Tables learnt from rows with unknown states by expectation maximisation (EM).

1. Expectation: the expected count of every table entry over the rows, averaged over their unknown states under the
   current network (`kernels.bayes.expectation`). Complete rows are counted once in advance.
2. Maximisation: the tables that maximise the likelihood of these counts together with the prior.

No iteration lowers the objective: the log-probability of the rows, plus that of the prior if there is one. An unknown
state without known descendants carries no information about the tables, so it is left out: the optimum is the same and
is reached sooner. Rows that agree in all relevant variables are merged into one weighted row.

The starting point determines which optimum is reached. By default it is counted with the prior and one extra
pseudo-count; a variable that is unknown in every row needs a start that distinguishes its states.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.elimination import plan
from railbird.bayes.inference import impossible
from railbird.bayes.learning.counts import Counts, Prior
from railbird.bayes.learning.likelihood import log_likelihoods
from railbird.bayes.network import Network
from railbird.bayes.programs import Numbers, Program, TableLayout, compile_plan
from railbird.bayes.rows import Codes, by_pattern, checked_rows, checked_weights
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure
from railbird.kernels.bayes.expectation import expected_counts


@dataclass(frozen=True, slots=True)
class Learned:
    """A network learnt from incomplete rows, and the course of learning."""

    network: Network
    objectives: tuple[float, ...]
    """The objective at the start and after every iteration."""
    log_likelihood: float
    """The logarithm of the probability of the rows under the network, without the prior."""
    converged: bool
    """Whether the last iteration gained no more than the tolerance."""

    @property
    def iterations(self) -> int:
        """The number of iterations."""
        return len(self.objectives) - 1


def learn(
    structure: Structure,
    rows: NDArray[np.integer],
    *,
    weights: NDArray[np.float64] | None = None,
    prior: Prior | None = None,
    start: Network | None = None,
    tolerance: float = 1e-6,
    most_iterations: int = 100,
) -> Learned:
    """Learn tables until an iteration gains no more than the tolerance, in nats per row."""
    if not tolerance >= 0.0:
        raise NetworkError(f"a tolerance must be a number of at least 0, not {tolerance}")
    if most_iterations < 1:
        raise NetworkError(f"there must be at least one iteration, not {most_iterations}")
    layout = TableLayout(structure)
    checked = checked_rows(structure, rows)
    checked_w = checked_weights(weights, len(checked))
    seen = checked_w > 0.0
    known = Counts(structure, prior)
    known.add_rows(checked[seen], checked_w[seen])
    groups = _grouped(layout, checked[seen], checked_w[seen])
    network = _start(known, start)
    objectives: list[float] = []
    while True:
        counts, likelihood = _expect(layout, known, groups, network)
        if likelihood == -np.inf:
            number = int(np.flatnonzero(np.isneginf(log_likelihoods(network, checked)) & seen)[0])
            raise impossible(structure, checked[number], f"row {number}: ")
        objectives.append(likelihood + _log_prior(known, network))
        gained = objectives[-1] - objectives[-2] if len(objectives) > 1 else np.inf
        converged = bool(gained <= tolerance * checked_w.sum())
        if converged or len(objectives) > most_iterations:
            return Learned(network, tuple(objectives), likelihood, converged)
        network = counts.network(otherwise=network)


@dataclass(frozen=True, slots=True)
class _Group:
    """Distinct rows with the same relevant known variables, and their weights."""

    program: Program
    rows: Codes
    weights: Numbers


def _grouped(layout: TableLayout, rows: Codes, weights: Numbers) -> list[_Group]:
    """The rows that contribute more than counting does."""
    groups = []
    for pattern, numbers in by_pattern(rows):
        known = frozenset(place for place, byte in enumerate(pattern) if byte)
        found = plan(layout.structure, known, ())
        factors = {factor for step in found.steps for factor in step.factors if factor < len(layout.sizes)}
        if not factors:
            continue
        matter = sorted({place for factor in factors for place in layout.families[factor]})
        parts = np.full((len(numbers), len(layout.sizes)), UNKNOWN, dtype=np.int16)
        parts[:, matter] = rows[numbers][:, matter]
        distinct, which = np.unique(parts, axis=0, return_inverse=True)
        program = compile_plan(layout, replace(found, constants=()), (), known)
        groups.append(_Group(program, distinct, _summed(which, weights[numbers])))
    return groups


def _summed(which: NDArray[np.intp], weights: Numbers) -> Numbers:
    return np.bincount(which, weights).astype(np.float64)


def _start(known: Counts, start: Network | None) -> Network:
    if start is None:
        more = Counts(known.structure, known.prior)
        more.flat[:] = known.flat + 1.0
        return more.network()
    if start.structure != known.structure:
        raise NetworkError("the network to start from has a different structure")
    return start


def _expect(
    layout: TableLayout, known: Counts, groups: Sequence[_Group], network: Network
) -> tuple[Counts, float]:
    """The expected counts and the logarithm of the rows' probability; -inf if one is impossible."""
    counts = Counts(known.structure, known.prior)
    counts.flat[:] = known.flat
    tables = layout.flat(network.tables)
    likelihood = _weighted_logarithms(known.flat, tables)
    work = max((group.program.work for group in groups), default=0)
    values = np.concatenate([tables, np.zeros(work)])
    for group in groups:
        likelihood += expected_counts(
            group.program.ints, layout.ints, group.rows, group.weights, values, counts.flat
        )
    return counts, likelihood


def _log_prior(counts: Counts, network: Network) -> float:
    """The logarithm of the prior density of a network's tables, up to a constant."""
    return sum(
        _weighted_logarithms(counts.pseudo_counts(name).ravel(), table.ravel())
        for name, table in network.tables.items()
    )


def _weighted_logarithms(weights: Numbers, numbers: Numbers) -> float:
    """Σ weight · log number over the positive weights."""
    counted = weights > 0.0
    if (numbers[counted] == 0.0).any():
        return -np.inf
    return float(weights[counted] @ np.log(numbers[counted]))
