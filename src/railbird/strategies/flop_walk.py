"""The best response below one flop: all turns and rivers, of those that are the same up to suits one."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, HIGH_CARDS, HOLDINGS, LOW_CARDS, blocked_by
from railbird.kernels.hands.isomorphism import RENAMINGS
from railbird.kernels.solve import boards, buckets, responses
from railbird.kernels.solve.lanes import aligned_zeros
from railbird.strategies.programs import write_program
from railbird.strategies.streets import TreeLayout, TreeSection
from railbird.strategies.table_strategy import TableStrategy

SEATS = 2


def _renamed_holdings() -> NDArray[np.int64]:
    """By renaming of suits, what every holding becomes."""
    one, other = RENAMINGS[:, HIGH_CARDS].astype(np.int64), RENAMINGS[:, LOW_CARDS].astype(np.int64)
    high, low = np.maximum(one, other), np.minimum(one, other)
    renamed: NDArray[np.int64] = high * (high - 1) // 2 + low
    return renamed


_RENAMED = _renamed_holdings()


class Opponent:
    """A table strategy as the walks below flops read it."""

    def __init__(self, strategy: TableStrategy) -> None:
        self.strategy = strategy
        self.layout = TreeLayout(strategy.tree.rules, strategy.cards.buckets)
        self.deck = frozenset(strategy.tree.rules.deck)
        self.table = strategy.in_lanes(self.layout)
        self.buckets = strategy.cards.tables()
        sections = (self.layout.flop, self.layout.turn, self.layout.river)
        self.down = [self._programs(section, up=False) for section in sections[:2]]
        """By street from the flop on, and by the seat that answers: the programs that hand the ranges down."""
        self.up = [self._programs(section, down=False) for section in sections]
        """The programs that take the values up."""
        self.payoffs = [[section.payoffs(seat) for seat in range(SEATS)] for section in sections]
        self.depth = max(write_program(self.layout, section, 0).depth for section in sections)

    def _programs(
        self, section: TreeSection, *, down: bool = True, up: bool = True
    ) -> list[NDArray[np.int64]]:
        return [write_program(self.layout, section, seat, down=down, up=up).steps for seat in range(SEATS)]

    @cached_property
    def preflop_ranges(self) -> NDArray[np.float64]:
        """By seat that answers, and node before and at the flop: how probably the other seat plays there, by class."""
        tree = self.strategy.tree
        known = np.zeros((SEATS, tree.size, CLASSES))
        known[:, 0] = 1
        for node in tree.decisions[tree.rounds[tree.decisions] == 0].tolist():
            probabilities = self.strategy.probabilities(node)
            for letter, child in enumerate(tree.children[node].tolist()):
                if child >= 0:
                    known[:, child] = known[:, node]
                    known[1 - tree.actors[node], child] *= probabilities[:, letter]
        return known

    def dead_holdings(self, cards: Sequence[Card] = ()) -> NDArray[np.bool_]:
        """The holdings that cards block, or that are not in the deck."""
        return blocked_by([*cards, *(card for card in range(DECK_SIZE) if card not in self.deck)])


class FlopWalk:
    """The best response of one seat below one flop."""

    def __init__(self, opponent: Opponent, seat: int, flop: Sequence[Card]) -> None:
        self.opponent, self.seat, self.flop = opponent, seat, tuple(flop)
        layout, depth = opponent.layout, opponent.depth
        self.room = responses.Room(
            aligned_zeros((1 + depth) * HOLDINGS),
            aligned_zeros((1 + 3 * depth) * HOLDINGS),
            aligned_zeros(DECK_SIZE),
        )
        self.turn_ranges = aligned_zeros(layout.turn.batches, HOLDINGS)
        self.turn_values = aligned_zeros(layout.turn.batches, HOLDINGS)
        self.river_ranges = aligned_zeros(layout.river.batches, HOLDINGS)
        self.river_values = aligned_zeros(layout.river.batches, HOLDINGS)
        self.board, self.board_room = boards.empty_board(), boards.board_room()
        self.bucket_room = buckets.bucket_room(1)

    def values(self) -> NDArray[np.float32]:
        """What every holding wins, by holding and betting history, summed over the opponent's holdings."""
        opponent, seat = self.opponent, self.seat
        roots = opponent.layout.flop.roots[0]
        ranges = aligned_zeros(HOLDINGS)
        for lane in np.flatnonzero(roots >= 0).tolist():
            ranges[:, lane] = opponent.preflop_ranges[seat, roots[lane]][CLASS_OF_HOLDING]
        ranges[opponent.dead_holdings(self.flop)] = 0
        hands = self._hands(self.flop, opponent.buckets.flop)
        self._walk(0, opponent.down[0], 0, hands, ranges, self.turn_ranges)
        keeping = _keeping(self.flop, range(len(RENAMINGS)), opponent.deck)
        to_come = len(opponent.deck) - 7
        for turn, images in _orbits(opponent.deck - set(self.flop), keeping):
            self._after_turn(turn, images, to_come)
        self._walk(0, opponent.up[0], 0, hands, ranges, self.turn_values)
        return self.room.values[:HOLDINGS]

    def _after_turn(self, turn: Card, images: list[int], to_come: int) -> None:
        """Add the values of a turn and of those that are the same up to suits to the values of the turn's roots."""
        opponent = self.opponent
        cards = (*self.flop, turn)
        dead = opponent.dead_holdings(cards)
        hands = self._hands(cards, opponent.buckets.turn)
        ranges = self.turn_ranges.copy()
        ranges[:, dead] = 0
        self.river_ranges[:] = self.river_values[:] = 0
        for batch in range(len(ranges)):
            self._walk(1, opponent.down[1], batch, hands, ranges[batch], self.river_ranges)
        keeping = _keeping(self.flop, _keeping((turn,), range(len(RENAMINGS)), opponent.deck), opponent.deck)
        for river, river_images in _orbits(opponent.deck - set(cards), keeping):
            responses.respond_on_river(
                opponent.up[2][self.seat],
                np.array((*cards, river), dtype=np.uint8),
                _RENAMED[river_images],
                evaluator_tables(),
                opponent.buckets,
                opponent.payoffs[2][self.seat],
                opponent.table,
                self.river_ranges,
                self.river_values,
                self.board,
                self.board_room,
                self.bucket_room,
                self.room,
            )
        self.river_values *= np.float32(1 / (to_come - 1))
        for batch in range(len(ranges)):
            self._walk(1, opponent.up[1], batch, hands, ranges[batch], self.river_values)
            won = self.room.values[:HOLDINGS] * np.float32(1 / to_come)
            won[dead] = 0
            for image in images:
                # Renaming is one to one: no holding is named twice.
                self.turn_values[batch][_RENAMED[image]] += won

    def _walk(
        self,
        street: int,
        programs: list[NDArray[np.int64]],
        batch: int,
        hands: responses.Hands,
        ranges: NDArray[np.float32],
        passing: NDArray[np.float32],
    ) -> None:
        layout = self.opponent.layout
        section = (layout.flop, layout.turn)[street]
        self.room.reach[:HOLDINGS] = ranges
        responses.respond(
            programs[self.seat],
            batch,
            hands,
            self.opponent.payoffs[street][self.seat],
            self.opponent.table,
            passing,
            section.onward,
            self.room,
        )

    def _hands(self, cards: Sequence[Card], table: NDArray[np.uint16]) -> responses.Hands:
        found = np.empty(HOLDINGS, dtype=np.int64)
        buckets.buckets_of_board(np.array(cards, dtype=np.uint8), table, found)
        return responses.Hands(
            HIGH_CARDS.astype(np.int64),
            LOW_CARDS.astype(np.int64),
            np.maximum(found, 0),  # blocked holdings have no weight, whatever their bucket
            np.zeros(1, dtype=np.int64),
        )


def _keeping(cards: Sequence[Card], renamings: Sequence[int], deck: frozenset[Card]) -> list[int]:
    """Of some renamings of suits, those that change neither a set of cards nor the deck."""
    known = set(cards)
    return [
        each
        for each in renamings
        if {int(RENAMINGS[each, card]) for card in known} == known
        and {int(RENAMINGS[each, card]) for card in deck} == deck
    ]


def _orbits(cards: frozenset[Card], renamings: Sequence[int]) -> list[tuple[Card, list[int]]]:
    """One of all cards that are the same up to renamings, with a renaming that leads to each of these."""
    found = []
    left = sorted(cards)
    while left:
        images: dict[Card, int] = {}
        for each in renamings:
            images.setdefault(int(RENAMINGS[each, left[0]]), each)
        found.append((left[0], list(images.values())))
        left = [card for card in left if card not in images]
    return found
