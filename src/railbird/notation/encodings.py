"""The encoding of a text, found out from its bytes: UTF-8, UTF-16 or cp1252.

- UTF-16 has a byte order mark, or NULs as every second byte. It is read as UTF-8 from then on.
- Otherwise a line that is valid UTF-8 is UTF-8, because other text hardly ever is. Any other line is cp1252, as in old
  files, unless the file has proved to be UTF-8 before: then the line is damaged.

>>> text = Decoder()
>>> text("Zoé".encode("cp1252")), text("Zoé".encode()), text("Zoé".encode("cp1252"))
('Zoé', 'Zoé', 'Zo�')
"""

import codecs
import io

from railbird.notation.reading import LONGEST_LINE

AUTO = "auto"
"""The name under which users ask for the encoding to be found out."""
_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_SAMPLE = 64
_PIECE = 1 << 16


class Decoder:
    """Decodes the lines of one text; what cannot be decoded becomes �."""

    def __init__(self, encoding: str = AUTO) -> None:
        self._encoding = None if encoding == AUTO else encoding

    def __call__(self, line: bytes) -> str:
        """The text of the next line."""
        if line.isascii():
            return line.decode("ascii")
        if self._encoding is None:
            if not _is_utf8(line):
                return line.decode("cp1252", "replace")
            self._encoding = "utf-8"
        return line.decode(self._encoding, "replace")


def _is_utf8(line: bytes) -> bool:
    """Whether a line is UTF-8; of one that is too long, the last letter may be cut off."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return len(line) > LONGEST_LINE and error.end == len(line)
    return True


def without_utf16(stream: io.BufferedReader) -> io.BufferedReader:
    """The same text as UTF-8 if it is UTF-16, otherwise the stream itself."""
    head = stream.peek(_SAMPLE)[:_SAMPLE]
    encoding = _MARKS.get(head[:2])
    if encoding is None and len(head) >= 4:
        for name, nul, letter in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
            if not any(nul) and all(letter):
                encoding = name
    return stream if encoding is None else io.BufferedReader(_Transcoded(stream, encoding))


class _Transcoded(io.RawIOBase):
    """UTF-16 read as UTF-8."""

    def __init__(self, stream: io.BufferedReader, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        """Fill the buffer with what is there; 0 at the end."""
        while not self._ready:
            piece = self._stream.read1(_PIECE)
            self._ready = memoryview(self._decoder.decode(piece, final=not piece).encode())
            if not piece:
                break
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size
