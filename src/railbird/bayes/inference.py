"""Exact inference for any network and any evidence.

>>> from railbird.bayes.structure import Variable
>>> rain, wet = Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))
>>> network = Network(
...     Structure((rain, wet), {"Wet": ("Rain",)}),
...     {"Rain": np.array([0.8, 0.2]), "Wet": np.array([[0.9, 0.1], [0.2, 0.8]])},
... )
>>> posterior(network, {"Wet": "yes"})["Rain"].round(3).tolist()
[0.333, 0.667]

This is a plain implementation with numpy; `forward` is for many queries per second to one network.
"""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.elimination import EliminationPlan, families, plan
from railbird.bayes.network import Network, Table
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure

_NAMED = 30
"""Maximum number of states listed in a message about impossible evidence."""


def posterior(
    network: Network, evidence: Mapping[str, str], targets: Iterable[str] | None = None
) -> dict[str, NDArray[np.float64]]:
    """The probabilities of the states of every target, or of all variables, given the known states."""
    structure = network.structure
    names = tuple(structure.places) if targets is None else tuple(targets)
    places = [structure.place(name) for name in names]
    codes = structure.codes(evidence)
    known = np.flatnonzero(codes != UNKNOWN).tolist()
    found = _Answer(network, codes, plan(structure, known, places))
    posteriors = {}
    for name, place, result in zip(names, places, found.plan.results, strict=True):
        if result is None:
            numbers = np.zeros(len(structure.variables[place]))
            numbers[codes[place]] = 1.0
        else:
            numbers = found.steps[result]
        total = numbers.sum()
        if found.impossible or total == 0.0:
            raise impossible(structure, codes)
        posteriors[name] = numbers / total
    return posteriors


def impossible(structure: Structure, codes: NDArray[np.int16], where: str = "") -> NetworkError:
    """The error for impossible evidence, listing it."""
    known = [
        f"{variable.name} {variable.states[code]}"
        for variable, code in zip(structure.variables, codes.tolist(), strict=True)
        if code != UNKNOWN
    ]
    if len(known) > _NAMED:
        known[_NAMED:] = [f"{len(known) - _NAMED} more"]
    return NetworkError(f"{where}the evidence is impossible in this network: {', '.join(known)}")


class _Answer:
    """The execution of a plan."""

    def __init__(self, network: Network, codes: NDArray[np.int16], plan: EliminationPlan) -> None:
        self.plan = plan
        self._network = network
        self._codes = codes
        self._families = families(network.structure)
        self.steps: list[Table] = []
        for step in plan.steps:
            places = [*step.scope, *(() if step.eliminated is None else (step.eliminated,))]
            letters = {place: letter for letter, place in enumerate(places)}
            operands: list[object] = []
            for factor in step.factors:
                numbers, scope = self._factor(factor)
                operands += [numbers, [letters[place] for place in scope]]
            left = [letters[place] for place in step.scope]
            product = np.einsum(*operands, left, optimize=len(step.factors) > 2)  # type: ignore[call-overload]
            self.steps.append(_scaled(product))
        self.impossible = any(self._factor(place)[0] == 0.0 for place in plan.constants) or any(
            not step.any() for step in self.steps
        )

    def _factor(self, factor: int) -> tuple[Table, list[int]]:
        variables = self._network.structure.variables
        if factor >= len(variables):
            number = factor - len(variables)
            return self.steps[number], list(self.plan.steps[number].scope)
        family = self._families[factor]
        known = tuple(
            slice(None) if self._codes[place] == UNKNOWN else self._codes[place] for place in family
        )
        hidden = [place for place in family if self._codes[place] == UNKNOWN]
        return np.asarray(self._network.tables[variables[factor].name][known]), hidden


def _scaled(numbers: Table) -> Table:
    """The numbers scaled to a maximum of one, so that long products do not underflow."""
    largest = numbers.max()
    return numbers / largest if largest > 0.0 else numbers
