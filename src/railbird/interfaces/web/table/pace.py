"""The pace of a table, which reveals nothing about hidden cards.

An agent's action appears a whole number of steps after the previous one, the fewest that cover the time of its longer
decisions: an easy decision takes as long as a hard one. The only thing observable from outside is that an agent takes
longer than in almost all of its recent decisions.
"""

from collections import deque
from collections.abc import Mapping
from math import ceil

from railbird.interfaces.web.table.messages import Speed

STEPS: Mapping[Speed, float] = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "instant": 0.05}
"""Length of a step, in seconds."""
AFTER_HAND: Mapping[Speed, float] = {"slow": 7.0, "normal": 4.0, "fast": 2.0, "instant": 0.05}
"""Seconds before the next hand, if hands follow each other automatically."""


ENDING: Mapping[Speed, float] = {"slow": 2.0, "normal": 1.0, "fast": 0.4, "instant": 0.0}
"""Seconds of each stage in which the end of a hand is told (`ending`); at once if there are none."""


class Rhythm:
    """The thinking times of a table's agents, as far as their pace may reveal them."""

    REMEMBERED = 100
    """Number of recent decisions per agent; the first one, which loads data, is not included."""
    STANDING_OUT = 30
    """One in this many decisions is ignored as an outlier, so that a busy moment does not slow an agent down."""
    LONGEST = 1.0
    """Maximum delay, in seconds."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def needed(self, label: str, thought: float, *, hides: bool) -> float:
        """The apparent thinking time of a decision, in seconds; the actual time if all cards are open."""
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
    """The smallest positive multiple of a step that is not below the thinking time."""
    return step * max(1, ceil(thought / step - 1e-9))
