"""The columns of a Parquet file as arrays.

This reads what Polars writes for packs: flat columns of whole numbers, floats and text, plain or with a dictionary,
unpacked or compressed with Zstandard. `bounds` has checked before how much there is to read.
"""

import struct
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
_BLOCK = 1 << 16
"""Packed numbers are unpacked in blocks, because each takes 32 bytes meanwhile."""


@dataclass(frozen=True, slots=True, eq=False)
class ParquetColumn:
    """A value for every row: a number, or the number of a word."""

    values: NDArray[Any]
    """Zero where the value is missing."""
    missing: NDArray[np.bool_]
    words: tuple[str, ...] | None
    """The texts that occur; None in a column of numbers."""


def read_columns(content: bytes, footer: Footer) -> dict[str, ParquetColumn]:
    """All columns of a file within the bounds, by name."""
    found = {}
    try:
        for place, element in enumerate(footer.fields[2][1:]):
            column = _Column(element)
            for group in footer.fields[4]:
                column.read(content, group[1][place][3])
            found[element[4].decode()] = column.finished()
    except (LookupError, TypeError, AttributeError) as error:
        raise ParquetError(f"its pages cannot be read: {error}") from None
    return found


class _Column:
    """A column that is read group by group."""

    def __init__(self, element: Struct) -> None:
        self._type = element[1]
        if self._type != _TEXT and self._type not in _NUMBERS:
            raise ParquetError(f"its column {element[4].decode()!r} holds neither numbers nor text")
        self._optional = element.get(3) == _OPTIONAL
        self._places: dict[bytes, int] = {}
        self._values: list[NDArray[Any]] = []
        self._missing: list[NDArray[np.bool_]] = []

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
        values = np.zeros(page.count, found.dtype)
        values[present] = found
        self._values.append(values)
        self._missing.append(~present)

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
        empty = self._plain(memoryview(b""), 0)
        return ParquetColumn(
            np.concatenate([empty, *self._values]),
            np.concatenate([np.empty(0, np.bool_), *self._missing]),
            tuple(word.decode() for word in self._places) if self._type == _TEXT else None,
        )


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
    found = np.zeros(count, np.int64)
    if not width:
        return found
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
            part = _packed(data[place:end], width, min((head >> 1) * 8, count - done))
            found[done : done + len(part)] = part
            done += len(part)
            place = end
        else:
            end = min(done + (head >> 1), count)
            found[done:end] = int.from_bytes(data[place : place + size], "little")
            done = end
            place += size
    return found


def _packed(data: memoryview, width: int, count: int) -> NDArray[np.uint32]:
    """Numbers packed one after another, the lowest bit first."""
    if len(data) * 8 < count * width:
        raise ParquetError("a page has fewer values than it claims")
    found = np.empty(count, np.uint32)
    for first in range(0, count, _BLOCK):
        part = found[first : first + _BLOCK]
        packed = np.frombuffer(data[first * width // 8 :], np.uint8)
        bits = np.zeros((len(part), _MOST_WIDTH), np.uint8)
        bits[:, :width] = np.unpackbits(packed, count=len(part) * width, bitorder="little").reshape(-1, width)
        part[:] = np.packbits(bits, axis=1, bitorder="little").view("<u4")[:, 0]
    return found
