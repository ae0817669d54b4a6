"""The case bases of a pack as one table of Polars, which writes it.

The rows are the cases of all bases, in order. The columns:

- `base`: the name of the case base
- the attributes of all bases by name: symbols as text in dictionary columns; whole numbers as integers, others as
  64-bit floats; null if a base does not have the attribute
- `solution` and `outcome` of single cases, null if the outcome is unknown; of merged cases `count of …`,
  `known of …` and `outcomes of …` for every solution, as in `columns`
- the riders by name, as text

Whole numbers above 2⁵³, which floats cannot represent exactly, remain floats.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.columns import OUTCOME, SOLUTION, each_column, solved_names
from railbird.cbr.packs.contents import BASE, RiderColumn
from railbird.cbr.schema import Attribute, Number

_EXACT = 2.0**53


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
        solved.update(solved_names(base.schema, single=True) + solved_names(base.schema, single=False))
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
    for column, values in each_column(base):
        if column in words:
            found.append(pl.Series(column, words[column], dtype=types[column]).gather(values))
        elif column == OUTCOME:
            found.append(pl.Series(column, values, nan_to_null=True))
        else:
            found.append(pl.Series(column, values).cast(types.get(column, pl.Series(values).dtype)))
    found += [pl.Series(rider, list(texts), dtype=pl.String) for rider, texts in riders.items()]
    return pl.DataFrame(found)
