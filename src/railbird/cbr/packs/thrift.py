"""Thrift's compact protocol, the encoding of Parquet metadata, read from untrusted bytes.

A struct becomes a dictionary by field number; text stays bytes. Depth and number of values are bounded, and nothing is
read beyond the end, so that the time is bounded by the size of the file.
"""

from typing import Any

MOST_VALUES = 1_000_000
"""Maximum number of values in one file; a pack of a million cases has some ten thousand."""
MOST_DEPTH = 16

_TRUE, _FALSE, _BYTE, _SHORT, _INT, _LONG, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_LONGEST_NUMBER = 10
"""Maximum number of bytes of a 64-bit number, with seven bits in each."""

Struct = dict[int, Any]


class ThriftError(ValueError):
    """Bytes that do not follow the protocol."""


class ThriftReader:
    """Reads structs at given places of a byte string."""

    def __init__(self, content: bytes) -> None:
        self.place = 0
        """The place of the next byte."""
        self._content = content
        self._left = MOST_VALUES

    def struct_at(self, place: int) -> Struct:
        """The struct that begins at a place."""
        if not 0 <= place < len(self._content):
            raise ThriftError(f"a struct is located at byte {place:,}, outside the file")
        self.place = place
        return self._struct(0)

    def _struct(self, depth: int) -> Struct:
        fields: Struct = {}
        number = 0
        while (head := self._byte()) != 0:
            kind, step = head & 15, head >> 4
            number = number + step if step else self._signed()
            if number in fields:
                raise ThriftError(f"field {number} occurs twice")
            fields[number] = self._field(kind, depth)
        return fields

    def _field(self, kind: int, depth: int) -> Any:
        """A field's value; the kind of a boolean field already contains its value."""
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        return self._value(kind, depth)

    def _value(self, kind: int, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ThriftError(f"there are more than {MOST_VALUES:,} values")
        if depth > MOST_DEPTH:
            raise ThriftError(f"structs are nested deeper than {MOST_DEPTH}")
        match kind:
            case 1 | 2 | 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 7:
                return self._bytes(8)
            case 8:
                return self._bytes(self._unsigned())
            case 9 | 10:
                return self._list(depth)
            case 11:
                return self._map(depth)
            case 12:
                return self._struct(depth + 1)
        raise ThriftError(f"there is no value type {kind}")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size = head >> 4 if head >> 4 < 15 else self._unsigned()
        return [self._value(head & 15, depth + 1) for _ in self._counted(size)]

    def _map(self, depth: int) -> list[tuple[Any, Any]]:
        size = self._unsigned()
        kinds = self._byte() if size else 0
        return [
            (self._value(kinds >> 4, depth + 1), self._value(kinds & 15, depth + 1))
            for _ in self._counted(size)
        ]

    def _counted(self, size: int) -> range:
        if size > self._left:
            raise ThriftError(f"there are more than {MOST_VALUES:,} values")
        return range(size)

    def _byte(self) -> int:
        return self._bytes(1)[0]

    def _bytes(self, size: int) -> bytes:
        end = self.place + size
        if end > len(self._content):
            raise ThriftError("it ends too early")
        found = self._content[self.place : end]
        self.place = end
        return found

    def _unsigned(self) -> int:
        number = 0
        for shift in range(_LONGEST_NUMBER):
            byte = self._byte()
            number |= (byte & 127) << (7 * shift)
            if byte < 128:
                return number
        raise ThriftError("a number has more than 64 bits")

    def _signed(self) -> int:
        number = self._unsigned()
        return (number >> 1) ^ -(number & 1)
