"""The ports of a dealer: one for each seat, and each accepts one player, once."""

import socket
from collections.abc import Sequence
from time import monotonic

from railbird.interfaces.acpc.connection import LineConnection, MatchBroken

LOOPBACK = "127.0.0.1"
LARGEST_PORT = 65535
_WAITING = 1
"""Maximum number of pending connections at a port."""


class PortError(ValueError):
    """A port that cannot be used, with the reason."""


def parse_ports(text: str, seats: int) -> list[int]:
    """The ports of the seats from `5000,5001`; for 0 and for missing ports the system chooses."""
    ports = []
    for part in text.split(",") if text else []:
        if not (part.isascii() and part.isdigit() and len(part) <= 5 and int(part) <= LARGEST_PORT):
            raise PortError(f"{part!r} in {text!r} is not a port: ports are numbers up to {LARGEST_PORT}")
        ports.append(int(part))
    if len(ports) > seats:
        raise PortError(f"{text!r} names {len(ports)} ports for {seats} seats")
    return ports + [0] * (seats - len(ports))


def listen(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """Open the ports, in the order of the seats."""
    opened: list[socket.socket] = []
    try:
        for port in ports:
            opened.append(_listener(host, port))
    except OSError as error:
        for listener in opened:
            listener.close()
        raise PortError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    return opened


def _listener(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_WAITING)
    except OSError:
        listener.close()
        raise
    return listener


def port_of(listener: socket.socket) -> int:
    """The port of a listener."""
    return int(listener.getsockname()[1])


def accept_players(
    listeners: Sequence[socket.socket], cut: int | None = None, seconds: float | None = None
) -> list[LineConnection]:
    """Wait for a player at every port, seat by seat, and close each port after its player has connected."""
    deadline = None if seconds is None else monotonic() + seconds
    connections: list[LineConnection] = []
    for seat, listener in enumerate(listeners):
        listener.settimeout(None if deadline is None else max(0.001, deadline - monotonic()))
        try:
            connected, _ = listener.accept()
        except TimeoutError:
            for connection in connections:
                connection.close()
            raise MatchBroken(f"nobody connected to seat {seat + 1} in time") from None
        listener.close()
        connections.append(LineConnection(connected, cut))
    return connections
