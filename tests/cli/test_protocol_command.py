"""`railbird agent` and `railbird dealer` as a user meets them, in processes of their own."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from command import railbird
from railbird.interfaces.acpc import client
from railbird.interfaces.acpc.client import ServerMissing
from railbird.interfaces.acpc.connection import LineConnection
from railbird.notation.acpc.log import read_log
from railbird.notation.reading import BadHand

LONG = 120


def start(*arguments: object, folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "railbird", *map(str, arguments)]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def test_two_agents_play_a_match_that_can_be_read_back(tmp_path: Path) -> None:
    game = "nolimit-2p"
    dealer = start("dealer", "duel", game, 30, 7, "Alice", "Bob", "-q", "-T", "-p", "0", folder=tmp_path)
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    assert len(ports) == 2
    options = ("--game", game, "--seed", 1)
    other = start("agent", "random", "127.0.0.1", ports[0], *options, folder=tmp_path)
    here = railbird("agent", "sartre-nl", "127.0.0.1", ports[1], *options)
    assert (here.code, here.out, here.error) == (0, b"", "")
    output, errors = other.communicate(timeout=LONG)
    assert (other.returncode, output, errors) == (0, "", "")
    output, errors = dealer.communicate(timeout=LONG)
    assert dealer.returncode == 0, errors
    assert re.fullmatch(r"SCORE:[-\d.]+\|[-\d.]+:Alice\|Bob\n", output)
    assert errors.splitlines()[0] == "# name/game/hands/seed duel nolimit-2p 30 7"
    assert errors.splitlines()[-1] == output.strip()
    log = (tmp_path / "duel.log").read_text().splitlines(keepends=True)
    hands = list(read_log(log))
    assert len(hands) == 30
    assert not any(isinstance(hand, BadHand) for hand in hands)
    assert log[-1] == output
    assert (tmp_path / "duel.tlog").exists()


def test_nobody_comes_to_the_dealer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = railbird("dealer", "m", "limit-2p", 10, 7, "a", "b", "-l", "--start_timeout", 20)
    assert outcome.code == 1
    assert re.fullmatch(rb"\d+ \d+\n", outcome.out)
    assert outcome.error.splitlines()[-1] == "ERROR: nobody connected to seat 1 in time"
    assert not list(tmp_path.iterdir()), "-l writes no log"


def test_nobody_listens_for_the_agent() -> None:
    outcome = railbird("agent", "random", "127.0.0.1", 1)
    assert outcome.code == 2
    assert outcome.error == (
        "railbird: connection refused by 127.0.0.1, port 1: a dealer accepts one player at each port, and only once\n"
    )


def test_an_agent_rehearses_every_street_and_position_before_it_connects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(
        """
from railbird import Agent, Decision
from railbird.engine import CALL

class Notes(Agent):
    seen, results = [], []

    def act(self, observation):
        self.seen.append((observation.seat, observation.round, observation.raises > 0))
        return Decision(CALL)

    def end_hand(self, result):
        self.results.append(result)
"""
    )
    asked: list[tuple[int, int, bool]] = []

    def refuse(host: str, port: int) -> LineConnection:
        notes = sys.modules["railbird_agent_bot"].Notes
        asked.extend(notes.seen)
        assert not notes.results, "an agent of one's own may keep what it learns"
        raise ServerMissing(f"nobody at {host}")

    monkeypatch.setattr(client, "connect", refuse)
    outcome = railbird("agent", f"{tmp_path / 'bot.py'}:Notes", "nowhere", 5)
    assert (outcome.code, outcome.error) == (2, "railbird: nobody at nowhere\n")
    assert {(seat, street) for seat, street, _ in asked} == set(product(range(2), range(4)))
    assert {is_raised for *_, is_raised in asked} == {False, True}


@pytest.mark.soak
def test_on_an_empty_home_a_short_match_is_not_lost_by_compiling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path / "home"))
    # The clock of the official dealer: 7 seconds per hand on average, so 35 for the match.
    dealer = start("dealer", "short", "limit-2p", 5, 7, "Alice", "Bob", "-q", folder=tmp_path)
    assert dealer.stdout is not None
    agents = [
        start("agent", name, "127.0.0.1", port, folder=tmp_path)
        for name, port in zip(("simbot", "always-raise"), dealer.stdout.readline().split(), strict=True)
    ]
    for process in (*agents, dealer):
        _, errors = process.communicate(timeout=10 * LONG)
        assert process.returncode == 0, errors


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("dealer", "m", "limit-2p", "10", "7", "a"), "limit-2p needs 2 players, not 1"),
        (("dealer", "m", "potlimit-2p", "10", "7", "a", "b"), "cannot describe pot-limit betting"),
        (("dealer", "m", "missing.game", "10", "7", "a", "b"), "missing.game: cannot be read"),
        (("dealer", "m", "limit-2p", "10", "7", "a", "b", "-p", "x"), "'x' in 'x' is not a port"),
        (("dealer", "no/folder", "limit-2p", "10", "7", "a", "b"), "no/folder.log cannot be written"),
        (("agent", "nobody", "127.0.0.1", "5"), "no agent is called 'nobody'"),
        (("agent", "random", "127.0.0.1", "5", "--game", "chess"), "no game is called 'chess'"),
        (("agent", "sartre-3p", "127.0.0.1", "5"), "plays with 3 players, but limit-2p has 2 (use --game"),
    ],
)
def test_bad_use_ends_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = railbird(*arguments)
    assert (outcome.code, outcome.out) == (2, b"")
    assert sentence in outcome.error
    assert outcome.error.count("\n") == 1


@pytest.mark.parametrize("arguments", [("0", "7"), ("10", "4294967296"), ("x", "7")])
def test_hands_and_seeds_have_their_bounds(arguments: tuple[str, str]) -> None:
    assert railbird("dealer", "m", "limit-2p", *arguments, "a", "b").code == 2
