"""Rows of codes, one code for each variable of a structure: checked, weighted, and grouped by their known variables."""

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.structure import UNKNOWN, NetworkError, Structure

Codes = NDArray[np.int16]


def checked_rows(structure: Structure, rows: NDArray[np.integer]) -> Codes:
    """Rows as int16; a code that is neither a state nor unknown is refused."""
    rows = np.asarray(rows)
    sizes = np.array([len(variable) for variable in structure.variables])
    if rows.ndim != 2 or rows.shape[1] != len(sizes) or rows.dtype.kind != "i":
        raise NetworkError(
            f"rows of whole numbers with {len(sizes)} columns expected, "
            f"found {rows.dtype} of shape {rows.shape}"
        )
    wrong = (rows < UNKNOWN) | (rows >= sizes)
    if wrong.any():
        row, place = np.argwhere(wrong)[0].tolist()
        raise no_code(structure, place, int(rows[row, place]), f"row {row}: ")
    return np.ascontiguousarray(rows, dtype=np.int16)


def no_code(structure: Structure, place: int, code: int, where: str = "") -> NetworkError:
    """The error for a code that is neither a state nor unknown."""
    variable = structure.variables[place]
    return NetworkError(
        f"{where}{code} is not a state of {variable.name}: states are 0 to {len(variable) - 1}, unknown is {UNKNOWN}"
    )


def checked_weights(weights: NDArray[np.float64] | None, rows: int) -> NDArray[np.float64]:
    """A weight for each row, 1 by default; negative and non-finite weights are refused."""
    if weights is None:
        return np.ones(rows)
    checked = np.asarray(weights, dtype=np.float64)
    if checked.shape != (rows,):
        raise NetworkError(
            f"a weight for each of {rows} rows expected, found an array of shape {checked.shape}"
        )
    if not (np.isfinite(checked) & (checked >= 0.0)).all():
        raise NetworkError("weights must be numbers of at least 0")
    return checked


def by_pattern(rows: Codes) -> list[tuple[bytes, NDArray[np.int64]]]:
    """The indices of the rows with the same known variables, by pattern."""
    known = rows != UNKNOWN
    packed = np.packbits(known, axis=1)
    _, firsts, inverse = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    ends = np.cumsum(np.bincount(inverse, minlength=len(firsts)))
    groups = np.split(order, ends)[: len(firsts)]
    return [(known[first].tobytes(), group) for first, group in zip(firsts.tolist(), groups, strict=True)]
