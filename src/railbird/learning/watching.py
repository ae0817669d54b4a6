"""Watching: every decision of a watched player whose hole cards are known becomes a case.

A case is the system's description of the situation, the player's action and its outcome, both in the system's terms;
the outcome is unknown if the hand was not played to its end. The riders of a case are the hand's id, the player, the
hole cards, the board at that moment, the file, and those that the system adds. Hands of a game that the system does not
play, hands watched before, and hands of a player whose cards are unknown are skipped and counted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from railbird.agents.system import Described, System
from railbird.cards import Card, format_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack
from railbird.engine.events import Award, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.state import UNKNOWN, State
from railbird.notation.digests import DigestSet
from railbird.notation.records import digest_of
from railbird.notation.refusals import Refused
from railbird.observation import Observation, Views
from railbird.store.names import unknown_player

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
    games: dict[str, int] = field(default_factory=dict)
    """The number of hands that were watched, by the name of their game."""


@dataclass(frozen=True, slots=True)
class SeenDecision:
    """A decision of a watched player."""

    stage: str
    described: Described
    observation: Observation
    record: HandRecord
    source: str

    @property
    def player(self) -> str:
        """Whose decision it is."""
        return self.record.players[self.observation.seat]

    @property
    def riders(self) -> tuple[str, ...]:
        """The riders of its case."""
        return (
            self.record.hand_id,
            self.player,
            format_cards(self.observation.hole_cards),
            format_cards(self.observation.board),
            self.source,
            *self.described.riders,
        )


Keep: TypeAlias = Callable[[SeenDecision, float | None], None]
"""Takes a decision and its outcome, None if it is unknown."""


class Collection:
    """Decisions as the cases of a system, by stage: single ones with riders, or merged ones without."""

    def __init__(self, system: System, *, merges: bool) -> None:
        self.system = system
        self._merges = merges
        self.bases = {stage: CaseBase(schema) for stage, schema in system.table.schemas.items()}
        self._riders: dict[str, dict[str, list[str]]] = {
            stage: {} if merges else {name: [] for name in (*RIDERS, *system.riders)} for stage in self.bases
        }

    def add(self, seen: SeenDecision, outcome: float | None) -> None:
        """Add a decision and its outcome, None if it is unknown."""
        described = seen.described
        self.bases[seen.stage].add(described.attributes, described.solution, outcome, merge=self._merges)
        if not self._merges:
            for column, value in zip(self._riders[seen.stage].values(), seen.riders, strict=True):
                column.append(value)

    def pack(self, recipe: Mapping[str, Any]) -> Pack:
        """The cases as a pack."""
        return Pack(self.system.name, self.bases, self._riders, recipe)


class Watcher:
    """Takes hands one at a time and collects the decisions of some players, or of all if none are given.

    With `keep`, decisions and their outcomes are passed to it and not collected here; `also` gets them in any case.
    """

    def __init__(
        self,
        system: System,
        players: Iterable[str] = (),
        keep: Keep | None = None,
        also: Keep | None = None,
    ) -> None:
        self.system = system
        self.counts = HandCounts()
        self.players: dict[str, Watched] = {name: Watched() for name in players}
        """The watched players."""
        self._everybody = not self.players
        self._describer = system.begin()
        self._collection = Collection(system, merges=system.merges)
        self._keep = keep or self._collection.add
        self._also = also
        self._digests = DigestSet()

    @property
    def cases(self) -> int:
        """The number of decisions so far."""
        return sum(watched.cases for watched in self.players.values())

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
        cards = record.cards
        known = {seat for seat in seats if _are_known(record, cards, seat)}
        decisions = list(self._decisions(record, cards, known, source)) if fits and known else []
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
        self.counts.games[record.rules.name] = self.counts.games.get(record.rules.name, 0) + 1
        self.counts.unknown += len(known) < len(seats)
        self.counts.unfinished += bool(decisions) and outcomes is None
        for seat, name in seats.items():
            watched = self.players.setdefault(name, Watched())
            watched.hands += 1
            watched.unknown += seat not in known
        for seen in decisions:
            seat = seen.observation.seat
            outcome = None if outcomes is None else seen.described.outcome(outcomes[seat])
            self._keep(seen, outcome)
            if self._also is not None:
                self._also(seen, outcome)
            self.players[seats[seat]].cases += 1

    def _decisions(
        self, record: HandRecord, cards: tuple[Card, ...], known: set[int], source: str
    ) -> Iterator[SeenDecision]:
        """The decisions of players whose cards are known."""
        state = State(record.setup, cards)
        views = Views(state, record.players)
        stages, describe = self.system.table.stages, self._describer.describe
        for act in record.replay(state):
            if act.seat in known:
                observation = views.of(act.seat)
                described = describe(observation, act.action)
                yield SeenDecision(stages[observation.round], described, observation, record, source)

    def pack(self, recipe: Mapping[str, Any]) -> Pack:
        """The cases so far."""
        return self._collection.pack(recipe)


def require_cases(name: str, players: Sequence[str], watcher: Watcher, refused: Refused) -> None:
    """Raise an error if a watched name does not occur, or if there are no cases."""
    counts = watcher.counts
    if not counts.hands:
        first = f"; {refused.first[0]}" if refused.first else ""
        raise WatchingError(f"{name}: no hand can be read{first}")
    for player in players:
        if player not in counts.names:
            raise unknown_player(player, counts.names, name)
    if watcher.cases:
        return
    system = watcher.system
    if counts.other_games + counts.without_player + counts.duplicates == counts.hands:
        of_all = (
            "the one hand is not" if counts.other_games == 1 else f"none of {counts.other_games:,} hands is"
        )
        raise WatchingError(f"{name}: {of_all} {system.game}, which {system.name} learns from")
    if counts.unknown:
        who = f"the hole cards of {' and '.join(players)}" if players else "hole cards"
        hands = "1 hand" if counts.unknown == 1 else f"{counts.unknown:,} hands"
        raise WatchingError(
            f"{name}: {who} are not known in any hand ({hands} skipped), so there is nothing to learn"
        )
    raise WatchingError(f"{name}: the watched players made no decisions")


def _outcomes(record: HandRecord) -> tuple[float, ...] | None:
    """What each player won or lost in the unit of the game, a small bet at limit; None if the hand is not over."""
    if not record.events or not isinstance(record.events[-1], Award | Return | Reveal):
        return None
    unit = record.rules.unit_chips
    return tuple([float(chips / unit) for chips in record.payoffs])


def _are_known(record: HandRecord, cards: tuple[Card, ...], seat: int) -> bool:
    """Whether a seat's hole cards are known."""
    size = record.rules.hole_cards
    return UNKNOWN not in cards[seat * size : (seat + 1) * size]
