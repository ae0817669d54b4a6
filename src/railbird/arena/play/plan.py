"""The definition of a match as frozen data: from a plan alone, any process plays exactly the same hands.

Labels tell players apart; `entrants_of` gives distinct labels to an agent that plays twice. Deals depend only on the
seed, the match's name and the hand, never on the players: every seating of a duplicate match and every compared
strategy gets the same cards ("common random numbers").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, permutations
from math import factorial, inf

from railbird.agent import GivenAgent, fingerprint, numbered
from railbird.places import without_passwords
from railbird.rng import Stream

_MOST_PERMUTED = 3


class PlanError(ValueError):
    """A match that cannot be played as planned."""


class Duplicate(Enum):
    """The seatings in which each deal is played."""

    NONE = "none"
    """Once, in the given order."""
    ROTATIONS = "rotations"
    """Players move around the table: as many seatings as players."""
    PERMUTATIONS = "permutations"
    """Every order: two seatings heads-up, six with three players."""

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
    """What happens to a player without chips if stacks are carried over."""

    LEAVE = "leave"
    """The player is no longer dealt in; the match ends when one player is left."""
    REBUY = "rebuy"
    """The player buys a new starting stack, which is counted."""


class FaultPolicy(Enum):
    """How to handle an agent that crashes, is late or acts illegally."""

    NATIVE = "native"
    """It checks or folds for that decision; at its third fault it forfeits: it checks or folds from then on."""
    STRICT = "strict"
    """The match is void."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a match: its label, and the agent behind it: `name:key=value,…`, or a `GivenAgent`."""

    label: str
    agent: str
    files: str = ""
    """A digest of the files that the agent's name refers to: with different files it is a different player."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for an agent in a separate process; None for no limit."""

    decision_s: float | None = None
    hand_s: float | None = None
    memory_mb: int | None = None
    open_files: int | None = None

    def __post_init__(self) -> None:
        for what, seconds in (("decision", self.decision_s), ("hand", self.hand_s)):
            if seconds is not None and not 0 < seconds < inf:
                raise PlanError(
                    f"the time for a {what} must be a positive number of seconds, not {seconds:g}"
                )

    @property
    def isolates(self) -> bool:
        """Whether agents must run in separate processes."""
        return self != Limits()


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match: game, players, number of hands, seed and name."""

    game: str
    entrants: tuple[Entrant, ...]
    hands: int
    """Number of deals; a duplicate match plays each of them in every seating."""
    seed: str
    name: tuple[str | int, ...] = ("match", 0)
    """The match's name within the seed: matches with the same name have the same deals."""
    duplicate: Duplicate = Duplicate.NONE
    bust: Bust = Bust.LEAVE
    faults: FaultPolicy = FaultPolicy.NATIVE
    limits: Limits = Limits()
    shuffle: bool = False
    """Whether the initial seating order is drawn for this match."""
    snapshot: str = ""
    """A digest of the players' experience before this match (`arena.play.experience`); empty for none."""
    without_luck: bool = False
    """Whether to count winnings without the luck of the board too (`arena.luck.board`)."""

    def __post_init__(self) -> None:
        if self.hands < 1:
            raise PlanError(f"a match needs at least one hand, not {self.hands}")
        labels = [entrant.label for entrant in self.entrants]
        for label in labels:
            if labels.count(label) > 1:
                raise PlanError(f"two players have the label {label!r}")

    @property
    def stream(self) -> Stream:
        """The root of all randomness in this match."""
        return Stream.from_seed(self.seed).child(*self.name)

    @property
    def labels(self) -> tuple[str, ...]:
        """The players' labels in their initial order."""
        return tuple(entrant.label for entrant in self.entrants)

    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """For each seating, which entrant has which seat."""
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
    """Labels of agents: their names, numbered if an agent plays more than once; for a class, only its name.

    >>> labels_of(["random", "always-call", "random", "bot.py:Cautious"])
    ('random 1', 'always-call', 'random 2', 'Cautious')
    """
    return numbered([without_passwords(_label_of(agent)) for agent in agents])


def _label_of(agent: str) -> str:
    if isinstance(agent, GivenAgent):
        return agent.label
    return agent.partition(".py:")[2] or agent


def entrants_of(agents: Sequence[str], *, trusted: bool = False) -> tuple[Entrant, ...]:
    """Agents with their labels and digests of their files, which are read only if their names are trusted.

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
    """The name and the players of every match when each table of this size meets the given number of times.

    Every table has its own deals, so that a player's winnings at different tables are independent.
    """
    for number in range(matches):
        for group in combinations(entrants, players):
            yield ("match", number, *(one.label for one in group)), group
