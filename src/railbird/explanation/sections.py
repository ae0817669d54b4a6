"""Explanations, and the sections that any field can use.

- `Bars`: labelled values, such as the expected value of every action, with their standard errors
- `TableSection`: columns and rows, such as retrieved cases with the similarity of every attribute

Numbers carry their unit as data, so that every view writes them alike (`explanation.formats`): `SHARE` is a part of
one, written in per cent, `COUNT` a number of things; all other units are words in the plural, such as "chips". A
number without a unit is written as it is.

Most decisions are never looked at. Facts are cheap; sections that take time to compute are given as `Deferred`, which
makes them on first access.

>>> values = Deferred(lambda: (Bars("expected values", (Bar("call", 1.0), Bar("raise", 2.5, 0.4))),))
>>> why = Explanation("Raising wins most.", (Fact("pot odds", 0.25, SHARE),), values)
>>> [section.title for section in why.sections]
['expected values']
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol, TypeAlias, overload

Cell: TypeAlias = str | int | float
"""The value of a fact or of a cell of a table."""
SHARE = "share"
"""The unit of probabilities, similarities and other parts of one."""
COUNT = "count"
"""The unit of numbers of things that the name of the value states."""
CHIPS = "chips"
TIMES = "times"
SMALL_BETS = "small bets"
BIG_BLINDS = "big blinds"


class ExplanationError(ValueError):
    """Data that is not an explanation."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A named value on which a decision is based, such as "pot odds" and 0.25."""

    name: str
    value: Cell
    unit: str = ""


class Section(Protocol):
    """A part of an explanation that can be drawn on its own."""

    @property
    def title(self) -> str:
        """The title of the section."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The section as plain data; `kind` says which it is."""
        ...


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled value, with its standard error where it is an estimate."""

    label: str
    value: float
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """Labelled values that are compared with each other, all in the same unit."""

    title: str
    bars: tuple[Bar, ...]
    unit: str = ""

    def __post_init__(self) -> None:
        for bar in self.bars:
            if not isfinite(bar.value) or (bar.error is not None and not isfinite(bar.error)):
                raise ExplanationError(f"{self.title}: the bar {bar.label!r} is {bar.value} ± {bar.error}")

    def to_json(self) -> dict[str, Any]:
        """The bars as plain data."""
        rows = [{"label": bar.label, "value": bar.value, "error": bar.error} for bar in self.bars]
        return {"kind": "bars", "title": self.title, "unit": self.unit, "bars": rows}


@dataclass(frozen=True, slots=True)
class TableSection:
    """Rows of cells below named columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    units: tuple[str, ...] = ()
    """The unit of every column's numbers; empty if no column has one."""

    def __post_init__(self) -> None:
        if self.units and len(self.units) != len(self.columns):
            raise ExplanationError(f"{self.title}: {len(self.units)} units for {len(self.columns)} columns")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ExplanationError(
                    f"{self.title}: a row of {len(row)} cells below {len(self.columns)} columns"
                )

    def to_json(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "kind": "table",
            "title": self.title,
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "units": list(self.units),
        }


class Deferred(Sequence[Section]):
    """Sections that are made on first access.

    The data that `make` uses must not change after the decision.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Sequence[Section]]) -> None:
        self._make = make
        self._made: tuple[Section, ...] | None = None

    def _sections(self) -> tuple[Section, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    @overload
    def __getitem__(self, index: int) -> Section: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Section, ...]: ...

    def __getitem__(self, index: int | slice) -> Section | tuple[Section, ...]:
        return self._sections()[index]

    def __len__(self) -> int:
        return len(self._sections())

    def __iter__(self) -> Iterator[Section]:
        return iter(self._sections())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deferred | tuple) and self._sections() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._sections())

    def __repr__(self) -> str:
        return repr(self._sections())


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an agent acted as it did."""

    summary: str
    """One sentence a player understands."""
    facts: tuple[Fact, ...] = ()
    sections: Sequence[Section] = ()
    """A tuple, or `Deferred`."""

    def to_json(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "summary": self.summary,
            **facts_to_json(self.facts),
            "sections": [section.to_json() for section in self.sections],
        }


def facts_to_json(facts: Sequence[Fact]) -> dict[str, Any]:
    """Facts as plain data: their values by name, and the units of those that have one."""
    units = {str(fact.name): fact.unit for fact in facts if fact.unit}
    return {"facts": {str(fact.name): fact.value for fact in facts}, **({"units": units} if units else {})}


UNEXPLAINED = Explanation("This agent gives no reasons.")
