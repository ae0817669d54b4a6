"""Case bases: columns there and back, merging and splitting, and the strategies that both forms give."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.columns import from_columns, to_columns
from railbird.cbr.cycle.episode import Episode, Phase
from railbird.cbr.cycle.retrieve import AtLeast, AtLeastElseNearest, Nearest, Retrieve, Unit
from railbird.cbr.cycle.reuse import BestOutcome, BestSumOfOutcomes, MaxFrequency, Probabilistic
from railbird.cbr.packs.merging import merged, parts_of, split
from railbird.cbr.schema import Number, Schema, SchemaError, Symbol, Value
from railbird.cbr.similarity import AllOrNothing, Decay, Similarity
from railbird.cbr.target import Target

SCHEMA = Schema((Number("x"), Symbol("name"), Number("size", whole=True)), ("fold", "call", "raise"))
SIMILARITY = Similarity(
    SCHEMA, {"x": (Decay(1.0), 2), "name": (AllOrNothing(), 1), "size": (Decay(2.0, 5.0), 1)}
)

chips = st.one_of(st.none(), st.integers(-100, 100))
outcomes = st.one_of(st.none(), st.floats(-1e6, 1e6))


@st.composite
def case_bases(draw: st.DrawFn, outcomes: st.SearchStrategy[float | None] = outcomes) -> CaseBase:
    base = CaseBase(SCHEMA)
    x: st.SearchStrategy[Value] = st.sampled_from([0.0, -0.0, 0.1, 2.5])
    description = st.fixed_dictionaries({"x": x, "name": st.sampled_from("abc"), "size": st.integers(0, 2)})
    decision = st.tuples(description, st.sampled_from(SCHEMA.solutions), outcomes, st.booleans())
    for described, solution, outcome, merge in draw(st.lists(decision, max_size=30)):
        base.add(described, solution, outcome, merge=merge)
    return base


def contents(base: CaseBase) -> list[tuple[Any, ...]]:
    arrays = (base.counts.tolist(), base.known.tolist(), base.sums.tolist())
    descriptions = [base.description(number) for number in range(len(base))]
    return list(zip(descriptions, *arrays, strict=True))


@given(case_bases())
def test_columns_there_and_back(base: CaseBase) -> None:
    for form in (base, merged(base), split(base)):
        columns = to_columns(form)
        assert ("solution" in columns) == form.is_single
        again = from_columns(SCHEMA, columns, form.vocabularies())
        assert contents(again) == contents(form)
        assert all(
            np.array_equal(columns[name], found, equal_nan=True) for name, found in to_columns(again).items()
        )


@given(case_bases())
def test_merging_what_was_split_changes_no_bit(base: CaseBase) -> None:
    joined = merged(base)
    parts = split(joined)
    assert parts.is_single
    assert parts.decisions == len(parts) == base.decisions
    assert contents(merged(parts)) == contents(joined)
    assert contents(merged(joined)) == contents(joined)


@given(case_bases())
def test_merging_at_once_equals_merging_case_by_case(base: CaseBase) -> None:
    single = split(base)
    grown = CaseBase(SCHEMA)
    for case in single:
        [solution] = [name for name, count in case.counts.items() if count]
        outcome = case.sums[solution] if case.known[solution] else None
        grown.add(case.description, solution, outcome, merge=True)
    assert contents(grown) == contents(merged(single))


@given(
    st.floats(-1e300, 1e300).filter(lambda total: total == 0 or abs(total) > 1e-290), st.integers(1, 10_000)
)
def test_parts_add_up_exactly(total: float, count: int) -> None:
    found = 0.0
    for part in parts_of(total, count):
        found += part
    assert found == total
    assert parts_of(total, count)[0] == pytest.approx(total / count, rel=1e-9)


def test_sartres_table_2_is_reported_for_any_case_base() -> None:
    base = CaseBase(SCHEMA)
    for place in range(1000):
        base.add({"x": place % 7, "name": "ab"[place % 2], "size": 0}, "call", 1.0)
    assert (len(base), len(merged(base))) == (1000, 14)


@settings(max_examples=60)
@given(
    case_bases(outcomes=chips),
    st.sampled_from([0.0, 0.1, 2.5, 9.0]),
    st.sampled_from("abcd"),
    st.integers(0, 3),
)
def test_single_and_merged_cases_give_the_same_strategies(
    base: CaseBase, x: float, name: str, size: int
) -> None:
    """Whole outcomes, as chips are, add up exactly in any order."""
    target = Target(SCHEMA, {"x": x, "name": name, "size": size})
    forms = (split(base), merged(split(base)))
    for policy in (
        AtLeast(0.7),
        AtLeastElseNearest(0.9, 20, Unit.DECISIONS),
        Nearest(1, Unit.SITUATIONS),
        Nearest(5, Unit.DECISIONS),
    ):
        retrieve = Retrieve(SIMILARITY, policy)
        reuses: list[Phase] = [
            kind() for kind in (Probabilistic, MaxFrequency, BestOutcome, BestSumOfOutcomes)
        ]
        reuses += [Probabilistic(weighted=True), MaxFrequency(weighted=True)]
        for reuse in reuses:
            first, second = (reuse(form, retrieve(form, Episode(target))).strategy for form in forms)
            assert first == second, f"{policy} and {reuse}"


def test_cases_are_read_as_people_wrote_them() -> None:
    base = CaseBase(SCHEMA)
    base.add({"x": 1, "name": "rc", "size": 2}, "call", -4)
    base.add({"x": 1, "name": "rc", "size": 2}, "raise", merge=True)
    case = base.case(0)
    assert case.description == {"x": 1.0, "name": "rc", "size": 2}
    assert case.counts == {"fold": 0, "call": 1, "raise": 1}
    assert case.known == {"fold": 0, "call": 1, "raise": 0}
    assert case.sums == {"fold": 0.0, "call": -4.0, "raise": 0.0}
    assert base.vocabulary("name") == ("rc",)
    assert not base.is_single


def test_selected_cases_are_numbered_anew() -> None:
    base = CaseBase(SCHEMA)
    for size in range(5):
        base.add({"x": 0, "name": "a", "size": size}, "call")
    assert [case.description["size"] for case in base.select([4, 1])] == [4, 1]
    assert [case.description["size"] for case in base.select(np.arange(5) % 2 == 0)] == [0, 2, 4]


def test_what_is_no_case_is_refused() -> None:
    base = CaseBase(SCHEMA)
    description: dict[str, Value] = {"x": 1, "name": "a", "size": 1}
    with pytest.raises(SchemaError, match="no solution is called 'rise': did you mean 'raise'"):
        base.add(description, "rise")
    with pytest.raises(CaseBaseError, match="an outcome must be a finite number or unknown, not inf"):
        base.add(description, "raise", float("inf"))
    with pytest.raises(CaseBaseError, match="there is no case 0: there are 0 cases, numbered from 0"):
        base.case(0)
    with pytest.raises(CaseBaseError, match="x is a number and has no vocabulary"):
        base.vocabulary("x")
    other = Schema((Number("x"),), ("a",))
    with pytest.raises(CaseBaseError, match="the similarity compares cases of another schema"):
        base.measure(Similarity(other, {"x": (Decay(1.0), 1)}))
    assert len(base) == 0


def good_columns() -> dict[str, NDArray[Any]]:
    return {
        "x": np.array([0.5, 1.0]),
        "name": np.array([0, 1]),
        "size": np.array([1, 2]),
        "solution": np.array([2, 0]),
        "outcome": np.array([1.0, np.nan]),
    }


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("x", [0.5, np.nan], "row 1: x must be a number, not nan"),
        ("x", ["a", "b"], "the column 'x' holds <U1, not numbers"),
        ("x", [0.5], r"the column 'name' has the shape \(2,\), not \(1,\)"),
        ("name", [0, 2], "row 1 of 'name' is 2, but there are 2 codes from 0"),
        ("name", [0.0, 1.0], "the column 'name' holds float64, not codes"),
        ("size", [1.0, 1.5], "row 1: size must be a whole number, not 1.5"),
        ("solution", [0, -1], "row 1 of 'solution' is -1, but there are 3 codes from 0"),
        ("outcome", [0.0, np.inf], "row 1 of 'outcome' is infinite"),
        ("other", [0.0, 1.0], "the column 'other' is neither an attribute nor a solution"),
    ],
)
def test_columns_that_are_no_cases_are_refused(column: str, values: list[Any], message: str) -> None:
    with pytest.raises(CaseBaseError, match=message):
        from_columns(SCHEMA, good_columns() | {column: np.array(values)}, {"name": ("a", "b")})


def test_a_missing_column_is_named() -> None:
    columns = good_columns()
    del columns["size"]
    with pytest.raises(
        CaseBaseError, match="there is no column 'size': there are x, name, solution, outcome"
    ):
        from_columns(SCHEMA, columns, {"name": ("a", "b")})


@pytest.mark.parametrize(
    ("vocabularies", "message"),
    [
        ({"name": ("a", "a")}, "the vocabulary of 'name' has a symbol twice"),
        (
            {"name": ("a", "b"), "x": ("a",)},
            "the vocabulary 'x' does not belong to a symbolic attribute of the schema",
        ),
    ],
)
def test_vocabularies_that_are_none_are_refused(
    vocabularies: dict[str, tuple[str, ...]], message: str
) -> None:
    with pytest.raises(CaseBaseError, match=message):
        from_columns(SCHEMA, good_columns(), vocabularies)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("count of call", 0, "the case in row 0 has no decision"),
        ("known of call", 4, "the case in row 0 has more known outcomes than decisions"),
        ("count of call", -1, "row 0 of 'count of call' is below 0"),
        ("count of call", 1.5, "the column 'count of call' holds float64, not counts"),
        ("outcomes of call", np.inf, "the case in row 0 has outcomes that are not finite"),
        ("outcomes of fold", 2.0, "the case in row 0 has outcomes of decisions whose outcome is unknown"),
    ],
)
def test_merged_columns_that_are_no_cases_are_refused(column: str, value: float, message: str) -> None:
    base = CaseBase(SCHEMA)
    base.add({"x": 1, "name": "a", "size": 1}, "call", 3.0)
    base.add({"x": 1, "name": "a", "size": 1}, "call", merge=True)
    columns = to_columns(base)
    with pytest.raises(CaseBaseError, match=message):
        from_columns(SCHEMA, columns | {column: np.array([value])}, base.vocabularies())
