"""Where hands and cases are written: beside the place first, and into it when everything is there.

Nothing is ever half-written.

An output opens itself when something is written. `finish` puts it into its place, `discard` leaves no trace.
"""

import gzip
import lzma
import os
import shutil
import sys
import tempfile
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import IO

import zstandard

from railbird.places import OutputError, sync_folder

STANDARD_OUTPUT = "-"


class Output(ABC):
    """Takes pieces of text, one hand at a time."""

    @abstractmethod
    def write(self, piece: bytes) -> None:
        """Add a piece."""

    @abstractmethod
    def finish(self) -> None:
        """Put what was written into its place; without a piece there is nothing to put."""

    @abstractmethod
    def discard(self) -> None:
        """Forget what was written."""


class FileOutput(Output):
    """One file; its name says whether it is compressed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.{os.getpid()}.part")
        self._file: IO[bytes] | None = None
        self._packed: IO[bytes] | None = None

    def write(self, piece: bytes) -> None:
        """Add a piece at the end."""
        if self._packed is None:
            self._file = self._part.open("xb")
            self._packed = _packing(self.path.suffix, self._file)
        self._packed.write(piece)

    def finish(self) -> None:
        """Move the file into its place."""
        if self._file is not None and self._packed is not None:
            if self._packed is not self._file:
                self._packed.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._part.replace(self.path)
            self._file = None
            sync_folder(self.path.parent)

    def discard(self) -> None:
        """Remove the part that was written."""
        if self._file is not None:
            for stream in (self._packed, self._file):
                with suppress(OSError):  # of a full disk, which refuses the last bytes once more
                    if stream is not None:
                        stream.close()
            self._part.unlink(missing_ok=True)
            self._file = None


def _packing(ending: str, file: IO[bytes]) -> IO[bytes]:
    match ending:
        case ".xz":
            return lzma.LZMAFile(file, "wb")
        case ".gz":
            return gzip.GzipFile("", "wb", fileobj=file, mtime=0)  # type: ignore[return-value]
        case ".zst":
            return zstandard.ZstdCompressor().stream_writer(file, closefd=False)
    return file


class OneHandFile(FileOutput):
    """A file of a format that holds one hand."""

    def write(self, piece: bytes) -> None:
        """Write the one hand, and refuse another."""
        if self._file is not None and piece:
            raise OutputError(
                f"{self.path}: the file holds one hand, but there are more: name a new folder, or a .phhs file"
            )
        super().write(piece)


class FolderOutput(Output):
    """A new folder with a file for every piece, numbered from 1."""

    def __init__(self, path: Path, ending: str) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.{os.getpid()}.part")
        self._ending = ending
        self._count = 0

    def write(self, piece: bytes) -> None:
        """Write the next file."""
        if piece:
            self._part.mkdir(exist_ok=self._count > 0)
            self._count += 1
            (self._part / f"{self._count:06d}{self._ending}").write_bytes(piece)

    def finish(self) -> None:
        """Move the folder into its place."""
        if self._count:
            self._part.replace(self.path)
            self._count = 0
            sync_folder(self.path.parent)

    def discard(self) -> None:
        """Remove the files that were written."""
        if self._count:
            shutil.rmtree(self._part)


class StandardOutput(Output):
    """The standard output; held back to the end where nothing may be written before all is known to be well."""

    def __init__(self, *, held_back: bool) -> None:
        self._held_back = tempfile.TemporaryFile() if held_back else None  # noqa: SIM115

    def write(self, piece: bytes) -> None:
        """Add a piece."""
        (self._held_back or sys.stdout.buffer).write(piece)

    def finish(self) -> None:
        """Let go of what was held back."""
        if self._held_back is not None:
            self._held_back.seek(0)
            shutil.copyfileobj(self._held_back, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        self.discard()

    def discard(self) -> None:
        """Drop what was held back."""
        if self._held_back is not None:
            self._held_back.close()
