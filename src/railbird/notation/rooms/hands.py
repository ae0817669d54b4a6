"""The texts of card rooms divided into hands, and what their lines have in common: cards, seats, times."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, NoReturn

from railbird.cards import Card, CardError, parse_card
from railbird.engine.record import HandRecord
from railbird.engine.rules import ROUND_NAMES
from railbird.engine.state import UNKNOWN
from railbird.notation.reading import LONGEST_LINE, BadHand, NotationError, Reading, refuse_line

MOST_LINES = 2_000
"""Maximum number of lines in a hand, including chat."""
MOST_CHARACTERS = 1 << 20
LONGEST_NAME = 80
BLANK = " \t\r\n\ufeff\0"
"""Characters stripped from lines, including the byte order marks and NULs between concatenated files."""
STREETS = tuple(name.upper() for name in ROUND_NAMES)


class HandText(NamedTuple):
    """The lines of one hand, and the number of the first in the source."""

    first: int
    raw: list[str]
    """As in the source."""
    lines: list[str]
    """Stripped of surrounding blanks."""

    @property
    def text(self) -> str:
        """The original text, so that it can be saved elsewhere."""
        return "\n".join([line.rstrip("\r\n") for line in self.raw])


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How a room's text is divided into hands."""

    begins: re.Pattern[str]
    """The beginning of a hand's first line."""
    divides: re.Pattern[str]
    """Lines between hands that belong to none."""
    marks: str
    """The first characters of such lines; other lines need not be checked."""
    beginning: str
    """The beginning of a hand, for messages."""
    closing: str | None = None
    """A line after which the next empty line ends the hand."""
    sign: str = ""
    """What lines that begin or divide hands contain."""


def read_room(
    lines: Iterable[str], layout: TextLayout, read_hand: Callable[[HandText], HandRecord]
) -> Iterator[Reading]:
    """Every hand of a room's text, or the reason why it cannot be read."""
    for hand in _cut(lines, layout):
        try:
            _check_lines(hand, layout)
            reading: Reading = read_hand(hand)
        except ValueError as error:
            reading = BadHand(hand.first, str(error), hand.text)
        yield reading


def _cut(lines: Iterable[str], layout: TextLayout) -> Iterator[HandText]:
    """Hands and the text between them, with at most one hand in memory."""
    begins, divides, marks, sign = layout.begins.match, layout.divides.match, layout.marks, layout.sign
    closing = layout.closing
    raw: list[str] = []
    kept: list[str] = []
    first, characters = 1, 0
    closed = False
    for number, line in enumerate(lines, start=1):
        words = line.strip(BLANK)
        starts = ends = False
        if not words:
            ends = closed or not kept
        elif words == closing:
            closed = True
        elif sign in words and words[0] in marks:
            starts = begins(words) is not None
            ends = divides(words) is not None
        if (starts or ends or characters > MOST_CHARACTERS or len(kept) > MOST_LINES) and kept:
            yield HandText(first, raw, kept)
            raw, kept = [], []
        if ends:
            closed = False
            continue
        if not kept:
            first, characters, closed = number, 0, False
        raw.append(line)
        kept.append(words)
        characters += len(line)
    if kept:
        yield HandText(first, raw, kept)


def _check_lines(hand: HandText, layout: TextLayout) -> None:
    text = "".join(hand.lines)
    if len(text) > LONGEST_LINE or "\0" in text or "\ufffd" in text:
        for number, line in enumerate(hand.lines, start=hand.first):
            if reason := refuse_line(line):
                refuse(number, reason)
    if layout.begins.match(hand.lines[0]) is None:
        refuse(
            hand.first,
            f"{shorten(hand.lines[0])} does not begin a hand: a hand begins with {layout.beginning}",
        )
    if len(hand.lines) > MOST_LINES or len(text) > MOST_CHARACTERS:
        raise NotationError(f"the hand has more than {MOST_LINES} lines or {MOST_CHARACTERS} characters")


def refuse(line: int, reason: str) -> NoReturn:
    """Refuse a hand because of one of its lines."""
    raise NotationError(f"line {line}: {reason}")


def shorten(line: str) -> str:
    """A line shortened for quoting in a message."""
    return repr(line if len(line) <= 60 else line[:57] + "…")


# Cards and seats


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards separated by blanks; duplicates are detected when the cards are dealt."""
    return tuple(map(parse_card, text.split()))


def iso_time(year: str, month: str, day: str, clock: str, line: int) -> str:
    """A time in ISO 8601."""
    try:
        clock = clock if clock.count(":") == 2 else f"{clock}:00"
        return datetime.fromisoformat(f"{year}-{month}-{day}T{clock:0>8}").isoformat()
    except ValueError:
        refuse(line, f"{year}-{month}-{day} {clock} is not a valid date and time")


def from_button(seats: Iterable[int], button: int) -> list[int]:
    """Seats in order of play: from the left of the button round to it, occupied or not."""
    ordered = sorted(seats)
    first = bisect_right(ordered, button)
    return ordered[first:] + ordered[:first]


class Holes:
    """The hole cards in a text by player, from any of its lines."""

    def __init__(self) -> None:
        self.cards: dict[str, tuple[Card, ...]] = {}

    def tell(self, who: str, text: str, line: int) -> tuple[Card, ...]:
        """Record two cards of a player; they must agree with any given before."""
        try:
            cards = read_cards(text)
        except CardError as error:
            refuse(line, str(error))
        if len(cards) != 2:
            refuse(line, f"{who} has {len(cards)} hole cards, but hold'em is played with 2")
        if set(self.cards.setdefault(who, cards)) != set(cards):
            refuse(line, f"{who} has different cards than before")
        return self.cards[who]


class GrowingBoard:
    """The board as it grows street by street."""

    def __init__(self) -> None:
        self.cards: tuple[Card, ...] = ()
        self.streets = 0

    def lay(self, street: str, text: str, line: int) -> None:
        """The whole board as a street's line prints it. GGPoker sorts the cards of the flop anew on later streets."""
        cards = self._read(text, line)
        known = len(self.cards)
        if set(cards[:known]) != set(self.cards):
            refuse(line, f"the {street} does not add its cards to the board before it")
        self._add(street, cards[known:], line)

    def add(self, street: str, text: str, line: int) -> None:
        """The new cards of a street."""
        self._add(street, self._read(text, line), line)

    def _add(self, street: str, cards: tuple[Card, ...], line: int) -> None:
        self.streets += 1
        if self.streets >= len(STREETS) or street != STREETS[self.streets]:
            refuse(line, f"the {street} is dealt, but it is not the next street")
        if len(self.cards) + len(cards) != self.streets + 2:
            refuse(line, f"the {street} does not add its cards to the board before it")
        self.cards += cards

    @staticmethod
    def _read(text: str, line: int) -> tuple[Card, ...]:
        try:
            return read_cards(text)
        except CardError as error:
            refuse(line, str(error))


def all_cards(
    players: Sequence[str], holes: Mapping[str, tuple[Card, ...]], board: tuple[Card, ...]
) -> list[Card]:
    """The cards of a hand in the order of a state; unknown where the text is silent."""
    cards: list[Card] = []
    for player in players:
        cards += holes.get(player, (UNKNOWN, UNKNOWN))
    cards += board
    return cards + [UNKNOWN] * (5 - len(board))
