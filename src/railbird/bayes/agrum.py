"""Conversion of networks from and to pyAgrum, in full precision.

pyAgrum is imported when a function runs. Its tables have their axes in reverse order, and its objects hold no reference
to the network they come from: callers must keep the network in a variable.
"""

import warnings
from importlib import import_module
from typing import Any

import numpy as np

from railbird.bayes.network import Network
from railbird.bayes.structure import Structure, Variable
from railbird.extras import require_extra


def pyagrum_module() -> Any:
    """The pyAgrum module. Its compiled part emits warnings on import and crashes if warnings are errors."""
    require_extra("learn", "pyagrum", "learning the structure of a network")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module("pyagrum")


def to_agrum(network: Network) -> Any:
    """The network as a `pyagrum.BayesNet`."""
    pyagrum = pyagrum_module()
    structure = network.structure
    made = pyagrum.BayesNet()
    for variable in structure.variables:
        made.add(pyagrum.LabelizedVariable(variable.name, variable.name, list(variable.states)))
    for name, parents in structure.parents.items():
        for parent in parents:
            made.addArc(parent, name)
    for name, table in network.tables.items():
        ours = [*structure.parents[name], name]
        theirs = made.cpt(name)
        axes = [ours.index(each) for each in reversed(theirs.names)]
        theirs[:] = np.ascontiguousarray(table.transpose(axes))
    return made


def from_agrum(made: Any) -> Network:
    """A `pyagrum.BayesNet` as a network; parents in the order in which they were added."""
    names = [made.variable(node).name() for node in sorted(made.nodes())]
    variables = tuple(Variable(name, tuple(made.variableFromName(name).labels())) for name in names)
    parents, tables = {}, {}
    for name in names:
        table = made.cpt(name)
        parents[name] = tuple(table.names[1:])
        axes = [*range(len(parents[name]) - 1, -1, -1), len(parents[name])]
        tables[name] = table.toarray().transpose(axes)
    return Network(Structure(variables, parents), tables)
