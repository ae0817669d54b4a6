"""Jagbot: loose, aggressive and non-adaptive, the second table of casper-2007 §7.

The papers say nothing else about Poker Academy's Jagbot. Ours plays by ProbTriple in styles that are looser and more
aggressive than every profile of Pokibot; `tests/agents/loki/test_loose_table.py` checks this statistically.
"""

from typing import Annotated

from railbird.agent import Meaning
from railbird.agents.loki.probtriple import ProbTriple
from railbird.agents.loki.profiles import JAGBOT_STYLES, JagbotProfile
from railbird.opponents.weights.styles import Style


class Jagbot(ProbTriple):
    """Plays by loose and aggressive rules, and never adapts."""

    title = "Jagbot"
    papers = "casper-2007 §7"

    def __init__(
        self,
        profile: Annotated[
            JagbotProfile, Meaning("How loose and aggressive it is; maniac is the most.", "casper-2007 §7")
        ] = "standard",
    ) -> None:
        self.profile = profile

    def style(self) -> Style:
        """The style of its profile."""
        return JAGBOT_STYLES[self.profile]
