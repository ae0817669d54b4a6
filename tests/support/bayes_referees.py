"""pyAgrum and pgmpy, asked for posteriors of our networks."""

import warnings
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bayes_networks import Codes, evidence_of
from railbird.bayes.agrum import pyagrum_module, to_agrum
from railbird.bayes.network import Network


class Agrum:
    """pyAgrum's lazy propagation, with every variable a target."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._made = to_agrum(network)
        self._engine = pyagrum_module().LazyPropagation(self._made)

    def posteriors(self, codes: Codes) -> dict[str, NDArray[np.float64]]:
        self._engine.setEvidence(evidence_of(self._network.structure, codes))
        self._engine.makeInference()
        return {
            name: np.array(self._engine.posterior(name).toarray()) for name in self._network.structure.places
        }


def pgmpy_module(name: str) -> Any:
    """A module of pgmpy, which warns of its own changes while it is imported."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module(f"pgmpy.{name}")


class Pgmpy:
    """pgmpy's variable elimination."""

    def __init__(self, network: Network) -> None:
        self._network = network
        structure = network.structure
        made = pgmpy_module("models").DiscreteBayesianNetwork()
        made.add_nodes_from(list(structure.places))
        made.add_edges_from(
            [(parent, name) for name, parents in structure.parents.items() for parent in parents]
        )
        tabular = pgmpy_module("factors.discrete").TabularCPD
        for name, table in network.tables.items():
            parents = structure.parents[name]
            made.add_cpds(
                tabular(
                    name,
                    table.shape[-1],
                    table.reshape(-1, table.shape[-1]).T,
                    evidence=list(parents) or None,
                    evidence_card=list(table.shape[:-1]) or None,
                    state_names={each: list(structure.variable(each).states) for each in (name, *parents)},
                )
            )
        self._made = made
        self._engine = pgmpy_module("inference").VariableElimination(made)

    def posterior(self, codes: Codes, name: str) -> NDArray[np.float64]:
        evidence = evidence_of(self._network.structure, codes)
        found = self._engine.query([name], evidence, show_progress=False)
        return np.array(
            [found.get_value(**{name: state}) for state in self._network.structure.variable(name).states]
        )
