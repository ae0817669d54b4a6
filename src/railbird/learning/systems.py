"""Whose cases can be learnt: for every system its stages, its schemas and how it describes a decision."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from railbird.cbr.schema import Schema, Value
from railbird.engine.rules import Betting, GameRules
from railbird.observation import Observation
from railbird.spec import unknown


@dataclass(frozen=True, slots=True)
class System:
    """A system that learns from cases."""

    name: str
    stages: tuple[str, ...]
    """The case bases, by betting round."""
    schema: Callable[[str], Schema]
    """The schema of a stage, whose solutions are fold, call and raise."""
    describe: Callable[[Observation], Mapping[str, Value]]
    """The attributes of a decision."""
    fits: Callable[[GameRules], bool]
    """Whether the system plays a game."""
    game: str
    """The games that it plays, for people."""

    def schemas(self) -> dict[str, Schema]:
        """The schemas of all stages."""
        return {stage: self.schema(stage) for stage in self.stages}


def _casper() -> System:
    from railbird.casper_cases import schema
    from railbird.features.casper import STAGES, describe

    return System("casper", STAGES, schema, describe, is_limit_holdem, "limit hold'em")


_SYSTEMS: Mapping[str, Callable[[], System]] = {"casper": _casper}


def system_names() -> tuple[str, ...]:
    """Every system that there is."""
    return tuple(_SYSTEMS)


def system_named(name: str) -> System:
    """The system that a user named."""
    found = _SYSTEMS.get(name)
    if found is None:
        raise unknown("system", name, _SYSTEMS)
    return found()


def is_limit_holdem(rules: GameRules) -> bool:
    """Whether a game is limit Texas hold'em with a full deck."""
    cards = (rules.hole_cards, rules.board_cards, len(rules.deck))
    return rules.betting is Betting.LIMIT and cards == (2, (0, 3, 1, 1), 52)
