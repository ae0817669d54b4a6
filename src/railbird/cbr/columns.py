"""A case base as a dictionary of columns and back, without loss: the plain form for files.

Columns are the attributes by name (numbers as floats, symbols as codes into a vocabulary) and then

- of single cases: `solution`, a code into the schema's solutions, and `outcome`, NaN if unknown
- of merged cases: for every solution `count of …`, `known of …` and `outcomes of …`, the sum of the known outcomes
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.schema import Number, Schema, Symbol

Columns: TypeAlias = Mapping[str, NDArray[Any]]

MOST_COUNT = 2**36
"""Maximum number of decisions of one kind in a merged case: the sum over the largest pack does not overflow."""
_COUNT, _KNOWN, _SUM = "count of", "known of", "outcomes of"


def to_columns(base: CaseBase) -> dict[str, NDArray[Any]]:
    """The cases in columns: in the form of single cases if all are single, otherwise in that of merged cases."""
    columns: dict[str, NDArray[Any]] = {}
    for place, attribute in enumerate(base.schema.attributes):
        column = base.values[:, place]
        columns[attribute.name] = column.astype(np.int32) if isinstance(attribute, Symbol) else column.copy()
    if base.is_single:
        solution = base.counts.argmax(axis=1)
        each = np.arange(len(base))
        columns["solution"] = solution.astype(np.int32)
        columns["outcome"] = np.where(base.known[each, solution] > 0, base.sums[each, solution], np.nan)
        return columns
    for place, name in enumerate(base.schema.solutions):
        columns[f"{_COUNT} {name}"] = base.counts[:, place].copy()
        columns[f"{_KNOWN} {name}"] = base.known[:, place].copy()
        columns[f"{_SUM} {name}"] = base.sums[:, place].copy()
    return columns


def from_columns(
    schema: Schema, columns: Columns, vocabularies: Mapping[str, Sequence[str]] | None = None
) -> CaseBase:
    """The case base of such columns, with every value checked; `vocabularies` has symbols not listed in the schema."""
    single = "solution" in columns
    solution_columns = ["solution", "outcome"] if single else _merged_names(schema)
    wanted = [*schema.names, *solution_columns]
    for name in wanted:
        if name not in columns:
            raise CaseBaseError(f"there is no column {name!r}: there are {', '.join(columns)}")
    for name in columns:
        if name not in wanted:
            raise CaseBaseError(f"the column {name!r} is neither an attribute nor a solution")
    count = len(columns[wanted[0]])
    for name in wanted:
        if columns[name].shape != (count,):
            raise CaseBaseError(f"the column {name!r} has the shape {columns[name].shape}, not {(count,)}")
    words = _vocabularies(schema, vocabularies or {})
    values = np.empty((count, len(schema.attributes)))
    for place, attribute in enumerate(schema.attributes):
        if isinstance(attribute, Symbol):
            size = len(words[attribute.name])
            values[:, place] = _codes(attribute.name, columns[attribute.name], size)
        else:
            values[:, place] = _numbers(attribute, columns[attribute.name])
    shape = (count, len(schema.solutions))
    counts, known, sums = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape)
    if single:
        solution = _codes("solution", columns["solution"], len(schema.solutions))
        outcome = np.asarray(columns["outcome"], dtype=np.float64)
        if np.isinf(outcome).any():
            raise CaseBaseError(f"row {int(np.isinf(outcome).argmax())} of 'outcome' is infinite")
        each = np.arange(count)
        counts[each, solution] = 1
        known[each, solution] = ~np.isnan(outcome)
        sums[each, solution] = np.where(np.isnan(outcome), 0.0, outcome)
    else:
        for place, name in enumerate(schema.solutions):
            counts[:, place] = _counts(f"{_COUNT} {name}", columns)
            known[:, place] = _counts(f"{_KNOWN} {name}", columns)
            sums[:, place] = columns[f"{_SUM} {name}"]
        _require_merged(counts, known, sums)
    return CaseBase.of_arrays(schema, values, counts, known, sums, words)


def _merged_names(schema: Schema) -> list[str]:
    return [f"{kind} {name}" for name in schema.solutions for kind in (_COUNT, _KNOWN, _SUM)]


def _vocabularies(schema: Schema, given: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    found = {}
    for attribute in schema.attributes:
        if not isinstance(attribute, Symbol):
            continue
        words = tuple(given.get(attribute.name, attribute.values))
        if len(set(words)) != len(words):
            raise CaseBaseError(f"the vocabulary of {attribute.name!r} has a symbol twice")
        for word in words:
            attribute.require(word)
        found[attribute.name] = words
    for name in given:
        if name not in found:
            raise CaseBaseError(
                f"the vocabulary {name!r} does not belong to a symbolic attribute of the schema"
            )
    return found


def _codes(name: str, column: NDArray[Any], size: int) -> NDArray[np.int64]:
    if not np.issubdtype(column.dtype, np.integer):
        raise CaseBaseError(f"the column {name!r} holds {column.dtype}, not codes")
    wrong = (column < 0) | (column >= size)
    if wrong.any():
        row = int(wrong.argmax())
        raise CaseBaseError(f"row {row} of {name!r} is {column[row]}, but there are {size} codes from 0")
    return column.astype(np.int64)


def _numbers(attribute: Number, column: NDArray[Any]) -> NDArray[np.float64]:
    if not (np.issubdtype(column.dtype, np.floating) or np.issubdtype(column.dtype, np.integer)):
        raise CaseBaseError(f"the column {attribute.name!r} holds {column.dtype}, not numbers")
    numbers = column.astype(np.float64)
    wrong = ~np.isfinite(numbers)
    if attribute.whole:
        wrong |= numbers != np.floor(numbers)
    if attribute.low is not None:
        wrong |= numbers < attribute.low
    if attribute.high is not None:
        wrong |= numbers > attribute.high
    if wrong.any():
        row = int(wrong.argmax())
        try:
            attribute.require(float(numbers[row]))
        except ValueError as error:
            raise CaseBaseError(f"row {row}: {error}") from None
    numbers += 0.0
    return numbers


def _counts(name: str, columns: Columns) -> NDArray[Any]:
    column = columns[name]
    if not np.issubdtype(column.dtype, np.integer):
        raise CaseBaseError(f"the column {name!r} holds {column.dtype}, not counts")
    if (column < 0).any():
        raise CaseBaseError(f"row {int((column < 0).argmax())} of {name!r} is below 0")
    if (column > MOST_COUNT).any():
        raise CaseBaseError(f"row {int((column > MOST_COUNT).argmax())} of {name!r} is above {MOST_COUNT:,}")
    return column


def _require_merged(counts: NDArray[np.int64], known: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
    for wrong, what in (
        (counts.sum(axis=1) < 1, "has no decision"),
        ((known > counts).any(axis=1), "has more known outcomes than decisions"),
        (~np.isfinite(sums).all(axis=1), "has outcomes that are not finite"),
        (((known == 0) & (sums != 0.0)).any(axis=1), "has outcomes of decisions whose outcome is unknown"),
    ):
        if wrong.any():
            raise CaseBaseError(f"the case in row {int(wrong.argmax())} {what}")
