"""HTTP connections under the limits of `limits`: uvicorn's own, which report their state to the doorkeeper.

A connection waits for the head of a request, then for its body, then for our response, then is idle. Each state has a
time limit, which a slow trickle of bytes does not extend.
"""

import asyncio
from enum import Enum, auto
from typing import Any

import h11
import msgspec
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.server import ServerState

from railbird.interfaces.web.wire.config import door_of
from railbird.interfaces.web.wire.doorkeeper import TurnedAway

_TIMEOUT, _NOT_HTTP = 408, 400


class Awaited(Enum):
    """What a connection waits for."""

    HEAD = auto()
    BODY = auto()
    ANSWER = auto()
    """Our response: nothing is expected from the client."""
    NOTHING = auto()
    """The next request, if any."""


class Connection(H11Protocol):
    """One connection, until it becomes a WebSocket or is closed."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door = door_of(config)
        self._step: Awaited | None = None
        self._upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, or refuse the connection if there is none."""
        super().connection_made(transport)
        try:
            self._door.enter(transport, self.client[0] if self.client else "")
        except TurnedAway as away:
            self._end(away.status, str(away))
        else:
            self._expect(Awaited.HEAD)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the place."""
        super().connection_lost(exc)
        self._door.leave(self.transport)

    def data_received(self, data: bytes) -> None:
        """Read in pieces, because h11 checks the length of a head only while it is incomplete."""
        piece = self._door.limits.longest_head
        for start in range(0, len(data), piece):
            if self._upgraded or self.transport.is_closing():
                return
            super().data_received(data[start : start + piece])

    def handle_events(self) -> None:
        """Process what was read, and wait for the rest."""
        super().handle_events()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand over to the WebSocket, which keeps the place."""
        self._upgraded = True
        self._expect(Awaited.ANSWER)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """The response is complete."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self._door.stall(self.transport, stalled=True)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._door.stall(self.transport, stalled=False)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002
        """Refuse an invalid HTTP request."""
        self._end(_NOT_HTTP, "not a valid HTTP/1.1 request")

    def _look(self) -> None:
        """Determine what is expected now."""
        if self._upgraded or self.transport.is_closing():
            return
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            self._expect(Awaited.BODY)
        elif state is not h11.IDLE:
            self._expect(Awaited.ANSWER)
        elif self._step is Awaited.HEAD or self.conn.trailing_data[0]:
            self._expect(Awaited.HEAD)
        else:
            self._expect(Awaited.NOTHING)

    def _expect(self, step: Awaited) -> None:
        """Report a new step to the doorkeeper; a step that continues keeps its deadline."""
        if step is self._step:
            return
        self._step = step
        limits = self._door.limits
        match step:
            case Awaited.HEAD:
                self._door.expect(self.transport, limits.head_s, self._head_late)
            case Awaited.BODY:
                self._door.expect(self.transport, limits.body_s, self._body_late)
            case Awaited.NOTHING:
                self._door.expect(self.transport, limits.idle_s, self.transport.close)
            case Awaited.ANSWER:
                self._door.serve(self.transport)

    def _head_late(self) -> None:
        self._end(_TIMEOUT, f"a request must be sent within {self._door.limits.head_s:g} seconds")

    def _body_late(self) -> None:
        self._end(_TIMEOUT, f"the body of a request must be sent within {self._door.limits.body_s:g} seconds")

    def _end(self, status: int, sentence: str) -> None:
        """Close the connection; with a sentence, unless a response has begun."""
        begun = self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE)
        if self.cycle is not None and not self.cycle.response_complete:
            # The application is notified of the disconnect, and the rest of its response is dropped.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if not begun:
            self.transport.write(_refusal(status, sentence))
        self.transport.close()


def _refusal(status: int, sentence: str) -> bytes:
    """A response that closes the connection."""
    body = msgspec.json.encode({"error": sentence})
    head = (
        b"HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
        b"X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    )
    return head % (status, STATUS_PHRASES[status], len(body)) + body
