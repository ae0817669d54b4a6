"""Bayesian networks by multiplying everything out: every state of every variable, one after the other."""

from collections.abc import Iterator
from itertools import product
from math import fsum, log

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.network import Network

Assignment = tuple[int, ...]


def joint(network: Network, codes: list[int]) -> Iterator[tuple[Assignment, float]]:
    """Every assignment that agrees with what is known, and its probability."""
    structure = network.structure
    choices = [
        range(len(variable)) if code < 0 else (code,)
        for variable, code in zip(structure.variables, codes, strict=True)
    ]
    for assignment in product(*choices):
        probability = 1.0
        for variable in structure.variables:
            probability *= entry(network, variable.name, assignment)
        yield assignment, probability


def entry(network: Network, name: str, assignment: Assignment) -> float:
    """The entry of a variable's table that an assignment uses."""
    return float(network.tables[name][place_of(network, name, assignment)])


def place_of(network: Network, name: str, assignment: Assignment) -> tuple[int, ...]:
    structure = network.structure
    return tuple(assignment[structure.places[each]] for each in (*structure.parents[name], name))


def probability(network: Network, codes: list[int]) -> float:
    return fsum(each for _, each in joint(network, codes))


def posterior(network: Network, codes: list[int], name: str) -> list[float]:
    """The probabilities of a variable's states; what is known must be possible."""
    found: list[list[float]] = [[] for _ in network.structure.variable(name).states]
    for assignment, each in joint(network, codes):
        found[assignment[network.structure.places[name]]].append(each)
    total = fsum(fsum(each) for each in found)
    return [fsum(each) / total for each in found]


def with_ancestors(network: Network, codes: list[int]) -> set[str]:
    """The names of all known variables and of what is above them."""
    found: set[str] = set()
    waiting = [
        variable.name for variable, code in zip(network.structure.variables, codes, strict=True) if code >= 0
    ]
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting.extend(network.structure.parents[name])
    return found


def expected_counts(
    network: Network, rows: list[list[int]], weights: list[float]
) -> tuple[dict[str, NDArray[np.float64]], float]:
    """How often every entry was used on average over what is unknown, and the logarithm of the rows' probability.

    Variables with nothing known below them are not counted.
    """
    counts = {name: np.zeros_like(table) for name, table in network.tables.items()}
    likelihood = 0.0
    for row, weight in zip(rows, weights, strict=True):
        total = probability(network, row)
        likelihood += weight * log(total)
        names = with_ancestors(network, row)
        for assignment, each in joint(network, row):
            for name in names:
                counts[name][place_of(network, name, assignment)] += weight * each / total
    return counts, likelihood
