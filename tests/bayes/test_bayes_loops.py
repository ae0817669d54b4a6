"""How the loops of a step run: joined where they may be, along rows, and always the same sum."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from railbird.bayes.elimination import EliminationStep, plan
from railbird.bayes.loops import Factor, Loop, Sum, loops_of, sums_of
from railbird.opponents.network.nodes import HAND_GROUP, HAND_TYPES, Variant, hand_nodes, structure

SIZES = (2, 3, 4, 5)


def strides(order: tuple[int, ...]) -> dict[int, int]:
    """How far apart states are where variables stand in this order."""
    return {
        place: int(np.prod([SIZES[each] for each in order[axis + 1 :]])) for axis, place in enumerate(order)
    }


orders = st.permutations(range(len(SIZES))).flatmap(
    lambda order: st.integers(1, len(SIZES)).map(lambda count: tuple(order[:count]))
)


@given(st.lists(orders, min_size=1, max_size=4), st.data())
def test_any_order_of_loops_gives_the_same_sum(factors: list[tuple[int, ...]], data: st.DataObject) -> None:
    """Against einsum, walking the loops one cell after the other."""
    scope = sorted({place for factor in factors for place in factor})
    kept = tuple(data.draw(st.permutations(scope)))[: data.draw(st.integers(0, len(scope)))]
    draw = np.random.default_rng(data.draw(st.integers(0, 99)))
    numbers = [draw.integers(1, 9, [SIZES[place] for place in factor]).astype(float) for factor in factors]
    operands = [part for pair in zip(numbers, map(list, factors), strict=True) for part in pair]
    expected = np.einsum(*operands, list(kept))
    sources = [Factor(number, strides(factor)) for number, factor in enumerate(factors)]
    loops, ordered = loops_of(sources, strides(kept), SIZES)
    flat = np.zeros(expected.size)
    for turn in np.ndindex(*(loop.size for loop in loops)):
        product = 1.0
        for number, factor in enumerate(ordered):
            at = sum(count * loop.factors[number] for count, loop in zip(turn, loops, strict=True))
            product *= numbers[factor.source].ravel()[at]
        flat[sum(count * loop.out for count, loop in zip(turn, loops, strict=True))] += product
    assert flat.tolist() == expected.ravel().tolist()
    moving = [stride > 0 for stride in loops[-1].factors]
    assert moving == sorted(moving, reverse=True), "factors that change in the innermost loop come first"


def test_loops_that_walk_on_are_one() -> None:
    """A row of twelve numbers, and a weight for each of two."""
    table, weight = Factor(0, strides((0, 1, 2))), Factor(1, strides((0,)))
    loops, ordered = loops_of([weight, table], strides((1, 2)), SIZES)
    assert loops == [Loop(2, 0, (12, 1)), Loop(12, 1, (1, 0))]
    assert ordered == [table, weight]


def test_steps_that_only_sum_more_out_are_one() -> None:
    first = EliminationStep((0, 1), (2, 3), 4)
    again, last = EliminationStep((10,), (3,), 2), EliminationStep((11, 0), (3,), None)
    assert sums_of([first, again, last], [2], 10) == {
        1: Sum((0, 1), frozenset({4, 2})),
        2: Sum((11, 0), frozenset()),
    }
    assert len(sums_of([first, again, last], [2, 0], 10)) == 3, "what is asked for is kept"


def test_the_shipped_network_asks_for_few_steps_on_the_river() -> None:
    variant = Variant(partial=True, split_call=True)
    shape = structure(variant)
    known = [place for name, place in shape.places.items() if name not in hand_nodes(variant)]
    made = plan(shape, known, [shape.place(HAND_TYPES[2]), shape.place(HAND_GROUP)])
    sums = sums_of(made.steps, made.results, len(shape.variables))
    assert (len(made.steps), len(sums)) == (16, 14)
