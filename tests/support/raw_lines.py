"""Connections to a server as no library makes them: half-sent, trickling, never read."""

import base64
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic, sleep
from typing import Any

from web_client import LONG, Person, Serving

TEXT, CONTINUATION, PING = 0x1, 0x0, 0x9


def connected(host: str, *, reads: int | None = None) -> socket.socket:
    """A connection to `name:port`; with a small buffer for what is never read, if asked for."""
    line = socket.socket()
    if reads is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, reads)
    line.settimeout(LONG)
    name, _, port = host.partition(":")
    line.connect((name, int(port)))
    return line


def head_of(person: Person, start: str, *headers: str) -> bytes:
    """A request up to the empty line, with what the browser of a player sends."""
    own = [f"Host: {person.host}", *(f"{name}: {value}" for name, value in person.headers.items())]
    return "\r\n".join([start, *own, *headers, "", ""]).encode("latin-1")


def said_on(line: socket.socket) -> bytes:
    """Everything that the server says until it ends the connection."""
    said = bytearray()
    with suppress(ConnectionError):
        while piece := line.recv(65536):
            said += piece
    return bytes(said)


def said_to(person: Person, sent: bytes) -> bytes:
    """Everything that the server answers to some bytes, until it ends the connection."""
    with connected(person.host) as line:
        with suppress(ConnectionError):
            line.sendall(sent)
        return said_on(line)


def trickled(line: socket.socket, pieces: Iterable[bytes], *, every_s: float = 0.1) -> bytes:
    """What the server says while bytes trickle in, until it ends the connection."""
    said = bytearray()
    line.settimeout(every_s)
    for piece in pieces:
        try:
            line.sendall(piece)
            received = line.recv(65536)
        except TimeoutError:
            continue
        except ConnectionError:
            return bytes(said)
        if not received:
            return bytes(said)
        said += received
    raise AssertionError(f"the server goes on with it; it said {bytes(said)!r}")


@contextmanager
def many(number: int, host: str, sent: bytes) -> Iterator[list[socket.socket]]:
    """Connections on each of which the same was sent, until the end of the block."""
    with ExitStack() as opened:
        lines = [opened.enter_context(connected(host)) for _ in range(number)]
        for line in lines:
            with suppress(ConnectionError):
                line.sendall(sent)
        yield lines


def until(condition: Callable[[], Any], what: str) -> None:
    """Wait for something that comes soon."""
    end = monotonic() + LONG / 4
    while not condition():
        assert monotonic() < end, what
        sleep(0.02)


def waiting_bytes(server: Serving) -> int:
    """The most bytes that wait to be sent on any connection."""
    sizes = [each.transport.get_write_buffer_size() for each in tuple(server.connections)]
    return max(sizes, default=0)


# WebSockets


def frame(code: int, content: bytes = b"", *, final: bool = True) -> bytes:
    """A frame of a client, whose mask changes nothing."""
    length = len(content)
    size = bytes([0x80 | length]) if length < 126 else bytes([0x80 | 126]) + length.to_bytes(2, "big")
    return bytes([(0x80 if final else 0) | code]) + size + bytes(4) + content


def upgrade(person: Person, session: str) -> bytes:
    """The request for a line to a table."""
    return head_of(
        person,
        f"GET /api/sessions/{session}/table HTTP/1.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
    )


def raw_line(person: Person, session: str, *, reads: int | None = None) -> socket.socket:
    """An open line to a table, from which nothing was read but the word that it is open."""
    line = connected(person.host, reads=reads)
    line.sendall(upgrade(person, session))
    said = b""
    while b"\r\n\r\n" not in said:
        piece = line.recv(1)
        assert piece, said
        said += piece
    assert said.startswith(b"HTTP/1.1 101 "), said
    return line


def pour(line: socket.socket, piece: bytes, most: int) -> int:
    """Send the same again and again until the server takes no more for a while; how many bytes it took."""
    sent = 0
    line.settimeout(1.0)
    with suppress(TimeoutError, ConnectionError):
        while sent < most:
            sent += line.send(piece)
    return sent
