"""JSON from anybody, read with care: every field is checked when it is taken, what is left over is refused by name.

>>> fields = Fields("the view", read_json(b'{"seat": 1, "bord": "2c"}'))
>>> fields.number("seat", most=9)
1
>>> fields.finish()
Traceback (most recent call last):
railbird.interfaces.brain.fields.Refusal: the view has no field 'bord'
>>> fields.text("board", default="")
''
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from reprlib import Repr
from typing import Any, TypeVar

from railbird.engine.events import Chips

LARGEST_NUMBER = 2**31 - 1
"""The largest number of chips, and of most things."""
LARGEST_HAND_NUMBER = 2**53 - 1
"""The largest number that every reader of JSON knows exactly."""
LONGEST_TEXT = 1000
LONGEST_LIST = 1000

_Item = TypeVar("_Item")
_REQUIRED: Any = object()

_quoting = Repr()
_quoting.maxstring = _quoting.maxother = _quoting.maxlong = 60
_quoting.maxlevel = 2


class Code(Enum):
    """Why a request was refused: the code in the answer, and the status of HTTP that goes with it."""

    BAD_JSON = ("bad-json", 400)
    BAD_FIELD = ("bad-field", 400)
    UNKNOWN_FIELD = ("unknown-field", 400)
    BAD_HTTP = ("bad-http", 400)
    FORBIDDEN = ("forbidden", 403)
    NOT_FOUND = ("not-found", 404)
    NO_SESSION = ("no-session", 404)
    WRONG_METHOD = ("wrong-method", 405)
    NOT_NOW = ("not-now", 409)
    NO_LENGTH = ("no-length", 411)
    TOO_LARGE = ("too-large", 413)
    NOT_JSON = ("not-json", 415)
    BAD_AGENT = ("bad-agent", 422)
    UNSUITABLE_GAME = ("unsuitable-game", 422)
    AGENT_FAILED = ("agent-failed", 500)
    INTERNAL = ("internal", 500)
    FULL = ("full", 503)

    @property
    def text(self) -> str:
        """The code as it is sent."""
        return self.value[0]

    @property
    def status(self) -> int:
        """The status of the answer."""
        return self.value[1]


class Refusal(ValueError):
    """A request that is refused: one sentence with a code. `more` is what else the answer tells about it."""

    def __init__(self, code: Code, sentence: str, more: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.more = more or {}

    def to_json(self) -> dict[str, Any]:
        """The answer."""
        return {"code": self.code.text, "error": str(self), **self.more}


def read_json(body: bytes) -> object:
    """The data of a body: strict JSON in UTF-8, no name twice in an object, no NaN."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_object, parse_constant=_constant)
    except Refusal:
        raise
    except RecursionError:
        raise Refusal(Code.BAD_JSON, "the body is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise Refusal(Code.BAD_JSON, f"the body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Refusal(Code.BAD_JSON, f"the body is not JSON at {where}: {error.msg}") from None
    except ValueError:
        raise Refusal(Code.BAD_JSON, "the body has a number of too many digits") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise Refusal(Code.BAD_JSON, f"the field {quoted(twice)} stands twice in one object")
    return found


def _constant(name: str) -> Any:
    raise Refusal(Code.BAD_JSON, f"{name} is no number in JSON")


def quoted(value: object) -> str:
    """A value as it can stand in a sentence."""
    return _quoting.repr(value).encode("ascii", "backslashreplace").decode()


class Fields:
    """The fields of one object; `where` names it in sentences. Take them all, then `finish`."""

    def __init__(self, where: str, data: object) -> None:
        if type(data) is not dict:
            raise Refusal(Code.BAD_FIELD, f"{where} is {quoted(data)}, but an object is expected")
        self.where = where
        self._data: dict[str, Any] = data
        self._known: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._data

    def finish(self) -> None:
        """Refuse what nobody asked for."""
        for name in self._data:
            if name not in self._known:
                raise Refusal(Code.UNKNOWN_FIELD, f"{self.where} has no field {quoted(name)}")

    def only_one_of(self, *names: str) -> None:
        """Refuse fields that exclude each other."""
        given = [name for name in names if name in self._data]
        if len(given) > 1:
            raise Refusal(
                Code.BAD_FIELD, f"{self.where} has {' and '.join(given)}, but only one of them is expected"
            )

    def refuse(self, name: str, expected: str) -> Refusal:
        """The error for a field that is something else than expected."""
        if name not in self._data:
            return Refusal(Code.BAD_FIELD, f"{self.where} lacks the field {name!r}: {expected} is expected")
        found = quoted(self._data[name])
        return Refusal(Code.BAD_FIELD, f"{name} of {self.where} is {found}, but {expected} is expected")

    def text(self, name: str, default: str = _REQUIRED, longest: int = LONGEST_TEXT) -> str:
        """Printable text."""
        return self._one(name, default, _is_text(longest), f"text of at most {longest} characters")

    def number(
        self, name: str, default: int = _REQUIRED, *, least: int = 0, most: int = LARGEST_NUMBER
    ) -> int:
        """A whole number."""
        return self._one(name, default, _is_number(least, most), f"a whole number between {least} and {most}")

    def flag(self, name: str, default: bool = _REQUIRED) -> bool:
        """True or false."""
        return self._one(name, default, lambda value: type(value) is bool, "true or false")

    def data(self, name: str) -> Any:
        """A field that somebody else checks, None where there is none."""
        self._known.add(name)
        return self._data.get(name)

    def texts(
        self, name: str, default: tuple[str, ...] = _REQUIRED, longest: int = LONGEST_TEXT
    ) -> tuple[str, ...]:
        """A list of printable texts."""
        return self._all(name, default, _is_text(longest), f"texts of at most {longest} characters")

    def numbers(self, name: str, default: tuple[int, ...] = _REQUIRED) -> tuple[int, ...]:
        """A list of whole numbers that are not negative."""
        return self._all(name, default, _is_number(0, LARGEST_NUMBER), "whole numbers that are not negative")

    def writings(self, name: str) -> tuple[str, ...]:
        """A list of any texts of any length; empty where there is none."""
        return self._all(name, (), _is_unicode, "texts", LARGEST_NUMBER)

    def items(self, name: str, most: int = LONGEST_LIST) -> tuple[Any, ...]:
        """A list of what somebody else checks; empty where there is none."""
        return self._all(name, (), lambda _: True, "entries", most)

    def _one(self, name: str, default: _Item, fits: Callable[[object], bool], expected: str) -> _Item:
        self._known.add(name)
        if name not in self._data and default is not _REQUIRED:
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
        most: int = LONGEST_LIST,
    ) -> tuple[_Item, ...]:
        self._known.add(name)
        if name not in self._data and default is not _REQUIRED:
            return default
        values: Any = self._data.get(name)
        if type(values) is not list or len(values) > most or not all(map(fits, values)):
            raise self.refuse(name, f"a list of at most {most} {expected}")
        return tuple(values)


def _is_number(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _is_text(longest: int) -> Callable[[object], bool]:
    return lambda value: type(value) is str and len(value) <= longest and value.isprintable()


def _is_unicode(value: object) -> bool:
    """Whether it is text that can be written; half a surrogate pair cannot."""
    return type(value) is str and (
        value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    )


def chips(value: object) -> Chips | None:
    """A number of chips, or an exact fraction of them as text such as "7/2"; None where it is neither."""
    if type(value) is int:
        return value if abs(value) <= 10 * LARGEST_NUMBER else None
    if type(value) is not str or len(value) > 40:
        return None
    above, slash, below = value.removeprefix("-").partition("/")
    if not all(part.isascii() and part.isdigit() for part in (above, below)) or not slash or not int(below):
        return None
    return Fraction(value)
