"""No message and no request breaks the server: thousands that are random, broken, or almost right."""

import asyncio
import json
from collections.abc import Iterator
from http.client import HTTPConnection
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from starlette.routing import Mount
from websockets.exceptions import ConnectionClosed

from railbird.interfaces.web.table import pace
from railbird.interfaces.web.table import socket as table_socket
from web_client import LONG, Person, Seat, Serving, assert_chips_conserved, lift_limits, serving

AT_ONCE = 40
"""Messages that are under way on one line."""
LINES = 4
LIMITS = {name: getattr(table_socket, name) for name in ("PER_SECOND", "BURST", "MOST_REFUSED")}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that takes as many messages as come."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "STEPS", dict.fromkeys(pace.STEPS, 1e-4))
        patch.setattr(pace, "AFTER_HAND", dict.fromkeys(pace.AFTER_HAND, 0.0))
        patch.setattr(table_socket, "MOST_REFUSED", 10**9)
        lift_limits(patch)
        with serving(tmp_path_factory.mktemp("fuzz") / "store.db") as running:
            yield running


# What is sent


def any_value(random: Random, depth: int = 0) -> Any:
    """Any JSON."""
    kind = random.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return random.choice((None, True, False))
    if kind == 1:
        return random.choice((0, 1, -1, 7, 2**31, 2**53 + 1, 2**63, 2**64, -(2**70), 10**300))
    if kind == 2:
        return random.choice((0.5, -0.0, 1e308, 1e-308, 20.0))
    if kind <= 5:
        return any_text(random)
    if kind <= 7:
        return {any_text(random): any_value(random, depth + 1) for _ in range(random.randrange(4))}
    return [any_value(random, depth + 1) for _ in range(random.randrange(4))]


def any_text(random: Random) -> str:
    if random.random() < 0.5:
        return random.choice(
            ("", "act", "deal", "id", "type", "raise", "AhKd", "\0", "../..", "♠", "𝕏" * 3, "x" * 200)
        )
    return "".join(chr(random.randrange(0x20, 0x2FF)) for _ in range(random.randrange(12)))


def plain_message(random: Random, view: dict[str, Any]) -> dict[str, Any]:
    """A message that is well-formed, and sometimes even right."""
    moment = {
        "hand": random.choice((view["hand"], view["hand"], 0, 1, -1)),
        "step": random.choice((view["step"], view["step"], 0, 99)),
    }
    kind = random.choice(
        (*["act"] * 3, *("why", "deal", "pause", "continue", "settings", "forward", "sit-out", "remove"))
    )
    message: dict[str, Any] = {"type": kind, "id": random.randrange(1000)}
    if kind in ("act", "why"):
        message.update(moment)
    if kind == "act":
        message["action"] = random.choice(("fold", "call", "raise"))
        if message["action"] == "raise":
            message["to"] = random.choice((20, 40, 0, -5, 10**9))
    if kind == "settings":
        message["auto_deal"] = True
    if kind == "sit-out":
        message["out"] = random.choice((True, False))
    if kind == "remove":
        message["name"] = random.choice(("Ann", "nobody", any_text(random)))
    return message


def asking_message(random: Random, view: dict[str, Any]) -> dict[str, Any]:
    """One that takes the server a while."""
    if random.random() < 0.5:
        return {"type": "strength", "id": 1, "hand": view["hand"], "step": view["step"]}
    agent = random.choice(("always-call", "random", any_text(random), "simbot:trials=x", "casper:", ":=,"))
    return {"type": "advise", "id": 1, "hand": view["hand"], "step": view["step"], "agent": agent}


def mutated(random: Random, message: dict[str, Any]) -> dict[str, Any]:
    changed = dict(message)
    for _ in range(random.randrange(1, 3)):
        key = random.choice([*changed, any_text(random)]) if changed else any_text(random)
        if random.random() < 0.3:
            changed.pop(key, None)
        else:
            changed[key] = any_value(random)
    changed.pop("leave", None)
    return changed


def a_message(random: Random, view: dict[str, Any]) -> str | bytes:
    """Random bytes, random text, random JSON, or something like a message."""
    kind = random.random()
    if kind < 0.1:
        return random.randbytes(random.randrange(80))
    if kind < 0.15:
        return any_text(random) * random.choice((1, 1, 50))
    if kind < 0.3:
        return json.dumps(any_value(random), allow_nan=True)
    if kind < 0.31:
        return json.dumps(asking_message(random, view))
    message = plain_message(random, view)
    if kind < 0.5:
        return json.dumps(message)
    text = json.dumps(mutated(random, message))
    if kind > 0.95:
        at = random.randrange(len(text))
        text = text[:at] + random.choice(("", '"', "\\", "{", "\0", "9" * 400, text)) + text[at + 1 :]
    if kind > 0.999:
        text += " " * 20_000
    return text


async def bombard(seat: Seat, random: Random, count: int) -> None:
    """Send so many messages; every one is answered."""
    answered = 0
    for _ in range(0, count, AT_ONCE):
        before = len(seat.frames)
        for _ in range(AT_ONCE):
            await seat.socket.send(a_message(random, seat.view))
        async with asyncio.timeout(LONG):
            while answers(seat, before) < AT_ONCE:
                await asyncio.sleep(0.001)
        answered += answers(seat, before)
        seat.frames.clear()
        seat.views.clear()
    assert answered >= count


def answers(seat: Seat, after: int) -> int:
    return sum(not text.startswith('{"type":"table"') for text in seat.frames[after:])


def fuzz_tables(server: Serving, count: int, seed: str) -> None:
    person, guest = Person(server.address), Person(server.address)
    sessions = [
        person.begin("limit-2p", ["always-call"]),
        person.begin("nolimit-3p:carry=yes", ["random"] * 2),
    ]
    shared = person.invite("nolimit-3p:carry=yes", ["random"], [guest])

    async def one(person: Person, session: str, number: int) -> None:
        async with person.seat(session) as seat:
            await seat.until(lambda view: bool(view))
            await bombard(seat, Random(f"{seed} {number}"), count // LINES)

    async def fuzz() -> None:
        lines = [(person, sessions[number % 2]) for number in range(LINES)]
        lines += [(person, shared), (guest, shared)]
        await asyncio.gather(*(one(*line, number) for number, line in enumerate(lines)))
        async with person.seat(shared) as ann, guest.seat(shared) as bob:
            for seat in (bob, ann):
                await seat.until(bool)
                await seat.ask("sit-out", out=False)
            await ann.ask("continue")
            await ann.answer("deal")
            ended = await asyncio.gather(ann.play_hand(), bob.play_hand())
            assert all(sum(chair["won"] or 0 for chair in view["chairs"]) == 0 for view in ended)
        for session in sessions:
            async with person.seat(session) as seat:
                await seat.until(lambda view: bool(view))
                await seat.ask("continue")
                await seat.ask("settings", auto_deal=True)
                played = await seat.play_hand()
                assert sum(chair["won"] for chair in played["chairs"]) == 0
                assert played["notice"] == ""

    asyncio.run(fuzz())
    for session in (*sessions, shared):
        assert_chips_conserved(server.web.sessions.hands(session))


def test_3000_messages_break_nothing(server: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    fuzz_tables(server, 3_000, "check")
    assert capfd.readouterr() == ("", "")


@pytest.mark.soak
def test_100000_messages_break_nothing(server: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    fuzz_tables(server, 100_000, "soak")
    assert capfd.readouterr() == ("", "")


async def pour(seat: Seat, random: Random) -> None:
    for _ in range(5_000):
        await seat.socket.send(a_message(random, seat.view))
        await asyncio.sleep(0)


def test_a_flood_is_cut_off_and_the_table_goes_on(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in LIMITS.items():
        monkeypatch.setattr(table_socket, name, limit)
    person = Person(server.address)
    session = person.begin("limit-2p", ["always-call"])

    async def flood() -> None:
        async with person.seat(session) as seat:
            await seat.until(lambda view: bool(view))
            with pytest.raises(ConnectionClosed):
                await pour(seat, Random("flood"))
            assert answers(seat, 0) <= sum(LIMITS.values()) + LONG * LIMITS["PER_SECOND"]
        async with person.seat(session) as seat:
            await seat.until(lambda view: bool(view))
            await seat.ask("continue")
            await seat.play_hand()

    asyncio.run(flood())
    assert_chips_conserved(server.web.sessions.hands(session))


# Requests


METHODS = ("GET", "GET", "GET", "POST", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD", "BREW")


def paths_of(server: Serving) -> list[str]:
    """The paths of all routes."""
    found: list[str] = []

    def walk(routes: Any) -> None:
        for route in routes:
            inner = getattr(route, "original_router", None)
            if inner is not None:
                walk(inner.routes)
            elif not isinstance(route, Mount):
                found.append(route.path)

    walk(server.app._app.routes)  # type: ignore[attr-defined]
    return sorted(set(found))


def a_path(random: Random, paths: list[str], names: list[str]) -> str:
    if random.random() < 0.1:
        return "/" + quote(any_text(random))
    parts = [
        quote(random.choice((*names, *names, any_text(random), "1", "..", "%00")), safe="%")
        if part.startswith("{")
        else part
        for part in random.choice(paths).split("/")
    ]
    query = ""
    if random.random() < 0.5:
        keys = (
            "player",
            "number",
            "limit",
            "first",
            "filters",
            "weights",
            "evidence",
            "key",
            "remove",
            any_text(random),
        )
        values = (any_text(random), json.dumps(any_value(random)), "1", "-1", "9" * 30, "nan", "true")
        query = "?" + "&".join(
            f"{quote(random.choice(keys))}={quote(random.choice(values))}"
            for _ in range(random.randrange(1, 4))
        )
    return "/".join(parts) + query


def a_body(random: Random) -> bytes | None:
    kind = random.random()
    if kind < 0.3:
        return None
    if kind < 0.4:
        return random.randbytes(random.randrange(200))
    if kind < 0.6:
        return json.dumps(any_value(random)).encode()
    wanted: dict[str, Any] = random.choice(
        (
            {"game": "limit-2p", "opponents": ["always-call"], "training": {"face_up": True, "hands": "AA"}},
            {"agent": "always-call"},
            {"name": "Eve"},
            {"game": "limit-2p", "opponents": [], "name": "Ann", "sharing": {"seats": 2, "clock": 15}},
            {"game": "limit-2p", "agents": ["always-call", "random"], "hands": -1, "matches": 1, "seed": "1"},
        )
    )
    return json.dumps(mutated(random, wanted)).encode()


@pytest.mark.parametrize("count", [400, pytest.param(50_000, marks=pytest.mark.soak)])
def test_no_request_breaks_the_server(server: Serving, count: int, capfd: pytest.CaptureFixture[str]) -> None:
    paths = paths_of(server)
    assert {"/", "/api/lobby", "/api/sessions/{session}/hands/{number}", "/api/tournaments"} <= set(paths)
    assert len(paths) > 15
    random = Random(f"requests {count}")
    person = Person(server.address)
    names = [person.begin("limit-2p", ["always-call"])]
    explored = [each["id"] for kind in ("packs", "networks") for each in person.get(f"/api/explore/{kind}")]
    names += [*explored, "limit", "flop", "casper02"]
    shared = person.begin("limit-3p", ["always-call"], name="Ann", sharing={"seats": 2})
    names += [shared, asyncio.run(person.invitation(shared))]
    host, port = person.host.split(":")
    connection = HTTPConnection(host, int(port), timeout=LONG)
    statuses: dict[int, int] = {}
    for _ in range(count):
        method, path, body = random.choice(METHODS), a_path(random, paths, names), a_body(random)
        connection.request(method, path, body, person.headers)
        response = connection.getresponse()
        status, kind, content = response.status, response.headers["Content-Type"], response.read()
        statuses[status] = statuses.get(status, 0) + 1
        assert status < 500, (method, path, body, content)
        if status >= 400 and method != "HEAD":
            assert kind == "application/json", (method, path, body, content)
            assert list(json.loads(content)) == ["error"], (method, path, content)
            assert json.loads(content)["error"]
    connection.close()
    assert statuses[200] > count / 50
    assert statuses[404] > count / 50
    assert statuses[422] > count / 100
    assert capfd.readouterr() == ("", "")
    assert person.get("/api/lobby")["agents"]
