"""From hand records to `PlayerStatistics`: one pass over the events of every hand, for all its players at once.

A match keeps a collector running while it plays, so a hand may cost a few microseconds only: counts are ints in one
list for each player, sets of seats are bits, and hand types at the flop are evaluated thousands at a time.

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from railbird.arena.results.statistics import (
    ActionCounts,
    PlayerStatistics,
    Share,
    StatisticsError,
    Winnings,
)
from railbird.cards import Card
from railbird.engine.actions import ActionKind
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import Act, Award, Chips, DealBoard, DealHole, Event, Post, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import ROUND_NAMES
from railbird.engine.state import State
from railbird.hands.evaluator import evaluate_batch
from railbird.hands.types import TYPE_OF_VALUE, HandType
from railbird.kernels.rules.betting import HIGH

_FLOP_HAND = 5
_FLOPS_AT_ONCE = 1 << 14
_MOST_SHAPES = 1 << 14

# Entries of a player's counts; after them come the decisions, five entries for each betting round.
(
    _HANDS,
    _PLAYED,
    _UNCONTESTED,
    _FLOPS,
    _SHOWDOWNS,
    _SHOWDOWNS_WON,
    _ASKED,
    _VPIP,
    _PFR,
    _AT_TWO_BETS,
    _THREE_BETS,
    _DECISIONS,
) = range(12)
_FOLDS, _CHECKS, _CALLS, _BETS, _RAISES = range(5)
_KINDS = 5
_ENTRIES = _DECISIONS + _KINDS * len(ROUND_NAMES)


class _Player:
    """What was counted for one label so far."""

    __slots__ = ("counts", "net", "type_hands", "type_nets")

    def __init__(self) -> None:
        self.counts = [0] * _ENTRIES
        self.net: Chips = 0
        self.type_hands = [0] * len(HandType)
        self.type_nets: list[Chips] = [0] * len(HandType)

    def statistics(self) -> PlayerStatistics:
        counts = self.counts
        hands = counts[_HANDS]
        won = counts[_UNCONTESTED] + counts[_SHOWDOWNS_WON]
        decisions = [counts[start : start + _KINDS] for start in range(_DECISIONS, _ENTRIES, _KINDS)]
        # Adding to nothing turns sums that are whole again into ints.
        return PlayerStatistics() + PlayerStatistics(
            hands=hands,
            net=self.net,
            played=Share(counts[_PLAYED], hands),
            won=Share(won, hands),
            uncontested_wins=Share(counts[_UNCONTESTED], hands),
            showdowns_seen=Share(counts[_SHOWDOWNS], hands),
            showdowns_won=Share(counts[_SHOWDOWNS_WON], counts[_SHOWDOWNS]),
            flops_seen=Share(counts[_FLOPS], hands),
            vpip=Share(counts[_VPIP], counts[_ASKED]),
            pfr=Share(counts[_PFR], counts[_ASKED]),
            three_bet=Share(counts[_THREE_BETS], counts[_AT_TWO_BETS]),
            rounds=tuple(ActionCounts(*kinds) for kinds in decisions),
            flop_types=tuple(map(Winnings, self.type_hands, self.type_nets)),
        )


@dataclass(frozen=True, slots=True)
class _Shape:
    """What the betting of a finished hand settles by itself, seat by seat."""

    rows: tuple[tuple[tuple[int, int], ...], ...]
    """The entries that count, and how much."""
    showdown: tuple[int, ...]
    """The seats that showed down."""
    contested: tuple[int, ...]
    """What each seat paid without what came back uncalled: winning anything at all is more than losing that."""
    at_flop: tuple[int, ...]
    """The seats whose hand types at the flop count."""

    @classmethod
    def of(cls, state: State) -> "_Shape":
        """Counted once, like any hand, with a label for every seat."""
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
                tuple((entry, count) for entry, count in enumerate(row) if count and entry != _SHOWDOWNS_WON)
                for row in rows
            ),
            showdown=tuple(seat for seat, row in enumerate(rows) if row[_SHOWDOWNS]),
            contested=tuple(contested),
            at_flop=tuple(seat for seat, row in enumerate(rows) if row[_FLOPS]) if typed else (),
        )


def _is_shared(node: BettingNode) -> bool:
    """Whether other hands may end in the very same node: only nodes of beaten paths are kept."""
    if node.reached_by is None:
        return True
    before, action = node.reached_by
    return before.following.get(action) is node


class StatisticsCollector:
    """Takes finished hands one at a time; `statistics` tells what they came to so far, label by label."""

    def __init__(self, *, hand_types: bool = True) -> None:
        self.hand_types = hand_types
        self._players: dict[str, _Player] = {}
        self._shapes: dict[BettingNode, _Shape] = {}
        self._hits: dict[tuple[BettingNode, tuple[str, ...]], int] = {}
        """How often hands with these labels ended in these situations."""
        self._flop_cards = bytearray()
        self._flop_winnings: list[tuple[_Player, Chips]] = []
        """Whose five cards those are, and what the hand brought."""

    def statistics(self) -> dict[str, PlayerStatistics]:
        """Everyone's statistics, ordered by label."""
        self._evaluate_flops()
        self._count_hits()
        return {label: player.statistics() for label, player in sorted(self._players.items())}

    def add(self, record: HandRecord) -> None:
        """Count a finished hand; one that is not over is refused."""
        # All of it is one function on purpose: calls for each event would cost more than the counting.
        events: Sequence[Event] = record.events
        if not events or type(events[-1]) not in _LAST_EVENTS:
            raise StatisticsError(f"hand {record.hand_id} is not over, and only finished hands count")
        if 0 in record.rules.board_cards[1:]:
            events = tuple(_with_every_round(record))
        players = self._seated(record.players)
        seats = len(players)
        rows = [player.counts for player in players]
        chips: list[Chips] = [0] * seats
        holes: list[tuple[Card, ...] | None] = [None] * seats
        flop: tuple[Card, ...] = ()

        # Sets of seats, as bits.
        everyone = (1 << seats) - 1
        folded = at_flop = winners = asked = played = vpip = pfr = at_two_bets = three_bets = 0
        bets = 1 if record.setup.tree.root.view[HIGH] else 0  # of this round; blinds are one bet
        decisions = _DECISIONS  # where this round's decisions are counted
        fold, call = ActionKind.FOLD, ActionKind.CALL
        for event in events:
            if type(event) is Act:
                seat = event.seat
                bit = 1 << seat
                kind = event.kind
                if decisions == _DECISIONS:
                    asked |= bit
                    if bets == 2:
                        at_two_bets |= bit
                if kind is fold:
                    rows[seat][decisions + _FOLDS] += 1
                    folded |= bit
                elif kind is call:
                    paid = event.paid
                    if paid:
                        rows[seat][decisions + _CALLS] += 1
                        chips[seat] -= paid
                        played |= bit
                    else:
                        rows[seat][decisions + _CHECKS] += 1
                else:
                    rows[seat][decisions + (_RAISES if bets else _BETS)] += 1
                    chips[seat] -= event.paid
                    played |= bit
                    if decisions == _DECISIONS:
                        pfr |= bit
                        if bets == 2:
                            three_bets |= bit
                    bets += 1
            elif type(event) is DealHole:
                holes[event.seat] = event.cards
            elif type(event) is DealBoard:
                number = event.round
                if number:
                    bets = 0
                    decisions = _DECISIONS + _KINDS * number
                    if number == 1:
                        vpip = played
                        at_flop = everyone & ~folded
                if number <= 1:
                    flop += event.cards
            elif type(event) is Award:
                chips[event.seat] += event.amount
                winners |= 1 << event.seat
            elif type(event) is Post:
                chips[event.seat] -= event.amount
            elif type(event) is Return:
                chips[event.seat] += event.amount

        if decisions == _DECISIONS:
            vpip = played
        live = everyone & ~folded
        # live & (live − 1) strikes one seat: is another one left?
        showdown = live if live & (live - 1) else 0
        for seat, row in enumerate(rows):
            bit = 1 << seat
            row[_HANDS] += 1
            players[seat].net += chips[seat]
            if asked & bit:
                row[_ASKED] += 1
                if vpip & bit:
                    row[_VPIP] += 1
                    if pfr & bit:
                        row[_PFR] += 1
                if at_two_bets & bit:
                    row[_AT_TWO_BETS] += 1
                    if three_bets & bit:
                        row[_THREE_BETS] += 1
            if played & bit:
                row[_PLAYED] += 1
            if at_flop & bit:
                row[_FLOPS] += 1
            if live & bit:
                if showdown:
                    row[_SHOWDOWNS] += 1
                    if winners & bit:
                        row[_SHOWDOWNS_WON] += 1
                else:
                    row[_UNCONTESTED] += 1
        if at_flop and self.hand_types and len(flop) == 3:
            self._remember_flop(players, holes, flop, chips, at_flop)

    def add_state(self, state: State, labels: tuple[str, ...], payoffs: tuple[Chips, ...]) -> None:
        """Count a finished hand from its state: what hands with the same betting share is counted once for all.

        Only what the cards decide is left for each hand: who won how much, and the hand types at the flop.
        """
        node = state.node
        shape = self._shapes.get(node)
        if shape is None:
            if not _is_shared(node):
                self.add(HandRecord.of(state, labels))
                return
            if len(self._shapes) == _MOST_SHAPES:
                self._count_hits()
            shape = self._shapes[node] = _Shape.of(state)
        players = self._seated(labels)
        key = (node, labels)
        self._hits[key] = self._hits.get(key, 0) + 1
        for player, payoff in zip(players, payoffs, strict=True):
            player.net += payoff
        for seat in shape.showdown:
            if payoffs[seat] + shape.contested[seat] > 0:
                players[seat].counts[_SHOWDOWNS_WON] += 1
        if shape.at_flop and self.hand_types:
            cards = bytes(state.cards)
            start = 2 * len(labels)
            flop = cards[start : start + 3]
            for seat in shape.at_flop:
                self._flop_cards += cards[2 * seat : 2 * seat + 2] + flop
                self._flop_winnings.append((players[seat], payoffs[seat]))
            if len(self._flop_winnings) >= _FLOPS_AT_ONCE:
                self._evaluate_flops()

    def _count_hits(self) -> None:
        for (node, labels), times in self._hits.items():
            for player, row in zip(self._seated(labels), self._shapes[node].rows, strict=True):
                counts = player.counts
                for entry, count in row:
                    counts[entry] += times * count
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

    def _remember_flop(
        self,
        players: list[_Player],
        holes: list[tuple[Card, ...] | None],
        flop: tuple[Card, ...],
        chips: list[Chips],
        at_flop: int,
    ) -> None:
        for seat, hole in enumerate(holes):
            if at_flop >> seat & 1 and hole is not None and len(hole) == 2:
                self._flop_cards += bytes(hole + flop)
                self._flop_winnings.append((players[seat], chips[seat]))
        if len(self._flop_winnings) >= _FLOPS_AT_ONCE:
            self._evaluate_flops()

    def _evaluate_flops(self) -> None:
        """Count what was remembered by hand type."""
        # A copy: a buffer that numpy looks into cannot be emptied.
        cards = np.frombuffer(bytes(self._flop_cards), dtype=np.uint8).reshape(-1, _FLOP_HAND)
        types = TYPE_OF_VALUE[evaluate_batch(cards, check_distinct=False)].tolist()
        for (player, net), kind in zip(self._flop_winnings, types, strict=True):
            player.type_hands[kind] += 1
            player.type_nets[kind] += net
        self._flop_cards.clear()
        self._flop_winnings.clear()


_LAST_EVENTS = frozenset((Award, Return, Reveal))
"""What a finished hand ends with. A blind or ante that nobody matched goes back and may leave nothing to award."""


def _with_every_round(record: HandRecord) -> Iterator[Event]:
    """The events of a game in which some round brings no board cards, with an empty board where it begins."""
    rounds_decided_in = (state.round for state, _ in record.states())
    number = 0
    for event in record.events:
        opened = number
        if type(event) is Act:
            opened = next(rounds_decided_in)
        elif type(event) is DealBoard:
            opened = event.round - 1
        for silent in range(number + 1, opened + 1):
            yield DealBoard(silent, ())
        number = event.round if type(event) is DealBoard else opened
        yield event
