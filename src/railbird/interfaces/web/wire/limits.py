"""The bounds of connections, and what the operating system allows."""

import resource
from dataclasses import dataclass, replace

RESERVED = 512
"""File descriptors that are kept for the store, the agents' processes, files, and visitors who are turned away."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What connections may take and hold."""

    connections: int = 2_000
    """Maximum number of open connections, of whatever kind: idle ones, half-sent requests, WebSockets."""
    from_one_address: int = 500
    """Maximum number of these that one visitor has; a reverse proxy has all of them."""
    accepted_at_once: int = 128
    """Maximum number of new connections that are taken before those taken already are looked at."""
    head_s: float = 20.0
    """From the connection, or the first byte of a later request, until the headers of the request are whole."""
    body_s: float = 30.0
    """From the headers of a request until its body is whole."""
    idle_s: float = 75.0
    """From an answer to the first byte of the next request."""
    unread_s: float = 30.0
    """How long the other side may leave answers unread."""
    closing_s: float = 5.0
    """How long a connection that we close may take to be gone."""
    look_s: float = 1.0
    """How often connections that are overdue are looked for."""
    longest_head: int = 16 * 1024
    """Bytes of the request line and the headers."""
    fragments: int = 64
    """Maximum number of frames of one WebSocket message."""
    messages_at_once: int = 1_000
    """Maximum number of WebSocket messages that wait to be looked at."""
    control_frames: tuple[float, float] = (10.0, 100.0)
    """Pings and pongs of one WebSocket: a second, and at once."""

    def within(self, descriptors: int) -> "ConnectionLimits":
        """The same bounds for a process that may have this number of files open.

        >>> Limits().within(100_000) == Limits(), Limits().within(256).connections
        (True, 64)
        """
        connections = min(self.connections, max(descriptors // 4, descriptors - RESERVED))
        return replace(
            self,
            connections=connections,
            from_one_address=min(self.from_one_address, connections // 2),
            accepted_at_once=max(1, min(self.accepted_at_once, descriptors // 16)),
        )


def allow_descriptors(wanted: int) -> int:
    """Let this process open that many files, as far as the system lets it; how many it may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    return soft
