"""How fast a table goes, and why its pace tells nothing about hidden cards.

An action of an agent appears a whole number of steps after the one before, the fewest that are not less than what it
usually needs when it thinks long: an easy decision takes as long as a hard one. What can be seen from outside is that
an agent needs longer than it did in almost all of its last decisions.
"""

from collections import deque
from collections.abc import Mapping
from math import ceil

from railbird.interfaces.web.table.messages import Speed

STEPS: Mapping[Speed, float] = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "instant": 0.05}
"""Seconds of one step."""
AFTER_HAND: Mapping[Speed, float] = {"slow": 7.0, "normal": 4.0, "fast": 2.0, "instant": 0.05}
"""Seconds before the next hand, where hands follow each other by themselves."""


class Rhythm:
    """How long the agents of a table think, as far as their pace may tell it."""

    REMEMBERED = 100
    """So many decisions of an agent; the first, for which much is read that is never read again, is not among them."""
    STANDING_OUT = 30
    """One of so many may have taken longer, so that a machine that once was busy does not slow an agent down."""
    LONGEST = 1.0
    """Seconds: nothing is held back longer than that."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def needed(self, label: str, thought: float, *, hides: bool) -> float:
        """The seconds that a decision is said to have needed; nothing but what it took where all cards are open."""
        times = self._times.get(label)
        if times is None:
            self._times[label] = deque(maxlen=self.REMEMBERED)
            return thought
        times.append(thought)
        if not hides:
            return thought
        usual = sorted(times, reverse=True)[len(times) // self.STANDING_OUT]
        return max(thought, min(usual, self.LONGEST))


def quantised(thought: float, step: float) -> float:
    """The smallest positive multiple of a step that is not below the time thought."""
    return step * max(1, ceil(thought / step - 1e-9))
