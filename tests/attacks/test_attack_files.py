"""Files of strangers: journals, results, books, weights, networks and compressed hands end in one sentence.

Every fuzzer here draws from a seed; the check tries a few changes, the soak many.
"""

import gzip
import json
import lzma
import random
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import zstandard

from changed_data import changed, changed_text
from command import railbird
from railbird.agents.casey.cases import experiences
from railbird.agents.casper.cases import TABLE
from railbird.arena.play.experience import ExperienceBook
from railbird.arena.run.growing_journal import JournalError, canonical
from railbird.arena.run.journal import Journal, journal_beside, match_result_from_json, match_result_to_json
from railbird.bayes.network import Network
from railbird.bayes.structure import Structure, Variable
from railbird.bayes.xdsl.files import read_recipe, read_xdsl, write_xdsl
from railbird.cbr.weights import format_weights, read_weights
from railbird.interfaces.web.tournaments.queue import _read as read_tournament
from railbird.learning.evolve.trials import TrialJournal
from railbird.notation.files import find_hands
from railbird.notation.reading import BadHand
from railbird.notation.unpacking import FREE_BYTES, FREE_LINES
from railbird.opponents.weights.book import Book
from railbird.plain_data import read_json
from railbird.store.addresses import StoreError
from railbird.store.lived import LivedCase, LivedHand
from railbird.store.sessions.rows import packed, unpacked

FEW, MANY = 150, 20_000
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results with their journal, of two short matches."""
    path = tmp_path_factory.mktemp("results") / "r.json"
    done = railbird("match", "--seats", "random,always-call", "--hands", 4, "--matches", 2, "--json", path)
    assert done.code == 0, done.error
    return path


def sentence(read: Callable[..., object], *given: object) -> str | None:
    """Why something is refused; anything but a ValueError of one line fails the test."""
    reason = None
    try:
        read(*given)
    except ValueError as error:
        reason = str(error)
    assert reason is None or "\n" not in reason
    return reason


def _journal_lines(path: Path, seed: int, count: int, results: Path) -> None:
    first, line, *_ = journal_beside(results).read_bytes().splitlines()
    common, entry = json.loads(first)["experiment"], json.loads(line)
    rng = random.Random(seed)
    for number in range(count):
        text = changed_text(line, rng).replace(b"\n", b" ")
        if number % 2:
            text = json.dumps(changed(entry, rng)).encode()
        path.write_bytes(first + b"\n" + text + b"\n")

        def use() -> None:
            with Journal(path, common) as journal:
                for result in journal._results.values():
                    match_result_to_json(result)

        reason = sentence(use)
        assert reason is None or f"line 2 of {path} is damaged" in reason


def test_a_journal_with_anything_in_a_line_is_used_or_refused_with_that_line(
    results: Path, tmp_path: Path
) -> None:
    _journal_lines(tmp_path / "j", 1, FEW, results)


@pytest.mark.soak
def test_journals_with_anything_in_thousands_of_lines_are_used_or_refused(
    results: Path, tmp_path: Path
) -> None:
    _journal_lines(tmp_path / "j", 2, MANY, results)


@pytest.mark.parametrize(
    "change",
    [
        {"tally": {"units": 4, "hands": 4, "totals": [1], "products": [[1]]}},
        {"tally": {"units": 9, "hands": 4, "totals": [0, 0], "products": [[0, 0], [0, 0]]}},
        {"tally": {"units": 4, "hands": 4, "totals": ["1", "2"], "products": [[0, 0], [0, 0]]}},
        {"rebuys": [0]},
        {"statistics": []},
        {"curve": [[1, 2]]},
        {"log": [7]},
        {"experience": [["a"]]},
    ],
)
def test_a_result_whose_parts_contradict_each_other_is_refused(change: dict[str, Any], results: Path) -> None:
    result = json.loads(journal_beside(results).read_bytes().splitlines()[1])["result"]
    match_result_from_json(result)
    with pytest.raises(ValueError, match="the result"):
        match_result_from_json(result | change)


@pytest.mark.parametrize(
    "content", [DEEP, "", "\0", '{"schema": ' + DEEP + "}", "[]", '"railbird.journal/2"']
)
def test_results_and_journals_of_another_kind_are_left_as_they_are(content: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    for file in (path, journal_beside(path)):
        file.write_text(f"{content}\n")
        done = railbird("match", "--seats", "random,always-call", "--hands", 2, "--json", path)
        assert done.code == 2
        assert done.error.strip().splitlines()[-1].startswith(f"railbird: {file}")
        assert "Traceback" not in done.error
        assert file.read_text() == f"{content}\n"
        file.unlink()


def test_a_note_under_a_name_that_is_none_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", {}):
        pass
    with (tmp_path / "j").open("ab") as file:
        file.write(canonical({"note": [], "value": 1}) + b"\n")
    with pytest.raises(JournalError, match="line 2 of"), Journal(tmp_path / "j", {}):
        pass


# What agents lived through, weights, networks, tournaments

HAND = LivedHand(-1.5, (LivedCase("flop", {"hand strength": 0.5}, "call", -1.5, 0.9, {"hand": "7"}),))
LIVED = {"match": "ab", "lived": [["casey", ["text", "text"]], ["random", []]]}


def _strangers(folder: Path, seed: int, count: int) -> None:
    rng = random.Random(seed)
    weights = format_weights({"flop": {"hand strength": 71.5}, "river": {"pot odds": 3.0}}).encode()
    trial = {"weights": {"flop": {"hand strength": 1.0}}, "held_out": False, "loss": 0.5}
    network = small_network(folder / "n.xdsl")
    plan = {"game": "limit-2p", "agents": ["random", "always-call"], "hands": 10, "matches": 1, "seed": "1"}
    tournament = {"id": "t", "owner": "o", "made": "now", "plan": plan, "state": "waiting", "error": ""}
    for _ in range(count):
        sentence(LivedHand.from_text, json.dumps(changed(json.loads(HAND.to_text()), rng)))
        sentence(experiences, [json.dumps(changed({"base": "preflop", "stages": [1.0]}, rng))])
        sentence(_book, json.dumps(changed(Book().to_json(), rng)))
        book = folder / "book"
        book.write_text('{"schema": "railbird.experience/1"}\n' + json.dumps(changed(LIVED, rng)) + "\n")
        reason = sentence(ExperienceBook, book)
        assert reason is None or f"line 2 of {book} is damaged" in reason
        file = folder / "w.toml"
        file.write_bytes(changed_text(weights, rng))
        reason = sentence(read_weights, file, TABLE)
        assert reason is None or reason.startswith(f"{file}: ")
        trials = folder / "trials"
        with TrialJournal(trials, {}):
            pass
        with trials.open("ab") as lines:
            lines.write(json.dumps(changed(trial, rng)).encode() + b"\n")
        reason = sentence(_open_trials, trials)
        assert reason is None or f"line 2 of {trials} is damaged" in reason
        trials.unlink()
        bent = folder / "bent.xdsl"
        bent.write_bytes(changed_text(network, rng))
        for read in (read_xdsl, read_recipe):
            reason = sentence(read, bent)
            assert reason is None or reason.startswith(str(bent))
        kept = folder / "t.json"
        kept.write_text(json.dumps(changed(tournament, rng)))
        assert read_tournament(kept) is None or msgspec.json.decode(kept.read_bytes())["id"] == "t"


def _book(text: str) -> Book:
    return Book.from_json(read_json(text))


def _open_trials(path: Path) -> None:
    with TrialJournal(path, {}):
        pass


def small_network(path: Path) -> bytes:
    """A network of two nodes with a recipe, as a file."""
    rain, wet = Variable("Rain", ("no", "yes")), Variable("Wet", ("no", "yes"))
    tables = {"Rain": np.array([0.8, 0.2]), "Wet": np.array([[0.9, 0.1], [0.0, 1.0]])}
    write_xdsl(path, Network(Structure((rain, wet), {"Wet": ("Rain",)}), tables), {"made by": "a test"})
    return path.read_bytes()


def test_books_weights_trials_networks_and_tournaments_of_strangers_are_read_or_refused(
    tmp_path: Path,
) -> None:
    _strangers(tmp_path, 1, FEW)


@pytest.mark.soak
def test_thousands_of_files_of_strangers_are_read_or_refused(tmp_path: Path) -> None:
    _strangers(tmp_path, 2, MANY)


@pytest.mark.parametrize(
    "read",
    [
        LivedHand.from_text,
        lambda text: experiences([text]),
        _book,
        lambda text: unpacked(zlib.compress(text.encode()), "the reasons"),
    ],
)
def test_lists_in_lists_without_end_are_refused(read: Callable[[str], object]) -> None:
    assert sentence(read, DEEP) is not None


def test_weights_that_are_no_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    for content in (f"a = {DEEP}", "#" * 2_000_000, "", "\0", "[flop]\n" * 2):
        path.write_text(content)
        reason = sentence(read_weights, path, TABLE)
        assert reason is None or reason.startswith(f"{path}: ")


def test_a_network_of_many_nodes_is_refused_before_its_arcs_are_followed(tmp_path: Path) -> None:
    nodes = "".join(f'<cpt id="N{number}"><parents>N{number + 1}</parents></cpt>' for number in range(5000))
    (tmp_path / "n.xdsl").write_text(f"<smile><nodes>{nodes}</nodes></smile>")
    with pytest.raises(ValueError, match="5,000 nodes, more than"):
        read_xdsl(tmp_path / "n.xdsl")


# Compressed data


def _zstd(pieces: int, piece: bytes) -> bytes:
    frame = zstandard.ZstdCompressor().compressobj()
    return b"".join(frame.compress(piece) for _ in range(pieces)) + frame.flush()


def _xz(pieces: int, piece: bytes) -> bytes:
    frame = lzma.LZMACompressor(preset=0)
    return b"".join(frame.compress(piece) for _ in range(pieces)) + frame.flush()


def _gzip(pieces: int, piece: bytes) -> bytes:
    frame = zlib.compressobj(9, wbits=31)
    return b"".join(frame.compress(piece) for _ in range(pieces)) + frame.flush()


PACKINGS = pytest.mark.parametrize("pack", [_zstd, _xz, _gzip], ids=["zst", "xz", "gz"])


def last_refusal(path: Path) -> str:
    *_, last = find_hands(path)
    assert isinstance(last.reading, BadHand)
    return last.reading.reason


@PACKINGS
def test_data_that_unpack_to_far_more_than_hands_are_given_up(
    pack: Callable[[int, bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "bomb.log"
    path.write_bytes(pack(2 * FREE_BYTES // 2**20, bytes(2**20)))
    assert path.stat().st_size < FREE_BYTES / 100
    assert "it decompresses to more than 200 times its size" in last_refusal(path)


@PACKINGS
def test_data_that_unpack_to_nothing_but_lines_are_given_up(
    pack: Callable[[int, bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "bomb.log"
    path.write_bytes(pack(1, b'{"a": 1}') + pack(4, b"\n" * FREE_LINES))
    assert "it decompresses to too many lines for a hand file" in last_refusal(path)


def test_xz_that_asks_for_gigabytes_to_look_back_into_is_refused(tmp_path: Path) -> None:
    # The header of a block: its length, flags, one filter (LZMA2), and the size of its window, 2^30 bytes.
    header = bytes([2, 0, 0x21, 1, 36, 0, 0, 0])
    block = header + zlib.crc32(header).to_bytes(4, "little")
    small = lzma.compress(b"STATE:0:")
    path = tmp_path / "wide.log"
    path.write_bytes(small[:12] + block + small[24:])
    assert "Memory usage limit exceeded" in last_refusal(path)


def test_compressed_data_in_compressed_data_is_refused_as_text(tmp_path: Path) -> None:
    path = tmp_path / "twice.log.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"STATE:0:")))
    assert all(isinstance(found.reading, BadHand) for found in find_hands(path))


def test_thousands_of_empty_parts_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "parts.log"
    for part in (gzip.compress(b""), zstandard.ZstdCompressor().compress(b""), lzma.compress(b"")):
        path.write_bytes(part * 3000)
        assert list(find_hands(path)) == []


def test_reasons_that_unpack_to_more_than_reasons_are_refused() -> None:
    told = {"why": "a" * 10_000}
    assert unpacked(packed(told, "the reasons"), "the reasons") == told
    with pytest.raises(StoreError, match="the reasons are damaged: they have more than"):
        unpacked(zlib.compress(b'{"a":"' + b" " * 70_000_000 + b'"}', 1), "the reasons")
    with pytest.raises(StoreError, match="truncated"):
        unpacked(packed(told, "the reasons")[:-5], "the reasons")


# Stores


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE hands SET events = '['",
        f"UPDATE hands SET events = '{DEEP}'",
        "UPDATE hands SET events = '[[\"act\", {}]]'",
        "UPDATE hands SET board = 'no cards'",
        "UPDATE hands SET chip = '1/0'",
        "UPDATE hands SET notes = '{}'",
        "UPDATE games SET rules = '[]'",
        "UPDATE games SET rules = '{}'",
        "UPDATE seats SET cards = '??', stack = 'many'",
        "UPDATE actions SET kind = 'x', seat = 99",
        "DELETE FROM seats",
    ],
)
def test_a_store_with_anything_in_a_row_is_read_or_refused_with_the_hand(change: str, tmp_path: Path) -> None:
    log, store = tmp_path / "h.log", tmp_path / "s.db"
    assert railbird("selfplay", "--seats", "random,always-call", "--hands", 3, "-o", log).code == 0
    assert railbird("import", log, "--store", store).code == 0
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute(change)
        database.commit()
    done = railbird("stats", store)
    assert done.code in (0, 2), done.error
    assert "Traceback" not in done.error
    assert done.code == 0 or str(store) in done.error
