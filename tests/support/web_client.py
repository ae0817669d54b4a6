"""Servers of tables for tests, and the browser's part of the conversation: cookies, sessions, a seat at a table.

A server runs on a thread of this process (`serving`), where a test can patch it, or as the command in a process of its
own (`served_process`), where a test can kill it.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence, Set
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from railbird.interfaces.web.app import make_web
from railbird.interfaces.web.http import safety
from railbird.interfaces.web.http.safety import Gate, Guard
from railbird.interfaces.web.http.tokens import COOKIE
from railbird.interfaces.web.lobby import invitations
from railbird.interfaces.web.lobby import routes as lobby
from railbird.interfaces.web.server import LOOPBACK, address_of, bind, server_of, signing_key
from railbird.interfaces.web.study.thinkers import StudyThinkers
from railbird.interfaces.web.table import socket as table_socket
from railbird.interfaces.web.web import Web
from railbird.interfaces.web.wire.limits import ConnectionLimits
from railbird.interfaces.web.wire.proxies import proxies_at
from railbird.places import cache_folder
from railbird.store.sessions import StoredHand
from railbird.store.store import open_store

LONG = 60.0
STARTING_S = 300.0
"""After this time a server that has printed nothing is killed."""
View = dict[str, Any]


# Servers


@dataclass(slots=True, eq=False)
class Serving:
    """A server on a thread of this process."""

    address: str
    web: Web
    app: Guard
    loop: asyncio.AbstractEventLoop
    connections: Set[Any]
    """Every open connection, as uvicorn keeps them: with a `transport` each."""


def lift_limits(patch: pytest.MonkeyPatch) -> None:
    """Servers that are started from now on take as many requests, messages and new players as come."""
    for part in (safety, table_socket, lobby, invitations):
        for limit in ("PER_SECOND", "BURST"):
            patch.setattr(part, limit, 1e9)
    for limit in ("ADDRESS_PER_SECOND", "ADDRESS_BURST", "NEW_PER_SECOND", "NEW_AT_ONCE"):
        patch.setattr(safety, limit, 1e9)
    patch.setattr(lobby, "SHARED_BURST", 1e9)


@contextmanager
def serving(
    store: Path,
    *,
    key: str | None = None,
    trusted: bool = False,
    workers: int = 1,
    proxies: Sequence[str] = (),
    limits: ConnectionLimits | None = None,
) -> Iterator[Serving]:
    """A server over a store, until the end of the block; what else it keeps lies beside the store.

    Its process for questions outside of play starts when the first one is asked: most tests ask none.
    """
    started: list[asyncio.AbstractEventLoop] = []
    ready = Event()
    with open_store(store) as opened, bind(LOOPBACK, 0) as bound, pytest.MonkeyPatch.context() as patch:
        patch.setattr(StudyThinkers, "start", lambda _study: None)
        web = make_web(opened, workers=workers, trusted=trusted)
        gate = Gate(key, signing_key=signing_key(opened.address), proxies=proxies_at(proxies))
        server = server_of(web, gate, limits)

        async def serve() -> None:
            running = asyncio.create_task(server.serve([bound]))
            while not server.started and not running.done():
                await asyncio.sleep(0.005)
            started.append(asyncio.get_running_loop())
            ready.set()
            await running

        thread = Thread(target=asyncio.run, args=(serve(),), name="server")
        thread.start()
        try:
            assert ready.wait(LONG)
            app = server.config.app
            assert isinstance(app, Guard)
            yield Serving(address_of(bound), web, app, started[0], server.server_state.connections)
        finally:
            server.should_exit = True
            thread.join(LONG)
            assert not thread.is_alive(), "the server does not end"


def home_at(folder: Path) -> dict[str, str]:
    """The environment of a command whose files lie in a folder, but which shares what was compiled."""
    home = folder / "home"
    if not home.exists():
        home.mkdir()
        (home / "cache").symlink_to(cache_folder())
    return {**os.environ, "RAILBIRD_HOME": str(home)}


@contextmanager
def served_process(
    folder: Path, command: str, *arguments: object, descriptors: int | None = None, log: Path | None = None
) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """`railbird serve` or `railbird play` and the first line that it prints; killed at the end, if it still runs.

    It may have `descriptors` files open, and its errors are written to the file `log`, or else can be read from it.
    """
    started = [sys.executable, "-m", "railbird", command, "--no-prepare", *map(str, arguments)]
    if descriptors is not None:
        started = ["/bin/sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *started]
    with (
        nullcontext(subprocess.PIPE) if log is None else log.open("w") as errors,
        subprocess.Popen(
            started,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            env=home_at(folder),
        ) as process,
    ):
        try:
            assert process.stdout is not None
            # Reading a line has no time limit of its own; that of a killed process ends.
            too_late = Timer(STARTING_S, process.kill)
            too_late.start()
            line = process.stdout.readline().strip()
            too_late.cancel()
            yield process, line
        finally:
            process.kill()


def address_in(line: str) -> str:
    """The address that a server printed."""
    found = re.search(r"http://\S+", line)
    assert found, f"no address in {line!r}"
    return found[0]


# Asking


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered over HTTP."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """The value of a header."""
        return next((value for each, value in self.headers if each.lower() == name.lower()), None)

    @property
    def data(self) -> Any:
        """The body, which is JSON."""
        assert self.header("content-type") == "application/json", self.headers
        return json.loads(self.body)


def ask(
    address: str, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> Reply:
    """One request with these headers and no others but Host and the length."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    connection = HTTPConnection(parts.hostname, parts.port, timeout=LONG)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return Reply(response.status, response.getheaders(), response.read())
    finally:
        connection.close()


class Person:
    """Somebody in front of a browser: knows a server, and is known by a cookie; one is asked for if none is given.

    Where a reverse proxy is believed, `visitor` is the address that it tells.
    """

    def __init__(self, address: str, token: str | None = None, visitor: str | None = None) -> None:
        parts = urlsplit(address)
        self.address = f"http://{parts.netloc}"
        self.host = parts.netloc
        self._forwarded = {} if visitor is None else {"X-Forwarded-For": visitor}
        self.token = token or self._enter(f"/?{parts.query}" if parts.query else "/")
        self.replies: list[tuple[str, Reply]] = []
        """Everything that was answered, with what was asked."""

    def _enter(self, path: str) -> str:
        given = ask(self.address, "GET", path, headers=self._forwarded).header("set-cookie")
        assert given is not None, "no cookie"
        found = re.match(rf"{COOKIE}=([^;]+); HttpOnly; SameSite=Strict; Path=/", given)
        assert found, given
        return found[1]

    @property
    def headers(self) -> dict[str, str]:
        """What the browser sends with every request from one of our pages."""
        return {"Cookie": f"{COOKIE}={self.token}", "Origin": self.address, **self._forwarded}

    def ask(self, method: str, path: str, data: object = None) -> Reply:
        """The answer to a request."""
        body = None if data is None else json.dumps(data).encode()
        reply = ask(self.address, method, path, body, self.headers)
        self.replies.append((f"{method} {path}", reply))
        return reply

    def get(self, path: str) -> Any:
        """Data that must be there."""
        reply = self.ask("GET", path)
        assert reply.status == 200, (path, reply)
        return reply.data

    def begin(self, game: str, opponents: list[str], **more: object) -> str:
        """A new session."""
        wanted = {"game": game, "opponents": opponents, "speed": "instant", **more}
        reply = self.ask("POST", "/api/sessions", wanted)
        assert reply.status == 201, reply
        session: str = reply.data["id"]
        return session

    def invite(self, game: str, opponents: list[str], guests: "list[Person]", **sharing: object) -> str:
        """A new table with a seat for everybody: this person as Ann, and the guests, who have taken theirs."""
        names = ("Bob", "Cem", "Dan", "Eve")[: len(guests)]
        session = self.begin(game, opponents, name="Ann", sharing={"seats": 1 + len(guests), **sharing})
        invitation = asyncio.run(self.invitation(session))
        for name, guest in zip(names, guests, strict=True):
            reply = guest.ask("POST", f"/api/invitations/{invitation}", {"name": name})
            assert reply.status == 201, reply
        return session

    async def invitation(self, session: str) -> str:
        """The token by which others join this person's table."""
        async with self.seat(session) as seat:
            view = await seat.until(bool)
            invitation: str = view["together"]["invitation"]
            return invitation

    def line(self, session: str, **page: str | None) -> connect:
        """The line to a table, not yet open; `origin` stands for the page that asks for it."""
        origin = page.get("origin", self.address)
        return connect(
            f"ws://{self.host}/api/sessions/{session}/table",
            additional_headers={
                "Cookie": f"{COOKIE}={self.token}",
                **({} if origin is None else {"Origin": origin}),
                **self._forwarded,
            },
            compression=None,
            proxy=None,
            ping_interval=None,
            max_size=None,
            open_timeout=LONG,
        )

    @asynccontextmanager
    async def seat(self, session: str) -> "AsyncIterator[Seat]":
        """A seat at a table, taken until the end of the block."""
        async with self.line(session) as socket:
            seat = Seat(socket)
            reading = asyncio.create_task(seat.read())
            try:
                yield seat
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)


class Refusal(AssertionError):
    """An error that the table answered."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(str(answer))
        self.code: str = answer["code"]
        self.sentence: str = answer["message"]


@dataclass(eq=False)
class Seat:
    """A browser at a table: the newest view, and an answer to everything that is asked."""

    socket: ClientConnection
    view: View = field(default_factory=dict)
    views: list[View] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    """Everything that was received."""
    _ids: Iterator[int] = field(default_factory=lambda: count(1))
    _awaited: dict[int, "asyncio.Future[dict[str, Any]]"] = field(default_factory=dict)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def read(self) -> None:
        """Take in what the server says."""
        try:
            async for text in self.socket:
                assert isinstance(text, str)
                self.frames.append(text)
                message = json.loads(text)
                if message["type"] == "table":
                    self.view = message
                    self.views.append(message)
                    async with self._changed:
                        self._changed.notify_all()
                elif message["id"] in self._awaited:
                    self._awaited.pop(message["id"]).set_result(message)
        except ConnectionClosed:
            pass
        for awaited in self._awaited.values():
            if not awaited.done():
                awaited.set_exception(ConnectionError("the line was cut"))

    async def until(self, condition: Callable[[View], bool], seconds: float = LONG) -> View:
        """The first newest view of which something holds."""
        async with asyncio.timeout(seconds), self._changed:
            await self._changed.wait_for(lambda: bool(self.view) and condition(self.view))
        return self.view

    async def answer(self, kind: str, **fields: object) -> dict[str, Any]:
        """The answer to a message, whatever it is."""
        number = next(self._ids)
        awaited: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._awaited[number] = awaited
        await self.socket.send(json.dumps({"type": kind, "id": number, **fields}))
        async with asyncio.timeout(LONG):
            return await awaited

    async def ask(self, kind: str, **fields: object) -> dict[str, Any]:
        """The answer to a message that must not be refused."""
        answer = await self.answer(kind, **fields)
        if answer["type"] == "error":
            raise Refusal(answer)
        return answer

    async def act(self, action: str, to: int = 0) -> dict[str, Any]:
        """Act in the hand that is seen now, and see it done."""
        more = {"to": to} if action == "raise" else {}
        hand, step = self.view["hand"], self.view["step"]
        answer = await self.ask("act", hand=hand, step=step, action=action, **more)
        await self.until(lambda view: (view["hand"], view["step"]) > (hand, step))
        return answer

    async def own_turn(self) -> View:
        """Wait until something is to be decided."""
        return await self.until(lambda view: view["actions"] is not None)

    async def play_hand(self, action: str = "call") -> View:
        """Play the next hand that is dealt to its end; the last view of it."""
        await self.until(lambda view: view["phase"] == "playing")
        number = self.view["hand"]
        while True:
            view = await self.until(
                lambda view: view["actions"] is not None or view["phase"] == "over" or view["hand"] > number
            )
            if view["actions"] is None or view["hand"] > number:
                return next(
                    each
                    for each in reversed(self.views)
                    if each["hand"] == number and each["phase"] == "over"
                )
            await self.act(action)


def assert_chips_conserved(hands: Sequence[StoredHand]) -> None:
    """Every hand that is over pays out what was paid in; the next one begins with that, or with new stacks."""
    over = [hand for hand in hands if hand.ending is not None]
    assert over, "no hand was played"
    carried: dict[tuple[int, str], Fraction] = {}
    """By chair and player: whoever sits out keeps the stack."""
    for hand in over:
        assert hand.ending is not None
        payoffs = [Fraction(won) for won in hand.ending["payoffs"]]
        assert sum(payoffs) == 0, hand.number
        seats = list(zip(hand.start["chairs"], hand.start["players"], strict=True))
        stacks = dict(zip(seats, hand.start["stacks"], strict=True))
        for seat, stack in stacks.items():
            first = hand.start["rules"]["stacks"][0]
            # Who has nothing left buys the first stack again.
            assert stack == (carried.get(seat) or first), (hand.number, seat)
        if hand.start["rules"]["carry"]:
            carried |= {seat: stacks[seat] + won for seat, won in zip(seats, payoffs, strict=True)}
