"""Bodies of requests: read whole before anybody looks at them, and no longer than allowed."""

import asyncio
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any

from railbird.interfaces.web.http.asgi import Receive

_THROWN_AWAY, _LINGER_S = 1024 * 1024, 2.0
"""How many bytes of a body that is too long are thrown away, and for how long, so that its sender reads the answer."""


class TooLong(Exception):
    """A body that is longer than allowed, and whether more of it is on its way."""

    def __init__(self, *, more: bool) -> None:
        super().__init__()
        self.more = more


async def read_body(receive: Receive, most: int) -> bytes | None:
    """The body of a request, of whatever kind; None where the other side left in the middle."""
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
    """What an application receives of a request whose body was read already."""
    told = False

    async def replay() -> MutableMapping[str, Any]:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def throw_away(receive: Receive) -> None:
    """Read on for a moment: closing with unread bytes could take the answer away from the other side."""
    with suppress(TimeoutError, TooLong):
        async with asyncio.timeout(_LINGER_S):
            await read_body(receive, _THROWN_AWAY)
