"""JSON from untrusted sources: parsed and checked against an expected shape, with readable errors.

>>> read_json('{"hands": [7, "eight"]}')
{'hands': [7, 'eight']}
>>> require_like({"hands": [7, "eight"]}, {"hands": [0]}, "the file")
Traceback (most recent call last):
    ...
railbird.plain_data.PlainDataError: hands[1] of the file is text, but a whole number is expected
"""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

ANY_NAME = "*"
"""In an example for `require_like`: the object may have any names, and every value must match this one."""

_KINDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "nothing",
}
_encoder = json.JSONEncoder(separators=(",", ":"), default=str, allow_nan=False)


class PlainDataError(ValueError):
    """Text that is not valid JSON, or data that does not have the expected shape."""


def read_json(text: str | bytes, most_depth: int | None = None) -> Any:
    """Parse a JSON text; `most_depth` is the maximum nesting depth of lists and objects."""
    try:
        found = json.loads(text)
        if _may_have_half_characters(text):
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise PlainDataError("it contains an unpaired surrogate") from None
    except RecursionError:
        raise PlainDataError("its lists and objects are nested too deeply") from None
    except ValueError as error:
        raise PlainDataError(str(error)) from None
    if most_depth is not None:
        _require_depth(found, most_depth)
    return found


def write_json(data: Mapping[str, Any]) -> bytes:
    """A message as bytes: strict JSON in ASCII. What agents mention and JSON does not know becomes text."""
    try:
        return _encoder.encode(data).encode()
    except ValueError:
        return _encoder.encode(_finite(data)).encode()


def _finite(data: Any) -> Any:
    if isinstance(data, float) and not isfinite(data):
        return str(data)
    if isinstance(data, Mapping):
        return {name: _finite(value) for name, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data


def _may_have_half_characters(text: str | bytes) -> bool:
    if isinstance(text, str):
        return "\\ud" in text or "\\uD" in text
    return b"\\ud" in text or b"\\uD" in text


def _require_depth(data: Any, most: int) -> None:
    layer = [data] if isinstance(data, dict | list) else []
    for _ in range(most):
        layer = [
            part
            for each in layer
            for part in (each.values() if isinstance(each, dict) else each)
            if isinstance(part, dict | list)
        ]
        if not layer:
            return
    raise PlainDataError(f"its lists and objects are nested more than {most} levels deep")


def require_like(value: Any, example: Any, where: str, name: str = "") -> None:
    """Raise `PlainDataError` where data does not match an example.

    Values must have the example's type (an int is accepted for a float). Every item of a list must match the
    example's first item, if it has one. An object must have the example's names and may have others. A tuple lists
    alternative examples.
    """
    if isinstance(example, tuple):
        fitting = [each for each in example if _is_of_type(value, each)]
        if not fitting:
            expected = " or ".join(dict.fromkeys(_KINDS[type(each)] for each in example))
            raise PlainDataError(f"{_place(name, where)} is {_kind(value)}, but {expected} is expected")
        example = fitting[0]
    if not _is_of_type(value, example):
        raise PlainDataError(
            f"{_place(name, where)} is {_kind(value)}, but {_KINDS[type(example)]} is expected"
        )
    if isinstance(value, list) and example:
        first = example[0]
        is_plain = not first or not isinstance(first, list | dict)
        for place, part in enumerate(value):
            if not is_plain or type(part) is not type(first):
                require_like(part, first, where, f"{name}[{place}]")
    elif isinstance(value, dict):
        _require_object_like(value, example, where, name)


def _require_object_like(value: dict[str, Any], example: dict[str, Any], where: str, name: str) -> None:
    if ANY_NAME in example:
        for key, part in value.items():
            require_like(part, example[ANY_NAME], where, f"{name}.{key}" if name else key)
        return
    for key, part in example.items():
        inner = f"{name}.{key}" if name else key
        if key not in value:
            raise PlainDataError(f"{_place(inner, where)} is missing")
        require_like(value[key], part, where, inner)


def _is_of_type(value: Any, example: Any) -> bool:
    return type(value) is type(example) or (type(example) is float and type(value) is int)


def _kind(value: Any) -> str:
    return _KINDS[type(value)]


def _place(name: str, where: str) -> str:
    return f"{name} of {where}" if name else where
