"""Players who keep the dealer waiting: comments, half lines and silence cost them their time, and end the match."""

import io
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from threading import Event, Thread

import pytest

from acpc_tables import ENOUGH, FOLD, LIMIT, Client, asked
from railbird.interfaces.acpc import dealer as acpc_dealer
from railbird.interfaces.acpc.clock import TimeLimits
from railbird.interfaces.acpc.connection import MatchBroken
from railbird.interfaces.acpc.house import Files, House
from railbird.interfaces.acpc.ports import LOOPBACK

SHORT = TimeLimits(response=400)
ONE_HAND = replace(LIMIT, hands=1)


def trickle(player: Client, piece: bytes, end: Callable[[], str]) -> str:
    """Send a piece again and again, more often than every response; how the match ended."""
    ended = Event()

    def send() -> None:
        with suppress(OSError):
            while not ended.wait(0.1):
                player.say(piece)

    sending = Thread(target=send)
    sending.start()
    try:
        return end()
    finally:
        ended.set()
        sending.join(ENOUGH)


@pytest.mark.parametrize("piece", [b"#\r\n", b"; thinking\n", b"# half a line, ", b"x", b"\r\n"])
def test_who_sends_everything_but_an_answer_runs_out_of_time(piece: bytes) -> None:
    with asked(limits=SHORT) as (_, player, end):
        ending = trickle(player, piece, end).splitlines()[-1]
        assert re.fullmatch(
            r"seat 2 (did not answer in time|ran out of time in hand 0|sent too many comments in hand 0)",
            ending,
        )


def test_a_flood_of_comments_ends_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acpc_dealer, "MOST_COMMENTS", 20)
    with asked() as (_, player, end):
        player.say(b"# still thinking\r\n" * 21 + FOLD)
        assert end() == "seat 2 sent too many comments in hand 0"


def test_as_many_comments_as_are_allowed_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acpc_dealer, "MOST_COMMENTS", 20)
    with asked() as (_, player, end):
        player.say(b"# still thinking\r\n" * 20 + FOLD)
        assert end() == "played for (5, -5)"


def test_who_connects_and_says_no_version_does_not_hold_up_the_match() -> None:
    house = House(replace(ONE_HAND, limits=SHORT), Files(), [0, 0])
    output, ending = io.StringIO(), list[str]()

    def run() -> None:
        try:
            house.run(output, io.StringIO())
        except MatchBroken as error:
            ending.append(str(error))

    thread = Thread(target=run, daemon=True)
    thread.start()
    while not output.getvalue().endswith("\n"):
        assert thread.is_alive()
    silent = [socket.create_connection((LOOPBACK, int(port))) for port in output.getvalue().split()]
    thread.join(ENOUGH)
    for connection in silent:
        connection.close()
    assert ending == ["seat 1 did not answer in time, before its version"]
