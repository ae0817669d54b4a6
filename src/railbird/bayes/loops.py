"""How the loops of a step run: compiled code is fast where it walks along its factors without turning.

A step multiplies factors over all states of their variables and sums some of these out. In which order its loops stand,
and in which order the numbers of its product, changes nothing but the time, and the last digits:

- Steps that only sum more out of the product before are one step with it.
- Of all loops that may be the innermost, the one is taken that costs least, in its cells and in turns of the others.
- Loops that walk on where the next one ends, in every factor and in the product, are one loop.
- A product is laid out as the largest table of the step that takes it is, where that is larger than what it is made of.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from railbird.bayes.elimination import EliminationStep

_TURN, _TURN_OF_FACTOR = 8.0, 2.0
"""What a turn of the outer loops costs, and for each factor; in the time of a number that is walked along."""
_ALONG, _ACROSS = 1.0, 2.5
"""What a number costs where all numbers stand side by side, and by factor where they do not."""


@dataclass(frozen=True, slots=True)
class Factor:
    """Where a factor's numbers come from, and how far apart they are along each variable."""

    source: int
    """The place of a table's variable, or -1 - where an earlier product begins."""
    strides: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop: how often it runs, and how far it moves in the product and in every factor."""

    size: int
    out: int
    factors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A step, or several that are done as one: factors, and the variables that are summed out of their product."""

    factors: tuple[int, ...]
    eliminated: frozenset[int]


def sums_of(steps: Sequence[EliminationStep], results: Collection[int | None], tables: int) -> dict[int, Sum]:
    """By the number of a step what is to be done for it; nothing for one that is part of the next."""
    uses = Counter(factor - tables for step in steps for factor in step.factors if factor >= tables)
    uses.update(result for result in results if result is not None)
    found: dict[int, Sum] = {}
    for number, step in enumerate(steps):
        out = frozenset(() if step.eliminated is None else (step.eliminated,))
        only = step.factors[0] - tables
        if len(step.factors) == 1 and only in found and uses[only] == 1:
            before = found.pop(only)
            found[number] = replace(before, eliminated=before.eliminated | out)
        else:
            found[number] = Sum(step.factors, out)
    return found


def loops_of(
    factors: Sequence[Factor], product: Mapping[int, int], sizes: Sequence[int]
) -> tuple[list[Loop], list[Factor]]:
    """The loops, innermost last, and the factors, those that change in the innermost one first."""
    largest = max(factors, key=lambda each: prod(sizes[place] for place in each.strides)).strides
    scope = {place for factor in factors for place in factor.strides}
    order = sorted(scope, key=lambda place: (place in largest, -largest.get(place, 0), place))

    def running(inner: int) -> tuple[float, list[Loop], list[Factor]]:
        moving = sorted(factors, key=lambda factor: inner not in factor.strides)
        loops = [
            Loop(
                sizes[place],
                product.get(place, 0),
                tuple(factor.strides.get(place, 0) for factor in moving),
            )
            for place in (*(each for each in order if each != inner), inner)
        ]
        joined = _joined(loops)
        return _cost(joined), joined, moving

    _, loops, moving = min((running(inner) for inner in reversed(order)), key=lambda each: each[0])
    return loops, moving


def _joined(loops: Sequence[Loop]) -> list[Loop]:
    """The same loops, of which those are one that walk on where the next one ends."""
    found = [loops[-1]]
    for loop in reversed(loops[:-1]):
        inner = found[0]
        if loop.out == inner.out * inner.size and all(
            outer == stride * inner.size for outer, stride in zip(loop.factors, inner.factors, strict=True)
        ):
            found[0] = replace(inner, size=loop.size * inner.size)
        else:
            found.insert(0, loop)
    return found


def _cost(loops: Sequence[Loop]) -> float:
    inner = loops[-1]
    moving = [stride for stride in inner.factors if stride]
    along = inner.out <= 1 and len(moving) <= 2 and all(stride == 1 for stride in moving)
    cell = _ALONG if along else _ACROSS * len(moving)
    turns = prod(loop.size for loop in loops[:-1])
    return turns * (_TURN + _TURN_OF_FACTOR * len(inner.factors) + inner.size * cell)
