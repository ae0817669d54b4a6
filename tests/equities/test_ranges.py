"""Ranges: weights over the 1,326 holdings."""

from fractions import Fraction
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import CardError, parse_cards
from railbird.equities.ranges import Range, RangeError
from railbird.hands.groups import holdings_of_group
from railbird.hands.holdings import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDINGS,
    HoldingError,
    cards_of,
    class_of,
    holding,
    parse_holding,
)
from railbird.hands.starting import starting_hand_rank

AMOUNTS = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
CARDS = st.lists(st.integers(0, 51), unique=True, max_size=7)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """Ranges with weights up to 1 whose sums and differences are exact."""
    weights = np.full(HOLDINGS, draw(AMOUNTS))
    for index, weight in draw(st.dictionaries(st.integers(0, 168), AMOUNTS, max_size=20)).items():
        weights[index == CLASS_OF_HOLDING] = weight
    for index, weight in draw(st.dictionaries(st.integers(0, HOLDINGS - 1), AMOUNTS, max_size=8)).items():
        weights[index] = weight
    return Range(weights)


@given(ranges(), ranges(), ranges())
def test_union_and_intersection_obey_the_laws_of_sets(a: Range, b: Range, c: Range) -> None:
    assert a | b == b | a
    assert a & b == b & a
    assert a | (b | c) == (a | b) | c
    assert a & (b & c) == (a & b) & c
    assert a & (b | c) == (a & b) | (a & c)
    assert a | (b & c) == (a | b) & (a | c)
    assert a | a == a & a == a | Range.empty() == a & Range.random() == a
    assert ~(a | b) == ~a & ~b
    assert ~(a & b) == ~a | ~b
    assert ~~a == a


@given(ranges(), ranges())
def test_what_is_taken_out_and_what_is_left_make_the_whole(a: Range, b: Range) -> None:
    assert (a - b) + (a & b) == a
    assert (a - b).combos + (a & b).combos == a.combos
    assert a - Range.empty() == a
    assert a - Range.random() == Range.empty()
    assert a + ~a == Range.random()


def test_sets_without_fractions_are_plain_sets() -> None:
    a, b = Range.parse("QQ+, AKs"), Range.parse("KK-JJ, AK")
    assert set(a | b) == set(a) | set(b)
    assert set(a & b) == set(a) & set(b)
    assert set(a - b) == set(a) - set(b)
    assert set(~a) == set(range(HOLDINGS)) - set(a)


def test_fractions_are_amounts() -> None:
    raised = Range.parse("AA:0.7, KK")
    assert (Range.parse("QQ+") - raised)[parse_holding("AhAd")] == pytest.approx(0.3)
    assert raised * 0.5 == 0.5 * raised == Range.parse("AA:0.35, KK:0.5")
    assert 0.25 * Range.parse("AA") + 0.75 * Range.parse("AA, KK") == Range.parse("AA, KK:0.75")


@given(ranges(), CARDS)
def test_card_removal_leaves_no_blocked_holding_and_touches_no_other(a: Range, dead: list[int]) -> None:
    left = a.without(dead)
    for index in range(HOLDINGS):
        assert left[index] == (0.0 if set(cards_of(index)) & set(dead) else a[index])


def test_a_random_hand_loses_the_holdings_of_every_card_seen() -> None:
    assert len(Range.random().without([])) == 1326
    assert len(Range.random().without(parse_cards("Ah Kd"))) == 1225
    assert len(Range.random().without(parse_cards("Ah Kd 7c 7d 2s"))) == 1081
    assert len(Range.parse("AA").without(parse_cards("Ah"))) == 3
    assert len(Range.parse("AK").without(parse_cards("Ah Kh"))) == 9


@given(ranges())
def test_length_iteration_membership_and_weights_tell_the_same(a: Range) -> None:
    held = [index for index in range(HOLDINGS) if a[index] > 0]
    assert list(a) == held
    assert len(a) == len(held)
    assert [index for index in range(HOLDINGS) if index in a] == held
    assert a.combos == sum(a[index] for index in held)
    assert bool(a) == bool(held)
    assert -1 not in a
    assert HOLDINGS not in a


@given(ranges())
def test_equal_ranges_are_one_key(a: Range) -> None:
    twin = Range(np.array(a.weights))
    assert a == twin
    assert hash(a) == hash(twin)
    assert a != a + Range.of_holdings([0])
    assert a != str(a)
    assert Range(np.where(a.weights == 0, -0.0, a.weights)) == a


@given(ranges())
def test_text_is_another_form_of_the_range(a: Range) -> None:
    assert Range.parse(str(a)) == a


def test_a_range_shows_itself() -> None:
    assert repr(Range.parse("AKs, QQ+")) == "Range.parse('QQ+,AKs')"
    assert repr(Range.random().without([0])).startswith("<Range of 1275 holdings, ")


def test_a_range_does_not_change() -> None:
    weights = np.ones(HOLDINGS)
    a = Range(weights)
    weights[0] = 0.0
    assert a == Range.random()
    with pytest.raises(ValueError, match="read-only"):
        a.weights[0] = 0.0
    with pytest.raises(AttributeError):
        a.weights = weights  # type: ignore[misc]


def test_ranges_from_holdings_and_classes() -> None:
    assert Range.of_holdings([parse_holding("AhKh"), parse_holding("2c2d")]) == Range.parse("AhKh 2c2d")
    assert Range.of_holdings(holdings_of_group(1)) == Range.parse("JJ+, AKs")
    assert Range.of_classes(["AKs", "77"]) == Range.parse("AKs 77")
    assert Range.of_classes({"AKs": 0.5, "77": 1.0}) == Range.parse("AKs:0.5 77")


def test_the_top_share_is_exact() -> None:
    assert Range.top(0.2) == Range.parse("top 20%")
    assert Range.top(Fraction(1, 3)).combos == pytest.approx(442)
    assert Range.top(Fraction(6, 1326)) == Range.top(6 / 1326) == Range.parse("AA")
    assert Range.top(1) == Range.random()
    assert Range.top(0) == Range.empty()


def test_the_grid_holds_the_mean_weight_of_each_class() -> None:
    grid = Range.parse("AA, AKs:0.5, AhKd, 22:0.25").grid()
    assert grid.shape == (13, 13)
    assert grid[0, 0] == 1.0
    assert grid[0, 1] == 0.5
    assert grid[1, 0] == pytest.approx(1 / 12)
    assert grid[12, 12] == 0.25
    assert np.count_nonzero(grid) == 4


@given(ranges())
def test_the_mean_weights_of_the_grid_add_up_to_the_range(a: Range) -> None:
    sizes = [6 if len(name) == 2 else 4 if name.endswith("s") else 12 for name in CLASS_NAMES]
    assert a.grid().reshape(169) @ np.array(sizes) == pytest.approx(a.combos)


def test_the_best_starting_hands_come_first() -> None:
    listed = Range.parse("72o, AKs:0.5, AA, JTs").best_first()
    names = [CLASS_NAMES[class_of(index)] for index, _ in listed]
    assert names == ["AA"] * 6 + ["AKs"] * 4 + ["JTs"] * 4 + ["72o"] * 12
    assert [weight for _, weight in listed[4:8]] == [1.0, 1.0, 0.5, 0.5]
    everything = Range.random().best_first()
    ranks = [starting_hand_rank(cards_of(index)) for index, _ in everything]
    assert ranks == sorted(ranks)


@given(ranges(), CARDS, st.integers(0, 2**32))
def test_a_sample_is_in_the_range_and_holds_no_dead_card(a: Range, dead: list[int], seed: int) -> None:
    left = a.without(dead)
    generator = np.random.default_rng(seed)
    if not left:
        with pytest.raises(RangeError, match="the range is empty"):
            a.sample(generator, dead)
        return
    assert a.sample(generator, dead) in left
    assert all(index in left for index in a.sample(generator, dead, size=20).tolist())


def test_samples_come_in_proportion_to_their_weights() -> None:
    a = Range.parse("AA:0.5, KK, 72o:0.1").without(parse_cards("Ac"))
    drawn = a.sample(np.random.default_rng(5), size=100_000)
    counts = np.bincount(drawn, minlength=HOLDINGS)
    expected = 100_000 * a.normalised().weights
    held = expected > 0
    assert counts[~held].sum() == 0
    chi_square = ((counts[held] - expected[held]) ** 2 / expected[held]).sum()
    assert chi_square < 50  # 3 + 6 + 12 − 1 degrees of freedom: above 50 once in 4,000 seeds


def test_the_largest_random_number_still_draws_a_holding() -> None:
    generator = Mock(spec=np.random.Generator)
    generator.random.return_value = np.nextafter(1.0, 0.0)
    for text in ("AA:0.1, KK:0.3", "AA:5e-324"):
        a = Range.parse(text)
        assert a.sample(generator) in a


def test_a_seed_decides_a_sample() -> None:
    first, again = (Range.random().sample(np.random.default_rng(9), size=50) for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_normalised_weights_are_probabilities() -> None:
    a = Range.parse("AA:2, KK").normalised()
    assert a.combos == pytest.approx(1.0)
    assert a[parse_holding("AhAd")] == pytest.approx(2 / 18)


def test_what_is_no_range_is_refused_with_a_sentence() -> None:
    with pytest.raises(
        RangeError, match=r"a range has 1,326 weights, one for each holding, not shape \(169,\)"
    ):
        Range(np.ones(169))
    for weight in (-0.5, np.nan, np.inf):
        weights = np.ones(HOLDINGS)
        weights[holding(parse_cards("AhKh"))] = weight
        with pytest.raises(
            RangeError, match=f"weight {weight} of holding 1271 is not a finite number of at least 0"
        ):
            Range(weights)
    with pytest.raises(RangeError, match="is not a finite number"):
        Range.random() * -1.0
    with pytest.raises(RangeError, match="1326 is not a holding"):
        Range.of_holdings([1326])
    with pytest.raises(RangeError, match="-1 is not a holding"):
        Range.random()[-1]
    with pytest.raises(HoldingError, match="'AK' is not a class of holdings"):
        Range.of_classes(["AK"])
    with pytest.raises(RangeError, match=r"a share of the holdings is between 0 and 1, not 1\.5"):
        Range.top(1.5)
    with pytest.raises(CardError, match="Ah appears twice"):
        Range.random().without(parse_cards("Ah") * 2)
    with pytest.raises(
        RangeError, match="the range is empty: at least one holding must have a positive weight"
    ):
        Range.empty().normalised()
    with pytest.raises(RangeError, match="the range is empty without Ah Ad: at least one holding"):
        Range.parse("AhAc, AdAs").sample(np.random.default_rng(1), parse_cards("Ah Ad"))
