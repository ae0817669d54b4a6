"""Rates and their intervals: Student's distribution against scipy, and intervals that cover as often as they say."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from railbird.arena.results import student
from railbird.arena.results.rates import Estimate, Rate, RateError, rate_of
from railbird.arena.results.tally import Tally, over_all_seatings, running_totals
from railbird.engine.games import named_game
from railbird.kernels.rules.pots import PARTS
from reference.winnings import (
    BLIND_THIEF,
    EQUILIBRIUM,
    LIMIT_CALLER,
    MANIAC,
    Winnings,
    draw,
    heads_up_tally,
    kuhn_duplicate,
    kuhn_duplicate_hands,
    mean_of,
)

LIMIT, NO_LIMIT = named_game("limit-2p"), named_game("nolimit-2p")
CASES = 2_000
SEATINGS = 2


@pytest.mark.parametrize("freedom", [0.5, 1, 2, 3.7, 9, 59.9, 60.1, 500, 1e4, 1e6])
@pytest.mark.parametrize("t", [0.0, 1e-3, 0.5, 1.0, 1.7, 1.8, 2.5, 6.0, 40.0])
def test_the_tail_of_students_t_is_that_of_scipy(t: float, freedom: float) -> None:
    assert student.tail(t, freedom) == pytest.approx(2 * scipy.stats.t.sf(t, freedom), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("freedom", [0.5, 1, 2, 3.7, 9, 59.9, 60.1, 500, 1e4, 1e6])
@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.9, 0.95, 0.99, 0.9999])
def test_the_quantile_of_students_t_is_that_of_scipy(confidence: float, freedom: float) -> None:
    assert student.quantile(confidence, freedom) == pytest.approx(
        scipy.stats.t.isf((1 - confidence) / 2, freedom), rel=1e-9
    )


@given(st.floats(0.001, 0.9999), st.floats(0.6, 1e7))
def test_the_tail_beyond_a_quantile_is_what_the_confidence_leaves(confidence: float, freedom: float) -> None:
    assert student.tail(student.quantile(confidence, freedom), freedom) == pytest.approx(
        1 - confidence, rel=1e-7
    )


def test_with_very_many_degrees_of_freedom_students_t_is_normal() -> None:
    assert student.quantile(0.95, 1e12) == pytest.approx(1.959963984540054, rel=1e-12)
    assert student.quantile(0.95, 9.9e7) == pytest.approx(student.quantile(0.95, 1.01e8), rel=1e-7)
    assert student.tail(3.0, 9.9e7) == pytest.approx(student.tail(3.0, 1.01e8), rel=1e-6)


@pytest.mark.parametrize(("t", "freedom"), [(-1.0, 5.0), (1.0, 0.0), (float("nan"), 5.0)])
def test_a_tail_needs_a_distance_and_degrees_of_freedom(t: float, freedom: float) -> None:
    with pytest.raises(ValueError, match="t must be at least 0 and its degrees of freedom above 0"):
        student.tail(t, freedom)


@pytest.mark.parametrize(("confidence", "freedom"), [(0.0, 5.0), (1.0, 5.0), (0.95, 0.0)])
def test_a_quantile_needs_a_confidence_and_degrees_of_freedom(confidence: float, freedom: float) -> None:
    with pytest.raises(ValueError, match="a confidence between 0 and 1 and degrees of freedom above 0"):
        student.quantile(confidence, freedom)


_large = st.integers(-(10**22), 10**22) | st.integers(-(2**31), 2**31) | st.integers(-3, 3)


@given(st.lists(st.tuples(_large, _large), min_size=1, max_size=30), st.integers(1, 30))
def test_sums_are_exact_however_large(units: list[tuple[int, int]], points: int) -> None:
    tally = Tally.of(units)
    assert tally.totals == tuple(sum(unit[i] for unit in units) for i in range(2))
    assert tally.products == tuple(
        tuple(sum(unit[i] * unit[j] for unit in units) for j in range(2)) for i in range(2)
    )
    assert over_all_seatings([units, units[:-1], units]).tolist() == [[3 * a, 3 * b] for a, b in units[:-1]]
    for number, *totals in running_totals(units, points):
        assert totals == [sum(unit[i] for unit in units[:number]) for i in range(2)]


def test_an_interval_is_that_of_scipys_t_test() -> None:
    payoffs = [30, -10, 20, 0, -40, 15, 15, 80]
    rate = rate_of(LIMIT, payoffs)
    expected = scipy.stats.ttest_1samp([chips / 10 for chips in payoffs], 0)
    interval = expected.confidence_interval(0.95)
    assert (rate.mean, rate.low, rate.high) == pytest.approx(
        (110 / 80, interval.low, interval.high), rel=1e-12
    )
    estimate = Estimate.of(Tally.of([(chips * PARTS,) for chips in payoffs]), (1,))
    assert estimate.p_value == pytest.approx(expected.pvalue, rel=1e-10)


def test_pooled_estimates_are_welchs_test_when_both_have_equally_many_hands() -> None:
    # The mean of two samples of equal size has the standard error of half their difference, sign and all.
    mine, theirs = [30, -10, 20, 0, -40, 15, 15, 80], [5, 6, 4, 5, 7, 3, 5, 6]
    pooled = Estimate.pooled(
        [
            Estimate.of(Tally.of([(chips * PARTS,) for chips in mine]), (1,)),
            Estimate.of(~Tally.of([(chips * PARTS,) for chips in theirs]), (1,)),
        ]
    )
    expected = scipy.stats.ttest_ind(mine, theirs, equal_var=False)
    assert pooled.p_value == pytest.approx(expected.pvalue, rel=1e-10)
    assert pooled.freedom == pytest.approx(expected.df, rel=1e-12)
    assert pooled.interval[1] == pytest.approx(expected.confidence_interval(0.95).high / 2, rel=1e-10)


def test_pooled_estimates_weigh_tables_by_their_hands() -> None:
    pooled = Estimate.pooled(
        [Estimate(1.0, 0.5, 100, 99, 100), Estimate(4.0, 0.25, 150, 149, 300), Estimate(0.0, inf, 0, 0, 0)]
    )
    assert (pooled.mean, pooled.hands, pooled.units) == (3.25, 400, 250)
    assert pooled.error == pytest.approx(((100 * 0.5) ** 2 + (300 * 0.25) ** 2) ** 0.5 / 400)


def test_an_estimate_is_unknown_when_one_of_its_tables_is() -> None:
    pooled = Estimate.pooled([Estimate(1.0, 0.5, 100, 99, 100), Estimate(4.0, inf, 1, 0, 2)])
    assert pooled.interval == (-inf, inf)
    assert pooled.p_value == 1.0
    assert Estimate.pooled([]).interval == (-inf, inf)


def test_units_that_are_all_alike_are_judged_by_the_sign_test() -> None:
    def alike(units: int) -> Estimate:
        return Estimate.of(Tally.of([(5 * PARTS, -5 * PARTS)] * units), (1, 0))

    assert alike(2).interval == (5.0, 5.0)
    assert [alike(units).p_value for units in (2, 3, 11)] == [1 / 2, 1 / 4, 1 / 1024]
    assert Estimate.pooled([alike(2), alike(3)]).p_value == 1 / 16
    assert Estimate.of(Tally.of([(0, 0)] * 50), (1, 0)).p_value == 1.0


def test_the_unit_of_a_duplicate_match_is_the_deal_and_not_the_hand() -> None:
    # Two deals, each played in both seatings: luck within a deal is gone, only the 6 and the 10 are left to differ.
    tally = Tally.of([(6 * PARTS, -6 * PARTS), (10 * PARTS, -10 * PARTS)], hands_per_unit=2)
    rate = Rate.from_tally(LIMIT, tally, (1, 0))
    assert (rate.mean, rate.hands) == (0.4, 4)
    # Standard error 2 chips a deal, or 0.1 small bets a hand; 12.706 is t's quantile with one degree of freedom.
    assert (rate.low, rate.high) == pytest.approx((0.4 - 1.2706205, 0.4 + 1.2706205))


def test_a_difference_is_a_rate_too() -> None:
    tally = Tally.of([(10 * PARTS, -10 * PARTS), (30 * PARTS, -30 * PARTS)])
    assert (
        Rate.from_tally(LIMIT, tally, (1, -1)).mean == 2 * Rate.from_tally(LIMIT, tally, (1, 0)).mean == 4.0
    )


def test_no_limit_rates_come_in_big_blinds_and_in_thousandths() -> None:
    rate = rate_of(NO_LIMIT, [100, -50, 350, 0])
    assert (rate.unit, rate.mean) == ("bb/h", 1.0)
    thousandths = rate.in_thousandths()
    assert (thousandths.unit, thousandths.mean, thousandths.hands) == ("mbb/h", 1000.0, 4)
    assert thousandths.high == pytest.approx(1000 * rate.high)
    assert str(thousandths).startswith("+1000 mbb/h (95 % interval −")


@pytest.mark.parametrize("rate", [rate_of(LIMIT, [10, 20]), rate_of(NO_LIMIT, [100, 50]).in_thousandths()])
def test_only_big_blinds_have_thousandths(rate: Rate) -> None:
    with pytest.raises(
        RateError, match=f"only a rate in bb/h can be converted to mbb/h, and this one is in {rate.unit}"
    ):
        rate.in_thousandths()


def test_few_units_have_no_interval() -> None:
    assert str(rate_of(LIMIT, [])) == "0.000 sb/h (0 hands)"
    assert rate_of(LIMIT, [5]).high == inf
    one_deal = Tally.of([(10 * PARTS, -10 * PARTS)], hands_per_unit=2)
    assert str(Rate.from_tally(LIMIT, one_deal, (1, 0))) == "+0.500 sb/h (2 hands)"


def test_split_chips_count_exactly() -> None:
    assert rate_of(LIMIT, [Fraction(10, 3), Fraction(20, 3)]).mean == 0.5
    with pytest.raises(RateError, match="a whole number of 1/2520 chips, not 1/11"):
        rate_of(LIMIT, [Fraction(1, 11)])


def test_sartre_2012_section_5_4_4_small_bets_against_humans() -> None:
    # 9,221 small bets at 0.30734 sb/h; "just under 30,000 hands" must be 30,003.
    tally = Tally(30_003, 30_003, (9221 * 10 * PARTS,), ((30_003 * (50 * PARTS) ** 2,),))
    assert Rate.from_tally(LIMIT, tally, (1,)).mean == pytest.approx(0.30734, abs=5e-6)


def test_sartre_2012_section_6_4_3_big_blinds_against_humans() -> None:
    # 7,539.5 big blinds at 0.9023 bb/h: 8,356 hands, "just under 9,000".
    tally = Tally(8356, 8356, (753_950 * PARTS,), ((8356 * (1000 * PARTS) ** 2,),))
    assert Rate.from_tally(NO_LIMIT, tally, (1,)).mean == pytest.approx(0.9023, abs=5e-5)


def coverage_of(winnings: Winnings, units: int, seed: int, hands_per_unit: int = SEATINGS) -> float:
    """How often the interval of so many duplicate sets holds the true mean."""
    truth = float(mean_of(winnings)) / hands_per_unit / LIMIT.unit_chips
    cases = draw(winnings, np.random.default_rng(seed), CASES, units)
    rates = [Rate.from_tally(LIMIT, heads_up_tally(case, hands_per_unit), (1, 0)) for case in cases]
    return sum(rate.low <= truth <= rate.high for rate in rates) / CASES


@pytest.mark.parametrize("units", [2, 5, 30, 300])
def test_the_interval_covers_the_mean_of_normal_sets(units: int) -> None:
    generator = np.random.default_rng(units)
    cases = np.rint(generator.normal(300, 4000, (CASES, units))).astype(np.int64)
    rates = [Rate.from_tally(LIMIT, heads_up_tally(case, SEATINGS), (1, 0)) for case in cases]
    assert 0.93 <= sum(rate.low <= 300 / SEATINGS / 10 <= rate.high for rate in rates) / CASES <= 0.97


@pytest.mark.parametrize(
    ("winnings", "units"),
    [
        (kuhn_duplicate(EQUILIBRIUM, MANIAC), 100),
        (kuhn_duplicate(EQUILIBRIUM, EQUILIBRIUM), 100),
        (LIMIT_CALLER, 300),
        (BLIND_THIEF, 1500),
    ],
    ids=[
        "Kuhn equilibrium against a maniac",
        "Kuhn equilibrium against itself",
        "limit caller",
        "blind thief",
    ],
)
def test_the_interval_covers_the_mean_of_skewed_poker(winnings: Winnings, units: int) -> None:
    assert 0.93 <= coverage_of(winnings, units, seed=11) <= 0.97


def test_hands_of_a_duplicate_deal_taken_as_units_would_cover_wrongly() -> None:
    # The two hands of a deal go against each other, so their sum varies less than two hands with cards of their own.
    hands = kuhn_duplicate_hands(EQUILIBRIUM, EQUILIBRIUM)
    pairs = np.array(list(hands), dtype=np.int64)
    generator = np.random.default_rng(3)
    drawn = generator.choice(len(pairs), size=(CASES, 100), p=[float(chance) for chance in hands.values()])
    covered = 0
    for case in drawn:
        rate = Rate.from_tally(LIMIT, heads_up_tally(pairs[case].ravel()), (1, 0))
        covered += rate.low <= 0 <= rate.high
    assert covered / CASES > 0.98


def test_the_interval_over_several_tables_covers_their_mean() -> None:
    first, second = kuhn_duplicate(EQUILIBRIUM, MANIAC), LIMIT_CALLER
    truth = (40 * mean_of(first) + 120 * mean_of(second)) / (SEATINGS * 160)
    generator = np.random.default_rng(21)
    covered = 0
    for mine, theirs in zip(
        draw(first, generator, CASES, 40), draw(second, generator, CASES, 120), strict=True
    ):
        tallies = (heads_up_tally(mine, SEATINGS), heads_up_tally(theirs, SEATINGS))
        low, high = Estimate.pooled([Estimate.of(tally, (1, 0)) for tally in tallies]).interval
        covered += low <= truth <= high
    assert 0.93 <= covered / CASES <= 0.97
