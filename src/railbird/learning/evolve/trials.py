"""Weights that were tried, and what came of them, on disk: a stopped evolution goes on where it was.

The journal is a text file that only grows, beside the weights that it will lead to (`weights.toml.journal`). Its first
line says whose it is: {"schema": "railbird.evolution/1", "evolution": {…}}. Every further line is one finished trial:
{"weights": {stage: {attribute: weight}}, "held_out": …, "loss": …}. What a kill leaves of an unfinished line is cut off
at the next start.
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
    """Whether they are only looked at: nothing is chosen by this trial."""

    @property
    def key(self) -> str:
        """The same for the same trial."""
        return canonical({"weights": self.weights, "held_out": self.held_out}).decode()


class TrialJournal(GrowingJournal):
    """The finished trials of an evolution; open (and locked) between `with` and its end.

    `evolution` is plain data: whatever the loss of a trial depends on. How long the evolution shall be is left out, so
    that a longer one goes on from a shorter one.
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
        """Write down a finished trial; it is on the disk when this returns."""
        if not isfinite(loss):
            raise JournalError(f"a trial came to a loss of {loss}, which nothing can be chosen by")
        self._write({"weights": trial.weights, "held_out": trial.held_out, "loss": loss})
        self._losses[trial.key] = loss

    def _header(self) -> Mapping[str, Any]:
        return {"schema": SCHEMA, "evolution": dict(self.evolution)}

    def _require_ours(self, line: bytes, header: Mapping[str, Any]) -> None:
        found = read_line(line)
        if found.get("schema") != SCHEMA:
            raise JournalError(f"{self.path} is no journal of an evolution, and is left as it is")
        ours = json.loads(canonical(header))["evolution"]
        if found.get("evolution") != ours:
            told_apart = difference(found.get("evolution"), ours)
            raise JournalError(
                f"{self.path} belongs to another evolution{told_apart}, and is left as it is: name another output"
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
            # Said below, for every kind of damage alike.
            pass
        raise JournalError(
            f"line {number} of {self.path} is damaged; without that line its trial is made again"
        )
