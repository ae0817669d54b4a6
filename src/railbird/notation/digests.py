"""A set of hands, by their digests, that stays small for millions of hands.

Only the first eight bytes of a digest are kept. If ten million hands are all different, the probability that any two
of them are taken for the same hand is 3 in a million.

>>> hands = DigestSet()
>>> hands.add(b"0123456789abcdef")
>>> b"0123456789abcdef" in hands, b"fedcba9876543210" in hands
(True, False)
"""

import numpy as np
from numpy.typing import NDArray

_PREFIX = 8
_FEW = 1 << 14
_SHARE = 32
"""Recent digests are sorted into the array of all others when there are 16,384, and more than a 32nd of them."""


class DigestSet:
    """Digests that can be added and found, at about twelve bytes each."""

    def __init__(self) -> None:
        self._sorted: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._recent: set[int] = set()

    def __len__(self) -> int:
        return len(self._sorted) + len(self._recent)

    def __contains__(self, digest: bytes) -> bool:
        prefix = _prefix(digest)
        if prefix in self._recent:
            return True
        place = int(self._sorted.searchsorted(np.uint64(prefix)))
        return place < len(self._sorted) and int(self._sorted[place]) == prefix

    def add(self, digest: bytes) -> None:
        """Add a digest that is not in the set."""
        self._recent.add(_prefix(digest))
        if len(self._recent) >= max(_FEW, len(self._sorted) // _SHARE):
            recent = np.fromiter(self._recent, np.uint64, len(self._recent))
            recent.sort()
            self._recent.clear()
            self._sorted = np.concatenate([self._sorted, recent])
            self._sorted.sort(kind="stable")  # merges the two sorted parts in linear time


def _prefix(digest: bytes) -> int:
    return int.from_bytes(digest[:_PREFIX], "little")
