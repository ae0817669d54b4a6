"""Buckets of hand strength: of equal width, or of equally many deals."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.equities import buckets as buckets_module
from railbird.equities.buckets import BucketError, Buckets, percentile_buckets
from railbird.equities.table_files import Progress
from railbird.equities.tables import Distribution, StrengthMeasure, distribution
from railbird.kernels.strength.buckets import bucket_of

strengths = st.floats(0, 1, width=32)
counts = st.integers(1, 60)


@st.composite
def distributions(draw: st.DrawFn) -> Distribution:
    values = sorted(draw(st.sets(strengths, min_size=1, max_size=40)))
    deals = draw(st.lists(st.integers(1, 24), min_size=len(values), max_size=len(values)))
    return Distribution(np.array(values, dtype=np.float32), np.array(deals, dtype=np.int64))


def test_sartres_fifty_buckets_are_evenly_divided() -> None:
    buckets = Buckets.uniform(50)
    assert buckets.count == 50
    middles = [(bucket + 0.5) / 50 for bucket in range(50)]
    assert [buckets.bucket(value) for value in middles] == list(range(50))


@given(counts)
def test_a_uniform_bucket_begins_at_its_boundary_and_the_last_one_holds_one(count: int) -> None:
    buckets = Buckets.uniform(count)
    assert [buckets.bucket(place / count) for place in range(count)] == list(range(count))
    assert buckets.bucket(1.0) == count - 1


@given(distributions(), counts)
def test_percentile_buckets_begin_with_the_deal_of_their_share(found: Distribution, count: int) -> None:
    deals = np.repeat(found.values, found.deals)
    buckets = Buckets.percentile(count, found)
    assert buckets.count == count
    assert buckets.boundaries.tolist() == [deals[b * len(deals) // count] for b in range(1, count)]


@given(distributions(), counts)
def test_percentile_buckets_hold_their_share_up_to_one_value(found: Distribution, count: int) -> None:
    buckets = Buckets.percentile(count, found)
    held = np.bincount(buckets.bucket_all(found.values), weights=found.deals, minlength=count)
    share = found.deals.sum() / count
    assert held.sum() == found.deals.sum()
    assert held.max() <= share + found.deals.max() + 1


def test_equally_many_deals_for_values_that_all_differ() -> None:
    found = Distribution((np.arange(100) / 100).astype(np.float32), np.full(100, 12))
    assert np.bincount(Buckets.percentile(20, found).bucket_all(found.values)).tolist() == [5] * 20


def test_deals_count_not_situations() -> None:
    # Half of all deals have the lowest value, so two of four buckets are one.
    found = Distribution(np.array([0.1, 0.2, 0.3], dtype=np.float32), np.array([12, 6, 6]))
    assert Buckets.percentile(4, found).bucket_all([0.1, 0.2, 0.3]).tolist() == [1, 2, 3]


@given(
    st.one_of(counts.map(Buckets.uniform), st.builds(Buckets.percentile, counts, distributions())), strengths
)
@settings(deadline=None)
def test_the_kernel_puts_values_into_the_same_buckets(buckets: Buckets, value: float) -> None:
    expected = sum(boundary <= value for boundary in buckets.boundaries.tolist())
    assert bucket_of(value, buckets.boundaries) == expected
    assert buckets.bucket(value) == expected
    assert buckets.bucket_all([value]).tolist() == [expected]


@given(st.integers(0, 1980), counts)
def test_a_strength_and_its_entry_in_a_table_share_their_bucket(score: int, count: int) -> None:
    buckets = Buckets.uniform(count)
    exact = score / 1980
    assert buckets.bucket(exact) == buckets.bucket(float(np.float32(exact)))


def test_blocked_holdings_have_no_bucket() -> None:
    assert Buckets.uniform(5).bucket_all([0.5, np.nan, 1.0]).tolist() == [2, -1, 4]


def test_percentile_buckets_of_a_street_are_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path))
    asked: list[tuple[int, StrengthMeasure]] = []

    def made_up(cards: int, measure: StrengthMeasure, progress: Progress | None) -> Distribution:
        asked.append((cards, measure))
        return Distribution((np.arange(10) / 10).astype(np.float32), np.ones(10, dtype=np.int64))

    monkeypatch.setattr(buckets_module, "distribution", made_up)
    made = percentile_buckets(5, 4, StrengthMeasure.EXPECTED_HS_SQUARED)
    assert made.boundaries == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert percentile_buckets(5, 4, StrengthMeasure.EXPECTED_HS_SQUARED) == made
    assert percentile_buckets(5, 4, StrengthMeasure.HS) == made
    assert percentile_buckets(2, 4, StrengthMeasure.HS) != made
    assert asked == [
        (4, StrengthMeasure.EXPECTED_HS_SQUARED),
        (4, StrengthMeasure.HS),
        (4, StrengthMeasure.HS),
    ]


@pytest.mark.soak
@pytest.mark.parametrize("cards", [3, 4, 5])
def test_fifty_percentile_buckets_hold_two_percent_of_the_deals_up_to_one_value(
    cards: int,
) -> None:
    found = distribution(cards, StrengthMeasure.EXPECTED_HS_SQUARED)
    buckets = Buckets.percentile(50, found)
    held = np.bincount(buckets.bucket_all(found.values), weights=found.deals, minlength=50)
    share = found.deals.sum() / 50
    assert held == pytest.approx(np.full(50, share), abs=int(found.deals.max()))


@pytest.mark.parametrize("count", [0, -3])
def test_there_is_at_least_one_bucket(count: int) -> None:
    for make in (Buckets.uniform, lambda n: percentile_buckets(n, 3, StrengthMeasure.HS)):
        with pytest.raises(BucketError, match=f"there must be at least one bucket, not {count}"):
            make(count)


@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan")])
def test_values_that_are_no_strengths_are_refused(value: float) -> None:
    with pytest.raises(BucketError, match="hand strengths are between 0 and 1"):
        Buckets.uniform(5).bucket(value)


def test_many_values_with_one_that_is_no_strength_are_refused() -> None:
    with pytest.raises(BucketError, match="hand strengths are between 0 and 1"):
        Buckets.uniform(5).bucket_all([0.5, 1.5])


def test_boundaries_that_descend_are_refused() -> None:
    with pytest.raises(BucketError, match="in ascending order"):
        Buckets(np.array([0.5, 0.2], dtype=np.float32))


def test_nothing_cannot_be_divided() -> None:
    with pytest.raises(BucketError, match="there are no values to divide into buckets"):
        Buckets.percentile(5, Distribution(np.empty(0, dtype=np.float32), np.empty(0, dtype=np.int64)))
