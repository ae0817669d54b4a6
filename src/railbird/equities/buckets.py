"""Buckets that group hands of similar strength (sartre-2012 §5.2.1 and §5.3.1).

*Uniform* buckets divide the values from 0 to 1 evenly, as SARTRE does with 50 buckets of E[HS²]. *Percentile*
buckets divide the deals evenly: every bucket gets the same share of all deals of hole cards and board, as far as
possible without separating equal values. Buckets are numbered from 0; sartre-2012 counts from 1.

>>> buckets = Buckets.uniform(50)
>>> buckets.bucket(0.0), buckets.bucket(0.3199), buckets.bucket(0.32), buckets.bucket(1.0)
(0, 15, 16, 49)

In compiled code, `kernels.strength.buckets.bucket_of` takes the `boundaries`.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.equities.table_files import Progress, read_array, write_array
from railbird.equities.tables import Distribution, StrengthMeasure, distribution
from railbird.places import cache_folder

SHIPPED = Path(str(files("railbird.equities"))) / "data"
"""Boundaries of the buckets of strategies that agents play (`make strategies`)."""


class BucketError(ValueError):
    """An invalid number of buckets or an invalid value."""


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """Buckets divided by ascending boundaries; a value at a boundary belongs to the bucket above it.

    Boundaries have single precision, and values are rounded to it before they are compared, so that a value
    from a table and the same value computed in double precision fall into the same bucket.
    """

    boundaries: NDArray[np.float32]
    _listed: list[float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        boundaries = np.array(self.boundaries, dtype=np.float32)
        if boundaries.ndim != 1 or np.isnan(boundaries).any() or np.any(np.diff(boundaries) < 0):
            raise BucketError("bucket boundaries must be a list of numbers in ascending order")
        boundaries.setflags(write=False)
        object.__setattr__(self, "boundaries", boundaries)
        object.__setattr__(self, "_listed", boundaries.tolist())

    @classmethod
    def uniform(cls, count: int) -> "Buckets":
        """`count` buckets of equal width between 0 and 1."""
        _require_count(count)
        return cls((np.arange(1, count) / count).astype(np.float32))

    @classmethod
    def percentile(cls, count: int, values: Distribution) -> "Buckets":
        """`count` buckets with equal numbers of deals.

        With all N deals in ascending order of value, bucket b begins with the value of deal number ⌊b · N / count⌋.
        A value with more deals than fit into one bucket fills one bucket and leaves those below it empty.
        """
        _require_count(count)
        if not len(values.values):
            raise BucketError("there are no values to divide into buckets")
        beyond = np.cumsum(values.deals)
        firsts = [bucket * int(beyond[-1]) // count for bucket in range(1, count)]
        return cls(values.values[np.searchsorted(beyond, firsts, side="right")])

    @property
    def count(self) -> int:
        """How many buckets there are."""
        return len(self.boundaries) + 1

    def bucket(self, value: float) -> int:
        """The bucket of a value."""
        if not 0 <= value <= 1:
            raise BucketError(f"hand strengths are between 0 and 1, not {value}")
        return bisect_right(self._listed, float(np.float32(value)))

    def bucket_all(self, values: ArrayLike) -> NDArray[np.int64]:
        """The buckets of many values at once; −1 where a value is NaN, as for a blocked holding."""
        rounded = np.asarray(values, dtype=np.float32)
        if np.any((rounded < 0) | (rounded > 1)):
            raise BucketError("hand strengths are between 0 and 1")
        found = np.searchsorted(self.boundaries, rounded, side="right")
        return np.where(np.isnan(rounded), -1, found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Buckets) and np.array_equal(self.boundaries, other.boundaries)

    def __hash__(self) -> int:
        return hash(self.boundaries.tobytes())


def percentile_buckets(
    count: int, board_cards: int, measure: StrengthMeasure, progress: Progress | None = None
) -> Buckets:
    """Percentile buckets of a measure on the flop, turn or river (3, 4 or 5 board cards).

    Those of strategies that agents play are shipped (`data/`). Others are computed from the street's table, which is
    built if necessary, and cached.
    """
    _require_count(count)
    if count == 1:
        return Buckets(np.empty(0, dtype=np.float32))
    name, shape = f"{board_cards}-cards-{measure.name.lower()}-{count}.npy", (count - 1,)
    path = cache_folder() / "buckets-1" / name
    boundaries = read_array(SHIPPED / name, shape, np.float32)
    if boundaries is None:
        boundaries = read_array(path, shape, np.float32)
    if boundaries is None:
        boundaries = Buckets.percentile(count, distribution(board_cards, measure, progress)).boundaries
        write_array(path, boundaries)
    return Buckets(boundaries)


def _require_count(count: int) -> None:
    if count < 1:
        raise BucketError(f"there must be at least one bucket, not {count}")
