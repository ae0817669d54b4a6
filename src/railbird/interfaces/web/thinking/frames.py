"""JSON objects behind their lengths (four bytes, big-endian): how the server and its thinkers talk over a socket."""

import struct
from asyncio import StreamReader
from collections.abc import Mapping
from socket import socket
from typing import Any

import msgspec

from railbird.interfaces.brain.messages import LARGEST_ANSWER, write_json

_LENGTH = struct.Struct(">I")
_decoder: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])


class FrameError(ValueError):
    """Bytes that are no frame: whoever sent them is not to be trusted any more."""


def frame(message: Mapping[str, Any]) -> bytes:
    """A message as it is sent."""
    body = write_json(message)
    return _LENGTH.pack(len(body)) + body


def receive(connection: socket) -> dict[str, Any]:
    """The next message of a connection; EOFError when there will be none."""
    return _read_body(_receive_bytes(connection, _read_length(_receive_bytes(connection, _LENGTH.size))))


async def read_frame(reader: StreamReader) -> dict[str, Any]:
    """The next message of a stream; EOFError when there will be none."""
    return _read_body(await reader.readexactly(_read_length(await reader.readexactly(_LENGTH.size))))


def _read_length(head: bytes) -> int:
    length: int = _LENGTH.unpack(head)[0]
    if length > LARGEST_ANSWER:
        raise FrameError(f"a frame of {length} bytes, where {LARGEST_ANSWER} are allowed")
    return length


def _read_body(body: bytes) -> dict[str, Any]:
    try:
        return _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise FrameError(f"{len(body)} bytes that are no JSON object") from None


def _receive_bytes(connection: socket, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        chunk = connection.recv(size - len(received))
        if not chunk:
            raise EOFError("the other side has closed the connection")
        received += chunk
    return bytes(received)
