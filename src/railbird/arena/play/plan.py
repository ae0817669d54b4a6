"""What a match is, as frozen data: from a plan alone, any process plays exactly the same hands.

Labels tell players apart; `entrants_of` gives the same agent twice two labels. Deals depend on the seed, the match's
name and the hand only, never on who plays: every seating of a duplicate match and every compared strategy gets the
same cards ("common random numbers").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, permutations
from math import factorial

from railbird.agent import fingerprint
from railbird.rng import Stream

_NUMBER = re.compile(r" [0-9]+$")
_MOST_PERMUTED = 3


class PlanError(ValueError):
    """A match that cannot be played as planned."""


class Duplicate(Enum):
    """In which seatings are the same deals played again?"""

    NONE = "none"
    """Once, as the players sit."""
    ROTATIONS = "rotations"
    """Everyone moves around the table: as many seatings as players."""
    PERMUTATIONS = "permutations"
    """In every order: two seatings heads-up, six with three players."""

    @classmethod
    def usual(cls, players: int) -> "Duplicate":
        """Every order of up to three players; larger tables rotate."""
        return cls.PERMUTATIONS if players <= _MOST_PERMUTED else cls.ROTATIONS

    def count(self, players: int) -> int:
        """The number of seatings at a table of this size."""
        match self:
            case Duplicate.NONE:
                return 1
            case Duplicate.ROTATIONS:
                return players
            case Duplicate.PERMUTATIONS:
                return factorial(players)


class Bust(Enum):
    """What happens to a player without chips where stacks are carried over?"""

    LEAVE = "leave"
    """It is not dealt in any more; the match ends when one player is left."""
    REBUY = "rebuy"
    """It buys its first stack again, which is counted."""


class FaultPolicy(Enum):
    """What becomes of an agent that crashes, is late or acts illegally?"""

    NATIVE = "native"
    """It checks or folds for that decision; after three faults it forfeits: it checks or folds from then on."""
    STRICT = "strict"
    """The match is void."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a match: its label, and the agent (`name:key=value,…`) behind it."""

    label: str
    agent: str
    files: str = ""
    """A digest of the files that the agent's name refers to: with other files it is another player."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an agent in a process of its own may use; None where there is no limit."""

    decision_s: float | None = None
    hand_s: float | None = None
    memory_mb: int | None = None
    open_files: int | None = None

    @property
    def isolates(self) -> bool:
        """Whether agents must have processes of their own."""
        return self != Limits()


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match: who plays what, how often, and under which name below which seed."""

    game: str
    entrants: tuple[Entrant, ...]
    hands: int
    """Deals; a duplicate match plays each of them in every seating."""
    seed: str
    name: tuple[str | int, ...] = ("match", 0)
    """The match's place below the seed: matches with the same name have the same deals."""
    duplicate: Duplicate = Duplicate.NONE
    bust: Bust = Bust.LEAVE
    faults: FaultPolicy = FaultPolicy.NATIVE
    limits: Limits = Limits()
    shuffle: bool = False
    """Whether the players first sit down in an order drawn for this match."""
    snapshot: str = ""
    """A digest of what the players lived through before this match (`arena.play.experience`); empty for nothing."""

    def __post_init__(self) -> None:
        if self.hands < 1:
            raise PlanError(f"a match has at least one hand, not {self.hands}")
        labels = [entrant.label for entrant in self.entrants]
        for label in labels:
            if labels.count(label) > 1:
                raise PlanError(f"two players are called {label!r}")

    @property
    def stream(self) -> Stream:
        """The root of everything random in this match."""
        return Stream.from_seed(self.seed).child(*self.name)

    @property
    def labels(self) -> tuple[str, ...]:
        """The players' labels, as they sit at first."""
        return tuple(entrant.label for entrant in self.entrants)

    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """For every seating, which entrant has which seat."""
        players = self._first_seating()
        match self.duplicate:
            case Duplicate.NONE:
                return (players,)
            case Duplicate.ROTATIONS:
                return tuple(players[shift:] + players[:shift] for shift in range(len(players)))
            case Duplicate.PERMUTATIONS:
                return tuple(permutations(players))

    def _first_seating(self) -> tuple[int, ...]:
        players = range(len(self.entrants))
        if not self.shuffle:
            return tuple(players)
        return tuple(self.stream.child("seats").generator().permutation(len(players)).tolist())


def labels_of(agents: Sequence[str]) -> tuple[str, ...]:
    """Labels of agents: their names, numbered where the same one plays more than once; of a file, the class only.

    >>> labels_of(["random", "always-call", "random", "bot.py:Cautious"])
    ('random 1', 'always-call', 'random 2', 'Cautious')
    """
    names = [agent.partition(".py:")[2] or agent for agent in agents]
    return tuple(
        f"{name} {names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    )


def agent_of_label(label: str) -> str:
    """The name of the agent that plays under a label, without number and parameters; anything for a person's name.

    >>> agent_of_label("pokibot:profile=loose-passive 2")
    'pokibot'
    """
    return _NUMBER.sub("", label).partition(":")[0]


def entrants_of(agents: Sequence[str], *, trusted: bool = False) -> tuple[Entrant, ...]:
    """Agents with their labels and digests of their files, which are read only where their names are trusted.

    >>> [entrant.label for entrant in entrants_of(["random", "random"])]
    ['random 1', 'random 2']
    """
    return tuple(
        Entrant(label, agent, fingerprint(agent, trusted=trusted))
        for label, agent in zip(labels_of(agents), agents, strict=True)
    )


def round_robin(
    entrants: Sequence[Entrant], players: int, matches: int
) -> Iterator[tuple[tuple[str | int, ...], tuple[Entrant, ...]]]:
    """The name of every match and who plays it, where every table of so many players meets as often as asked.

    Every table has deals of its own, so that what a player won at several tables is independent.
    """
    for number in range(matches):
        for group in combinations(entrants, players):
            yield ("match", number, *(one.label for one in group)), group
