"""BN-CBR-1: a network activates cases, and only active ones are compared (baycarp-2011 §4.2.1).

    conditions ───────────────┐
                              ├──→ group: on or off ──→ its cases are compared, or not
    sensors ──→ feature ──────┘

Cases are in *groups*, each of them a variable with the states off and on: on means that the solution of its cases
succeeds. Groups depend on *conditions*, which are symbols of a problem. A case without a group is always active.

1. The symbols of a problem give every group a probability of being on.
2. Groups with too low a probability are off; cases of the others are compared. If none is active, all are compared.
3. The result is reported, whether success or failure, and updates the probabilities.
4. A failure may have a reason that the network does not know: a *feature* of the problem, which is indicated by
   additional symbols, its *sensors*. It becomes a variable of the network and a condition of the group that failed.

A new condition splits a group's table. Without the feature, the table remains as before; with it, it starts with the
same probabilities as if they had been observed only a few times, so that reports change them quickly. If it is unknown
whether a feature was present, a report counts for both states, weighted by their probabilities.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.forward import Forward
from railbird.bayes.learning.counts import Counts, Uniform
from railbird.bayes.network import Network
from railbird.bayes.rows import Codes
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure, Variable
from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.cycle.episode import Retrieved
from railbird.cbr.cycle.retrieve import Search
from railbird.cbr.schema import Value
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target
from railbird.spec import unknown

OFF_ON = ("off", "on")
ABSENT_PRESENT = ("absent", "present")
_ONCE_EACH = 1.0
"""Prior count of every state of a condition, a sensor and a group."""
_SELDOM = (4.0, 1.0)
"""Prior counts of a feature being absent and present."""
_FRESH = 2.0
"""Maximum weight, in reports, of a group's probabilities when a new feature is present."""

Tables: TypeAlias = dict[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Feature:
    """A property of a problem that makes solutions fail, and the symbols that indicate it."""

    name: str
    sensors: tuple[Variable, ...]


class Activation:
    """The network: from symbols of a problem to the probability that each group is on."""

    def __init__(self, conditions: Sequence[Variable], groups: Sequence[str], most_features: int = 4) -> None:
        if not groups:
            raise NetworkError("at least one group of cases is required")
        self.groups = tuple(groups)
        self.most_features = most_features
        """Maximum number of features that are conditions of a group: each doubles its table."""
        self._conditions = tuple(each.name for each in conditions)
        self._features: dict[str, Feature] = {}
        structure = Structure(
            (*conditions, *(Variable(group, OFF_ON) for group in self.groups)),
            dict.fromkeys(self.groups, self._conditions),
        )
        self._take(structure, {name: np.full(structure.shape(name), _ONCE_EACH) for name in structure.places})

    def _take(self, structure: Structure, tables: Tables) -> None:
        self._counts = Counts(structure, Uniform(0.0))
        for name, table in tables.items():
            self._counts.tables[name][...] = table
        self._forward = Forward(self._counts.network(), self.groups)

    @property
    def structure(self) -> Structure:
        """Variables and arcs, which grow with every reason found."""
        return self._counts.structure

    @property
    def network(self) -> Network:
        """The network as it is now."""
        return self._counts.network()

    @property
    def features(self) -> tuple[Feature, ...]:
        """The reasons for failures, in the order in which they were found."""
        return tuple(self._features.values())

    @property
    def evidence(self) -> tuple[str, ...]:
        """The variables given by problems: conditions, then sensors."""
        sensors = (sensor.name for feature in self._features.values() for sensor in feature.sensors)
        return tuple(dict.fromkeys((*self._conditions, *sensors)))

    def features_of(self, group: str) -> tuple[str, ...]:
        """The features that are conditions of a group."""
        return self.structure.parents[self._group(group)][len(self._conditions) :]

    def copy(self) -> "Activation":
        """An independent copy."""
        twin = object.__new__(Activation)
        twin.__dict__.update(self.__dict__)
        twin._features = dict(self._features)
        twin._counts = Counts(self.structure, self._counts.prior)
        twin._counts.flat[:] = self._counts.flat
        twin._forward = self._forward.copy()
        return twin

    def chances(self, evidence: Mapping[str, str]) -> dict[str, float]:
        """The probability that each group is on; variables that are not given are unknown."""
        found = self._forward(self._codes(evidence))
        return dict(zip(self.groups, found[1::2].tolist(), strict=True))

    def learn(
        self, conditions: NDArray[np.integer], groups: NDArray[np.integer], succeeded: NDArray[np.bool_]
    ) -> None:
        """Count many results, each given by the codes of the conditions, the place of the group, and success."""
        if conditions.shape != (len(groups), len(self._conditions)) or len(succeeded) != len(groups):
            raise NetworkError(
                f"expected {len(self._conditions)} conditions and a success for each of {len(groups):,} results, "
                f"got {conditions.shape} and {len(succeeded):,}"
            )
        for place, group in enumerate(self.groups):
            if self.features_of(group):
                raise NetworkError(f"{group} already has features: report results one by one")
            of_group = groups == place
            rows = np.full((int(of_group.sum()), len(self.structure.variables)), UNKNOWN, dtype=np.int16)
            rows[:, : len(self._conditions)] = conditions[of_group]
            rows[:, self.structure.places[group]] = succeeded[of_group]
            self._counts.add_rows(rows)
        self._forward = Forward(self._counts.network(), self.groups)

    def report(
        self,
        evidence: Mapping[str, str],
        group: str,
        succeeded: bool,
        present: Collection[str] | None = None,
        reason: Feature | None = None,
    ) -> bool:
        """Report the result of reusing a group's cases; returns whether the network grew.

        `present` names the features that were present, whether or not the network knows them; None if unknown. `reason`
        is why it failed. The evidence includes all conditions, and the sensors of all features of the group.
        """
        self._group(group)
        if reason is not None and succeeded:
            raise NetworkError(f"{group}: a success cannot have {reason.name} as the reason for a failure")
        grew = reason is not None and self._add_condition(group, reason)
        codes = self._codes(evidence, () if reason is None else reason.sensors)
        codes[self.structure.places[group]] = int(succeeded)
        if present is not None:
            for name in self._features:
                codes[self.structure.places[name]] = int(name in present)
        if reason is not None and reason.name in self._features:
            codes[self.structure.places[reason.name]] = 1
        for row, weight in self._possible(codes, group):
            for name, place in self._counts.add(row, weight):
                self._forward.update(name, place, self._counts.row(name, place))
        return grew

    def _codes(self, evidence: Mapping[str, str], others: Sequence[Variable] = ()) -> Codes:
        """The evidence of problems as codes; variables that the network does not know are allowed."""
        known = self.evidence
        for name in evidence:
            if name not in known and all(name != other.name for other in others):
                raise unknown("condition or sensor", name, known)
        return self.structure.codes({name: evidence[name] for name in known if name in evidence})

    def _group(self, group: str) -> str:
        if group not in self.groups:
            raise unknown("group of cases", group, self.groups)
        return group

    def _possible(self, codes: Codes, group: str) -> Iterator[tuple[Codes, float]]:
        """The row with every state of the group's unobserved features, and the probability of each."""
        family = [*self._conditions, *self.features_of(group)]
        needed = [self.structure.parents[name] for name in self.features_of(group)]
        for name in (*self._conditions, *(sensor for sensors in needed for sensor in sensors)):
            if codes[self.structure.places[name]] == UNKNOWN:
                raise NetworkError(f"a report on {group} must include {name}")
        hidden = [each for each in self.features_of(group) if codes[self.structure.places[each]] == UNKNOWN]
        rows, weights = [], []
        for states in product((0, 1), repeat=len(hidden)):
            row = codes.copy()
            weight = 1.0
            for name, state in zip(hidden, states, strict=True):
                row[self.structure.places[name]] = state
                weight *= float(
                    self._counts.row(name, self._codes_of(row, self.structure.parents[name]))[state]
                )
            result = int(row[self.structure.places[group]])
            rows.append(row)
            weights.append(weight * float(self._counts.row(group, self._codes_of(row, family))[result]))
        total = sum(weights)
        yield from ((row, weight / total) for row, weight in zip(rows, weights, strict=True))

    def _codes_of(self, row: Codes, names: Sequence[str]) -> tuple[int, ...]:
        return tuple(int(row[self.structure.places[name]]) for name in names)

    def _add_condition(self, group: str, feature: Feature) -> bool:
        """Make a feature a condition of a group, unless it is one or there are too many."""
        known = self._features.get(feature.name)
        if known is not None and known != feature:
            raise NetworkError(
                f"{feature.name} has the sensors {', '.join(each.name for each in known.sensors)}"
            )
        conditions = self.features_of(group)
        if feature.name in conditions or len(conditions) >= self.most_features:
            return False
        variables, parents = list(self.structure.variables), dict(self.structure.parents)
        tables = dict(self._counts.tables)
        if known is None:
            sensors = [each for each in feature.sensors if each not in variables]
            variables += [*sensors, Variable(feature.name, ABSENT_PRESENT)]
            parents[feature.name] = tuple(each.name for each in feature.sensors)
            tables |= {each.name: np.full(len(each), _ONCE_EACH) for each in sensors}
            shape = tuple(len(each) for each in feature.sensors)
            tables[feature.name] = np.broadcast_to(np.array(_SELDOM), (*shape, 2))
        parents[group] = (*parents[group], feature.name)
        before = tables[group]
        fresh = before * np.minimum(1.0, _FRESH / before.sum(axis=-1, keepdims=True))
        tables[group] = np.stack([before, fresh], axis=-2)
        structure = Structure(tuple(variables), parents)
        self._features[feature.name] = feature
        self._take(structure, tables)
        return True


class GroupedCases:
    """Cases by group, so that those of inactive groups are not searched."""

    def __init__(self, base: CaseBase, group_of: Sequence[str | None]) -> None:
        if len(group_of) != len(base):
            raise CaseBaseError(f"expected a group for each of {len(base):,} cases, got {len(group_of):,}")
        self.base = base
        rows: dict[str | None, list[int]] = {}
        for row, group in enumerate(group_of):
            rows.setdefault(group, []).append(row)
        self._rows = {group: np.array(found, dtype=np.int64) for group, found in rows.items()}
        self._parts = {group: base.select(found) for group, found in self._rows.items()}

    def __len__(self) -> int:
        return len(self.base)

    def size(self, group: str | None) -> int:
        """The number of cases in a group."""
        return len(self._rows.get(group, ()))

    def add(
        self,
        description: Mapping[str, Value],
        solution: str,
        outcome: float | None = None,
        group: str | None = None,
    ) -> int:
        """Retain a decision as a new case of a group and of the base, and return its number."""
        number = self.base.add(description, solution, outcome)
        if group not in self._parts:
            self._parts[group] = CaseBase(self.base.schema)
            self._rows[group] = np.empty(0, dtype=np.int64)
        self._parts[group].add(description, solution, outcome)
        self._rows[group] = np.append(self._rows[group], number)
        return number

    def retrieve(
        self, similarity: Similarity, active: Collection[str], target: Target, threshold: float, k: int
    ) -> Retrieved:
        """The rows of all active cases above the threshold; if there is none, of the k most similar ones.

        If no case is active, all cases are searched.
        """
        groups = [group for group in self._parts if group is None or group in active]
        searches = {group: Search(self._parts[group], similarity, target) for group in groups or self._parts}
        found = {group: search.above(threshold) for group, search in searches.items()}
        if any(map(len, found.values())):
            return self._together(similarity, found)
        nearest = self._together(similarity, {group: search.nearest(k) for group, search in searches.items()})
        return Retrieved(similarity, nearest.rows[:k], nearest.similarities[:k], met=False)

    def _together(self, similarity: Similarity, found: Mapping[str | None, Retrieved]) -> Retrieved:
        if not found:
            return Retrieved(similarity, np.empty(0, dtype=np.int64), np.empty(0))
        rows = np.concatenate([self._rows[group][each.rows] for group, each in found.items()])
        similarities = np.concatenate([each.similarities for each in found.values()])
        order = np.lexsort((rows, -similarities))
        return Retrieved(similarity, rows[order], similarities[order])
