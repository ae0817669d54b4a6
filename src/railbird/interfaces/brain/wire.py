"""A body's end of the connection to a brain, which is persistent and belongs to a session."""

import json
import os
import select
import socket
from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit
from weakref import finalize

from railbird.agent.faults import AgentFault, Fault
from railbird.interfaces.brain.messages import LARGEST_ANSWER
from railbird.interfaces.brain.refusals import Code
from railbird.interfaces.brain.requests import largest_body
from railbird.plain_data import write_json
from railbird.spec import SpecError

_HANG_UP_S = 0.5


class BrainFault(AgentFault, ValueError):
    """A brain that cannot be reached or gives an invalid answer: a fault at the table, an error elsewhere.

    `code` and `sentence` are the brain's own; empty if it did not give any.
    """

    def __init__(self, fault: Fault, detail: str, code: str = "", sentence: str = "") -> None:
        super().__init__(fault, detail)
        self.code = code
        self.sentence = sentence


def parse_address(url: str) -> tuple[str, int]:
    """Host and port of an address such as `http://127.0.0.1:8000`."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if (
        not host
        or port is None
        or parts.scheme != "http"
        or url.rstrip("/") != f"http://{parts.netloc}"
        or "@" in url
    ):
        raise SpecError(f"{url!r} is not the address of a brain: write it as `railbird brain` prints it, "
                        "such as http://127.0.0.1:8000")  # fmt: skip
    return host, port


class Wire:
    """Asks a brain; refusals and connection errors are raised as `BrainFault`."""

    def __init__(self, url: str, seconds: float) -> None:
        self.url = url.rstrip("/")
        self.seconds = seconds
        self._line = _Line(parse_address(url), seconds)
        self._ended = finalize(self, self._line.hang_up)

    @property
    def session(self) -> str:
        """The path of the session; empty if there is none."""
        return self._line.session

    @session.setter
    def session(self, path: str) -> None:
        self._line.session = path

    def close(self) -> None:
        """Close the session and the connection."""
        self._ended()

    def ask(self, method: str, path: str, message: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The brain's answer."""
        body = b"" if message is None else write_json(message)
        if len(body) > largest_body(path):
            raise BrainFault(
                Fault.FLOOD,
                f"the request has {len(body):,} bytes, but the brain reads at most {largest_body(path):,}",
                Code.TOO_LARGE.text,
            )
        try:
            status, answer = self._line.ask(method, path, body)
        except TimeoutError:
            self._line.lose()
            raise BrainFault(
                Fault.TIMEOUT, f"the brain at {self.url} did not answer within {self.seconds:g} s"
            ) from None
        except ConnectionRefusedError:
            self._line.lose()
            raise BrainFault(
                Fault.DISCONNECT, f"no brain is running at {self.url}: start one with `railbird brain`"
            ) from None
        except (OSError, HTTPException, UnicodeError) as error:
            self._line.lose()
            reason = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
            raise BrainFault(
                Fault.DISCONNECT, f"connection to the brain at {self.url} failed: {reason}"
            ) from None
        return self._checked(status, answer)

    def _checked(self, status: int, answer: bytes) -> dict[str, Any]:
        try:
            data = json.loads(answer)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or len(answer) > LARGEST_ANSWER:
            self._line.lose()
            raise self.no_brain()
        if status < 300:
            return data
        code, sentence = str(data.get("code", "")), str(data.get("error", f"status {status}"))
        if code == Code.AGENT_FAILED.text:
            raise BrainFault(_fault(data.get("fault")), str(data.get("detail", sentence)), code)
        if code == Code.NO_SESSION.text:
            self.session = ""
        lost = code in (Code.NO_SESSION.text, Code.FULL.text)
        raise BrainFault(
            Fault.DISCONNECT if lost else Fault.CRASH,
            f"the brain at {self.url} refused: {sentence}",
            code,
            sentence,
        )

    def no_brain(self) -> BrainFault:
        """The fault for an invalid answer."""
        return BrainFault(Fault.NOT_A_DECISION, f"the server at {self.url} is not a brain of this version")


def _fault(name: object) -> Fault:
    try:
        return Fault(name)
    except ValueError:
        return Fault.CRASH


class _Line:
    """The connection and its session; it does not reference its user, so that it can be closed after it."""

    def __init__(self, address: tuple[str, int], seconds: float) -> None:
        self.session = ""
        self._address = address
        self._seconds = seconds
        self._connection: socket.socket | None = None
        self._owner = os.getpid()

    def ask(self, method: str, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body of an answer."""
        connection = self._connected()
        connection.sendall(self._request(method, path, body))
        response = HTTPResponse(connection, method=method)
        try:
            response.begin()
            answer = response.read(LARGEST_ANSWER + 1)
            if response.will_close:
                self._close()
        finally:
            response.close()
        return response.status, answer

    def lose(self) -> None:
        """Abandon connection and session: it is unknown what the brain did with the question."""
        self._close()
        self.session = ""

    def hang_up(self) -> None:
        """Close the session without waiting for an answer, and the connection."""
        try:
            if self.session and self._connection is not None and self._owner == os.getpid():
                self._connection.settimeout(_HANG_UP_S)
                self._connection.sendall(self._request("DELETE", self.session, b""))
        except OSError:
            pass  # the connection is already gone
        finally:
            self.lose()

    def _connected(self) -> socket.socket:
        """The connection, reopened if the brain closed it between two questions, which is not a fault."""
        if self._connection is not None and select.select([self._connection], [], [], 0)[0]:
            self._close()
        if self._connection is None:
            self._connection = socket.create_connection(self._address, self._seconds)
            self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _request(self, method: str, path: str, body: bytes) -> bytes:
        """Send head and body together: sent separately, they would wake the brain twice."""
        host, port = self._address
        head = f"{method} {path} HTTP/1.1\r\nHost: {f'[{host}]' if ':' in host else host}:{port}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{head}\r\n".encode() + body
