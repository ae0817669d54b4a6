"""Episodes that wait for their outcome (baycarp-2011 §5.4.6): they become cases when it is known.

Several decisions may share one outcome, such as all those of one day, patient or game. They wait under one key, and are
revised and retained together, in the order in which they were made.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Phase
from railbird.cbr.cycle.retain import RetentionError


@dataclass(slots=True)
class Pending:
    """Episodes by the key under which their outcome will be reported."""

    revise: Phase
    retain: Phase
    _waiting: dict[Hashable, list[Episode]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def wait(self, key: Hashable, episode: Episode) -> None:
        """Keep an episode until its outcome is reported."""
        if episode.solution is None:
            raise RetentionError("an episode without a solution has no outcome to wait for")
        self._waiting.setdefault(key, []).append(episode)

    def waiting(self, key: Hashable) -> tuple[Episode, ...]:
        """The episodes that wait under a key."""
        return tuple(self._waiting.get(key, ()))

    def settle(
        self, base: CaseBase, key: Hashable, outcome: float | Callable[[Episode], float]
    ) -> tuple[Episode, ...]:
        """Report the outcome, one for all episodes or one for each: they are revised and retained."""
        ended = [
            episode.ended(outcome(episode) if callable(outcome) else outcome)
            for episode in self._waiting.get(key, ())
        ]
        revised = [self.revise(base, episode) for episode in ended]
        retained = tuple(self.retain(base, episode) for episode in revised)
        self._waiting.pop(key, None)
        return retained

    def forget(self, key: Hashable) -> int:
        """Drop the episodes whose outcome will never be known, and return their number."""
        return len(self._waiting.pop(key, ()))
