"""The formats of hands: how each is named, recognised, read and written, and what it loses."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from typing import NamedTuple, Protocol, TypeAlias

from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.notation import records
from railbird.notation.acpc.log import LogWriter, log_losses, misfit, read_log
from railbird.notation.phh.reader import read_phh
from railbird.notation.phh.writing import PhhsWriter, format_phh, phh_losses
from railbird.notation.reading import Loss, NotationError, Reading
from railbird.notation.rooms.hands import BLANK
from railbird.notation.rooms.ipoker import read_ipoker
from railbird.notation.rooms.partypoker import PACIFIC_LAYOUT, PARTY_LAYOUT, read_888, read_partypoker
from railbird.notation.rooms.poker_academy import read_poker_academy
from railbird.notation.rooms.pokerstars import read_ggpoker, read_pokerstars
from railbird.notation.rooms.pokerstars_header import FIRST_LINE, GG_FIRST_LINE
from railbird.notation.rooms.pokerstars_writing import format_pokerstars, pokerstars_losses
from railbird.notation.rooms.unsupported import unsupported_content
from railbird.notation.rooms.winamax import read_winamax
from railbird.spec import unknown

_ACPC_LINE = re.compile(r"STATE:|SCORE:|# name/game/hands/seed |# \{\"schema\": \"railbird\.log")
_WINAMAX_HAND = re.compile(r"\s*Winamax Poker - ")
_POKER_ACADEMY_HAND = re.compile(r"\s*Poker Academy Pro #")
_IPOKER = re.compile(
    r"(?:<\?xml [^>]{0,80}>)?\s*(?:<root>\s*)?<(?:session sessioncode|game gamecode|gametype>|general>)"
)
_RECORD = re.compile(r"\s*\{\s*\"")
_PHH_VARIANT = re.compile(r"\s*variant\s*=")
_PHHS_HEADING = re.compile(r"\s*\[\s*[0-9]+\s*\]\s*(#|$)")

COMPRESSIONS = (".xz", ".gz", ".zst")
"""Extensions that may follow a format's own extension."""


class Surroundings(NamedTuple):
    """What a reader may need in addition to the lines of a source."""

    game: GameRules | None = None
    """The game, for a source that does not name it."""
    file: Path | None = None
    """The source, if it is a file."""

    @property
    def folder(self) -> Path | None:
        """The folder of the source, to find files that it refers to."""
        return None if self.file is None else self.file.parent


Read: TypeAlias = Callable[[Iterable[str], Surroundings], Iterator[Reading]]
"""From the lines of one source to its hands."""


class HandWriter(Protocol):
    """Writes the hands of one file, one after another."""

    def hand(self, record: HandRecord) -> str:
        """The text of the next hand, with any header it needs; raises `NotationError` if the format cannot hold it."""
        ...

    def end(self) -> str:
        """The text after the last hand."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """One format of hands."""

    name: str
    what: str
    """A short description."""
    endings: tuple[str, ...]
    """The extensions of its files."""
    recognises: Callable[[Sequence[str]], bool]
    """Whether the first lines of a source are in this format."""
    read: Read
    writer: Callable[[], HandWriter] | None = None
    """Creates a writer for one file; None if the format is read-only."""
    losses: Callable[[HandRecord], tuple[Loss, ...]] = lambda _: ()
    """What the written text of a hand leaves out."""
    one_hand: bool = False
    """Whether a file holds a single hand, so that many hands are a folder of files."""
    misfit: Callable[[Sequence[str], Surroundings], str | None] | None = None
    """Why the first lines of a source cannot be hands of the game that was given, None if they can."""
    whole_lines: str = ""
    """The beginning of lines that hold a whole hand. If such a line ends a file without a line end, it is refused,
    because a truncated line could pass for a complete one."""


class EachAlone:
    """A writer for formats in which hands are independent of each other."""

    def __init__(self, text: Callable[[HandRecord], str]) -> None:
        self._text = text

    def hand(self, record: HandRecord) -> str:
        """The text of a hand."""
        return self._text(record)

    def end(self) -> str:
        """No text follows the hands."""
        return ""


def _has(beginning: re.Pattern[str], lines: Sequence[str], sign: str = "") -> bool:
    """Whether any line begins with the pattern, after blanks and byte order marks; such a line contains the sign."""
    return any(sign in line and beginning.match(line.lstrip(BLANK)) for line in lines)


RECORDS = Format(
    name="railbird",
    what="Railbird's own JSON lines, lossless",
    endings=(".jsonl",),
    recognises=lambda lines: _has(_RECORD, lines),
    read=lambda lines, _: records.read_records(lines),
    writer=lambda: EachAlone(records.format_record),
)

ACPC = Format(
    name="acpc",
    what="logs of the Annual Computer Poker Competition",
    endings=(".log",),
    recognises=lambda lines: _has(_ACPC_LINE, lines),
    read=lambda lines, around: read_log(lines, around.game, around.folder),
    writer=LogWriter,
    losses=log_losses,
    misfit=lambda lines, around: misfit(lines, around.game, around.folder),
    whole_lines="STATE:",
)
PHH = Format(
    name="phh",
    what="the poker hand history format, one hand per file",
    endings=(".phh",),
    recognises=lambda lines: _has(_PHH_VARIANT, lines, "variant") and not _has(_PHHS_HEADING, lines, "["),
    read=lambda lines, _: read_phh(lines),
    writer=lambda: EachAlone(format_phh),
    losses=phh_losses,
    one_hand=True,
)
PHHS = Format(
    name="phhs",
    what="the poker hand history format, many hands per file",
    endings=(".phhs",),
    recognises=lambda lines: _has(_PHH_VARIANT, lines, "variant") and _has(_PHHS_HEADING, lines, "["),
    read=lambda lines, _: read_phh(lines),
    writer=PhhsWriter,
    losses=phh_losses,
)
POKERSTARS = Format(
    name="pokerstars",
    what="hand histories of PokerStars",
    endings=(".txt",),
    recognises=lambda lines: _has(FIRST_LINE, lines),
    read=lambda lines, _: read_pokerstars(lines),
    writer=lambda: EachAlone(format_pokerstars),
    losses=pokerstars_losses,
)


def _room(
    name: str,
    what: str,
    begins: re.Pattern[str],
    read: Callable[[Iterable[str]], Iterator[Reading]],
    endings: tuple[str, ...] = (".txt",),
) -> Format:
    """A format of a card room or program that is only read."""
    return Format(name, what, endings, lambda lines: _has(begins, lines), lambda lines, _: read(lines))


ROOMS = (
    _room("ggpoker", "hand histories of GGPoker", GG_FIRST_LINE, read_ggpoker),
    _room("winamax", "hand histories of Winamax", _WINAMAX_HAND, read_winamax),
    _room("partypoker", "hand histories of PartyPoker", PARTY_LAYOUT.begins, read_partypoker),
    _room("ipoker", "hand histories of the iPoker network, XML", _IPOKER, read_ipoker, (".xml", ".txt")),
    _room("888poker", "hand histories of 888poker", PACIFIC_LAYOUT.begins, read_888),
    _room("poker-academy", "histories of Poker Academy Pro", _POKER_ACADEMY_HAND, read_poker_academy),
)

FORMATS = (ACPC, PHH, PHHS, POKERSTARS, *ROOMS, RECORDS)


def format_named(name: str) -> Format:
    """The format with a name."""
    for form in FORMATS:
        if form.name == name:
            return form
    raise unknown("format", name, [form.name for form in FORMATS])


def formats_of_name(path: PurePath) -> tuple[Format, ...]:
    """The formats that use a file's extension; an extension for compressed files is ignored."""
    suffix = path.suffix
    return _formats_with(PurePath(path.stem).suffix if suffix in COMPRESSIONS else suffix)


@lru_cache(maxsize=64)
def _formats_with(suffix: str) -> tuple[Format, ...]:
    return tuple(form for form in FORMATS if suffix.lower() in form.endings)


def recognise(lines: Sequence[str], path: PurePath | None = None) -> Format:
    """The format of a source by its first lines; the file name decides if they fit several formats."""
    named = formats_of_name(path) if path is not None else ()
    both = [form for form in named if form.recognises(lines)]
    if len(both) == 1:
        return both[0]
    found = [form for form in FORMATS if form.recognises(lines)]
    if len(found) == 1:
        return found[0]
    if not found and len(named) == 1 and unsupported_content(lines) is None:
        return named[0]
    if not found and (other := unsupported_content(lines)) is not None:
        raise NotationError(f"the file holds {other}, which Railbird does not read")
    raise NotationError(
        f"the first lines do not identify the format: use --from {_or([form.name for form in found])}"
    )


def _or(names: Sequence[str]) -> str:
    names = names or [form.name for form in FORMATS]
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
