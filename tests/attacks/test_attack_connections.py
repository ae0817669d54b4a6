"""Connections that take long or are many: they end, others go on, and the log stays short."""

import asyncio
import json
import logging
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path

import pytest

from railbird.interfaces.web.http.safety import LARGEST_BODY, MOST_HEADERS
from railbird.interfaces.web.wire import log_rate
from railbird.interfaces.web.wire.doorkeeper import Doorkeeper
from railbird.interfaces.web.wire.limits import ConnectionLimits, allow_descriptors
from railbird.interfaces.web.wire.log_rate import MOST_OF_A_KIND, Sparing
from raw_lines import (
    connected,
    head_of,
    many,
    pour,
    raw_line,
    said_on,
    said_to,
    trickled,
    until,
    waiting_bytes,
)
from web_client import LONG, Person, Serving, address_in, served_process, serving

HASTY = ConnectionLimits(
    connections=40,
    from_one_address=20,
    head_s=0.5,
    body_s=0.5,
    idle_s=0.5,
    unread_s=0.5,
    closing_s=0.5,
    look_s=0.1,
)
"""Bounds that a test reaches in a moment."""
HALF_SENT = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
POST = "POST /api/sessions HTTP/1.1"
CHUNKED = "Transfer-Encoding: chunked"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with small bounds."""
    with serving(tmp_path_factory.mktemp("hasty") / "store.db", limits=HASTY) as running:
        yield running


@pytest.fixture
def person(hasty: Serving) -> Person:
    return Person(hasty.address)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing that a visitor sends is an error of ours."""
    yield
    # Of the whole test: the phases of a test have records of their own.
    errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [(record.name, record.getMessage()) for record in errors] == []


# Requests that never become whole


def test_headers_that_trickle_in_are_not_waited_for(person: Person) -> None:
    with connected(person.host) as line:
        said = trickled(line, [HALF_SENT, *repeat(b"X: y\r\n", 100)])
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b"a request must be sent within 0.5 seconds" in said


def test_a_connection_on_which_nothing_is_said_ends(person: Person) -> None:
    with connected(person.host) as line:
        line.settimeout(LONG / 4)
        assert said_on(line).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("length", ["Content-Length: 1000", CHUNKED])
def test_a_body_that_trickles_in_is_not_waited_for(person: Person, length: str) -> None:
    piece = b"1\r\n \r\n" if length == CHUNKED else b" "
    with connected(person.host) as line:
        line.sendall(head_of(person, POST, length))
        said = trickled(line, repeat(piece, 100))
    assert said.startswith(b"HTTP/1.1 408 ")
    assert b"the body of a request must be sent within 0.5 seconds" in said


def test_a_body_that_trickles_in_after_the_answer_is_not_waited_for(person: Person) -> None:
    with connected(person.host) as line:
        line.sendall(
            b"POST /api/sessions HTTP/1.1\r\nHost: %b\r\nContent-Length: 1000\r\n\r\n" % person.host.encode()
        )
        assert trickled(line, repeat(b" ", 100)).startswith(b"HTTP/1.1 403 ")


def test_the_second_request_of_a_connection_has_no_more_time_than_the_first(person: Person) -> None:
    with connected(person.host) as line:
        line.sendall(head_of(person, "GET /static/nothing HTTP/1.1"))
        said = trickled(line, [HALF_SENT, *repeat(b"X: y\r\n", 100)])
    assert said.startswith(b"HTTP/1.1 404 ")
    assert b"HTTP/1.1 408 " in said


def test_a_connection_that_is_kept_open_for_nothing_ends(person: Person) -> None:
    with connected(person.host) as line:
        line.settimeout(LONG / 4)
        line.sendall(head_of(person, "GET /static/nothing HTTP/1.1"))
        assert said_on(line).count(b"HTTP/1.1 ") == 1


def test_answers_that_nobody_reads_are_not_kept(hasty: Serving, person: Person) -> None:
    asked = head_of(person, "GET /static/explanation.js HTTP/1.1")
    with connected(person.host, reads=4096) as line:
        pour(line, asked * 50, 2_000_000)
        assert waiting_bytes(hasty) < 1_000_000
        until(lambda: not hasty.connections, "the connection is kept for who reads nothing")


def test_who_leaves_in_the_middle_of_a_body_leaves_no_trace(hasty: Serving, person: Person) -> None:
    for length in ("Content-Length: 1000", CHUNKED):
        with connected(person.host) as line:
            line.sendall(head_of(person, POST, length) + b"5\r\nabcde\r\n")
    until(lambda: not hasty.connections, "a connection is kept for who has left")


# Many connections


def test_half_sent_requests_make_room_for_whole_ones(hasty: Serving, person: Person) -> None:
    with many(3 * HASTY.from_one_address, person.host, HALF_SENT):
        for _ in range(5):
            assert person.ask("GET", "/api/lobby").status == 200
        # Whoever came before these was looked at by now.
        assert len(hasty.connections) <= HASTY.from_one_address + 1
    until(lambda: not hasty.connections, "connections are kept for who has left")


def test_half_sent_bodies_make_room_for_whole_requests(hasty: Serving, person: Person) -> None:
    half = head_of(person, POST, "Content-Length: 1000")
    with many(3 * HASTY.from_one_address, person.host, half):
        assert person.ask("GET", "/api/lobby").status == 200
        assert len(hasty.connections) <= HASTY.from_one_address + 1


def test_who_plays_goes_on_while_connections_run_out(hasty: Serving, person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def play() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            with many(3 * HASTY.connections, person.host, HALF_SENT):
                await seat.act("call")
                await seat.own_turn()

    asyncio.run(play())


def test_an_address_with_nothing_but_tables_opens_no_more_until_one_is_closed(
    hasty: Serving, person: Person
) -> None:
    sessions = [person.begin("limit-2p", ["always-call"]) for _ in range(2)]
    until(lambda: not hasty.connections, "connections are kept for who has left")
    with ExitStack() as opened:
        lines = [
            opened.enter_context(raw_line(person, sessions[number % 2]))
            for number in range(HASTY.from_one_address)
        ]
        refused = said_to(person, b"")
        assert refused.startswith(b"HTTP/1.1 429 ")
        assert b"too many connections from your address: close one" in refused
        assert len(hasty.connections) <= HASTY.from_one_address + 1
        lines[0].close()
        until(lambda: len(hasty.connections) < HASTY.from_one_address, "a line is kept for who has left")
        assert person.ask("GET", "/api/lobby").status == 200


def test_when_all_places_are_taken_newcomers_are_told_so(tmp_path: Path) -> None:
    few = ConnectionLimits(connections=4, from_one_address=8)
    with serving(tmp_path / "store.db", limits=few) as server:
        person = Person(server.address)
        session = person.begin("limit-2p", ["always-call"])
        with ExitStack() as opened:
            for _ in range(4):
                opened.enter_context(raw_line(person, session))
            refused = said_to(person, b"")
            assert refused.startswith(b"HTTP/1.1 503 ")
            assert b"too many visitors at the moment: try again later" in refused
        until(lambda: len(server.connections) < 4, "lines are kept for who has left")
        assert person.ask("GET", "/api/lobby").status == 200


class Closing(asyncio.Transport):
    """A transport that is closed, but whose other side takes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted = asyncio.Event()

    def is_closing(self) -> bool:
        return True

    def abort(self) -> None:
        self.aborted.set()


def test_a_connection_that_does_not_close_is_cut_off() -> None:
    async def close() -> None:
        transport = Closing()
        Doorkeeper(HASTY).enter(transport, "10.0.0.1")
        async with asyncio.timeout(LONG):
            await transport.aborted.wait()

    asyncio.run(close())


# Bodies and headers


def test_a_body_of_unknown_length_that_is_too_long_is_answered_and_the_connection_ends(
    person: Person,
) -> None:
    chunk = b"%x\r\n%b\r\n" % (8000, b" " * 8000)
    said = said_to(person, head_of(person, POST, CHUNKED) + chunk * 3 + b"0\r\n\r\n")
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in head.lower()
    assert json.loads(body) == {"error": f"a request may have at most {LARGEST_BODY} bytes"}


def test_a_body_without_end_is_cut(person: Person) -> None:
    chunk = b"%x\r\n%b\r\n" % (60_000, b" " * 60_000)
    with connected(person.host) as line:
        line.sendall(head_of(person, POST, CHUNKED))
        assert pour(line, chunk, 60_000_000) < 60_000_000
        assert b"HTTP/1.1 413 " in said_on(line)


def test_a_length_that_is_too_long_is_answered_before_the_body_comes(person: Person) -> None:
    said = said_to(person, head_of(person, POST, "Content-Length: 1000000000", "Expect: 100-continue"))
    assert said.startswith(b"HTTP/1.1 413 ")


STRANGE = {
    "two lengths": (["Content-Length: 5", CHUNKED], b"0\r\n\r\n", b"400"),
    "lengths that differ": (["Content-Length: 5", "Content-Length: 6"], b"12345", b"400"),
    "unknown encoding": (["Transfer-Encoding: gzip, chunked"], b"0\r\n\r\n", b"400"),
    "a chunk that is none": ([CHUNKED], b"zz\r\n", b"400"),
    "too many headers": ([f"X-{number}: y" for number in range(MOST_HEADERS)], b"", b"431"),
    "long headers": ([f"X: {'y' * 40_000}"], b"", b"400"),
    "very long headers": ([f"X-{number}: {'y' * 1000}" for number in range(200)], b"", b"400"),
    "a header that goes on": (["X: y", " z"], b"", b"422"),
    "a header without a name": ([": y"], b"", b"400"),
    "a header with a zero": (["X: \0"], b"", b"400"),
}


@pytest.mark.parametrize("kind", STRANGE)
def test_strange_requests_are_refused_with_a_status(person: Person, kind: str) -> None:
    headers, body, status = STRANGE[kind]
    if not any("Content-Length" in each or "Encoding" in each for each in headers):
        headers = [*headers, "Content-Length: 0"]
    said = said_to(person, head_of(person, POST, *headers) + body)
    assert said.split()[:2] == [b"HTTP/1.1", status], said


def test_after_a_request_that_can_be_read_in_two_ways_nothing_more_is_read(person: Person) -> None:
    hidden = head_of(person, "GET /static/icon.svg HTTP/1.1")
    said = said_to(person, head_of(person, POST, "Content-Length: 5", CHUNKED) + b"0\r\n\r\n" + hidden)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert said.count(b"HTTP/1.1 ") == 1, "the request in the body was answered"


@pytest.mark.parametrize(
    "start",
    [
        "GET /api/lobby HTTP/1.0",
        "GET http://evil.example/api/lobby HTTP/1.1",
        "OPTIONS * HTTP/1.1",
        "CONNECT evil.example:80 HTTP/1.1",
        "GET /api/lobby HTTP/9.9",
        "GET /api/lobby",
        "PRI * HTTP/2.0",
        f"GET /{'x' * 20_000} HTTP/1.1",
        "GET /%00%ff?%ff HTTP/1.1",
        "\x16\x03\x01\x02\x00\x01",
        "",
    ],
)
def test_strange_first_lines_are_answered(person: Person, start: str) -> None:
    assert said_to(person, head_of(person, start)).startswith(b"HTTP/1.1 ")


def test_what_is_no_chunk_ends_the_connection_also_when_the_answer_is_given(person: Person) -> None:
    with connected(person.host) as line:
        line.sendall(
            b"POST /api/sessions HTTP/1.1\r\nHost: %b\r\n%b\r\n\r\n"
            % (person.host.encode(), CHUNKED.encode())
        )
        assert line.recv(65536).startswith(b"HTTP/1.1 403 ")
        line.sendall(b"this is no chunk\r\n")
        assert b"HTTP/1.1" not in said_on(line)


def test_requests_that_come_at_once_are_answered_one_after_the_other(person: Person) -> None:
    asked = head_of(person, "GET /static/nothing HTTP/1.1") * 100
    said = said_to(person, asked + head_of(person, "GET /static/nothing HTTP/1.1", "Connection: close"))
    assert said.count(b"HTTP/1.1 404 ") == 101


# Descriptors and the log


def test_without_file_descriptors_who_plays_goes_on_and_the_log_stays_short(tmp_path: Path) -> None:
    log = tmp_path / "log"
    arguments = "--port", 0, "--workers", 1, "--store", tmp_path / "store.db"
    with served_process(tmp_path, "serve", *arguments, descriptors=200, log=log) as (_, printed):
        person = Person(address_in(printed))
        session = person.begin("limit-2p", ["always-call"])

        async def play() -> None:
            async with person.seat(session) as seat:
                await seat.own_turn()
                with many(400, person.host, HALF_SENT):
                    for _ in range(3):
                        await seat.act("call")
                        await seat.own_turn()
                await seat.act("call")

        asyncio.run(play())
        assert person.ask("GET", "/api/lobby").status == 200
        for _ in range(3 * MOST_OF_A_KIND):
            said_to(person, b"nonsense\r\n\r\n")
        assert log.read_text().count("Invalid HTTP request") == MOST_OF_A_KIND
        assert log.stat().st_size < 20_000, log.read_text()[:2_000]


def test_more_files_are_asked_for_and_no_more_than_there_may_be() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        assert allow_descriptors(300) == 300
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (300, hard)
        assert allow_descriptors(100) == 300
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_messages_of_a_kind_are_logged_a_few_times_a_minute() -> None:
    said: list[str] = []
    logger = logging.Logger("a log")
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    handler.addFilter(Sparing())
    logger.addHandler(handler)
    for number in range(1_000):
        logger.error("no more files: %d", number)
    logger.error("something else")
    assert said == [f"no more files: {number}" for number in range(MOST_OF_A_KIND)] + ["something else"]


def test_what_was_left_out_of_the_log_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(log_rate, "monotonic", lambda: now)
    sparing = Sparing()

    def record() -> logging.LogRecord:
        return logging.LogRecord("a log", logging.ERROR, "here.py", 1, "no more files: %d", (1,), None)

    assert sum(sparing.filter(record()) for _ in range(1_000)) == MOST_OF_A_KIND
    now += 61.0
    next_one = record()
    assert sparing.filter(next_one)
    assert next_one.getMessage() == f"no more files: 1 (and {1_000 - MOST_OF_A_KIND} more like this)"
