"""From hand records to `PlayerStatistics`: one pass over the events of every hand, for all its players at once.

A match runs a collector while it plays, so a hand may cost only a few microseconds: counts are plain ints
(`features.player_counts`), and hand types at the flop are evaluated thousands at a time.

>>> from railbird.engine.games import named_game
>>> from railbird.engine.setup import Setup
>>> from railbird.engine.state import State
>>> from railbird.rng import Stream
>>> state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(7))
>>> _ = state.raise_to(20), state.fold()
>>> collector = StatisticsCollector()
>>> collector.add(HandRecord.of(state, ("caller", "raiser")))
>>> statistics = collector.statistics()["raiser"]
>>> statistics.net, statistics.pfr, statistics.uncontested_wins
(10, Share(count=1, of=1), Share(count=1, of=1))
"""

from dataclasses import dataclass
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from railbird.arena.results.statistics import (
    ActionCounts,
    PlayerStatistics,
    Share,
    StatisticsError,
    Winnings,
)
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import Chips, Return
from railbird.engine.record import HandRecord
from railbird.engine.rules import ROUND_NAMES
from railbird.engine.state import State
from railbird.features.flop_types import FlopTypes, no_types
from railbird.features.player_counts import (
    ASKED,
    AT_TWO_BETS,
    FLOPS,
    HANDS,
    PFR,
    PLAYED,
    SHOWDOWNS,
    SHOWDOWNS_WON,
    THREE_BETS,
    UNCONTESTED,
    VPIP,
    Counts,
    count_record,
    decisions_in,
    is_finished,
    no_counts,
)

_End: TypeAlias = tuple[BettingNode, tuple[str, ...], tuple[Chips, ...]]
"""How a hand ended: the end of its betting, the players by position, and what they won."""
_MOST_ENDS = 1 << 14


class _Player:
    """The counts for one label so far."""

    __slots__ = ("counts", "net", "type_hands", "type_nets")

    def __init__(self) -> None:
        self.counts = no_counts()
        self.net: Chips = 0
        self.type_hands, self.type_nets = no_types()

    def statistics(self) -> PlayerStatistics:
        # Adding to an empty value turns whole sums back into ints.
        return PlayerStatistics() + PlayerStatistics(
            net=self.net,
            flop_types=tuple(map(Winnings, self.type_hands, self.type_nets)),
            **play_of(self.counts),
        )


def play_of(counts: Counts) -> dict[str, Any]:
    """The fields of `PlayStatistics`, from the counts of a player."""
    hands = counts[HANDS]
    return {
        "hands": hands,
        "played": Share(counts[PLAYED], hands),
        "won": Share(counts[UNCONTESTED] + counts[SHOWDOWNS_WON], hands),
        "uncontested_wins": Share(counts[UNCONTESTED], hands),
        "showdowns_seen": Share(counts[SHOWDOWNS], hands),
        "showdowns_won": Share(counts[SHOWDOWNS_WON], counts[SHOWDOWNS]),
        "flops_seen": Share(counts[FLOPS], hands),
        "vpip": Share(counts[VPIP], counts[ASKED]),
        "pfr": Share(counts[PFR], counts[ASKED]),
        "three_bet": Share(counts[THREE_BETS], counts[AT_TWO_BETS]),
        "rounds": tuple(ActionCounts(*decisions_in(counts, number)) for number in range(len(ROUND_NAMES))),
    }


@dataclass(frozen=True, slots=True)
class _Shape:
    """The counts determined by the betting of a finished hand alone, seat by seat."""

    rows: tuple[tuple[tuple[int, int], ...], ...]
    """The entries that count, and how much."""
    showdown: tuple[int, ...]
    """The seats that showed down."""
    contested: tuple[int, ...]
    """What each seat paid, excluding returned uncalled bets: a seat won something if its loss is less than that."""
    at_flop: tuple[int, ...]
    """The seats whose hand types at the flop count."""

    @classmethod
    def of(cls, state: State) -> "_Shape":
        """Counted once, like any hand, with one label per seat."""
        labels = tuple(map(str, range(state.rules.players)))
        collector = StatisticsCollector(hand_types=False)
        record = HandRecord.of(state, labels)
        collector.add(record)
        rows = [collector._players[label].counts for label in labels]
        contested = list(state.paid)
        for event in record.events:
            if type(event) is Return:
                contested[event.seat] -= event.amount
        board = state.rules.board_cards
        typed = state.rules.hole_cards == 2 and len(board) > 1 and board[:2] == (0, 3)
        return cls(
            rows=tuple(
                tuple((entry, count) for entry, count in enumerate(row) if count and entry != SHOWDOWNS_WON)
                for row in rows
            ),
            showdown=tuple(seat for seat, row in enumerate(rows) if row[SHOWDOWNS]),
            contested=tuple(contested),
            at_flop=tuple(seat for seat, row in enumerate(rows) if row[FLOPS]) if typed else (),
        )


_SHAPES: WeakKeyDictionary[BettingNode, _Shape] = WeakKeyDictionary()
"""The shapes of all betting situations that exist, for the collectors of all matches."""


def _shape(state: State) -> _Shape:
    found = _SHAPES.get(state.node)
    if found is None:
        found = _SHAPES[state.node] = _Shape.of(state)
    return found


def _is_shared(node: BettingNode) -> bool:
    """Whether other hands may end in the same node object: only nodes of frequent paths are kept."""
    if node.reached_by is None:
        return True
    before, action = node.reached_by
    return before.following.get(action) is node


class StatisticsCollector:
    """Takes finished hands one at a time; `statistics` returns the statistics so far, label by label."""

    def __init__(self, *, hand_types: bool = True) -> None:
        self.hand_types = hand_types
        self._players: dict[str, _Player] = {}
        self._shapes: dict[BettingNode, _Shape] = {}
        self._hits: dict[_End, int] = {}
        """How often hands ended in the same way."""
        self._flops: FlopTypes[_Player] = FlopTypes()

    def statistics(self) -> dict[str, PlayerStatistics]:
        """Everyone's statistics, ordered by label."""
        self._flops.count()
        self._count_hits()
        return {label: player.statistics() for label, player in sorted(self._players.items())}

    def add(self, record: HandRecord) -> None:
        """Count a finished hand; one that is not over is refused."""
        if not is_finished(record):
            raise StatisticsError(f"hand {record.hand_id} is not over, and only finished hands count")
        players = self._seated(record.players)
        counted = count_record(record, [player.counts for player in players])
        for player, chips in zip(players, counted.chips, strict=True):
            player.net += chips
        if self.hand_types:
            self._flops.add_hand(players, counted)

    def add_state(self, state: State, labels: tuple[str, ...], payoffs: tuple[Chips, ...]) -> None:
        """Count a finished hand from its state: hands that end in the same way are counted together later.

        Each hand adds only what depends on its cards: the hand types at the flop.
        """
        end = (state.node, labels, payoffs)
        try:
            self._hits[end] += 1
        except KeyError:
            if not _is_shared(state.node):
                self.add(HandRecord.of(state, labels))
                return
            if len(self._hits) == _MOST_ENDS:
                self._count_hits()
            self._hits[end] = 1
        shape = self._shapes.get(state.node)
        if shape is None:
            shape = self._shapes[state.node] = _shape(state)
        if shape.at_flop and self.hand_types:
            players = self._seated(labels)
            cards = bytes(state.cards)
            start = 2 * len(labels)
            flop = cards[start : start + 3]
            for seat in shape.at_flop:
                self._flops.add(players[seat], cards[2 * seat : 2 * seat + 2] + flop, payoffs[seat])

    def _count_hits(self) -> None:
        for (node, labels, payoffs), times in self._hits.items():
            shape = self._shapes[node]
            players = self._seated(labels)
            for player, payoff, row in zip(players, payoffs, shape.rows, strict=True):
                player.net += times * payoff
                for entry, count in row:
                    player.counts[entry] += times * count
            for seat in shape.showdown:
                if payoffs[seat] + shape.contested[seat] > 0:
                    players[seat].counts[SHOWDOWNS_WON] += times
        self._hits.clear()
        self._shapes.clear()

    def _seated(self, labels: tuple[str, ...]) -> list[_Player]:
        known = self._players
        try:
            return [known[label] for label in labels]
        except KeyError:
            for label in labels:
                known.setdefault(label, _Player())
            return [known[label] for label in labels]
