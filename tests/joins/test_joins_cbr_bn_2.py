"""Networks that cases choose: which one answers, when several do, and how new ones come about."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes_networks import World, random_rows, worlds
from railbird.bayes.learning.counts import Average, count
from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError, Structure, Variable
from railbird.cbr.schema import Number, SchemaError
from railbird.cbr.similarity import Linear
from railbird.joins.cbr_bn_2 import NetworkCases, Review, posterior_of

STRUCTURE = Structure((Variable("Rain", ("no", "yes")),))
PARTS = [(Number("height", low=0, high=10), Linear(10.0), 1.0)]


def rainy(chance: float) -> Network:
    return Network(STRUCTURE, {"Rain": np.array([1.0 - chance, chance])})


def cases_of(*cases: tuple[float, float, int], suitable: float = 0.9, reliable: int = 50) -> NetworkCases:
    """Cases of (height, chance of rain, rows)."""
    found = NetworkCases(PARTS, suitable, reliable)
    for height, chance, rows in cases:
        found.retain({"height": height}, rainy(chance), rows)
    return found


def rain(cases: NetworkCases, height: float) -> float:
    return posterior_of(cases.retrieve({"height": height}), {}, "Rain")["yes"]


def test_the_most_reliable_of_the_suitable_networks_answers() -> None:
    cases = cases_of((5.0, 0.1, 60), (5.5, 0.2, 100), (7.0, 0.3, 900))
    [choice] = cases.retrieve({"height": 5.0})
    assert (choice.number, choice.rows, choice.similarity, choice.weight) == (1, 100, 0.95, 1.0)
    assert choice.description == {"height": 5.5}
    assert rain(cases, 5.0) == pytest.approx(0.2)


def test_of_equally_reliable_networks_the_most_similar_answers() -> None:
    assert rain(cases_of((5.5, 0.1, 60), (5.1, 0.2, 60), (5.5, 0.3, 60)), 5.0) == pytest.approx(0.2)


def test_where_none_is_suitable_the_most_similar_answers() -> None:
    cases = cases_of((1.0, 0.1, 60), (9.0, 0.2, 100))
    assert rain(cases, 4.0) == pytest.approx(0.1)
    assert rain(cases, 6.0) == pytest.approx(0.2)


def test_networks_that_are_not_reliable_answer_together() -> None:
    cases = cases_of((5.0, 0.1, 20), (5.5, 0.9, 40), (9.0, 0.5, 30))
    choices = cases.retrieve({"height": 5.0})
    assert [each.number for each in choices] == [1, 0]
    weights = [0.95 * 40, 1.0 * 20]
    assert [each.weight for each in choices] == pytest.approx([each / sum(weights) for each in weights])
    assert rain(cases, 5.0) == pytest.approx((weights[0] * 0.9 + weights[1] * 0.1) / sum(weights))


def test_no_more_answer_together_than_may() -> None:
    cases = NetworkCases(PARTS, 0.0, 1000, most=2)
    for rows in (5, 1, 7, 0):
        cases.retain({"height": 5.0}, rainy(rows / 10), rows)
    assert [each.number for each in cases.retrieve({"height": 5.0})] == [2, 0]


@given(
    st.lists(st.tuples(st.floats(0, 10), st.floats(0, 1), st.integers(0, 99)), min_size=1, max_size=8),
    st.floats(0, 10),
    st.floats(0, 1),
)
def test_an_answer_lies_between_those_of_the_networks(
    found: list[tuple[float, float, int]], height: float, suitable: float
) -> None:
    cases = cases_of(*found, suitable=suitable)
    choices = cases.retrieve({"height": height})
    assert sum(each.weight for each in choices) == pytest.approx(1.0)
    chances = [found[each.number][1] for each in choices]
    assert min(chances) - 1e-9 <= rain(cases, height) <= max(chances) + 1e-9


def test_a_network_is_induced_when_there_are_enough_rows_and_whenever_they_have_doubled() -> None:
    cases = cases_of((5.0, 0.1, 4))
    review: Review[str] = Review(cases, Average(rainy(0.1), 2.0), enough=3)
    row = np.array([1], dtype=np.int16)
    induced = [review.add("hill", row, {"height": 6.0 + number / 10}) for number in range(13)]
    assert [number for number, case in enumerate(induced, start=1) if case is not None] == [3, 6, 12]
    assert set(induced) == {None, 1}
    assert (len(cases), review.rows("hill"), review.rows("valley")) == (2, 13, 0)
    assert cases.description(1) == {"height": 7.1}
    assert cases.network(1).tables["Rain"].tolist() == pytest.approx([2 * 0.9 / 14, (12 + 2 * 0.1) / 14])
    [choice] = cases.retrieve({"height": 7.0})
    assert (choice.number, choice.rows) == (1, 12)


@given(worlds(most_variables=4), st.integers(1, 9), st.integers(0, 30))
def test_an_induced_network_is_counted_from_its_rows_beside_the_prior(
    world: World, enough: int, rows: int
) -> None:
    structure = world.network.structure
    cases = NetworkCases(PARTS)
    cases.retain({"height": 5.0}, world.network, 1)
    prior = Average(world.network, 3.0)
    review: Review[int] = Review(cases, prior, enough)
    found = random_rows(structure, rows, world.draw)
    last = 0
    for number, row in enumerate(found, start=1):
        if review.add(7, row, {"height": 5.0}) is not None:
            last = number
    assert last == max((enough * 2**times for times in range(8) if enough * 2**times <= rows), default=0)
    if last:
        expected = count(structure, found[:last], prior=prior)
        for name, table in expected.tables.items():
            assert cases.network(1).tables[name] == pytest.approx(table)


def test_networks_share_what_is_asked_and_may_differ_in_the_rest() -> None:
    """Two networks with the common variable Rain, one of them with the hidden season as its parent."""
    seasonal = Network(
        Structure((Variable("Season", ("dry", "wet")), *STRUCTURE.variables), {"Rain": ("Season",)}),
        {"Season": np.array([0.5, 0.5]), "Rain": np.array([[0.9, 0.1], [0.3, 0.7]])},
    )
    cases = NetworkCases(PARTS, reliable=50, common=STRUCTURE.variables)
    cases.retain({"height": 1.0}, seasonal, 100)
    cases.retain({"height": 9.0}, rainy(0.2), 100)
    assert rain(cases, 1.0) == pytest.approx(0.4)
    assert rain(cases, 9.0) == pytest.approx(0.2)
    other = Network(Structure((Variable("Rain", ("none", "some")),)), {"Rain": np.array([0.5, 0.5])})
    with pytest.raises(NetworkError, match="the variable Rain with the states no, yes, but this one has not"):
        cases.retain({"height": 5.0}, other, 10)


def test_what_cannot_be_chosen_or_kept_is_refused_with_a_sentence() -> None:
    cases = NetworkCases(PARTS)
    with pytest.raises(NetworkError, match="there is no network to choose"):
        cases.retrieve({"height": 5.0})
    cases.retain({"height": 5.0}, rainy(0.1), 10)
    with pytest.raises(SchemaError, match="height must be between 0 and 10, not 11"):
        cases.retain({"height": 11}, rainy(0.1), 10)
    other = Network(Structure((Variable("Snow", ("no", "yes")),)), {"Snow": np.array([0.5, 0.5])})
    with pytest.raises(NetworkError, match="must have the variable Rain"):
        cases.retain({"height": 5.0}, other, 10)
    with pytest.raises(NetworkError, match="at least one network must answer"):
        NetworkCases(PARTS, most=0)
    with pytest.raises(NetworkError, match="at least one row"):
        Review(cases, Average(rainy(0.1), 1.0), 0)
