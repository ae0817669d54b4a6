"""The brain over real sockets: several bodies at once, nothing for web pages, and no body can break it."""

import json
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from brains import LONG, Body, brain_process, wait_until
from command import railbird
from folders import SUPPORT
from fuzzing import broken
from railbird import __version__
from railbird.agent import agent_names
from railbird.interfaces.brain import server as brain_server
from railbird.interfaces.brain.messages import LARGEST_MESSAGE, LARGEST_OPENING, SCHEMA
from railbird.interfaces.brain.server import AddressError, BrainServer
from railbird.interfaces.brain.sessions import MOST_DECISIONS, Sessions
from railbird.interfaces.offer import Offer
from strategies import randoms

THOUGHTFUL = SUPPORT / "thoughtful_agents.py"
MISBEHAVING = SUPPORT / "misbehaving_agents.py"
VIEW = {"seat": 1, "hole_cards": "AhKs"}
"""The first decision of a hand of limit-2p."""
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server() -> Iterator[BrainServer]:
    with BrainServer(Sessions(Offer())) as running:
        yield running


@pytest.fixture
def body(server: BrainServer) -> Iterator[Body]:
    with Body(server.address) as speaking:
        yield speaking


def test_a_hand_from_opening_to_closing(body: Body) -> None:
    status, about = body.get("/")
    assert status == 200
    assert (about["schema"], about["version"], about["agents"]) == (SCHEMA, __version__, list(agent_names()))
    session = body.open("always-raise", seed=7)
    status, answer = body.post(f"{session}/decisions", {"view": VIEW, "explain": True})
    assert (status, answer["action"], answer["strategy"]) == (200, ["raise", 20], [["raise", 20, 1.0]])
    assert answer["explanation"] == {
        "summary": "Always raises by the minimum amount.",
        "facts": {},
        "sections": [],
    }
    line = "MATCHSTATE:1:0:rr:|AhKs"
    status, answer = body.post(f"{session}/decisions", {"state": line})
    assert (status, answer["action"], answer["reply"]) == (200, ["raise", 40], f"{line}:r")
    ended = {**VIEW, "actions": [["raise", 20], ["fold", 0]]}
    assert body.post(f"{session}/endings", {"view": ended}) == (200, {"payoffs": [-10, 10]})
    assert body.get(f"{session}/decisions/1")[1]["action"] == ["raise", 20]
    assert body.get(f"{session}/lived") == (200, {"texts": []})
    assert body.send("DELETE", session, None, {}) == (200, {"closed": True})
    status, answer = body.post(f"{session}/decisions", {"view": VIEW})
    assert (status, answer["code"]) == (404, "no-session")
    assert "it was closed, or was unused for 1800 s" in answer["error"]


def test_a_decision_is_answered_over_the_same_connection(body: Body) -> None:
    session = body.open("random", seed=1)
    body.get("/")
    used = body.connection.sock
    for _ in range(20):
        assert body.post(f"{session}/decisions", {"view": VIEW})[0] == 200
        assert body.post(f"{session}/decisions", {"view": {}})[0] == 400, "an error ends no connection"
    assert body.connection.sock is used


def test_only_the_last_decisions_can_be_explained(body: Body) -> None:
    session = body.open("always-call")
    for _ in range(MOST_DECISIONS + 1):
        body.post(f"{session}/decisions", {"view": VIEW})
    assert body.get(f"{session}/decisions/2")[0] == 200
    status, answer = body.get(f"{session}/decisions/1")
    assert (status, answer["code"]) == (404, "not-found")
    assert "are not available: only the last 32 are kept, and 33 were made" in answer["error"]


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status", "code", "sentence"),
    [
        ("GET", "/nowhere", None, {}, 404, "not-found", "there is nothing at '/nowhere'"),
        ("GET", "/sessions", None, {}, 405, "wrong-method", "'/sessions' needs POST, not GET"),
        ("PUT", "/sessions", b"{}", JSON, 405, "wrong-method", "the method 'PUT' is not supported"),
        ("OPTIONS", "/sessions", None, {}, 405, "wrong-method", "the method 'OPTIONS' is not supported"),
        ("DELETE", "/sessions/x", None, {}, 404, "no-session", "there is no session 'x' to close"),
        ("GET", "/sessions/x/decisions/y", None, {}, 404, "not-found", "'y' is not the number of a decision"),
        ("POST", "/sessions", b"{}", {}, 415, "not-json", "the Content-Type is '', but application/json"),
        ("POST", "/sessions", b"{}", {"Content-Type": "text/plain"}, 415, "not-json", "is 'text/plain', but"),
        ("POST", "/sessions", b"{", JSON, 400, "bad-json", "the body is not valid JSON at line 1, column 2"),
        ("POST", "/sessions", b"[]", JSON, 400, "bad-field", "the opening is [], but an object is expected"),
        ("POST", "/sessions", b"{}", {**JSON, "Origin": "null"}, 403, "forbidden", "web pages may not use"),
        ("GET", "/", None, {"Origin": "http://127.0.0.1"}, 403, "forbidden", "web pages may not use this brain"),
        ("GET", "/", None, {"Host": "evil.example:80"}, 403, "forbidden", "the Host is 'evil.example:80', but"),
        ("POST", "/sessions", b"{}", {**JSON, "Content-Length": "-2"}, 400, "bad-http", "invalid Content-Length: '-2'"),
        ("POST", "/inquiries", b"{}", {**JSON, "Transfer-Encoding": "chunked"}, 411, "no-length", "is missing"),
    ],
)  # fmt: skip
def test_what_is_no_request_of_the_contract_is_refused(
    body: Body, method: str, path: str, content: bytes, headers: dict[str, str], status: int, code: str, sentence: str
) -> None:  # fmt: skip
    found, answer = body.send(method, path, content, headers)
    assert (found, answer["code"]) == (status, code)
    assert sentence in answer["error"]


def test_this_machine_may_be_called_by_its_names(server: BrainServer, body: Body) -> None:
    for name in ("localhost", "LOCALHOST", "127.0.0.1", "[::1]"):
        assert body.send("GET", "/", None, {"Host": f"{name}:{server.server_port}"})[0] == 200
        assert body.send("GET", "/", None, {"Host": f"{name}:{server.server_port + 1}"})[0] == 403


@pytest.mark.parametrize(
    ("agent", "game", "status", "code", "sentence"),
    [
        ("casperr", "limit-2p", 422, "bad-agent", "no agent is called 'casperr': did you mean 'casper'?"),
        ("random:x=1", "limit-2p", 422, "bad-agent", "random has no parameters, but x=1 was given"),
        ("casey:most=0", "limit-2p", 422, "bad-agent", "most=0 is not a valid number of cases"),
        ("pokibot:profile=mad", "limit-2p", 422, "bad-agent", "profile of pokibot may name a file"),
        (
            "casper:pack=/etc/passwd",
            "limit-2p",
            422,
            "bad-agent",
            "pack of casper may name a file or an address, so only the operator of the server can set it",
        ),
        (
            f"{THOUGHTFUL}:Attentive",
            "limit-2p",
            422,
            "bad-agent",
            "only the operator of the server can name an agent in a file",
        ),
        ("pokibot", "nolimit-2p", 422, "unsuitable-game", "nolimit-2p"),
        ("random", "chess", 400, "bad-field", "no game is called 'chess'"),
        ("random", "x.game", 400, "bad-field", "no game is called 'x.game'"),
    ],
)
def test_agents_and_games_that_do_not_go_together_are_refused(
    body: Body, agent: str, game: str, status: int, code: str, sentence: str
) -> None:
    for path in ("/sessions", "/inquiries"):
        found, answer = body.post(path, {"schema": SCHEMA, "agent": agent, "game": game})
        assert (found, answer["code"]) == (status, code)
        assert sentence in answer["error"]


def test_another_match_may_be_of_another_game_that_the_agent_plays(body: Body) -> None:
    session = body.open("pokibot")
    status, answer = body.post(f"{session}/matches", {"game": "limit-3p", "seed": 1, "is_reset": True})
    assert (status, answer["game"], len(answer["players"])) == (200, "limit-3p", 3)
    status, answer = body.post(f"{session}/matches", {"game": "nolimit-2p"})
    assert (status, answer["code"]) == (422, "unsuitable-game")
    view = {"seat": 2, "hole_cards": "AhKs"}
    assert body.post(f"{session}/decisions", {"view": view})[0] == 200, "the match before goes on"


def test_choices_numbers_and_switches_may_be_set(body: Body) -> None:
    for agent in (
        "simbot:trials=20,profile=loose-passive,mix=0.5",
        "pokibot:profile=tight-aggressive,models=no",
    ):
        inquiry = {"schema": SCHEMA, "agent": agent, "game": "limit-2p"}
        assert body.post("/inquiries", inquiry) == (200, {"plays": True})


def test_a_brain_that_was_started_with_agents_plays_only_these() -> None:
    with (
        BrainServer(Sessions(Offer(("random", f"{THOUGHTFUL}:Attentive")))) as server,
        Body(server.address) as body,
    ):
        body.open("random")
        body.open(f"{THOUGHTFUL}:Attentive")
        status, answer = body.post("/sessions", {"schema": SCHEMA, "agent": "pokibot", "game": "limit-2p"})
        assert (status, answer["code"]) == (422, "bad-agent")
        assert "no agent of this server is called 'pokibot'" in answer["error"]


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Raises", "crash"),
        ("RaisesTheUnprintable", "crash"),
        ("Recurses", "crash"),
        ("SaysNothing", "not a decision"),
        ("RaisesToInfinity", "not a decision"),
        ("RaisesTooLittle", "illegal action"),
        ("Exits", "disconnect"),
        ("FailsToBegin", "crash"),
    ],
)
def test_what_an_agent_does_wrong_is_answered_and_the_session_goes_on(name: str, fault: str) -> None:
    agent = f"{MISBEHAVING}:{name}"
    with BrainServer(Sessions(Offer((agent,)))) as server, Body(server.address) as body:
        opening = {"schema": SCHEMA, "agent": agent, "game": "limit-2p"}
        status, answer = body.post("/sessions", opening)
        if status == 201:
            session = f"/sessions/{answer['session']}"
            assert body.post(f"{session}/decisions", {"view": {**VIEW, "hand_number": 2}})[0] == 200
            status, answer = body.post(f"{session}/decisions", {"view": {**VIEW, "hand_number": 3}})
            assert body.post(f"{session}/decisions", {"view": {**VIEW, "hand_number": 4}})[0] == 200
        assert (status, answer["code"], answer["fault"]) == (500, "agent-failed", fault)
        assert answer["error"] == f"the agent failed: {fault}: {answer['detail']}"
        assert "Traceback" not in answer["error"]


def test_bodies_too_large_are_refused_and_their_sender_learns_why(body: Body) -> None:
    for path, most in (("/sessions/x/views", LARGEST_MESSAGE), ("/sessions", LARGEST_OPENING)):
        status, answer = body.send("POST", path, b" " * (most + 1), JSON)
        assert (status, answer["code"]) == (413, "too-large")
        assert f"at most {most} are allowed" in answer["error"]
    assert body.send("POST", "/sessions/x/views", b" " * LARGEST_MESSAGE, JSON)[0] == 400
    status, answer = body.send("POST", "/sessions", b"", {**JSON, "Content-Length": "9" * 5000})
    assert (status, answer["code"]) == (413, "too-large")


def test_there_are_so_many_sessions_and_no_more() -> None:
    with BrainServer(Sessions(Offer(), most=2)) as server, Body(server.address) as body:
        first = body.open("random")
        body.open("random")
        status, answer = body.post("/sessions", {"schema": SCHEMA, "agent": "random", "game": "limit-2p"})
        assert (status, answer["code"]) == (503, "full")
        assert answer["error"] == "this brain already has 2 sessions, the maximum: close one, or wait"
        body.send("DELETE", first, None, {})
        body.open("random")


def test_sessions_that_nobody_uses_are_dropped_by_themselves() -> None:
    sessions = Sessions(Offer(), idle_s=0.6)
    with BrainServer(sessions) as server, Body(server.address) as body:
        used, unused = body.open("random"), body.open("random")

        def is_dropped() -> bool:
            assert body.post(f"{used}/views", {"view": VIEW})[0] == 200
            return len(sessions) == 1

        wait_until(is_dropped)
        assert body.post(f"{used}/views", {"view": VIEW})[0] == 200
        assert body.post(f"{unused}/views", {"view": VIEW})[0] == 404


def test_a_session_in_the_middle_of_a_thought_is_not_idle(tmp_path: Path) -> None:
    note = tmp_path / "thinking"
    agent = f"{THOUGHTFUL}:Waits:note={note}"
    clock = [0.0]
    sessions = Sessions(Offer((agent,)), idle_s=10.0, now=lambda: clock[0])
    with BrainServer(sessions) as server, Body(server.address) as body, ThreadPoolExecutor() as pool:
        session = body.open(agent)
        thought = pool.submit(body.post, f"{session}/decisions", {"view": VIEW})
        wait_until(note.exists)
        clock[0] = 100.0
        sessions.drop_idle()
        assert len(sessions) == 1
        note.unlink()
        assert thought.result(LONG)[1]["action"] == ["call", 0]
        clock[0] = 105.0
        sessions.drop_idle()
        assert len(sessions) == 1, "its time counts from the answer"
        clock[0] = 111.0
        wait_until(lambda: len(sessions) == 0)


def decisions_of(address: str, seed: int) -> list[Any]:
    with Body(address) as body:
        session = body.open("random", "nolimit-2p", seed=seed)
        view: dict[str, Any] = {"seat": 1, "hole_cards": "AhKs"}
        return [
            body.post(f"{session}/decisions", {"view": {**view, "hand_number": number}})[1]["action"]
            for number in range(30)
        ]


def test_bodies_at_the_same_time_do_not_disturb_each_other(server: BrainServer) -> None:
    alone = [decisions_of(server.address, seed) for seed in range(8)]
    assert len({json.dumps(actions) for actions in alone}) == 8
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda seed: decisions_of(server.address, seed), range(8)))
    assert together == alone


def test_one_session_answers_one_question_after_another(server: BrainServer) -> None:
    with Body(server.address) as body:
        session = body.open("random", seed=1)

    def decide(_: int) -> int:
        with Body(server.address) as each:
            return int(each.post(f"{session}/decisions", {"view": VIEW})[1]["decision"])

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(decide, range(24))) == list(range(1, 25))


def valid_requests(session: str) -> list[bytes]:
    messages = [
        ("POST", "/sessions", {"schema": SCHEMA, "agent": "random", "game": "limit-2p", "seed": 7}),
        ("POST", f"{session}/matches", {"game": "limit-3p", "label": "a", "players": ["a", "b", "c"]}),
        ("POST", f"{session}/views", {"view": {**VIEW, "actions": [["raise", 20], ["call", 0]], "board": "2c3c4c"}}),
        ("POST", f"{session}/decisions", {"state": "MATCHSTATE:1:0:rr:|AhKs", "explain": True}),
        ("POST", f"{session}/endings", {"view": {**VIEW, "actions": [["fold", 0]]}, "payoffs": [5, -5]}),
        ("GET", f"{session}/decisions/1", None),
        ("GET", f"{session}/lived", None),
    ]  # fmt: skip
    requests = []
    for method, path, data in messages:
        content = b"" if data is None else json.dumps(data).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n"
        requests.append(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    return requests


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(randoms)
def test_broken_bodies_are_answered_with_a_sentence(
    server: BrainServer, capfd: pytest.CaptureFixture[str], random: Random
) -> None:
    with Body(server.address) as body:
        session = body.open("pokibot")
        for request in valid_requests(session):
            head, _, content = request.partition(b"\r\n\r\n")
            method, path = head.decode().split()[:2]
            content = broken(random, [content])
            try:
                status, answer = body.send(method, path, content if method == "POST" else None, JSON)
            except (BrokenPipeError, ConnectionResetError):
                assert len(content) > LARGEST_MESSAGE
                continue
            assert (status in (200, 201)) == ("code" not in answer)
            assert status < 500, answer
        body.send("DELETE", session, None, {})
    assert capfd.readouterr().err == ""


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(randoms)
def test_broken_requests_neither_stop_the_brain_nor_show_how_it_is_made(
    server: BrainServer, capfd: pytest.CaptureFixture[str], random: Random
) -> None:
    place = ("127.0.0.1", server.server_port)
    with Body(server.address) as body:
        session = body.open("random")
        request = random.choice(valid_requests(session))
        lines = broken(random, request.replace(b"HOST", b"127.0.0.1:%d" % place[1]).split(b"\r\n"))
        with socket.create_connection(place, timeout=LONG) as raw:
            answer = b""
            try:
                raw.sendall(lines)
                raw.shutdown(socket.SHUT_WR)
                while chunk := raw.recv(65536):
                    answer += chunk
            except OSError:
                pass  # closed in the middle of what was too long
        assert b"Traceback" not in answer
        assert b'"internal"' not in answer
        assert body.get("/")[0] == 200
        body.send("DELETE", session, None, {})
    assert capfd.readouterr().err == ""


def test_a_body_that_leaves_in_the_middle_is_no_news(
    server: BrainServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for part in (b"", b"POST", b"POST /sessions HTTP/1.1\r\nContent-Length: 50\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", server.server_port)) as raw:
            raw.sendall(part)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    with Body(server.address) as body:
        assert body.get("/")[0] == 200
    assert capfd.readouterr().err == ""


def test_there_are_so_many_connections_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain_server, "MOST_CONNECTIONS", 2)
    with BrainServer(Sessions(Offer())) as server:
        with Body(server.address) as first, Body(server.address) as second, Body(server.address) as third:
            assert first.get("/")[0] == second.get("/")[0] == 200
            with pytest.raises(ConnectionError):
                third.get("/")
        wait_until(lambda: not server._connections)
        with Body(server.address) as fourth:
            assert fourth.get("/")[0] == 200


def test_closing_finishes_the_answers_that_are_being_made(tmp_path: Path) -> None:
    note = tmp_path / "thinking"
    agent = f"{THOUGHTFUL}:Waits:note={note}"
    server = BrainServer(Sessions(Offer((agent,))))
    server.start()
    with Body(server.address) as body, Body(server.address) as silent, ThreadPoolExecutor() as pool:
        silent.get("/")
        session = body.open(agent)
        thought = pool.submit(body.post, f"{session}/decisions", {"view": VIEW})
        wait_until(note.exists)
        closing = pool.submit(server.close)
        sleep(0.2)
        note.unlink()
        assert thought.result(LONG)[1]["action"] == ["call", 0]
        closing.result(LONG)
        with pytest.raises(OSError):
            Body(server.address).get("/")


def test_closing_does_not_wait_for_an_agent_that_never_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(brain_server, "LEAVE_S", 0.3)
    note = tmp_path / "thinking"
    agent = f"{THOUGHTFUL}:Waits:note={note}"
    server = BrainServer(Sessions(Offer((agent,))))
    server.start()
    with Body(server.address) as body, ThreadPoolExecutor() as pool:
        session = body.open(agent)
        thought = pool.submit(body.post, f"{session}/decisions", {"view": VIEW})
        wait_until(note.exists)
        server.close()  # returns, although the agent thinks on
        assert not thought.done()
        note.unlink()
        thought.result(LONG)


def test_another_machine_may_call_it_by_any_name() -> None:
    with BrainServer(Sessions(Offer()), host="0.0.0.0") as server:
        assert not server.welcome
        with Body(f"http://127.0.0.1:{server.server_port}") as body:
            assert body.send("GET", "/", None, {"Host": "table.example"})[0] == 200


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_it_listens_at_addresses_of_both_kinds() -> None:
    try:
        server = BrainServer(Sessions(Offer()), host="::1")
    except AddressError:
        pytest.skip("this machine has no ::1")
    with server, Body(server.address) as body:
        assert server.address == f"http://[::1]:{server.server_port}"
        assert body.get("/")[0] == 200


def test_an_address_that_is_taken_or_wrong_is_told_in_a_sentence(server: BrainServer) -> None:
    outcome = railbird("brain", "--port", server.server_port)
    assert (outcome.code, outcome.out) == (2, b"")
    assert outcome.error.startswith(f"railbird: cannot listen on 127.0.0.1, port {server.server_port}: ")
    assert outcome.error.count("\n") == 1
    outcome = railbird("brain", "--host", "no.such.host.invalid")
    assert (outcome.code, outcome.error.count("\n")) == (2, 1)
    outcome = railbird("brain", "nobody")
    assert outcome.code == 2
    assert outcome.error.startswith("railbird: no agent is called 'nobody'")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_prints_its_address_and_leaves_in_peace(number: signal.Signals) -> None:
    with brain_process() as (process, address), Body(address) as body, HoldOpen(address):
        assert body.open("random").startswith("/sessions/")
        process.send_signal(number)
        assert process.wait(LONG) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


class HoldOpen:
    """A connection over which nothing is said."""

    def __init__(self, address: str) -> None:
        self.connection = HTTPConnection(address.removeprefix("http://"))

    def __enter__(self) -> None:
        self.connection.connect()

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def test_threads_end_with_their_connections(server: BrainServer) -> None:
    bodies = [Body(server.address) for _ in range(5)]
    for each in bodies:
        each.get("/")
    busy = threading.active_count()
    for each in bodies:
        each.connection.close()
    wait_until(lambda: threading.active_count() <= busy - 5)
