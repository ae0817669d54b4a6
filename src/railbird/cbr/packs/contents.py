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
from railbird.cbr.columns import OUTCOME, SOLUTION, Filling, column_names
from railbird.cbr.packs.forms import Form
from railbird.cbr.packs.parquet import ParquetColumn, ParquetTable
from railbird.cbr.schema import Symbol

RiderColumn: TypeAlias = Sequence[str] | NDArray[np.object_]
"""Text for every case."""

BASE = "base"
LONGEST_TEXT = 64 * 1024
"""Maximum number of bytes of one rider."""
MOST_TEXT = 512 * 1024**2
"""Maximum number of bytes of all riders of one name; those of a million cases have ten million."""
_TOGETHER = 65_536
"""Number of riders that are texts at the same time while all of them are gone through."""


class Riders(Sequence[str]):
    """The riders of one name for some rows of a table."""

    def __init__(self, column: "_TextColumn", rows: slice) -> None:
        self._column, self._rows = column, rows

    def __len__(self) -> int:
        return int(self._rows.stop - self._rows.start)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        codes, words = self._column.texts
        found = codes[self._rows][place]
        return list(map(words.__getitem__, found.tolist())) if isinstance(place, slice) else words[found]

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), _TOGETHER):
            yield from self[first : first + _TOGETHER]


class _TextColumn:
    """A column of riders; errors name their origin, a file, if it is given."""

    def __init__(self, table: ParquetTable, name: str, origin: str) -> None:
        if not table.has_text(name):
            raise CaseBaseError(f"there is no text column {name!r} for the riders of that name")
        self._table, self._name, self._origin = table, name, origin

    @cached_property
    def texts(self) -> "_Texts":
        """The number of its word for every row, and the words."""
        try:
            return self._read()
        except ValueError as error:
            raise CaseBaseError(f"{self._origin}: {error}" if self._origin else str(error)) from None

    def _read(self) -> "_Texts":
        """Too long ones are refused, because a dictionary packs any length into few bytes."""
        column = self._table[self._name]
        del self._table  # The content of the file would stay in memory.
        words = (*(column.words or ()), "")
        codes = np.where(column.missing, len(words) - 1, column.values)
        counts = np.bincount(codes, minlength=len(words))
        lengths = np.array([len(word.encode()) for word in words], dtype=np.int64)
        if lengths[counts > 0].max(initial=0) > LONGEST_TEXT or counts @ lengths > MOST_TEXT:
            raise CaseBaseError(
                f"a rider {self._name!r} has more than {LONGEST_TEXT:,} bytes, "
                f"or all of them more than {MOST_TEXT:,}"
            )
        return codes.astype(np.min_scalar_type(len(words))), words


_Texts: TypeAlias = tuple[NDArray[Any], tuple[str, ...]]


def bases_of(table: ParquetTable, forms: Sequence[Form]) -> dict[str, CaseBase]:
    """The case bases of a table, which is read column by column."""
    fillings = [(form, rows, _filling(form)) for form, rows in _parts(table, forms)]
    wanted: dict[str, list[tuple[Form, slice, Filling]]] = {}
    for each in fillings:
        for name in column_names(each[0].schema, single=each[0].single):
            if name not in table:
                raise CaseBaseError(f"there is no column {name!r} for {each[0].name!r}")
            wanted.setdefault(name, []).append(each)
    for name, takers in wanted.items():
        column = table[name]
        for form, rows, filling in takers:
            filling.put(name, _column_of(column, name, rows, form))
    return {form.name: filling.finished() for form, _, filling in fillings}


def riders_of(table: ParquetTable, forms: Sequence[Form], origin: str) -> dict[str, dict[str, RiderColumn]]:
    """The riders of a table, by base and name; with the name of its file, they are read when the first is asked for."""
    columns = {name: _TextColumn(table, name, origin) for form in forms for name in form.riders}
    if not origin:
        for column in columns.values():
            _ = column.texts
    return {
        form.name: {name: Riders(columns[name], rows) for name in form.riders}
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


def _vocabularies(form: Form) -> dict[str, tuple[str, ...]]:
    listed = {
        attribute.name: attribute.values
        for attribute in form.schema.attributes
        if isinstance(attribute, Symbol)
    }
    return {**listed, **form.vocabularies}


def _filling(form: Form) -> Filling:
    return Filling(form.schema, form.cases, _vocabularies(form), single=form.single)


def _column_of(column: ParquetColumn, name: str, rows: slice, form: Form) -> NDArray[Any]:
    """The values of a base in a column: numbers, or the numbers of symbols in the vocabulary of the base."""
    words = {**_vocabularies(form), SOLUTION: form.schema.solutions}
    if (column.words is not None) != (name in words):
        wanted = "symbols" if name in words else "numbers"
        raise CaseBaseError(f"the column {name!r} does not hold {wanted}")
    part = ParquetColumn(column.values[rows], column.missing[rows], column.words)
    if name == OUTCOME and column.values.dtype == np.float64:
        return np.where(part.missing, np.nan, part.values)
    if part.missing.any():
        raise CaseBaseError(f"a value of {name!r} is missing in {form.name!r}")
    return _codes(part, words[name]) if name in words else part.values


def _codes(column: ParquetColumn, words: Sequence[str]) -> NDArray[np.int64]:
    """Symbols as numbers in a vocabulary, −1 for symbols that it does not have and for missing ones."""
    places = {word: place for place, word in enumerate(words)}
    codes = np.array([*(places.get(word, -1) for word in column.words or ()), -1], dtype=np.int64)
    return codes[np.where(column.missing, -1, column.values)]
