"""The limits of connections, and those of the operating system."""

import resource
from dataclasses import dataclass, replace

RESERVED = 512
"""File descriptors reserved for the store, the agents' processes, files, and refused connections."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """ConnectionLimits of connections."""

    connections: int = 2_000
    """Maximum number of open connections of any kind: idle ones, incomplete requests, WebSockets."""
    from_one_address: int = 500
    """Maximum number of connections per visitor; a reverse proxy may use all of them."""
    accepted_at_once: int = 128
    """Maximum number of new connections accepted before the existing ones are served."""
    head_s: float = 20.0
    """From the connection, or the first byte of a later request, until the headers are complete."""
    body_s: float = 30.0
    """From the headers of a request until its body is complete."""
    idle_s: float = 75.0
    """From a response to the first byte of the next request."""
    unread_s: float = 30.0
    """How long the client may leave responses unread."""
    closing_s: float = 5.0
    """How long the closing of a connection may take."""
    look_s: float = 1.0
    """Interval between checks for overdue connections."""
    longest_head: int = 16 * 1024
    """Maximum size of the request line and the headers, in bytes."""
    fragments: int = 64
    """Maximum number of frames in a WebSocket message."""
    messages_at_once: int = 1_000
    """Maximum number of WebSocket messages waiting to be processed."""
    control_frames: tuple[float, float] = (10.0, 100.0)
    """Rate limit of a WebSocket's pings and pongs: per second, and in a burst."""

    def within(self, descriptors: int) -> "ConnectionLimits":
        """The same limits for a process that may open this number of files.

        >>> limits = ConnectionLimits()
        >>> limits.within(100_000) == limits, limits.within(256).connections
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
    """Raise the limit of open files as far as the system allows; returns the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = allowed
    return soft
