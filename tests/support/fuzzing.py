"""Broken text: valid lines with bytes flipped, cut, doubled, swapped, with huge numbers, odd characters and NULs."""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType

MOST_CHANGES = 6
_NUMBER = re.compile(rb"\d+")
_ODD = (
    "\u00e9", "\u20ac", "\u2028", "\u0085", "\u00a0", "\u202e", "\ufeff", "\ufffd", "\U0001f0a1", "\u0661",
    "\0", "\x1a", "\x0b", "\x1c", "\t", "\r", "'", '"', "\\", "[", "]", "{", "}", "(", ")", "#", ":", "|", "/", "=",
)  # fmt: skip
_NUMBERS = (
    b"0", b"-1", b"1e999999999", b"9" * 18, b"9" * 25, b"9" * 5000, b"2147483648", b"18446744073709551616",
    b"0x10", b"1_000", b"nan", b"inf", b"1.5", b"0.001", b".", b"1,000,000", b"00",
)  # fmt: skip
Lines = list[bytes]
_Change = Callable[[Random, Lines, int], None]


def _flip(random: Random, lines: Lines, place: int) -> None:
    line = bytearray(lines[place])
    if line:
        line[random.randrange(len(line))] = random.randrange(256)
    lines[place] = bytes(line)


def _insert(random: Random, lines: Lines, place: int) -> None:
    line, odd = lines[place], random.choice(_ODD).encode()
    at = random.randint(0, len(line))
    lines[place] = line[:at] + odd * random.choice([1, 1, 1, 2, 300]) + line[at:]


def _cut(random: Random, lines: Lines, place: int) -> None:
    lines[place] = lines[place][: random.randint(0, len(lines[place]))]


def _cut_out(random: Random, lines: Lines, place: int) -> None:
    first, last = sorted(random.randint(0, len(lines[place])) for _ in range(2))
    lines[place] = lines[place][:first] + lines[place][last:]


def _repeat(random: Random, lines: Lines, place: int) -> None:
    first, last = sorted(random.randint(0, len(lines[place])) for _ in range(2))
    lines[place] = (
        lines[place][:last] + lines[place][first:last] * random.choice([1, 2, 50]) + lines[place][last:]
    )


def _number(random: Random, lines: Lines, place: int) -> None:
    found = list(_NUMBER.finditer(lines[place]))
    if found:
        at = random.choice(found)
        number = random.choice([*_NUMBERS, b"%d" % random.randrange(1000)])
        lines[place] = lines[place][: at.start()] + number + lines[place][at.end() :]


def _double(_: Random, lines: Lines, place: int) -> None:
    lines.insert(place, lines[place])


def _drop(_: Random, lines: Lines, place: int) -> None:
    if len(lines) > 1:
        del lines[place]


def _swap(random: Random, lines: Lines, place: int) -> None:
    other = random.randrange(len(lines))
    lines[place], lines[other] = lines[other], lines[place]


def _join(_: Random, lines: Lines, place: int) -> None:
    if place + 1 < len(lines):
        lines[place : place + 2] = [lines[place] + lines[place + 1]]


def _splice(random: Random, lines: Lines, place: int) -> None:
    """The beginning of one line and the end of another."""
    other = random.choice(lines)
    lines[place] = (
        lines[place][: random.randint(0, len(lines[place]))] + other[random.randint(0, len(other)) :]
    )


def _lengthen(random: Random, lines: Lines, place: int) -> None:
    if random.random() < 0.1:
        lines[place] = lines[place] + random.choice([b" ", b"a", b"[", b"\xf0"]) * random.choice(
            [65_000, 300_000]
        )


CHANGES: tuple[_Change, ...] = (
    _flip, _flip, _insert, _cut, _cut_out, _repeat, _number, _number, _double, _drop, _swap, _join, _splice, _lengthen,
)  # fmt: skip


def broken(random: Random, lines: Lines) -> bytes:
    """The lines with some changes, and sometimes without their last line end."""
    lines = list(lines)
    for _ in range(random.randint(1, MOST_CHANGES)):
        random.choice(CHANGES)(random, lines, random.randrange(len(lines)))
    end = random.choice([b"\n", b"\r\n"])
    return end.join(lines) + random.choice([b"", end])


@contextmanager
def terminating(seconds: float = 60.0) -> Iterator[None]:
    """A watchdog: fail instead of hanging when the body computes for this long without an end."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"no end after {seconds:g} s of computing")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
