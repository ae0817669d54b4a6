"""In which order a question is answered: variables are summed out one after the other.

A question is which variables are known and which are asked for, the *targets*. Its *plan* depends on nothing else: it
serves every state of what is known, every content of the tables, and any way to multiply.

1. A variable that is neither known nor a target, nor above one, is left out: whatever it is, its table sums to one.
2. The table of every other variable is a factor over those of its variables that are not known. With none left it is
   one number.
3. The variable whose factors have the smallest product is summed out of it, until only the target is left.
4. What is left of the target's factors is multiplied.

Small factors are multiplied with each other before they meet a large one. More than eight factors take several steps,
since whoever multiplies keeps products in range between steps.

Steps that several targets share are done once.

>>> from railbird.bayes.structure import Variable
>>> cloudy, rain, wet = (Variable(name, ("no", "yes")) for name in ("Cloudy", "Rain", "Wet"))
>>> structure = Structure((cloudy, rain, wet), {"Rain": ("Cloudy",), "Wet": ("Rain",)})
>>> plan(structure, known={2}, targets=[0]).steps
(Step(factors=(1, 2), scope=(0,), eliminated=1), Step(factors=(0, 3), scope=(0,), eliminated=None))
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from railbird.bayes.structure import NetworkError, Structure

MOST_FACTORS = 8
"""A step has no more factors than this."""
MOST_ENTRIES = 1 << 27
"""A product with more entries than this is refused."""


@dataclass(frozen=True, slots=True)
class EliminationStep:
    """Factors to multiply and the variable to sum out of their product."""

    factors: tuple[int, ...]
    """A table by the place of its variable, an earlier step by its number counted on behind the variables."""
    scope: tuple[int, ...]
    """The variables that are left."""
    eliminated: int | None


@dataclass(frozen=True, slots=True)
class EliminationPlan:
    """How the targets' probabilities come out of the tables, up to a constant: that of what is known."""

    constants: tuple[int, ...]
    """The variables whose tables are one number, since all of their variables are known."""
    steps: tuple[EliminationStep, ...]
    results: tuple[int | None, ...]
    """The step that ends in each target; none for a target that is known."""


def families(structure: Structure) -> tuple[tuple[int, ...], ...]:
    """The places of every variable's parents and, last, its own: the axes of its table."""
    return tuple(
        tuple(structure.places[each] for each in (*structure.parents[variable.name], variable.name))
        for variable in structure.variables
    )


def plan(structure: Structure, known: Collection[int], targets: Sequence[int]) -> EliminationPlan:
    """The plan for the probabilities of each target; without targets, for the probability of what is known."""
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
    """The steps so far, each of them once."""

    def __init__(self, structure: Structure, known: frozenset[int]) -> None:
        self.families = families(structure)
        self._sizes = [len(variable) for variable in structure.variables]
        self._known = known
        self._numbers: dict[tuple[tuple[int, ...], int | None], int] = {}
        self.steps: list[EliminationStep] = []

    def eliminate(self, target: int | None) -> int:
        """Sum out everything that is not known but the target; the number of the last step."""
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
        """Multiply factors and sum a variable out, in several steps if they are many; the last step and its scope."""
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
        """How many entries the product has out of which a variable would be summed."""
        return self._entries(frozenset[int]().union(*(each for each in factors.values() if variable in each)))

    def _step(self, factors: Iterable[int], scope: frozenset[int], eliminated: int | None) -> int:
        entries = self._entries(scope if eliminated is None else scope | {eliminated})
        if entries > MOST_ENTRIES:
            raise NetworkError(
                f"the answer needs a table of {entries:,} numbers, and more than {MOST_ENTRIES:,} are refused"
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
