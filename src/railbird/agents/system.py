"""A system whose cases can be learnt: the attributes of its cases, and how it describes a decision."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from railbird.cbr.schema import Value
from railbird.cbr.staged import StagedTable
from railbird.engine.actions import ActionKind
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.observation import Observation


@dataclass(frozen=True, slots=True)
class Described:
    """A decision as a case of a system."""

    attributes: Mapping[str, Value]
    solution: str
    outcome: Callable[[float], float]
    """The outcome of the case, from what the player won or lost in the whole hand, in small bets."""
    riders: tuple[str, ...] = ()
    """What else rides along, in the order of the system's riders."""


class Describer(Protocol):
    """Describes decisions of hands that come one after the other."""

    def describe(self, observation: Observation, kind: ActionKind) -> Described:
        """A decision and what was done."""

    def follow(self, record: HandRecord) -> None:
        """A hand whose decisions were described is over."""


@dataclass(frozen=True, slots=True)
class System:
    """A system that learns from cases."""

    name: str
    table: StagedTable
    """The attributes of its cases; its stages are the betting rounds, each with a case base."""
    begin: Callable[[], Describer]
    """Somebody who knows nobody yet and describes hand after hand."""
    fits: Callable[[GameRules], bool]
    """Whether the system plays a game."""
    game: str
    """The games that it plays, for people."""
    outcome: str
    """What the outcome of a case is, for people."""
    riders: tuple[str, ...] = ()
    """What rides along beside what rides with every case."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """What else its descriptions depend on."""
