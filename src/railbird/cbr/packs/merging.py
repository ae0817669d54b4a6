"""Equal descriptions as one case, and one case as single decisions (sartre-2012 §5.2.3, table 2).

Merging adds up counts and outcomes in the order of the cases. Splitting makes as many single cases as a merged one has
decisions, with outcomes whose sum equals the merged one exactly. So merging split cases gives the same case base, and
merging loses nothing that strategies use; only the assignment of outcomes to decisions is lost.
"""

from math import frexp, ldexp

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase

_MANTISSA = 53


def merged(base: CaseBase) -> CaseBase:
    """One case for each description, in the order of their first occurrence."""
    firsts, places = np.unique(base.situations(), return_inverse=True)
    shape = (len(firsts), len(base.schema.solutions))
    counts, known, sums = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape)
    np.add.at(counts, places, base.counts)
    np.add.at(known, places, base.known)
    np.add.at(sums, places, base.sums)
    return CaseBase.of_arrays(
        base.schema, base.values[firsts].copy(), counts, known, sums, base.vocabularies()
    )


def split(base: CaseBase) -> CaseBase:
    """Single cases: those of one merged case are adjacent, by solution, known outcomes before unknown ones."""
    rows: list[int] = []
    solutions: list[int] = []
    outcomes: list[float | None] = []
    held = np.argwhere(base.counts > 0)
    for row, solution in held.tolist():
        count, known = int(base.counts[row, solution]), int(base.known[row, solution])
        rows += [row] * count
        solutions += [solution] * count
        outcomes += parts_of(float(base.sums[row, solution]), known)
        outcomes += [None] * (count - known)
    shape = (len(rows), len(base.schema.solutions))
    each = np.arange(len(rows))
    counts, known_of, sums = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape)
    counts[each, solutions] = 1
    known_of[each, solutions] = [outcome is not None for outcome in outcomes]
    sums[each, solutions] = [outcome or 0.0 for outcome in outcomes]
    values: NDArray[np.float64] = base.values[rows].copy()
    return CaseBase.of_arrays(base.schema, values, counts, known_of, sums, base.vocabularies())


def parts_of(total: float, count: int) -> list[float]:
    """`count` numbers, all but one of them equal, whose sum in this order is exactly the total.

    The equal ones have few enough digits that adding them is exact.

    >>> parts_of(0.1, 3)[0] == parts_of(0.1, 3)[1], sum(parts_of(0.1, 3)) == 0.1
    (True, True)
    """
    if count == 0:
        return []
    mantissa, exponent = frexp(total / count)
    digits = _MANTISSA - count.bit_length()
    part = ldexp(round(ldexp(mantissa, digits)), exponent - digits)
    return [part] * (count - 1) + [total - part * (count - 1)]
