"""Jagbot: loose, aggressive and non-adaptive, the second table of casper-2007 §7.

The papers say nothing else about Poker Academy's Jagbot, except that a random player loses less to eight of them than
to Pokibots and Simbots (1.49 and 1.67 sb/h). Ours plays by ProbTriple in styles that play more hands and bet and raise
more than every profile of Pokibot, and give up quickly without a hand after the flop: if they called as readily as they
raise, the random player would lose twice as much. `tests/agents/loki/test_loose_table.py` checks this statistically.
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
