"""Our agents on an ACPC server: they see what they would see at our own table, and nobody fails in silence."""

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import sleep

import pytest
from hypothesis import given

from fuzzing import broken
from railbird.agent import Agent, Decision, HandResult, MatchStart, make_agent
from railbird.arena.play.hand import play_hand
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.events import Event
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.acpc.client import AcpcPlayer, ServerMissing, connect, play_match
from railbird.interfaces.acpc.connection import MatchBroken
from railbird.interfaces.acpc.ports import LOOPBACK
from railbird.notation.acpc.game import read_game
from railbird.notation.acpc.match import MatchStateError, acpc_rules, format_match_state
from railbird.notation.reading import LONGEST_LINE
from railbird.observation import Observation
from railbird.rng import Stream
from strategies import random_action, random_cards, randoms

HEADS_UP = acpc_rules(named_game("limit-2p"))
GAMES = ("limit-2p", "limit-3p", "nolimit-3p", "limit-9max", "nolimit-6max:stack=300/20000/150/4000/100/900")
ENOUGH = 20.0


class Witness(Agent):
    """Plays given actions and writes down everything that it is told."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = list(reversed(actions))
        self.notes: list[object] = []

    def begin_match(self, match: MatchStart) -> None:
        self.notes.append((match.rules, match.label, match.players, match.is_reset))

    def hear(self, event: Event) -> None:
        self.notes.append(event)

    def act(self, observation: Observation) -> Decision:
        self.notes.append(observation.to_json())
        return Decision(self.actions.pop())

    def end_hand(self, result: HandResult) -> None:
        self.notes.append(result)


def player_of(agent: Agent, rules: GameRules = HEADS_UP, warn: Callable[[str], object] = print) -> AcpcPlayer:
    return AcpcPlayer(agent, "me", rules, Stream.from_seed(1), warn)


@given(randoms)
def test_an_agent_is_told_what_our_own_table_would_tell_it(random: Random) -> None:
    setup = Setup.of(acpc_rules(named_game(random.choice(GAMES))))
    count = setup.rules.players
    played = State(setup, random_cards(random, setup.rules))
    start = played.clone()
    while not played.is_over:
        played.act(random_action(random, played.legal_actions))
    acts = [node.act for node in played.node.path]
    position = random.randrange(count)
    by_seat = [
        [action for action, act in zip(played.actions, acts, strict=True) if act.seat == seat]
        for seat in range(count)
    ]
    labels = ("me", *(f"opponent-{place}" for place in range(1, count)))
    players = tuple(labels[(seat - position) % count] for seat in range(count))

    here = [Witness(actions) for actions in by_seat]
    here[position].begin_match(MatchStart(setup.rules, "me", labels, Stream.from_seed(1)))
    play_hand(start.clone(), here, players, hand_number=17)

    there = Witness(by_seat[position])
    client = player_of(there, setup.rules)
    state = start.clone()
    replies = [client.answer(format_match_state(state, position, 17) + "\r\n")]
    for action in played.actions:
        state.act(action)
        replies.append(client.answer(format_match_state(state, position, 17) + "\r\n"))
    assert there.notes == here[position].notes
    assert len([reply for reply in replies if reply]) == len(by_seat[position])
    assert client.hands == 1


@pytest.mark.parametrize("seat", [1, 2])
def test_the_recorded_trace_is_answered_byte_for_byte(official: Path, seat: int) -> None:
    rules = read_game(official / "holdem.limit.2p.reverse_blinds.game")
    lines = (official / "hul_protocol_trace.err").read_bytes().decode().splitlines(keepends=True)
    received = [line.split(" ", 4)[4] for line in lines if line.startswith(f"TO {seat} ")]
    sent = [line.split(" ", 4)[4] for line in lines if line.startswith(f"FROM {seat} ")]
    wanted = iter([reply.strip()[-1] for reply in sent])

    class Follower(Agent):
        def act(self, observation: Observation) -> Decision:
            letter = next(wanted, "c")
            if letter == "r":
                return Decision(raise_to(observation.legal_actions.raise_minimum))
            return Decision(FOLD if letter == "f" else CALL)

    client = player_of(Follower(), rules, warn=pytest.fail)
    replies = [reply + "\r\n" for line in received if (reply := client.answer(line)) is not None]
    assert replies[: len(sent)] == sent
    assert len(replies) - len(sent) <= 1, "the trace may be cut before an answer"
    assert client.hands == 1289


def test_opponents_keep_their_labels_while_positions_rotate() -> None:
    witness = Witness([CALL] * 9)
    client = player_of(witness, acpc_rules(named_game("limit-3p")))
    client.answer("MATCHSTATE:0:0:c:TdAs||")
    client.answer("MATCHSTATE:2:1::||TdAs")
    seen = [note for note in witness.notes if isinstance(note, dict)]
    assert [note["players"] for note in seen] == [
        ["me", "opponent-1", "opponent-2"],
        ["opponent-1", "opponent-2", "me"],
    ]


def test_a_match_may_be_joined_in_the_middle_of_a_hand() -> None:
    witness = Witness([CALL])
    reply = player_of(witness).answer("MATCHSTATE:0:7:rc/:TdAs|/2c3c4c\r\n")
    assert reply == "MATCHSTATE:0:7:rc/:TdAs|/2c3c4c:c"
    assert len([note for note in witness.notes if not isinstance(note, dict | tuple)]) == 6


def test_comments_and_empty_lines_are_passed_over() -> None:
    client = player_of(Witness([]))
    assert [client.answer(line) for line in ("# hello\r\n", "; gui\r\n", "\r\n")] == [None] * 3


# Agents at fault


class Answering(Agent):
    """Answers with whatever it was given."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def act(self, observation: Observation) -> Decision:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("line", "action", "sentence"),
    [
        ("MATCHSTATE:1:3::|TdAs", raise_to(21), "hand 3: the agent may not raise to 21 here, so it calls"),
        ("MATCHSTATE:0:3:c:TdAs|", FOLD, "hand 3: the agent may not fold here"),
        ("MATCHSTATE:0:3:rrr:TdAs|", raise_to(50), "hand 3: the agent may not raise to 50 here"),
    ],
)
def test_an_illegal_decision_becomes_a_call_and_is_reported(line: str, action: Action, sentence: str) -> None:
    warnings: list[str] = []
    client = player_of(Answering(Decision(action)), warn=warnings.append)
    assert client.answer(line) == f"{line}:c"
    (warning,) = warnings
    assert sentence in warning


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (ZeroDivisionError("oops"), "the agent failed in hand 3: crash: ZeroDivisionError: oops"),
        (None, "the agent failed in hand 3: not a decision: it answered with None"),
    ],
)
def test_an_agent_that_fails_ends_the_match_with_a_sentence(answer: object, sentence: str) -> None:
    with pytest.raises(MatchBroken, match=sentence):
        player_of(Answering(answer)).answer("MATCHSTATE:1:3::|TdAs")


def test_an_agent_that_fails_while_it_listens_ends_the_match() -> None:
    class Deaf(Witness):
        def hear(self, event: Event) -> None:
            raise ValueError("too loud")

    with pytest.raises(MatchBroken, match="the agent failed in hand 3: crash: ValueError: too loud"):
        player_of(Deaf([])).answer("MATCHSTATE:0:3::TdAs|")


def test_an_agent_that_fails_before_the_match_says_so() -> None:
    class Unready(Witness):
        def begin_match(self, match: MatchStart) -> None:
            raise ValueError("no pack")

    with pytest.raises(
        MatchBroken, match="the agent failed before the first hand: crash: ValueError: no pack"
    ):
        player_of(Unready([]))


# Servers


@contextmanager
def server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that talks to one client in a thread of its own: its port."""
    listener = socket.create_server((LOOPBACK, 0))
    listener.settimeout(ENOUGH)

    def serve() -> None:
        connected, _ = listener.accept()
        with connected:
            connected.settimeout(ENOUGH)
            talk(connected)

    thread = threading.Thread(target=serve)
    thread.start()
    yield int(listener.getsockname()[1])
    thread.join(ENOUGH)
    listener.close()
    assert not thread.is_alive()


def play_on(port: int, agent: Agent | None = None) -> int:
    connection = connect(LOOPBACK, port)
    try:
        return play_match(player_of(agent or make_agent("always-call")), connection)
    finally:
        connection.close()


HAND = [
    "MATCHSTATE:0:0::TdAs|",
    "MATCHSTATE:0:0:c:TdAs|",
    "MATCHSTATE:0:0:cc/:TdAs|/2c3c4c",
    "MATCHSTATE:0:0:cc/c:TdAs|/2c3c4c",
    "MATCHSTATE:0:0:cc/cr:TdAs|/2c3c4c",
]
"""A hand that goes on: the client answers the second, third and fifth line."""
END = "MATCHSTATE:0:0:cc/crf:TdAs|/2c3c4c"


def test_the_client_says_its_version_and_answers_lines_that_come_together_and_in_pieces() -> None:
    heard = b""

    def talk(client: socket.socket) -> None:
        nonlocal heard
        data = "".join(line + "\r\n" for line in [*HAND, END]).encode()
        for place in range(0, len(data), 50):
            client.sendall(data[place : place + 50])
            sleep(0.002)
        client.shutdown(socket.SHUT_WR)
        while received := client.recv(4096):
            heard += received

    with server(talk) as port:
        assert play_on(port) == 1
    assert heard.decode() == "VERSION:2.0.0\r\n" + "".join(f"{HAND[number]}:c\r\n" for number in (1, 2, 4))


def sending(*parts: bytes) -> Callable[[socket.socket], None]:
    def talk(client: socket.socket) -> None:
        for part in parts:
            client.sendall(part)
        client.shutdown(socket.SHUT_WR)
        while client.recv(4096):
            pass

    return talk


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the server closed the connection before the first hand"),
        (HAND[0].encode() + b"\r\n", "the server closed the connection in the middle of hand 0"),
        (
            HAND[0].encode() + b"\r\n" + HAND[1].encode(),
            "the server closed the connection in the middle of a line",
        ),
        (b"x" * (LONGEST_LINE + 1), "the server sent a line of more than 65536 bytes before the first hand"),
    ],
)
def test_a_server_that_leaves_too_early_is_named(data: bytes, sentence: str) -> None:
    with server(sending(data)) as port, pytest.raises(MatchBroken, match=sentence):
        play_on(port)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "is not MATCHSTATE:position:hand:betting:cards"),
        (b"MATCHSTATE:0:0::TdAs||\r\n", "3 hands for 2 players"),
        (b"MATCHSTATE:0:0:r300:TdAs|\r\n", "which takes no amount"),
        (b"\xff\xfe\r\n", "which is not plain text"),
        (b"MATCHSTATE\0\r\n", "contains a NUL byte"),
    ],
)
def test_a_server_that_speaks_of_another_game_or_protocol_is_named(data: bytes, sentence: str) -> None:
    with server(sending(data)) as port, pytest.raises(MatchStateError, match=sentence):
        play_on(port)


def test_a_server_that_breaks_the_connection_is_named() -> None:
    def talk(client: socket.socket) -> None:
        client.recv(4096)
        client.sendall(HAND[1].encode() + b"\r\n")
        # Closing with an answer unread resets the connection.
        sleep(0.05)

    with server(talk) as port, pytest.raises(MatchBroken, match="the server (disconnected|closed).* hand 0"):
        play_on(port)


def test_a_server_that_says_nothing_is_given_up() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        connection = connect(LOOPBACK, server.getsockname()[1])
        try:
            with pytest.raises(MatchBroken, match=r"the server was silent for 0\.05 s before the first hand"):
                play_match(player_of(make_agent("always-call")), connection, 0.05)
        finally:
            connection.close()


def test_nobody_listens() -> None:
    unused = socket.create_server((LOOPBACK, 0))
    port = unused.getsockname()[1]
    unused.close()
    with pytest.raises(ServerMissing, match=f"connection refused by 127.0.0.1, port {port}: .* only once"):
        connect(LOOPBACK, port)
    with pytest.raises(ServerMissing, match="cannot connect to no.such.host.invalid"):
        connect("no.such.host.invalid", 5)


def test_a_server_that_sends_broken_lines_never_crashes_the_client() -> None:
    random = Random(5)
    client = player_of(make_agent("random"), warn=lambda _: None)
    fed = 0
    while fed < 5000:
        for line in broken(random, [line.encode() for line in [*HAND, END]]).decode("latin-1").split("\n"):
            fed += 1
            try:
                reply = client.answer(line)
            except MatchStateError:
                continue
            assert reply is None or reply.startswith(line.rstrip("\r\n"))
