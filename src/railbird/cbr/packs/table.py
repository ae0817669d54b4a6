"""The case bases of a pack as one table, and back.

The rows are the cases of all bases, in order. The columns:

- `base`: the name of the case base
- the attributes of all bases by name: symbols as text in dictionary columns; whole numbers as integers, others as
  64-bit floats; null if a base does not have the attribute
- `solution` and `outcome` of single cases, null if the outcome is unknown; of merged cases `count of …`,
  `known of …` and `outcomes of …` for every solution, as in `columns`
- the riders by name, as text

Whole numbers above 2⁵³, which floats cannot represent exactly, remain floats.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.columns import from_columns, to_columns
from railbird.cbr.packs.forms import Form
from railbird.cbr.schema import Attribute, Number, Schema, Symbol

RiderColumn: TypeAlias = Sequence[str] | pl.Series
"""Text for every case."""

BASE, SOLUTION, OUTCOME = "base", "solution", "outcome"
_EXACT = 2.0**53
LONGEST_TEXT = 64 * 1024
"""Maximum number of bytes of one rider."""
MOST_TEXT = 512 * 1024**2
"""Maximum number of bytes of all riders of one name; those of a million cases have ten million."""


# To a table


def table_of(bases: Mapping[str, CaseBase], riders: Mapping[str, Mapping[str, RiderColumn]]) -> pl.DataFrame:
    """All cases, base by base."""
    _require_names(bases, riders)
    types = _column_types(bases)
    tables = [_table_of_base(name, base, riders.get(name, {}), types) for name, base in bases.items()]
    table = pl.concat(tables, how="diagonal") if tables else pl.DataFrame(schema={BASE: types[BASE]})
    described = [name for base in bases.values() for name in base.schema.names]
    last = [name for columns in riders.values() for name in columns]
    solved = [name for name in table.columns if name not in {BASE, *described, *last}]
    return table.select(list(dict.fromkeys([BASE, *described, *solved, *last])))


def _require_names(bases: Mapping[str, CaseBase], riders: Mapping[str, Mapping[str, RiderColumn]]) -> None:
    kinds: dict[str, type[Attribute]] = {}
    solved: set[str] = set()
    for base in bases.values():
        solved.update(_solved(base.schema, single=True) + _solved(base.schema, single=False))
        for attribute in base.schema.attributes:
            kind = kinds.setdefault(attribute.name, type(attribute))
            if kind is not type(attribute):
                raise CaseBaseError(f"{attribute.name!r} is a number in one base and a symbol in another")
    for name in kinds:
        if name == BASE or name in solved:
            raise CaseBaseError(
                f"an attribute cannot be called {name!r}: the name is reserved for a column of every pack"
            )
    for columns in riders.values():
        for name in columns:
            if name == BASE or name in solved or name in kinds:
                raise CaseBaseError(f"a rider cannot be called {name!r}: another column has this name")


def _solved(schema: Schema, *, single: bool) -> list[str]:
    """The columns of solutions and outcomes."""
    if single:
        return [SOLUTION, OUTCOME]
    return [f"{kind} of {name}" for name in schema.solutions for kind in ("count", "known", "outcomes")]


def _column_types(bases: Mapping[str, CaseBase]) -> dict[str, pl.DataType]:
    """A column has the same type for all bases: dictionaries contain the symbols of all of them."""
    words: dict[str, dict[str, None]] = {BASE: dict.fromkeys(bases), SOLUTION: {}}
    numbers: dict[str, pl.DataType] = {}
    for base in bases.values():
        words[SOLUTION].update(dict.fromkeys(base.schema.solutions))
        for name, symbols in base.vocabularies().items():
            words.setdefault(name, {}).update(dict.fromkeys(symbols))
        for place, attribute in enumerate(base.schema.attributes):
            if isinstance(attribute, Number):
                column = base.values[:, place]
                integers = attribute.whole and bool((np.abs(column) <= _EXACT).all())
                if not integers or attribute.name not in numbers:
                    numbers[attribute.name] = pl.Int64() if integers else pl.Float64()
    return numbers | {name: pl.Enum(list(symbols)) for name, symbols in words.items()}


def _table_of_base(
    name: str, base: CaseBase, riders: Mapping[str, RiderColumn], types: Mapping[str, pl.DataType]
) -> pl.DataFrame:
    found = [pl.Series(BASE, [name], dtype=types[BASE]).new_from_index(0, len(base))]
    words = {**base.vocabularies(), SOLUTION: base.schema.solutions}
    for column, values in to_columns(base).items():
        if column in words:
            found.append(pl.Series(column, words[column], dtype=types[column]).gather(values))
        elif column == OUTCOME:
            found.append(pl.Series(column, values, nan_to_null=True))
        else:
            found.append(pl.Series(column, values).cast(types.get(column, pl.Series(values).dtype)))
    found += [pl.Series(rider, texts, dtype=pl.String) for rider, texts in riders.items()]
    return pl.DataFrame(found)


# And back


def bases_of(table: pl.DataFrame, forms: Sequence[Form]) -> dict[str, CaseBase]:
    """The case bases of a table, with every value checked."""
    return {form.name: _base_of(part, form) for form, part in _parts(table, forms)}


def riders_of(table: pl.DataFrame, forms: Sequence[Form]) -> dict[str, dict[str, RiderColumn]]:
    """The riders of a table, by base and name."""
    for name in dict.fromkeys(name for form in forms for name in form.riders):
        _require_text(table, name)
    return {form.name: {name: part[name] for name in form.riders} for form, part in _parts(table, forms)}


def _require_text(table: pl.DataFrame, name: str) -> None:
    """Refuse a column that is not text, or is too long for a pack: a dictionary packs any length into few bytes."""
    if name not in table.columns or table.schema[name] != pl.String:
        raise CaseBaseError(f"there is no text column {name!r} for the riders of that name")
    lengths = table[name].str.len_bytes().fill_null(0).to_numpy()
    if lengths.max(initial=0) > LONGEST_TEXT or lengths.sum(dtype=np.int64) > MOST_TEXT:
        raise CaseBaseError(
            f"a rider {name!r} has more than {LONGEST_TEXT:,} bytes, or all of them more than {MOST_TEXT:,}"
        )


def _parts(table: pl.DataFrame, forms: Sequence[Form]) -> list[tuple[Form, pl.DataFrame]]:
    if BASE not in table.columns or not isinstance(table.schema[BASE], pl.Enum):
        raise CaseBaseError(f"there is no column of symbols {BASE!r}")
    if len({form.name for form in forms}) != len(forms):
        raise CaseBaseError("a base occurs twice")
    parts = []
    first = 0
    for form in forms:
        part = table.slice(first, form.cases)
        if len(part) != form.cases or not (part[BASE] == form.name).all():
            raise CaseBaseError(f"{form.cases} cases of {form.name!r} are expected from row {first}")
        parts.append((form, part))
        first += form.cases
    if first != len(table):
        raise CaseBaseError(f"there are {len(table)} cases, but {first} are expected")
    return parts


def _base_of(part: pl.DataFrame, form: Form) -> CaseBase:
    listed = {
        attribute.name: attribute.values
        for attribute in form.schema.attributes
        if isinstance(attribute, Symbol)
    }
    vocabularies = {**listed, **form.vocabularies}
    words = {**vocabularies, SOLUTION: form.schema.solutions}
    columns: dict[str, NDArray[Any]] = {}
    for name in (*form.schema.names, *_solved(form.schema, single=form.single)):
        if name not in part.columns:
            raise CaseBaseError(f"there is no column {name!r} for {form.name!r}")
        series = part[name]
        if name == OUTCOME and series.dtype != pl.Float64:
            raise CaseBaseError(f"the column {name!r} holds {series.dtype}, not numbers")
        if name == OUTCOME:
            series = series.fill_null(float("nan"))
        if series.has_nulls():
            raise CaseBaseError(f"a value of {name!r} is missing in {form.name!r}")
        columns[name] = _codes(series, words[name]) if name in words else series.to_numpy()
    return from_columns(form.schema, columns, vocabularies)


def _codes(series: pl.Series, words: Sequence[str]) -> NDArray[np.int32]:
    """Symbols as numbers in the vocabulary of a base, −1 for symbols that it does not have."""
    if not isinstance(series.dtype, pl.Enum):
        raise CaseBaseError(f"the column {series.name!r} holds {series.dtype}, not symbols")
    places = {word: place for place, word in enumerate(words)}
    codes = np.array([places.get(word, -1) for word in series.dtype.categories], dtype=np.int32)
    found: NDArray[np.int32] = codes[series.to_physical().to_numpy()]
    return found
