"""Looking after a case base: redundancy, coverage, forgetting, leave-one-out accuracy."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.cycle.maintenance import (
    KeepNewest,
    KeepUncovered,
    KeepUnrepeated,
    coverage,
    forget,
    leave_one_out,
    main_solutions,
    redundancy,
)
from railbird.cbr.cycle.retrieve import AtLeast, AtLeastElseNearest, Nearest, Search, Unit
from railbird.cbr.cycle.reuse import MaxFrequency, Probabilistic, VotePolicy
from railbird.cbr.packs.merging import merged
from railbird.cbr.schema import Number, Schema
from railbird.cbr.similarity import Linear, Similarity

SCHEMA = Schema((Number("x"),), ("stay", "go"))
SIMILARITY = Similarity(SCHEMA, {"x": (Linear(100.0), 1.0)})

decisions = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(SCHEMA.solutions)), max_size=25)


def base_of(found: list[tuple[int, str]]) -> CaseBase:
    base = CaseBase(SCHEMA)
    for x, solution in found:
        base.add({"x": x}, solution)
    return base


def test_redundancy_is_counted() -> None:
    base = base_of([(1, "go"), (1, "go"), (1, "stay"), (2, "go"), (2, "go")])
    for form in (base, merged(base)):
        report = redundancy(form)
        assert (report.cases, report.decisions) == (len(form), 5)
        assert (report.situations, report.repeated, report.conflicting) == (2, 2, 1)


def test_coverage_counts_who_agrees_and_who_does_not() -> None:
    base = base_of([(0, "go"), (1, "go"), (2, "stay"), (90, "go")])
    found = coverage(base, SIMILARITY, 0.98)
    assert found.agreeing.tolist() == [1, 1, 0, 0]
    assert found.contradicting.tolist() == [1, 1, 2, 0]
    assert found.isolated.tolist() == [3]
    assert found.covered == 0.5
    assert coverage(base_of([]), SIMILARITY, 0.9).covered == 0.0


def test_only_the_newest_or_the_first_of_each_kind_are_kept() -> None:
    base = base_of([(1, "go"), (1, "go"), (1, "stay"), (2, "go"), (1, "go")])
    assert forget(base, KeepNewest(2)).values.ravel().tolist() == [2, 1]
    assert len(forget(base, KeepNewest(99))) == 5
    assert KeepUnrepeated()(base).tolist() == [True, False, True, True, False]
    assert KeepUnrepeated(2)(base).tolist() == [True, True, True, True, False]
    for keep in (KeepNewest, KeepUnrepeated):
        with pytest.raises(CaseBaseError, match="must keep at least one case, not 0"):
            keep(0)


@settings(max_examples=50)
@given(decisions, st.sampled_from([0.9, 0.97, 1.0]))
def test_whatever_is_forgotten_is_covered_by_what_is_kept(
    found: list[tuple[int, str]], threshold: float
) -> None:
    base = base_of(found)
    kept = forget(base, KeepUncovered(SIMILARITY, threshold))
    solutions = main_solutions(kept)
    for row, (_, solution) in enumerate(found):
        near = Search(kept, SIMILARITY, base.target(row)).above(threshold).rows
        assert SCHEMA.solution_place(solution) in solutions[near]
    assert forget(kept, KeepUncovered(SIMILARITY, threshold)).values.tolist() == kept.values.tolist()


def plain_leave_one_out(found: list[tuple[int, str]], threshold: float, k: int) -> tuple[int, float, int]:
    """Build a case base without each decision in turn."""
    correct, probability, unsolved = 0, 0.0, 0
    for left_out, (x, solution) in enumerate(found):
        others = [pair for place, pair in enumerate(found) if place != left_out]
        ranked = sorted(others, key=lambda pair: abs(pair[0] - x))
        near = [pair for pair in ranked if 1.0 - abs(pair[0] - x) / 100.0 >= threshold] or ranked[:k]
        votes = [sum(other == name for _, other in near) for name in SCHEMA.solutions]
        if not near:
            unsolved += 1
            continue
        correct += SCHEMA.solutions[votes.index(max(votes))] == solution
        probability += votes[SCHEMA.solution_place(solution)] / len(near)
    return correct, probability / len(found) if found else 0.0, unsolved


@settings(max_examples=50)
@given(decisions)
def test_leave_one_out_equals_leaving_each_one_out(found: list[tuple[int, str]]) -> None:
    base = base_of(found)
    policy = AtLeastElseNearest(0.97, 3)
    correct, probability, unsolved = plain_leave_one_out(found, 0.97, 3)
    majority = leave_one_out(base, SIMILARITY, policy, MaxFrequency())
    shares = leave_one_out(base, SIMILARITY, policy, Probabilistic())
    assert (majority.correct, majority.unsolved, majority.decisions) == (correct, unsolved, len(found))
    assert shares.probability == pytest.approx(probability)


@settings(max_examples=50)
@given(decisions, st.booleans())
def test_single_and_merged_cases_predict_equally_well(found: list[tuple[int, str]], weighted: bool) -> None:
    base = base_of(found)
    kinds: list[VotePolicy] = [MaxFrequency(weighted), Probabilistic(weighted)]
    for policy in (AtLeast(0.97), Nearest(2, Unit.SITUATIONS)):
        for reuse in kinds:
            single = leave_one_out(base, SIMILARITY, policy, reuse)
            joined = leave_one_out(merged(base), SIMILARITY, policy, reuse)
            assert (single.correct, single.unsolved) == (joined.correct, joined.unsolved)
            assert single.probability == pytest.approx(joined.probability)


def test_accuracy_of_some_cases_only() -> None:
    draw = Random(1)
    base = base_of([(x, "go" if x < 50 else "stay") for x in draw.sample(range(100), 60)])
    report = leave_one_out(base, SIMILARITY, Nearest(3), MaxFrequency(), rows=range(20))
    assert report.decisions == 20
    assert report.share > 0.8
