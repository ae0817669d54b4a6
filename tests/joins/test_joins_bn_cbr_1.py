"""Cases that a network activates: which are compared, what reports change, and how a reason for failure is learnt."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.bayes.inference import posterior
from railbird.bayes.structure import NetworkError, Variable
from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Search
from railbird.cbr.schema import Number, Schema
from railbird.cbr.similarity import Linear, Similarity
from railbird.cbr.target import Target
from railbird.joins.bn_cbr_1 import Activation, Feature, GroupedCases
from railbird.spec import SpecError

WEATHER = Variable("Weather", ("dry", "wet"))
GROUPS = ("walk", "ride")
ICE = Feature("ice", (Variable("Night", ("warm", "frost")),))
THIEF = Feature("thief", (Variable("Lock", ("open", "shut")), Variable("Light", ("on", "off"))))
SCHEMA = Schema((Number("distance", low=0, high=1),), ("walk", "ride"))
SIMILARITY = Similarity(SCHEMA, {"distance": (Linear(1.0), 1.0)})

reports = st.lists(
    st.tuples(
        st.sampled_from(("dry", "wet")),
        st.sampled_from(("warm", "frost")),
        st.sampled_from(GROUPS),
        st.booleans(),
        st.sampled_from((None, frozenset(), frozenset({"ice"}))),
    ),
    max_size=12,
)


def told(weather: str, night: str = "") -> dict[str, str]:
    return {"Weather": weather, **({"Night": night} if night else {})}


# The network


def test_chances_are_the_share_of_successes_beside_one_of_each() -> None:
    activation = Activation([WEATHER], GROUPS)
    assert activation.chances(told("dry")) == {"walk": 0.5, "ride": 0.5}
    for succeeded in (True, True, False):
        assert not activation.report(told("dry"), "ride", succeeded)
    assert activation.chances(told("dry")) == pytest.approx({"walk": 0.5, "ride": 3 / 5})
    assert activation.chances(told("wet")) == {"walk": 0.5, "ride": 0.5}
    assert activation.chances({})["ride"] == pytest.approx(4 / 5 * 3 / 5 + 1 / 5 * 1 / 2)


def test_many_results_at_once_are_the_same_as_one_by_one() -> None:
    together, one_by_one = Activation([WEATHER], GROUPS), Activation([WEATHER], GROUPS)
    draw = np.random.default_rng(3)
    weather, groups, succeeded = draw.integers(0, 2, (3, 50))
    together.learn(weather[:, np.newaxis], groups, succeeded > 0)
    for code, group, success in zip(weather.tolist(), groups.tolist(), succeeded.tolist(), strict=True):
        one_by_one.report(told(WEATHER.states[code]), GROUPS[group], bool(success))
    assert together.network == one_by_one.network
    for each in WEATHER.states:
        assert together.chances(told(each)) == one_by_one.chances(told(each))


def test_a_reason_becomes_a_variable_and_a_condition_of_the_group_that_failed() -> None:
    activation = Activation([WEATHER], GROUPS)
    for _ in range(6):
        activation.report(told("dry"), "ride", True)
        activation.report(told("dry"), "walk", True)
    before = activation.chances(told("dry"))
    assert activation.report(told("dry", "frost"), "ride", False, {"ice"}, ICE)
    assert activation.features == (ICE,)
    assert activation.structure.parents["ride"] == ("Weather", "ice")
    assert activation.structure.parents["ice"] == ("Night",)
    assert activation.structure.parents["walk"] == ("Weather",)
    assert activation.evidence == ("Weather", "Night")
    frost, warm = (activation.chances(told("dry", night)) for night in ("frost", "warm"))
    assert frost["ride"] < warm["ride"] < before["ride"]
    assert frost["walk"] == warm["walk"] == before["walk"]
    for _ in range(40):
        assert not activation.report(told("dry", "frost"), "ride", False, {"ice"}, ICE)
        assert not activation.report(told("dry", "warm"), "ride", True, set())
    assert activation.chances(told("dry", "frost"))["ride"] < 0.2
    assert activation.chances(told("dry", "warm"))["ride"] > 0.9


def test_a_feature_that_does_no_harm_is_learnt_from_successes() -> None:
    activation = Activation([WEATHER], GROUPS)
    activation.report(told("dry", "frost"), "ride", False, {"ice"}, ICE)
    low = activation.chances(told("dry", "frost"))["ride"]
    for _ in range(30):
        activation.report(told("dry", "frost"), "ride", True, {"ice"})
    assert activation.chances(told("dry", "frost"))["ride"] > 0.85 > low


def test_a_known_feature_joins_another_group_and_a_group_has_no_more_than_it_may() -> None:
    activation = Activation([WEATHER], GROUPS, most_features=1)
    evidence = {**told("wet", "frost"), "Lock": "open", "Light": "off"}
    assert activation.report(told("wet", "frost"), "ride", False, {"ice"}, ICE)
    assert activation.report(told("wet", "frost"), "walk", False, {"ice"}, ICE)
    assert activation.features_of("ride") == activation.features_of("walk") == ("ice",)
    assert not activation.report(evidence, "ride", False, {"ice", "thief"}, THIEF)
    assert activation.features == (ICE,)


@given(reports)
def test_chances_are_those_of_plain_inference(
    found: list[tuple[str, str, str, bool, frozenset[str] | None]],
) -> None:
    activation = Activation([WEATHER], GROUPS)
    activation.report(told("wet", "frost"), "ride", False, None, ICE)
    for weather, night, group, succeeded, present in found:
        activation.report(told(weather, night), group, succeeded, present)
    for evidence in ({}, told("dry"), told("wet", "frost"), {"Night": "warm"}):
        expected = posterior(activation.network, evidence, GROUPS)
        assert activation.chances(evidence) == pytest.approx({each: expected[each][1] for each in GROUPS})


@given(reports, st.booleans())
def test_what_nobody_saw_counts_as_probable_as_it_is(
    found: list[tuple[str, str, str, bool, frozenset[str] | None]], succeeded: bool
) -> None:
    """One report, spread over the feature's states by what the network held probable given the result."""
    activation = Activation([WEATHER], GROUPS)
    activation.report(told("wet", "frost"), "ride", False, None, ICE)
    for weather, night, group, success, present in found:
        activation.report(told(weather, night), group, success, present)
    result = {**told("wet", "frost"), "ride": "on" if succeeded else "off"}
    expected = posterior(activation.network, result, ["ice"])["ice"]
    before = {name: table.copy() for name, table in activation._counts.tables.items()}
    activation.report(told("wet", "frost"), "ride", succeeded)
    after = activation._counts.tables
    assert (after["ice"] - before["ice"])[1].tolist() == pytest.approx(expected.tolist())
    assert (after["ride"] - before["ride"])[1, :, int(succeeded)].tolist() == pytest.approx(expected.tolist())
    assert (after["ride"] - before["ride"]).sum() == pytest.approx(1.0)


def test_a_copy_learns_by_itself() -> None:
    activation = Activation([WEATHER], GROUPS)
    activation.report(told("dry"), "ride", True)
    twin = activation.copy()
    before = activation.chances(told("dry"))
    twin.report(told("dry", "frost"), "ride", False, {"ice"}, ICE)
    twin.report(told("dry", "frost"), "walk", False)
    assert activation.chances(told("dry")) == before
    assert activation.features == ()
    assert twin.chances(told("dry", "frost")) != before


def test_what_is_no_report_is_refused_with_a_sentence() -> None:
    activation = Activation([WEATHER], GROUPS)
    with pytest.raises(SpecError, match="group of cases"):
        activation.report(told("dry"), "swim", True)
    with pytest.raises(NetworkError, match="ride: a success cannot have ice as the reason for a failure"):
        activation.report(told("dry", "frost"), "ride", True, {"ice"}, ICE)
    with pytest.raises(NetworkError, match="a report on ride must include Weather"):
        activation.report({}, "ride", True)
    with pytest.raises(SpecError, match="condition or sensor"):
        activation.chances({"Moon": "full"})
    with pytest.raises(NetworkError, match="at least one group"):
        Activation([WEATHER], ())
    activation.report(told("dry", "frost"), "ride", False, {"ice"}, ICE)
    with pytest.raises(NetworkError, match="a report on ride must include Night"):
        activation.report(told("dry"), "ride", True)
    with pytest.raises(NetworkError, match="ice has the sensors Night"):
        activation.report(told("dry", "frost"), "walk", False, None, Feature("ice", (WEATHER,)))
    with pytest.raises(NetworkError, match="one by one"):
        activation.learn(np.zeros((1, 1), dtype=np.int64), np.array([1]), np.array([True]))
    with pytest.raises(NetworkError, match="expected 1 conditions and a success for each of 2 results"):
        activation.learn(np.zeros((1, 1), dtype=np.int64), np.array([1, 0]), np.array([True, False]))


# The cases


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from(("a", "b", "c", None))), max_size=40),
    st.sets(st.sampled_from(("a", "b", "c"))),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(1, 5),
)
def test_what_is_found_is_what_a_base_of_the_active_cases_would_find(
    cases: list[tuple[float, str | None]], active: set[str], wanted: float, threshold: float, k: int
) -> None:
    base = CaseBase(SCHEMA)
    for distance, _ in cases:
        base.add({"distance": distance}, "walk")
    groups = [group for _, group in cases]
    target = Target(SCHEMA, {"distance": wanted})
    found = GroupedCases(base, groups).retrieve(SIMILARITY, active, target, threshold, k)
    kept = [row for row, group in enumerate(groups) if group is None or group in active]
    rows = np.array(kept or range(len(base)), dtype=np.int64)
    expected = AtLeastElseNearest(threshold, k)(Search(base.select(rows), SIMILARITY, target))
    assert found.rows.tolist() == rows[expected.rows].tolist()
    assert found.similarities.tolist() == expected.similarities.tolist()
    assert found.met == expected.met


def test_a_new_case_is_found_in_its_group() -> None:
    base = CaseBase(SCHEMA)
    base.add({"distance": 0.5}, "walk")
    grouped = GroupedCases(base, ["a"])
    target = Target(SCHEMA, {"distance": 0.9})
    assert grouped.add({"distance": 0.9}, "ride", -1.0, "b") == 1
    assert (len(grouped), len(base), grouped.size("a"), grouped.size("b"), grouped.size("c")) == (
        2,
        2,
        1,
        1,
        0,
    )
    assert grouped.retrieve(SIMILARITY, ["b"], target, 0.95, 1).rows.tolist() == [1]
    assert grouped.retrieve(SIMILARITY, ["a"], target, 0.95, 1).rows.tolist() == [0]
    assert base.case(1).sums["ride"] == -1.0


def test_every_case_needs_a_group() -> None:
    with pytest.raises(CaseBaseError, match="expected a group for each of 0 cases, got 1"):
        GroupedCases(CaseBase(SCHEMA), ["a"])
