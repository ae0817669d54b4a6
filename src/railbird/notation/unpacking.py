"""Compressed data (xz, gzip, Zstandard), recognised by its first bytes and decompressed as it is read.

A few bytes may decompress to gigabytes, so data that expands far more than hand files do is refused: beyond a free
allowance, at most `MOST_TIMES` its size and `MOST_LINES` lines per compressed byte. Memory is bounded in any case:
input is consumed in small pieces, and the window size of each format is limited.
"""

import io
import lzma
import zlib
from collections.abc import Callable
from typing import Protocol

import zstandard

FREE_BYTES, FREE_LINES = 64 * 1024**2, 1_000_000
"""The size that any data may decompress to."""
MOST_TIMES = 200
"""Maximum ratio beyond the free bytes; hands compress to a thirtieth of their size at best."""
MOST_LINES = 2
"""Maximum number of lines per compressed byte beyond the free lines; a line of hands takes at least four bytes."""
WINDOW = 128 * 1024**2
"""Maximum window size of a Zstandard frame, in bytes."""
XZ_MEMORY = 256 * 1024**2
"""Memory limit for decompressing xz, in bytes: four times what `xz -9` needs."""
_PIECE = 64
"""Compressed bytes consumed at once: few enough that their output fits into memory at any ratio."""


class UnpackingError(Exception):
    """Compressed data that expands beyond the limits."""


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
"""The errors that reading compressed data can raise."""


def unpacked(stream: io.BufferedReader) -> io.BufferedReader:
    """The data of a stream, decompressed if its first bytes identify a compressed format."""
    first = stream.peek(8)
    for mark, begin in _FORMATS.items():
        if first.startswith(mark):
            return io.BufferedReader(_Unpacked(stream, begin))
    return stream


class _Unpacked(io.RawIOBase):
    """Decompresses one frame after another, and raises an error if the last one is incomplete."""

    def __init__(self, stream: io.BufferedReader, begin: Callable[[], _Decompressor]) -> None:
        self._stream, self._begin = stream, begin
        self._frame: _Decompressor | None = None
        self._packed = b""
        self._ready = memoryview(b"")
        self._damage: Exception | None = None
        self._taken = self._given = self._lines = 0

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        """Fill the buffer with as much data as is available; 0 at the end."""
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
            self._damage = error  # raised after the data before it has been read
        return filled

    def _is_ready(self) -> bool:
        """Decompress until there is output; False at the end."""
        while not self._ready:
            piece = self._packed or self._take()
            self._packed = b""
            if not piece:
                if self._frame is None:
                    return False
                raise EOFError("the last frame is incomplete")
            if self._frame is None:
                piece = piece.lstrip(b"\0")  # xz and gzip allow zero padding between frames
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
            raise UnpackingError(f"it decompresses to more than {MOST_TIMES} times its size")
        if self._lines > FREE_LINES + MOST_LINES * self._taken:
            raise UnpackingError("it decompresses to too many lines for a hand file")
