"""The 1,326 two-card holdings as indices: `high · (high − 1) / 2 + low` for cards `high > low`.

The order is the one in which holdings appear when the deck grows card by card, so the holdings of the first `n` cards
are exactly the first `n (n − 1) / 2` indices, and an index needs no table.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit

HOLDINGS = 1326

_PAIRS = np.array([(high, low) for high in range(52) for low in range(high)], dtype=np.uint8)
HIGH_CARDS: NDArray[np.uint8] = np.ascontiguousarray(_PAIRS[:, 0])
LOW_CARDS: NDArray[np.uint8] = np.ascontiguousarray(_PAIRS[:, 1])


@njit(inline="always")
def holding_index(first: int, second: int) -> int:
    """The index of two different cards, in either order."""
    high = max(first, second)
    low = min(first, second)
    return high * (high - 1) // 2 + low
