"""The brain over HTTP/1.1: one address, JSON in and out, connections that stay open, a thread for each.

It has no passwords, so it listens on this machine only, unless told otherwise. Web pages cannot use it: a request that
names an origin is refused, and on this machine so is one whose `Host` is not this machine, as after DNS rebinding.
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
"""Maximum number of connections from one address, where other machines are let in."""
MOST_LARGE = 4
"""How many bodies beyond `LARGEST_MESSAGE` are read and answered at a time."""
IDLE_CONNECTION_S = 300.0
"""How long a connection may be silent between two requests before it is closed; its session stays."""
REQUEST_S = 60.0
"""How long a request may take from its first byte to its last, and how long its answer may stay unread."""
LEAVE_S = 5.0
"""How long answers that are being made may take when the brain closes."""
_LINGER_S = 1.0
"""How long a body that is too large is read and thrown away, so that its sender reads the answer."""
_NO_FILES_S = 0.2
"""How long a brain that may open no more files waits before it takes the next connection."""
_CHUNK = 1 << 16
_CREATED = 201
_WRONG_METHOD = 501
"""The status that `http.server` has for a method without a function."""


class AddressError(ValueError):
    """An address that cannot be listened at, and why."""


class _Incoming(RawIOBase):
    """What a connection brings: once a request has begun, all of it must be there in time."""

    def __init__(self, connection: socket.socket, idle_s: float) -> None:
        super().__init__()
        self._connection, self._idle_s = connection, idle_s
        self._due: float | None = None

    def readable(self) -> bool:
        """It is read from."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Wait for more; TimeoutError when it comes too late."""
        left = self._idle_s if self._due is None else self._due - monotonic()
        if left <= 0:
            raise TimeoutError("a request took too long")
        self._connection.settimeout(left)
        number = self._connection.recv_into(buffer)
        if self._due is None:
            self._due = monotonic() + REQUEST_S
        return number

    def finish(self) -> None:
        """A request is answered, and the next one may come when it likes."""
        self._due = None


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = IDLE_CONNECTION_S
    server: "BrainServer"

    def setup(self) -> None:
        """Read from the connection with a clock."""
        super().setup()
        self.rfile.close()
        self._incoming = _Incoming(self.connection, self.timeout)
        self.rfile = BufferedReader(self._incoming)

    def do_GET(self) -> None:
        """Answer a request, whatever its method."""
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
            # The broad except: a mistake of ours must not end the conversation, and its traceback is for the operator.
            traceback.print_exc()
            sentence = f"something is wrong in the brain itself: {type(error).__name__}"
            self._send(Code.INTERNAL.status, Refusal(Code.INTERNAL, sentence).to_json())
        finally:
            if self._is_large:
                self.server.large.release()

    do_POST = do_DELETE = do_GET  # noqa: N815

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Answer what is no request that we know, and close the connection."""
        self.close_connection = True
        if code == _WRONG_METHOD:
            known = Refusal(Code.WRONG_METHOD, f"the method {quoted(self.command)} is not known here")
            self._send(known.code.status, known.to_json())
            return
        refusal = Refusal(Code.BAD_HTTP, f"this is no request of HTTP/1.1: {quoted(message or code)}")
        self._send(code, refusal.to_json())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Requests are not logged."""

    def _asker(self) -> str:
        """Who asks, where other machines are let in."""
        return "" if self.server.welcome else visitor_at(self.client_address[0].partition("%")[0])

    def _require_welcome(self) -> None:
        """Refuse what a web page sends, from whatever name it was loaded."""
        if "Origin" in self.headers:
            raise Refusal(Code.FORBIDDEN, "web pages may not ask this brain")
        hosts = self.headers.get_all("Host", [])
        welcome = self.server.welcome
        if welcome and (len(hosts) != 1 or hosts[0].lower() not in welcome):
            raise Refusal(
                Code.FORBIDDEN,
                f"the Host is {quoted(', '.join(hosts))}, but {self.server.address} is this machine",
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
            raise Refusal(Code.BAD_HTTP, f"the Content-Length is {quoted(', '.join(lengths))}")
        if len(length) > len(str(most)) or int(length) > most:
            self.close_connection = True
            raise Refusal(Code.TOO_LARGE, f"the body has {quoted(length)} bytes, but at most {most} are read")
        if int(length) > LARGEST_MESSAGE:
            self._is_large = self.server.large.acquire(blocking=False)
            if not self._is_large:
                self.close_connection = True
                raise Refusal(Code.FULL, f"{MOST_LARGE} large bodies are being read already: try again")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise ConnectionAbortedError("the other side left in the middle of a body")
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
        """Read on for a moment: closing with unread bytes would take the answer away from the other side."""
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
    """A brain that answers bodies: it listens from its construction on, and answers between `start` and `close`."""

    request_queue_size = 128
    daemon_threads = True

    def __init__(self, sessions: Sessions, host: str = LOOPBACK, port: int = 0) -> None:
        self.brain = Brain(sessions)
        self._connections: dict[socket.socket, str] = {}
        """Whose they are (`visitors`)."""
        self.large = BoundedSemaphore(MOST_LARGE)
        self._change = Condition()
        self._thread: Thread | None = None
        try:
            self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise AddressError(f"cannot listen at {host}, port {port}: {reason}") from None
        bound = str(self.server_address[0])
        self.address = f"http://{f'[{bound}]' if ':' in bound else bound}:{self.server_port}"
        self.welcome: frozenset[str] = frozenset()
        """The hosts that requests may name; empty for any, where other machines are let in."""
        if ip_address(bound).is_loopback:
            names = ("localhost", LOOPBACK, "[::1]", self.address.removeprefix("http://").rpartition(":")[0])
            self.welcome = frozenset(f"{name}:{self.server_port}" for name in names)

    def server_bind(self) -> None:
        """Bind without looking up the name of this machine, which may take long."""
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
        """Answer from now on, in threads of its own."""
        self._thread = Thread(target=self.serve_forever, name="brain", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take no more requests, finish the answers that are being made, and end all connections."""
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
        """Twice a second: drop the sessions that nobody uses."""
        self.brain.sessions.drop_idle()

    def get_request(self) -> tuple[Any, Any]:
        """Take the next connection; without a file descriptor for it, wait a moment instead of asking all the time."""
        try:
            return super().get_request()
        except OSError as error:
            if error.errno in (EMFILE, ENFILE):
                sleep(_NO_FILES_S)
            raise

    def process_request(self, request: Any, client_address: Any) -> None:
        """Have a thread for a new connection, unless there are too many."""
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
        """Whether somebody elsewhere has all the connections that one may have."""
        return not self.welcome and list(self._connections.values()).count(visitor) >= MOST_OF_ONE

    def shutdown_request(self, request: Any) -> None:
        """A connection ends."""
        super().shutdown_request(request)
        with self._change:
            self._connections.pop(request, None)
            self._change.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A body that leaves is no news; everything else is our own mistake."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def _stop_reading(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RD)
    except OSError:
        return  # it has ended by itself
