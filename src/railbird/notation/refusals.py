"""Hands and files that could not be used: counted by reason, and the hands kept in a file of JSON lines.

>>> refused = Refused()
>>> for line in (3, 9):
...     refused.note(f"hands.log, line {line}", f"{line} chips are missing")
>>> refused.count, [(reason.count, str(reason)) for reason in refused.by_reason()]
(2, [(2, '… chips are missing')])
"""

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from railbird.notation.files import Found
from railbird.notation.outputs import FileOutput
from railbird.notation.reading import BadFile, BadHand
from railbird.notation.records import format_record
from railbird.places import data_folder

_FIRST = 3
_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|[+-]?[0-9]+(?:[.,:/][0-9]+)*")
"""What differs between two refusals for the same reason: quotations and numbers."""


@dataclass(slots=True)
class RefusalReason:
    """A reason, how often it was given, and the first time."""

    first: str
    """The reason as it was given first."""
    where: str
    """Where that was."""
    count: int = 0
    varies: bool = False
    """Whether it was also given with other numbers or names."""

    def __str__(self) -> str:
        return _VARYING.sub("…", self.first) if self.varies else self.first


@dataclass(slots=True)
class Refused:
    """Hands and files that could not be used: how many, and why.

    With a path, the hands are kept there with file, line, reason and text, one JSON object per line. The file appears
    when the body of a `with` statement ends, and only if there is something to keep.
    """

    path: Path | None = None
    count: int = 0
    """Number of hands."""
    first: list[str] = field(default_factory=list)
    """Where and why, for the first few hands or files."""
    files: dict[str, str] = field(default_factory=dict)
    """The files that were skipped, each with the reason."""
    kept: Path | None = None
    """The file of refused hands, once it is written."""
    _reasons: dict[str, RefusalReason] = field(default_factory=dict, repr=False)
    _output: FileOutput | None = field(default=None, repr=False)

    def __enter__(self) -> "Refused":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._output is not None:
            output, self._output = self._output, None
            try:
                output.finish()
                self.kept = self.path
            finally:
                output.discard()

    def __bool__(self) -> bool:
        return bool(self.count or self.files)

    def add(self, found: Found, reason: str | None = None) -> None:
        """Add what was found: a file or hand that could not be read, or a hand refused for a reason given here."""
        reading = found.reading
        if isinstance(reading, BadFile):
            self.skip(found.source, reading.reason)
            return
        text = reading.text if isinstance(reading, BadHand) else format_record(reading)
        if reason is None:
            assert isinstance(reading, BadHand)
            reason = reading.reason
        self.note(found.where, reason)
        self._keep({"file": found.source, "line": found.line, "reason": reason, "text": text})

    def skip(self, file: str, reason: str) -> None:
        """Add a file that was skipped."""
        self.files[file] = reason
        self._remember(f"{file}: {reason}")

    def note(self, where: str, reason: str) -> None:
        """Add a hand that is not kept."""
        self.count += 1
        self._remember(f"{where}: {reason}")
        known = self._reasons.setdefault(_VARYING.sub("…", reason), RefusalReason(reason, where))
        known.count += 1
        known.varies |= reason != known.first

    def by_reason(self) -> list[RefusalReason]:
        """The reasons, the most frequent first."""
        return sorted(self._reasons.values(), key=lambda reason: -reason.count)

    def _remember(self, sentence: str) -> None:
        if len(self.first) < _FIRST:
            self.first.append(sentence)

    def _keep(self, entry: dict[str, object]) -> None:
        if self.path is not None:
            if self._output is None:
                self._output = FileOutput(self.path)
            self._output.write(json.dumps(entry, ensure_ascii=False).encode(errors="replace") + b"\n")


def refused_beside(output: str | Path) -> Path:
    """Where refused hands are kept by a command that writes a file."""
    return Path(f"{str(output).rstrip('/')}.bad")


def refused_in_user_folder() -> Path | None:
    """Where refused hands are kept by a command that writes no file; None if there is no such place."""
    folder = data_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        return folder / "refused.bad"
    return None
