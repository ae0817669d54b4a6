"""Why an agent acted as it did, as data: text, JSON and the web table draw the same object without knowing the agent.

An explanation is a sentence, some facts, and sections of a small closed set:

- `sections`: explanations, and the sections that any field can use: `Bars` and `TableSection`
- `ranges`: the sections that know poker: `RangeGrid` and `Belief`
- `formats`: the numbers of explanations as text
- `reading`: explanations of both kinds from plain data

Case-based reasoning uses `sections` only, so the modules that need poker are imported on first use.
"""

from typing import TYPE_CHECKING

from railbird.explanation.sections import (
    BIG_BLINDS,
    CHIPS,
    COUNT,
    SHARE,
    SMALL_BETS,
    TIMES,
    UNEXPLAINED,
    Bar,
    Bars,
    Cell,
    Deferred,
    Explanation,
    ExplanationError,
    Fact,
    Section,
    TableSection,
    facts_to_json,
)
from railbird.lazy import lazy_names

if TYPE_CHECKING:
    from railbird.explanation.ranges import Belief, RangeGrid
    from railbird.explanation.reading import explanation_from_json, section_from_json

__all__ = [
    "BIG_BLINDS",
    "CHIPS",
    "COUNT",
    "SHARE",
    "SMALL_BETS",
    "TIMES",
    "UNEXPLAINED",
    "Bar",
    "Bars",
    "Belief",
    "Cell",
    "Deferred",
    "Explanation",
    "ExplanationError",
    "Fact",
    "RangeGrid",
    "Section",
    "TableSection",
    "explanation_from_json",
    "facts_to_json",
    "section_from_json",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {"ranges": ["Belief", "RangeGrid"], "reading": ["explanation_from_json", "section_from_json"]},
)
