"""The pages of a Parquet file: where they are, and what their headers state.

A column of a group of rows is stored in pages: at most one dictionary, then values or their numbers in the dictionary.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from railbird.cbr.packs.thrift import Struct, ThriftReader

MARK = b"PAR1"
"""The first and the last bytes of a file."""
PLAIN, RUNS, DICTIONARIES = 0, 3, (2, 8)
"""Encodings of values: as they are, runs of truth values, and numbers of a dictionary by their old and new name."""
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2


class ParquetError(ValueError):
    """A Parquet file whose footer or pages cannot be read, or that is too large when unpacked."""


@dataclass(frozen=True, slots=True)
class Page:
    """The header of a page."""

    is_dictionary: bool
    place: int
    """Where its bytes begin in the file."""
    packed: int
    """Number of bytes in the file."""
    unpacked: int
    """Number of bytes when unpacked."""
    count: int
    """Number of values, with missing ones."""
    encoding: int


def pages_of(reader: ThriftReader, column: Struct, size: int) -> Iterator[Page]:
    """The pages of a column (`ColumnMetaData`) in a file of this size."""
    place = column.get(11) or column[9]
    end = place + column[7]
    if not len(MARK) <= place <= column[9] <= end <= size:
        raise ParquetError("its pages are located outside the file")
    while place < end:
        header = reader.struct_at(place)
        begin, place = reader.place, reader.place + header[3]
        if header[1] not in (_DATA_PAGE, _DICTIONARY_PAGE) or header[2] < 0 or header[3] < 0 or place > end:
            raise ParquetError(f"one of its pages is of kind {header[1]}, or does not end where it should")
        is_dictionary = header[1] == _DICTIONARY_PAGE
        inner = header[7 if is_dictionary else 5]
        if inner[2] not in (PLAIN, RUNS, *DICTIONARIES) or inner[1] < 0:
            raise ParquetError(f"one of its pages has the encoding {inner[2]}, which packs do not use")
        yield Page(is_dictionary, begin, header[3], header[2], inner[1], inner[2])
