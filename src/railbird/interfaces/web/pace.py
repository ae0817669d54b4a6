"""How fast a table goes, and why its pace tells nothing about hidden cards.

An action of an agent appears a whole number of steps after the one before, the fewest that are not less than what it
usually needs when it thinks long: an easy decision takes as long as a hard one. What can be seen from outside is that
an agent needs longer than it did in almost all of its last decisions.
"""

from collections import deque
from collections.abc import Mapping
from math import ceil

from railbird.interfaces.web.messages import Speed

STEPS: Mapping[Speed, float] = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "instant": 0.05}
"""Seconds of one step."""
AFTER_HAND: Mapping[Speed, float] = {"slow": 7.0, "normal": 4.0, "fast": 2.0, "instant": 0.05}
"""Seconds before the next hand, where hands follow each other by themselves."""


class Rhythm:
    """How long the agents of a table think, as far as their pace may tell it."""

    REMEMBERED = 100
    """So many decisions of an agent."""
    STANDING_OUT = 3
    """So many of them may have taken longer, so that a machine that once was busy does not slow an agent down."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def needed(self, label: str, thought: float, *, hides: bool) -> float:
        """The seconds that a decision is said to have needed; nothing but what it took where all cards are open."""
        times = self._times.setdefault(label, deque(maxlen=self.REMEMBERED))
        times.append(thought)
        if not hides:
            return thought
        ranked = sorted(times, reverse=True)
        return max(thought, ranked[min(self.STANDING_OUT, len(ranked)) - 1])


def quantised(thought: float, step: float) -> float:
    """The smallest positive multiple of a step that is not below the time thought."""
    return step * max(1, ceil(thought / step - 1e-9))
