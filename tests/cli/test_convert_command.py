"""`railbird convert`: what is read, written, put aside, left out and refused."""

import json
import lzma
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from command import railbird
from folders import HISTORIES
from hand_records import plain_record
from railbird.engine.record import Details
from railbird.notation.acpc.game import format_game
from railbird.notation.files import find_hands
from railbird.notation.records import format_record, parse_record

HANDS = [plain_record(seed) for seed in range(30)]
TEXT = "".join(map(format_record, HANDS))


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    """A file of thirty hands."""
    file = tmp_path / "hands.jsonl"
    file.write_text(TEXT, encoding="utf-8")
    return file


def read(path: Path) -> list[object]:
    return [found.reading for found in find_hands(path)]


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", ["", ".xz", ".gz", ".zst"])
def test_the_name_of_the_output_says_how_it_is_written(hands: Path, ending: str) -> None:
    output = hands.with_name(f"out.jsonl{ending}")
    result = railbird("convert", hands, output)
    assert (result.code, result.error) == (0, "")
    assert result.out == b"30 hands read, 30 written\n"
    assert read(output) == HANDS
    assert (output.read_bytes() == hands.read_bytes()) == (ending == "")
    assert left_in(hands.parent) == sorted([hands.name, output.name])


def test_the_same_input_gives_the_same_bytes(hands: Path) -> None:
    for ending in (".xz", ".gz", ".zst"):
        first, second = (hands.with_name(f"{name}.jsonl{ending}") for name in ("first", "second"))
        for output in (first, second):
            assert railbird("convert", hands, output).code == 0
        assert first.read_bytes() == second.read_bytes()


def test_hands_go_through_pipes() -> None:
    result = railbird("convert", "-", "-", "--to", "railbird", keys=lzma.compress(TEXT.encode()))
    assert result.code == 0
    assert result.out.decode() == TEXT
    assert result.error == "30 hands read, 30 written\n"


def test_a_folder_is_read_with_everything_below_it(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "a.jsonl").write_text("".join(map(format_record, HANDS[:10])), encoding="utf-8")
    (folder / "deep" / "b.jsonl.xz").write_bytes(
        lzma.compress("".join(map(format_record, HANDS[10:20])).encode())
    )
    (folder / "deep" / "er" / "c.jsonl").write_text("".join(map(format_record, HANDS[20:])), encoding="utf-8")
    (folder / "notes.md").write_text("not hands", encoding="utf-8")
    output = tmp_path / "out.jsonl"
    assert railbird("convert", folder, output).code == 0
    assert read(output) == HANDS


def test_what_was_read_before_is_left_out_and_counted(hands: Path) -> None:
    output = hands.with_name("out.jsonl")
    copy = hands.with_name("copy.jsonl")
    copy.write_text(TEXT + format_record(plain_record(99)), encoding="utf-8")
    result = railbird("convert", hands, copy, output)
    assert result.out == (b"61 hands read, 31 written\n30 hands skipped as duplicates\n")
    assert read(output) == [*HANDS, plain_record(99)]
    assert railbird("convert", hands, copy, output, "--force", "--keep-duplicates").code == 0
    assert len(read(output)) == 61


def test_bad_hands_are_put_aside_with_file_line_reason_and_text(hands: Path) -> None:
    lines = TEXT.splitlines(keepends=True)
    lines[4] = "{broken\n"
    lines[7] = lines[7].replace('"hand_id"', '"hand_number"')
    hands.write_text("".join(lines), encoding="utf-8")
    output = hands.with_name("out.jsonl")
    result = railbird("convert", hands, output)
    assert result.code == 1
    assert result.out == b"30 hands read, 28 written\n"
    assert result.error.splitlines() == [
        f"railbird: 2 hands could not be converted (kept in {output}.bad):",
        "  1 × the line is not valid JSON: Expecting property name enclosed in double quotes at character 2; "
        f"first: {hands}, line 5",
        f"  1 × hand_number is not a field of a hand; first: {hands}, line 8",
    ]
    aside = [json.loads(line) for line in Path(f"{output}.bad").read_text(encoding="utf-8").splitlines()]
    assert [(entry["file"], entry["line"]) for entry in aside] == [(str(hands), 5), (str(hands), 8)]
    assert aside[0]["text"] == "{broken"
    assert aside[0]["reason"].startswith("the line is not valid JSON")
    assert aside[1] == {
        "file": str(hands), "line": 8, "reason": "hand_number is not a field of a hand", "text": lines[7].strip(),
    }  # fmt: skip


def test_bad_hands_go_where_they_are_told(hands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hands.write_text("{broken\n" + TEXT, encoding="utf-8")
    aside = hands.with_name("aside")
    assert railbird("convert", hands, "-", "--to", "railbird", "--quarantine", aside).code == 1
    assert len(aside.read_text(encoding="utf-8").splitlines()) == 1
    monkeypatch.delenv("RAILBIRD_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(hands.with_name("home")))
    result = railbird("convert", hands, "-", "--to", "railbird")
    kept = hands.with_name("home") / "railbird" / "refused.bad"
    assert f"1 hand could not be converted (kept in {kept}):" in result.error
    assert kept.read_bytes() == aside.read_bytes()
    assert result.out.decode() == TEXT


def test_force_removes_the_bad_hands_of_an_earlier_conversion(hands: Path) -> None:
    output = hands.with_name("out.jsonl")
    hands.write_text("{broken\n" + TEXT, encoding="utf-8")
    assert railbird("convert", hands, output).code == 1
    hands.write_text(TEXT, encoding="utf-8")
    assert railbird("convert", hands, output, "--force").code == 0
    assert left_in(hands.parent) == ["hands.jsonl", "out.jsonl"]


@pytest.mark.parametrize("output", ["out.jsonl", "-"])
def test_strict_stops_at_the_first_bad_hand_and_writes_nothing(hands: Path, output: str) -> None:
    hands.write_text(TEXT + "{broken\n" + TEXT, encoding="utf-8")
    target = "-" if output == "-" else hands.with_name(output)
    result = railbird("convert", hands, target, "--to", "railbird", "--strict")
    assert (result.code, result.out) == (2, b"")
    assert result.error.startswith(f"railbird: {hands}, line 31: the line is not valid JSON")
    assert left_in(hands.parent) == ["hands.jsonl"]


def test_strict_lets_good_hands_through(hands: Path) -> None:
    result = railbird("convert", hands, "-", "--to", "railbird", "--strict")
    assert (result.code, result.out.decode()) == (0, TEXT)


def test_a_log_goes_there_and_back_without_change(hands: Path) -> None:
    log, again = hands.with_name("hands.log.gz"), hands.with_name("again.jsonl")
    assert railbird("convert", hands, log).out == b"30 hands read, 30 written\n"
    assert railbird("convert", log, again).out == b"30 hands read, 30 written\n"
    assert again.read_bytes() == hands.read_bytes()


def test_the_game_of_a_log_that_does_not_tell_it_is_an_option(hands: Path) -> None:
    log, bare, again = (hands.with_name(name) for name in ("hands.log", "bare.log", "again.jsonl"))
    assert railbird("convert", hands, log).code == 0
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if line.startswith("STATE:")), encoding="utf-8")
    result = railbird("convert", bare, again)
    assert result.code == 2
    assert "bare.log: line 1: the log does not name its game: specify the game" in result.error
    assert railbird("convert", bare, again, "--game", "limit-2p").code == 0
    assert read(again) == HANDS


def test_what_the_other_format_loses_is_counted_and_told(hands: Path) -> None:
    told = [replace(hand, details=Details(venue="Here", time="noon")) for hand in HANDS[:20]]
    hands.write_text("".join(map(format_record, [*told, *HANDS[20:]])), encoding="utf-8")
    result = railbird("convert", hands, hands.with_name("out.log"))
    assert result.out.decode().splitlines() == [
        "30 hands read, 30 written",
        "20 hands: names of venues and tables omitted",
        "20 hands: times omitted",
    ]


def test_a_hand_that_the_other_format_cannot_hold_is_put_aside_whole(hands: Path) -> None:
    odd = replace(HANDS[0], players=("a:b", "c|d"))
    hands.write_text(TEXT + format_record(odd), encoding="utf-8")
    output = hands.with_name("out.log")
    result = railbird("convert", hands, output)
    assert (result.code, result.out) == (1, b"31 hands read, 30 written\n")
    (entry,) = map(json.loads, Path(f"{output}.bad").read_text(encoding="utf-8").splitlines())
    assert (entry["line"], parse_record(entry["text"])) == (31, odd)
    assert entry["reason"].startswith("acpc cannot hold this hand: ")
    strict = railbird("convert", hands, output, "--strict", "--force")
    assert (strict.code, strict.out) == (2, b"")
    assert f"{hands}, line 31: acpc cannot hold this hand" in strict.error


def test_a_showdown_with_unseen_cards_is_put_aside_by_name(hands: Path) -> None:
    """A log tells the winner by the cards, so it cannot hold a hand whose cards were mucked unseen."""
    text = (
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [200, 200]\n"
        "actions = ['d dh p1 AhKd', 'd dh p2 ????', 'p2 cc', 'p1 cc', 'd db 2c3d9h', 'p1 cc', 'p2 cc', 'd db Jc', "
        "'p1 cc', 'p2 cc', 'd db Qs', 'p1 cc', 'p2 cc', 'p1 sm AhKd', 'p2 sm']\nhand = 7\n"
    )
    hands.with_name("muck.phh").write_text(text, encoding="utf-8")
    output = hands.with_name("out.log")
    result = railbird("convert", hands, hands.with_name("muck.phh"), output)
    assert result.out == b"31 hands read, 30 written\n"
    (entry,) = map(json.loads, Path(f"{output}.bad").read_text(encoding="utf-8").splitlines())
    assert entry["reason"] == (
        "acpc cannot hold this hand: hand 7: the hole cards of seat 1 are not known, so the showdown has no winner"
    )


@pytest.mark.parametrize(
    "names", [["in"], ["in/diary.txt", "in/hands.jsonl"], ["in/hands.jsonl", "in/no.log"]]
)
def test_a_file_that_cannot_be_read_is_skipped_and_hides_no_other(
    hands: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    monkeypatch.chdir(hands.parent)
    Path("in").mkdir()
    hands.rename("in/hands.jsonl")
    Path("in/diary.txt").write_text("Dear diary,\n", encoding="utf-8")
    result = railbird("convert", *names, "out.jsonl")
    assert (result.code, result.out) == (1, b"30 hands read, 30 written\n")
    missing = "in/no.log" in names
    assert result.error.splitlines()[0] == "railbird: 1 file skipped:"
    assert result.error.splitlines()[1].startswith(
        "  in/no.log: there is no such file" if missing else "  in/diary.txt: the first lines do not identify"
    )
    assert left_in(Path()) == ["in", "out.jsonl"]


def test_a_game_that_most_hands_contradict_is_refused_as_a_whole(hands: Path) -> None:
    log, output = hands.with_name("hands.log"), hands.with_name("out.jsonl")
    assert railbird("convert", hands, log).code == 0
    for game in ("limit-3p", "nolimit-2p"):
        result = railbird("convert", log, output, "--game", game)
        assert result.code == 2
        assert f"{log}: the hands do not fit {game}: line 2: " in result.error
    result = railbird("convert", log, hands, output, "--game", "limit-3p")
    assert (result.code, result.out) == (1, b"30 hands read, 30 written\n")
    assert not Path(f"{output}.bad").exists()


def test_a_game_file_beside_a_log_is_found(hands: Path) -> None:
    log, output = hands.with_name("hands.log"), hands.with_name("out.jsonl")
    assert railbird("convert", hands, log).code == 0
    states = [line for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("STATE:")]
    rules = format_game(HANDS[0].rules)
    hands.with_name("limit.game").write_text(rules, encoding="utf-8")
    for header in ("", "# name/game/hands/seed m /srv/elsewhere/limit.game 30 1\n"):
        log.write_text(header + "".join(f"{line}\n" for line in states), encoding="utf-8")
        result = railbird("convert", log, output, "--force")
        assert (result.code, result.out) == (0, b"30 hands read, 30 written\n")
    log.write_text("".join(f"{line}\n" for line in states), encoding="utf-8")
    hands.with_name("other.game").write_text(rules, encoding="utf-8")
    result = railbird("convert", log, output, "--force")
    assert "specify the game (beside it are limit.game, other.game)" in result.error


def test_a_format_of_one_hand_a_file_takes_one_hand_or_a_new_folder(hands: Path) -> None:
    one = hands.with_name("one.jsonl")
    one.write_text(format_record(HANDS[0]), encoding="utf-8")
    file, folder = hands.with_name("one.phh"), hands.with_name("folder")
    assert railbird("convert", one, file).code == 0
    assert read(file) == [HANDS[0]]
    several = railbird("convert", hands, hands.with_name("many.phh"))
    assert several.code == 2
    assert (
        "many.phh: the file holds one hand, but there are more: name a new folder, or a .phhs file"
        in several.error
    )
    assert railbird("convert", hands, folder, "--to", "phh").code == 0
    assert len(left_in(folder)) == 30
    assert left_in(folder)[0] == "000001.phh"
    again = hands.with_name("again.jsonl")
    assert railbird("convert", folder, again).code == 0
    assert again.read_bytes() == hands.read_bytes()
    assert "exists already: name a new folder" in railbird("convert", hands, folder, "--to", "phh").error
    assert "name a file or a new folder" in railbird("convert", hands, "-", "--to", "phh").error
    assert left_in(hands.parent) == ["again.jsonl", "folder", "hands.jsonl", "one.jsonl", "one.phh"]


def test_formats_that_are_only_read_are_not_written(hands: Path) -> None:
    result = railbird("convert", hands, hands.with_name("out.txt"), "--to", "poker-academy")
    assert result.code == 2
    assert (
        "poker-academy can be read but not written: choose acpc, phh, phhs, pokerstars or railbird"
        in result.error
    )


def test_histories_of_rooms_become_phh_and_what_is_lost_is_told(tmp_path: Path) -> None:
    histories = HISTORIES
    output = tmp_path / "rooms.phhs"
    result = railbird("convert", histories, output)
    assert (result.code, result.error) == (0, "")
    read_again = tmp_path / "again.jsonl"
    assert railbird("convert", output, read_again, "--strict").code == 0
    first, second = (tmp_path / name for name in ("first.jsonl", "second.jsonl"))
    assert railbird("convert", histories, first).code == 0
    assert len(read(first)) == len(read(read_again))
    assert railbird("convert", first, second).code == 0
    assert first.read_bytes() == second.read_bytes()


def test_damaged_input_ends_in_a_bad_hand(hands: Path) -> None:
    packed = hands.with_name("cut.jsonl.xz")
    packed.write_bytes(lzma.compress(TEXT.encode())[:-200])
    result = railbird("convert", packed, "-", "--to", "railbird")
    assert "the compressed data is truncated after line" in result.error
    assert TEXT.startswith(result.out.decode())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("hands.jsonl", "hands.jsonl"), "hands.jsonl is read and cannot be written at the same time"),
        ((".", "hands.jsonl"), "is read and cannot be written at the same time"),
        (("hands.jsonl", "there.jsonl"), "there.jsonl exists already: use --force to overwrite it"),
        (("hands.jsonl", "new.jsonl", "--quarantine", "there.jsonl"), "exists already"),
        (("hands.jsonl", "new.jsonl", "--quarantine", "new.jsonl"), "cannot go into one file"),
        (("missing.jsonl", "new.jsonl"), "missing.jsonl: there is no such file or folder"),
        (("empty", "new.jsonl"), "empty: the folder holds no files of hands"),
        (("nothing.jsonl", "new.jsonl"), "no hand was found in nothing.jsonl"),
        (
            ("diary.jsonl", "new.jsonl"),
            "the only hand could not be converted; diary.jsonl, line 1: the line is not valid JSON",
        ),
        (
            ("hands.jsonl", "no/such/new.jsonl"),
            "no/such/new.jsonl cannot be written: no/such is not a folder",
        ),
        (("hands.jsonl", "empty", "--to", "railbird"), "empty is a folder, but a file is to be written"),
        (("hands.jsonl", "new.xyz"), "new.xyz: the file name does not indicate the format: use --to"),
        (("hands.jsonl", "-"), "the file name does not indicate the format"),
        (("hands.jsonl", "new.jsonl", "--to", "railbrd"), "no format is called 'railbrd'"),
        (("hands.jsonl", "new.jsonl", "--from", "x"), "no format is called 'x'"),
        (("hands.jsonl", "new.jsonl", "--game", "limit-2q"), "no game is called 'limit-2q'"),
        (("hands.jsonl", "new.jsonl", "--encoding", "utf-16"), "is not an encoding of hand files"),
    ],
)
def test_bad_use_ends_in_one_line_and_writes_nothing(
    hands: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(hands.parent)
    Path("there.jsonl").write_text("mine", encoding="utf-8")
    Path("nothing.jsonl").touch()
    Path("diary.jsonl").write_text("Dear diary\n", encoding="utf-8")
    Path("empty").mkdir()
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    result = railbird("convert", *arguments)
    assert result.code == 2
    assert sentence in result.error
    assert result.error.count("\n") == 1
    Path("new.jsonl.bad").unlink(missing_ok=True)  # the one refused hand of diary.jsonl
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_a_reader_that_goes_away_is_no_crash(hands: Path) -> None:
    hands.write_text("".join(format_record(plain_record(seed)) for seed in range(300)), encoding="utf-8")
    command = f"'{sys.executable}' -m railbird convert '{hands}' - --to railbird | head -c 100"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120, check=False)
    assert len(result.stdout) == 100
    assert "Traceback" not in result.stderr


def test_a_killed_conversion_leaves_no_output(hands: Path) -> None:
    """The output appears whole or not at all: until then its hands are in a file beside it."""
    output = hands.with_name("out.jsonl")
    code = (
        "import os, sys, signal\n"
        "from railbird.cli import main\n"
        "from railbird.notation import conversion\n"
        "end = conversion.Conversion.end\n"
        "conversion.Conversion.end = lambda self: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"sys.argv = ['railbird', 'convert', {str(hands)!r}, {str(output)!r}]\n"
        "main()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], timeout=120, check=False)
    assert result.returncode == -9
    assert not output.exists()
