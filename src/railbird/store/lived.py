"""What a learner lived through: hands with the cases that it retained from them, as plain data.

A hand is one line of JSON wherever it is written down:

    {"won": -1.5, "cases": [{"base": "flop", "description": {…}, "solution": "call", "outcome": -1.5, …}, …]}
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from statistics import fmean
from typing import Any

from railbird.cbr.schema import Value
from railbird.plain_data import read_json


class LivedError(ValueError):
    """A text that does not say what was lived through."""


@dataclass(frozen=True, slots=True)
class LivedCase:
    """A decision that was made, and what came of it."""

    base: str
    """The case base that it belongs to."""
    description: Mapping[str, Value]
    solution: str
    outcome: float
    similarity: float | None = None
    """The mean similarity of the cases that were retrieved for it; unknown where there were none."""
    riders: Mapping[str, str] = field(default_factory=dict)
    """Fields that no search looks at but that explain the case."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "LivedCase":
        """A case from plain data."""
        description, riders, similarity = data["description"], data["riders"], data["similarity"]
        if not isinstance(description, dict) or not isinstance(riders, dict):
            raise LivedError("a description and riders have names")
        return cls(
            str(data["base"]),
            description,
            str(data["solution"]),
            _number(data["outcome"]),
            None if similarity is None else _number(similarity),
            {str(name): str(text) for name, text in riders.items()},
        )


@dataclass(frozen=True, slots=True)
class LivedHand:
    """A hand of which all decisions are known with their outcomes; it may have had none."""

    won: float
    """What the learner won or lost, in the unit of the game: small bets at limit, big blinds otherwise."""
    cases: tuple[LivedCase, ...] = ()

    @property
    def similarity(self) -> float | None:
        """The mean similarity over the decisions for which cases were retrieved; unknown where none were."""
        known = [case.similarity for case in self.cases if case.similarity is not None]
        return fmean(known) if known else None

    def to_text(self) -> str:
        """The hand as a line of JSON."""
        return json.dumps({"won": self.won, "cases": [asdict(case) for case in self.cases]})

    @classmethod
    def from_text(cls, text: str) -> "LivedHand":
        """The hand that `to_text` wrote."""
        try:
            data = read_json(text)
            return cls(_number(data["won"]), tuple(map(LivedCase.of, data["cases"])))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise LivedError(f"this is no hand that was lived through: {error}") from None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise LivedError(f"{value!r} is not a finite number")
    return float(value)
