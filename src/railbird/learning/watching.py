"""Watching: every decision of a watched player whose hole cards are known becomes a case.

A case is the system's description of the situation, the player's action and its outcome, both in the system's terms;
the outcome is unknown if the hand was not played to its end. The riders of a case are the hand's id, the player, the
hole cards, the board at that moment, the file, and those that the system adds. Hands of a game that the system does not
play, hands watched before, and hands of a player whose cards are unknown are skipped and counted.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from railbird.agents.system import Described, System
from railbird.cards import format_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack
from railbird.engine.events import Award, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.state import UNKNOWN
from railbird.notation.records import digest_of
from railbird.observation import Observation

RIDERS = ("hand", "player", "cards", "board", "source")
"""The riders of every case: the hand's id, the player, the hole cards, the board and the file."""


class WatchingError(ValueError):
    """Hands from which nothing can be learnt as requested."""


@dataclass(slots=True)
class Watched:
    """The counts of one player."""

    hands: int = 0
    """Hands of the player that count."""
    unknown: int = 0
    """Number of these that were skipped because cards are unknown."""
    cases: int = 0


@dataclass(slots=True)
class HandCounts:
    """The counts of hands."""

    hands: int = 0
    """All hands that could be read."""
    duplicates: int = 0
    other_games: int = 0
    without_player: int = 0
    """Hands without a watched player."""
    unknown: int = 0
    """Hands skipped, for at least one watched player, because cards are unknown."""
    unfinished: int = 0
    """Hands whose outcome is unknown."""
    names: dict[str, None] = field(default_factory=dict)
    """All players, in the order of their first hands."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A decision on its way to its case base."""

    stage: str
    described: Described
    seat: int
    riders: tuple[str, ...]


class Watcher:
    """Takes hands one at a time and collects the cases of some players, or of all if none are given."""

    def __init__(self, system: System, players: Iterable[str] = ()) -> None:
        self.system = system
        self.counts = HandCounts()
        self.players: dict[str, Watched] = {name: Watched() for name in players}
        """The watched players."""
        self._everybody = not self.players
        self._describer = system.begin()
        self._digests: set[bytes] = set()
        self._bases = {stage: CaseBase(schema) for stage, schema in system.table.schemas.items()}
        self._riders: dict[str, dict[str, list[str]]] = {
            stage: {name: [] for name in (() if system.merges else (*RIDERS, *system.riders))}
            for stage in self._bases
        }

    @property
    def cases(self) -> int:
        """The number of cases so far."""
        return sum(map(len, self._bases.values()))

    def add(self, record: HandRecord, source: str = "") -> None:
        """Watch a hand; one that does not follow the rules raises an `ActionError` and changes nothing."""
        digest = digest_of(record)
        if digest in self._digests:
            self.counts.hands += 1
            self.counts.duplicates += 1
            return
        fits = self.system.fits(record.rules)
        seats = {
            seat: name for seat, name in enumerate(record.players) if self._everybody or name in self.players
        }
        known = _seats_with_cards(record) & seats.keys() if seats else set()
        decisions = list(self._decisions(record, known, source)) if fits and known else []
        if fits:
            self._describer.follow(record)
        outcomes = _outcomes(record)
        self._digests.add(digest)
        self.counts.hands += 1
        self.counts.names.update(dict.fromkeys(record.players))
        if not seats:
            self.counts.without_player += 1
            return
        if not fits:
            self.counts.other_games += 1
            return
        self.counts.unknown += len(known) < len(seats)
        self.counts.unfinished += bool(decisions) and outcomes is None
        for seat, name in seats.items():
            watched = self.players.setdefault(name, Watched())
            watched.hands += 1
            watched.unknown += seat not in known
        for decision in decisions:
            self._keep(decision, outcomes, seats[decision.seat])

    def _decisions(self, record: HandRecord, known: set[int], source: str) -> Iterator[_Seen]:
        """The decisions of players whose cards are known."""
        for state, act in record.states():
            if act.seat not in known:
                continue
            observation = Observation.of(state, act.seat, record.players)
            described = self._describer.describe(observation, act.action)
            yield _Seen(
                self.system.table.stages[observation.round],
                described,
                act.seat,
                (
                    record.hand_id,
                    record.players[act.seat],
                    format_cards(observation.hole_cards),
                    format_cards(observation.board),
                    source,
                    *described.riders,
                ),
            )

    def _keep(self, seen: _Seen, outcomes: tuple[float, ...] | None, name: str) -> None:
        described = seen.described
        outcome = None if outcomes is None else described.outcome(outcomes[seen.seat])
        merges = self.system.merges
        self._bases[seen.stage].add(described.attributes, described.solution, outcome, merge=merges)
        for column, value in zip(self._riders[seen.stage].values(), seen.riders, strict=not merges):
            column.append(value)
        self.players[name].cases += 1

    def pack(self, recipe: Mapping[str, Any]) -> Pack:
        """The cases so far."""
        return Pack(self.system.name, self._bases, self._riders, recipe)


def _outcomes(record: HandRecord) -> tuple[float, ...] | None:
    """What each player won or lost in the unit of the game, a small bet at limit; None if the hand is not over."""
    if not record.events or not isinstance(record.events[-1], Award | Return | Reveal):
        return None
    return tuple(float(Fraction(chips) / record.rules.unit_chips) for chips in record.payoffs)


def _seats_with_cards(record: HandRecord) -> set[int]:
    """The seats whose hole cards are known."""
    size, cards = record.rules.hole_cards, record.cards
    return {seat for seat in range(len(record.players)) if UNKNOWN not in cards[seat * size :][:size]}
