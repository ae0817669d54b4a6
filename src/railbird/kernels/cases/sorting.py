"""The order of found cases: most similar first, equally similar ones by number."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit

Found: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Numbers of cases and their similarities."""

_FEW = 24
"""Maximum number of cases sorted by insertion."""
_BYTE = 255


@njit(forceinline=True)
def before(similarity: float, row: int, other_similarity: float, other_row: int) -> bool:
    """Whether a case comes before another one: more similar, or equally similar with the lower number."""
    return similarity > other_similarity or (similarity == other_similarity and row < other_row)


@njit(forceinline=True)
def _are_tied(similarities: NDArray[np.float64], start: int, end: int) -> bool:
    place = start + 1
    while place < end and similarities[place] == similarities[start]:
        place += 1
    return place == end


@njit(cache=True)
def _insertion_sort(rows: NDArray[np.int64], similarities: NDArray[np.float64], start: int, end: int) -> None:
    for place in range(start + 1, end):
        row, similarity = rows[place], similarities[place]
        hole = place
        while hole > start and before(similarity, row, similarities[hole - 1], rows[hole - 1]):
            rows[hole], similarities[hole] = rows[hole - 1], similarities[hole - 1]
            hole -= 1
        rows[hole], similarities[hole] = row, similarity


@njit(cache=True)
def _sort_tied(rows: NDArray[np.int64], start: int, end: int) -> None:
    """Sort the numbers of equally similar cases by their bytes, beginning with the lowest."""
    greatest = rows[start]
    for place in range(start + 1, end):
        greatest = max(greatest, rows[place])
    moved = np.empty(end - start, dtype=np.int64)
    shift = 0
    while greatest >> shift:
        targets = np.zeros(_BYTE + 2, dtype=np.int64)
        for place in range(start, end):
            targets[((rows[place] >> shift) & _BYTE) + 1] += 1
        for byte in range(_BYTE):
            targets[byte + 1] += targets[byte]
        for place in range(start, end):
            byte = (rows[place] >> shift) & _BYTE
            moved[targets[byte]] = rows[place]
            targets[byte] += 1
        for place in range(start, end):
            rows[place] = moved[place - start]
        shift += 8


@njit(cache=True)
def _merge_sort(rows: NDArray[np.int64], similarities: NDArray[np.float64], start: int, end: int) -> None:
    """Sort many cases of different similarities; numpy's sorting functions take seconds to compile."""
    for first in range(start, end, _FEW):
        _insertion_sort(rows, similarities, first, min(first + _FEW, end))
    left_rows, left = np.empty(end - start, dtype=np.int64), np.empty(end - start, dtype=np.float64)
    width = _FEW
    while width < end - start:
        for first in range(start, end - width, 2 * width):
            for case in range(width):
                left_rows[case], left[case] = rows[first + case], similarities[first + case]
            target, case, other, last = first, 0, first + width, min(first + 2 * width, end)
            while case < width:
                if other < last and before(similarities[other], rows[other], left[case], left_rows[case]):
                    rows[target], similarities[target] = rows[other], similarities[other]
                    other += 1
                else:
                    rows[target], similarities[target] = left_rows[case], left[case]
                    case += 1
                target += 1
        width *= 2


@njit(cache=True)
def sort_found(rows: NDArray[np.int64], similarities: NDArray[np.float64]) -> Found:
    """The cases in order.

    Similarities are spread over as many buckets as there are cases, which leaves little to do within each.
    """
    count = len(rows)
    if count <= _FEW:
        _insertion_sort(rows, similarities, 0, count)
        return rows, similarities
    top = low = similarities[0]
    for place in range(1, count):
        top, low = max(top, similarities[place]), min(low, similarities[place])
    if top == low:
        _sort_tied(rows, 0, count)
        return rows, similarities
    scale = (count - 1) / (top - low)
    starts = np.zeros(count + 1, dtype=np.int64)
    buckets = np.empty(count, dtype=np.int64)
    for place in range(count):
        bucket = min(count - 1, int((top - similarities[place]) * scale))
        buckets[place] = bucket
        starts[bucket + 1] += 1
    for bucket in range(count):
        starts[bucket + 1] += starts[bucket]
    sorted_rows, sorted_similarities = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.float64)
    for place in range(count):
        target = starts[buckets[place]]
        starts[buckets[place]] += 1
        sorted_rows[target], sorted_similarities[target] = rows[place], similarities[place]
    # Every start has moved to its bucket's end.
    start = 0
    for bucket in range(count):
        end = starts[bucket]
        if end - start > _FEW:
            if _are_tied(sorted_similarities, start, end):
                _sort_tied(sorted_rows, start, end)
            else:
                _merge_sort(sorted_rows, sorted_similarities, start, end)
        elif end - start > 1:
            _insertion_sort(sorted_rows, sorted_similarities, start, end)
        start = end
    return sorted_rows, sorted_similarities
