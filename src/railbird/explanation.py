"""Why an agent acted so, as data: text, JSON and the web table draw the same object without knowing the agent.

An explanation is a sentence, some facts, and sections of a small closed set:

- `Bars`: labelled values, such as the expected value of every action, with their standard errors
- `Table`: columns and rows, such as retrieved cases with the similarity of every attribute
- `RangeGrid`: how much each of the 169 starting hands weighs
- `Belief`: what an opponent may hold: a range grid, and bars such as the most probable holdings

An agent decides far more often than anybody asks why. Facts are cheap; sections that cost time are given as
`Deferred`, which makes them when they are looked at first.

>>> values = Deferred(lambda: (Bars("expected values", (Bar("call", 1.0), Bar("raise", 2.5, 0.4))),))
>>> why = Explanation("Raising wins most.", (Fact("pot odds", 0.25),), values)
>>> [section.title for section in why.sections]
['expected values']
>>> Explanation.from_json(why.to_json()) == why
True
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from railbird.hands.holdings import CLASS_OF_HOLDING, CLASS_SIZES, CLASSES, HOLDINGS

Cell: TypeAlias = str | int | float
"""What stands in a fact or in a cell of a table."""


class ExplanationError(ValueError):
    """Data that is no explanation."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a decision rested on: a name and a value, such as "pot odds" and 0.25."""

    name: str
    value: Cell


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


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below named columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ExplanationError(
                    f"{self.title}: a row of {len(row)} cells below {len(self.columns)} columns"
                )


@dataclass(frozen=True, slots=True)
class RangeGrid:
    """How much each of the 169 starting hands weighs, in the order of `hands.holdings`: the usual grid, row by row."""

    title: str
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != CLASSES:
            raise ExplanationError(f"{self.title}: {len(self.weights)} weights for {CLASSES} starting hands")
        if not all(isfinite(weight) and weight >= 0 for weight in self.weights):
            raise ExplanationError(f"{self.title}: weights of starting hands are finite and not negative")

    @classmethod
    def of(cls, title: str, weights: NDArray[np.float64]) -> "RangeGrid":
        """The grid of weights over the 1,326 holdings: for every starting hand the mean of its holdings' weights."""
        if weights.shape != (HOLDINGS,):
            raise ExplanationError(f"{title}: weights of shape {weights.shape} for {HOLDINGS:,} holdings")
        means = np.bincount(CLASS_OF_HOLDING, weights, minlength=CLASSES) / CLASS_SIZES
        return cls(title, tuple(means.tolist()))


@dataclass(frozen=True, slots=True)
class Belief:
    """What an opponent, or anybody else, is believed to hold."""

    label: str
    grid: RangeGrid
    bars: tuple[Bars, ...] = ()

    @property
    def title(self) -> str:
        """Whose cards these are."""
        return self.label


Section: TypeAlias = Bars | Table | RangeGrid | Belief
"""A part of an explanation that can be drawn by itself."""


class Deferred(Sequence[Section]):
    """Sections that are made when somebody looks at them.

    What `make` uses must not change after the decision.
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
    """Why an agent acted so."""

    summary: str
    """One sentence a player understands."""
    facts: tuple[Fact, ...] = ()
    sections: Sequence[Section] = ()
    """A tuple, or `Deferred`."""

    def to_json(self) -> dict[str, Any]:
        """The explanation as plain data."""
        return {
            "summary": self.summary,
            "facts": {fact.name: fact.value for fact in self.facts},
            "sections": [section_to_json(section) for section in self.sections],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Explanation":
        """The explanation that `to_json` wrote."""
        try:
            return cls(
                summary=_text("summary", data["summary"]),
                facts=tuple(Fact(name, _cell(name, value)) for name, value in data["facts"].items()),
                sections=tuple(section_from_json(section) for section in data["sections"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ExplanationError(f"this is no explanation in plain data: {error!r}") from None


UNEXPLAINED = Explanation("This agent gives no reasons.")


def section_to_json(section: Section) -> dict[str, Any]:
    """A section as plain data; `kind` says which of the set it is."""
    match section:
        case Bars(title, bars, unit):
            rows = [{"label": bar.label, "value": bar.value, "error": bar.error} for bar in bars]
            return {"kind": "bars", "title": title, "unit": unit, "bars": rows}
        case Table(title, columns, rows):
            return {
                "kind": "table",
                "title": title,
                "columns": list(columns),
                "rows": [list(row) for row in rows],
            }
        case RangeGrid(title, weights):
            return {"kind": "range", "title": title, "weights": list(weights)}
        case Belief(label, grid, bars):
            return {
                "kind": "belief",
                "label": label,
                "grid": section_to_json(grid),
                "bars": [section_to_json(each) for each in bars],
            }


def section_from_json(data: Mapping[str, Any]) -> Section:
    """The section that `section_to_json` wrote."""
    match data["kind"]:
        case "bars":
            bars = tuple(
                Bar(_text("label", bar["label"]), float(bar["value"]), _error(bar["error"]))
                for bar in data["bars"]
            )
            return Bars(_text("title", data["title"]), bars, _text("unit", data["unit"]))
        case "table":
            columns = tuple(_text("columns", column) for column in data["columns"])
            rows = tuple(tuple(_cell("rows", cell) for cell in row) for row in data["rows"])
            return Table(_text("title", data["title"]), columns, rows)
        case "range":
            return RangeGrid(_text("title", data["title"]), tuple(map(float, data["weights"])))
        case "belief":
            grid = section_from_json(data["grid"])
            parts = tuple(section_from_json(each) for each in data["bars"])
            if not isinstance(grid, RangeGrid):
                raise ExplanationError(f"a belief has a range as its grid, not {data['grid']['kind']!r}")
            if not all(isinstance(part, Bars) for part in parts):
                raise ExplanationError("a belief has a range and bars, nothing else")
            return Belief(_text("label", data["label"]), grid, parts)  # type: ignore[arg-type]
        case other:
            raise ExplanationError(f"a section is bars, a table, a range or a belief, not {other!r}")


def _text(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise ExplanationError(f"{field} of an explanation is text, not {value!r}")
    return value


def _cell(field: str, value: object) -> Cell:
    if not isinstance(value, str | int | float):
        raise ExplanationError(f"{field} of an explanation is text or a number, not {value!r}")
    return value


def _error(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]
