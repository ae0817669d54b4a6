"""Published rates: their estimated intervals, and when a measured rate agrees with them."""

from math import sqrt

import pytest

from railbird.arena.results.rates import Rate
from railbird.experiments.frame import Laboratory
from railbird.experiments.published import (
    NORMAL_QUANTILE,
    Occurrences,
    Portion,
    PublishedRate,
    difference_finding,
)


def rate(mean: float, half: float) -> Rate:
    return Rate("sb/h", mean, mean - half, mean + half, 1_000)


@pytest.mark.parametrize(
    ("measured", "agrees"),
    [(0.0, True), (0.15, True), (-0.14, True), (0.17, False), (-0.13 - 0.026, False)],
)
def test_both_intervals_count(measured: float, agrees: bool) -> None:
    published = PublishedRate(0.004, 10_000)
    assert published.half_width(6.0) == pytest.approx(NORMAL_QUANTILE * 0.06)
    finding = published.finding("casper02", rate(measured, 0.1), 6.0)
    assert finding.published == "+0.004 sb/h (about ± 0.118, 10,000 hands)"
    assert finding.agrees is agrees


def test_without_a_number_of_hands_nothing_is_judged() -> None:
    finding = PublishedRate(0.1075).finding("simbot", rate(0.2, 0.1), 6.0, asked="more", holds=True)
    assert (finding.published, finding.asked, finding.holds) == (
        "+0.107 sb/h (number of hands not printed)",
        "more",
        True,
    )
    assert finding.agrees is None


@pytest.mark.parametrize(("count", "agrees"), [(8, True), (15, True), (16, False)])
def test_both_counts_are_uncertain(count: int, agrees: bool) -> None:
    """38 ± 12 in 10,000 hands; 16 in 2,000 are 80 ± 39."""
    finding = Occurrences(count, 2_000).finding("misses", Occurrences(38, 10_000))
    assert finding.published == "38 (about ± 12) in 10,000 hands"
    assert finding.measured.startswith(f"{5 * count} (about ± ")
    assert finding.agrees is agrees


def test_shares_agree_unless_they_differ_significantly() -> None:
    """77 % of 2,069 is known to 1.8 points, 76 % of 9,706 to 0.8."""
    thesis = Portion(0.77, 2_069)
    assert thesis.half_width == pytest.approx(0.018, abs=0.0005)
    assert Portion(0.76, 9_706).agrees(thesis)
    assert not Portion(0.74, 9_706).agrees(thesis)
    assert not Portion(0.62, 2_930).agrees(thesis)
    assert Portion(0.0, 96).half_width == pytest.approx(NORMAL_QUANTILE * 0.014)


def test_two_published_rates_may_not_differ_themselves() -> None:
    one, other = PublishedRate(0.056, 4_506), PublishedRate(-0.026, 4_501)
    close = difference_finding("baycarp2 over baycarp1", one, other, 6.0)
    assert close.measured == "not significant"
    assert close.published == "+0.082 (about ± 0.248)"
    assert difference_finding("the same", one, other, 1.0).measured == "significant"


def test_the_deviation_of_a_hand_is_that_of_plain_hands() -> None:
    """Both players of a heads-up table always pay 48 small bets: the deviation is nearly that."""
    found = Laboratory("3", quick=True).deviation("some", "limit-2p", ["always-raise", "always-raise"])
    assert found == pytest.approx(24 * sqrt(20 / 19), rel=0.05)
