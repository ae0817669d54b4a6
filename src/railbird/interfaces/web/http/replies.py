"""Requests and responses in JSON, validated by msgspec."""

from typing import Any, TypeVar

import msgspec
from fastapi import Request, Response

from railbird.interfaces.web.web import HttpRefusal

_Wanted = TypeVar("_Wanted")


def answer(data: Any, status: int = 200) -> Response:
    """A JSON response."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


async def decoded(request: Request, kind: type[_Wanted]) -> _Wanted:
    """The body of a request; refused with the reason if it is not valid."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HttpRefusal(422, f"the request is not valid: {error}") from None
