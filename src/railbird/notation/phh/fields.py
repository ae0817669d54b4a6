"""The fields of a PHH hand as TOML: read, written, and values as the text of a note.

`parse_fields` reads the usual shapes of lines itself, because Python's TOML parser takes longer for a hand than
replaying it does, and leaves every other text to that parser. Both give the same values: text, whole numbers, booleans
and times as Python types, numbers with a decimal point as `Decimal` with all digits.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeAlias

from railbird.notation.reading import NotationError

Fields: TypeAlias = dict[str, Any]

_TEXT = r"[^'\x00-\x08\x0a-\x1f\x7f]*"
_WHOLE = r"(?:0|-?[1-9][0-9]{0,17})"
_NUMBER = rf"(?:{_WHOLE}(?:\.[0-9]{{1,18}})?|-0\.[0-9]{{1,18}}|inf)"
_USUAL_LINE = re.compile(
    rf"([A-Za-z0-9_-]+) = (?:'({_TEXT})'|({_WHOLE})|\[({_NUMBER}(?:, {_NUMBER})*)\]"
    rf"|\['({_TEXT}'(?:, '{_TEXT}')*)\]|(true|false)|([01][0-9]:[0-5][0-9]:[0-5][0-9])|({_NUMBER}))"
)
_LONGEST_REMEMBERED = 128
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_NAME = re.compile(rf"(?<![\w-])(?:{_PART}[ \t]*+\.[ \t]*+){{32}}")
"""A dotted name with so many parts that Python's parser would take seconds; no field has one."""
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LITERAL = re.compile(r"[ -&(-~]*")
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def parse_fields(lines: Sequence[str], first: int = 1) -> Fields:
    """The fields in lines of TOML; `first` is the number of the first line, for error messages."""
    fields: Fields = {}
    for line in lines:
        if not line or line.startswith("#"):
            continue
        name, value = _remembered_field(line) if len(line) <= _LONGEST_REMEMBERED else _field(line)
        if value is None or name in fields:
            return parse_toml("\n".join(lines), first)
        fields[name] = value
    return fields


def _field(line: str) -> tuple[str, Any]:
    """The name and the value in a line of a usual shape; no value in any other line."""
    found = _USUAL_LINE.fullmatch(line)
    if found is None:
        return "", None
    kind, name = found.lastindex, found[1]
    assert kind is not None
    value = found[kind]
    match kind:
        case 2:  # text
            return name, value
        case 3:  # a whole number
            return name, int(value)
        case 4:  # numbers
            return name, _numbers(value)
        case 5:  # texts
            return name, value[:-1].split("', '")
        case 6:  # true or false
            return name, value == "true"
        case 7:  # a time of day
            return name, time.fromisoformat(value)
    return name, _number(value)


_remembered_field = lru_cache(maxsize=4096)(_field)
"""Most short lines of a file are repeated from hand to hand. Their values are shared, and nobody changes them."""


def _numbers(text: str) -> list[int | Decimal]:
    parts = text.split(", ")
    return [_number(part) for part in parts] if "." in text or "inf" in text else list(map(int, parts))


def _number(text: str) -> int | Decimal:
    return int(text) if text.isdigit() or text[1:].isdigit() else Decimal(text)


def parse_toml(text: str, first: int = 1) -> Fields:
    """The same with Python's parser, which supports all of TOML."""
    if _LONG_NAME.search(text):
        raise NotationError("a name has more than 32 parts")
    try:
        return tomllib.loads(text + "\n", parse_float=Decimal)
    except RecursionError:
        raise NotationError("lists are nested too deeply") from None
    except (ValueError, ArithmeticError) as error:
        found = _PLACE.search(str(error))
        problem = _PLACE.sub("", str(error)) or type(error).__name__
        where = ""
        if found:
            where = f" at line {first + int(found[1]) - 1}, column {found[2]}" if found[1] else " at its end"
        raise NotationError(f"the text is not valid TOML{where}: {problem}") from None


def format_field(key: str, value: Any) -> str:
    """A line that `parse_fields` reads back."""
    return f"{format_key(key)} = {format_value(value)}"


def format_key(key: str) -> str:
    """A name, in quotes where it needs them."""
    return key if _BARE.fullmatch(key) else format_value(key)


def format_value(value: Any) -> str:
    """A value as TOML on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f"'{value}'" if _LITERAL.fullmatch(value) else f'"{"".join(map(_escape, value))}"'
        case Decimal():
            return _format_decimal(value)
        case int() | date() | datetime() | time():
            return str(value)
        case Mapping():
            pairs = ", ".join(format_field(key, inner) for key, inner in value.items())
            return f"{{{pairs}}}"
        case Sequence():
            return f"[{', '.join(map(format_value, value))}]"
    raise AssertionError(value)


def _format_decimal(value: Decimal) -> str:
    if value.is_nan():
        return "nan"
    if value.is_infinite():
        return "inf" if value > 0 else "-inf"
    text = str(value).replace("E", "e")
    return text if "." in text or "e" in text else f"{text}.0"


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable() and character != "\ufffd":
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def note_text(value: Any) -> str:
    """A value as the text of a note: text as it is, anything else as TOML.

    Text that could be taken for TOML is quoted, so that `note_value` restores every value.
    """
    return value if isinstance(value, str) and _as_toml(value) is None else format_value(value)


def note_value(text: str) -> Any:
    """The value whose note has this text."""
    value = _as_toml(text)
    return text if value is None else value


def _as_toml(text: str) -> Any:
    """The value that `note_text` writes as this text, None if there is none."""
    if not text or text[0] not in "0123456789+-'\"[{tfin":
        return None
    try:
        value = parse_toml(f"x = {text}").get("x")
        return value if format_value(value) == text else None
    except NotationError:
        return None
