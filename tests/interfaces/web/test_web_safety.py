"""The server is safe on a network: who may ask what, how much and how often; what is refused changes nothing."""

import asyncio
import json
import os
import socket
from collections.abc import Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from folders import SUPPORT
from railbird.agent import agent_info, agent_names
from railbird.cli.playing.serve import serve
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.interfaces.offer import MOST_TIMES, Offer
from railbird.interfaces.web.http import safety
from railbird.interfaces.web.http.asgi import Receive, Scope, Send
from railbird.interfaces.web.http.safety import HEADERS, LARGEST_BODY, Gate, Guard
from railbird.interfaces.web.http.tokens import COOKIE, LONGEST_TOKEN, is_signed, issue_token, signed
from railbird.interfaces.web.lobby import routes as lobby
from railbird.interfaces.web.server import (
    KEY_FILE,
    LARGEST_FRAME,
    LOOPBACK,
    SIGNING_KEY,
    address_of,
    bind,
    own_key,
    signing_key,
)
from railbird.interfaces.web.table import dealing, messages, pace
from railbird.interfaces.web.table import socket as table_socket
from railbird.store.sessions import StoredHand, StoredSession
from web_client import LONG, Person, Reply, Seat, Serving, ask, serving

KEY = "the-key-of-who-sits-here"
SLOW_AGENTS = SUPPORT / "slow_agents.py"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for everybody."""
    with serving(tmp_path_factory.mktemp("open") / "store.db") as running:
        yield running


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server for who sits at this machine."""
    with serving(tmp_path_factory.mktemp("own") / "store.db", key=KEY, trusted=True) as running:
        yield running


@pytest.fixture
def person(server: Serving) -> Person:
    return Person(server.address)


# Where it listens


def test_nobody_else_is_served_unless_somebody_asks_for_it() -> None:
    assert signature(serve).parameters["host"].default == LOOPBACK == "127.0.0.1"
    with bind(LOOPBACK, 0) as bound:
        assert address_of(bound).startswith("http://127.0.0.1:")


def test_an_address_that_is_taken_is_refused_with_a_sentence() -> None:
    with bind(LOOPBACK, 0) as bound:
        bound.listen()
        port = bound.getsockname()[1]
        with pytest.raises(ValueError, match=f"127.0.0.1:{port} cannot be used: "):
            bind(LOOPBACK, port)


def test_the_key_is_made_once_and_read_by_nobody_else(tmp_path: Path) -> None:
    key = own_key(tmp_path)
    assert len(key) >= 40
    assert own_key(tmp_path) == key
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert own_key(tmp_path / "other") != key


def test_the_key_that_tokens_are_signed_with_is_kept_beside_the_store(tmp_path: Path) -> None:
    key = signing_key(str(tmp_path / "hands.db"))
    assert len(key) >= 40
    assert signing_key(str(tmp_path / "hands.db")) == key
    assert signing_key(str(tmp_path / "other.db")) != key
    assert (tmp_path / f"hands.db.{SIGNING_KEY}").stat().st_mode & 0o777 == 0o600


def test_servers_that_start_at_once_have_the_same_key(tmp_path: Path) -> None:
    for number in range(20):
        with ThreadPoolExecutor(8) as starting:
            keys = set(starting.map(signing_key, [str(tmp_path / f"{number}.db")] * 8))
        assert len(keys) == 1


# Who may ask


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "localhost.evil.example", "", "[", "127.0.0.1.evil.example", "a:b"]
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/api/lobby", "/static/app.js"])
def test_a_foreign_host_is_refused(person: Person, host: str, path: str) -> None:
    reply = ask(person.address, "GET", path, headers={**person.headers, "Host": host})
    assert (reply.status, reply.data) == (400, {"error": "unknown host name"})
    assert reply.header("set-cookie") is None


@pytest.mark.parametrize("host", ["localhost:1234", "[::1]:80", "127.0.0.1", "LOCALHOST"])
def test_names_and_numbers_of_this_machine_are_ours(person: Person, host: str) -> None:
    headers = {"Cookie": person.headers["Cookie"], "Host": host}
    assert ask(person.address, "GET", "/api/lobby", headers=headers).status == 200


FOREIGN_ORIGINS = [
    None,
    "null",
    "http://evil.example",
    "http://127.0.0.1:1",
    "http://127.0.0.1.evil.example",
    "http://[",
    "",
    "\xff",
]


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH", "OPTIONS"])
def test_what_may_change_something_must_come_from_our_own_pages(
    person: Person, method: str, origin: str | None
) -> None:
    headers = {"Cookie": person.headers["Cookie"]}
    if origin is not None:
        headers["Origin"] = origin
    reply = ask(person.address, method, "/api/sessions", b"{}", headers)
    assert (reply.status, reply.data) == (403, {"error": "only pages of this server may send this request"})


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_table_is_shown_to_our_own_pages_only(person: Person, origin: str | None) -> None:
    session = person.begin("limit-2p", ["always-call"])
    assert asyncio.run(refused_line(person, session, origin)) == 403


async def refused_line(person: Person, session: str, origin: str | None) -> int:
    """The status with which a line to a table is refused."""
    with pytest.raises(InvalidStatus) as refused:
        await person.line(session, origin=origin)
    return refused.value.response.status_code


async def closed_line(person: Person, session: str) -> tuple[int, str]:
    """The code and the sentence with which a line to a table is closed before anything was said."""
    async with person.line(session) as line:
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def test_without_a_cookie_only_the_page_is_given_and_with_it_a_token(server: Serving) -> None:
    for path in ("/api/lobby", "/api/sessions/x", "/api/tournaments", "/api/explore/packs", "/api/nothing"):
        reply = ask(server.address, "GET", path)
        assert reply.status == 403
        assert reply.header("set-cookie") is None
    first, second = (ask(server.address, "GET", "/").header("set-cookie") for _ in range(2))
    assert first is not None
    assert first != second
    assert first.startswith(f"{COOKIE}=")
    assert "; HttpOnly; SameSite=Strict; Path=/; Max-Age=" in first
    assert len(first.split(";")[0]) >= len(COOKIE) + 41
    assert ask(server.address, "GET", "/static/app.js").header("set-cookie") is None


@pytest.mark.parametrize(
    "cookie",
    [f"{COOKIE}=", f"{COOKIE}={'x' * (LONGEST_TOKEN + 1)}", "other=1", "\xff", f"{COOKIE}", ";;=;"],
)
def test_what_is_no_token_is_none(server: Serving, cookie: str) -> None:
    assert ask(server.address, "GET", "/api/lobby", headers={"Cookie": cookie}).status == 403


def test_who_invents_a_token_is_nobody(server: Serving, person: Person) -> None:
    name, _, signature = person.token.partition(".")
    invented = [
        "somebody",
        name,
        f"{name}.",
        f"{name[::-1]}.{signature}",
        f".{signature}",
        f"{person.token}x",
    ]
    invented += [signed("somebody", "another key"), signed("", ""), issue_token("")]
    for token in invented:
        cookie = {"Cookie": f"{COOKIE}={token}"}
        reply = ask(server.address, "GET", "/api/lobby", headers=cookie)
        assert (reply.status, reply.header("set-cookie")) == (403, None), token
        assert reply.data == {"error": "unknown player: open the start page of this server again"}
        assert ask(server.address, "GET", "/", headers=cookie).header("set-cookie") is not None
        assert asyncio.run(refused_line(Person(server.address, token), "any", person.address)) == 403
    assert ask(server.address, "GET", "/", headers=person.headers).header("set-cookie") is None
    assert person.ask("GET", "/api/lobby").status == 200


def test_a_player_is_known_again_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path / "store.db") as first:
        person = Person(first.address)
        session = person.begin("limit-2p", ["always-call"])
    with serving(tmp_path / "store.db") as second:
        again = Person(second.address, person.token)
        assert [each["id"] for each in again.get("/api/lobby")["sessions"]] == [session]


def test_the_store_knows_digests_of_tokens_only(server: Serving, person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])
    stored = server.web.sessions.session(session)
    assert stored is not None
    assert len(stored.owner) == 64
    assert person.token not in str(stored)


def test_who_sits_here_enters_with_the_key_and_nobody_without(own: Serving) -> None:
    for query in ("", "?key=", "?key=wrong", "?key=%ff", f"?KEY={KEY}", f"?key=wrong&key={KEY}"):
        reply = ask(own.address, "GET", f"/{query}")
        assert reply.status == 403, query
        assert "access denied" in reply.data["error"]
    reply = ask(own.address, "GET", f"/?key={KEY}")
    assert (reply.status, reply.header("location")) == (303, "/")
    assert reply.header("set-cookie") is not None
    assert Person(own.address, KEY).get("/api/lobby")["sessions"] == []
    for token in ("wrong", KEY + "x", KEY.upper()):
        headers = {"Cookie": f"{COOKIE}={token}"}
        assert ask(own.address, "GET", "/api/lobby", headers=headers).status == 403
        assert ask(own.address, "GET", "/", headers=headers).status == 403


@pytest.mark.parametrize(
    ("method", "route"),
    [
        ("GET", ""),
        ("DELETE", ""),
        ("GET", "/hands"),
        ("GET", "/hands/1"),
        ("GET", "/summary"),
        ("GET", "/hands.phhs"),
        ("GET", "/hands.log"),
        ("GET", "/hands.txt"),
        ("GET", "/hands/1/txt"),
        ("POST", "/duplicate"),
        ("GET", "/review"),
        ("GET", "/review/1/0"),
        ("POST", "/review"),
    ],
)
def test_a_session_of_somebody_else_is_as_unknown_as_one_that_never_was(
    server: Serving, person: Person, method: str, route: str
) -> None:
    session = person.begin("limit-2p", ["always-call"])
    other = Person(server.address)
    replies = [
        other.ask(method, f"/api/sessions/{each}{route}", {"agent": "random"} if method == "POST" else None)
        for each in (session, "never-was")
    ]
    assert [reply.status for reply in replies] == [404, 404]
    assert replies[0].body == replies[1].body
    lines = [asyncio.run(closed_line(other, each)) for each in (session, "never-was")]
    assert lines == [(table_socket.NOT_FOUND, "there is no such session")] * 2
    stored = server.web.sessions.session(session)
    assert stored is not None
    assert not stored.finished


# How much and how often


def test_a_body_that_is_too_long_is_refused_whether_or_not_it_says_so(person: Person) -> None:
    whole = b'{"game":"limit-2p","opponents":["always-call"],"name":"%s"}'
    reply = ask(person.address, "POST", "/api/sessions", whole % (b"x" * LARGEST_BODY), person.headers)
    assert (reply.status, reply.data) == (413, {"error": f"a request may have at most {LARGEST_BODY} bytes"})
    assert raw_status(person, [b"Content-Length: -1"], b"") >= 400
    assert raw_status(person, [b"Content-Length: " + b"9" * 5000], b"") >= 400
    chunk = b"%x\r\n%s\r\n" % (8000, b" " * 8000)
    assert raw_status(person, [b"Transfer-Encoding: chunked"], chunk * 40 + b"0\r\n\r\n") >= 400
    assert person.get("/api/lobby")["sessions"] == []


def raw_status(person: Person, headers: list[bytes], body: bytes) -> int:
    """The status of an answer to a request as no library sends it; 400 where the line is just cut."""
    host, port = person.host.split(":")
    lines = [
        b"POST /api/sessions HTTP/1.1",
        f"Host: {person.host}".encode(),
        *(f"{name}: {value}".encode() for name, value in person.headers.items()),
        *headers,
    ]
    with socket.create_connection((host, int(port)), 10) as line:
        try:
            line.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
            said = line.recv(100)
        except ConnectionError:
            return 400
    return int(said.split()[1]) if said else 400


@dataclass
class Asked:
    """A guard without a server behind it: everything that it lets through is answered, and lines stay open."""

    guard: Guard = field(init=False)
    held: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the lines shall close."""

    def __post_init__(self) -> None:
        self.guard = Guard(self._app, Gate(signing_key="key"))

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await self.held.wait()
            await send({"type": "websocket.close", "code": 1000})
        else:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    async def ask(
        self, path: str, address: str | None, token: str | None = None, kind: str = "http"
    ) -> dict[str, Any]:
        """The first answer that is not the word that a line is open."""
        said: list[MutableMapping[str, Any]] = []
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
        if token is not None:
            headers.append((b"cookie", f"{COOKIE}={token}".encode()))
        client = None if address is None else (address, 1)
        scope = {"type": kind, "path": path, "method": "GET", "headers": headers, "client": client}

        async def receive() -> MutableMapping[str, Any]:
            return {"type": f"{kind}.connect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            said.append(message)

        await self.guard(scope, receive, send)
        return next(dict(each) for each in said if each["type"] != "websocket.accept")

    async def status(self, path: str, address: str | None, token: str | None = None) -> int:
        """The status of an answer."""
        status: int = (await self.ask(path, address, token))["status"]
        return status


def at_once(monkeypatch: pytest.MonkeyPatch, **most: float) -> None:
    """Let no more be allowed than so many at once."""
    for rate in ("PER_SECOND", "ADDRESS_PER_SECOND", "NEW_PER_SECOND"):
        monkeypatch.setattr(safety, rate, 1e-9)
    for name, number in most.items():
        monkeypatch.setattr(safety, name, number)


def test_requests_have_a_rate_for_each_player(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once(monkeypatch, BURST=3.0)

    async def work() -> None:
        asked = Asked()
        ann, bob = signed("ann", "key"), signed("bob", "key")
        assert [await asked.status("/api/lobby", "10.0.0.1", ann) for _ in range(5)] == [200] * 3 + [429] * 2
        assert await asked.status("/api/lobby", "10.0.0.2", ann) == 429
        assert await asked.status("/api/lobby", "10.0.0.1", bob) == 200

    asyncio.run(work())


def test_requests_have_a_rate_for_each_address_whatever_token_they_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_once(monkeypatch, ADDRESS_BURST=6.0)

    async def work() -> None:
        asked = Asked()
        statuses = [
            await asked.status("/api/lobby", "10.0.0.1", signed(f"player-{number}", "key"))
            for number in range(4)
        ]
        statuses += [
            await asked.status("/api/lobby", "10.0.0.1", f"invented-{number}") for number in range(4)
        ]
        assert statuses == [200] * 4 + [403] * 2 + [429] * 2
        assert await asked.status("/static/app.js", "10.0.0.1") == 429
        refused = await asked.ask("/api/sessions/x/table", "10.0.0.1", signed("ann", "key"), "websocket")
        assert refused["reason"] == "too many requests from your address: wait a moment"
        for elsewhere in ("10.0.0.2", "::1", None):
            assert await asked.status("/api/lobby", elsewhere, signed("ann", "key")) == 200

    asyncio.run(work())


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_of_ipv6_the_network_that_one_customer_has_counts_as_one_address(
    monkeypatch: pytest.MonkeyPatch, first: str, second: str, same: bool
) -> None:
    at_once(monkeypatch, ADDRESS_BURST=1.0)

    async def work() -> None:
        asked = Asked()
        assert await asked.status("/static/app.js", first) == 200
        assert await asked.status("/static/app.js", second) == (429 if same else 200)

    asyncio.run(work())


def test_an_address_has_so_many_new_players(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once(monkeypatch, NEW_AT_ONCE=2.0)

    async def work() -> None:
        asked = Asked()
        replies = [await asked.ask("/", "10.0.0.1") for _ in range(3)]
        assert [reply["status"] for reply in replies] == [200, 200, 429]
        cookies = [dict(reply["headers"]).get(b"set-cookie", b"").decode() for reply in replies]
        tokens = [cookie.partition("=")[2].partition(";")[0] for cookie in cookies]
        assert [is_signed(token, "key") for token in tokens] == [True, True, False]
        # Who is known already may come back, and others have addresses of their own.
        assert await asked.status("/", "10.0.0.1", tokens[0]) == 200
        assert await asked.status("/", "10.0.0.2") == 200

    asyncio.run(work())


def test_an_address_has_so_many_open_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "MOST_LINES", 2)

    async def work() -> None:
        asked = Asked()
        table = "/api/sessions/x/table"
        open_lines = [
            asyncio.create_task(asked.ask(table, "10.0.0.1", signed(name, "key"), "websocket"))
            for name in ("ann", "bob")
        ]
        await asyncio.sleep(0)
        refused = await asked.ask(table, "10.0.0.1", signed("cid", "key"), "websocket")
        assert (refused["code"], refused["reason"]) == (
            1013,
            "too many tables are open from your address: close one",
        )
        elsewhere = asyncio.create_task(asked.ask(table, "10.0.0.2", signed("cid", "key"), "websocket"))
        await asyncio.sleep(0)
        asked.held.set()
        assert [(await line)["code"] for line in [*open_lines, elsewhere]] == [1000] * 3
        # Who closes a table makes room.
        assert (await asked.ask(table, "10.0.0.1", signed("cid", "key"), "websocket"))["code"] == 1000

    asyncio.run(work())


async def errors_of(seat: Seat, texts: list[str | bytes]) -> list[dict[str, Any]]:
    """The answers to messages that are refused."""
    before = len(seat.frames)
    for text in texts:
        await seat.socket.send(text)
    errors: list[dict[str, Any]] = []
    async with asyncio.timeout(LONG):
        while len(errors) < len(texts):
            await asyncio.sleep(0.005)
            errors = [json.loads(text) for text in seat.frames[before:] if '"type":"error"' in text]
    return errors


async def send_until_cut(seat: Seat) -> None:
    async with asyncio.timeout(LONG):
        while True:
            await seat.socket.send("{}")
            await asyncio.sleep(0.001)


def test_a_long_message_is_answered_and_one_much_longer_ends_the_line(person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])
    most = messages.LONGEST_MESSAGE

    async def send() -> None:
        async with person.seat(session) as seat:
            long: list[str | bytes] = [" " * (most + 1), b" " * (most + 1), "♠" * (most // 2)]
            errors = await errors_of(seat, long)
            assert [error["code"] for error in errors] == ["too-long"] * 3
            assert (await errors_of(seat, [" " * most]))[0]["code"] == "malformed"
            await seat.own_turn()
            await seat.act("call")
            await seat.socket.send(" " * (LARGEST_FRAME + 1))
            with pytest.raises(ConnectionClosed):
                await send_until_cut(seat)

    asyncio.run(send())


def test_messages_have_a_rate_and_who_does_not_heed_it_is_cut_off(person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])
    at_once = int(table_socket.BURST)

    async def send() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            for number in range(at_once + 10):
                await seat.socket.send(json.dumps({"type": "why", "id": number, "hand": 99, "step": 0}))
            while sum('"type":"error"' in text for text in seat.frames) < at_once + 10:
                await asyncio.sleep(0.005)
            errors = [json.loads(text) for text in seat.frames if '"type":"error"' in text]
            codes = [error["code"] for error in errors]
            assert codes[: at_once - 1] == ["unknown"] * (at_once - 1)
            assert "too-fast" in codes
            assert [error["id"] for error in errors] == list(range(at_once + 10))
            with pytest.raises(ConnectionClosed):
                await send_until_cut(seat)
        async with person.seat(session) as seat:
            await seat.own_turn()

    asyncio.run(send())


# What is refused changes nothing


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that the store has of a session."""

    session: StoredSession | None
    hands: list[StoredHand]


def kept_of(server: Serving, session: str) -> Kept:
    # Without reasons: those of what the agent did before may still be on their way.
    return Kept(server.web.sessions.session(session), server.web.sessions.hands(session))


REFUSED: list[tuple[dict[str, Any] | str | bytes, str]] = [
    ("", "malformed"),
    ("{", "malformed"),
    (b"\xff\xfe", "malformed"),
    ("null", "malformed"),
    ("[" * 5000, "malformed"),
    ({"id": 1}, "malformed"),
    ({"type": "act", "id": 1}, "malformed"),
    ({"type": "shuffle", "id": 1}, "malformed"),
    ({"type": "deal"}, "malformed"),
    ({"type": "deal", "id": -1}, "malformed"),
    ({"type": "deal", "id": 2**60}, "malformed"),
    ({"type": "deal", "id": "1"}, "malformed"),
    ({"type": "deal", "id": 1, "cards": "AhAs"}, "malformed"),
    ({"type": "settings", "id": 1, "speed": "warp"}, "malformed"),
    ({"type": "settings", "id": 1, "auto_deal": 1}, "malformed"),
    ({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "steal"}, "malformed"),
    ({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "call", "to": 20}, "malformed"),
    ({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "raise", "to": "20"}, "malformed"),
    ({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "raise"}, "illegal"),
    ({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "raise", "to": 25}, "illegal"),
    ({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "raise", "to": -20}, "illegal"),
    ({"type": "act", "id": 1, "hand": 1, "step": 1, "action": "raise", "to": 2**62}, "illegal"),
    ({"type": "act", "id": 1, "hand": 1, "step": 0, "action": "call"}, "too-late"),
    ({"type": "act", "id": 1, "hand": 0, "step": 1, "action": "call"}, "too-late"),
    ({"type": "act", "id": 1, "hand": 2, "step": 1, "action": "call"}, "too-late"),
    ({"type": "act", "id": 1, "hand": 1, "step": -1, "action": "call"}, "too-late"),
    ({"type": "deal", "id": 1}, "not-now"),
    ({"type": "forward", "id": 1}, "not-now"),
    ({"type": "why", "id": 1, "hand": 1, "step": 0}, "not-now"),
    ({"type": "why", "id": 1, "hand": -3, "step": 0}, "unknown"),
    ({"type": "range", "id": 1, "hand": 1, "step": 0}, "not-now"),
    ({"type": "range", "id": 1, "hand": -3, "step": 0}, "unknown"),
    ({"type": "strength", "id": 1, "hand": 1, "step": 5}, "too-late"),
    ({"type": "advise", "id": 1, "hand": 1, "step": 1, "agent": "nobody"}, "unknown"),
    ({"type": "advise", "id": 1, "hand": 1, "step": 1, "agent": f"{SLOW_AGENTS}:Slow"}, "unknown"),
    ({"type": "advise", "id": 1, "hand": 1, "step": 1, "agent": "\ud800"}, "malformed"),
]


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No limits of rates."""
    monkeypatch.setattr(table_socket, "PER_SECOND", 1e9)
    monkeypatch.setattr(table_socket, "BURST", 1e9)


def test_refused_messages_change_nothing(server: Serving, person: Person, unhurried: None) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def send() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            before = kept_of(server, session)
            view = seat.view
            assert (view["hand"], view["step"]) == (1, 1)
            for message, code in REFUSED:
                text = json.dumps(message) if isinstance(message, dict) else message
                (error,) = await errors_of(seat, [text])
                assert error["code"] == code, (message, error)
                assert error["message"]
                known = message.get("id") if isinstance(message, dict) and "\\ud" not in text else None
                assert error["id"] == (1 if known == 1 else None)
            assert kept_of(server, session) == before
            assert seat.view == view

    asyncio.run(send())


def test_numbers_of_any_length_are_only_numbers(person: Person, unhurried: None) -> None:
    session = person.begin("limit-2p", ["always-call"])
    many = "9" * 15_000

    async def send() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            for text in (
                f'{{"type":"act","id":1,"hand":1,"step":1,"action":"raise","to":{many}}}',
                f'{{"type":"act","id":1,"hand":{many},"step":1,"action":"call"}}',
                f'{{"type":"act","id":{many},"hand":1,"step":1,"action":"call"}}',
                f'{{"type":"why","id":1,"hand":1,"step":-{many}}}',
                f'{{"type":"why","id":1,"hand":1,"step":1e{many}}}',
            ):
                (error,) = await errors_of(seat, [text])
                assert len(error["message"]) < 300
            await seat.act("call")

    asyncio.run(send())


def test_an_action_that_is_sent_twice_is_done_once(server: Serving, person: Person, unhurried: None) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def send() -> None:
        async with person.seat(session) as seat, person.seat(session) as twin:
            await seat.own_turn()
            act = {"type": "act", "id": 7, "hand": 1, "step": 1, "action": "call"}
            for each in (seat, twin, seat):
                await each.socket.send(json.dumps(act))
            await seat.until(lambda view: view["step"] >= 2)
            await asyncio.sleep(0.2)
            done = [text for each in (seat, twin) for text in each.frames if '"type":"done"' in text]
            late = [text for each in (seat, twin) for text in each.frames if "too-late" in text]
            assert (len(done), len(late)) == (1, 2)
            assert kept_of(server, session).hands[0].actions == "c c"

    asyncio.run(send())


def test_nobody_acts_for_somebody_else(
    server: Serving, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "STEPS", dict.fromkeys(pace.STEPS, 0.4))
    session = person.begin("limit-2p", ["always-call"])

    async def send() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            await seat.act("call")
            await seat.act("call")
            answer = await seat.answer("act", hand=1, step=3, action="fold")
            assert (answer["type"], answer["code"]) == ("error", "not-your-turn")
            assert kept_of(server, session).hands[0].actions == "c c c"

    asyncio.run(send())


def test_a_session_that_was_left_is_over_for_good(server: Serving, person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def leave() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            await seat.ask("leave")
            await seat.until(lambda view: view["phase"] == "closed")

    asyncio.run(leave())
    kept = kept_of(server, session)
    assert kept.session is not None
    assert kept.session.finished
    assert [hand.voided for hand in kept.hands] == ["the session was left"]

    async def come_back() -> None:
        async with person.seat(session) as seat:
            view = await seat.until(lambda view: view["phase"] == "closed", 10)
            for kind in ("deal", "pause", "continue", "forward"):
                assert (await seat.answer(kind))["code"] == "not-now"
            assert (await seat.answer("act", hand=view["hand"], step=0, action="call"))["code"] == "not-now"
            assert (await seat.answer("why", hand=view["hand"], step=0))["type"] == "error"

    asyncio.run(come_back())
    # Also when the table was put away meanwhile.
    asyncio.run_coroutine_threadsafe(server.web.keeper.put_away(session), server.loop).result(10)
    asyncio.run(come_back())
    assert kept_of(server, session) == kept


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/static/%2fetc/passwd",
        "/static/../../../../../../../../etc/passwd",
        "/static/%252e%252e/app.py",
        "/static/app.js%00.css",
        "/static/....//app.py",
        "/static/",
        "/static",
        "/../app.py",
        "/%2e%2e/app.py",
    ],
)
def test_no_path_leads_to_other_files(person: Person, path: str) -> None:
    reply = ask(person.address, "GET", path, headers=person.headers)
    assert reply.status in (307, 404, 405), (path, reply)
    assert b"root:" not in reply.body
    assert b"import" not in reply.body


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%00", "%ff", "x" * 5000, "'%20OR%201=1--", "♠"]
)
def test_no_name_of_a_session_is_more_than_a_name(person: Person, name: str) -> None:
    from urllib.parse import quote

    quoted = quote(name, safe="%")
    for route in ("", "/hands", "/hands/1", "/summary", "/hands.phhs"):
        reply = ask(person.address, "GET", f"/api/sessions/{quoted}{route}", headers=person.headers)
        assert reply.status in (404, 405), (name, route, reply)


# Headers


def test_every_answer_has_the_strict_headers(own: Serving, person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])
    long = b"x" * (LARGEST_BODY + 1)
    replies: dict[str, Reply] = {
        "page": ask(person.address, "GET", "/"),
        "static": ask(person.address, "GET", "/static/app.js"),
        "data": person.ask("GET", "/api/lobby"),
        "made": person.ask("POST", "/api/sessions", {"game": "limit-2p", "opponents": ["always-call"]}),
        "wrong": person.ask("POST", "/api/sessions", {"game": "chess", "opponents": []}),
        "not JSON": ask(person.address, "POST", "/api/sessions", b"{", person.headers),
        "not found": person.ask("GET", "/api/nothing"),
        "no file": ask(person.address, "GET", "/static/nothing.js"),
        "no method": person.ask("PUT", "/api/lobby"),
        "no cookie": ask(person.address, "GET", "/api/lobby"),
        "no origin": ask(person.address, "POST", "/api/sessions", b"{}"),
        "host": ask(person.address, "GET", "/", headers={"Host": "evil.example"}),
        "too long": ask(person.address, "POST", "/api/sessions", long, person.headers),
        "download": person.ask("GET", f"/api/sessions/{session}/hands.phhs"),
        "head": ask(person.address, "HEAD", "/api/lobby", headers=person.headers),
        "key": ask(own.address, "GET", f"/?key={KEY}"),
    }
    statuses = {name: reply.status for name, reply in replies.items()}
    assert statuses == {
        "page": 200, "static": 200, "data": 200, "made": 201, "wrong": 422, "not JSON": 422, "not found": 404,
        "no file": 404, "no method": 405, "no cookie": 403, "no origin": 403, "host": 400, "too long": 413,
        "download": 200, "head": 405, "key": 303,
    }  # fmt: skip
    for name, reply in replies.items():
        for header, value in HEADERS:
            assert reply.header(header.decode()) == value.decode(), name
        assert reply.header("server") is None
        assert not any(header.lower().startswith("access-control") for header, _ in reply.headers)
    policy = dict(HEADERS)[b"content-security-policy"].decode()
    assert policy.startswith("default-src 'self'; ")
    assert "unsafe" not in policy
    for name in ("data", "made", "wrong", "download", "not found"):
        assert replies[name].header("cache-control") == "no-store", name


# Cards


def test_decks_come_from_the_operating_system(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = Setup.of(named_game("limit-9max"))
    dealt = {dealing.deal(setup).cards for _ in range(500)}
    assert len(dealt) == 500
    asked: list[int] = []
    entropy = os.urandom

    def urandom(count: int) -> bytes:
        asked.append(count)
        return b"\x07" * count if len(asked) <= 2 else entropy(count)

    monkeypatch.setattr(os, "urandom", urandom)
    # 256 bits for each hand, and nothing else.
    first, second, third = (dealing.deal(setup).cards for _ in range(3))
    assert asked == [32] * 3
    assert first == second != third


# Agents


HARMFUL = [
    f"{SLOW_AGENTS}:Slow",
    "slow_agents.py:Slow",
    "casper:pack=/etc/passwd",
    "casper-online:store=sqlite:///x.db",
    "brain:url=http://127.0.0.1:1,agent=random",
    "baycarp1:network=/etc/passwd",
]


@pytest.mark.parametrize("agent", HARMFUL)
def test_who_plays_on_somebodys_server_reaches_no_file_and_no_other_machine(
    person: Person, agent: str
) -> None:
    reply = person.ask("POST", "/api/sessions", {"game": "limit-2p", "opponents": [agent]})
    assert reply.status == 422, reply
    assert (
        "only the operator of the server can name" in reply.data["error"]
        or "only the operator of the server can set" in reply.data["error"]
    ), reply
    assert person.get("/api/lobby")["sessions"] == []


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        ("simbot:trials=1000000000,obvious=never,stride=1", "trials of simbot may be at most 5,000 "),
        ("simbot:trials=5001", "trials of simbot may be at most 5,000 "),
        ("simbot:mix=1e300", "mix of simbot may be at most 10 "),
        ("simbot:apart=nan", "apart of simbot may be at most 10 "),
        ("casey:most=1_001", "most of casey may be at most 1,000 "),
    ],
)
def test_who_plays_on_somebodys_server_does_not_keep_it_busy(
    person: Person, agent: str, sentence: str
) -> None:
    reply = person.ask("POST", "/api/sessions", {"game": "limit-2p", "opponents": [agent]})
    assert reply.status == 422, reply
    assert reply.data["error"] == f"{sentence}on this server"
    tournament = {"game": "limit-2p", "agents": [agent, "always-call"]}
    assert person.ask("POST", "/api/tournaments", tournament).data == reply.data


@pytest.mark.parametrize("name", agent_names())
def test_numbers_may_be_somewhat_larger_than_usual_and_choices_are_free(name: str) -> None:
    for parameter in agent_info(name).parameters:
        if parameter.kind in ("int", "float"):
            most = MOST_TIMES * max(parameter.default, 1)
            Offer().verify(f"{name}:{parameter.name}={most}")
            with pytest.raises(ValueError, match=f"{parameter.name} of {name} may be at most "):
                Offer().verify(f"{name}:{parameter.name}={most + 1}")
        elif parameter.kind == "bool":
            Offer().verify(f"{name}:{parameter.name}=yes")
        elif parameter.kind != "str":
            for choice in parameter.kind.split(" | "):
                Offer().verify(f"{name}:{parameter.name}={choice}")


def test_who_sits_here_may_name_files(own: Serving) -> None:
    person = Person(own.address, KEY)
    session = person.begin("limit-2p", [f"{SLOW_AGENTS}:Slow"])
    assert person.ask("DELETE", f"/api/sessions/{session}").status == 200


def test_nobody_begins_more_sessions_than_one_can_play(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MOST_SESSIONS", 2)
    first, _ = (person.begin("limit-2p", ["always-call"]) for _ in range(2))
    wanted = {"game": "limit-2p", "opponents": ["always-call"]}
    reply = person.ask("POST", "/api/sessions", wanted)
    assert (reply.status, reply.data) == (
        409,
        {"error": "a player may have at most 2 open sessions: end one first"},
    )
    person.ask("DELETE", f"/api/sessions/{first}")
    person.begin("limit-2p", ["always-call"])


@pytest.mark.parametrize("name", ["", " ", "a|b", "No #1", " You", "x" * 25, "a\nb", "always-call"])
def test_names_that_cannot_be_kept_are_refused(person: Person, name: str) -> None:
    wanted = {"game": "limit-2p", "opponents": ["always-call"], "name": name}
    reply = person.ask("POST", "/api/sessions", wanted)
    assert reply.status == 422, reply
    assert "name" in reply.data["error"] or "called" in reply.data["error"], reply
