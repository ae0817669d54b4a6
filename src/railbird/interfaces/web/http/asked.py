"""Validated parameters of a request's URL; an invalid one is answered with a sentence."""

from math import isfinite
from typing import TypeVar

import msgspec
from fastapi import Request

from railbird.interfaces.web.web import HttpRefusal

MOST_BYTES = 8 * 1024
"""Maximum size of a JSON document in a URL."""
_DIGITS = 12
_QUOTED = 40

_Wanted = TypeVar("_Wanted")


def not_found(sentence: object) -> HttpRefusal:
    """The response to a request for something that does not exist."""
    return HttpRefusal(404, str(sentence))


def wrong(sentence: object) -> HttpRefusal:
    """The response to an invalid request."""
    return HttpRefusal(422, str(sentence))


def whole_number(request: Request, name: str, otherwise: int, least: int, most: int) -> int:
    """A whole number between bounds."""
    text = request.query_params.get(name)
    if text is None:
        return otherwise
    is_number = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    if not is_number or not least <= int(text) <= most:
        raise wrong(f"{name} must be a whole number from {least:,} to {most:,}, not {text[:_QUOTED]!r}")
    return int(text)


def share(request: Request, name: str) -> float | None:
    """A number between 0 and 1, None if it is absent."""
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not (isfinite(found) and 0.0 <= found <= 1.0):
        raise wrong(f"{name} must be a number between 0 and 1, not {text[:_QUOTED]!r}")
    return found


def document(request: Request, name: str, kind: type[_Wanted], otherwise: _Wanted) -> _Wanted:
    """A JSON document of the given type."""
    text = request.query_params.get(name)
    if not text:
        return otherwise
    content = text.encode(errors="replace")
    if len(content) > MOST_BYTES:
        raise wrong(f"{name} may have at most {MOST_BYTES:,} bytes, not {len(content):,}")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise wrong(f"{name} is not valid: {error}") from None
