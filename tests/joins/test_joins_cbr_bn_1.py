"""Networks of retrieved cases, and votes that a network adapts."""

from collections.abc import Sequence
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError, Structure, Variable
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved
from railbird.cbr.cycle.retrieve import AtLeast, Retrieve
from railbird.cbr.cycle.reuse import (
    Among,
    BestOutcome,
    BestSumOfOutcomes,
    MaxFrequency,
    Probabilistic,
    ReuseError,
    VotePolicy,
)
from railbird.cbr.packs.merging import merged
from railbird.cbr.schema import Number, Schema, SchemaError, Symbol
from railbird.cbr.similarity import AllOrNothing, Linear, Similarity
from railbird.cbr.target import Target
from railbird.joins.cbr_bn_1 import (
    AdaptedReuse,
    Diagnosed,
    Diagnosis,
    Symptom,
    chances_to_work,
    evidence_of,
    filled_posterior,
    solution_shares,
    symptoms_of,
)

SOLUTIONS = ("oil", "adjust", "replace")
SCHEMA = Schema((Number("age", low=0, high=10), Symbol("noise", ("click", "grind"))), SOLUTIONS)
SIMILARITY = Similarity(SCHEMA, {"age": (Linear(10.0), 1.0), "noise": (AllOrNothing(), 1.0)})
SYMPTOMS = symptoms_of(SCHEMA, {"age": (3, 6)})
ALL = Retrieve(SIMILARITY, AtLeast(0.0))

decisions = st.lists(
    st.tuples(
        st.integers(0, 10),
        st.sampled_from(("click", "grind")),
        st.sampled_from(SOLUTIONS),
        st.none() | st.integers(-5, 5),
    ),
    min_size=1,
    max_size=25,
)
targets = st.builds(
    lambda age, noise: Target(SCHEMA, {"age": age, "noise": noise}),
    st.floats(0, 10),
    st.sampled_from(("click", "grind")),
)


def base_of(cases: Sequence[tuple[int, str, str, int | None]]) -> CaseBase:
    base = CaseBase(SCHEMA)
    for age, noise, solution, outcome in cases:
        base.add({"age": age, "noise": noise}, solution, outcome)
    return base


# A network of the cases


def test_numbers_are_cut_at_their_edges_and_symbols_stay() -> None:
    assert [each.variable.states for each in SYMPTOMS] == [
        ("below 3", "3 to 6", "from 6"),
        ("click", "grind"),
    ]
    assert evidence_of({"age": 3, "noise": "grind"}, SYMPTOMS) == {"age": "3 to 6", "noise": "grind"}
    assert evidence_of({"age": 2.9, "noise": "hum"}, SYMPTOMS) == {"age": "below 3"}
    assert evidence_of({"age": 10, "noise": "click"}, SYMPTOMS)["age"] == "from 6"


def test_a_diagnosis_by_hand() -> None:
    """Two adjusted clicks and one oiled grind; a prior of one for every state; similarities count."""
    base = base_of([(1, "click", "adjust", None), (1, "click", "adjust", None), (1, "grind", "oil", None)])
    episode = ALL(base, Episode(Target(SCHEMA, {"age": 1, "noise": "grind"})))
    assert episode.retrieved is not None
    assert episode.retrieved.similarities.tolist() == [1.0, 0.5, 0.5]
    oil = (1 + 1) * (1 + 1) / (3 + 1) * (1 + 1) / (2 + 1)
    adjust = (1 + 1) * (1 + 1) / (3 + 1) * 1 / (2 + 1)
    expected = [oil / (oil + adjust), adjust / (oil + adjust), 0.0]
    assert Diagnosis(SCHEMA, SYMPTOMS).chances(base, episode).tolist() == pytest.approx(expected)


@given(decisions, targets, st.sampled_from((0.1, 1.0, 5.0)))
def test_chances_are_prior_times_likelihoods(
    cases: list[tuple[int, str, str, int | None]], target: Target, pseudo: float
) -> None:
    base = base_of(cases)
    episode = ALL(base, Episode(target))
    here = evidence_of(target.description, SYMPTOMS)
    weights = [SIMILARITY(target.description, {"age": age, "noise": noise}) for age, noise, _, _ in cases]
    worth = []
    for solution in SOLUTIONS:
        of = [(case, weight) for case, weight in zip(cases, weights, strict=True) if case[2] == solution]
        total = sum(weight for _, weight in of)
        likelihoods = []
        for symptom in SYMPTOMS:
            same = sum(
                weight
                for (age, noise, _, _), weight in of
                if evidence_of({"age": age, "noise": noise}, SYMPTOMS)[symptom.attribute]
                == here[symptom.attribute]
            )
            likelihoods.append((pseudo + same) / (pseudo * len(symptom.variable) + total))
        worth.append((pseudo + total) * prod(likelihoods) if of else 0.0)
    expected = [each / sum(worth) for each in worth]
    assert Diagnosis(SCHEMA, SYMPTOMS, pseudo).chances(base, episode).tolist() == pytest.approx(expected)


@given(decisions, targets)
def test_merged_cases_give_the_same_diagnosis(
    cases: list[tuple[int, str, str, int | None]], target: Target
) -> None:
    single = base_of(cases)
    small = merged(single)
    diagnosis = Diagnosis(SCHEMA, SYMPTOMS)
    expected = diagnosis.chances(single, ALL(single, Episode(target)))
    assert diagnosis.chances(small, ALL(small, Episode(target))).tolist() == pytest.approx(expected.tolist())


def test_policies_hear_how_probable_each_solution_is() -> None:
    base = base_of([(1, "click", "adjust", 1)] * 3 + [(1, "grind", "oil", 5), (2, "grind", "oil", 3)])
    episode = ALL(base, Episode(Target(SCHEMA, {"age": 1, "noise": "grind"})))
    diagnosis = Diagnosis(SCHEMA, SYMPTOMS)
    chances = diagnosis.chances(base, episode)
    assert MaxFrequency()(base, episode).strategy.best == "adjust"  # type: ignore[union-attr]
    for policy, expected, votes in (
        (MaxFrequency(), (1.0, 0.0, 0.0), (2.0, 3.0, 0.0)),
        (Probabilistic(), tuple(chances.tolist()), (2.0, 3.0, 0.0)),
        (Among(MaxFrequency(), frozenset({"adjust", "replace"})), (0.0, 1.0, 0.0), (0.0, 3.0, 0.0)),
    ):
        strategy = Diagnosed(diagnosis, policy)(base, episode).strategy
        assert strategy is not None
        assert strategy.probabilities == pytest.approx(expected)
        assert strategy.votes == votes, "votes are those of the cases"
    strategy = Diagnosed(diagnosis, BestSumOfOutcomes())(base, episode).strategy
    assert strategy is not None
    assert strategy.outcomes == pytest.approx((5 * chances[0] * 4, 5 * chances[1] * 1, None))


def test_no_cases_make_no_network() -> None:
    base = CaseBase(SCHEMA)
    episode = ALL(base, Episode(Target(SCHEMA, {"age": 1, "noise": "grind"})))
    assert Diagnosed(Diagnosis(SCHEMA, SYMPTOMS), MaxFrequency())(base, episode).strategy is None


# Votes that a network adapts


@given(decisions, targets, st.sampled_from((MaxFrequency(), Probabilistic())))
def test_where_everything_works_the_votes_are_as_they_were(
    cases: list[tuple[int, str, str, int | None]], target: Target, policy: VotePolicy
) -> None:
    base = base_of(cases)
    episode = ALL(base, Episode(target))
    plain = MaxFrequency() if isinstance(policy, MaxFrequency) else Probabilistic()
    assert (
        AdaptedReuse(policy, dict.fromkeys(SOLUTIONS, 1.0))(base, episode).strategy
        == plain(base, episode).strategy
    )


def test_votes_and_outcomes_count_as_probable_as_their_solution_works() -> None:
    base = base_of(
        [(1, "click", "oil", 4), (1, "click", "oil", -2), (1, "click", "oil", 0), (1, "click", "adjust", 1)]
    )
    episode = ALL(base, Episode(Target(SCHEMA, {"age": 1, "noise": "click"})))
    chances = {"oil": 0.25, "adjust": 0.8, "replace": 0.5}
    strategy = AdaptedReuse(Probabilistic(), chances)(base, episode).strategy
    assert strategy is not None
    assert strategy.probabilities == pytest.approx((0.75 / 1.55, 0.8 / 1.55, 0.0))
    assert strategy.votes == (3.0, 1.0, 0.0)
    outcomes = AdaptedReuse(BestOutcome(), chances)(base, episode).strategy
    assert outcomes is not None
    oil = (0.25 * 4 + 0.75 * -2 + 0.75 * 0) / (0.25 + 0.75 + 0.75)
    assert outcomes.outcomes == pytest.approx((oil, 1.0, None))
    assert outcomes.best == "adjust"
    assert BestOutcome()(base, episode).strategy.best == "adjust"  # type: ignore[union-attr]
    works = AdaptedReuse(BestOutcome(), {**chances, "oil": 0.9})(base, episode).strategy
    assert works is not None
    assert works.best == "oil"


def test_a_network_says_how_probable_each_solution_works() -> None:
    structure = Structure(
        (Variable("solution", ("a", "b")), Variable("Rain", ("no", "yes")), Variable("Works", ("no", "yes"))),
        {"Works": ("solution", "Rain")},
    )
    network = Network(
        structure,
        {
            "solution": np.array([0.5, 0.5]),
            "Rain": np.array([0.75, 0.25]),
            "Works": np.array([[[0.1, 0.9], [0.7, 0.3]], [[0.5, 0.5], [0.5, 0.5]]]),
        },
    )
    assert chances_to_work(network, {"Rain": "yes"}, ("Works", "yes")) == pytest.approx({"a": 0.3, "b": 0.5})
    expected = {"a": 0.75 * 0.9 + 0.25 * 0.3, "b": 0.5}
    assert chances_to_work(network, {}, ("Works", "yes")) == pytest.approx(expected)


# Cases that fill in what a network does not know

REPAIR = Network(
    Structure((Variable("Repair", SOLUTIONS), Variable("Days", ("one", "more"))), {"Days": ("Repair",)}),
    {"Repair": np.array([0.98, 0.01, 0.01]), "Days": np.array([[1.0, 0.0], [0.6, 0.4], [0.1, 0.9]])},
)


@given(decisions, targets)
def test_a_filled_variable_is_as_probable_as_its_cases(
    cases: list[tuple[int, str, str, int | None]], target: Target
) -> None:
    """Whatever the network believed before: P(days) is the mean over the repairs of the similar cases."""
    base = base_of(cases)
    retrieved = ALL(base, Episode(target)).retrieved
    assert retrieved is not None
    if retrieved.similarities.sum() == 0.0:
        return
    shares = solution_shares(base, retrieved)
    weights = dict.fromkeys(SOLUTIONS, 0.0)
    for row, similarity in zip(retrieved.rows.tolist(), retrieved.similarities.tolist(), strict=True):
        weights[cases[row][2]] += similarity
    total = sum(weights.values())
    assert shares == pytest.approx({name: weight / total for name, weight in weights.items()})
    found = filled_posterior(REPAIR, {}, "Repair", shares, "Days")
    assert found["more"] == pytest.approx(0.4 * shares["adjust"] + 0.9 * shares["replace"])
    assert sum(found.values()) == pytest.approx(1.0)


def test_a_prior_counts_as_so_many_cases() -> None:
    base = base_of([(1, "click", "oil", None), (1, "click", "oil", None)])
    retrieved = ALL(base, Episode(Target(SCHEMA, {"age": 1, "noise": "click"}))).retrieved
    assert retrieved is not None
    assert solution_shares(base, retrieved, {"replace": 6.0}) == {"oil": 0.25, "adjust": 0.0, "replace": 0.75}
    nothing = Retrieved(SIMILARITY, np.empty(0, dtype=np.int64), np.empty(0))
    with pytest.raises(ReuseError, match="no shares"):
        solution_shares(base, nothing)
    with pytest.raises(NetworkError, match="Repair is known"):
        filled_posterior(REPAIR, {"Repair": "oil"}, "Repair", {"oil": 1.0}, "Days")


def test_what_is_no_symptom_or_chance_is_refused_with_a_sentence() -> None:
    with pytest.raises(NetworkError, match="age: a symptom must have either edges or symbols"):
        Symptom("age")
    with pytest.raises(NetworkError, match="age: edges must be increasing, unlike"):
        Symptom("age", (3, 3))
    with pytest.raises(NetworkError, match="noise: a symptom of this attribute must have symbols"):
        Diagnosis(SCHEMA, [Symptom("noise", (1,))])
    with pytest.raises(SchemaError, match="smell"):
        Diagnosis(SCHEMA, [Symptom("smell", (1,))])
    with pytest.raises(
        NetworkError, match="oil: the probability that it works must be between 0 and 1, not 1.5"
    ):
        AdaptedReuse(MaxFrequency(), {"oil": 1.5})
    base = base_of([(1, "click", "oil", 4)])
    episode = Episode(Target(SCHEMA, {"age": 1, "noise": "click"}))
    with pytest.raises(ReuseError, match="call retrieve first"):
        AdaptedReuse(MaxFrequency(), {"oil": 0.5})(base, episode)
    with pytest.raises(NetworkError, match="the probability that adjust works is missing"):
        AdaptedReuse(MaxFrequency(), {"oil": 0.5})(base, ALL(base, episode))
    with pytest.raises(ReuseError, match="call retrieve first"):
        Diagnosed(Diagnosis(SCHEMA, SYMPTOMS), MaxFrequency())(base, episode)
