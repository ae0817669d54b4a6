"""CBR-BN-1: retrieved cases make or complete the network that decides, or it adapts them (baycarp-2011 §4.2.3).

`Diagnosed`, after Tran and Schönwälder: a network is counted from the retrieved cases alone. In it the solution is the
parent of the *symptoms*: attributes of the description, in a few states each. The problem's symptoms give the
probability of each solution of these cases.

    solution ──→ symptom 1
             ├─→ symptom 2
             └─→ …

`filled_posterior`, with the first interpretation of §4.1: the cases are a preprocessing stage. Their solutions are
states of a variable that the network does not know in this problem, and `solution_shares` fills it in: every state is
as probable as it is frequent among the retrieved cases. Then the network answers.

`AdaptedReuse`, the second interpretation: the cases vote as usual, and a network that knows more
about this problem gives the probability that each solution works. Votes are weighted by that probability. Outcomes
above 0 are weighted by it, and others by its complement.

`Diagnosed` and `AdaptedReuse` are phases that take the place of a reuse policy, and pass the weighted votes to one.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.inference import posterior
from railbird.bayes.learning.counts import Uniform, count
from railbird.bayes.network import Network
from railbird.bayes.rows import Codes
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure, Variable
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved, Strategy
from railbird.cbr.cycle.reuse import ReuseError, VotePolicy, Votes, count_votes
from railbird.cbr.schema import Number, Schema, Symbol, Value

SOLUTION = "solution"
"""The variable whose states are the solutions; no attribute may have this name."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """An attribute as a variable: a number is divided at its edges, each of which belongs to the interval above it."""

    attribute: str
    edges: tuple[float, ...] = ()
    symbols: tuple[str, ...] = ()
    """The states of a symbol whose schema does not list them; other symbols are unknown."""

    def __post_init__(self) -> None:
        if bool(self.edges) == bool(self.symbols):
            raise NetworkError(f"{self.attribute}: a symptom must have either edges or symbols")
        if any(not low < high for low, high in pairwise(self.edges)):
            raise NetworkError(f"{self.attribute}: edges must be increasing, unlike {self.edges}")

    @property
    def variable(self) -> Variable:
        """The variable of a network."""
        if self.symbols:
            return Variable(self.attribute, self.symbols)
        between = (f"{low:g} to {high:g}" for low, high in pairwise(self.edges))
        return Variable(self.attribute, (f"below {self.edges[0]:g}", *between, f"from {self.edges[-1]:g}"))


def symptoms_of(schema: Schema, edges: Mapping[str, Sequence[float]]) -> tuple[Symptom, ...]:
    """The symptoms of a schema: its numbers that have edges, and its symbols that are listed."""
    found = []
    for attribute in schema.attributes:
        if attribute.name in edges:
            found.append(Symptom(attribute.name, tuple(edges[attribute.name])))
        elif isinstance(attribute, Symbol) and len(attribute.values) > 1:
            found.append(Symptom(attribute.name, symbols=attribute.values))
    return tuple(found)


def codes_of_cases(base: CaseBase, rows: NDArray[np.int64], symptoms: Sequence[Symptom]) -> Codes:
    """The symptoms of some cases: a row for each case, a column for each symptom."""
    found = np.empty((len(rows), len(symptoms)), dtype=np.int16)
    for column, symptom in enumerate(symptoms):
        values = base.values[rows, base.schema.place(symptom.attribute)]
        if symptom.edges:
            found[:, column] = np.searchsorted(symptom.edges, values, side="right")
        else:
            states = {state: code for code, state in enumerate(symptom.symbols)}
            words = base.vocabulary(symptom.attribute)
            codes = np.array([states.get(word, UNKNOWN) for word in words], dtype=np.int16)
            found[:, column] = codes[values.astype(np.int64)]
    return found


def evidence_of(description: Mapping[str, Value], symptoms: Sequence[Symptom]) -> dict[str, str]:
    """The symptoms of a description as states; a symbol that is not a state is unknown."""
    found = {}
    for symptom in symptoms:
        value = description[symptom.attribute]
        if isinstance(value, str):
            if value in symptom.symbols:
                found[symptom.attribute] = value
        else:
            found[symptom.attribute] = symptom.variable.states[bisect_right(symptom.edges, value)]
    return found


class Diagnosis:
    """Makes networks of retrieved cases, with arcs from the solution to each symptom.

    Decisions are weighted by the similarity of their case. The prior count of every state of every symptom and of every
    solution is `pseudo_count`.
    """

    def __init__(self, schema: Schema, symptoms: Sequence[Symptom], pseudo_count: float = 1.0) -> None:
        self.symptoms = tuple(symptoms)
        self.prior = Uniform(pseudo_count)
        for symptom in self.symptoms:
            attribute = schema.attributes[schema.place(symptom.attribute)]
            if isinstance(attribute, Number) != bool(symptom.edges):
                kind = "edges" if isinstance(attribute, Number) else "symbols"
                raise NetworkError(f"{symptom.attribute}: a symptom of this attribute must have {kind}")
        self.structure = Structure(
            (Variable(SOLUTION, schema.solutions), *(each.variable for each in self.symptoms)),
            {each.attribute: (SOLUTION,) for each in self.symptoms},
        )

    def network(self, base: CaseBase, retrieved: Retrieved) -> Network:
        """The network of the retrieved cases."""
        places, solutions = np.nonzero(base.counts[retrieved.rows])
        rows = retrieved.rows[places]
        codes = np.column_stack([solutions, codes_of_cases(base, rows, self.symptoms)])
        weights = base.counts[rows, solutions] * retrieved.similarities[places]
        return count(self.structure, codes.astype(np.int16), weights, self.prior)

    def chances(self, base: CaseBase, episode: Episode) -> NDArray[np.float64]:
        """The probability of every solution of the retrieved cases, in the order of the schema."""
        retrieved = _retrieved(episode)
        network = self.network(base, retrieved)
        evidence = evidence_of(episode.target.description, self.symptoms)
        found = posterior(network, evidence, [SOLUTION])[SOLUTION]
        found *= base.counts[retrieved.rows].any(axis=0)
        return np.asarray(found / found.sum())


@dataclass(frozen=True, slots=True)
class Diagnosed:
    """Reuse by a network of the retrieved cases; a policy turns the probabilities of solutions into a strategy."""

    diagnosis: Diagnosis
    policy: VotePolicy

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy; its votes are those of the cases."""
        if not len(_retrieved(episode)):
            return replace(episode, strategy=None)
        return self.weighed(base, episode, self.diagnosis.chances(base, episode))

    def weighed(self, base: CaseBase, episode: Episode, chances: NDArray[np.float64]) -> Episode:
        """The episode with its strategy, given the probabilities of the solutions.

        The votes of a solution are its probability; its mean outcome is unchanged.
        """
        votes = count_votes(base, _retrieved(episode))
        counts = chances * votes.counts.sum()
        change = np.divide(counts, votes.counts, out=np.zeros_like(counts), where=votes.counts > 0)
        heard = Votes(counts, votes.known * change, votes.sums * change)
        return replace(episode, strategy=_with_votes(self.policy, base, heard, votes))


@dataclass(frozen=True, slots=True)
class AdaptedReuse:
    """Reuse with votes and outcomes weighted by the probability that their solution works in this problem."""

    policy: VotePolicy
    chances: Mapping[str, float]
    """The probability that each solution works."""

    def __post_init__(self) -> None:
        for solution, chance in self.chances.items():
            if not 0.0 <= chance <= 1.0:
                raise NetworkError(
                    f"{solution}: the probability that it works must be between 0 and 1, not {chance}"
                )

    def __call__(self, base: CaseBase, episode: Episode) -> Episode:
        """The episode with its strategy; its votes are those of the cases."""
        retrieved = _retrieved(episode)
        solutions = base.schema.solutions
        missing = next((each for each in solutions if each not in self.chances), None)
        if missing is not None:
            raise NetworkError(f"the probability that {missing} works is missing")
        works = np.array([self.chances[each] for each in solutions])
        votes = count_votes(base, retrieved)
        known, sums = base.known[retrieved.rows], base.sums[retrieved.rows]
        worked = sums > 0.0
        weights = np.where(worked, works, 1.0 - works)
        heard = Votes(votes.counts * works, (known * weights).sum(axis=0), (sums * weights).sum(axis=0))
        return replace(episode, strategy=_with_votes(self.policy, base, heard, votes))


def chances_to_work(
    network: Network, evidence: Mapping[str, str], works: tuple[str, str], solution: str = SOLUTION
) -> dict[str, float]:
    """The probability that each solution works by a network: that a variable is in a state, given the solution."""
    name, state = works
    code = network.structure.code(name, state)
    return {
        each: float(posterior(network, {**evidence, solution: each}, [name])[name][code])
        for each in network.structure.variable(solution).states
    }


def solution_shares(
    base: CaseBase, retrieved: Retrieved, prior: Mapping[str, float] | None = None
) -> dict[str, float]:
    """How frequent every solution is among the retrieved cases, weighted by similarity.

    The prior, if given, adds this number of cases to each solution.
    """
    weights = retrieved.similarities @ base.counts[retrieved.rows]
    solutions = base.schema.solutions
    if prior is not None:
        weights = weights + np.array([prior.get(each, 0.0) for each in solutions])
    total = float(weights.sum())
    if total <= 0.0:
        raise ReuseError("without retrieved cases and without a prior there are no shares")
    return dict(zip(solutions, (weights / total).tolist(), strict=True))


def filled_posterior(
    network: Network, evidence: Mapping[str, str], filled: str, shares: Mapping[str, float], target: str
) -> dict[str, float]:
    """The probabilities of a variable's states where another, unknown one is filled in with shares of its states.

    It is the mean of what the network says with each state, weighted by its share.
    """
    if filled in evidence:
        raise NetworkError(f"{filled} is known, so it cannot be filled in")
    states = network.structure.variable(target).states
    total = np.zeros(len(states))
    for state, share in shares.items():
        if share > 0.0:
            total += share * posterior(network, {**evidence, filled: state}, [target])[target]
    return dict(zip(states, total.tolist(), strict=True))


def _retrieved(episode: Episode) -> Retrieved:
    if episode.retrieved is None:
        raise ReuseError("there are no retrieved cases to reuse: call retrieve first")
    return episode.retrieved


def _with_votes(policy: VotePolicy, base: CaseBase, heard: Votes, votes: Votes) -> Strategy | None:
    """The policy's strategy for weighted votes, reported with the original votes of the cases."""
    found = policy.strategy(base.schema.solutions, heard)
    if found is None:
        return None
    given = zip(votes.counts.tolist(), found.votes, strict=True)
    return replace(found, votes=tuple(count if weighed else 0.0 for count, weighed in given))
