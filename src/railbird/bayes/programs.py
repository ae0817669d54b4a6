"""Plans as flat arrays of ints, for the compiled functions of `kernels.bayes.forward`.

All tables of a network are concatenated in one array of numbers, followed by the products of a plan's steps. A
`TableLayout` has the positions of the tables, a `Program` the factors and loops of each step.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.elimination import EliminationPlan, families, plan
from railbird.bayes.loops import Factor, Sum, loops_of, sums_of
from railbird.bayes.network import Table
from railbird.bayes.structure import NetworkError, Structure

Numbers = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_PROGRAMS = 4096
"""Maximum number of cached patterns of known variables."""


@dataclass(frozen=True)
class TableLayout:
    """The positions of a structure's tables in one flat array, each in C order."""

    structure: Structure

    @cached_property
    def families(self) -> tuple[tuple[int, ...], ...]:
        """The axes of every table."""
        return families(self.structure)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of states of every variable."""
        return tuple(len(variable) for variable in self.structure.variables)

    @cached_property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of every table, as in `Structure.shape`."""
        return {variable.name: self.structure.shape(variable.name) for variable in self.structure.variables}

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """The offset of every table, and the total size at the end."""
        return (0, *np.cumsum([prod(shape) for shape in self.shapes.values()]).tolist())

    @property
    def total(self) -> int:
        """The total size of all tables."""
        return self.offsets[-1]

    @cached_property
    def strides(self) -> tuple[Mapping[int, int], ...]:
        """For every table, the stride of each of its variables."""
        found = []
        for family in self.families:
            sizes = [self.sizes[place] for place in family]
            found.append({place: prod(sizes[axis + 1 :]) for axis, place in enumerate(family)})
        return tuple(found)

    @cached_property
    def ints(self) -> Ints:
        """The layout as kernels read it.

        It has the number of variables, their sizes, and the offset of each table's entry; an entry has the table's
        offset in the flat array, the number of its variables, and each of these with its stride.
        """
        count = len(self.sizes)
        starts: list[int] = []
        entries: list[int] = []
        for offset, strides in zip(self.offsets, self.strides, strict=False):
            starts.append(1 + 2 * count + len(entries))
            entries += [offset, len(strides)]
            for place, stride in strides.items():
                entries += [place, stride]
        return np.array([count, *self.sizes, *starts, *entries], dtype=np.int64)

    def checked_place(self, name: str, place: Sequence[int]) -> tuple[int, int]:
        """The offset of a table's row in the flat array, for one code of each parent, and its length."""
        variable = self.structure.place(name)
        *parents, size = self.shapes[name]
        start = self.offsets[variable]
        if len(place) == len(parents):
            strides = self.strides[variable].values()
            for code, states, stride in zip(place, parents, strides, strict=False):
                if not 0 <= code < states:
                    break
                start += code * stride
            else:
                return start, size
        raise NetworkError(f"{name}: a code for each of {len(parents)} parents expected, found {place}")

    def flat(self, tables: Mapping[str, Table]) -> Numbers:
        """All tables concatenated in one array."""
        return np.concatenate([tables[variable.name].ravel() for variable in self.structure.variables])

    def tables(self, flat: Numbers) -> dict[str, Numbers]:
        """The tables as views of one array."""
        return {
            name: flat[start:end].reshape(shape)
            for (name, shape), start, end in zip(
                self.shapes.items(), self.offsets[:-1], self.offsets[1:], strict=True
            )
        }


@dataclass(frozen=True, slots=True)
class Program:
    """A plan as kernels read it, and the working space it needs after the tables."""

    ints: Ints
    work: int


def compile_plan(
    layout: TableLayout, made: EliminationPlan, targets: Sequence[int], known: Collection[int]
) -> Program:
    """Lay out the loops of every step.

    The ints are: the numbers of constants, steps and results; the constants; the offset of each step; for each result
    the offset of its numbers (-1 if it is known), its variable, its destination, and its size; then the steps.
    """
    tables = len(layout.sizes)
    sums = sums_of(made.steps, made.results, tables)
    steps: list[list[int]] = []
    placed: dict[int, Factor] = {}
    work = layout.total
    for number, each in sums.items():
        factors = [
            placed[factor] if factor >= tables else _table(layout, factor, known) for factor in each.factors
        ]
        product = _product_strides(layout, factors, each.eliminated, _taker(layout, sums, number, known))
        ints = _compile_step(layout, factors, product, work)
        placed[tables + number] = Factor(-1 - work, product)
        steps.append(ints)
        work += ints[_SIZE]
    results: list[int] = []
    goes = 0
    for target, result in zip(targets, made.results, strict=True):
        begins = -1 if result is None else -1 - placed[tables + result].source
        results += [begins, target, goes, layout.sizes[target]]
        goes += layout.sizes[target]
    begin = 3 + len(made.constants) + len(steps) + len(results)
    starts = [begin + sum(len(each) for each in steps[:number]) for number in range(len(steps))]
    head = [len(made.constants), len(steps), len(made.results), *made.constants, *starts, *results]
    return Program(
        np.array(head + [each for step in steps for each in step], dtype=np.int64), work - layout.total
    )


def remembered_programs(layout: TableLayout, targets: tuple[int, ...]) -> Callable[[bytes], Program]:
    """A cached function from a pattern, one byte per variable, to its program."""

    @lru_cache(maxsize=MOST_PROGRAMS)
    def program(pattern: bytes) -> Program:
        known = [place for place, byte in enumerate(pattern) if byte]
        return compile_plan(layout, plan(layout.structure, known, targets), targets, frozenset(known))

    return program


_SIZE = 4


def _table(layout: TableLayout, variable: int, known: Collection[int]) -> Factor:
    strides = layout.strides[variable]
    return Factor(variable, {place: strides[place] for place in strides if place not in known})


def _taker(
    layout: TableLayout, sums: Mapping[int, Sum], number: int, known: Collection[int]
) -> Factor | None:
    """The largest table of the step that consumes a step's product, if there is one."""
    tables = len(layout.sizes)
    for each in sums.values():
        if tables + number in each.factors:
            found = [_table(layout, factor, known) for factor in each.factors if factor < tables]
            return max(found, key=lambda factor: _entries(layout, factor), default=None)
    return None


def _entries(layout: TableLayout, factor: Factor) -> int:
    return prod(layout.sizes[place] for place in factor.strides)


def _product_strides(
    layout: TableLayout, factors: Sequence[Factor], eliminated: Collection[int], taker: Factor | None
) -> dict[int, int]:
    """The strides of a product along each variable, in the order of the larger table."""
    largest = max(factors, key=lambda factor: _entries(layout, factor))
    if taker is not None and _entries(layout, taker) > _entries(layout, largest):
        largest = taker
    like = largest.strides
    scope = {place for factor in factors for place in factor.strides}
    kept = sorted(scope - set(eliminated), key=lambda place: (place in like, -like.get(place, 0), place))
    return {place: prod(layout.sizes[each] for each in kept[axis + 1 :]) for axis, place in enumerate(kept)}


def _compile_step(
    layout: TableLayout, factors: Sequence[Factor], product: Mapping[int, int], out: int
) -> list[int]:
    """The ints of one step.

    The number of loops, the number of factors that vary in the innermost one, the number of factors, the destination of
    the product and its size; the sizes of the loops; the product's stride in each; then for each factor, those that
    vary in the innermost loop first, its source (the index of a table's variable, or -1 - the offset of an earlier
    product) and its stride in each loop.
    """
    loops, ordered = loops_of(factors, product, layout.sizes)
    moving = sum(stride > 0 for stride in loops[-1].factors)
    ints = [len(loops), moving, len(ordered), out, prod(layout.sizes[place] for place in product)]
    ints += [loop.size for loop in loops]
    ints += [loop.out for loop in loops]
    for number, factor in enumerate(ordered):
        ints += [factor.source, *(loop.factors[number] for loop in loops)]
    return ints
