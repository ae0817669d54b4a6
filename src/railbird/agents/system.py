"""Whose cases can be learnt: for every system its stages, schemas and similarities, and how it describes a decision."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from railbird.cbr.schema import Schema, Value
from railbird.cbr.similarity import Similarity
from railbird.engine.actions import ActionKind
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting, GameRules
from railbird.observation import Observation
from railbird.spec import unknown


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
    stages: tuple[str, ...]
    """The case bases, by betting round."""
    schema: Callable[[str], Schema]
    """The schema of a stage."""
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

    def schemas(self) -> dict[str, Schema]:
        """The schemas of all stages."""
        return {stage: self.schema(stage) for stage in self.stages}


class _CaspersDescriber:
    """CASPER looks at one situation at a time."""

    def describe(self, observation: Observation, kind: ActionKind) -> Described:
        from railbird.agents.casper.attributes import describe

        return Described(describe(observation), kind.name.lower(), float)

    def follow(self, record: HandRecord) -> None:
        """Nothing is learnt about the players."""


def _casper(network: str) -> System:
    from railbird.agents.casper.attributes import STAGES
    from railbird.agents.casper.cases import schema

    if network:
        raise ValueError("casper reads no opponents, so it needs no network")
    outcome = "what the player won or lost in the whole hand, in small bets"
    return System("casper", STAGES, schema, _CaspersDescriber, is_limit_holdem, "limit hold'em", outcome)


def _baycarp(network: str) -> System:
    from railbird.agents.baycarp.watching import baycarp_system

    return baycarp_system(network)


_SYSTEMS: Mapping[str, Callable[[str], System]] = {"casper": _casper, "baycarp": _baycarp}


def system_names() -> tuple[str, ...]:
    """Every system that there is."""
    return tuple(_SYSTEMS)


def system_named(name: str, network: str = "") -> System:
    """The system that a user named, with the network that reads its opponents where it has one."""
    found = _SYSTEMS.get(name)
    if found is None:
        raise unknown("system", name, _SYSTEMS)
    return found(network)


def similarity_of(system: str, base: str) -> Similarity:
    """How similar two cases of a system's base are, apart from what a target brings along."""
    from railbird.agents.baycarp import cases as baycarp_cases
    from railbird.agents.casper import cases as casper_cases
    from railbird.agents.casper.attributes import STAGES

    known: Mapping[str, Callable[[str], Similarity]] = {
        "casper": casper_cases.similarity,
        "baycarp": baycarp_cases.similarity,
    }
    if system not in known:
        raise unknown("system", system, known)
    if base not in STAGES:
        raise unknown(f"base of {system}", base, STAGES)
    return known[system](base)


def is_limit_holdem(rules: GameRules) -> bool:
    """Whether a game is limit Texas hold'em with a full deck."""
    cards = (rules.hole_cards, rules.board_cards, len(rules.deck))
    return rules.betting is Betting.LIMIT and cards == (2, (0, 3, 1, 1), 52)
