"""The size of a Parquet file when unpacked, determined before anything is unpacked.

A file of one megabyte may unpack to many gigabytes: one value can represent a billion rows. The footer of a file states
rows, columns and sizes, but it is as untrusted as the rest of the file. So the headers of all pages are read as well,
which bind the reader: it allocates as many bytes and values as a page states, and reads no more. That holds for plain
values and for dictionary codes, the two encodings that Polars writes; pages with other encodings are refused.

A large pack may unpack to more than a small one, by a multiple of its size: so a small file stays harmless, and
millions of cases can be read.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from railbird.cbr.packs.pages import MARK, PLAIN, ParquetError, pages_of
from railbird.cbr.packs.thrift import Struct, ThriftError, ThriftReader

MOST_COLUMNS = 4096
MOST_TEXTS = 32_000_000
"""Maximum number of texts in dictionaries and pages of plain text, each of which takes memory of its own."""
MOST_PAGE = 1024**3
"""Maximum number of bytes of a page when unpacked; Polars writes pages of about one million."""
MOST_FOOTER = 64 * 1024**2
"""Maximum number of bytes of the footer, which includes all symbols and the recipe."""

_SIZE = 4
_FLAT = (0, 1)
"""Columns with exactly one value per row, and those with at most one."""
_CODECS = {0: "none", 6: "Zstandard"}
_TEXT = 6
_CELLS_PER_BYTE = 4
"""At most so many values per byte of a large file; cases of CASPER and SARTRE have up to 1.6."""
_UNPACKED_PER_BYTE = 16
"""At most so many bytes unpacked per byte of a large file; the same packs have up to 5."""


@dataclass(frozen=True, slots=True)
class PackBounds:
    """To how much a file may unpack."""

    cells: int
    """Maximum of rows times columns."""
    unpacked: int
    """Maximum number of bytes of all pages."""

    @classmethod
    def of(cls, size: int) -> "PackBounds":
        """The bounds of a file of this size in bytes."""
        return cls(
            min(MOST.cells, max(LEAST.cells, _CELLS_PER_BYTE * size)),
            min(MOST.unpacked, max(LEAST.unpacked, _UNPACKED_PER_BYTE * size)),
        )


LEAST = PackBounds(cells=64_000_000, unpacked=1024**3)
"""The bounds of small files. A million cases of CASPER have 20 million values; 64 million take half a gigabyte."""
MOST = PackBounds(cells=512_000_000, unpacked=4 * 1024**3)
"""The bounds of the largest files. 10 million cases of CASPER have 210 million values with their counted solutions."""


@dataclass(frozen=True, slots=True)
class Footer:
    """The metadata of a file."""

    metadata: Mapping[str, str]
    """By key."""
    fields: Struct
    """All metadata, by field number of the format (`FileMetaData`)."""


def read_footer(content: bytes) -> Footer:
    """The footer of a whole file."""
    end = len(content) - _SIZE - len(MARK)
    size = int.from_bytes(content[end : end + _SIZE], "little")
    if not 0 < size <= min(end - len(MARK), MOST_FOOTER):
        raise ParquetError(f"its footer claims to have {size:,} bytes")
    try:
        fields = ThriftReader(content).struct_at(end - size)
        metadata = {pair[1].decode(): pair.get(2, b"").decode() for pair in fields.get(5, [])}
    except (ThriftError, LookupError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise ParquetError(f"its footer cannot be read: {_reason(error)}") from None
    return Footer(metadata, fields)


def require_bounds(content: bytes, footer: Footer, most: PackBounds) -> None:
    """Refuse a file that is too large for a pack when unpacked, or whose footer and pages contradict each other."""
    try:
        columns = _columns(footer.fields[2])
        rows = footer.fields[3]
        if not 0 <= rows * columns <= most.cells:
            raise ParquetError(
                f"it has {rows:,} rows of {columns:,} columns, more than {most.cells:,} values in all"
            )
        _require_pages(content, footer.fields[4], rows, columns, most.unpacked)
    except (ThriftError, LookupError, TypeError, AttributeError) as error:
        raise ParquetError(f"its pages cannot be read: {_reason(error)}") from None


def _columns(schema: list[Struct]) -> int:
    """The number of columns of a table, all of which must be flat."""
    count = len(schema) - 1
    if count > MOST_COLUMNS:
        raise ParquetError(f"it has {count:,} columns, more than {MOST_COLUMNS:,}")
    for element in schema[1:]:
        if element.get(5) or element.get(3, 0) not in _FLAT:
            raise ParquetError(f"its column {_text(element.get(4))!r} holds lists or nested values")
    return count


def _require_pages(content: bytes, groups: list[Struct], rows: int, columns: int, most_unpacked: int) -> None:
    reader, left = ThriftReader(content), most_unpacked
    found = texts = 0
    for group in groups:
        if len(group[1]) != columns or group[3] < 0:
            raise ParquetError(f"one of its groups of rows has {len(group[1])} columns, not {columns}")
        found += group[3]
        for chunk in group[1]:
            column = chunk[3]
            if column[4] not in _CODECS:
                raise ParquetError(f"it is not compressed with {_CODECS[6]}")
            values = 0
            for page in pages_of(reader, column, len(content)):
                left -= page.unpacked
                values += 0 if page.is_dictionary else page.count
                texts += page.count if column[1] == _TEXT and page.encoding == PLAIN else 0
                if left < 0:
                    raise ParquetError(f"it unpacks to more than {most_unpacked:,} bytes")
                if page.unpacked > MOST_PAGE:
                    raise ParquetError(f"one of its pages unpacks to more than {MOST_PAGE:,} bytes")
                if texts > MOST_TEXTS:
                    raise ParquetError(f"it has more than {MOST_TEXTS:,} texts")
            if not values == column[5] == group[3]:
                name = ".".join(_text(part) for part in column[3])
                raise ParquetError(
                    f"its column {name!r} has {values:,} values for {group[3]:,} rows, but claims {column[5]:,}"
                )
    if found != rows:
        raise ParquetError(f"it has {found:,} rows, but claims {rows:,}")


def _reason(error: Exception) -> str:
    return f"field {error} is missing" if isinstance(error, KeyError) else str(error)


def _text(name: Any) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)
