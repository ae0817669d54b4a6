"""The four phases in sequence."""

from dataclasses import dataclass

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Phase
from railbird.cbr.target import Target


@dataclass(frozen=True, slots=True)
class Cycle:
    """A case-based reasoner: its phases read like its table of parameters."""

    retrieve: Phase
    reuse: Phase
    revise: Phase
    retain: Phase

    def solve(self, base: CaseBase, target: Target) -> Episode:
        """Retrieve and reuse: the episode with its strategy."""
        return self.reuse(base, self.retrieve(base, Episode(target)))

    def learn(self, base: CaseBase, episode: Episode) -> Episode:
        """Revise and retain: the episode with its case."""
        return self.retain(base, self.revise(base, episode))
