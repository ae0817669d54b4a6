"""CBR-BN-2: the retrieved case selects the network that decides (baycarp-2011 §4.2.4).

After Pavón and others: a case describes a kind of problem, and its solution is a network learnt from problems of this
kind. All networks have the *common* variables, which are the evidence and what is asked; other variables, arcs and
tables may differ from network to network.

1. Retrieve the cases that are similar enough, or else the most similar one.
2. Reuse: the most *reliable* of the suitable networks answers, which is the one learnt from the most rows. If it is not
   reliable enough, the most reliable ones answer together, weighted by similarity and reliability.
3. Review: results are kept as rows, by the kind of problem (`Review`).
4. Retain: when there are enough rows, a network is induced from them, with another one as prior, and becomes a case.
   When the rows have doubled, a new network is induced and replaces the previous one.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.inference import posterior
from railbird.bayes.learning.counts import Average, Counts
from railbird.bayes.network import Network
from railbird.bayes.rows import Codes
from railbird.bayes.structure import NetworkError, Variable
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Search
from railbird.cbr.schema import Attribute, Schema, Value
from railbird.cbr.similarity import Local, Similarity
from railbird.cbr.target import Target

_USE = "use"
"""The only solution of these cases: each has its network instead."""

Kind = TypeVar("Kind", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ChosenNetwork:
    """A network that answers, and its weight."""

    number: int
    """The number of its case."""
    description: Mapping[str, Value]
    """The description of its kind of problem."""
    network: Network
    rows: int
    """The number of rows it was learnt from: its reliability."""
    similarity: float
    """The similarity of its case to the problem."""
    weight: float
    """Its share of the answer."""


class NetworkCases:
    """Networks by descriptions of their kinds of problems."""

    def __init__(
        self,
        parts: Sequence[tuple[Attribute, Local, float]],
        suitable: float = 0.9,
        reliable: int = 200,
        most: int = 3,
        common: Sequence[Variable] = (),
    ) -> None:
        """Attributes with their similarities and weights; at most `most` networks answer together.

        Every network must have the `common` variables; by default those of the first network.
        """
        schema = Schema(tuple(attribute for attribute, _, _ in parts), (_USE,))
        self.similarity = Similarity(schema, {each.name: (local, weight) for each, local, weight in parts})
        self.suitable = suitable
        self.reliable = reliable
        self.most = most
        self.common = tuple(common)
        if most < 1:
            raise NetworkError(f"at least one network must answer, not {most}")
        self._descriptions: list[Mapping[str, Value]] = []
        self._networks: list[tuple[Network, int]] = []
        self._base = CaseBase(schema)

    def __len__(self) -> int:
        return len(self._networks)

    def description(self, number: int) -> Mapping[str, Value]:
        """The description of a case."""
        return self._descriptions[number]

    def network(self, number: int) -> Network:
        """The network of a case."""
        return self._networks[number][0]

    def retain(
        self, description: Mapping[str, Value], network: Network, rows: int, instead_of: int | None = None
    ) -> int:
        """Store a network learnt from this number of rows, as a new case or replacing another; returns its number."""
        self._base.schema.require(description)
        missing = next((each for each in self.common if each not in network.structure.variables), None)
        if missing is not None:
            raise NetworkError(
                f"every network must have the variable {missing.name} with the states {', '.join(missing.states)}, "
                "but this one has not"
            )
        self.common = self.common or network.structure.variables
        if instead_of is None:
            self._descriptions.append(dict(description))
            self._networks.append((network, rows))
            return self._base.add(description, _USE)
        self._descriptions[instead_of], self._networks[instead_of] = dict(description), (network, rows)
        self._lay_out()
        return instead_of

    def _lay_out(self) -> None:
        self._base = CaseBase(self.similarity.schema)
        for each in self._descriptions:
            self._base.add(each, _USE)

    def retrieve(self, description: Mapping[str, Value]) -> tuple[ChosenNetwork, ...]:
        """The networks that answer, the most reliable first; their weights sum to one."""
        if not self._networks:
            raise NetworkError("there is no network to choose: retain one first")
        target = Target(self._base.schema, description)
        found = AtLeastElseNearest(self.suitable, 1)(Search(self._base, self.similarity, target))
        suitable = list(zip(found.rows.tolist(), found.similarities.tolist(), strict=True))
        suitable.sort(key=lambda each: -self._networks[each[0]][1])
        if self._networks[suitable[0][0]][1] >= self.reliable:
            suitable = suitable[:1]
        chosen = suitable[: self.most]
        weights = np.array([similarity * max(self._networks[number][1], 1) for number, similarity in chosen])
        weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(chosen), 1 / len(chosen))
        return tuple(
            ChosenNetwork(number, self._descriptions[number], network, rows, similarity, weight)
            for (number, similarity), weight in zip(chosen, weights.tolist(), strict=True)
            for network, rows in [self._networks[number]]
        )


def answer(
    choices: tuple[ChosenNetwork, ...], ask: Callable[[ChosenNetwork], NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The joint answer of the chosen networks: the weighted mean of their answers."""
    found: NDArray[np.float64] = np.sum([each.weight * ask(each) for each in choices], axis=0)
    return found


def posterior_of(
    choices: tuple[ChosenNetwork, ...], evidence: Mapping[str, str], target: str
) -> dict[str, float]:
    """The probabilities of a common variable's states by the chosen networks, given common evidence."""
    together = answer(choices, lambda each: posterior(each.network, evidence, [target])[target])
    states = choices[0].network.structure.variable(target).states
    return dict(zip(states, together.tolist(), strict=True))


@dataclass
class Review(Generic[Kind]):
    """Rows by kind of problem, which become networks when there are enough."""

    cases: NetworkCases
    prior: Average
    """The prior of every induced network."""
    enough: int = 30
    """Number of rows from which the first network is induced; later whenever the rows have doubled."""
    _kinds: dict[Kind, "_Kind"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.enough < 1:
            raise NetworkError(f"a network must be induced from at least one row, not {self.enough}")

    def rows(self, kind: Kind) -> int:
        """The number of rows of a kind."""
        return self._kinds[kind].rows if kind in self._kinds else 0

    def add(self, kind: Kind, codes: Codes, description: Mapping[str, Value]) -> int | None:
        """Keep a row; if a network is induced, it gets this description. Returns the number of its case."""
        known = self._kinds.get(kind)
        if known is None:
            known = self._kinds[kind] = _Kind(Counts(self.prior.network.structure, self.prior), self.enough)
        known.counts.add(codes)
        known.rows += 1
        if known.rows < known.next:
            return None
        known.next *= 2
        network = known.counts.network()
        known.case = self.cases.retain(description, network, known.rows, known.case)
        return known.case


@dataclass(slots=True)
class _Kind:
    counts: Counts
    next: int
    """Number of rows at which the next network is induced."""
    rows: int = 0
    case: int | None = None
