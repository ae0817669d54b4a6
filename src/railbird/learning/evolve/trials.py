"""A journal of tried weights and their losses on disk: an interrupted evolution resumes.

The journal is an append-only text file next to the resulting weights (`weights.toml.journal`). Its first line
identifies the evolution: {"schema": "railbird.evolution/1", "evolution": {…}}. Every further line is one finished
trial: {"weights": {stage: {attribute: weight}}, "held_out": …, "loss": …}. An unfinished line, left when the process
was killed, is removed at the next start.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

from railbird.arena.run.growing_journal import GrowingJournal, JournalError, canonical, difference, read_line
from railbird.plain_data import ANY_NAME, read_json, require_like

SCHEMA = "railbird.evolution/1"
_SHAPE = {"weights": {ANY_NAME: {ANY_NAME: 0.0}}, "held_out": True, "loss": 0.0}

Weights: TypeAlias = Mapping[str, Mapping[str, float]]
"""By stage and attribute."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Weights to try, of some stages; the others keep their hand-picked ones."""

    weights: Weights
    held_out: bool = False
    """Whether the trial uses the held-out data: nothing is chosen by it."""

    @property
    def key(self) -> str:
        """A key that is equal for equal trials."""
        return canonical({"weights": self.weights, "held_out": self.held_out}).decode()


class TrialJournal(GrowingJournal):
    """The finished trials of an evolution; open (and locked) between `with` and its end.

    `evolution` is plain data: everything that the loss of a trial depends on. It does not include the number of
    generations, so that a longer evolution continues a shorter one.
    """

    def __init__(self, path: Path, evolution: Mapping[str, Any]) -> None:
        super().__init__(path)
        self.evolution = evolution
        self._losses: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._losses)

    def find(self, trial: Trial) -> float | None:
        """The loss of a trial, if it is finished."""
        return self._losses.get(trial.key)

    def add(self, trial: Trial, loss: float) -> None:
        """Append a finished trial; it is on disk when this returns."""
        if not isfinite(loss):
            raise JournalError(f"a trial has a loss of {loss}, which is not a finite number")
        self._write({"weights": trial.weights, "held_out": trial.held_out, "loss": loss})
        self._losses[trial.key] = loss

    def _header(self) -> Mapping[str, Any]:
        return {"schema": SCHEMA, "evolution": dict(self.evolution)}

    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        found = read_line(line)
        if found.get("schema") != SCHEMA:
            raise JournalError(f"{self.path} is not a journal of an evolution and was not changed")
        ours = json.loads(canonical(header))["evolution"]
        if found.get("evolution") != ours:
            told_apart = difference(found.get("evolution"), ours)
            raise JournalError(
                f"{self.path} belongs to another evolution{told_apart} and was not changed: choose another output"
            )

    def _take(self, line: bytes, number: int) -> None:
        trial, loss = self._entry(line, number)
        self._losses[trial.key] = loss

    def _entry(self, line: bytes, number: int) -> tuple[Trial, float]:
        try:
            entry = read_json(line)
            require_like(entry, _SHAPE, "the trial")
            trial, loss = Trial(entry["weights"], entry["held_out"]), float(entry["loss"])
            if isfinite(loss):
                return trial, loss
        except (ValueError, OverflowError):
            # Reported below, for every kind of damage.
            pass
        raise JournalError(
            f"line {number} of {self.path} is damaged; if you delete the line, its trial is repeated"
        )
