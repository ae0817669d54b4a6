"""A Bayesian network: a structure, and for every variable the probabilities of its states given its parents'.

>>> rain, wet = Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))
>>> network = Network(
...     Structure((rain, wet), {"Wet": ("Rain",)}),
...     {"Rain": np.array([0.8, 0.2]), "Wet": np.array([[0.9, 0.1], [0.2, 0.8]])},
... )
>>> network.probability("Wet", "yes", Rain="yes")
0.8
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.structure import NetworkError, Structure, Variable

SUM_TOLERANCE = 1e-9
"""Maximum deviation of a sum of probabilities from one."""

Table = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Network:
    """A structure with its tables: one axis for each parent in order, the last for the variable itself."""

    structure: Structure
    tables: Mapping[str, Table]

    def __post_init__(self) -> None:
        for name in self.tables:
            self.structure.place(name)
        checked = {}
        for variable in self.structure.variables:
            if variable.name not in self.tables:
                raise NetworkError(f"{variable.name} has no table")
            checked[variable.name] = self._checked(
                variable, np.asarray(self.tables[variable.name], np.float64)
            )
        object.__setattr__(self, "tables", checked)

    def _checked(self, variable: Variable, table: Table) -> Table:
        shape = self.structure.shape(variable.name)
        if table.shape != shape:
            raise NetworkError(f"{variable.name}: a table of shape {table.shape}, expected {shape}")
        if not np.isfinite(table).all() or (table < 0).any():
            raise NetworkError(f"{variable.name}: the table contains a number that is not a probability")
        sums = table.sum(axis=-1)
        wrong = np.abs(sums - 1.0) > SUM_TOLERANCE
        if wrong.any():
            raise NetworkError(
                f"{variable.name}: probabilities sum to {sums[wrong][0]:g} instead of 1{self._where(variable, wrong)}"
            )
        table = table.copy()
        table.setflags(write=False)
        return table

    def _where(self, variable: Variable, wrong: NDArray[np.bool_]) -> str:
        parents = self.structure.parents[variable.name]
        if not parents:
            return ""
        codes = np.argwhere(wrong)[0]
        states = (
            self.structure.variable(parent).states[code] for parent, code in zip(parents, codes, strict=True)
        )
        return " for " + ", ".join(f"{parent} {state}" for parent, state in zip(parents, states, strict=True))

    def probability(self, name: str, state: str, **parents: str) -> float:
        """The table entry for a state, given a state of every parent."""
        if set(parents) != set(self.structure.parents[name]):
            raise NetworkError(f"{name} depends on {', '.join(self.structure.parents[name]) or 'nothing'}")
        place = tuple(self.structure.code(each, parents[each]) for each in self.structure.parents[name])
        return float(self.tables[name][(*place, self.structure.code(name, state))])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return self.structure == other.structure and all(
            np.array_equal(table, other.tables[name]) for name, table in self.tables.items()
        )

    def __hash__(self) -> int:
        return hash(self.structure.variables)
