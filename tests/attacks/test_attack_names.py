"""A visitor names agents, games and hands wherever a server takes a name: no file is run, read or even looked for.

Every endpoint, every message of a table and every request of a brain is walked, and a hostile name is put in every
place of a text. A new endpoint or message fails the walk until it is told here how it is asked.
"""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from threading import current_thread
from typing import Any, get_args
from urllib.parse import quote

import pytest
from fastapi import FastAPI

from brains import Body
from railbird.agent import fingerprint
from railbird.arena.play.plan import entrants_of
from railbird.engine.games import named_game
from railbird.interfaces.brain.messages import SCHEMA
from railbird.interfaces.brain.server import BrainServer
from railbird.interfaces.brain.sessions import Sessions
from railbird.interfaces.offer import LONGEST_AGENT, Offer
from railbird.interfaces.web.lobby import beginning
from railbird.interfaces.web.table import messages
from railbird.interfaces.web.table.dealing import LONGEST_RANGE, chosen_weights
from railbird.interfaces.web.table.session_plan import plan_session
from railbird.spec import SpecError
from web_client import Person, Serving, lift_limits, serving

Place = tuple[str | int, ...]

BODIES: Sequence[tuple[str, Any]] = (
    (
        "/api/sessions",
        {
            "game": "limit-2p",
            "opponents": ["always-call"],
            "name": "Ann",
            "speed": "instant",
            "watch": False,
            "training": {"face_up": False, "hands": "AA"},
        },
    ),
    (
        "/api/sessions",
        {
            "game": "limit-3p",
            "opponents": ["always-call"],
            "name": "Ann",
            "sharing": {"seats": 2, "fill": "random"},
        },
    ),
    (
        "/api/tournaments",
        {
            "game": "limit-2p",
            "agents": ["random", "always-call"],
            "hands": 1,
            "matches": 1,
            "seed": "7",
        },
    ),
    ("/api/sessions/{session}/duplicate", {"agent": "random"}),
    ("/api/sessions/{session}/review", {"agent": "random"}),
    ("/api/invitations/{token}", {"name": "Bob"}),
)
"""What every endpoint that takes a body is asked with."""
QUERIES = ("player", "filters", "solutions", "first", "count", "least", "evidence", "remove", "key")
MESSAGES: dict[str, dict[str, Any]] = {
    "act": {"hand": 1, "step": 1, "action": "call"},
    "advise": {"hand": 1, "step": 1, "agent": "random"},
    "continue": {},
    "deal": {},
    "forward": {},
    "hold": {"held": False},
    "leave": {},
    "pause": {},
    "range": {"hand": 1, "step": 1},
    "remove": {"name": "Bob"},
    "settings": {"speed": "instant"},
    "sit-out": {"out": True},
    "strength": {"hand": 1, "step": 1},
    "why": {"hand": 1, "step": 1},
}
"""What a browser says at a table, by type."""
PARAMETERS = {
    "ending": "txt",
    "hand": "1",
    "step": "1",
    "pack": "casper02",
    "base": "flop",
    "number": "0",
    "network": "baycarp",
    "name": "random",
}
"""Parts of addresses as they are right; the others are made."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patch:
        lift_limits(patch)
        with serving(tmp_path_factory.mktemp("open") / "store.db") as running:
            yield running


@pytest.fixture
def person(server: Serving) -> Person:
    return Person(server.address)


class Trap:
    """A program that leaves a mark when it is run, and names that would have it run or looked for."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "mark"
        self.there, self.gone = folder / "aaaaa.py", folder / "zzzzz.py"
        self.there.write_text(
            f"open({str(self.mark)!r}, 'w').close()\n"
            "from railbird.agents.baselines import AlwaysCall\nclass Any(AlwaysCall):\n    reads = ('a',)\n"
        )

    def names(self, path: Path) -> list[str]:
        """Every way to name the program, or what it lies beside."""
        return [
            f"{path}:Any",
            f"{path}:Any:a=1",
            f"casper:pack={path}",
            f"casper-online:store=sqlite:///{path}",
            f"brain:url=http://127.0.0.1:1,agent={path}:Any",
            str(path),
        ]

    def pairs(self) -> list[tuple[str, str]]:
        """The same names of what is there and of what is not."""
        return list(zip(self.names(self.there), self.names(self.gone), strict=True))


@pytest.fixture
def trap(tmp_path: Path) -> Iterator[Trap]:
    found = Trap(tmp_path)
    yield found
    assert not found.mark.exists(), "a visitor has run a file of the server"


def texts(data: Any, place: Place = ()) -> Iterator[Place]:
    """Where texts stand in plain data."""
    if isinstance(data, str):
        yield place
    elif isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from texts(value, (*place, key))


def with_text(data: Any, place: Place, text: str) -> Any:
    """A copy of plain data with another text at a place."""
    changed = deepcopy(data)
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = text
    return changed


def alike(trap: Trap, answer: bytes) -> bytes:
    """An answer without the name that was asked with, which it may quote."""
    return answer.replace(trap.there.stem.encode(), b"x").replace(trap.gone.stem.encode(), b"x")


def endpoints(server: Serving) -> list[tuple[str, str]]:
    """The method and the path of every endpoint but those of WebSockets."""
    app = server.app._app
    assert isinstance(app, FastAPI)
    return [(method.upper(), path) for path, methods in app.openapi()["paths"].items() for method in methods]


def test_no_endpoint_runs_or_looks_for_a_file(server: Serving, person: Person, trap: Trap) -> None:
    session = person.begin("limit-2p", ["always-call"])
    right = {
        **PARAMETERS,
        "session": session,
        "tournament": "none",
        "job": "none",
        "token": invitation(server),
    }
    walked = endpoints(server)
    assert len(walked) > 20
    for method, path in walked:
        parts = re.findall(r"{(\w+)}", path)
        usual = {part: right[part] for part in parts}
        for hostile, absent in trap.pairs()[1::4]:
            for part in parts:
                same_answers(
                    person,
                    trap,
                    method,
                    *(path.format_map({**usual, part: quote(name, safe="")}) for name in (hostile, absent)),
                )
            for query in QUERIES if method == "GET" else ():
                address = f"{path.format_map(usual)}?{query}="
                same_answers(
                    person, trap, method, *(address + quote(name, safe="") for name in (hostile, absent))
                )
    assert person.ask("GET", f"/api/sessions/{session}").status == 200


def invitation(server: Serving) -> str:
    """The token of somebody else's table with a free seat."""
    host = Person(server.address)
    session = host.begin("limit-2p", [], name="Ann", sharing={"seats": 2})
    return asyncio.run(host.invitation(session))


def same_answers(person: Person, trap: Trap, method: str, there: str, gone: str) -> None:
    """What is asked of a file that is there and of one that is not is answered alike."""
    found, missed = person.ask(method, there), person.ask(method, gone)
    assert missed.status == found.status, there
    if found.status >= 300:
        assert alike(trap, found.body) == alike(trap, missed.body), there
        assert str(trap.there.parent).encode() not in found.body, there


@pytest.mark.parametrize(("path", "body"), BODIES)
def test_no_body_of_a_request_runs_or_looks_for_a_file(
    server: Serving, person: Person, trap: Trap, path: str, body: Any
) -> None:
    assert {found for method, found in endpoints(server) if method == "POST"} == {
        known for known, _ in BODIES
    }
    session, token = person.begin("limit-2p", ["always-call"]), invitation(server)
    before = len(person.get("/api/lobby")["sessions"])
    for place in texts(body):
        for hostile, absent in trap.pairs():
            found, missed = (
                person.ask("POST", path.format(session=session, token=token), with_text(body, place, name))
                for name in (hostile, absent)
            )
            assert (found.status, missed.status) == (422, 422), (place, hostile, found.body)
            assert alike(trap, found.body) == alike(trap, missed.body), (place, hostile)
            assert str(trap.there.parent).encode() not in found.body, (place, hostile)
    assert len(person.get("/api/lobby")["sessions"]) == before
    assert person.get("/api/tournaments")["tournaments"] == []


def test_no_message_at_a_table_runs_or_looks_for_a_file(person: Person, trap: Trap) -> None:
    known = {kind.__struct_config__.tag for kind in get_args(messages.Asked)}
    assert known == MESSAGES.keys()
    session = person.begin("limit-2p", ["always-call"])

    async def say_everything() -> None:
        async with person.seat(session) as seat:
            view = await seat.own_turn()
            for kind, fields in MESSAGES.items():
                usual = {
                    **fields,
                    **({"hand": view["hand"], "step": view["step"]} if "hand" in fields else {}),
                }
                for place in texts(usual):
                    for pair in trap.pairs():
                        answers = [await seat.answer(kind, **with_text(usual, place, name)) for name in pair]
                        assert [answer["type"] for answer in answers] == ["error", "error"], (kind, place)
                        first, second = (
                            alike(trap, json.dumps({**answer, "id": 0}).encode()) for answer in answers
                        )
                        assert first == second, (kind, place)

    asyncio.run(say_everything())


def test_no_request_of_a_brain_runs_or_looks_for_a_file(trap: Trap) -> None:
    opening = {
        "schema": SCHEMA,
        "agent": "random",
        "game": "limit-2p",
        "label": "me",
        "players": ["me", "you"],
        "seed": "7",
        "experience": ["lived"],
    }
    with BrainServer(Sessions(Offer())) as brain, Body(brain.address) as body:
        for path in ("/inquiries", "/sessions"):
            asked = (
                opening if path == "/sessions" else {key: opening[key] for key in ("schema", "agent", "game")}
            )
            for place in texts(asked):
                for pair in trap.pairs():
                    answers = [body.post(path, with_text(asked, place, name)) for name in pair]
                    first, second = (alike(trap, json.dumps(answer).encode()) for _, answer in answers)
                    if place == ("agent",):
                        assert [status for status, _ in answers] == [422, 422], answers
                    if answers[0][0] >= 400:
                        assert first == second, (path, place)


@pytest.mark.parametrize("agent", ["simbot:trials=1000000000", "casey:most=100000", "simbot:mix=1e300"])
def test_a_body_cannot_ask_a_brain_for_an_agent_that_keeps_it_busy(agent: str) -> None:
    with BrainServer(Sessions(Offer())) as brain, Body(brain.address) as body:
        for path in ("/inquiries", "/sessions"):
            status, answer = body.post(path, {"schema": SCHEMA, "agent": agent, "game": "limit-2p"})
            assert (status, answer["code"]) == (422, "bad-agent")
            assert "may be at most" in answer["error"]


def test_who_only_describes_an_agent_loads_no_file_unless_its_name_is_trusted(tmp_path: Path) -> None:
    trap = Trap(tmp_path)
    for name in (f"{trap.there}:Any", f"{trap.there}:Any:a=1"):
        with pytest.raises(SpecError, match="only if its name is trusted"):
            fingerprint(name)
        with pytest.raises(SpecError, match="only if its name is trusted"):
            entrants_of([name, "random"])
        plan_session(named_game("limit-2p"), [name], name="Ann")
    with pytest.raises(SpecError, match="pack of casper names a file"):
        fingerprint(f"casper:pack={trap.there}")
    assert not trap.mark.exists()
    assert fingerprint(f"{trap.there}:Any:a=1", trusted=True)
    assert trap.mark.exists()


def test_an_agent_is_not_named_with_a_long_text(person: Person) -> None:
    name = "r" * (LONGEST_AGENT + 1)
    told = {"error": f"an agent's name may have at most {LONGEST_AGENT} characters, not {LONGEST_AGENT + 1}"}
    for path, field in (("/api/sessions", "opponents"), ("/api/tournaments", "agents")):
        reply = person.ask(
            "POST", path, {"game": "limit-2p", field: [name] * (1 if field == "opponents" else 2)}
        )
        assert (reply.status, reply.data) == (422, told)


@pytest.mark.parametrize(
    "name", ["simbot", "Simbot", "simbot 2", "SIMBOT:trials=5", "ｓｉｍｂｏｔ", "always-call"]
)
def test_a_visitor_is_not_called_like_an_agent(person: Person, name: str) -> None:
    wanted = {"game": "limit-2p", "opponents": ["random"], "name": name}
    reply = person.ask("POST", "/api/sessions", wanted)
    assert (reply.status, reply.data) == (
        422,
        {"error": f"{name!r} is the name of a bot: choose another name"},
    )


def test_starting_hands_are_bounded_and_read_beside_the_event_loop(
    server: Serving, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []

    def seen(hands: str) -> Any:
        threads.append(current_thread().name)
        return chosen_weights(hands)

    monkeypatch.setattr(beginning, "chosen_weights", seen)
    wanted = {"game": "limit-2p", "opponents": ["random"], "training": {"hands": "AA," * 5000}}
    reply = person.ask("POST", "/api/sessions", wanted)
    assert reply.status == 422
    assert f"at most {LONGEST_RANGE:,} characters, not 15,000" in reply.data["error"]
    person.begin("limit-2p", ["random"], training={"hands": "AA, KK"})
    assert len(threads) == 2
    assert "server" not in threads
