"""The columns of a Parquet file as arrays.

This reads what Polars writes for packs: flat columns of whole numbers, floats and text, plain or with a dictionary,
unpacked or compressed with Zstandard. `bounds` has checked before how much there is to read. A column is read when it
is asked for and not kept, so that a reader of all columns needs the memory of one.
"""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import zstandard
from numpy.typing import NDArray

from railbird.cbr.packs.bounds import Footer
from railbird.cbr.packs.pages import DICTIONARIES, PLAIN, Page, ParquetError, pages_of
from railbird.cbr.packs.thrift import Struct, ThriftReader

Codes: TypeAlias = NDArray[np.int64]

_NUMBERS = {1: "<i4", 2: "<i8", 4: "<f4", 5: "<f8"}
"""Types of numbers in the format and in numpy."""
_TEXT = 6
_SIZE = struct.Struct("<I")
"""The size of a text, which precedes it."""
_ZSTANDARD = 6
_OPTIONAL = 1
_MOST_WIDTH = 32
_PACKED = -1
"""In place of a packed number until it is unpacked."""


@dataclass(frozen=True, slots=True, eq=False)
class ParquetColumn:
    """A value for every row: a number, or the number of a word."""

    values: NDArray[Any]
    """Zero where the value is missing."""
    missing: NDArray[np.bool_]
    words: tuple[str, ...] | None
    """The texts that occur; None in a column of numbers."""


class ParquetTable:
    """The columns of a file within the bounds, by name."""

    def __init__(self, content: bytes, footer: Footer) -> None:
        self._content = content
        with _told_of_pages():
            self._rows = footer.fields[3]
            self._groups = footer.fields[4]
            self._elements = {
                element[4].decode(): (place, element) for place, element in enumerate(footer.fields[2][1:])
            }

    def __contains__(self, name: str) -> bool:
        return name in self._elements

    def __getitem__(self, name: str) -> ParquetColumn:
        place, element = self._elements[name]
        with _told_of_pages():
            column = _Column(element, self._rows)
            for group in self._groups:
                column.read(self._content, group[1][place][3])
            return column.finished()

    def has_text(self, name: str) -> bool:
        """Whether there is a column of text with this name."""
        return name in self._elements and self._elements[name][1].get(1) == _TEXT


@contextmanager
def _told_of_pages() -> Iterator[None]:
    """Refuse a file whose pages do not have the form that its footer states."""
    try:
        yield
    except (LookupError, TypeError, AttributeError) as error:
        raise ParquetError(f"its pages cannot be read: {error}") from None


class _Column:
    """A column that is read group by group."""

    def __init__(self, element: Struct, rows: int) -> None:
        self._type = element[1]
        if self._type != _TEXT and self._type not in _NUMBERS:
            raise ParquetError(f"its column {element[4].decode()!r} holds neither numbers nor text")
        self._optional = element.get(3) == _OPTIONAL
        self._places: dict[bytes, int] = {}
        self._values: NDArray[Any] = np.zeros(rows, _NUMBERS.get(self._type, np.int64))
        self._missing = np.ones(rows, np.bool_)
        self._end = 0

    def read(self, content: bytes, chunk: Struct) -> None:
        """Add the values of a group of rows."""
        if chunk[1] != self._type:
            raise ParquetError("the type of a column varies between groups of rows")
        dictionary: NDArray[Any] = self._plain(memoryview(b""), 0)
        for page in pages_of(ThriftReader(content), chunk, len(content)):
            data = _unpacked(content, page, chunk[4])
            if page.is_dictionary:
                dictionary = self._plain(data, page.count)
            else:
                self._read_page(data, page, dictionary)

    def _read_page(self, data: memoryview, page: Page, dictionary: NDArray[Any]) -> None:
        present = np.ones(page.count, np.bool_)
        if self._optional:
            size = int.from_bytes(data[:4], "little")
            present = _hybrid(data[4 : 4 + size], 1, page.count) > 0
            data = data[4 + size :]
        count = int(np.count_nonzero(present))
        if page.encoding == PLAIN:
            found = self._plain(data, count)
        elif page.encoding in DICTIONARIES:
            codes = _hybrid(data[1:], data[0], count) if count else np.empty(0, np.int64)
            if codes.max(initial=-1) >= len(dictionary):
                raise ParquetError("a value is not in the dictionary of its column")
            found = dictionary[codes]
        else:
            raise ParquetError(f"one of its pages has the encoding {page.encoding}, which packs do not use")
        rows = slice(self._end, self._end + page.count)
        if count == page.count:
            self._values[rows] = found
        else:
            self._values[rows][present] = found
        self._missing[rows] = ~present
        self._end = rows.stop

    def _plain(self, data: memoryview, count: int) -> NDArray[Any]:
        if self._type != _TEXT:
            return np.frombuffer(data, _NUMBERS[self._type], count)
        places, text, size_at = self._places, bytes(data), _SIZE.unpack_from
        codes, place = [], 0
        for _ in range(count):
            begin = place + _SIZE.size
            place = begin + size_at(text, place)[0] if begin <= len(text) else begin
            if place > len(text):
                raise ParquetError("a text ends too early")
            codes.append(places.setdefault(text[begin:place], len(places)))
        return np.array(codes, np.int64)

    def finished(self) -> ParquetColumn:
        """The values of all groups."""
        words = tuple(word.decode() for word in self._places) if self._type == _TEXT else None
        return ParquetColumn(self._values, self._missing, words)


def _unpacked(content: bytes, page: Page, codec: int) -> memoryview:
    data = memoryview(content)[page.place : page.place + page.packed]
    if codec == _ZSTANDARD:
        try:
            with zstandard.ZstdDecompressor().stream_reader(data) as stream:
                data = memoryview(stream.read(page.unpacked + 1))
        except zstandard.ZstdError as error:
            raise ParquetError(f"one of its pages cannot be unpacked: {error}") from None
    if len(data) != page.unpacked:
        raise ParquetError("one of its pages does not have the size that it claims")
    return data


def _hybrid(data: memoryview, width: int, count: int) -> Codes:
    """Numbers of a fixed width in bits: runs of one number, and numbers packed one after another, eight at a time."""
    if width > _MOST_WIDTH:
        raise ParquetError(f"a number has {width} bits")
    if not width:
        return np.zeros(count, np.int64)
    sizes, numbers, packed = [], [], []
    done = place = 0
    size = (width + 7) // 8
    while done < count:
        head = shift = 0
        while True:
            if place >= len(data) or shift > 35:
                raise ParquetError("a page has fewer values than it claims")
            byte = data[place]
            place += 1
            head |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        if head & 1:
            end = place + (head >> 1) * width
            packed.append(data[place:end])
            numbers.append(_PACKED)
            sizes.append(min((head >> 1) * 8, count - done))
        else:
            end = place + size
            numbers.append(int.from_bytes(data[place:end], "little"))
            sizes.append(min(head >> 1, count - done))
        done += sizes[-1]
        place = end
    found = np.repeat(np.array(numbers, np.int64), sizes)
    if packed:
        # Every eight packed numbers fill whole bytes, so those of all runs can follow each other.
        places = np.flatnonzero(found == _PACKED)
        found[places] = _packed(b"".join(packed), width, len(places))
    return found


def _packed(data: bytes, width: int, count: int) -> NDArray[np.uint32]:
    """Numbers packed one after another, the lowest bit first: eight of them in as many bytes as a number has bits."""
    if len(data) * 8 < count * width:
        raise ParquetError("a page has fewer values than it claims")
    eights = -(-count // 8)
    packed = np.zeros((eights, width), np.uint8)
    packed.reshape(-1)[: len(data)] = np.frombuffer(data[: packed.size], np.uint8)
    found = np.zeros((eights, 8), np.uint32)
    for place in range(8):
        first, shift = divmod(place * width, 8)
        for number, byte in enumerate(range(first, first - (-(shift + width) // 8))):
            part = packed[:, byte].astype(np.uint64) << 8 * number
            found[:, place] |= (part >> shift).astype(np.uint32)
        found[:, place] &= (1 << width) - 1
    return found.reshape(-1)[:count]
