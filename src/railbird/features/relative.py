"""A hand measured against the opponents' believed ranges."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Relative:
    """The measures of a hand relative to beliefs about the opponents."""

    strength: float
    positive_potential: float
    negative_potential: float
    hand_types: tuple[str, str, str]
    """The opponents' most probable hand types, most probable first."""
