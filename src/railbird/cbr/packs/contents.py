"""The case bases of a pack and their riders, from the columns of its table, with every value checked.

Riders explain cases, so most programs never ask for them, and their texts take more time to read than all cases. Those
of trusted files are read when the first of them is asked for.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.columns import from_columns
from railbird.cbr.packs.forms import Form
from railbird.cbr.packs.parquet import ParquetColumn, ParquetTable
from railbird.cbr.schema import Schema, Symbol

RiderColumn: TypeAlias = Sequence[str] | NDArray[np.object_]
"""Text for every case."""

BASE, SOLUTION, OUTCOME = "base", "solution", "outcome"
LONGEST_TEXT = 64 * 1024
"""Maximum number of bytes of one rider."""
MOST_TEXT = 512 * 1024**2
"""Maximum number of bytes of all riders of one name; those of a million cases have ten million."""


def solved_columns(schema: Schema, *, single: bool) -> list[str]:
    """The columns of solutions and outcomes."""
    if single:
        return [SOLUTION, OUTCOME]
    return [f"{kind} of {name}" for name in schema.solutions for kind in ("count", "known", "outcomes")]


class Riders(Sequence[str]):
    """The riders of one name for the cases of a base; errors name their origin, a file, if it is given."""

    def __init__(self, table: ParquetTable, name: str, rows: slice, origin: str) -> None:
        if not table.has_text(name):
            raise CaseBaseError(f"there is no text column {name!r} for the riders of that name")
        self._table, self._name, self._rows, self._origin = table, name, rows, origin

    def __len__(self) -> int:
        return int(self._rows.stop - self._rows.start)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        found: str | list[str] = self._texts[place]
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        try:
            return self._read()
        except ValueError as error:
            raise CaseBaseError(f"{self._origin}: {error}" if self._origin else str(error)) from None

    def _read(self) -> list[str]:
        """Too long ones are refused, because a dictionary packs any length into few bytes."""
        column = self._table[self._name]
        words = [*(column.words or ()), ""]
        places = np.where(column.missing, len(words) - 1, column.values)[self._rows]
        lengths = np.array([len(word.encode()) for word in words], dtype=np.int64)[places]
        if len(places) != len(self):
            raise CaseBaseError(f"{len(self)} cases have {len(places)} riders {self._name!r}")
        if lengths.max(initial=0) > LONGEST_TEXT or lengths.sum() > MOST_TEXT:
            raise CaseBaseError(
                f"a rider {self._name!r} has more than {LONGEST_TEXT:,} bytes, "
                f"or all of them more than {MOST_TEXT:,}"
            )
        return [words[each] for each in places.tolist()]


def bases_of(table: ParquetTable, forms: Sequence[Form]) -> dict[str, CaseBase]:
    """The case bases of a table."""
    return {form.name: _base_of(table, rows, form) for form, rows in _parts(table, forms)}


def riders_of(table: ParquetTable, forms: Sequence[Form], origin: str) -> dict[str, dict[str, RiderColumn]]:
    """The riders of the table of a file, by base and name."""
    return {
        form.name: {name: Riders(table, name, rows, origin) for name in form.riders}
        for form, rows in _parts(table, forms)
    }


def _parts(table: ParquetTable, forms: Sequence[Form]) -> list[tuple[Form, slice]]:
    """The rows of every base."""
    if not table.has_text(BASE):
        raise CaseBaseError(f"there is no column of symbols {BASE!r}")
    column = table[BASE]
    if len({form.name for form in forms}) != len(forms):
        raise CaseBaseError("a base occurs twice")
    names = _codes(column, [form.name for form in forms])
    parts = []
    first = 0
    for number, form in enumerate(forms):
        rows = slice(first, first + form.cases)
        if len(names[rows]) != form.cases or (names[rows] != number).any():
            raise CaseBaseError(f"{form.cases} cases of {form.name!r} are expected from row {first}")
        parts.append((form, rows))
        first += form.cases
    if first != len(names):
        raise CaseBaseError(f"there are {len(names)} cases, but {first} are expected")
    return parts


def _base_of(table: ParquetTable, rows: slice, form: Form) -> CaseBase:
    listed = {
        attribute.name: attribute.values
        for attribute in form.schema.attributes
        if isinstance(attribute, Symbol)
    }
    vocabularies = {**listed, **form.vocabularies}
    words = {**vocabularies, SOLUTION: form.schema.solutions}
    columns: dict[str, NDArray[Any]] = {}
    for name in (*form.schema.names, *solved_columns(form.schema, single=form.single)):
        if name not in table:
            raise CaseBaseError(f"there is no column {name!r} for {form.name!r}")
        column = table[name]
        if (column.words is not None) != (name in words):
            wanted = "symbols" if name in words else "numbers"
            raise CaseBaseError(f"the column {name!r} does not hold {wanted}")
        if name == OUTCOME and column.values.dtype == np.float64:
            columns[name] = np.where(column.missing, np.nan, column.values)[rows]
            continue
        if column.missing[rows].any():
            raise CaseBaseError(f"a value of {name!r} is missing in {form.name!r}")
        columns[name] = (_codes(column, words[name]) if name in words else column.values)[rows]
    return from_columns(form.schema, columns, vocabularies)


def _codes(column: ParquetColumn, words: Sequence[str]) -> NDArray[np.int64]:
    """Symbols as numbers in a vocabulary, −1 for symbols that it does not have and for missing ones."""
    places = {word: place for place, word in enumerate(words)}
    codes = np.array([*(places.get(word, -1) for word in column.words or ()), -1], dtype=np.int64)
    return codes[np.where(column.missing, -1, column.values)]
