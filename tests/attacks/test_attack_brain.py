"""Bodies that trickle, or are many: a brain waits for none of them longer than for a request."""

import errno
import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import repeat
from socketserver import TCPServer

import pytest

from brains import Body
from railbird.interfaces.brain import server as brain_server
from railbird.interfaces.brain.server import BrainServer
from railbird.interfaces.brain.sessions import Sessions
from railbird.interfaces.offer import Offer
from raw_lines import connected, said_on, trickled, until

HEAD = b"POST /sessions HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[BrainServer]:
    """A brain that waits half a second for a request."""
    monkeypatch.setattr(brain_server, "REQUEST_S", 0.5)
    with BrainServer(Sessions(Offer())) as server:
        yield server


def connection_to(server: BrainServer) -> socket.socket:
    return connected(f"127.0.0.1:{server.server_port}")


@pytest.mark.parametrize(
    "pieces",
    [
        [HEAD + b"X: ", *repeat(b"y", 100)],
        repeat(b"x", 100),
        [HEAD + b"Content-Length: 1000\r\n\r\n", *repeat(b" ", 100)],
    ],
    ids=["headers", "a first line", "a body"],
)
def test_a_request_that_trickles_in_is_not_waited_for(hasty: BrainServer, pieces: Iterable[bytes]) -> None:
    with connection_to(hasty) as line:
        trickled(line, pieces)
    until(lambda: not hasty._connections, "a thread is kept for who trickles")


def test_answers_that_nobody_reads_are_not_waited_for(hasty: BrainServer) -> None:
    asked = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % hasty.server_port
    with connected(f"127.0.0.1:{hasty.server_port}", reads=4096) as line:
        line.settimeout(1.0)
        with suppress(TimeoutError, ConnectionError):
            for _ in range(2_000):
                line.sendall(asked * 50)
        until(lambda: not hasty._connections, "a thread is kept for who reads nothing")


def test_time_between_requests_does_not_count(hasty: BrainServer) -> None:
    with Body(hasty.address) as body:
        for _ in range(3):
            assert body.get("/")[0] == 200
            assert body.post("/sessions", {"nothing": 1})[0] >= 400
            connection = body.connection.sock
            # Longer than a request may take.
            with suppress(TimeoutError):
                connection.settimeout(0.7)
                assert connection.recv(1), "the connection was closed"
            connection.settimeout(10)


def test_where_other_machines_are_let_in_each_has_a_part_of_the_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(brain_server, "MOST_OF_ONE", 2)
    with BrainServer(Sessions(Offer()), "0.0.0.0") as server, ExitStack() as opened:
        for _ in range(2):
            opened.enter_context(connection_to(server))
        until(lambda: len(server._connections) == 2, "connections are not taken")
        with connection_to(server) as third:
            assert said_on(third) == b""
        with socket.create_connection(
            ("127.0.0.1", server.server_port), 10, source_address=("127.0.0.2", 0)
        ) as elsewhere:
            elsewhere.sendall(b"GET / HTTP/1.1\r\nHost: anywhere\r\n\r\n")
            assert elsewhere.recv(100).startswith(b"HTTP/1.1 200 ")


def test_on_this_machine_only_all_connections_together_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain_server, "MOST_OF_ONE", 1)
    with (
        BrainServer(Sessions(Offer())) as server,
        Body(server.address) as first,
        Body(server.address) as second,
    ):
        assert first.get("/")[0] == second.get("/")[0] == 200


def test_without_file_descriptors_a_brain_waits_instead_of_asking_all_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(brain_server, "sleep", waited.append)

    def accept(_: TCPServer) -> tuple[socket.socket, object]:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(TCPServer, "get_request", accept)
    server = BrainServer(Sessions(Offer()))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            server.get_request()
    finally:
        server.close()
    assert waited == [brain_server._NO_FILES_S]


@pytest.mark.parametrize(
    "parameter", ["cap={}", "raises={}", "ante={}", "blinds=5/{}", "bets={}", "stack={}"]
)
def test_no_number_in_a_game_is_taken_for_a_mistake_of_the_brain(
    parameter: str, capfd: pytest.CaptureFixture[str]
) -> None:
    # A mistake of ours writes a traceback for the operator: a stranger could fill the log with them.
    game = f"limit-2p:{parameter.format('9' * 21)}"
    with BrainServer(Sessions(Offer())) as server, Body(server.address) as body:
        opening = {"schema": "railbird.brain/1", "agent": "random", "game": game}
        status, answer = body.post("/sessions", opening)
    assert (status, answer["code"]) == (400, "bad-field")
    assert not capfd.readouterr().err
