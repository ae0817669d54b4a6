"""Every reader takes broken text without a crash, without hanging over a hand, and with bounded memory."""

import io
import tracemalloc
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import railbird
from folders import SUPPORT
from fuzzing import broken, terminating
from hand_texts import TEXTS
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.notation.files import HandFileError, find_hands
from railbird.notation.formats import FORMATS, Format, format_named
from railbird.notation.reading import LONGEST_LINE, BadHand
from railbird.notation.records import format_record, parse_record
from resuming import digest_of_rules, hands_to_go

LINES_OF_THE_CHECK = 8_000
LINES_OF_THE_SOAK = 1_000_000
MOST_MEMORY = 60_000_000
SOAK_CHUNKS = 10
FORMAT_NAMES = [form.name for form in FORMATS]
_SOURCES = Path(railbird.__file__).parent / "notation"
_TESTS = [Path(__file__), SUPPORT / "fuzzing.py", SUPPORT / "hand_texts.py"]


@cache
def lines_of(name: str) -> list[bytes]:
    text = TEXTS[name].encode()
    for found in find_hands(io.BytesIO(text), format_named(name)):
        assert found.reading
    return text.splitlines()


def feed(form: Format, random: Random, lines: list[bytes]) -> int:
    """Read broken lines; the number of hands and refusals that came of them."""
    data = broken(random, lines)
    game = named_game("nolimit-3p") if random.random() < 0.5 else None
    # With a wrong game a log is refused as a whole, but here its hands are to be read.
    return read_all(form if game is None else replace(form, misfit=None), data, game, random)


def read_all(form: Format, data: bytes, game: GameRules | None, random: Random) -> int:
    most = data.count(b"\n") + 1
    found = find_hands(io.BytesIO(data), form, game)
    count = 0
    while True:
        try:
            with terminating():
                one = next(found, None)
        except HandFileError:
            # Without its header a log cannot be read at all.
            assert form.name == "acpc", data
            assert game is None, data
            return count
        except Exception as error:
            raise AssertionError(f"{form.name} raises {error!r} over {data!r}") from error
        if one is None:
            return count
        count += 1
        assert 1 <= one.line <= most, data
        if isinstance(one.reading, BadHand):
            assert one.reading.reason.strip(), data
            assert one.reading.reason.isprintable(), data
            assert len(one.reading.reason) <= 300, data
        else:
            check_record(one.reading, random)


def check_record(record: HandRecord, random: Random) -> None:
    """What is read at all is a whole hand that adds up and that others can read."""
    assert sum(record.payoffs) <= 0
    if random.random() < 0.05:
        assert parse_record(format_record(record)) == record


def lines_a_batch(lines: list[bytes]) -> int:
    return min(len(lines), 100)


def batch(name: str, number: int) -> int:
    """Feed one piece of the text, broken in its own way; returns how many lines it had."""
    random = Random(f"{name} {number}")
    lines = lines_of(name)
    size = lines_a_batch(lines)
    start = random.randint(0, len(lines) - size)
    feed(format_named(name), random, lines[start : start + size])
    return size


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_valid_text_is_read_whole_and_recognised(name: str) -> None:
    found = [one.reading for one in find_hands(io.BytesIO(TEXTS[name].encode()))]
    assert found
    assert not [one for one in found if isinstance(one, BadHand)]
    named = [one.reading for one in find_hands(io.BytesIO(TEXTS[name].encode()), format_named(name))]
    assert named == found


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_broken_text_neither_crashes_nor_hangs_a_reader(name: str) -> None:
    fed = number = 0
    while fed < LINES_OF_THE_CHECK:
        fed += batch(name, number)
        number += 1


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(SOAK_CHUNKS))
@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_a_million_broken_lines_neither_crash_nor_hang_a_reader(name: str, chunk: int) -> None:
    sources = blake2b(digest_size=8)
    for path in [*sorted(_SOURCES.rglob("*.py")), *_TESTS]:
        sources.update(path.read_bytes())
    tag = digest_of_rules(version("numpy"), sources.hexdigest())
    batches = -(-LINES_OF_THE_SOAK // SOAK_CHUNKS // lines_a_batch(lines_of(name)))
    for number in hands_to_go(f"fuzz-{name}", tag, chunk, batches):
        batch(name, (chunk + 1) * 10_000_000 + number)


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_memory_stays_bounded_over_broken_text(name: str) -> None:
    batch(name, 0)
    tracemalloc.start()
    try:
        for number in range(5):
            batch(name, number)
        endless = b"\n".join(lines_of(name)[:-1] * 20)
        for one in find_hands(io.BytesIO(endless), format_named(name)):
            assert len(getattr(one.reading, "text", "")) < 4_000_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST_MEMORY + 2 * len(endless)


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_a_line_that_is_too_long_or_no_text_is_refused_and_the_rest_is_read(name: str) -> None:
    text = TEXTS[name].encode()
    whole = [one.reading for one in find_hands(io.BytesIO(text), format_named(name))]
    lines = text.splitlines()
    place = len(lines) // 2
    for bad, reason in (
        (b"x" * (LONGEST_LINE + 1), f"more than {LONGEST_LINE} characters"),
        (lines[place] + b"\0x", "NUL byte"),
        (lines[place] + b"\x81", "not valid in the encoding of the file"),
    ):
        data = b"\n".join([*lines[:place], bad, *lines[place + 1 :]]) + b"\n"
        found = [one.reading for one in find_hands(io.BytesIO(data), format_named(name))]
        reasons = [one.reason for one in found if isinstance(one, BadHand)]
        assert any(reason in one for one in reasons), (reason, reasons)
        assert len(reasons) <= 2
        hands = [one for one in found if isinstance(one, HandRecord)]
        assert [one for one in hands if one not in whole] == []
        assert len(hands) >= len(whole) - 2


@pytest.mark.parametrize("name", FORMAT_NAMES)
def test_half_a_text_gives_its_whole_hands_and_refuses_the_half_one(name: str) -> None:
    """Cut anywhere, what is read is what was written: no hand is made up from half of one."""
    text = TEXTS[name].encode()
    whole = [one.reading for one in find_hands(io.BytesIO(text), format_named(name))]
    random = Random(name)
    for end in sorted(random.sample(range(1, len(text)), min(150, len(text) - 1))):
        try:
            found = [one.reading for one in find_hands(io.BytesIO(text[:end]), format_named(name))]
        except HandFileError:
            assert name == "acpc"
            continue
        hands = [one for one in found if isinstance(one, HandRecord)]
        for hand, original in zip(hands, whole, strict=False):
            assert isinstance(original, HandRecord)
            assert hand.actions() == original.actions(), text[:end]
            # In a PHH text everything after the actions may be missing: names, and what was won.
            if name not in ("phh", "phhs"):
                assert (hand.players, hand.payoffs) == (original.players, original.payoffs), text[:end]


@given(st.binary(max_size=3000), st.sampled_from(FORMAT_NAMES))
def test_any_bytes_at_all_are_refused_or_read(data: bytes, name: str) -> None:
    try:
        assert all(one.line >= 1 for one in find_hands(io.BytesIO(data), format_named(name)))
    except HandFileError:
        assert name == "acpc" or data.startswith((b"PK", b"BZh"))
