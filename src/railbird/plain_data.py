"""Plain data of anybody: JSON that ends in a sentence where it is none, and is of the shape that a reader expects.

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
"""In an example of `require_like`: an object may have any names, and all their values are like this one."""

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
    """Text that is not JSON, or data of another shape than was expected."""


def read_json(text: str | bytes, most_depth: int | None = None) -> Any:
    """The data of a JSON text; with `most_depth` lists and objects lie no deeper in each other than so."""
    try:
        found = json.loads(text)
        if _may_have_half_characters(text):
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise PlainDataError("it names half a character, a surrogate without its other half") from None
    except RecursionError:
        raise PlainDataError("its lists and objects lie too deep in each other") from None
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
    raise PlainDataError(f"its lists and objects lie more than {most} deep in each other")


def require_like(value: Any, example: Any, where: str, name: str = "") -> None:
    """Refuse data that are not like an example, and say where.

    Values have the type of the example, where a number may be whole; parts of a list are like the first part of the
    example, where it has one; an object has the example's names, maybe among others. A tuple holds several examples.
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
