"""Retrieval finds what looking at every case finds: the same cases, bit for bit as similar, in the same order."""

from random import Random

import numpy as np
import pytest

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle import index
from railbird.cbr.cycle.retrieve import AtLeast, AtLeastElseNearest, Nearest, Search, Unit
from railbird.cbr.packs.merging import merged
from railbird.cbr.schema import Number, Schema, Symbol
from railbird.cbr.similarity import (
    AllOrNothing,
    Decay,
    Linear,
    Local,
    Similarity,
    SimilarityError,
    SymbolPairs,
)
from railbird.cbr.target import Target
from random_cases import SOLUTIONS, World, shared_letters
from reference.retrieval import rank, retrieve

THRESHOLDS = (0.0, 0.5, 0.8, 0.9, 0.97, 1.0)


def policy_of(draw: Random) -> AtLeast | Nearest | AtLeastElseNearest:
    k, unit = draw.choice((1, 2, 5, 20, 500)), draw.choice(list(Unit))
    threshold = draw.choice(THRESHOLDS)
    return draw.choice((AtLeast(threshold), Nearest(k, unit), AtLeastElseNearest(threshold, k, unit)))


def compare_with_twin(queries: int, seed: int, first: int, more: int, per_world: int) -> int:
    """Ask so many random questions, adding cases in between, and compare every answer; says how many found some."""
    draw = Random(seed)
    found_some = 0
    world = World(draw)
    for query in range(queries):
        if query % per_world == 0:
            world = World(draw)
            world.add(draw.randint(0, first))
        else:
            world.add(draw.randint(0, more))
        base, target, policy = world.base, world.target(), policy_of(draw)
        weighting = world.similarity
        if draw.random() < 0.1:
            # The tree is laid out by the first weights and must find the right cases for any.
            weighting = weighting.with_weights({name: draw.random() + 0.01 for name in world.schema.names})
        found = policy(Search(base, weighting, target))
        expected = retrieve(rank(list(base), weighting, target), policy)
        answer = list(zip(found.similarities.tolist(), found.rows.tolist(), strict=True))
        assert answer == expected, f"query {query} of seed {seed}: {policy} for {target}"
        found_some += bool(answer)
    return found_some


@pytest.mark.parametrize("queries", [300, pytest.param(1000, marks=pytest.mark.soak)])
def test_retrieval_equals_looking_at_every_case(queries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compare_with_twin(queries, seed=1, first=80, more=12, per_world=10) > 0.7 * queries
    # Small leaves make deep trees of few cases, and many of them.
    monkeypatch.setattr(index, "LEAF_SIZE", 2)
    monkeypatch.setattr(index, "TAIL_SIZE", 8)
    assert compare_with_twin(queries, seed=2, first=60, more=12, per_world=10) > 0.7 * queries


def test_retrieval_in_a_case_base_that_grows_from_nothing_to_many_trees() -> None:
    draw = Random(3)
    for _ in range(4):
        world = World(draw)
        for _ in range(6):
            world.add(150)
            target, policy = world.target(), policy_of(draw)
            found = policy(Search(world.base, world.similarity, target))
            expected = retrieve(rank(list(world.base), world.similarity, target), policy)
            assert list(zip(found.similarities.tolist(), found.rows.tolist(), strict=True)) == expected


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 20))
def test_retrieval_equals_looking_at_every_case_in_a_hundred_thousand_queries(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if seed % 2:
        monkeypatch.setattr(index, "LEAF_SIZE", 2)
        monkeypatch.setattr(index, "TAIL_SIZE", 8)
    assert compare_with_twin(10_000, seed=seed, first=200, more=20, per_world=10) > 7000


def test_many_problems_find_what_each_finds_alone() -> None:
    draw = Random(7)
    found_some = 0
    for _ in range(60):
        world = World(draw)
        world.add(draw.randint(0, 400))
        policy, targets = policy_of(draw), [world.target() for _ in range(20)]
        search = Search(world.base, world.similarity, targets[0])
        numbers = np.array([target.numbers for target in targets])
        for many, row in zip(policy.many(search, numbers), numbers, strict=True):
            alone = policy(search.of(row))
            assert many.rows.tolist() == alone.rows.tolist()
            assert many.similarities.tolist() == alone.similarities.tolist()
            assert many.met == alone.met
            found_some += len(many) > 0
    assert found_some > 600


def test_one_case_left_out_is_as_if_it_were_not_there() -> None:
    draw = Random(5)
    for _ in range(40):
        world = World(draw)
        world.merges = False
        world.add(60)
        number = draw.randrange(60)
        target = world.base.target(number)
        policy = policy_of(draw)
        if not isinstance(policy, AtLeast) and policy.unit is Unit.DECISIONS:
            continue
        found = policy(Search(world.base, world.similarity, target, without=number))
        others = [case for case in world.base if case.number != number]
        expected = retrieve(rank(others, world.similarity, target), policy)
        assert list(zip(found.similarities.tolist(), found.rows.tolist(), strict=True)) == expected


def test_more_symbols_than_bins() -> None:
    schema = Schema((Symbol("name"), Number("size")), SOLUTIONS)
    similarity = Similarity(schema, {"name": (shared_letters, 2.0), "size": (Linear(10.0), 1.0)})
    base, draw = CaseBase(schema), Random(6)
    for number in range(700):
        base.add({"name": f"{number:o}", "size": draw.uniform(0, 10)}, "go")
    for _ in range(30):
        target = Target(schema, {"name": f"{draw.randrange(900):o}", "size": draw.uniform(0, 10)})
        for policy in (Nearest(7), AtLeast(0.6), AtLeast(0.95)):
            found = policy(Search(base, similarity, target))
            expected = retrieve(rank(list(base), similarity, target), policy)
            assert list(zip(found.similarities.tolist(), found.rows.tolist(), strict=True)) == expected


def test_symbols_that_no_case_has_do_not_lend_their_similarity() -> None:
    names = tuple(f"{number:o}" for number in range(600))
    schema = Schema((Symbol("name", names), Number("size")), SOLUTIONS)
    similarity = Similarity(schema, {"name": (AllOrNothing(), 2.0), "size": (Linear(10.0), 1.0)})
    base, draw = CaseBase(schema), Random(9)
    for _ in range(300):
        base.add({"name": draw.choice(names[:100]), "size": draw.uniform(0, 10)}, "go")
    for number in (5, 261, 517):
        target = Target(schema, {"name": names[number], "size": 5.0})
        for policy in (Nearest(20), AtLeast(0.3), AtLeast(0.9)):
            found = policy(Search(base, similarity, target))
            expected = retrieve(rank(list(base), similarity, target), policy)
            assert list(zip(found.similarities.tolist(), found.rows.tolist(), strict=True)) == expected


def test_more_values_than_bins_crowded_and_far_apart() -> None:
    schema = Schema(tuple(Number(name) for name in "abc"), SOLUTIONS)
    locals_of: tuple[Local, ...] = (Linear(1.0), Decay(3.0, 2.0), AllOrNothing(), Linear(1e-300))
    draw = Random(10)
    for local in locals_of:
        similarity = Similarity(
            schema, {"a": (local, 5.0), "b": (Linear(1.0, rate=2.0), 3.0), "c": (Linear(9.0), 1.0)}
        )
        base = CaseBase(schema)
        for _ in range(1500):
            crowd = draw.choice((0.0, 0.0, 0.5, 1.0, 100.0))
            a = draw.choice((crowd, crowd + draw.expovariate(20), crowd - draw.expovariate(200)))
            base.add({"a": a, "b": draw.random() ** 8, "c": draw.randrange(10)}, "go")
        cases = list(base)
        for _ in range(6):
            target = base.target(draw.randrange(1500)) if draw.random() < 0.5 else None
            target = target or Target(schema, {"a": draw.uniform(-1, 2), "b": draw.random(), "c": 3.0})
            ranked = rank(cases, similarity, target)
            for policy in (Nearest(30), AtLeast(0.4), AtLeast(0.9), AtLeast(0.99)):
                found = policy(Search(base, similarity, target))
                answer = list(zip(found.similarities.tolist(), found.rows.tolist(), strict=True))
                assert answer == retrieve(ranked, policy), f"{policy} for {target}"


def test_cases_whose_values_lie_between_those_of_earlier_ones() -> None:
    schema = Schema((Number("x"), Number("y")), SOLUTIONS)
    similarity = Similarity(schema, {"x": (Decay(1.0), 1.0), "y": (Linear(5.0), 2.0)})
    base, draw = CaseBase(schema), Random(11)
    for _ in range(100):
        base.add({"x": draw.randint(0, 5), "y": draw.randint(0, 5)}, "go")
    for _ in range(60):
        target = Target(schema, {"x": draw.uniform(-1, 6), "y": draw.uniform(-1, 6)})
        for policy in (Nearest(10), AtLeast(0.8)):
            found = policy(Search(base, similarity, target))
            expected = retrieve(rank(list(base), similarity, target), policy)
            assert list(zip(found.similarities.tolist(), found.rows.tolist(), strict=True)) == expected
        base.add({"x": draw.uniform(-1, 6), "y": draw.uniform(-1, 6)}, "go")


def test_every_case_is_at_least_less_than_nothing_similar_and_none_more_than_equal() -> None:
    schema = Schema((Number("x"),), SOLUTIONS)
    similarity = Similarity(schema, {"x": (Linear(1.0), 1.0)})
    base = CaseBase(schema)
    for x in range(200):
        base.add({"x": x}, "go")
    search = Search(base, similarity, Target(schema, {"x": 7}))
    assert search.above(-1e12).rows.tolist() == [7, *range(7), *range(8, 200)]
    assert len(search.above(1e12)) == 0


def test_an_identical_case_is_exactly_one_similar() -> None:
    draw = Random(7)
    for _ in range(50):
        world = World(draw)
        world.merges = False
        world.similarity = Similarity(
            world.schema, {name: (AllOrNothing(), draw.random() + 0.01) for name in world.schema.names}
        )
        world.add(20)
        found = AtLeast(1.0)(Search(world.base, world.similarity, world.base.target(11)))
        assert 11 in found.rows.tolist()
        assert set(found.similarities.tolist()) == {1.0}


def test_equally_similar_cases_come_in_the_order_in_which_they_came() -> None:
    schema = Schema((Number("x"),), SOLUTIONS)
    similarity = Similarity(schema, {"x": (Linear(10.0), 1.0)})
    base = CaseBase(schema)
    for x in [4.0, 6.0, 5.5, 4.5] * 200:
        base.add({"x": x}, "go")
    search = Search(base, similarity, Target(schema, {"x": 5.0}))
    assert Nearest(3)(search).rows.tolist() == [2, 3, 6]
    assert AtLeast(0.95)(search).rows.tolist() == [place for place in range(800) if place % 4 > 1]
    assert AtLeast(0.9)(search).rows[400:].tolist() == [place for place in range(800) if place % 4 < 2]
    assert Nearest(2, Unit.SITUATIONS)(search).rows.tolist() == [*range(2, 800, 4), *range(3, 800, 4)]
    assert Nearest(1, Unit.DECISIONS)(search).rows.tolist() == list(range(2, 800, 4))


def test_thresholds_situations_and_decisions_mean_the_same_for_single_and_merged_cases() -> None:
    draw = Random(8)
    for _ in range(30):
        world = World(draw)
        world.merges = False
        world.add(120)
        joined = merged(world.base)
        target = world.target()
        for policy in (
            AtLeast(0.8),
            Nearest(3, Unit.SITUATIONS),
            Nearest(20, Unit.DECISIONS),
            AtLeastElseNearest(0.99, 20, Unit.DECISIONS),
        ):
            single_found = policy(Search(world.base, world.similarity, target))
            merged_found = policy(Search(joined, world.similarity, target))
            single_counts = world.base.counts[single_found.rows].sum(axis=0).tolist()
            assert joined.counts[merged_found.rows].sum(axis=0).tolist() == single_counts


def test_caspers_policy_falls_back_to_the_best_twenty() -> None:
    schema = Schema((Number("x"),), SOLUTIONS)
    similarity = Similarity(schema, {"x": (Linear(100.0), 1.0)})
    base = CaseBase(schema)
    for x in range(50):
        base.add({"x": x}, "go")
    policy = AtLeastElseNearest(0.97, 20)
    near = policy(Search(base, similarity, Target(schema, {"x": 25})))
    assert near.met
    assert sorted(near.rows.tolist()) == [22, 23, 24, 25, 26, 27, 28]
    far = policy(Search(base, similarity, Target(schema, {"x": 90})))
    assert not far.met
    assert far.rows.tolist() == list(range(49, 29, -1))


def test_nothing_is_found_among_no_cases() -> None:
    schema = Schema((Number("x"), Symbol("name")), SOLUTIONS)
    similarity = Similarity(schema, {"x": (Linear(1.0), 1.0), "name": (AllOrNothing(), 1.0)})
    search = Search(CaseBase(schema), similarity, Target(schema, {"x": 1.0, "name": "a"}))
    for policy in (AtLeast(0.0), Nearest(3), AtLeastElseNearest(0.5, 3), Nearest(2, Unit.SITUATIONS)):
        assert len(policy(search)) == 0


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_is_a_similarity(threshold: float) -> None:
    with pytest.raises(SimilarityError, match="a threshold must be a similarity between 0 and 1"):
        AtLeast(threshold)


def test_at_least_one_case_is_retrieved() -> None:
    with pytest.raises(SimilarityError, match="at least one case must be retrieved, not 0"):
        Nearest(0)


def test_a_similarity_of_symbols_stays_between_0_and_1() -> None:
    schema = Schema((Symbol("name"),), SOLUTIONS)
    base = CaseBase(schema)
    base.add({"name": "a"}, "go")
    similarity = Similarity(schema, {"name": (SymbolPairs((("a", "b", 1.5),)), 1.0)})
    with pytest.raises(
        SimilarityError, match="name: the similarity of 'b' to 'a' is 1.5, not between 0 and 1"
    ):
        Nearest(1)(Search(base, similarity, Target(schema, {"name": "b"})))
