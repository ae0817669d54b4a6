"""The base of all journals: an append-only file of JSON lines that survives a kill.

The first line identifies the owner; every further line is one finished entry, which is on disk when `write` returns.
If a kill leaves an incomplete line, the next start truncates it. The file is locked while it is open.
"""

import fcntl
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from railbird.places import sync_folder
from railbird.plain_data import PlainDataError, read_json


class JournalError(ValueError):
    """A journal that cannot be used."""


class GrowingJournal(ABC):
    """A journal, open and locked inside its `with` block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: FileIO | None = None

    @abstractmethod
    def _header(self) -> Mapping[str, Any]:
        """The first line."""

    @abstractmethod
    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        """Raise an error if the first line does not belong to this journal."""

    @abstractmethod
    def _take(self, line: bytes, number: int) -> None:
        """Read a finished entry; `number` is its line number."""

    def __enter__(self) -> Self:
        try:
            # Opened by flags, because mode "a+" could not truncate an incomplete line and "w+" would clear the file.
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from None
        # Unbuffered: a buffer would retry writing what a full disk refused.
        file = FileIO(descriptor, "r+")
        try:
            self._lock(file)
            self._read(file)
        except OSError as error:
            if not os.fstat(descriptor).st_size:  # a full disk did not take the first line
                self.path.unlink(missing_ok=True)
            file.close()
            raise JournalError(f"{self.path} cannot be used: {error.strerror}") from None
        except BaseException:
            file.close()
            raise
        self._file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close and unlock the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, entry: Mapping[str, Any]) -> None:
        """Write a finished entry; it is on disk when this returns."""
        if self._file is None:
            raise JournalError(f"{self.path} is not open")
        try:
            _append(self._file, entry)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from None

    def _lock(self, file: FileIO) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalError(f"{self.path} is in use by another run") from None

    def _read(self, file: FileIO) -> None:
        data = file.readall()
        header = self._header()
        first, has_ended, rest = data.partition(b"\n")
        if not has_ended and canonical(header).startswith(first):
            # New, or killed before the first line was written.
            file.seek(0)
            file.truncate()
            _append(file, header)
            sync_folder(self.path.parent)
            return
        self._require_ours(first, header)
        *lines, torn = rest.split(b"\n")
        for number, line in enumerate(lines, start=2):
            self._take(line, number)
        file.truncate(len(data) - len(torn))
        file.seek(0, os.SEEK_END)


def _append(file: FileIO, entry: Mapping[str, Any]) -> None:
    """Append a line completely or not at all: a partial write to a full disk is truncated."""
    size = file.tell()
    left = memoryview(canonical(entry) + b"\n")
    try:
        while left:
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except OSError:
        file.truncate(size)
        file.seek(size)
        raise


def canonical(data: Mapping[str, Any]) -> bytes:
    """Plain data as one canonical line."""
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii")


def read_line(line: bytes) -> Mapping[str, Any]:
    """The object of a line; empty if there is none."""
    try:
        found = read_json(line)
    except PlainDataError:
        return {}
    return found if isinstance(found, dict) else {}


def difference(theirs: Any, ours: Mapping[str, Any]) -> str:
    """The first difference between two descriptions, in words."""
    if not isinstance(theirs, dict):
        return ""
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs.get(key) != ours.get(key):
            return f" (its {key} is {theirs.get(key)!r}, not {ours.get(key)!r})"
    return ""
