"""The brain over HTTP/1.1: one address, JSON in and out, persistent connections, a thread for each.

It has no authentication, so by default it listens on this machine only. Web pages cannot use it: a request with an
`Origin` is refused, and so is one whose `Host` is not this machine, as after DNS rebinding, if it is local only.
"""

import socket
import sys
import traceback
from errno import EMFILE, ENFILE
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader, RawIOBase
from ipaddress import ip_address
from socketserver import TCPServer
from threading import BoundedSemaphore, Condition, Thread
from time import monotonic, sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any

from railbird.fields import quoted
from railbird.interfaces.brain.messages import LARGEST_MESSAGE
from railbird.interfaces.brain.refusals import Code, Refusal
from railbird.interfaces.brain.requests import Brain, largest_body
from railbird.interfaces.brain.sessions import Sessions
from railbird.interfaces.visitors import visitor_at
from railbird.plain_data import write_json

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LOOPBACK = "127.0.0.1"
MOST_CONNECTIONS = 256
MOST_OF_ONE = 64
"""Maximum number of connections from one address if other machines can connect."""
MOST_LARGE = 4
"""Maximum number of requests above `LARGEST_MESSAGE` that are read and answered at a time."""
IDLE_CONNECTION_S = 300.0
"""How long a connection may be idle between two requests before it is closed; its session stays open."""
REQUEST_S = 60.0
"""How long a request may take from its first byte to its last, and how long its answer may remain unread."""
LEAVE_S = 5.0
"""How long pending answers may take when the brain closes."""
_LINGER_S = 1.0
"""How long an oversized body is read and discarded, so that its sender reads the answer."""
_NO_FILES_S = 0.2
"""How long to wait before accepting the next connection if no more files can be opened."""
_CHUNK = 1 << 16
_CREATED = 201
_WRONG_METHOD = 501
"""The status that `http.server` uses for an unsupported method."""


class AddressError(ValueError):
    """An address on which the server cannot listen, with the reason."""


class _Incoming(RawIOBase):
    """The input of a connection: once a request has begun, all of it must arrive in time."""

    def __init__(self, connection: socket.socket, idle_s: float) -> None:
        super().__init__()
        self._connection, self._idle_s = connection, idle_s
        self._due: float | None = None

    def readable(self) -> bool:
        """The stream is readable."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Wait for more input; TimeoutError if it is late."""
        left = self._idle_s if self._due is None else self._due - monotonic()
        if left <= 0:
            raise TimeoutError("a request took too long")
        self._connection.settimeout(left)
        number = self._connection.recv_into(buffer)
        if self._due is None:
            self._due = monotonic() + REQUEST_S
        return number

    def finish(self) -> None:
        """A request has been answered; the next one may come at any time."""
        self._due = None


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = IDLE_CONNECTION_S
    server: "BrainServer"

    def setup(self) -> None:
        """Read from the connection with a time limit."""
        super().setup()
        self.rfile.close()
        self._incoming = _Incoming(self.connection, self.timeout)
        self.rfile = BufferedReader(self._incoming)

    def do_GET(self) -> None:
        """Answer a request of any method."""
        self._is_large = False
        try:
            body = self._body()
            self._require_welcome()
            answer = self.server.brain.answer(self.command, self.path, body, self._asker())
            self._send(_CREATED if (self.command, self.path) == ("POST", "/sessions") else 200, answer)
        except Refusal as refusal:
            self._send(refusal.code.status, refusal.to_json())
        except OSError:
            raise  # the body is gone
        except Exception as error:
            # The broad except: an internal error must not end the connection, and its traceback is for the operator.
            traceback.print_exc()
            sentence = f"internal error of the brain: {type(error).__name__}"
            self._send(Code.INTERNAL.status, Refusal(Code.INTERNAL, sentence).to_json())
        finally:
            if self._is_large:
                self.server.large.release()

    do_POST = do_DELETE = do_GET  # noqa: N815

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Answer an invalid request and close the connection."""
        self.close_connection = True
        if code == _WRONG_METHOD:
            known = Refusal(Code.WRONG_METHOD, f"the method {quoted(self.command)} is not supported")
            self._send(known.code.status, known.to_json())
            return
        refusal = Refusal(Code.BAD_HTTP, f"not a valid HTTP/1.1 request: {quoted(message or code)}")
        self._send(code, refusal.to_json())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Requests are not logged."""

    def _asker(self) -> str:
        """The client's address, if other machines can connect."""
        return "" if self.server.welcome else visitor_at(self.client_address[0].partition("%")[0])

    def _require_welcome(self) -> None:
        """Refuse requests from web pages, whatever host they were loaded from."""
        if "Origin" in self.headers:
            raise Refusal(Code.FORBIDDEN, "web pages may not use this brain")
        hosts = self.headers.get_all("Host", [])
        welcome = self.server.welcome
        if welcome and (len(hosts) != 1 or hosts[0].lower() not in welcome):
            raise Refusal(
                Code.FORBIDDEN,
                f"the Host is {quoted(', '.join(hosts))}, but this machine is {self.server.address}",
            )

    def _body(self) -> bytes:
        lengths = self.headers.get_all("Content-Length", [])
        if "Transfer-Encoding" in self.headers or (self.command == "POST" and not lengths):
            self.close_connection = True
            raise Refusal(Code.NO_LENGTH, "the Content-Length of the body is missing")
        if not lengths:
            return b""
        length, most = lengths[0].strip(), largest_body(self.path)
        if len(lengths) > 1 or not (length.isascii() and length.isdigit()):
            self.close_connection = True
            raise Refusal(Code.BAD_HTTP, f"invalid Content-Length: {quoted(', '.join(lengths))}")
        if len(length) > len(str(most)) or int(length) > most:
            self.close_connection = True
            raise Refusal(
                Code.TOO_LARGE, f"the body has {quoted(length)} bytes, but at most {most} are allowed"
            )
        if int(length) > LARGEST_MESSAGE:
            self._is_large = self.server.large.acquire(blocking=False)
            if not self._is_large:
                self.close_connection = True
                raise Refusal(Code.FULL, f"{MOST_LARGE} large requests are already being read: try again")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise ConnectionAbortedError("the client disconnected in the middle of a body")
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if self.command == "POST" and kind != "application/json":
            raise Refusal(
                Code.NOT_JSON, f"the Content-Type is {quoted(kind)}, but application/json is expected"
            )
        return body

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        body = write_json(answer)
        close = "Connection: close\r\n" if self.close_connection else ""
        head = (
            f"HTTP/1.1 {status} {self.responses[status][0]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n{close}\r\n"
        )
        self._incoming.finish()
        self.connection.settimeout(REQUEST_S)
        self.wfile.write(head.encode() + (b"" if self.command == "HEAD" else body))
        if self.close_connection:
            self._linger()

    def _linger(self) -> None:
        """Keep reading for a moment: closing with unread bytes would discard the answer at the client."""
        self.connection.shutdown(socket.SHUT_WR)
        until = monotonic() + _LINGER_S
        while (left := until - monotonic()) > 0:
            self.connection.settimeout(left)
            try:
                if not self.connection.recv(_CHUNK):
                    return
            except OSError:
                return


class BrainServer(ThreadingHTTPServer):
    """A brain that serves bodies: it listens once constructed, and answers between `start` and `close`."""

    request_queue_size = 128
    daemon_threads = True

    def __init__(self, sessions: Sessions, host: str = LOOPBACK, port: int = 0) -> None:
        self.brain = Brain(sessions)
        self._connections: dict[socket.socket, str] = {}
        """The owners of the connections (`visitors`)."""
        self.large = BoundedSemaphore(MOST_LARGE)
        self._change = Condition()
        self._thread: Thread | None = None
        try:
            self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise AddressError(f"cannot listen on {host}, port {port}: {reason}") from None
        bound = str(self.server_address[0])
        self.address = f"http://{f'[{bound}]' if ':' in bound else bound}:{self.server_port}"
        self.welcome: frozenset[str] = frozenset()
        """The hosts that requests may name; empty for any, if other machines can connect."""
        if ip_address(bound).is_loopback:
            names = ("localhost", LOOPBACK, "[::1]", self.address.removeprefix("http://").rpartition(":")[0])
            self.welcome = frozenset(f"{name}:{self.server_port}" for name in names)

    def server_bind(self) -> None:
        """Bind without looking up the name of this machine, which may be slow."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def __enter__(self) -> "BrainServer":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start answering, in separate threads."""
        self._thread = Thread(target=self.serve_forever, name="brain", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Accept no more requests, finish pending answers, and close all connections."""
        if self._thread is not None:
            self.shutdown()
            self._thread.join()
            self._thread = None
        self.server_close()
        with self._change:
            for connection in self._connections:
                _stop_reading(connection)
            self._change.wait_for(lambda: not self._connections, LEAVE_S)

    def service_actions(self) -> None:
        """Twice a second: close unused sessions."""
        self.brain.sessions.drop_idle()

    def get_request(self) -> tuple[Any, Any]:
        """Accept the next connection; without a free file descriptor, wait a moment instead of polling."""
        try:
            return super().get_request()
        except OSError as error:
            if error.errno in (EMFILE, ENFILE):
                sleep(_NO_FILES_S)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start a thread for a new connection, unless there are too many."""
        visitor = visitor_at(client_address[0])
        with self._change:
            is_full = len(self._connections) >= MOST_CONNECTIONS or self._has_enough(visitor)
            if not is_full:
                self._connections[request] = visitor
        if is_full:
            request.close()
            return
        super().process_request(request, client_address)

    def _has_enough(self, visitor: str) -> bool:
        """Whether a remote client has as many connections as one address may have."""
        return not self.welcome and list(self._connections.values()).count(visitor) >= MOST_OF_ONE

    def shutdown_request(self, request: Any) -> None:
        """A connection ends."""
        super().shutdown_request(request)
        with self._change:
            self._connections.pop(request, None)
            self._change.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that disconnects is normal; everything else is an internal error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def _stop_reading(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RD)
    except OSError:
        return  # it has already ended
