"""Explanations from plain data: the inverse of `to_json`, for every kind of section.

>>> from railbird.explanation.sections import SHARE, Bar, Bars, Deferred, Explanation, Fact
>>> values = Deferred(lambda: (Bars("expected values", (Bar("call", 1.0), Bar("raise", 2.5, 0.4))),))
>>> why = Explanation("Raising wins most.", (Fact("pot odds", 0.25, SHARE),), values)
>>> explanation_from_json(why.to_json()) == why
True
"""

from collections.abc import Mapping
from typing import Any

from railbird.explanation.ranges import ALL_COMBOS, Belief, RangeGrid
from railbird.explanation.sections import (
    Bar,
    Bars,
    Cell,
    Explanation,
    ExplanationError,
    Fact,
    Section,
    TableSection,
)


def explanation_from_json(data: Mapping[str, Any]) -> Explanation:
    """The explanation that `Explanation.to_json` wrote."""
    try:
        units = data.get("units", {})
        return Explanation(
            summary=_text("summary", data["summary"]),
            facts=tuple(
                Fact(name, _cell(name, value), _text("units", units.get(name, "")))
                for name, value in data["facts"].items()
            ),
            sections=tuple(section_from_json(section) for section in data["sections"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ExplanationError(f"not a valid explanation: {error!r}") from None


def section_from_json(data: Mapping[str, Any]) -> Section:
    """The section that its `to_json` wrote; `kind` says which it is."""
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
            units = tuple(_text("units", unit) for unit in data.get("units", ()))
            return TableSection(_text("title", data["title"]), columns, rows, units)
        case "range":
            return RangeGrid(
                _text("title", data["title"]),
                tuple(map(float, data["weights"])),
                tuple(map(int, data["combos"])) if "combos" in data else ALL_COMBOS,
                _text("measure", data.get("measure", "")),
            )
        case "belief":
            grid = section_from_json(data["grid"])
            parts = tuple(section_from_json(each) for each in data["bars"])
            if not isinstance(grid, RangeGrid):
                raise ExplanationError(f"a belief has a range as its grid, not {data['grid']['kind']!r}")
            if not all(isinstance(part, Bars) for part in parts):
                raise ExplanationError("a belief has a range and bars, nothing else")
            summary = _text("summary", data.get("summary", ""))
            return Belief(_text("label", data["label"]), grid, parts, summary)  # type: ignore[arg-type]
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
