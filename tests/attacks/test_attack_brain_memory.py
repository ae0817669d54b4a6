"""Bodies that tell a brain more than it can keep: what they tell is bounded, and the others are answered."""

import json
import socket
from http.client import HTTPConnection
from typing import Any

import pytest

from brains import Body, wait_until
from railbird.interfaces.brain import sessions as brain_sessions
from railbird.interfaces.brain import views as brain_views
from railbird.interfaces.brain.messages import LARGEST_MESSAGE, SCHEMA, read_opening
from railbird.interfaces.brain.refusals import Refusal
from railbird.interfaces.brain.requests import Brain
from railbird.interfaces.brain.server import MOST_LARGE, BrainServer
from railbird.interfaces.brain.sessions import MOST_PLAYERS, Sessions
from railbird.interfaces.offer import Offer

VIEW = {"seat": 1, "hole_cards": "AhKs"}
"""The first decision of a hand of limit-2p."""


def opening(**more: Any) -> dict[str, Any]:
    return {"schema": SCHEMA, "agent": "always-call", "game": "limit-2p", **more}


def test_one_address_does_not_get_all_sessions() -> None:
    sessions = Sessions(Offer(), most=8)
    opened = [sessions.open(read_opening(opening()), "10.0.0.1")["session"] for _ in range(4)]
    with pytest.raises(Refusal, match="your address already has 4 sessions, the maximum: close one, or wait"):
        sessions.open(read_opening(opening()), "10.0.0.1")
    sessions.open(read_opening(opening()), "10.0.0.2")
    sessions.close(opened[0])
    sessions.open(read_opening(opening()), "10.0.0.1")


def test_on_this_machine_all_sessions_can_be_had() -> None:
    with BrainServer(Sessions(Offer(), most=4)) as server, Body(server.address) as body:
        assert len({body.open("random") for _ in range(4)}) == 4


def test_where_others_are_let_in_an_address_has_half_of_the_sessions() -> None:
    with BrainServer(Sessions(Offer(), most=4), "0.0.0.0") as server, Body(_on_loopback(server)) as body:
        for _ in range(2):
            body.open("random")
        status, answer = body.post("/sessions", opening())
        assert (status, answer["code"]) == (503, "full")


def _on_loopback(server: BrainServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def test_the_experience_of_all_sessions_together_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain_sessions, "MOST_EXPERIENCE", 1000)
    sessions = Sessions(Offer())
    first = sessions.open(read_opening(opening(experience=["x" * 400, "y" * 200])))["session"]
    sentence = "may begin with at most 1000 characters of experience: close one, or wait"
    with pytest.raises(Refusal, match=sentence):
        sessions.open(read_opening(opening(experience=["x" * 401])))
    second = sessions.open(read_opening(opening(experience=["x" * 400])))["session"]
    match = {"game": "limit-2p"}
    with pytest.raises(Refusal, match=sentence):
        sessions.begin_again(second, {**match, "experience": ["x" * 401]})
    assert sessions.begin_again(first, match)["game"] == "limit-2p"
    assert sessions.begin_again(second, {**match, "experience": ["x" * 1000]})["game"] == "limit-2p"


def test_the_texts_of_an_experience_are_not_kept_beside_the_agent() -> None:
    sessions = Sessions(Offer())
    name = sessions.open(read_opening(opening(experience=["x" * 400])))["session"]
    with sessions.using(name) as session:
        assert session._reader.match.experience == ()


def test_a_match_meets_so_many_players_and_no_more() -> None:
    brain = Brain(Sessions(Offer()))
    name = brain.answer("POST", "/sessions", json.dumps(opening()).encode())["session"]

    def look(*players: str) -> dict[str, Any]:
        body = json.dumps({"view": {**VIEW, "players": players}}).encode()
        return brain.answer("POST", f"/sessions/{name}/views", body)

    for number in range(MOST_PLAYERS // 2):
        assert look(f"a{number}", f"b{number}") == {"to_act": 1}
    with pytest.raises(Refusal, match="already has 1000 players, the maximum: begin another one"):
        look("one", "more")
    assert look("a0", "b7") == {"to_act": 1}, "whom it knows it can meet again"
    brain.answer("POST", f"/sessions/{name}/matches", b'{"game": "limit-2p"}')
    assert look("one", "more") == {"to_act": 1}


@pytest.mark.parametrize("lines", [False, True])
def test_the_situations_that_a_body_walks_through_are_forgotten(
    monkeypatch: pytest.MonkeyPatch, lines: bool
) -> None:
    monkeypatch.setattr(brain_views, "MOST_SITUATIONS", 300)
    sessions = Sessions(Offer())
    name = sessions.open(read_opening(opening(game="nolimit-2p", acpc=lines)))["session"]
    largest = 0
    with sessions.using(name) as session:
        reader = session._reader
        for amount in range(200, 1500):
            for _ in range(2):  # a situation is remembered when it is left for the second time
                if lines:
                    session.look({"state": f"MATCHSTATE:0:{amount}:r{amount}r{2 * amount}c/:AhKs|/2c3c4c"})
                else:
                    actions = [["raise", amount], ["raise", 2 * amount]]
                    session.look({"view": {**VIEW, "actions": actions}})
            setups = [reader._lines.setup, *reader._setups.values()]
            largest = max(largest, sum(setup.tree.size for setup in setups))
    assert 200 < largest < 400


def test_few_large_bodies_are_read_at_a_time() -> None:
    with BrainServer(Sessions(Offer())) as server:
        address = ("127.0.0.1", server.server_port)
        head = (
            f"POST /sessions HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {LARGEST_MESSAGE + 1}\r\n\r\n"
        )
        slow = [socket.create_connection(address) for _ in range(MOST_LARGE)]
        for each in slow:
            each.sendall(head.encode() + b" " * 100)
        wait_until(lambda: server.large._value == 0)
        with Body(server.address) as body:
            body.open("random")  # small ones are read all the same
        large = HTTPConnection(*address, timeout=20)
        text = json.dumps(opening(experience=["x" * LARGEST_MESSAGE])).encode()
        large.request("POST", "/sessions", text, {"Content-Type": "application/json"})
        assert large.getresponse().status == 503
        large.close()
        for each in slow:
            each.close()
        wait_until(lambda: server.large._value == MOST_LARGE)
