"""Decisions counted for many problems together are those in the cases that each problem finds alone."""

from random import Random
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle import index, retrieve
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.many import Problems, solve_many
from railbird.cbr.cycle.ramps import ramps_of
from railbird.cbr.cycle.retrieve import AtLeast, AtLeastElseNearest, Nearest, Policy, Retrieve, Search
from railbird.cbr.cycle.reuse import (
    Among,
    BestOutcome,
    BestSumOfOutcomes,
    MaxFrequency,
    Probabilistic,
    VotePolicy,
    count_votes,
)
from railbird.cbr.packs.merging import merged
from railbird.cbr.schema import Number, Schema, Symbol, Value
from railbird.cbr.similarity import Decay, Linear, Similarity
from railbird.cbr.target import Target
from railbird.kernels.cases.similarity import DECAY, LINEAR
from railbird.kernels.cases.tallies import SEVERAL
from random_cases import SOLUTIONS, World
from reference.retrieval import rank, tally

THRESHOLDS = (0.0, 0.5, 0.8, 0.9, 0.97, 0.999, 1.0)


def problems_of(world: World, count: int) -> Problems | None:
    """Problems that differ in some of the numbers, also by far; None for a schema of symbols only."""
    draw, target = world.draw, world.target()
    numbers = [each.name for each in world.schema.attributes if not isinstance(each, Symbol)]
    if not numbers:
        return None
    varying: dict[str, NDArray[np.float64]] = {}
    for name in draw.sample(numbers, draw.randint(1, min(4, len(numbers)))):
        values = [cast(float, world.values[name]()) for _ in range(count)]
        if draw.random() < 0.1:
            values[0] = values[0] * 50
        varying[name] = np.array(values, dtype=np.float64)
    return Problems(target, varying)


def compare_with_twin(seed: int, worlds: int, cases: int) -> int:
    """Compare the tallies of random problems, with cases added in between; says how many problems were tallied."""
    draw = Random(seed)
    tallied = 0
    for _ in range(worlds):
        world = World(draw)
        for _ in range(3):
            world.add(draw.randint(0, cases))
            problems, threshold = problems_of(world, 12), draw.choice(THRESHOLDS)
            if problems is None:
                continue
            similarity = world.similarity
            if draw.random() < 0.1:
                similarity = similarity.with_weights({name: draw.random() for name in world.schema.names})
            numbers, _ = problems.distinct()
            found = Search(world.base, similarity, problems.target).tally_above(threshold, numbers)
            if found is None:
                continue
            every = list(world.base)
            for row, votes, count in zip(numbers, found[0].tolist(), found[1].tolist(), strict=True):
                description: dict[str, Value] = dict(problems.target.description)
                description |= {name: float(row[world.schema.places[name]]) for name in problems.varying}
                alone = Target(world.schema, description, problems.target.own)
                expected, how_many = tally(rank(every, similarity, alone), threshold)
                assert (votes, count) == (expected or [0] * len(SOLUTIONS), how_many), (seed, threshold)
                tallied += 1
    return tallied


def test_tallies_equal_looking_at_every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieve, "FEWEST_TALLIED", 1)
    assert compare_with_twin(seed=1, worlds=25, cases=100) > 150
    # Many trees and a tail.
    monkeypatch.setattr(index, "LEAF_SIZE", 2)
    monkeypatch.setattr(index, "TAIL_SIZE", 8)
    assert compare_with_twin(seed=2, worlds=25, cases=50) > 150


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 20))
def test_tallies_equal_looking_at_every_case_in_many_worlds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieve, "FEWEST_TALLIED", 1)
    assert compare_with_twin(seed=seed, worlds=200, cases=300) > 1000


SCHEMA = Schema((Number("a"), Number("b"), Number("c"), Number("d")), SOLUTIONS)


def crowd(draw: Random, count: int, steps: int) -> CaseBase:
    """Cases on a lattice, so that many are exactly at a threshold."""
    base = CaseBase(SCHEMA)
    for _ in range(count):
        description = {name: draw.randint(0, steps) / steps for name in SCHEMA.names}
        base.add(description, draw.choice(SOLUTIONS), draw.random())
    return base


@pytest.mark.parametrize("is_merged", [False, True])
@pytest.mark.parametrize("local", [Linear(1.0), Decay(1.0)])
def test_many_cases_exactly_at_the_threshold(local: Linear | Decay, is_merged: bool) -> None:
    draw = Random(3)
    base = crowd(draw, 3000, 10)
    base = merged(base) if is_merged else base
    similarity = Similarity(SCHEMA, dict.fromkeys(SCHEMA.names, (local, 1.0)))
    target = base.target(0)
    varying = {name: np.array([draw.randint(0, 10) / 10 for _ in range(200)]) for name in "abc"}
    numbers, _ = Problems(target, varying).distinct()
    search = Search(base, similarity, target)
    for threshold in (0.975, 0.95, 0.9, 0.8, float(search.nearest(50).similarities[-1])):
        found = search.tally_above(threshold, numbers)
        assert found is not None
        listed = list(search.many_above(threshold, numbers))
        assert found[1].tolist() == [len(each) for each in listed]
        assert found[0].tolist() == [base.counts[each.rows].sum(axis=0).tolist() for each in listed]


RETRIEVALS = (AtLeast(0.9), AtLeastElseNearest(0.97, 5), Nearest(3))
REUSES = (
    Probabilistic(),
    Probabilistic(weighted=True),
    MaxFrequency(),
    BestOutcome(),
    BestSumOfOutcomes(),
    Among(MaxFrequency(), frozenset(SOLUTIONS[:2])),
)


@pytest.mark.parametrize("retrieval", RETRIEVALS, ids=str)
@pytest.mark.parametrize("reuse", REUSES, ids=lambda reuse: type(reuse).__name__)
def test_every_policy_solves_many_problems_as_it_solves_each(retrieval: Policy, reuse: VotePolicy) -> None:
    draw = Random(4)
    base = crowd(draw, 400, 25)
    similarity = Similarity(SCHEMA, {name: (Linear(1.0), 1.0) for name in SCHEMA.names})
    target = base.target(7)
    varying = {name: np.array([draw.random() for _ in range(40)]) for name in "ac"}
    search, otherwise = Retrieve(similarity, retrieval), (0.5, 0.5, 0.0)
    many = solve_many(search, reuse, base, Problems(target, varying), otherwise)
    for row, a, c in zip(many, *varying.values(), strict=True):
        problem = Target(SCHEMA, {**target.description, "a": a, "c": c})
        found = search(base, Episode(problem)).retrieved
        assert found is not None
        alone = reuse.strategy(SOLUTIONS, count_votes(base, found, reuse.weighted))
        assert row.tolist() == list(otherwise if alone is None else alone.probabilities)


def test_counting_together_is_left_out_where_listing_is_needed_or_faster() -> None:
    base = crowd(Random(5), 100, 7)
    similarity = Similarity(SCHEMA, {name: (Linear(1.0), 1.0) for name in SCHEMA.names})
    numbers = np.tile(base.values[0], (40, 1))
    numbers[:, 0] = np.linspace(0, 1, 40)
    search = Search(base, similarity, base.target(0))
    assert AtLeast(0.9).tally(search, numbers) is not None
    assert AtLeast(0.9).tally(search, numbers[: retrieve.FEWEST_TALLIED - 1]) is None
    assert AtLeast(1.0).tally(search, numbers) is None  # no loss at all is finer than any mark
    assert Nearest(3).tally(search, numbers) is None
    assert [each.counts_suffice for each in REUSES] == [True, False, True, False, False, True]


def test_the_only_decision_of_a_case() -> None:
    for asked_first in (False, True):
        base = CaseBase(SCHEMA)
        if asked_first:
            assert base.chosen.tolist() == []
        for value, solution in ((0.0, "go"), (1.0, "run"), (0.0, "go"), (2.0, "stay")):
            base.add(dict.fromkeys(SCHEMA.names, value), solution, merge=True)
        assert base.chosen.tolist() == [SEVERAL, SOLUTIONS.index("run"), SOLUTIONS.index("stay")]
        for number in range(100):
            base.add(dict.fromkeys(SCHEMA.names, number + 0.5), "go")
        assert base.chosen[3:].tolist() == [SOLUTIONS.index("go")] * 100
        assert merged(base).chosen.tolist() == base.chosen.tolist()


def lost(kind: int, share: float, rate: float, distance: float) -> float:
    return share * (min(1.0, rate * distance) if kind == LINEAR else 1.0 - np.exp(-rate * distance))


@pytest.mark.parametrize("seed", range(30))
def test_what_is_certain_is_above_the_threshold_and_what_is_not_possible_below(seed: int) -> None:
    random = np.random.default_rng(seed)
    columns = int(random.integers(1, 5))
    measure = np.stack(
        [
            random.choice([LINEAR, DECAY], columns),
            random.choice([1.0, 5.0, 80.0], columns),
            random.choice([0.5, 1.0, 4.0], columns),
            random.choice([0.3, 1.0, 9.0], columns),
        ],
        axis=1,
    )
    cases, targets = (random.normal(size=(300, columns)) * random.choice([0.1, 1.0, 5.0]) for _ in range(2))
    threshold = float(random.choice([0.0, 0.4, 0.9, 0.97]))
    ramps = ramps_of(threshold, targets, measure, np.stack([cases.min(axis=0), cases.max(axis=0)]))
    if ramps is None:
        return
    (attributes, origins, rates), lines, _, possible, certain = ramps
    order = attributes.astype(int)
    marks = [np.rint((each[:, order] - origins) * rates).astype(int) for each in (cases, targets)]
    shares = measure[:, 1] / measure[:, 1].sum()
    for case, case_marks in zip(cases, marks[0], strict=True):
        if case_marks.min() < 0 or case_marks.max() > 65_535:
            continue
        problem = int(random.integers(300))
        target, target_marks = targets[problem], marks[1][problem]
        counted = sum(
            min(
                int(offset) + (abs(int(one) - int(other)) * int(slope) >> 16)
                for offset, slope in lines[:, column].T
            )
            for column, (one, other) in enumerate(zip(case_marks, target_marks, strict=True))
        )
        loss = sum(
            lost(int(kind), share, rate / span, abs(one - other))
            for (kind, _, rate, span), share, one, other in zip(measure, shares, case, target, strict=True)
        )
        assert counted > certain or loss <= 1.0 - threshold
        assert counted <= possible or loss > 1.0 - threshold
