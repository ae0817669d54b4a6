"""WebSockets that send without reading, or in pieces: what is kept for them stays small, and they are cut."""

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import cast

import pytest
from starlette.websockets import WebSocket

from railbird.interfaces.web.http.room import Room
from railbird.interfaces.web.table import pace
from railbird.interfaces.web.table.live_table import LiveTable
from railbird.interfaces.web.table.socket import TableSocket
from railbird.interfaces.web.wire.limits import ConnectionLimits
from raw_lines import (
    CONTINUATION,
    PING,
    TEXT,
    connected,
    frame,
    pour,
    raw_line,
    said_on,
    until,
    upgrade,
    waiting_bytes,
)
from web_client import Person, Serving, lift_limits, serving

POLICY_VIOLATION = (1008).to_bytes(2, "big")
MOST_WAITING = 1_000_000
"""Bytes: what the transport takes before it stops reading, and the answers to one read."""
PONG = 0xA


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with the usual bounds."""
    with serving(tmp_path_factory.mktemp("usual") / "store.db") as running:
        yield running


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that takes any number of pings and messages, and waits long for who does not read."""
    limits = ConnectionLimits(control_frames=(1e9, 1e9), messages_at_once=10**9)
    with pytest.MonkeyPatch.context() as patch:
        lift_limits(patch)
        patch.setattr(pace, "STEPS", dict.fromkeys(pace.STEPS, 1e-4))
        patch.setattr(pace, "AFTER_HAND", dict.fromkeys(pace.AFTER_HAND, 0.0))
        with serving(tmp_path_factory.mktemp("patient") / "store.db", limits=limits) as running:
            yield running


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing that a visitor sends is an error of ours."""
    yield
    errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [(record.name, record.getMessage()) for record in errors] == []


def seated(server: Serving, **more: object) -> tuple[Person, str]:
    """Somebody with a session."""
    person = Person(server.address)
    return person, person.begin("limit-2p", ["always-call"], **more)


def gone(server: Serving) -> None:
    until(lambda: not server.connections, "the line is kept")


def plays_on(person: Person, session: str) -> None:
    """A step is played in the same session."""

    async def play() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            await seat.act("call")

    asyncio.run(play())


def test_pings_of_who_never_reads_do_not_pile_up(patient: Serving) -> None:
    person, session = seated(patient)
    with raw_line(person, session, reads=4096) as line:
        assert pour(line, frame(PING, b"x" * 125) * 500, 50_000_000) < 50_000_000
        assert waiting_bytes(patient) < MOST_WAITING
    gone(patient)
    plays_on(person, session)


def test_messages_of_who_never_reads_do_not_pile_up(patient: Serving) -> None:
    person, session = seated(patient)
    asked = frame(TEXT, b'{"type": "nothing", "id": 1}')
    with raw_line(person, session, reads=4096) as line:
        pour(line, asked * 500, 20_000_000)
        assert waiting_bytes(patient) < MOST_WAITING
    gone(patient)


def test_a_table_keeps_no_old_views_for_who_never_reads(patient: Serving) -> None:
    person = Person(patient.address)
    session = person.begin("limit-2p", ["always-call", "always-call"], watch=True)
    with raw_line(person, session, reads=4096) as unread:

        async def watch() -> None:
            async with person.seat(session) as seat:
                await seat.until(lambda view: view["hand"] >= 12)

        asyncio.run(watch())
        assert waiting_bytes(patient) < MOST_WAITING
        assert unread.fileno() > 0


def test_answers_that_wait_are_counted_by_their_length_too() -> None:
    line = TableSocket(cast(WebSocket, None), cast(LiveTable, None), "ann", "here", Room(1, 1))
    assert not line._is_behind()
    line._answers.extend(["x" * 1_000_000] * 2)
    assert line._is_behind()


def test_who_never_reads_is_cut(tmp_path: Path) -> None:
    limits = ConnectionLimits(control_frames=(1e9, 1e9), unread_s=0.5, closing_s=0.5, look_s=0.1)
    with serving(tmp_path / "store.db", limits=limits) as server:
        person, session = seated(server)
        with raw_line(person, session, reads=4096) as line:
            pour(line, frame(PING, b"x" * 125) * 500, 50_000_000)
            gone(server)


@pytest.mark.parametrize("code", [PING, PONG])
def test_control_frames_have_a_rate(server: Serving, code: int) -> None:
    person, session = seated(server)
    with raw_line(person, session) as line:
        pour(line, frame(code) * 50, 100_000)
        said = said_on(line)
    assert POLICY_VIOLATION + b"too many pings" in said
    gone(server)
    plays_on(person, session)


@pytest.mark.parametrize("part", [b"", b"x"])
def test_a_message_has_few_fragments(server: Serving, part: bytes) -> None:
    person, session = seated(server)
    with raw_line(person, session) as line:
        line.sendall(frame(TEXT, b"x", final=False))
        pour(line, frame(CONTINUATION, part, final=False) * 50, 1_000_000)
        said = said_on(line)
    assert POLICY_VIOLATION + b"a message may have at most 64 fragments" in said
    gone(server)


def test_a_message_in_a_few_fragments_is_heard(server: Serving) -> None:
    person, session = seated(server)

    async def send() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            text = json.dumps({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "call"})
            await seat.socket.send([text[:10], text[10:20], "", text[20:]])
            await seat.until(lambda view: view["step"] > 1)

    asyncio.run(send())


def test_thousands_of_messages_in_one_piece_are_not_kept(server: Serving) -> None:
    person, session = seated(server)
    with raw_line(person, session) as line:
        pour(line, frame(TEXT, b"") * 40_000, 10_000_000)
        assert b"HTTP" not in said_on(line)
    gone(server)
    plays_on(person, session)


BROKEN = {
    "no mask": b"\x81\x01x",
    "an unknown code": frame(0x3),
    "a reserved bit": b"\xf1" + frame(TEXT)[1:],
    "a long ping": frame(PING, b"x" * 126),
    "a continuation of nothing": frame(CONTINUATION, b"x"),
    "a ping in parts": frame(PING, final=False),
    "a length of half the memory": b"\x81\xff" + b"\x7f" + b"\xff" * 7 + bytes(4),
    "no text": frame(TEXT, b"\xff\xfe"),
    "a close of one byte": frame(0x8, b"x"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_frames_that_break_the_protocol_end_the_line(server: Serving, kind: str) -> None:
    person, session = seated(server)
    with raw_line(person, session) as line:
        line.sendall(BROKEN[kind])
        line.settimeout(15)
        said_on(line)
    gone(server)


@pytest.mark.parametrize("kind", BROKEN)
def test_frames_that_come_before_the_line_is_open_break_nothing(server: Serving, kind: str) -> None:
    person, session = seated(server)
    for wait_s in (0.0, 0.001, 0.002, 0.005):
        with connected(person.host) as line:
            line.sendall(upgrade(person, session))
            sleep(wait_s)
            with suppress(ConnectionError):
                line.sendall(BROKEN[kind])
                line.recv(1)
    gone(server)


HANDSHAKES = {
    "another method": (b"GET /", b"POST /"),
    "an old version": (b"Version: 13", b"Version: 8"),
    "no key": (b"Sec-WebSocket-Key", b"X-Key"),
    "a strange key": (b"Sec-WebSocket-Key: ", b"Sec-WebSocket-Key: \xff"),
    "another protocol": (b"Upgrade: websocket", b"Upgrade: h2c"),
    "an older HTTP": (b"HTTP/1.1", b"HTTP/1.0"),
    "a body": (b"Upgrade: websocket", b"Upgrade: websocket\r\nContent-Length: 10"),
    "a long path": (b"/table", b"/table" + b"x" * 10_000),
    "another path": (b"/table", b"/nothing"),
}


@pytest.mark.parametrize("kind", HANDSHAKES)
def test_handshakes_that_are_none_are_answered(server: Serving, kind: str) -> None:
    person, session = seated(server)
    with connected(person.host) as line:
        line.sendall(upgrade(person, session).replace(*HANDSHAKES[kind]))
        line.shutdown(socket.SHUT_WR)
        said_on(line)
    gone(server)
    plays_on(person, session)


def test_lines_that_are_dropped_while_they_open_leave_nothing_behind(server: Serving) -> None:
    person, session = seated(server)
    for _ in range(50):
        with connected(person.host) as line:
            line.sendall(upgrade(person, session))
    gone(server)
    plays_on(person, session)
