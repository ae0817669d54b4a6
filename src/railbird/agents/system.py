"""A system whose cases can be learnt: the attributes of its cases, and how it describes a decision."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from railbird.cbr.cycle.retrieve import Nearest, Policy, Unit
from railbird.cbr.schema import Value
from railbird.cbr.similarity import Local
from railbird.cbr.staged import StagedTable
from railbird.engine.actions import Action
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.equities.table_files import Progress
from railbird.observation import Observation


@dataclass(frozen=True, slots=True)
class Described:
    """A decision as a case of a system."""

    attributes: Mapping[str, Value]
    solution: str
    outcome: Callable[[float], float]
    """The outcome of the case, from what the player won or lost in the whole hand, in the unit of the game."""
    riders: tuple[str, ...] = ()
    """Additional values of the case, in the order of the system's riders."""
    own: Mapping[str, Local] | None = None
    """Similarities specific to this decision, for retrieving similar cases, if it has any."""


class Describer(Protocol):
    """Describes the decisions of successive hands."""

    def describe(self, observation: Observation, action: Action) -> Described:
        """Describe a decision and the action taken."""

    def follow(self, record: HandRecord) -> None:
        """A hand whose decisions were described has ended."""


def _most_similar(_stage: str) -> Policy:
    return Nearest(1, Unit.SITUATIONS)


@dataclass(frozen=True, slots=True)
class System:
    """A system that learns from cases."""

    name: str
    table: StagedTable
    """The attributes of its cases; its stages are the betting rounds, each with a case base."""
    begin: Callable[[], Describer]
    """Makes a describer that has not seen any player yet."""
    fits: Callable[[GameRules], bool]
    """Whether the system plays a game."""
    game: str
    """The games that it plays, in words."""
    outcome: str
    """The meaning of a case's outcome, in words."""
    riders: tuple[str, ...] = ()
    """The riders of its cases in addition to those that every case has."""
    recipe: Mapping[str, Any] = field(default_factory=dict)
    """Other settings on which its descriptions depend."""
    merges: bool = False
    """Whether decisions in equal situations become one case, without riders (sartre-2012 §5.2.3)."""
    retrieval: Callable[[str], Policy] = _most_similar
    """Which cases its agents retrieve in a stage; by default those of the most similar situation."""
    prepare: Callable[[Progress | None], None] | None = None
    """Builds tables that make describing many decisions faster, unless they are in the cache folder."""
