"""The bucket of a value."""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit


@njit(cache=True)
def bucket_of(value: float, boundaries: NDArray[np.float32]) -> int:
    """How many of the ascending boundaries are not above the value, compared in single precision."""
    rounded = np.float32(value)
    low, high = 0, len(boundaries)
    while low < high:
        middle = (low + high) // 2
        if boundaries[middle] <= rounded:
            low = middle + 1
        else:
            high = middle
    return low
