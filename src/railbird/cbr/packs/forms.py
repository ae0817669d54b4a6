"""Information about bases that is not in the table of a pack: schemas, order of symbols, numbers of rows.

A form is stored as JSON and read as untrusted data: the type of every field is checked, and no base may take more
memory than a pack can.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from railbird.cbr.case_base import CaseBase, CaseBaseError
from railbird.cbr.packs.bounds import MOST_COLUMNS, PackBounds
from railbird.cbr.schema import Attribute, Number, Schema, Symbol
from railbird.plain_data import ANY_NAME, require_like

_SHAPE = {
    "name": "",
    "attributes": [{"name": "", "kind": ""}],
    "solutions": [""],
    "vocabularies": {ANY_NAME: [""]},
    "cases": 0,
    "single": True,
    "riders": [""],
}
_SYMBOL_SHAPE = {"name": "", "kind": "", "values": [""]}
_NUMBER_SHAPE = {"name": "", "kind": "", "whole": True, "low": (None, 0.0), "high": (None, 0.0)}


@dataclass(frozen=True, slots=True)
class Form:
    """Information about a base that is not in the table."""

    name: str
    schema: Schema
    vocabularies: Mapping[str, tuple[str, ...]]
    """The symbols by number, for attributes whose schema does not list them in this order."""
    cases: int
    single: bool
    riders: tuple[str, ...]

    @classmethod
    def of(cls, name: str, base: CaseBase, riders: Mapping[str, object]) -> "Form":
        """The form of a base."""
        listed = {
            attribute.name: attribute.values
            for attribute in base.schema.attributes
            if isinstance(attribute, Symbol)
        }
        own = {key: words for key, words in base.vocabularies().items() if words != listed[key]}
        return cls(name, base.schema, own, len(base), base.is_single, tuple(riders))

    def require_bounds(self, where: str, most: PackBounds) -> None:
        """Refuse a base of more values than a pack may hold."""
        _require_bounds(self.cases, len(self.schema.attributes), len(self.schema.solutions), where, most)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "attributes": [_attribute_to_json(attribute) for attribute in self.schema.attributes],
            "solutions": list(self.schema.solutions),
            "vocabularies": {name: list(words) for name, words in self.vocabularies.items()},
            "cases": self.cases,
            "single": self.single,
            "riders": list(self.riders),
        }

    @classmethod
    def from_json(cls, data: Any, where: str, most: PackBounds) -> "Form":
        """The form of untrusted plain data in the form of `to_json`; `where` is used in error messages."""
        require_like(data, _SHAPE, where)
        attributes = data["attributes"]
        _require_bounds(data["cases"], len(attributes), len(data["solutions"]), where, most)
        return cls(
            data["name"],
            Schema(
                tuple(_attribute_from_json(each, f"attribute {each['name']!r}") for each in attributes),
                tuple(data["solutions"]),
            ),
            {name: tuple(words) for name, words in data["vocabularies"].items()},
            data["cases"],
            data["single"],
            tuple(data["riders"]),
        )


def _require_bounds(cases: int, attributes: int, solutions: int, where: str, most: PackBounds) -> None:
    if not 0 <= cases * (attributes + 3 * solutions) <= most.cells or attributes > MOST_COLUMNS:
        raise CaseBaseError(
            f"{where} has {cases:,} cases of {attributes:,} attributes and {solutions:,} solutions, "
            f"more than {most.cells:,} values in all"
        )


def _attribute_to_json(attribute: Attribute) -> dict[str, Any]:
    if isinstance(attribute, Symbol):
        return {"name": attribute.name, "kind": "symbol", "values": list(attribute.values)}
    bounds = {"whole": attribute.whole, "low": attribute.low, "high": attribute.high}
    return {"name": attribute.name, "kind": "number", **bounds}


def _attribute_from_json(data: dict[str, Any], where: str) -> Attribute:
    match data["kind"]:
        case "symbol":
            require_like(data, _SYMBOL_SHAPE, where)
            return Symbol(data["name"], tuple(data["values"]))
        case "number":
            require_like(data, _NUMBER_SHAPE, where)
            low, high = (_bound(data[end], where) for end in ("low", "high"))
            return Number(data["name"], data["whole"], low, high)
    raise CaseBaseError(f"{where} must be a symbol or a number, not {data['kind']!r}")


def _bound(value: float | None, where: str) -> float | None:
    try:
        if value is None or isfinite(value):
            return value
    except OverflowError:  # a whole number with hundreds of digits
        pass
    raise CaseBaseError(f"{where} has a bound that is not a finite number")
