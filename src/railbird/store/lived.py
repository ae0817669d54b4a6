"""A learner's experiences as plain data: hands with the cases retained from them.

A hand is written as one line of JSON:

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
    """A text that is not a valid experience."""


@dataclass(frozen=True, slots=True)
class LivedCase:
    """A decision and its outcome."""

    base: str
    """The case base it belongs to."""
    description: Mapping[str, Value]
    solution: str
    outcome: float
    similarity: float | None = None
    """The mean similarity of the cases retrieved for it; None if there were none."""
    riders: Mapping[str, str] = field(default_factory=dict)
    """Fields that are not searched but explain the case."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "LivedCase":
        """A case from plain data."""
        description, riders, similarity = data["description"], data["riders"], data["similarity"]
        if not isinstance(description, dict) or not isinstance(riders, dict):
            raise LivedError("a description and riders must be objects")
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
    """A hand with all its decisions and their outcomes; there may be none."""

    won: float
    """The learner's result in the unit of the game: small bets at limit, big blinds otherwise."""
    cases: tuple[LivedCase, ...] = ()

    @property
    def similarity(self) -> float | None:
        """The mean similarity over the decisions for which cases were retrieved; None if there were none."""
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
            raise LivedError(f"not a valid experience: {error}") from None


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise LivedError(f"{value!r} is not a finite number")
    return float(value)
