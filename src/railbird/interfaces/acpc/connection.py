"""Line-based connections for both sides of the ACPC's protocol, with time and memory limits."""

import os
import socket
import struct
from collections.abc import Callable
from time import monotonic

from railbird.notation.reading import LONGEST_LINE

_RECEIVE = 4096
_AT_ONCE = 0.0002
"""Seconds of busy waiting for a prompt answer; sleeping and waking up would take most of that time."""
_PROMPT = 0.002
"""Seconds within which an answer counts as prompt."""
_SYSTEM_LIMITS = os.name == "posix"
"""Whether the system supports socket timeouts, which saves polling before each call."""
_NOT_WAITING = socket.MSG_DONTWAIT if _SYSTEM_LIMITS else 0


class MatchBroken(Exception):
    """A match that ended prematurely, with the reason."""


class ConnectionFault(Exception):
    """The peer disconnected or sent an invalid line. The message is a predicate, to follow the name of the peer."""


class AnswerLate(ConnectionFault):
    """The peer did not send a line in time."""


class LineConnection:
    """One connection. A line longer than `cut` bytes is read in pieces, as by the official dealer."""

    def __init__(self, connected: socket.socket, cut: int | None = None) -> None:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.settimeout(None)
        self._socket = connected
        self._limits: dict[int, float | None] = {socket.SO_SNDTIMEO: None, socket.SO_RCVTIMEO: None}
        self._cut = cut
        self._buffer = b""
        self._pieces = 0
        """The number of bytes of the current line that were returned in pieces so far."""

    def send(self, line: bytes, seconds: float | None = None) -> None:
        """Send a whole line within a time limit; a peer that does not read is at fault."""
        try:
            self._allow(socket.SO_SNDTIMEO, seconds)
            self._socket.sendall(line)
        except (BlockingIOError, TimeoutError):
            raise AnswerLate("does not read its input") from None
        except OSError as error:
            raise ConnectionFault(f"disconnected ({error.strerror})") from None

    def read_line(self, seconds: float | None = None, meanwhile: Callable[[], object] | None = None) -> bytes:
        """The next line with its line end; an incomplete line at the end of the connection; then empty bytes.

        The time limit starts with the call. `meanwhile` is called once if the line does not arrive promptly, before
        waiting further.
        """
        left, deadline = seconds, 0.0
        while True:
            line = self._take_line()
            if line is not None:
                return line
            if seconds is not None:
                if deadline:
                    left = deadline - monotonic()
                else:
                    deadline = monotonic() + seconds
            if meanwhile is not None:
                prompt = self._receive_promptly(_PROMPT if left is None else min(left, _PROMPT))
                if prompt is None:
                    meanwhile()
                    meanwhile = None
                    continue
                received = prompt
            else:
                received = self._receive(left)
            if not received:
                rest, self._buffer = self._buffer, b""
                return rest
            self._buffer += received

    def _take_line(self) -> bytes | None:
        end = self._buffer.find(b"\n") + 1
        length = end or len(self._buffer)
        if self._pieces + length > LONGEST_LINE:
            raise ConnectionFault(f"sent a line of more than {LONGEST_LINE} bytes")
        if self._cut is not None and length >= self._cut and end != self._cut:
            end = self._cut
            self._pieces += end
        elif end:
            self._pieces = 0
        else:
            return None
        line, self._buffer = self._buffer[:end], self._buffer[end:]
        return line

    def _receive_promptly(self, seconds: float) -> bytes | None:
        """Data that arrives promptly, None if there is none."""
        try:
            if _NOT_WAITING:
                until = monotonic() + min(seconds, _AT_ONCE)
                while monotonic() < until:
                    try:
                        return self._socket.recv(_RECEIVE, _NOT_WAITING)
                    except BlockingIOError:
                        os.sched_yield()
            return self._receive(seconds)
        except AnswerLate:
            return None
        except OSError as error:
            raise ConnectionFault(f"disconnected ({error.strerror})") from None

    def _receive(self, seconds: float | None) -> bytes:
        try:
            if seconds is not None and seconds <= 0:
                raise TimeoutError
            self._allow(socket.SO_RCVTIMEO, seconds)
            return self._socket.recv(_RECEIVE)
        except (BlockingIOError, TimeoutError):
            raise AnswerLate("did not answer in time") from None
        except OSError as error:
            raise ConnectionFault(f"disconnected ({error.strerror})") from None

    def _allow(self, kind: int, seconds: float | None) -> None:
        """Set the time limit of the next call of a kind; only if it changes, because setting it is a system call."""
        if seconds == self._limits[kind]:
            return
        if _SYSTEM_LIMITS:
            microseconds = 0 if seconds is None else max(1, int(seconds * 1_000_000))
            limit = struct.pack("@ll", *divmod(microseconds, 1_000_000))
            self._socket.setsockopt(socket.SOL_SOCKET, kind, limit)
        else:
            self._socket.settimeout(seconds)
            self._limits = dict.fromkeys(self._limits, seconds)
        self._limits[kind] = seconds

    def close(self) -> None:
        """Leave."""
        self._socket.close()
