"""Lines over a socket, as both sides of the ACPC's protocol read and write them: time and memory have limits."""

import os
import socket
import struct
from collections.abc import Callable
from time import monotonic

from railbird.notation.reading import LONGEST_LINE

_RECEIVE = 4096
_AT_ONCE = 0.0002
"""Seconds for which a prompt answer is waited for awake: going to sleep and being woken takes most of that."""
_PROMPT = 0.002
"""Seconds within which an answer is prompt."""
_SYSTEM_LIMITS = os.name == "posix"
"""Whether the system itself ends calls that take too long, which spares asking before each call whether one may."""
_NOT_WAITING = socket.MSG_DONTWAIT if _SYSTEM_LIMITS else 0


class MatchBroken(Exception):
    """A match that ended before its time, and why."""


class ConnectionFault(Exception):
    """The other side is gone, or sends what no line can be. The message goes on after its name."""


class AnswerLate(ConnectionFault):
    """The other side did not send a line in its time."""


class LineConnection:
    """One connection. A line longer than `cut` bytes is read in pieces, as the official dealer reads it."""

    def __init__(self, connected: socket.socket, cut: int | None = None) -> None:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.settimeout(None)
        self._socket = connected
        self._limits: dict[int, float | None] = {socket.SO_SNDTIMEO: None, socket.SO_RCVTIMEO: None}
        self._cut = cut
        self._buffer = b""
        self._pieces = 0
        """The bytes of a line that were given away in pieces so far."""

    def send(self, line: bytes, seconds: float | None = None) -> None:
        """Send a line whole, within a time: who does not read what is sent to it is at fault."""
        try:
            self._allow(socket.SO_SNDTIMEO, seconds)
            self._socket.sendall(line)
        except (BlockingIOError, TimeoutError):
            raise AnswerLate("does not read what is sent to it") from None
        except OSError as error:
            raise ConnectionFault(f"is gone ({error.strerror})") from None

    def read_line(self, seconds: float | None = None, meanwhile: Callable[[], object] | None = None) -> bytes:
        """The next line with its end; half a line at the end of the connection as it is; then nothing at all.

        The time counts from the moment at which the line is waited for. With `meanwhile` the line is expected
        promptly; where it does not come so, that is done once, before going on waiting.
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
        """What comes in a moment, None where nothing does."""
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
            raise ConnectionFault(f"is gone ({error.strerror})") from None

    def _receive(self, seconds: float | None) -> bytes:
        try:
            if seconds is not None and seconds <= 0:
                raise TimeoutError
            self._allow(socket.SO_RCVTIMEO, seconds)
            return self._socket.recv(_RECEIVE)
        except (BlockingIOError, TimeoutError):
            raise AnswerLate("did not answer in time") from None
        except OSError as error:
            raise ConnectionFault(f"is gone ({error.strerror})") from None

    def _allow(self, kind: int, seconds: float | None) -> None:
        """Give the next call of a kind its time, which is set only when it changes: that is a call of the system."""
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
