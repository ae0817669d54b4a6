"""Weights that were tried, and what came of them, on disk: a stopped evolution goes on where it was.

The journal is a text file that only grows, beside the weights that it will lead to (`weights.toml.journal`). Its first
line says whose it is: {"schema": "railbird.evolution/1", "evolution": {…}}. Every further line is one finished trial:
{"weights": {stage: {attribute: weight}}, "held_out": …, "loss": …}. What a kill leaves of an unfinished line is cut off
at the next start.
"""

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from io import BufferedRandom
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from railbird.arena.journal import JournalError

SCHEMA = "railbird.evolution/1"

Weights: TypeAlias = Mapping[str, Mapping[str, float]]
"""By stage and attribute."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Weights to try, of some stages; the others keep their hand-picked ones."""

    weights: Weights
    held_out: bool = False
    """Whether they are only looked at: nothing is chosen by this trial."""

    @property
    def key(self) -> str:
        """The same for the same trial."""
        return _canonical({"weights": self.weights, "held_out": self.held_out})


class TrialJournal:
    """The finished trials of an evolution; open (and locked) between `with` and its end.

    `evolution` is plain data: whatever the loss of a trial depends on. How long the evolution shall be is left out, so
    that a longer one goes on from a shorter one.
    """

    def __init__(self, path: Path, evolution: Mapping[str, Any]) -> None:
        self.path = path
        self.evolution = evolution
        self._file: BufferedRandom | None = None
        self._losses: dict[str, float] = {}

    def __enter__(self) -> "TrialJournal":
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from None
        file = os.fdopen(descriptor, "r+b")
        try:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise JournalError(f"{self.path} is in use by another run") from None
            self._read(file)
        except BaseException:
            file.close()
            raise
        self._file = file
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __len__(self) -> int:
        return len(self._losses)

    def find(self, trial: Trial) -> float | None:
        """The loss of a trial, if it is finished."""
        return self._losses.get(trial.key)

    def add(self, trial: Trial, loss: float) -> None:
        """Write down a finished trial; it is on the disk when this returns."""
        if self._file is None:
            raise JournalError(f"{self.path} is not open")
        try:
            _append(self._file, {"weights": trial.weights, "held_out": trial.held_out, "loss": loss})
        except OSError as error:
            raise JournalError(f"{self.path} cannot be written: {error.strerror}") from None
        self._losses[trial.key] = loss

    def _read(self, file: BufferedRandom) -> None:
        data = file.read()
        header = {"schema": SCHEMA, "evolution": dict(self.evolution)}
        first, has_ended, rest = data.partition(b"\n")
        if not has_ended and _canonical(header).encode().startswith(first):
            # New, or killed before even the first line was written.
            file.seek(0)
            file.truncate()
            _append(file, header)
            return
        self._require_ours(first, json.loads(_canonical(header)))
        *lines, torn = rest.split(b"\n")
        for number, line in enumerate(lines, start=2):
            trial, loss = self._entry(line, number)
            self._losses[trial.key] = loss
        file.truncate(len(data) - len(torn))
        file.seek(0, os.SEEK_END)

    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise JournalError(f"{self.path} is no journal of an evolution, and is left as it is")
        theirs, ours = found.get("evolution"), header["evolution"]
        if theirs == ours:
            return
        difference = ""
        if isinstance(theirs, dict):
            key = next(key for key in sorted(theirs.keys() | ours) if theirs.get(key) != ours.get(key))
            difference = f" (its {key} is {theirs.get(key)!r}, not {ours.get(key)!r})"
        raise JournalError(
            f"{self.path} belongs to another evolution{difference}, and is left as it is: name another output"
        )

    def _entry(self, line: bytes, number: int) -> tuple[Trial, float]:
        try:
            entry = json.loads(line)
            trial, loss = Trial(entry["weights"], entry["held_out"]), float(entry["loss"])
            if isfinite(loss) and all(isinstance(weights, dict) for weights in trial.weights.values()):
                return trial, loss
        except (ValueError, LookupError, TypeError, AttributeError):
            # Said below, for every kind of damage alike.
            pass
        raise JournalError(
            f"line {number} of {self.path} is damaged; without that line its trial is made again"
        )


def _append(file: BufferedRandom, entry: Mapping[str, Any]) -> None:
    file.write(_canonical(entry).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _canonical(data: Mapping[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
