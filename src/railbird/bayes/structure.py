"""Variables with named states, and their dependencies.

>>> rain, wet = Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))
>>> structure = Structure((wet, rain), {"Wet": ("Rain",)})
>>> structure.order
('Rain', 'Wet')
>>> structure.codes({"Rain": "yes"}).tolist()
[-1, 1]
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.spec import unknown

UNKNOWN = -1
"""The code of a state that is not known."""


class NetworkError(ValueError):
    """An invalid Bayesian network, or an invalid query."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A random variable with named states."""

    name: str
    states: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.name:
            raise NetworkError("a variable must have a name")
        if len(self.states) < 2:
            raise NetworkError(f"{self.name}: a variable needs at least two states, not {len(self.states)}")
        if len(set(self.states)) < len(self.states):
            raise NetworkError(f"{self.name}: a state is repeated in {', '.join(self.states)}")

    def __len__(self) -> int:
        return len(self.states)


@dataclass(frozen=True)
class Structure:
    """Variables, and the parents of those that depend on others, in the order of their tables' axes."""

    variables: tuple[Variable, ...]
    parents: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.places) < len(self.variables):
            raise NetworkError(f"a variable is repeated in {', '.join(each.name for each in self.variables)}")
        for name, parents in self.parents.items():
            for each in (name, *parents):
                self.place(each)
            if len(set(parents)) < len(parents):
                raise NetworkError(f"{name}: a parent is repeated in {', '.join(parents)}")
        object.__setattr__(
            self, "parents", {each.name: tuple(self.parents.get(each.name, ())) for each in self.variables}
        )
        assert self.order

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The index of each variable."""
        return {each.name: place for place, each in enumerate(self.variables)}

    def place(self, name: str) -> int:
        """The index of a variable; the error for an unknown name lists the known ones."""
        found = self.places.get(name)
        if found is None:
            raise NetworkError(str(unknown("variable", name, self.places)))
        return found

    def variable(self, name: str) -> Variable:
        """A variable by name."""
        return self.variables[self.place(name)]

    @cached_property
    def _codes_of_states(self) -> Mapping[str, Mapping[str, int]]:
        return {each.name: {state: code for code, state in enumerate(each.states)} for each in self.variables}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """All variables, parents before children, otherwise in their given order."""
        found: dict[str, None] = {}
        waiting = list(self.places)
        while waiting:
            ready = [
                name for name in waiting if all(parent in found for parent in self.parents.get(name, ()))
            ]
            if not ready:
                raise NetworkError(f"there is a cycle among {', '.join(waiting)}")
            found.update(dict.fromkeys(ready))
            waiting = [name for name in waiting if name not in found]
        return tuple(found)

    def children(self, name: str) -> tuple[str, ...]:
        """The variables that depend on one."""
        self.place(name)
        return tuple(child for child, parents in self.parents.items() if name in parents)

    def shape(self, name: str) -> tuple[int, ...]:
        """The axes of a variable's table: its parents in order, then the variable itself."""
        return tuple(len(self.variable(each)) for each in (*self.parents[name], name))

    def code(self, name: str, state: str) -> int:
        """A state as a number; the error for an unknown state lists the known ones."""
        variable = self.variable(name)
        found = self._codes_of_states[name].get(state)
        if found is None:
            raise NetworkError(f"{name}: {unknown('state', state, variable.states)}")
        return found

    def codes(self, evidence: Mapping[str, str]) -> NDArray[np.int16]:
        """Evidence as one code for each variable, in order; `UNKNOWN` elsewhere."""
        found = np.full(len(self.variables), UNKNOWN, dtype=np.int16)
        for name, state in evidence.items():
            found[self.place(name)] = self.code(name, state)
        return found
