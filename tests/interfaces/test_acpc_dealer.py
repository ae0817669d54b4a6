"""The dealer at its table: the official server's trace, its quirks, and players who misbehave."""

import io
import re
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

from acpc_tables import ENOUGH, FOLD, LIMIT, Client, asked, served
from railbird.engine.games import named_game
from railbird.interfaces.acpc.clock import Clock, TimeAccounts, TimeLimits
from railbird.interfaces.acpc.connection import ConnectionFault, LineConnection, MatchBroken
from railbird.interfaces.acpc.dealer import Dealer, MatchTerms, printable
from railbird.interfaces.acpc.house import Files, House, HouseError
from railbird.interfaces.acpc.ports import LOOPBACK, PortError, accept_players, listen, parse_ports, port_of
from railbird.notation.acpc.game import read_game
from railbird.notation.acpc.log import read_log
from railbird.notation.acpc.match import acpc_rules
from railbird.notation.acpc.state import Score
from railbird.notation.acpc.transactions import TransactionError
from railbird.notation.reading import BadHand

NO_LIMIT = replace(LIMIT, game="nolimit-2p", rules=acpc_rules(named_game("nolimit-2p")))


class Scripted(LineConnection):
    """A connection without a socket: keeps what it is sent and answers from a list."""

    def __init__(self, answers: Sequence[bytes]) -> None:
        self.sent: list[bytes] = []
        self.answers = list(reversed(answers))

    def send(self, line: bytes, seconds: float | None = None) -> None:
        self.sent.append(line)

    def read_line(self, seconds: float | None = None, meanwhile: Callable[[], object] | None = None) -> bytes:
        if not self.answers:
            raise ConnectionFault("has no more answers")
        return self.answers.pop()


class Caller(Scripted):
    """A player who answers every question with the same action."""

    def __init__(self, action: str = "c") -> None:
        super().__init__([])
        self.action = action

    def read_line(self, seconds: float | None = None, meanwhile: Callable[[], object] | None = None) -> bytes:
        return self.sent[-1].splitlines()[-1] + f":{self.action}\r\n".encode()


def play(terms: MatchTerms, *seats: LineConnection, done: Sequence[str] = ()) -> tuple[Score, str, str, str]:
    """The score, and what was said, logged and noted."""
    said, log, transactions = io.StringIO(), io.StringIO(), io.StringIO()
    dealer = Dealer(terms, said.write, log=log, transactions=transactions)
    dealer.resume(done)
    return dealer.play(seats), said.getvalue(), log.getvalue(), transactions.getvalue()


# The official server


def without_times(text: str) -> str:
    return re.sub(r" at \d+\.\d{6}", " at T", text)


def test_the_recorded_trace_is_reproduced_byte_for_byte(official: Path) -> None:
    trace = (official / "hul_protocol_trace.err").read_bytes().decode()
    lines = trace.splitlines(keepends=True)
    name, game, hands, seed = lines[0].split()[2:]
    answers: tuple[list[bytes], list[bytes]] = ([], [])
    for line in lines:
        if line.startswith("FROM"):
            answers[int(line[5]) - 1].append(line.split(" ", 4)[4].encode())
    terms = MatchTerms(name, game, read_game(official / game), int(hands), int(seed), ("Alice", "Bob"))
    said = io.StringIO()
    said.write(str(terms.header))
    with pytest.raises(MatchBroken, match="has no more answers"):
        Dealer(terms, said.write).play([Scripted(answers[0]), Scripted(answers[1])])
    ours, theirs = without_times(said.getvalue()), without_times(trace)
    assert ours[: len(theirs)] == theirs
    assert len(lines) == 40_000


@pytest.mark.parametrize("name", ["hun_q", "l3_q", "l9_q", "nl3u_q"])
def test_the_official_matches_are_dealt_and_logged_again(official: Path, name: str) -> None:
    """Players who do what the log says get the same cards, and the same log comes of it."""
    header, *lines = (official / f"{name}.log").read_text().splitlines(keepends=True)
    game, _, seed = header.split()[-3:]
    states = [line for line in lines if line.startswith("STATE")][:200]
    rules = read_game(official / game)
    players = tuple(sorted(states[0].strip().split(":")[5].split("|")))
    terms = MatchTerms("m", game, rules, len(states), int(seed), players)
    actions = [re.findall(r"r\d*|c|f", line.split(":")[2]) for line in states]
    decided = iter([action for hand in actions for action in hand])

    class Follower(Caller):
        def read_line(
            self, seconds: float | None = None, meanwhile: Callable[[], object] | None = None
        ) -> bytes:
            self.action = next(decided)
            return super().read_line(seconds)

    _, _, log, _ = play(terms, *(Follower() for _ in players))
    assert log == "".join(states)


# A match


def test_positions_rotate_and_the_score_adds_up() -> None:
    first, second = Caller(), Caller()
    score, said, log, notes = play(LIMIT, first, second)
    assert first.sent[0] == b"MATCHSTATE:0:0::7d3d|\r\n"
    assert first.sent[9] == b"MATCHSTATE:1:1::|3d3h\r\n"
    hands = [line.split(":") for line in log.splitlines()]
    assert [hand[5] for hand in hands] == ["Alice|Bob", "Bob|Alice"]
    assert score.players == ("Alice", "Bob")
    assert sum(score.totals) == 0
    assert len(notes.splitlines()) == 16
    assert re.fullmatch(r"c 0 \d+\.\d{6} \d+\.\d{6}", notes.splitlines()[0])
    assert said.splitlines()[0].startswith("STARTED at ")
    assert said.splitlines()[-1].startswith("FINISHED at ")


def test_a_fixed_button_keeps_everyone_in_its_position() -> None:
    first, second = Caller(), Caller()
    _, _, log, _ = play(replace(LIMIT, fixed_button=True), first, second)
    assert all(line.startswith(b"MATCHSTATE:0:") for line in first.sent)
    assert [line.split(":")[5] for line in log.splitlines()] == ["Alice|Bob", "Alice|Bob"]


def test_quiet_says_only_what_is_wrong() -> None:
    said = io.StringIO()
    Dealer(LIMIT, said.write, quiet=True).play([Caller(), Caller()])
    assert said.getvalue() == ""
    Dealer(LIMIT, said.write, quiet=True).play([Caller(), Caller("x")])
    assert set(said.getvalue().splitlines()) == {
        f"WARNING: seat 2, hand {hand}: treated an unknown action as a call" for hand in (0, 1)
    }


def test_bad_replies_are_ruled_on_and_the_match_goes_on() -> None:
    _, said, log, _ = play(NO_LIMIT, Caller("r5"), Caller("f"))
    assert "moved a raise to 5 to" in said
    assert "STATE:0:f:" in log


def test_comments_and_stale_replies_are_not_answers() -> None:
    line = b"MATCHSTATE:1:0::|2hAc"
    answers = [
        b"# thinking\r\n",
        b"; still\r\n",
        b"MATCHSTATE:1:9::|2hAc:f\r\n",
        b"what?\r\n",
        line + b":f\r\n",
    ]
    _, said, log, _ = play(replace(LIMIT, hands=1), Caller(), Scripted(answers))
    assert log == "STATE:0:f:7d3d|2hAc:5|-5:Alice|Bob\n"
    assert said.count("WARNING") == 2


def test_an_answer_without_its_line_end_before_the_player_leaves_counts() -> None:
    _, _, log, _ = play(replace(LIMIT, hands=1), Caller(), Scripted([b"MATCHSTATE:1:0::|2hAc:f"]))
    assert log.startswith("STATE:0:f:")


def test_a_player_who_leaves_ends_the_match() -> None:
    with pytest.raises(MatchBroken, match="seat 2 disconnected in hand 0"):
        play(LIMIT, Caller(), Scripted([b""]))


# Time


def test_a_response_a_hand_and_a_match_have_their_limits() -> None:
    accounts = TimeAccounts(TimeLimits(response=10, hand=15, per_hand=20), hands=2, seats=2)
    assert accounts.charge(0, 0, 10_000)
    assert not accounts.charge(1, 0, 10_001), "the response took too long"
    assert not accounts.charge(0, 0, 5_001), "the hand took too long"
    accounts.begin_hand()
    assert accounts.charge(0, 0, 10_000)
    accounts.begin_hand()
    assert accounts.charge(0, 0, 10_000)
    assert not accounts.charge(0, 0, 5_000), "the match took 40 milliseconds and more"
    assert accounts.used_in_match[0] == 40_001


def test_a_clock_that_goes_back_charges_nothing() -> None:
    accounts = TimeAccounts(TimeLimits(0, 0, 0), hands=1, seats=1)
    assert accounts.charge(0, 5, 4)
    clock = Clock()
    assert clock.now() <= clock.now()


def test_every_line_for_one_decision_is_charged_from_the_moment_of_asking() -> None:
    accounts = TimeAccounts(TimeLimits(response=10, hand=15, per_hand=1000), hands=1, seats=1)
    assert accounts.charge(0, 0, 8_000)
    assert not accounts.charge(0, 0, 8_000)


# Resuming


def transactions_of(terms: MatchTerms) -> tuple[list[str], str]:
    _, _, log, notes = play(terms, Caller("r"), Caller())
    return notes.splitlines(keepends=True), log


@pytest.mark.parametrize("kept", [0, 1, 7, 15, 16, 30, 34])
def test_a_match_resumes_from_its_transactions_in_the_middle_of_a_hand(kept: int) -> None:
    terms = replace(LIMIT, hands=4)
    whole, log = transactions_of(terms)
    score, _, rest, notes = play(terms, Caller("r"), Caller(), done=whole[:kept])
    assert [line.split()[:2] for line in [*whole[:kept], *notes.splitlines()]] == [
        line.split()[:2] for line in whole
    ]
    assert rest
    assert log.endswith(rest)
    assert score == play(terms, Caller("r"), Caller())[0]


def test_a_match_that_was_over_is_over() -> None:
    whole, _ = transactions_of(LIMIT)
    score, _, log, notes = play(LIMIT, Caller(), Caller(), done=whole)
    assert (log, notes) == ("", "")
    assert score == play(LIMIT, Caller("r"), Caller())[0]


STAMPS = "0 1.000000 1.000001\n"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["x " + STAMPS], "m.tlog, line 1: 'x 0 1.000000 1.000001.n' does not begin with an action"),
        (["c 0 1.000000 1.00"], "m.tlog, line 1: .* is truncated"),
        (["c " + STAMPS.strip()], "m.tlog, line 1: .* is truncated"),
        (["c 1 1.000000 1.000001\n"], "line 1: there is an action of hand 1 where hand 0 continues"),
        (["c " + STAMPS, "f " + STAMPS], "line 2: hand 0: seat 0 cannot fold: checking is free"),
        (["r " + STAMPS] * 4, "line 4: hand 0: seat 0 cannot raise"),
        (["c 0 1.000000 999.000000\n"], "line 1: seat 2 was out of time"),
        (["f 0 1.0 1.0\n"], "is truncated"),
        (["c \ufffd\n"], "is truncated"),
    ],
)
def test_transactions_that_do_not_fit_are_refused(lines: list[str], sentence: str) -> None:
    with pytest.raises(TransactionError, match=sentence):
        Dealer(LIMIT, print).resume(lines)


def test_transactions_beyond_the_last_hand_are_refused() -> None:
    whole, _ = transactions_of(LIMIT)
    with pytest.raises(TransactionError, match="line 10: the match is over after 1 hands"):
        Dealer(replace(LIMIT, hands=1), print).resume(whole)


# Real sockets


def test_a_match_over_sockets() -> None:
    with served(LIMIT) as (ports, end):
        clients = [Client(port) for port in ports]
        with ThreadPoolExecutor() as pool:
            assert list(pool.map(Client.call_to_the_end, clients)) == [18, 18]
        assert end().startswith("played for")


def test_a_reply_may_come_in_pieces_and_with_others() -> None:
    with asked() as (_, player, end):
        for piece in (b"#x\r\nMATCH", b"STATE:1:0::|2h", b"Ac:", b"f", b"\r", b"\n"):
            player.say(piece)
            sleep(0.01)
        assert end() == "played for (5, -5)"


def test_the_others_are_told_while_one_thinks() -> None:
    with asked() as (other, player, end):
        assert other.lines.readline() == b"MATCHSTATE:0:0::7d3d|\r\n"
        player.say(FOLD)
        assert other.lines.readline() == b"MATCHSTATE:0:0:f:7d3d|\r\n"
        assert end() == "played for (5, -5)"


def test_whoever_stays_is_told_everything_before_a_match_breaks() -> None:
    with served(LIMIT) as (ports, end):
        other, player = Client(ports[0]), Client(ports[1])
        player.lines.readline()
        player.say(b"MATCHSTATE:1:0::|2hAc:c\r\n")
        other.lines.readline()
        assert other.lines.readline() == b"MATCHSTATE:0:0:c:7d3d|\r\n"
        other.socket.shutdown(socket.SHUT_WR)
        assert end() == "seat 1 disconnected in hand 0"
        assert player.lines.readline() == b"MATCHSTATE:1:0:c:|2hAc\r\n"
        other.leave()
        player.leave()


def test_a_player_who_leaves_is_noticed() -> None:
    with asked() as (_, player, end):
        player.leave()
        assert re.fullmatch(r"seat 2 disconnected (in hand 0|\(.*\))", end())


def test_a_player_who_does_not_answer_in_time_ends_the_match() -> None:
    with asked(limits=TimeLimits(response=50)) as (_, _, end):
        assert end() == "seat 2 did not answer in time"


def test_half_an_answer_is_no_answer_in_time() -> None:
    with asked(limits=TimeLimits(response=100)) as (_, player, end):
        player.say(FOLD[:-5])
        assert end() == "seat 2 did not answer in time"


def test_an_answer_within_the_response_but_beyond_the_hand_ends_the_match() -> None:
    with asked(limits=TimeLimits(response=5000, hand=1)) as (_, player, end):
        sleep(0.01)
        player.say(FOLD)
        assert end() == "seat 2 ran out of time in hand 0"


def test_a_line_of_more_than_4095_bytes_is_read_in_pieces() -> None:
    with asked() as (_, player, end):
        player.say(FOLD[:-2] + b"x" * 6000 + b"\r\n")
        assert end() == "played for (5, -5)"
    with asked() as (_, player, end):
        player.say(b"x" * 4095 + FOLD)
        assert end().endswith("played for (5, -5)")


def test_a_flood_without_line_ends_ends_the_match() -> None:
    with asked() as (_, player, end):
        try:
            for _ in range(100):
                player.say(b"\xff" * 1000)
        except OSError:
            pass
        assert end().endswith("seat 2 sent a line of more than 65536 bytes")


def test_a_flood_of_lines_costs_the_player_its_time() -> None:
    with asked(limits=TimeLimits(response=5000, hand=2000)) as (_, player, end):
        try:
            while True:
                player.say(b"garbage\r\n" * 500)
        except OSError:
            pass
        assert end().endswith("seat 2 ran out of time in hand 0")


def test_another_version_is_reported_and_plays() -> None:
    with asked(b"VERSION:2.7.1\r\n") as (_, player, end):
        player.say(FOLD)
        assert end() == "ERROR: seat 2 speaks version 2.7, this dealer version 2.0\nplayed for (5, -5)"


@pytest.mark.parametrize("version", [b"HELLO\r\n", b"\r\n", b"\xff\x00\n", b"VERSIO:2.0.0\r\n"])
def test_a_player_without_a_version_ends_the_match(version: bytes) -> None:
    with asked(version) as (_, _, end):
        assert re.fullmatch(r"seat 2 began with '.*' instead of a version", end())


def test_a_port_takes_one_player_once() -> None:
    with served(replace(LIMIT, hands=1)) as (ports, end):
        first = Client(ports[0])
        second = Client(ports[1])
        second.lines.readline()
        for port in ports:
            with pytest.raises(ConnectionRefusedError):
                Client(port)
        second.say(FOLD)
        assert end() == "played for (5, -5)"
        first.leave()
        second.leave()


def test_nobody_comes() -> None:
    listeners = listen(LOOPBACK, [0, 0])
    early = Client(port_of(listeners[0]))
    with pytest.raises(MatchBroken, match="nobody connected to seat 2 in time"):
        accept_players(listeners, seconds=0.05)
    early.leave()
    for listener in listeners:
        listener.close()


def test_a_player_who_reads_nothing_ends_the_match() -> None:
    listener = listen(LOOPBACK, [0])[0]
    silent = Client(port_of(listener))
    (connection,) = accept_players([listener])
    with pytest.raises(ConnectionFault, match="does not read its input"):
        connection.send(b"x" * 100_000_000, seconds=0.05)
    silent.leave()
    connection.close()


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert printable("MATCHSTATE:1:0::|2hAc:f\r\n") == "MATCHSTATE:1:0::|2hAc:f\r\n"
    assert printable("half") == "half\n"
    assert printable("\x1b[2J\xff\r\n") == "\\x1b[2J\\xff\n"


# Ports, files and names


def test_ports_are_numbers_for_the_first_seats() -> None:
    assert parse_ports("", 3) == [0, 0, 0]
    assert parse_ports("5000,5001", 3) == [5000, 5001, 0]
    for text in ("5000,", "x", "99999", "-1", "1 2"):
        with pytest.raises(PortError, match="is not a port"):
            parse_ports(text, 3)
    with pytest.raises(PortError, match="names 3 ports for 2 seats"):
        parse_ports("1,2,3", 2)


def test_a_port_in_use_or_an_address_of_somebody_else_is_named() -> None:
    (taken,) = listen(LOOPBACK, [0])
    with pytest.raises(
        PortError, match=rf"cannot listen on 127.0.0.1, port {port_of(taken)}: Address already"
    ):
        listen(LOOPBACK, [0, port_of(taken)])
    taken.close()
    with pytest.raises(PortError, match="cannot listen on 192.0.2.1"):
        listen("192.0.2.1", [0])


def run_house(terms: MatchTerms, files: Files) -> tuple[str, str]:
    """A whole run with two callers: standard output and standard error."""
    output, errors = io.StringIO(), io.StringIO()
    house = House(terms, files, [0, 0], start_seconds=ENOUGH)
    thread = threading.Thread(target=house.run, args=(output, errors))
    thread.start()
    while "\n" not in output.getvalue():
        sleep(0.001)
    clients = [Client(int(port)) for port in output.getvalue().split()]
    with ThreadPoolExecutor() as pool:
        list(pool.map(Client.call_to_the_end, clients))
    thread.join(ENOUGH)
    assert not thread.is_alive()
    return output.getvalue(), errors.getvalue()


def test_a_run_prints_ports_and_score_and_writes_its_files(tmp_path: Path) -> None:
    files = Files(log=tmp_path / "m.log", transactions=tmp_path / "m.tlog")
    output, errors = run_house(LIMIT, files)
    ports, score = output.splitlines()
    assert re.fullmatch(r"\d+ \d+", ports)
    assert re.fullmatch(r"SCORE:-?\d+\|-?\d+:Alice\|Bob", score)
    log = (tmp_path / "m.log").read_text()
    assert log.startswith("# name/game/hands/seed m limit-2p 2 42\n#--t_response 600000\n#--t_hand 600000\n")
    assert log.splitlines()[3] == "#--t_per_hand 7000"
    assert log.splitlines()[-1] == score == errors.splitlines()[-1]
    assert len((tmp_path / "m.tlog").read_text().splitlines()) == 16
    hands = list(read_log(log.splitlines(keepends=True)))
    assert len(hands) == 2
    assert not any(isinstance(hand, BadHand) for hand in hands)


def test_a_run_is_appended_and_resumed(tmp_path: Path) -> None:
    files = Files(log=tmp_path / "m.log", transactions=tmp_path / "m.tlog", append=True)
    whole, _ = run_house(LIMIT, files)
    notes = (tmp_path / "m.tlog").read_text().splitlines(keepends=True)
    (tmp_path / "m.tlog").write_text("".join(notes[:11]))
    (tmp_path / "m.log").write_text("".join((tmp_path / "m.log").read_text().splitlines(keepends=True)[:5]))
    resumed, _ = run_house(LIMIT, files)
    assert resumed.splitlines()[1] == whole.splitlines()[1]
    hands = list(read_log((tmp_path / "m.log").read_text().splitlines()))
    assert [hand.hand_id for hand in hands if not isinstance(hand, BadHand)] == ["0", "1"]
    assert len((tmp_path / "m.tlog").read_text().splitlines()) == 16


def test_without_append_old_files_are_overwritten(tmp_path: Path) -> None:
    files = Files(log=tmp_path / "m.log", transactions=tmp_path / "m.tlog")
    (tmp_path / "m.tlog").write_text("nonsense\n")
    run_house(LIMIT, files)
    assert len((tmp_path / "m.tlog").read_text().splitlines()) == 16


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (("a",), "limit-2p needs 2 players, not 1"),
        (("a", "b|c"), "'b|c' is not a valid player name"),
        (("a", ""), "'' is not a valid player name"),
        (("a", "b\nc"), "is not a valid player name"),
    ],
)
def test_names_must_fit(players: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(HouseError, match=re.escape(sentence)):
        House(replace(LIMIT, players=players), Files(), [0, 0])


def test_files_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    house = House(LIMIT, Files(log=tmp_path / "missing" / "m.log"), [0, 0])
    with pytest.raises(HouseError, match="m.log cannot be written: No such file"):
        house.run(io.StringIO(), io.StringIO())


def test_a_run_that_cannot_begin_leaves_the_old_log_alone(tmp_path: Path) -> None:
    (tmp_path / "m.log").write_text("old")
    (taken,) = listen(LOOPBACK, [0])
    house = House(LIMIT, Files(log=tmp_path / "m.log"), [0, port_of(taken)])
    with pytest.raises(PortError):
        house.run(io.StringIO(), io.StringIO())
    taken.close()
    assert (tmp_path / "m.log").read_text() == "old"
