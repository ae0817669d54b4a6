"""A hand measured against what the opponents are believed to hold."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relative:
    """How a hand stands against beliefs about the opponents, whoever holds them."""

    strength: float
    positive_potential: float
    negative_potential: float
    hand_types: tuple[str, str, str]
    """The opponents' most probable ones, most probable first."""
