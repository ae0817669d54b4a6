"""A PHH text split into hands: everything under one heading, or the whole text if there is none.

A line that begins with a bracket is a heading unless a multi-line value is still open. To keep an unclosed value from
swallowing the following hands, the heading with the next number always counts as one.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from railbird.notation.reading import LONGEST_LINE, NotationError, refuse_line

MOST_CHARACTERS = 1 << 18
"""Maximum number of characters in a hand, enough for thousands of actions."""
_LONGEST_NAME = 19
_BEFORE_HEADING = ("[", " ", "\t")

_HEADING = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*\]\s*(?:#.*)?")
_MARK = re.compile(r"""\"{3}|'{3}|"(?:\\.|[^"\\])*+"?|'[^']*+'?|#.*|[\[\]{}]""")
"""Triple quotes, single-line strings, comments and brackets; an unclosed string takes the rest of its line."""
_CLOSING = {
    '"""': re.compile(r'(?:\\.|(?!""").)*+"""(?:"{0,2})'),
    "'''": re.compile(r"(?:(?!''').)*+'''(?:'{0,2})"),
}


@dataclass(slots=True)
class PhhText:
    """The lines of one hand without line ends, and the number of the first."""

    first: int
    lines: list[str] = field(default_factory=list)
    heading: bool = False
    """Whether the first line is a heading."""
    too_long: bool = False
    """Whether the following lines were left out."""

    @property
    def fields(self) -> list[str]:
        """The lines under the heading."""
        return self.lines[1:] if self.heading else self.lines

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n".join(self.lines)

    @property
    def is_empty(self) -> bool:
        """Whether there are only comments."""
        return not self.heading and all(
            not line.strip() or line.lstrip().startswith("#") for line in self.lines
        )

    def refuse(self) -> None:
        """Refuse a text that cannot be PHH."""
        if self.heading and not _HEADING.fullmatch(self.lines[0]):
            raise NotationError(f"line {self.first} is not a heading of a hand, such as [1]")
        text = "".join(self.lines)
        if len(text) > LONGEST_LINE or "\0" in text or "\ufffd" in text:
            for number, line in enumerate(self.lines, start=self.first):
                if reason := refuse_line(line):
                    raise NotationError(f"line {number}: {reason}")
        if self.too_long:
            raise NotationError(f"the hand has more than {MOST_CHARACTERS} characters")


def cut_hands(lines: Iterable[str]) -> Iterator[PhhText]:
    """Every hand of a text, with at most one hand in memory."""
    hand = PhhText(1)
    kept = hand.lines
    characters = 0
    section = 0
    openness = _Openness()
    rest = iter(lines)
    first = [line.removeprefix("\ufeff") for line in islice(rest, 1)]
    for number, line in enumerate(chain(first, rest), start=1):
        line = line.rstrip("\r\n")
        if line[:1] in _BEFORE_HEADING and line.lstrip(" \t").startswith("["):
            name = _name(line)
            if name == str(section + 1) or hand.too_long or not openness.is_open(kept):
                if not hand.is_empty:
                    yield hand
                hand = PhhText(number, heading=True)
                kept = hand.lines
                characters = 0
                openness = _Openness(done=1)
                section = int(name) if name.isascii() and name.isdigit() else section + 1
        characters += len(line) + 1
        if characters <= MOST_CHARACTERS:
            kept.append(line)
        elif not hand.too_long:
            kept.append(line[: LONGEST_LINE + 1])
            hand.too_long = True
    if not hand.is_empty:
        yield hand


def _name(line: str) -> str:
    """The name in a heading, empty for a heading of another kind."""
    found = _HEADING.fullmatch(line)
    return found[1] if found and len(found[1]) < _LONGEST_NAME else ""


class _Openness:
    """Tracks whether a value is still open after some lines; each line is examined once."""

    __slots__ = ("_depth", "_done", "_quotes")

    def __init__(self, done: int = 0) -> None:
        self._done = done
        self._depth = 0
        self._quotes = ""

    def is_open(self, lines: list[str]) -> bool:
        for line in lines[self._done :]:
            self._look_at(line)
        self._done = len(lines)
        return self._depth > 0 or bool(self._quotes)

    def _look_at(self, line: str) -> None:
        place = 0
        while place < len(line):
            if self._quotes:
                closing = _CLOSING[self._quotes].match(line, place)
                if closing is None:
                    return
                self._quotes = ""
                place = closing.end()
                continue
            mark = _MARK.search(line, place)
            if mark is None:
                return
            place = mark.end()
            if mark[0] in _CLOSING:
                self._quotes = mark[0]
            elif mark[0] in "[{":
                self._depth += 1
            elif mark[0] in "]}":
                self._depth = max(0, self._depth - 1)
