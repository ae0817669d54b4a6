"""The structure of a case: typed attributes that describe a problem, and the possible solutions.

>>> schema = Schema((Symbol("noise"), Number("age", low=0)), ("oil", "replace"))
>>> schema.names
('noise', 'age')
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from types import MappingProxyType
from typing import TypeAlias

from railbird.spec import unknown

Value: TypeAlias = float | str
"""A value of an attribute: a number or a symbol."""

RESERVED = ("solution", "outcome")
"""Columns of a case base that are not attributes."""


class SchemaError(ValueError):
    """An invalid schema, or a description that does not match its schema."""


Words: TypeAlias = Callable[[Value], str]
"""Tells a value of an attribute as people read it."""


@dataclass(frozen=True, slots=True)
class Titles:
    """Words for the values that a table lists; others are told as they are."""

    by_value: Mapping[str, str]

    def __call__(self, value: Value) -> str:
        """A value in words."""
        return self.by_value.get(str(value), str(value))


@dataclass(frozen=True, slots=True)
class OutOf:
    """Words for places on a scale, counted from 1: "37 of 50"."""

    count: int

    def __call__(self, value: Value) -> str:
        """A value in words."""
        return f"{value:g} of {self.count}" if isinstance(value, float) else f"{value} of {self.count}"


@dataclass(frozen=True, slots=True)
class Number:
    """An attribute whose values are numbers, optionally whole numbers only, and within optional bounds."""

    name: str
    whole: bool = False
    low: float | None = None
    high: float | None = None
    words: Words | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and not self.low <= self.high:
            raise SchemaError(f"{self.name}: the lowest value {self.low} is above the highest, {self.high}")

    def require(self, value: Value) -> None:
        """Refuse what is no value of this attribute."""
        if isinstance(value, bool | str) or not isfinite(value):
            raise SchemaError(f"{self.name} must be a number, not {value!r}")
        if self.whole and value != int(value):
            raise SchemaError(f"{self.name} must be a whole number, not {value!r}")
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise SchemaError(f"{self.name} must be {self._between()}, not {value!r}")

    def _between(self) -> str:
        if self.low is None:
            return f"at most {self.high}"
        return f"at least {self.low}" if self.high is None else f"between {self.low} and {self.high}"


@dataclass(frozen=True, slots=True)
class Symbol:
    """An attribute whose values are names: those listed, or any if none are listed."""

    name: str
    values: tuple[str, ...] = ()
    words: Words | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(set(self.values)) != len(self.values):
            raise SchemaError(f"{self.name}: a value occurs twice in {', '.join(self.values)}")

    def require(self, value: Value) -> None:
        """Refuse what is no value of this attribute."""
        if not isinstance(value, str):
            raise SchemaError(f"{self.name} must be a name, not {value!r}")
        if self.values and value not in self.values:
            raise SchemaError(str(unknown(f"value of {self.name}", value, self.values)))


Attribute: TypeAlias = Number | Symbol


@dataclass(frozen=True)
class Schema:
    """The attributes of a description, in order, and the solutions, in the order in which ties go to them."""

    attributes: tuple[Attribute, ...]
    solutions: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.attributes or not self.solutions:
            raise SchemaError("a schema must have at least one attribute and one solution")
        for kind, names in (("attribute", self.names), ("solution", self.solutions)):
            for name in names:
                if not name or names.count(name) > 1:
                    raise SchemaError(f"the {kind} {name!r} has no name or occurs twice")
        for name in self.names:
            if name in RESERVED or name.partition(" of ")[2] in self.solutions:
                raise SchemaError(
                    f"an attribute cannot be called {name!r}: the name is reserved for a column of cases"
                )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The attributes' names."""
        return tuple(attribute.name for attribute in self.attributes)

    def told(self, name: str, value: Value) -> Value:
        """A value as people read it: in the words of its attribute, if it has any."""
        words = self.attributes[self.place(name)].words
        return value if words is None else words(value)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of every attribute, by name."""
        return MappingProxyType({name: place for place, name in enumerate(self.names)})

    @cached_property
    def solution_places(self) -> Mapping[str, int]:
        """The place of every solution, by name."""
        return MappingProxyType({name: place for place, name in enumerate(self.solutions)})

    def place(self, attribute: str) -> int:
        """The place of an attribute, which must be one of the schema."""
        place = self.places.get(attribute)
        if place is None:
            raise SchemaError(str(unknown("attribute", attribute, self.names)))
        return place

    def solution_place(self, solution: str) -> int:
        """The place of a solution, which must be one of the schema."""
        place = self.solution_places.get(solution)
        if place is None:
            raise SchemaError(str(unknown("solution", solution, self.solutions)))
        return place

    def require(self, description: Mapping[str, Value]) -> None:
        """Refuse a description with a missing or unknown attribute or an invalid value."""
        self.require_names(description)
        for attribute in self.attributes:
            attribute.require(description[attribute.name])

    def require_names(self, description: Mapping[str, Value]) -> None:
        """Refuse a description with a missing or unknown attribute."""
        if description.keys() != self.places.keys():
            for name in description:
                if name not in self.places:
                    raise SchemaError(str(unknown("attribute", name, self.names)))
            missing = next(name for name in self.names if name not in description)
            raise SchemaError(f"the description has no {missing!r}")
