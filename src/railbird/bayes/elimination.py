"""Variable elimination: the order in which variables are summed out to answer a query.

A query is a set of known variables and a list of *targets*. Its *plan* depends on nothing else: it applies to all
states of the known variables and to any tables.

1. A variable that is neither known, nor a target, nor an ancestor of one is left out: its table sums to one.
2. The table of every other variable is a factor over those of its variables that are not known. If all are known, it is
   a single number.
3. The variable whose factors have the smallest product is summed out, until only the target is left.
4. The remaining factors of the target are multiplied.

Small factors are multiplied with each other before they are multiplied with a large one. More than eight factors take
several steps, because products are rescaled between steps.

Steps that several targets share are done once.

>>> from railbird.bayes.structure import Variable
>>> cloudy, rain, wet = (Variable(name, ("no", "yes")) for name in ("Cloudy", "Rain", "Wet"))
>>> structure = Structure((cloudy, rain, wet), {"Rain": ("Cloudy",), "Wet": ("Rain",)})
>>> for step in plan(structure, known={2}, targets=[0]).steps:
...     print(step)
EliminationStep(factors=(1, 2), scope=(0,), eliminated=1)
EliminationStep(factors=(0, 3), scope=(0,), eliminated=None)
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from railbird.bayes.structure import NetworkError, Structure

MOST_FACTORS = 8
"""Maximum number of factors in a step."""
MOST_ENTRIES = 1 << 27
"""Maximum number of entries in a product."""


@dataclass(frozen=True, slots=True)
class EliminationStep:
    """Factors to multiply and the variable to sum out of their product."""

    factors: tuple[int, ...]
    """Tables by the index of their variable; earlier steps by their number, counted on after the variables."""
    scope: tuple[int, ...]
    """The remaining variables."""
    eliminated: int | None


@dataclass(frozen=True, slots=True)
class EliminationPlan:
    """How to compute the targets' probabilities from the tables, up to the probability of the evidence."""

    constants: tuple[int, ...]
    """The variables whose tables are reduced to one number, because all of their variables are known."""
    steps: tuple[EliminationStep, ...]
    results: tuple[int | None, ...]
    """The last step of each target; None for a target that is known."""


def families(structure: Structure) -> tuple[tuple[int, ...], ...]:
    """The indices of every variable's parents and, last, its own: the axes of its table."""
    return tuple(
        tuple(structure.places[each] for each in (*structure.parents[variable.name], variable.name))
        for variable in structure.variables
    )


def plan(structure: Structure, known: Collection[int], targets: Sequence[int]) -> EliminationPlan:
    """The plan for the probabilities of each target; without targets, for the probability of the evidence."""
    known = frozenset(known)
    planner = _Planner(structure, known)
    results: list[int | None] = []
    for target in targets or (None,):
        if target is None or target in known:
            planner.eliminate(None)
            results.append(None)
        else:
            results.append(planner.eliminate(target))
    constants = tuple(place for place in sorted(known) if known.issuperset(planner.families[place]))
    return EliminationPlan(constants, tuple(planner.steps), tuple(results[: len(targets)]))


class _Planner:
    """The steps so far, without duplicates."""

    def __init__(self, structure: Structure, known: frozenset[int]) -> None:
        self.families = families(structure)
        self._sizes = [len(variable) for variable in structure.variables]
        self._known = known
        self._numbers: dict[tuple[tuple[int, ...], int | None], int] = {}
        self.steps: list[EliminationStep] = []

    def eliminate(self, target: int | None) -> int:
        """Sum out every unknown variable except the target; returns the number of the last step."""
        asked = self._known if target is None else self._known | {target}
        factors: dict[int, frozenset[int]] = {}
        for place in sorted(self._with_ancestors(asked)):
            scope = frozenset(self.families[place]) - self._known
            if scope:
                factors[place] = scope
        costs: dict[int, int] = {}
        changed = _union(factors) - {target}
        while changed or costs:
            costs.update({variable: self._cost(factors, variable) for variable in changed})
            variable = min(costs, key=lambda each: (costs[each], each))
            del costs[variable]
            together = {factor: scope for factor, scope in factors.items() if variable in scope}
            for factor in together:
                del factors[factor]
            step, scope = self._product(together, variable)
            if scope:
                factors[step] = scope
            changed = scope - {target}
        if target is None:
            return len(self.steps) - 1
        return self._product(factors, None)[0] - len(self._sizes)

    def _product(
        self, factors: Mapping[int, frozenset[int]], eliminated: int | None
    ) -> tuple[int, frozenset[int]]:
        """Multiply factors and sum out a variable, in several steps if necessary; the last step and its scope."""
        waiting = dict(factors)
        largest = max(waiting, key=lambda factor: self._entries(waiting[factor]))
        rest = {factor: scope for factor, scope in waiting.items() if factor != largest}
        if len(rest) > 1 and 2 * self._entries(_union(rest)) <= self._entries(_union(waiting)):
            step, scope = self._product(rest, None)
            waiting = {largest: waiting[largest], step: scope}
        while len(waiting) > MOST_FACTORS:
            together = sorted(waiting, key=lambda factor: (len(waiting[factor]), factor))[:MOST_FACTORS]
            scope = frozenset[int]().union(*(waiting.pop(factor) for factor in together))
            waiting[self._step(together, scope, None)] = scope
        scope = _union(waiting) - {eliminated}
        return self._step(waiting, scope, eliminated), scope

    def _entries(self, scope: Iterable[int]) -> int:
        return prod(self._sizes[place] for place in scope)

    def _with_ancestors(self, places: Iterable[int]) -> set[int]:
        found: set[int] = set()
        waiting = list(places)
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting.extend(self.families[place][:-1])
        return found

    def _cost(self, factors: Mapping[int, frozenset[int]], variable: int) -> int:
        """The number of entries of the product from which a variable would be summed out."""
        return self._entries(frozenset[int]().union(*(each for each in factors.values() if variable in each)))

    def _step(self, factors: Iterable[int], scope: frozenset[int], eliminated: int | None) -> int:
        entries = self._entries(scope if eliminated is None else scope | {eliminated})
        if entries > MOST_ENTRIES:
            raise NetworkError(
                f"the answer needs a table of {entries:,} numbers, but at most {MOST_ENTRIES:,} are allowed"
            )
        key = (tuple(sorted(factors)), eliminated)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.steps)
            self.steps.append(EliminationStep(key[0], tuple(sorted(scope)), eliminated))
        return len(self._sizes) + number


def _union(factors: Mapping[int, frozenset[int]]) -> frozenset[int]:
    """All variables of some factors."""
    return frozenset[int]().union(*factors.values())
