"""Hand histories, games and agents' files of strangers, and outputs that are no plain files."""

import json
import os
import stat
from pathlib import Path
from threading import Thread

import pytest

from command import railbird
from hand_records import plain_record
from railbird.notation.acpc.game import GameFileError, read_game
from railbird.notation.files import find_hands
from railbird.notation.formats import format_named
from railbird.notation.reading import BadHand
from railbird.places import write_whole

GAME = """GAMEDEF
limit
numPlayers = {players}
numRounds = {rounds}
blind = 5 10
raiseSize = 10 10
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def written(path: Path, form: str, *seeds: int) -> Path:
    """A file of honest hands."""
    writer = format_named(form).writer
    assert writer is not None
    hands = writer()
    path.write_text("".join([hands.hand(plain_record(seed)) for seed in seeds]) + hands.end())
    return path


def refusals(path: Path) -> list[str]:
    """Why the hands of a file are refused; one that is read fails the test."""
    reasons = []
    for found in find_hands(path):
        assert isinstance(found.reading, BadHand)
        reasons.append(found.reading.reason)
    return reasons


@pytest.mark.parametrize(("players", "rounds"), [(2, 2_000_000_000), (2_000_000_000, 4)])
def test_a_game_of_billions_of_rounds_or_players_takes_no_memory(
    players: int, rounds: int, tmp_path: Path
) -> None:
    path = tmp_path / "evil.game"
    path.write_text(GAME.format(players=players, rounds=rounds))
    with pytest.raises(GameFileError, match="but at most 10 and 4 are possible"):
        read_game(path)


def test_a_game_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "evil.game"
    path.symlink_to("/dev/zero")
    with pytest.raises(GameFileError, match="may not have more than 65,536 bytes"):
        read_game(path)


def test_a_phh_file_whose_chip_is_a_number_without_end_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "hands.phhs", "phhs", 1)
    text = path.read_text()
    assert "_railbird = {" in text
    path.write_text(text.replace("_railbird = {", "_railbird = {chip = '1e999999999', "))
    assert refusals(path) == ["_railbird does not have the fields that Railbird writes"]


def test_no_name_of_a_player_steers_the_terminal(tmp_path: Path) -> None:
    path = written(tmp_path / "hands.jsonl", "railbird", 1)
    hand = json.loads(path.read_text())
    hand["players"][0] = "\x1b]0;owned\x07\x1b[31mann"
    path.write_text(json.dumps(hand) + "\n")
    assert refusals(path) == [r"the name '\x1b]0;owned\x07\x1b[31mann' contains a control character"]
    done = railbird("stats", path)
    assert "\x1b" not in done.error + done.out.decode()


# Programs


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import sys\nsys.exit(0)\n", "bot.py exits when it is loaded, with exit code 0"),
        ("class Bot(:\n", "bot.py, line 1: invalid syntax"),
        ("\0", "source code string cannot contain null bytes"),
    ],
)
def test_an_agent_whose_file_cannot_be_loaded_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(text)
    done = railbird("match", "--game", "limit-2p", "--seats", f"{path}:Bot,random", "--hands", 1)
    assert done.code == 2
    assert reason in done.error
    assert done.error.count("\n") == 1


# Pipes and devices


def test_hands_from_a_pipe_are_read_from_their_first_byte(tmp_path: Path) -> None:
    honest, pipe = written(tmp_path / "hands.jsonl", "railbird", 1, 2), tmp_path / "pipe"
    os.mkfifo(pipe)
    feeding = Thread(target=lambda: pipe.write_bytes(honest.read_bytes()), daemon=True)
    feeding.start()
    done = railbird("stats", pipe)
    feeding.join()
    assert done.code == 0
    assert f"2 players in 2 hands of {pipe}" in done.out.decode()


def test_a_pipe_is_not_imported_because_it_cannot_be_read_twice(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = railbird("import", pipe, "--store", tmp_path / "hands.db")
    assert done.code == 2
    assert "is not a regular file" in done.error


def test_what_is_written_to_a_pipe_goes_through_it(tmp_path: Path) -> None:
    pipe, taken = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    taking = Thread(target=lambda: taken.append(pipe.read_bytes()), daemon=True)
    taking.start()
    write_whole(pipe, lambda file: file.write(b"hands"))
    taking.join()
    assert taken == [b"hands"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_link_to_an_open_file_such_as_dev_stdout_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "stdout"
    with target.open("ab") as file:
        link.symlink_to(f"/proc/self/fd/{file.fileno()}")
        write_whole(link, lambda stream: stream.write(b"hands"))
    assert link.is_symlink()
    assert target.read_bytes() == b"hands"


def test_no_conversion_puts_a_file_in_the_place_of_a_device(tmp_path: Path) -> None:
    honest, device = written(tmp_path / "hands.jsonl", "railbird", 1), tmp_path / "null"
    device.symlink_to("/dev/null")
    done = railbird("convert", honest, device, "--to", "acpc", "--force")
    assert done.code == 2
    assert "is not a regular file" in done.error
    assert device.is_symlink()
