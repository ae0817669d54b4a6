"""JSON objects from untrusted sources, read and checked field by field; unknown fields are refused by name.

>>> fields = Fields("the view", {"seat": 1, "bord": "2c"})
>>> fields.number("seat", most=9)
1
>>> fields.finish()
Traceback (most recent call last):
    ...
railbird.fields.UnknownField: the view has no field 'bord'
>>> fields.text("board", default="")
''
"""

from collections.abc import Callable
from dataclasses import dataclass
from reprlib import Repr
from typing import Any, TypeVar

from railbird.plain_data import PlainDataError

LARGEST_NUMBER = 2**31 - 1
"""The default upper bound of numbers, such as chips."""
REQUIRED: Any = object()
"""Marks a field without a default."""

_Item = TypeVar("_Item")

_quoting = Repr()
_quoting.maxstring = _quoting.maxother = _quoting.maxlong = 60
_quoting.maxlevel = 2


class FieldError(PlainDataError):
    """An object with a missing field or an unexpected value."""


class UnknownField(FieldError):
    """An object with an unknown field."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits on the values of fields."""

    text: int
    """Maximum number of characters."""
    items: int
    """Maximum number of entries in a list."""
    number: int
    """The largest number."""
    is_printable: bool
    """Whether text must be printable."""


STRANGERS = Bounds(text=1000, items=1000, number=LARGEST_NUMBER, is_printable=True)
"""For messages of other programs."""
OURS = Bounds(text=2**63, items=2**63, number=2**63, is_printable=False)
"""For messages of our own processes, which pass on text chosen by users."""


def quoted(value: object) -> str:
    """A value, quoted and shortened for an error message."""
    return _quoting.repr(value).encode("ascii", "backslashreplace").decode()


class Fields:
    """The fields of one object; `where` names it in error messages. Read them all, then call `finish`."""

    def __init__(self, where: str, data: object, bounds: Bounds = STRANGERS) -> None:
        if type(data) is not dict:
            raise FieldError(f"{where} is {quoted(data)}, but an object is expected")
        self.where = where
        self.bounds = bounds
        self._data: dict[str, Any] = data
        self._known: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def finish(self) -> None:
        """Raise an error for fields that were not read."""
        for name in self._data:
            if name not in self._known:
                raise UnknownField(f"{self.where} has no field {quoted(name)}")

    def only_one_of(self, *names: str) -> None:
        """Raise an error for fields that exclude each other."""
        given = [name for name in names if name in self._data]
        if len(given) > 1:
            raise FieldError(f"{self.where} has {' and '.join(given)}, but only one of them is expected")

    def refuse(self, name: str, expected: str) -> FieldError:
        """The error for a field with an unexpected value."""
        if name not in self._data:
            return FieldError(f"{self.where} lacks the field {name!r}: {expected} is expected")
        found = quoted(self._data[name])
        return FieldError(f"{name} of {self.where} is {found}, but {expected} is expected")

    def text(self, name: str, default: str = REQUIRED) -> str:
        """Printable text."""
        return self._one(name, default, self._is_text, f"text of at most {self.bounds.text} characters")

    def number(self, name: str, default: int = REQUIRED, *, least: int = 0, most: int | None = None) -> int:
        """A whole number."""
        largest = self.bounds.number if most is None else most
        return self._one(
            name, default, _is_number(least, largest), f"a whole number between {least} and {largest}"
        )

    def flag(self, name: str, default: bool = REQUIRED) -> bool:
        """True or false."""
        return self._one(name, default, lambda value: type(value) is bool, "true or false")

    def data(self, name: str) -> Any:
        """A field that the caller checks; None if missing."""
        self._known.add(name)
        return self._data.get(name)

    def texts(self, name: str, default: tuple[str, ...] = REQUIRED) -> tuple[str, ...]:
        """A list of printable texts."""
        return self._all(name, default, self._is_text, f"texts of at most {self.bounds.text} characters")

    def numbers(self, name: str, default: tuple[int, ...] = REQUIRED) -> tuple[int, ...]:
        """A list of non-negative whole numbers."""
        return self._all(
            name, default, _is_number(0, self.bounds.number), "whole numbers that are not negative"
        )

    def writings(self, name: str) -> tuple[str, ...]:
        """A list of arbitrary texts; empty if missing."""
        return self._all(name, (), _is_unicode, "texts", LARGEST_NUMBER)

    def items(self, name: str, most: int | None = None) -> tuple[Any, ...]:
        """A list whose items the caller checks; empty if missing."""
        return self._all(name, (), lambda _: True, "entries", most)

    def _one(self, name: str, default: _Item, fits: Callable[[object], bool], expected: str) -> _Item:
        self._known.add(name)
        if name not in self._data and default is not REQUIRED:
            return default
        value: Any = self._data.get(name)
        if not fits(value):
            raise self.refuse(name, expected)
        found: _Item = value
        return found

    def _all(
        self,
        name: str,
        default: tuple[_Item, ...],
        fits: Callable[[object], bool],
        expected: str,
        most: int | None = None,
    ) -> tuple[_Item, ...]:
        self._known.add(name)
        if name not in self._data and default is not REQUIRED:
            return default
        values: Any = self._data.get(name)
        most = self.bounds.items if most is None else most
        if type(values) is not list or len(values) > most or not all(map(fits, values)):
            raise self.refuse(name, f"a list of at most {most} {expected}")
        return tuple(values)

    def _is_text(self, value: object) -> bool:
        return (
            type(value) is str
            and len(value) <= self.bounds.text
            and (value.isprintable() or not self.bounds.is_printable)
        )


def _is_number(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _is_unicode(value: object) -> bool:
    """Whether it is text that can be encoded, without lone surrogates."""
    return type(value) is str and (
        value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    )
