"""Found cases are sorted by similarity and number, however many of them are equally similar."""

import numpy as np
import pytest

from railbird.kernels.cases.sorting import sort_found


@pytest.mark.parametrize("count", [1, 24, 25, 300, 5_000])
@pytest.mark.parametrize("values", [1, 2, 20, 200, 1 << 40])
@pytest.mark.parametrize("nearest", [0.0, 0.999999])
def test_more_similar_cases_come_first_and_equal_ones_by_number(
    count: int, values: int, nearest: float
) -> None:
    random = np.random.default_rng(count + values)
    rows = random.permutation(20 * count)[:count].astype(np.int64)
    similarities = nearest + (1 - nearest) * random.integers(0, values, count) / values
    similarities[0] = 0.0 if values > 1 else similarities[0]
    expected = np.lexsort((rows, -similarities))
    sorted_rows, sorted_similarities = sort_found(rows.copy(), similarities.copy())
    assert np.array_equal(sorted_rows, rows[expected])
    assert np.array_equal(sorted_similarities, similarities[expected])
