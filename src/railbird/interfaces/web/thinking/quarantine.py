"""Agents whose parameters made them so slow that a process had to be killed are not used for a while.

Parameters are chosen by visitors. An agent without parameters is what the operator offers: if it is late, the machine
is too slow.
"""

from time import monotonic

QUARANTINE_S = 600.0
"""How long agents of a name are used without parameters only."""


class Quarantine:
    """Names of agents, and until when they are used without parameters only."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def add(self, spec: str) -> None:
        """A process had to be killed because of this agent."""
        name, _, parameters = spec.partition(":")
        if parameters:
            self._until[name] = monotonic() + QUARANTINE_S

    def has(self, spec: str) -> bool:
        """Whether this agent is currently excluded."""
        name, _, parameters = spec.partition(":")
        return bool(parameters) and monotonic() < self._until.get(name, 0.0)
