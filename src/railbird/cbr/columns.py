"""A case base as a dictionary of columns and back, without loss: the plain form for files.

Columns are the attributes by name (numbers as floats, symbols as codes into a vocabulary) and then

- of single cases: `solution`, a code into the schema's solutions, and `outcome`, NaN if unknown
- of merged cases: for every solution `count of …`, `known of …` and `outcomes of …`, the sum of the known outcomes
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.schema import Number, Schema, Symbol

Columns: TypeAlias = Mapping[str, NDArray[Any]]

MOST_COUNT = 2**36
"""Maximum number of decisions of one kind in a merged case: the sum over the largest pack does not overflow."""
SOLUTION, OUTCOME = "solution", "outcome"
_COUNT, _KNOWN, _SUM = "count of", "known of", "outcomes of"


def to_columns(base: CaseBase) -> dict[str, NDArray[Any]]:
    """The cases in columns: in the form of single cases if all are single, otherwise in that of merged cases."""
    return dict(each_column(base))


def each_column(base: CaseBase) -> Iterator[tuple[str, NDArray[Any]]]:
    """The columns of `to_columns` one by one, so that no others are in memory."""
    for place, attribute in enumerate(base.schema.attributes):
        column = base.values[:, place]
        yield attribute.name, column.astype(np.int32) if isinstance(attribute, Symbol) else column.copy()
    if base.is_single:
        solution = base.counts.argmax(axis=1)
        each = np.arange(len(base))
        yield SOLUTION, solution.astype(np.int32)
        yield OUTCOME, np.where(base.known[each, solution] > 0, base.sums[each, solution], np.nan)
        return
    for place, name in enumerate(base.schema.solutions):
        yield f"{_COUNT} {name}", base.counts[:, place].copy()
        yield f"{_KNOWN} {name}", base.known[:, place].copy()
        yield f"{_SUM} {name}", base.sums[:, place].copy()


def from_columns(
    schema: Schema, columns: Columns, vocabularies: Mapping[str, Sequence[str]] | None = None
) -> CaseBase:
    """The case base of such columns, with every value checked; `vocabularies` has symbols not listed in the schema."""
    single = SOLUTION in columns
    wanted = column_names(schema, single=single)
    for name in wanted:
        if name not in columns:
            raise CaseBaseError(f"there is no column {name!r}: there are {', '.join(columns)}")
    for name in columns:
        if name not in wanted:
            raise CaseBaseError(f"the column {name!r} is neither an attribute nor a solution")
    filling = Filling(schema, len(columns[wanted[0]]), vocabularies or {}, single=single)
    for name in wanted:
        filling.put(name, columns[name])
    return filling.finished()


def column_names(schema: Schema, *, single: bool) -> list[str]:
    """The names of all columns."""
    return [*schema.names, *solved_names(schema, single=single)]


def solved_names(schema: Schema, *, single: bool) -> list[str]:
    """The columns of solutions and outcomes."""
    if single:
        return [SOLUTION, OUTCOME]
    return [f"{kind} {name}" for name in schema.solutions for kind in (_COUNT, _KNOWN, _SUM)]


class Filling:
    """A case base that is filled column by column, in the order of `column_names`, so that no others are in memory."""

    def __init__(
        self, schema: Schema, count: int, vocabularies: Mapping[str, Sequence[str]], *, single: bool
    ) -> None:
        self._schema, self._count, self._single = schema, count, single
        self._words = _vocabularies(schema, vocabularies)
        shape = (count, len(schema.solutions))
        self._values: NDArray[np.float64] = np.empty((count, len(schema.attributes)))
        self._counts: NDArray[np.int64] = np.zeros(shape, np.int64)
        self._known: NDArray[np.int64] = np.zeros(shape, np.int64)
        self._sums: NDArray[np.float64] = np.zeros(shape)
        self._solution: NDArray[np.int64] = np.empty(0, np.int64)
        self._merged = {name: place for place, name in enumerate(solved_names(schema, single=False))}
        for name in (SOLUTION, OUTCOME, *solved_names(schema, single=single)):
            if name in schema.places:
                raise CaseBaseError(
                    f"an attribute cannot be called {name!r}: the name is reserved for another column"
                )

    def put(self, name: str, column: NDArray[Any]) -> None:
        """Check and add a column."""
        if column.shape != (self._count,):
            raise CaseBaseError(f"the column {name!r} has the shape {column.shape}, not {(self._count,)}")
        place = self._schema.places.get(name)
        if place is not None:
            attribute = self._schema.attributes[place]
            if isinstance(attribute, Symbol):
                self._values[:, place] = _codes(name, column, len(self._words[name]))
            else:
                self._values[:, place] = _numbers(attribute, column)
        elif not self._single:
            solution, kind = divmod(self._merged[name], 3)
            target = (self._counts, self._known, self._sums)[kind]
            target[:, solution] = column if target is self._sums else _counts(name, column)
        elif name == SOLUTION:
            self._solution = _codes(name, column, len(self._schema.solutions))
            self._counts[np.arange(self._count), self._solution] = 1
        else:
            self._put_outcomes(np.asarray(column, dtype=np.float64))

    def _put_outcomes(self, outcome: NDArray[np.float64]) -> None:
        if np.isinf(outcome).any():
            raise CaseBaseError(f"row {int(np.isinf(outcome).argmax())} of {OUTCOME!r} is infinite")
        rows = np.flatnonzero(~np.isnan(outcome))
        solution = self._solution[rows]
        self._known[rows, solution] = 1
        self._sums[rows, solution] = outcome[rows]

    def finished(self) -> CaseBase:
        """The case base of all columns."""
        if not self._single:
            _require_merged(self._counts, self._known, self._sums)
        return CaseBase.of_arrays(
            self._schema, self._values, self._counts, self._known, self._sums, self._words
        )


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


def _counts(name: str, column: NDArray[Any]) -> NDArray[Any]:
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
