"""Rate limits."""

from collections import OrderedDict
from time import monotonic


class Bucket:
    """A token bucket: a rate per second, and a burst."""

    __slots__ = ("_burst", "_left", "_rate", "_then")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._then = burst, monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class RateBuckets:
    """A bucket per key; a limited number of recently used keys is kept."""

    MOST = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, whose: str) -> bool:
        """Whether one more is allowed now."""
        bucket = self._buckets.get(whose)
        if bucket is None:
            bucket = self._buckets[whose] = Bucket(self._rate, self._burst)
            if len(self._buckets) > self.MOST:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(whose)
        return bucket.take()
