"""Files of hands: any format, plain or compressed, read line by line with bounded memory.

- Compressed data (xz, gzip, Zstandard) is recognised by its first bytes, whatever the file name, and decompressed as
  it is read (`unpacking`).
- Text is UTF-8, UTF-16 or cp1252 (`encodings`); a byte order mark is skipped. A line that is not valid in its encoding
  is refused together with its hand.
- A hand with a control character in a name is refused, because it could manipulate the terminal that shows it.
- Only the beginning of a line over 64 KB is kept, enough for its reader to refuse it.
- Compressed data that is damaged or truncated yields the hands before the damage, then one refusal.

>>> import io
>>> [found.reading.reason for found in find_hands(io.BytesIO(b'{"schema": 1}'))]
['schema of the hand is a whole number, but text is expected']
"""

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import chain, islice
from operator import length_hint
from pathlib import Path
from typing import BinaryIO, NamedTuple

from railbird.engine.rules import GameRules
from railbird.notation.encodings import AUTO, Decoder, without_utf16
from railbird.notation.formats import Format, Surroundings, formats_of_name, recognise
from railbird.notation.reading import LONGEST_LINE, BadHand, NotationError, Reading, refuse_names
from railbird.notation.records import format_record
from railbird.notation.unpacking import DAMAGE, unpacked

STANDARD_INPUT = "-"
_FIRST_LINES = 64
"""The number of lines examined to recognise a format."""
_MOST_BYTES = 4 * LONGEST_LINE
"""Maximum number of bytes in a line of acceptable length."""
_LINES_BETWEEN_CALLS = 256
_LONGEST_REASON = 300
_ARCHIVES = ((0, b"PK\x03\x04", "zip archive"), (0, b"BZh", "bzip2 file"), (257, b"ustar", "tar archive"))

Listen = Callable[[int], None]
"""Called periodically with the number of bytes read from a source, before decompression."""


class HandFileError(ValueError):
    """A hand file that cannot be read at all; the message begins with its name."""


class Found(NamedTuple):
    """A hand found in a source, or what could not be read of it."""

    reading: Reading
    source: str
    """The file's name."""
    line: int
    """For a refused hand its first line; for a hand record the last line read so far; for a file 0."""

    @property
    def where(self) -> str:
        """The source and the line, for people."""
        source = "standard input" if self.source == STANDARD_INPUT else self.source
        return f"{source}, line {self.line}" if self.line else source


def hand_files(path: Path) -> list[Path]:
    """The file itself, or every file below a folder that has the extension of a hand file."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if formats_of_name(file) and file.is_file())


def find_hands(
    source: Path | BinaryIO | str,
    form: Format | None = None,
    game: GameRules | None = None,
    *,
    encoding: str = "auto",
    listen: Listen | None = None,
) -> Iterator[Found]:
    """The hands of a file, of an open stream, or of the standard input (`-`).

    The format is detected unless it is given. `game` is for sources that do not name theirs.
    """
    with _opened(source) as stream:
        text = _Text(_name_of(source), stream, encoding, listen)
        path = (
            source if isinstance(source, Path) else None if text.name == STANDARD_INPUT else Path(text.name)
        )
        yield from _read(text, form, path, Surroundings(game, path))


def _read(
    text: "_Text", form: Format | None, path: Path | None, surroundings: Surroundings
) -> Iterator[Found]:
    lines = text.lines()
    head = list(islice(lines, _FIRST_LINES))
    if any(map(str.strip, head)):
        if form is None:
            try:
                form = recognise(head, path)
            except NotationError as error:
                raise HandFileError(f"{text.name}: {error}") from None
        if form.misfit is not None and (reason := form.misfit(head, surroundings)) is not None:
            raise HandFileError(f"{text.name}: {_sentence(reason)}")
        reached = _Reached(head, lines, text, form.whole_lines)
        try:
            for reading in form.read(reached, surroundings):
                if isinstance(reading, BadHand):
                    reading = replace(reading, reason=_sentence(reading.reason))
                    yield Found(reading, text.name, reading.line)
                elif (reason := refuse_names(reading)) is not None:
                    bad = BadHand(reached.line, reason, format_record(reading))
                    yield Found(bad, text.name, bad.line)
                else:
                    yield Found(reading, text.name, reached.line)
        except NotationError as error:
            raise HandFileError(f"{text.name}: {_sentence(str(error))}") from None
        if reached.cut_off is not None:
            bad = BadHand(text.line, "the last line has no line end, so it may be truncated", reached.cut_off)
            yield Found(bad, text.name, bad.line)
    if text.damage is not None:
        yield Found(BadHand(text.line + 1, text.damage, ""), text.name, text.line + 1)


def _sentence(reason: str) -> str:
    """A reason as a single line of limited length, whatever it quotes."""
    line = "".join(letter if letter.isprintable() else "�" for letter in reason[: _LONGEST_REASON + 1])
    return line if len(line) <= _LONGEST_REASON else f"{line[: _LONGEST_REASON - 1]}…"


class _Reached:
    """The lines passed to a reader, with the number of the last one it consumed."""

    def __init__(self, head: list[str], lines: Iterator[str], text: "_Text", whole_lines: str) -> None:
        self.cut_off: str | None = None
        self._head = iter(head)
        self._lines = chain(self._head, lines)
        self._text = text
        self._whole_lines = whole_lines

    @property
    def line(self) -> int:
        """The number of the last line that was consumed: of all that were read, without those still in the head."""
        return self._text.line - length_hint(self._head)

    def __iter__(self) -> Iterator[str]:
        return self._with_whole_lines() if self._whole_lines else self._lines

    def _with_whole_lines(self) -> Iterator[str]:
        for line in self._lines:
            last = self._text.has_open_end and self.line == self._text.line
            if last and line.startswith(self._whole_lines):
                self.cut_off = line
            else:
                yield line


class _Text:
    """The lines of an open source, decompressed and decoded as they are read."""

    def __init__(self, name: str, stream: io.BufferedReader, encoding: str, listen: Listen | None) -> None:
        self.name = name
        self.line = 0
        """The number of lines read."""
        self.has_open_end = False
        """Whether the last line had no line end."""
        self.damage: str | None = None
        """Why the source could not be read to its end."""
        self._raw = stream
        self._decoded = Decoder(_require_encoding(encoding))
        self._listen = listen if listen is not None and stream.seekable() else None
        self._next_call = _LINES_BETWEEN_CALLS

    def lines(self) -> Iterator[str]:
        """Every line without its line end; one that is too long is cut one character above the limit."""
        try:
            stream = without_utf16(_unpacked(self._raw, self.name))
        except DAMAGE as error:
            self.damage = self._damaged(error)
            return
        while True:
            try:
                for line in _plain_lines(stream):
                    self.line += 1
                    yield line
                self._tell_place()
                raw = stream.readline(_MOST_BYTES)
                self.has_open_end = bool(raw) and not raw.endswith(b"\n")
                while self.has_open_end and (more := stream.readline(_MOST_BYTES)):
                    self.has_open_end = not more.endswith(b"\n")
            except DAMAGE as error:
                self.damage = self._damaged(error)
                return
            if not raw:
                return
            self.line += 1
            text = self._decoded(raw).rstrip("\r\n")
            yield (
                text.removeprefix("\ufeff")[: LONGEST_LINE + 1]
                if self.line == 1
                else text[: LONGEST_LINE + 1]
            )

    def _tell_place(self) -> None:
        if self._listen is not None and self.line >= self._next_call:
            self._next_call = self.line + _LINES_BETWEEN_CALLS
            self._listen(self._raw.tell())

    def _damaged(self, error: Exception) -> str:
        if isinstance(error, EOFError):
            return f"the compressed data is truncated after line {self.line}"
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return f"the file cannot be read beyond line {self.line}: {reason}"


def _plain_lines(stream: io.BufferedReader) -> list[str]:
    """The whole lines in the stream's buffer if they are ASCII, which is most text: faster than line by line."""
    ready = stream.peek()
    end = ready.rfind(b"\n") + 1
    if not end or not ready[:end].isascii():
        return []
    text = stream.read(end).decode("ascii")
    lines = text.split("\n")
    del lines[-1]
    return [line.rstrip("\r") for line in lines] if "\r" in text else lines


def _name_of(source: Path | BinaryIO | str) -> str:
    return str(source if isinstance(source, Path | str) else getattr(source, "name", STANDARD_INPUT))


def _opened(source: Path | BinaryIO | str) -> AbstractContextManager[io.BufferedReader]:
    """The data of a source; a file is closed at the end, a stream belongs to the caller."""
    if source == STANDARD_INPUT:
        return _borrowed(sys.stdin.buffer)
    if not isinstance(source, Path | str):
        return _borrowed(source)
    try:
        # `open` does the same, but also asks the system whether the file is a terminal.
        return io.BufferedReader(io.FileIO(source))
    except OSError as error:
        raise HandFileError(f"{source}: cannot be read: {error.strerror}") from None


@contextmanager
def _borrowed(stream: BinaryIO) -> Iterator[io.BufferedReader]:
    if isinstance(stream, io.BufferedReader):
        yield stream
        return
    buffered: io.BufferedReader = io.BufferedReader(stream)  # type: ignore[arg-type]
    try:
        yield buffered
    finally:
        buffered.detach()


def _require_encoding(name: str) -> str:
    if name == AUTO:
        return name
    every = bytes(range(128))
    try:
        fits = every.decode(name) == every.decode("ascii")
    except (LookupError, UnicodeError):
        fits = False
    if not fits:
        raise HandFileError(f"{name!r} is not an encoding of hand files: use auto, utf-8 or cp1252")
    return name


def _unpacked(stream: io.BufferedReader, name: str) -> io.BufferedReader:
    """The decompressed data of a stream; an archive of several files is refused."""
    plain = unpacked(stream)
    head = plain.peek(512)
    for place, mark, what in _ARCHIVES:
        if head[place:].startswith(mark):
            raise HandFileError(f"{name}: the file is a {what}: unpack it first")
    return plain
