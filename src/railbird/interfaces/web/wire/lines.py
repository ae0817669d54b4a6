"""WebSockets under the limits of `limits`: input is paused while a client does not read, so that no output piles up."""

import asyncio
from typing import Any

from uvicorn._types import ASGIReceiveEvent
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import CloseCode, Frame

from railbird.interfaces.web.http.rates import Bucket
from railbird.interfaces.web.wire.config import door_of


class Line(WebSocketsSansIOProtocol):
    """One WebSocket; it keeps the place of its HTTP connection at the doorkeeper."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door = door_of(config)
        self._control = Bucket(*self._door.limits.control_frames)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the place."""
        super().connection_lost(exc)
        self._door.leave(self.transport)

    def pause_writing(self) -> None:
        """The client does not read: pause input, or the replies to its pings would pile up."""
        super().pause_writing()
        self.transport.pause_reading()
        self._door.stall(self.transport, stalled=True)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._door.stall(self.transport, stalled=False)
        if not self.read_paused:
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        """The next message for the application; input then resumes, unless the client does not read."""
        message = await super().receive()
        if not self.writable.is_set():
            self.transport.pause_reading()
        return message

    def handle_ping(self) -> None:
        """Answer a ping, unless there are too many."""
        if self._takes_control():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Accept a pong, unless there are too many."""
        if self._takes_control():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Accept a fragment of a message; empty ones count too."""
        if self.transport.is_closing():
            return
        if len(self.frames) >= self._door.limits.fragments:
            self._fail(f"a message may have at most {self._door.limits.fragments} fragments")
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Queue a message for the application, up to a limit: one read may bring thousands."""
        if self.transport.is_closing():
            return
        if self.queue.qsize() >= self._door.limits.messages_at_once:
            self._fail("too many messages at once")
        elif self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            # uvicorn would refuse this too, but with a traceback in the log.
            self._fail("not valid text", CloseCode.INVALID_DATA)
        else:
            super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """Close a connection that violates the protocol; before the handshake no reason can be sent."""
        if self.conn.close_sent is not None:
            super().handle_parser_exception()
            return
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.ABNORMAL_CLOSURE})
        self.transport.abort()

    def _takes_control(self) -> bool:
        """Whether one more control frame is accepted."""
        if self.transport.is_closing():
            return False
        if self._control.take():
            return True
        self._fail("too many pings")
        return False

    def _fail(self, sentence: str, code: CloseCode = CloseCode.POLICY_VIOLATION) -> None:
        self.conn.fail(code, sentence)
        self.handle_parser_exception()


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
