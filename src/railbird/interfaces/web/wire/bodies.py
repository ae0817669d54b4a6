"""Request bodies: read completely before they are processed, up to a maximum size."""

import asyncio
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any

from railbird.interfaces.web.http.asgi import Receive

_THROWN_AWAY, _LINGER_S = 1024 * 1024, 2.0
"""How many bytes of an oversized body are discarded, and for how long, so that its sender reads the response."""


class TooLong(Exception):
    """A body that is longer than allowed, and whether more of it is still to come."""

    def __init__(self, *, more: bool) -> None:
        super().__init__()
        self.more = more


async def read_body(receive: Receive, most: int) -> bytes | None:
    """The body of a request; None if the client disconnected in the middle."""
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise TooLong(more=more)
    return bytes(body)


def replayed(body: bytes, receive: Receive) -> Receive:
    """The receive function for an application, replaying a body that has already been read."""
    told = False

    async def replay() -> MutableMapping[str, Any]:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def throw_away(receive: Receive) -> None:
    """Discard input for a moment: closing with unread bytes could destroy the response before the client reads it."""
    with suppress(TimeoutError, TooLong):
        async with asyncio.timeout(_LINGER_S):
            await read_body(receive, _THROWN_AWAY)
