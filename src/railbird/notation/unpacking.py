"""Compressed data (xz, gzip, Zstandard), known by its first bytes and unpacked as it is read.

A few bytes may unpack to gigabytes, so data that unpacks to far more than hands ever do is refused: at most
`MOST_TIMES` its size, with `MOST_LINES` lines for each of its bytes, where small amounts are free. Memory is bounded in
any case: little is taken at once, and the window that a format looks back into has a largest size.
"""

import io
import lzma
import zlib
from collections.abc import Callable
from typing import Protocol

import zstandard

FREE_BYTES, FREE_LINES = 64 * 1024**2, 1_000_000
"""What any data may unpack to."""
MOST_TIMES = 200
"""Beyond that; hands are packed to a thirtieth of their size at best."""
MOST_LINES = 2
"""Of one packed byte, beyond those that are free; a line of hands takes four bytes at least."""
WINDOW = 128 * 1024**2
"""Bytes that a Zstandard frame may look back."""
XZ_MEMORY = 256 * 1024**2
"""Bytes that unpacking xz may take: four times what `xz -9` needs."""
_PIECE = 64
"""Packed bytes taken at once: what they unpack to fits into memory, however well they are packed."""


class UnpackingError(Exception):
    """Compressed data that unpacks to more than hands do."""


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


_FORMATS: dict[bytes, Callable[[], _Decompressor]] = {
    b"\xfd7zXZ\0": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, XZ_MEMORY),
    b"\x1f\x8b": lambda: zlib.decompressobj(wbits=31),
    b"\x28\xb5\x2f\xfd": lambda: zstandard.ZstdDecompressor(max_window_size=WINDOW).decompressobj(),
}
DAMAGE = (EOFError, OSError, lzma.LZMAError, zlib.error, zstandard.ZstdError, UnpackingError)
"""What reading compressed data may end in."""


def unpacked(stream: io.BufferedReader) -> io.BufferedReader:
    """The data of a stream, decompressed where its first bytes say so."""
    first = stream.peek(8)
    for mark, begin in _FORMATS.items():
        if first.startswith(mark):
            return io.BufferedReader(_Unpacked(stream, begin))
    return stream


class _Unpacked(io.RawIOBase):
    """Unpacks one frame after another, and says when the last one is not whole."""

    def __init__(self, stream: io.BufferedReader, begin: Callable[[], _Decompressor]) -> None:
        self._stream, self._begin = stream, begin
        self._frame: _Decompressor | None = None
        self._packed = b""
        self._ready = memoryview(b"")
        self._damage: Exception | None = None
        self._taken = self._given = self._lines = 0

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        """Fill the buffer as far as there is data; 0 at the end."""
        if self._damage is not None:
            raise self._damage
        filled = 0
        try:
            while filled < len(buffer) and self._is_ready():
                size = min(len(buffer) - filled, len(self._ready))
                buffer[filled : filled + size] = self._ready[:size]
                self._ready = self._ready[size:]
                filled += size
        except DAMAGE as error:
            if not filled:
                raise
            self._damage = error  # to be told when what comes before it was read
        return filled

    def _is_ready(self) -> bool:
        """Unpack until there is something; False at the end."""
        while not self._ready:
            piece = self._packed or self._take()
            self._packed = b""
            if not piece:
                if self._frame is None:
                    return False
                raise EOFError("the last frame is not whole")
            if self._frame is None:
                piece = piece.lstrip(b"\0")  # xz and gzip may be filled up with zeros between frames
                if not piece:
                    continue
                self._frame = self._begin()
            found = self._frame.decompress(piece)
            self._count(found)
            self._ready = memoryview(found)
            if self._frame.eof:
                self._packed = self._frame.unused_data
                self._frame = None
        return True

    def _take(self) -> bytes:
        piece = self._stream.read(_PIECE)
        self._taken += len(piece)
        return piece

    def _count(self, found: bytes) -> None:
        self._given += len(found)
        self._lines += found.count(b"\n")
        if self._given > FREE_BYTES + MOST_TIMES * self._taken:
            raise UnpackingError(f"it unpacks to more than {MOST_TIMES} times its size")
        if self._lines > FREE_LINES + MOST_LINES * self._taken:
            raise UnpackingError("it unpacks to more lines than hands have")
