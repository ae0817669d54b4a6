"""Messages over a socket: JSON objects behind their lengths (four bytes, big-endian).

The arena talks like this with agents in processes of their own (`Channel`), the server of the web with its thinkers
(`Channel` at their end, `read_frame` in its event loop). A length beyond the agreed one is refused before anything of
that length is read.
"""

import json
import struct
from asyncio import StreamReader
from collections.abc import Mapping
from socket import socket
from time import monotonic
from typing import Any

import msgspec

from railbird.plain_data import write_json

_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16
_decoder: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


class FrameError(ValueError):
    """Bytes that are no message: whoever sent them is not to be trusted any more."""


class FrameTooLong(FrameError):
    """A message beyond the agreed length."""


def frame(message: Mapping[str, Any]) -> bytes:
    """A message as it is sent. Half a surrogate pair, which no other program could read, becomes a question mark."""
    body = write_json(message)
    if b"\\ud" in body:
        body = json.dumps(json.loads(body), ensure_ascii=False).encode(errors="replace")
    return _LENGTH.pack(len(body)) + body


class Channel:
    """One end of a conversation over a connected socket."""

    def __init__(self, connection: socket, most_bytes: int | None = None) -> None:
        self.most_bytes = most_bytes
        """The agreed length of messages that come in; None for any."""
        self._connection = connection
        self._received = bytearray()

    def send(self, message: Mapping[str, Any], deadline: float | None = None) -> None:
        """Send a message, by the deadline on the monotonic clock if there is one."""
        data = frame(message)
        self._wait_until(deadline)
        self._connection.sendall(data)

    def receive(self, deadline: float | None = None) -> dict[str, Any]:
        """The next message; EOFError when there will be none, TimeoutError when there is none by the deadline."""
        length = _read_length(self._read(_LENGTH.size, deadline), self.most_bytes)
        return _read_body(self._read(length, deadline))

    def close(self) -> None:
        """End the conversation."""
        self._connection.close()

    def _read(self, size: int, deadline: float | None) -> bytes:
        while len(self._received) < size:
            self._wait_until(deadline)
            chunk = self._connection.recv(_CHUNK)
            if not chunk:
                raise EOFError("the other side has closed the connection")
            self._received += chunk
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken

    def _wait_until(self, deadline: float | None) -> None:
        if deadline is None:
            self._connection.settimeout(None)
            return
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        self._connection.settimeout(left)


async def read_frame(reader: StreamReader, most_bytes: int) -> dict[str, Any]:
    """The next message of a stream; EOFError when there will be none."""
    length = _read_length(await reader.readexactly(_LENGTH.size), most_bytes)
    return _read_body(await reader.readexactly(length))


def _read_length(head: bytes, most_bytes: int | None) -> int:
    length: int = _LENGTH.unpack(head)[0]
    if most_bytes is not None and length > most_bytes:
        raise FrameTooLong(f"a message of {length} bytes, where {most_bytes} are allowed")
    return length


def _read_body(body: bytes) -> dict[str, Any]:
    try:
        return _decoder.decode(body)
    except msgspec.ValidationError:
        raise FrameError(f"{len(body)} bytes that are no JSON object") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise FrameError(f"{len(body)} bytes that are not JSON") from None
