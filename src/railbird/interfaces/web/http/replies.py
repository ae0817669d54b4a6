"""Requests and answers in JSON, checked by msgspec."""

from typing import Any, TypeVar

import msgspec
from fastapi import Request, Response

from railbird.interfaces.web.web import HttpRefusal

_Wanted = TypeVar("_Wanted")


def answer(data: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


async def decoded(request: Request, kind: type[_Wanted]) -> _Wanted:
    """The body of a request; refused with the reason where it is not what is expected."""
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HttpRefusal(422, f"the request is not understood: {error}") from None
