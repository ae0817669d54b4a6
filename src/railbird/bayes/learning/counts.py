"""Tables learnt by counting, with a prior.

>>> from railbird.bayes.structure import Variable
>>> rain, wet = Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))
>>> structure = Structure((rain, wet), {"Wet": ("Rain",)})
>>> days = np.array([[0, 0], [0, 0], [0, 1], [1, 1]], dtype=np.int16)
>>> count(structure, days, prior=Uniform(1.0)).tables["Wet"].tolist()
[[0.6, 0.4], [0.3333333333333333, 0.6666666666666666]]

A prior is Dirichlet: `Uniform`, the same pseudo-count for every state, or `Average`, a network whose rows dominate
until enough observations are counted. Rows may have unknown states; a table counts the rows in which its own variable
and all parents are known. `expectation` also learns from the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.network import Network
from railbird.bayes.programs import Numbers, TableLayout
from railbird.bayes.rows import Codes, checked_rows, checked_weights
from railbird.bayes.structure import NetworkError, Structure


@dataclass(frozen=True, slots=True)
class Uniform:
    """A prior with the same pseudo-count for every state; with 0, tables are relative frequencies."""

    pseudo_count: float = 1.0

    def __post_init__(self) -> None:
        if not (isfinite(self.pseudo_count) and self.pseudo_count >= 0.0):
            raise NetworkError(f"a pseudo-count must be a number of at least 0, not {self.pseudo_count}")


@dataclass(frozen=True, slots=True)
class Average:
    """A prior that counts each row of a network's tables as if observed `strength` times."""

    network: Network
    strength: float

    def __post_init__(self) -> None:
        if not (isfinite(self.strength) and self.strength > 0.0):
            raise NetworkError(f"a strength must be a number above 0, not {self.strength}")


Prior: TypeAlias = Uniform | Average
Place: TypeAlias = tuple[int, ...]
"""A row of a table: one code for each parent."""


class Counts:
    """The counts of every entry of every table, and the prior."""

    def __init__(self, structure: Structure, prior: Prior | None = None) -> None:
        self.structure = structure
        self.prior = Uniform() if prior is None else prior
        if isinstance(self.prior, Average) and self.prior.network.structure != structure:
            raise NetworkError("the network used as prior has a different structure")
        self._layout = TableLayout(structure)
        self.flat: Numbers = np.zeros(self._layout.total)
        """All counts in the flat array of `TableLayout`."""
        self.tables = self._layout.tables(self.flat)
        """The counts by variable, without the prior; views of `flat`."""

    def add(self, codes: Codes, weight: float = 1.0) -> list[tuple[str, Place]]:
        """Count one row of codes; returns the table rows that it changes."""
        [row] = checked_rows(self.structure, np.asarray(codes)[np.newaxis]).tolist()
        [weight] = checked_weights(np.array([weight]), 1).tolist()
        changed = []
        for variable, family in zip(self.structure.variables, self._layout.families, strict=True):
            place = tuple(row[each] for each in family)
            if min(place) >= 0:
                self.tables[variable.name][place] += weight
                changed.append((variable.name, place[:-1]))
        return changed

    def add_rows(self, rows: NDArray[np.integer], weights: NDArray[np.float64] | None = None) -> None:
        """Count many rows of codes."""
        checked = checked_rows(self.structure, rows)
        weighted = None if weights is None else checked_weights(weights, len(checked))
        columns = checked.T.astype(np.int64)
        for family, strides, start, end in zip(
            self._layout.families,
            self._layout.strides,
            self._layout.offsets[:-1],
            self._layout.offsets[1:],
            strict=True,
        ):
            known = np.ones(len(checked), dtype=np.bool_)
            places = np.zeros(len(checked), dtype=np.int64)
            for each in family:
                known &= columns[each] >= 0
                places += strides[each] * columns[each]
            self.flat[start:end] += np.bincount(
                places[known], None if weighted is None else weighted[known], minlength=end - start
            )

    def pseudo_counts(self, name: str, place: Place = ()) -> Numbers:
        """The prior's pseudo-counts for a variable's table, or for its rows that begin with some parents' codes."""
        match self.prior:
            case Uniform():
                return np.full_like(self.tables[name][place], self.prior.pseudo_count)
            case Average():
                return np.asarray(self.prior.strength * self.prior.network.tables[name][place])

    def row(self, name: str, place: Place) -> Numbers:
        """The probabilities of a variable's states for one code of each parent; uniform without counts and prior."""
        start, size = self._layout.checked_place(name, place)
        seen = self.flat[start : start + size] + self.pseudo_counts(name, place)
        total = seen.sum()
        return seen / total if total > 0.0 else np.full(size, 1.0 / size)

    def network(self, otherwise: Network | None = None) -> Network:
        """The network of the counts; a row without counts and prior is uniform, or taken from `otherwise`."""
        return Network(self.structure, dict(self._normalised_tables(otherwise)))

    def _normalised_tables(self, otherwise: Network | None) -> Iterator[tuple[str, Numbers]]:
        for name, seen in self.tables.items():
            if otherwise is None:
                rest: Numbers = np.broadcast_to(np.float64(1.0 / seen.shape[-1]), seen.shape)
            else:
                rest = otherwise.tables[name]
            yield name, _normalised(seen + self.pseudo_counts(name), rest)


def count(
    structure: Structure,
    rows: NDArray[np.integer],
    weights: NDArray[np.float64] | None = None,
    prior: Prior | None = None,
) -> Network:
    """The network of a structure whose tables are counted from rows of codes; without a prior, `Uniform(1.0)`."""
    counts = Counts(structure, prior)
    counts.add_rows(rows, weights)
    return counts.network()


def _normalised(counts: Numbers, otherwise: Numbers) -> Numbers:
    """Rows divided by their sums; a row that sums to zero is replaced by that of `otherwise`."""
    sums = counts.sum(axis=-1, keepdims=True)
    return np.where(sums > 0.0, counts / np.where(sums > 0.0, sums, 1.0), otherwise)
