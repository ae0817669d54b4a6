"""Files of hands: compressed or not, recognised by what stands in them, damaged, too long, wrongly encoded."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
import zstandard
from hypothesis import given

from hand_records import plain_record, records, unfinished_records
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.notation.files import Found, HandFileError, find_hands, hand_files
from railbird.notation.formats import FORMATS, format_named
from railbird.notation.reading import LONGEST_LINE, BadHand, NotationError
from railbird.notation.records import digest_of, format_record, parse_record
from railbird.spec import SpecError

HANDS = [plain_record(seed) for seed in range(200)]
TEXT = "".join(map(format_record, HANDS)).encode()
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "xz": lzma.compress,
    "gz": gzip.compress,
    "zst": zstandard.compress,
}


def read(data: bytes, encoding: str = "auto") -> list[Found]:
    return list(find_hands(io.BytesIO(data), encoding=encoding))


def hands_of(data: bytes, encoding: str = "auto") -> list[HandRecord]:
    return [found.reading for found in read(data, encoding) if isinstance(found.reading, HandRecord)]


def refusals(data: bytes, encoding: str = "auto") -> list[tuple[int, str]]:
    found = read(data, encoding)
    return [(one.line, one.reading.reason) for one in found if isinstance(one.reading, BadHand)]


@pytest.mark.parametrize("packing", PACKED)
def test_compressed_files_are_known_by_their_first_bytes(packing: str, tmp_path: Path) -> None:
    file = tmp_path / "hands.with.any.name"
    file.write_bytes(PACKED[packing](TEXT))
    found = list(find_hands(file))
    assert [one.reading for one in found] == HANDS
    assert {one.source for one in found} == {str(file)}
    assert [one.line for one in found] == list(range(1, len(HANDS) + 1))


@pytest.mark.parametrize("packing", ["xz", "gz", "zst"])
def test_several_compressed_parts_in_one_file_are_read_on(packing: str) -> None:
    pack = PACKED[packing]
    assert hands_of(pack(TEXT[:5000]) + pack(b"") + pack(TEXT[5000:])) == HANDS


@pytest.mark.parametrize("packing", ["xz", "gz", "zst"])
@pytest.mark.parametrize("share", [0.001, 0.3, 0.7, 0.999])
def test_compressed_data_that_ends_early_gives_the_hands_before_and_a_refusal(
    packing: str, share: float
) -> None:
    data = PACKED[packing](TEXT)
    found = read(data[: max(8, int(len(data) * share))])
    *whole, last = [one.reading for one in found]
    assert whole == HANDS[: len(whole)]
    assert isinstance(last, BadHand)
    assert last.reason == f"the compressed data is truncated after line {len(whole)}"


@pytest.mark.parametrize("packing", ["xz", "gz", "zst"])
def test_compressed_data_that_was_changed_never_passes_for_the_original(packing: str) -> None:
    data = PACKED[packing](TEXT)
    changed = bytearray(data)
    changed[len(data) // 2] ^= 0x55
    found = [one.reading for one in read(bytes(changed))]
    if (
        packing == "zst"
    ):  # without a checksum, as its library writes by default, a change can go unseen in the text
        assert found != HANDS
    else:
        assert isinstance(found[-1], BadHand)
        assert "cannot be read beyond line" in found[-1].reason


@pytest.mark.parametrize("packing", PACKED)
def test_memory_stays_bounded_whatever_unpacks(packing: str) -> None:
    size = 20_000_000
    data = PACKED[packing](b"a" * size + b"\n" + TEXT)
    tracemalloc.start()
    try:
        found = list(find_hands(io.BytesIO(data), format_named("railbird")))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    (line,) = [one for one in found if isinstance(one.reading, BadHand)]
    assert isinstance(line.reading, BadHand)
    assert line.line == 1
    assert f"more than {LONGEST_LINE} characters" in line.reading.reason
    assert len(line.reading.text) == LONGEST_LINE + 1
    assert len(found) == 1 + len(HANDS)
    assert peak < (60_000_000 if packing == "zst" else 12_000_000)


def test_the_longest_line_that_may_be_read_is_read() -> None:
    line = format_record(HANDS[0]).strip()
    spaces = " " * (LONGEST_LINE - len(line))
    assert hands_of(f"{line}{spaces}\n".encode()) == [HANDS[0]]
    assert refusals(f"{line}{spaces} \n".encode())[0][0] == 1


def test_bytes_that_no_text_has_are_refused_with_their_line() -> None:
    line = format_record(HANDS[0]).encode()
    assert refusals(line + line[:50] + b"\0" + line[50:]) == [(2, "the line contains a NUL byte")]
    reason = "the line is not valid in the encoding of the file"
    assert refusals(line + line.replace(b"Alice", b"Al\x81ce")) == [(2, reason)]
    assert refusals(line + line.replace(b"Alice", b"Al\xe9ce"), "utf-8") == [(2, reason)]
    mixed = line.replace(b"Alice", "Al€ce".encode()) + line.replace(b"Alice", b"Al\xe9ce")
    assert refusals(mixed) == [(2, reason)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_the_encoding_is_found_out_so_that_a_hand_is_the_same_in_all_of_them(encoding: str) -> None:
    text = "".join(map(format_record, HANDS[:60]))
    data = text.replace("Alice", "Zoé €uro").encode(encoding)
    hands = hands_of(lzma.compress(data))
    assert [hand.actions() for hand in hands] == [hand.actions() for hand in HANDS[:60]]
    assert any("Zoé €uro" in hand.players for hand in hands)
    if not encoding.startswith("utf-16"):
        assert hands_of(data, encoding.removesuffix("-sig")) == hands


def test_a_byte_order_mark_and_any_line_ends_are_passed_over() -> None:
    assert hands_of(b"\xef\xbb\xbf" + TEXT.replace(b"\n", b"\r\n")) == HANDS
    assert hands_of(b"\n\n" + TEXT.rstrip(b"\n")) == HANDS


def test_half_a_line_at_the_end_is_refused() -> None:
    for end in range(1, 200, 29):
        data = TEXT + TEXT[:end]
        *whole, last = [one.reading for one in read(data)]
        assert whole == HANDS
        assert isinstance(last, BadHand)
        assert last.text == TEXT[:end].decode()


@pytest.mark.parametrize("encoding", ["utf-16", "no-such-code", "utf-7", "cp500"])
def test_encodings_in_which_lines_cannot_be_told_are_refused(encoding: str) -> None:
    with pytest.raises(HandFileError, match="is not an encoding of hand files"):
        read(TEXT, encoding=encoding)


def test_archives_are_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_bytes(TEXT)
    with tarfile.open(tmp_path / "hands.tar.xz", "w:xz") as archive:
        archive.add(file, "hands.jsonl")
    with zipfile.ZipFile(tmp_path / "hands.zip", "w") as zipped:
        zipped.write(file, "hands.jsonl")
    (tmp_path / "hands.bz2").write_bytes(bz2.compress(TEXT))
    for name, what in (
        ("hands.tar.xz", "tar archive"),
        ("hands.zip", "zip archive"),
        ("hands.bz2", "bzip2 file"),
    ):
        with pytest.raises(HandFileError, match=f"{name}: the file is a {what}: unpack it first"):
            list(find_hands(tmp_path / name))


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    with pytest.raises(HandFileError, match=r"no\.jsonl: cannot be read: No such file"):
        list(find_hands(tmp_path / "no.jsonl"))
    with pytest.raises(HandFileError, match=r"cannot be read: Is a directory"):
        list(find_hands(tmp_path))


def test_an_empty_file_holds_no_hands() -> None:
    for data in (b"", b"\n \n", gzip.compress(b""), zstandard.compress(b"")):
        assert [one for one in read(data) if isinstance(one.reading, HandRecord)] == []


def test_text_of_no_known_format_asks_for_one() -> None:
    with pytest.raises(HandFileError, match=r"the first lines do not identify the format: use --from"):
        read(b"Dear diary,\ntoday I lost again.\n")


def test_a_folder_is_searched_for_names_of_hand_files(tmp_path: Path) -> None:
    for name in ("b/two.jsonl.xz", "a.JSONL", "b/c/three.phh", "notes.md", "game.game", "x.xz"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    names = [str(path.relative_to(tmp_path)) for path in hand_files(tmp_path)]
    assert names == ["a.JSONL", "b/c/three.phh", "b/two.jsonl.xz"]


def test_progress_is_told_in_bytes_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl.xz"
    file.write_bytes(lzma.compress(TEXT * 5))
    told: list[int] = []
    assert len(list(find_hands(file, listen=told.append))) == 5 * len(HANDS)
    assert told
    assert told == sorted(told)
    assert told[-1] <= file.stat().st_size


def test_formats_have_their_own_names_and_unknown_ones_are_told_the_nearest() -> None:
    assert len({form.name for form in FORMATS}) == len(FORMATS)
    with pytest.raises(SpecError, match="no format is called 'railbrd': did you mean 'railbird'"):
        format_named("railbrd")


@given(records)
def test_a_record_survives_its_json_line(record: HandRecord) -> None:
    line = format_record(record)
    assert parse_record(line) == record
    assert line.count("\n") == 1
    assert digest_of(parse_record(line)) == digest_of(record)


@given(unfinished_records)
def test_an_unfinished_hand_survives_its_json_line(record: HandRecord) -> None:
    assert parse_record(format_record(record)) == record


def changed(**fields: object) -> str:
    return json.dumps({**json.loads(format_record(HANDS[1])), **fields})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "the line is not valid JSON"),
        ("[" * 50_000, "its lists are nested too deeply"),
        ("[]", "the line is a list, but an object is expected"),
        ("{}", "schema of the hand is missing"),
        (changed(hand_id=5), "hand_id of the hand is a whole number, but text is expected"),
        (changed(first=True), "first of the hand is true or false, but a whole number is expected"),
        (changed(first=9), "seat 9 cannot open"),
        (changed(stacks=[1.5, 1]), r"stacks\[0\] of the hand is a number, but a whole number is expected"),
        (changed(stacks=[10**30, 1]), "stacks has a number out of range"),
        (changed(players=["Alice"]), "names 1 players in a game for 2"),
        (changed(seats=[1]), "1 seats for 2 players"),
        (changed(colour="red"), "colour is not a field of a hand"),
        (changed(details={"chip": "1e999999999"}), "chip of the details is not a number or a fraction"),
        (changed(details={"notes": [["a"]]}), "a note that is not a name and a text"),
        (changed(details={"smell": ""}), "smell is not a field of the details of a hand"),
        (changed(rules={}), "name of the rules is missing"),
        (
            changed(events=[["post", 0, "blind", 10]]),
            r"\['post', 1, 'blind', 5\] is missing after the last event",
        ),
        (changed(events=[["leap", 0]]), r"event 1: \['leap', 0\] is not an event"),
        (changed(events=[["post", 0, "blind", True]]), "event 1: .* is not an event"),
        (changed(events=[["act", 0, "dance", 1, 1]]), "event 1: .* is not an event"),
        (changed(events=[7]), r"events\[0\] of the hand is a whole number, but a list is expected"),
        (changed(details=7), "details of the hand is a whole number, but an object is expected"),
        (changed(hand_id="\ud800"), "unpaired surrogate"),
        ('{"hand_id": ' + "9" * 5000 + "}", "the line is not valid JSON"),
    ],
)
def test_a_json_line_that_is_no_hand_says_why(line: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        parse_record(line)


def test_a_record_that_pays_what_nobody_paid_is_refused() -> None:
    data = json.loads(format_record(HANDS[1]))
    award = next(event for event in data["events"] if event[0] == "award")
    award[3] += 1
    with pytest.raises(NotationError, match="1 more chips are won than were paid"):
        parse_record(json.dumps(data))


def test_two_hands_with_one_id_have_two_digests() -> None:
    assert len({digest_of(hand) for hand in HANDS}) == len(HANDS)
    first, second = (HandRecord("0", hand.setup, hand.players, hand.events) for hand in HANDS[:2])
    assert digest_of(first) != digest_of(second)


DEEPSTACK = "deepstack_vs_pros_hunl.30000.log.xz"
POKER_ACADEMY = "poker_academy_hu_limit_46454.txt.xz"


@pytest.mark.parametrize(("name", "hands"), [(DEEPSTACK, 3000), (POKER_ACADEMY, 1000)])
def test_the_first_hands_of_others_files_import_and_no_two_are_the_same(
    shared_data: Path, name: str, hands: int
) -> None:
    require_import(shared_data / name, hands)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "hands"), [(DEEPSTACK, 30_000), (POKER_ACADEMY, 46_454)])
def test_all_hands_of_others_files_import_and_no_two_are_the_same(
    shared_data: Path, name: str, hands: int
) -> None:
    assert require_import(shared_data / name, None) == hands


def require_import(file: Path, hands: int | None) -> int:
    """Read hands that must all be good; the number of different ones."""
    digests = set()
    count = 0
    for found in islice(find_hands(file, game=named_game("nolimit-2p")), hands):
        assert isinstance(found.reading, HandRecord), found
        digests.add(digest_of(found.reading))
        count += 1
    assert len(digests) == count
    return count


def test_a_log_that_does_not_name_its_game_asks_for_it(shared_data: Path) -> None:
    with pytest.raises(HandFileError, match=f"{DEEPSTACK}: line 1: the log does not name its game"):
        next(find_hands(shared_data / DEEPSTACK))
