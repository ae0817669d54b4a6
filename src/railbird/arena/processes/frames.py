"""Messages over a socket: JSON objects prefixed with their length (four bytes, big-endian).

The arena uses them to talk to agents in separate processes (`Channel`), and the web server to talk to its thinkers
(`Channel` at their end, `read_frame` in its event loop). A message above the agreed length is refused before its body
is read.
"""

import json
import struct
from collections.abc import Mapping
from socket import socket
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from railbird.plain_data import write_json

if TYPE_CHECKING:
    from asyncio import StreamReader

_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16
_decoder: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


class FrameError(ValueError):
    """Not a valid message; the sender is no longer trusted."""


class FrameTooLong(FrameError):
    """A message above the agreed length."""


def frame(message: Mapping[str, Any]) -> bytes:
    """The bytes of a message. Lone surrogates, which other programs could not read, become question marks."""
    body = write_json(message)
    if b"\\ud" in body:
        body = json.dumps(json.loads(body), ensure_ascii=False).encode(errors="replace")
    return _LENGTH.pack(len(body)) + body


class Channel:
    """One end of a conversation over a connected socket."""

    def __init__(self, connection: socket, most_bytes: int | None = None) -> None:
        self.most_bytes = most_bytes
        """Maximum length of received messages; None for no limit."""
        self._connection = connection
        self._received = bytearray()

    def send(self, message: Mapping[str, Any], deadline: float | None = None) -> None:
        """Send a message, before the deadline on the monotonic clock if one is given."""
        data = frame(message)
        self._wait_until(deadline)
        self._connection.sendall(data)

    def receive(self, deadline: float | None = None) -> dict[str, Any]:
        """The next message; EOFError at the end of the connection, TimeoutError if none arrives before the deadline."""
        length = _read_length(self._read(_LENGTH.size, deadline), self.most_bytes)
        return _read_body(self._read(length, deadline))

    def close(self) -> None:
        """Close the connection."""
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


async def read_frame(reader: "StreamReader", most_bytes: int) -> dict[str, Any]:
    """The next message of a stream; EOFError at its end."""
    length = _read_length(await reader.readexactly(_LENGTH.size), most_bytes)
    return _read_body(await reader.readexactly(length))


def _read_length(head: bytes, most_bytes: int | None) -> int:
    length: int = _LENGTH.unpack(head)[0]
    if most_bytes is not None and length > most_bytes:
        raise FrameTooLong(f"a message of {length} bytes; at most {most_bytes} are allowed")
    return length


def _read_body(body: bytes) -> dict[str, Any]:
    try:
        return _decoder.decode(body)
    except msgspec.ValidationError:
        raise FrameError(f"{len(body)} bytes that are not a JSON object") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise FrameError(f"{len(body)} bytes that are not valid JSON") from None
