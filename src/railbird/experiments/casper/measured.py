"""CASPERs that record, hand by hand, how similar the cases were that they retrieved, and what they won.

casper-2008 (§VIII) speaks of an "average similarity of retrieved cases", 90 % against bots and 50 % against people. A
mean over cases above a threshold of 97 % cannot be so low, so two figures are recorded: the *mean similarity* of the
cases that a decision used, and the *hit rate*, the share of decisions with a case above the threshold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from railbird.agent import Decision, HandResult, MatchStart
from railbird.agents.casper.agent import Casper
from railbird.agents.casper.online import CasperOnline
from railbird.cbr.cycle.episode import Episode
from railbird.observation import Observation


@dataclass(frozen=True, slots=True)
class MeasuredHand:
    """One hand of a CASPER."""

    decisions: int
    hits: int
    """Number of decisions with a case above the threshold."""
    similarity: float | None
    """The mean over decisions of the mean similarity of their cases; None if there were no cases."""
    won: float
    """In small bets."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive hands: their number, the hit rate, the mean similarity, and the win rate in small bets per hand."""

    hands: int
    hit_rate: float
    similarity: float
    won: float

    @classmethod
    def of(cls, played: Sequence[MeasuredHand]) -> "Block":
        """The means over hands, over decisions, and over decisions with retrieved cases."""
        found = [(hand.decisions, hand.similarity) for hand in played if hand.similarity is not None]
        retrieved = sum(number for number, _ in found)
        similarity = sum(number * mean for number, mean in found) / retrieved if retrieved else 0.0
        decisions = sum(hand.decisions for hand in played)
        hit_rate = sum(hand.hits for hand in played) / decisions if decisions else 0.0
        return cls(len(played), hit_rate, similarity, fmean(hand.won for hand in played))


class MeasuredCasper(Casper):
    """CASPER that retains nothing."""

    def start(self, match: MatchStart) -> None:
        """Start recording."""
        super().start(match)
        self.unit_chips_ = match.rules.unit_chips
        self.played_: list[MeasuredHand] = []
        self._forget_hand()

    def _forget_hand(self) -> None:
        self.similarities_: list[float] = []
        self.hits_ = self.made_ = 0

    def decide(self, observation: Observation) -> tuple[Decision, Episode]:
        """Decide, and record how similar the retrieved cases are."""
        decision, episode = super().decide(observation)
        self.made_ += 1
        if episode.retrieved:
            self.hits_ += episode.retrieved.met
            self.similarities_.append(float(episode.retrieved.similarities.mean()))
        return decision, episode

    def end_hand(self, result: HandResult) -> None:
        """Record the winnings."""
        super().end_hand(result)
        won = float(result.payoffs[result.seat]) / self.unit_chips_
        similarity = fmean(self.similarities_) if self.similarities_ else None
        self.played_.append(MeasuredHand(self.made_, self.hits_, similarity, won))
        self._forget_hand()


class MeasuredLearner(MeasuredCasper, CasperOnline):
    """CASPER that retains every decision."""
