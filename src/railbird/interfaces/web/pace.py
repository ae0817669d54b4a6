"""How fast a table goes, and why its pace tells nothing about hidden cards.

An action of an agent appears a whole number of steps after the one before, the fewest that are not less than it
thought: from outside can be seen at most how many steps it took.
"""

from collections.abc import Mapping
from math import ceil

from railbird.interfaces.web.messages import Speed

STEPS: Mapping[Speed, float] = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "instant": 0.05}
"""Seconds of one step."""
AFTER_HAND: Mapping[Speed, float] = {"slow": 7.0, "normal": 4.0, "fast": 2.0, "instant": 0.05}
"""Seconds before the next hand, where hands follow each other by themselves."""


def quantised(thought: float, step: float) -> float:
    """The smallest positive multiple of a step that is not below the time thought."""
    return step * max(1, ceil(thought / step - 1e-9))
