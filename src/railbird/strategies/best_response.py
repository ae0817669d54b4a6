"""The true best response to a table strategy in heads-up limit hold'em, flop by flop.

The seat that answers knows its exact holding; nothing is abstracted on its side. Below one flop everything is exact:
all turns and rivers, of those that differ only in the names of suits one. A sample of flops gives an estimate for the
whole game, with an interval; all 1,755 flops give the exact value.

1. `respond_to_flop` finds for a flop and both seats what every holding wins from every betting history before the flop.
2. `combine` averages over flops, answers before the flop, and adds up.

The answer before the flop, chosen with the values of sampled flops, is too good for them (`best` has an upward bias).
`own_preflop` has none: there the answering seat plays the strategy's own part before the flop, and its best response
from the flop on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.evaluator import tables as evaluator_tables
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, HIGH_CARDS, HOLDINGS, LOW_CARDS, blocked_by
from railbird.hands.isomorphism import BOARDS, board, board_deals
from railbird.kernels.hands.isomorphism import RENAMINGS
from railbird.kernels.solve import boards, responses
from railbird.kernels.solve.lanes import aligned_zeros
from railbird.strategies.streets import Layout, Section, write_program
from railbird.strategies.table_strategy import TableStrategy
from railbird.strategies.tree import UNCONTESTED

SEATS = 2
_DECK = 52


def _renamed_holdings() -> NDArray[np.int64]:
    """By renaming of suits, what every holding becomes."""
    one, other = RENAMINGS[:, HIGH_CARDS].astype(np.int64), RENAMINGS[:, LOW_CARDS].astype(np.int64)
    high, low = np.maximum(one, other), np.minimum(one, other)
    renamed: NDArray[np.int64] = high * (high - 1) // 2 + low
    return renamed


_RENAMED = _renamed_holdings()


@dataclass(frozen=True, slots=True)
class FlopValues:
    """What the best response wins below a flop."""

    flop: tuple[Card, ...]
    weight: int
    """How many flops this one stands for."""
    sums: NDArray[np.float64]
    """By seat, betting history before the flop and class of holdings: the values of the class's holdings, added up."""
    holdings: NDArray[np.int64]
    """By class, how many holdings the flop leaves."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with the ends of its 95 % interval; without sampling they are the same."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Exploitability:
    """What a best response wins, in thousandths of a big blind per hand, as the mean of both seats."""

    best: Estimate
    own_preflop: Estimate
    flops: int


class Responder:
    """The best response to a strategy, of both seats; flops are independent of each other."""

    def __init__(self, strategy: TableStrategy) -> None:
        self.strategy = strategy
        self.rules = strategy.tree.rules
        self.layout = Layout(self.rules, strategy.cards.buckets)
        self.deck = frozenset(self.rules.deck)
        self._table = strategy.in_lanes(self.layout)
        self._buckets = strategy.cards.tables()
        sections = (self.layout.flop, self.layout.turn, self.layout.river)
        self._down = [self._programs(section, up=False) for section in sections[:2]]
        self._up = [self._programs(section, down=False) for section in sections]
        self._payoffs = [[section.payoffs(seat) for seat in range(SEATS)] for section in sections]
        self._depth = max(write_program(self.layout, section, 0).depth for section in sections)

    def _programs(self, section: Section, *, down: bool = True, up: bool = True) -> list[NDArray[np.int64]]:
        return [write_program(self.layout, section, seat, down=down, up=up).steps for seat in range(SEATS)]

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of seats, of betting histories that come to the flop, and of classes of holdings."""
        return SEATS, int((self.layout.flop.roots >= 0).sum()), CLASSES

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

    def respond_to_flop(self, flop: Sequence[Card], weight: int = 1) -> FlopValues:
        """What the best response of either seat wins below a flop that stands for `weight` flops."""
        live = ~self._dead(flop)
        sums = np.zeros(self.shape)
        for seat in range(SEATS):
            values = _FlopWalk(self, seat, flop).values()
            for history in range(self.shape[1]):
                won = values[:, history].astype(np.float64) * live / comb(len(self.deck) - 5, 2)
                sums[seat, history] = np.bincount(CLASS_OF_HOLDING, won, CLASSES)
        held = np.bincount(CLASS_OF_HOLDING[live], minlength=CLASSES)
        return FlopValues(tuple(flop), weight, sums, held)

    def _dead(self, cards: Sequence[Card]) -> NDArray[np.bool_]:
        """The holdings that cards block, or that are not in the deck."""
        return blocked_by([*cards, *(card for card in range(_DECK) if card not in self.deck)])

    def combine(self, found: Sequence[FlopValues]) -> Exploitability:
        """The exploitability of the strategy, estimated from sampled flops, or exactly from all of them."""
        whole = np.array([self._whole_game(found, own=own) for own in (False, True)])
        spread = np.zeros(2)
        count = len(found)
        if count > 1 and sum(each.weight for each in found) < comb(len(self.deck), 3):
            without = [found[:place] + found[place + 1 :] for place in range(count)]  # type: ignore[operator]
            left = np.array([[self._whole_game(part, own=own) for own in (False, True)] for part in without])
            spread = np.sqrt((count - 1) / count * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
        best, own_preflop = (
            Estimate(float(mean), float(mean - 1.96 * error), float(mean + 1.96 * error))
            for mean, error in zip(whole, spread, strict=True)
        )
        return Exploitability(best, own_preflop, count)

    def _whole_game(self, found: Sequence[FlopValues], *, own: bool) -> float:
        """What the best response wins, mbb/h, mean of both seats; with the strategy's own play before the flop."""
        weights = np.array([each.weight for each in found], dtype=np.float64)
        held = np.einsum("f,fc->c", weights, np.array([each.holdings for each in found]))
        sums = np.einsum("f,fshc->shc", weights, np.array([each.sums for each in found]))
        at_flop = sums / np.maximum(held, 1)
        combos = np.bincount(CLASS_OF_HOLDING[~self._dead(())], minlength=CLASSES)
        won = [
            self._before_flop(0, seat, at_flop[seat], own) @ combos / combos.sum() for seat in range(SEATS)
        ]
        return 1000 * float(np.mean(won)) * self.rules.small_bet / self.rules.big_blind

    def _before_flop(
        self, node: int, seat: int, at_flop: NDArray[np.float64], own: bool
    ) -> NDArray[np.float64]:
        """What every class of holdings wins from a node before the flop, in small bets."""
        tree = self.strategy.tree
        if tree.kinds[node] == UNCONTESTED:
            has_folded = tree.folded[node] >> seat & 1
            chips = -tree.paid[node, seat] if has_folded else tree.paid[node, 1 - seat]
            met: NDArray[np.float64] = self._meetings(self.preflop_ranges[seat, node])
            return met * (float(chips) / self.rules.small_bet)
        if tree.rounds[node] == 1:
            return at_flop[self.layout.flop.roots[0].tolist().index(node)]  # type: ignore[no-any-return]
        children = tree.children[node].tolist()
        possible = [letter for letter, child in enumerate(children) if child >= 0]
        values = np.array([self._before_flop(children[letter], seat, at_flop, own) for letter in possible])
        won: NDArray[np.float64]
        if tree.actors[node] != seat:
            won = values.sum(axis=0)
        elif own:
            won = (values * self.strategy.probabilities(node)[:, possible].T).sum(axis=0)
        else:
            won = values.max(axis=0)
        return won

    def _meetings(self, by_class: NDArray[np.float64]) -> NDArray[np.float64]:
        """How probably each class meets an opponent that plays its classes with given probabilities."""
        live = ~self._dead(())
        reach = by_class[CLASS_OF_HOLDING] * live
        by_card = np.bincount(HIGH_CARDS, reach, _DECK) + np.bincount(LOW_CARDS, reach, _DECK)
        met = (reach.sum() - by_card[HIGH_CARDS] - by_card[LOW_CARDS] + reach) * live
        combos = np.bincount(CLASS_OF_HOLDING[live], minlength=CLASSES)
        sums = np.bincount(CLASS_OF_HOLDING, met, CLASSES)
        return sums / np.maximum(combos, 1) / comb(len(self.deck) - 2, 2)


class _FlopWalk:
    """The best response of one seat below one flop."""

    def __init__(self, responder: Responder, seat: int, flop: Sequence[Card]) -> None:
        self.responder, self.seat, self.flop = responder, seat, tuple(flop)
        layout, depth = responder.layout, responder._depth
        self.room = responses.Room(
            aligned_zeros((1 + depth) * HOLDINGS),
            aligned_zeros((1 + 3 * depth) * HOLDINGS),
            aligned_zeros(_DECK),
        )
        self.turn_ranges = aligned_zeros(layout.turn.batches, HOLDINGS)
        self.turn_values = aligned_zeros(layout.turn.batches, HOLDINGS)
        self.river_ranges = aligned_zeros(layout.river.batches, HOLDINGS)
        self.river_values = aligned_zeros(layout.river.batches, HOLDINGS)
        self.board, self.board_room = boards.empty_board(), boards.board_room(1)

    def values(self) -> NDArray[np.float32]:
        """What every holding wins, by holding and betting history, summed over the opponent's holdings."""
        responder, seat = self.responder, self.seat
        roots = responder.layout.flop.roots[0]
        ranges = aligned_zeros(HOLDINGS)
        for lane in np.flatnonzero(roots >= 0).tolist():
            ranges[:, lane] = responder.preflop_ranges[seat, roots[lane]][CLASS_OF_HOLDING]
        ranges[responder._dead(self.flop)] = 0
        hands = self._hands(self.flop, responder._buckets.flop)
        self._walk(0, responder._down[0], 0, hands, ranges, self.turn_ranges)
        keeping = _keeping(self.flop, range(len(RENAMINGS)), responder.deck)
        to_come = len(responder.deck) - 7
        for turn, images in _orbits(responder.deck - set(self.flop), keeping):
            self._after_turn(turn, images, to_come)
        self._walk(0, responder._up[0], 0, hands, ranges, self.turn_values)
        return self.room.values[:HOLDINGS]

    def _after_turn(self, turn: Card, images: list[int], to_come: int) -> None:
        """Add the values of a turn and of those that are the same up to suits to the values of the turn's roots."""
        responder = self.responder
        cards = (*self.flop, turn)
        dead = responder._dead(cards)
        hands = self._hands(cards, responder._buckets.turn)
        ranges = self.turn_ranges.copy()
        ranges[:, dead] = 0
        self.river_ranges[:] = self.river_values[:] = 0
        for batch in range(len(ranges)):
            self._walk(1, responder._down[1], batch, hands, ranges[batch], self.river_ranges)
        keeping = _keeping(
            self.flop, _keeping((turn,), range(len(RENAMINGS)), responder.deck), responder.deck
        )
        for river, river_images in _orbits(responder.deck - set(cards), keeping):
            responses.respond_on_river(
                responder._up[2][self.seat],
                np.array((*cards, river), dtype=np.uint8),
                _RENAMED[river_images],
                evaluator_tables(),
                responder._buckets.river,
                responder._payoffs[2][self.seat],
                responder._table,
                self.river_ranges,
                self.river_values,
                self.board,
                self.board_room,
                self.room,
            )
        self.river_values *= np.float32(1 / (to_come - 1))
        for batch in range(len(ranges)):
            self._walk(1, responder._up[1], batch, hands, ranges[batch], self.river_values)
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
        layout = self.responder.layout
        section = (layout.flop, layout.turn)[street]
        self.room.reach[:HOLDINGS] = ranges
        responses.respond(
            programs[self.seat],
            batch,
            hands,
            self.responder._payoffs[street][self.seat],
            self.responder._table,
            passing,
            section.onward,
            self.room,
        )

    def _hands(self, cards: Sequence[Card], table: NDArray[np.uint16]) -> responses.Hands:
        buckets = np.empty(HOLDINGS, dtype=np.int64)
        boards.buckets_of_board(np.array(cards, dtype=np.uint8), table, buckets)
        return responses.Hands(
            HIGH_CARDS.astype(np.int64),
            LOW_CARDS.astype(np.int64),
            np.maximum(buckets, 0),  # blocked holdings have no weight, whatever their bucket
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


def sampled_flops(count: int, seed: int) -> list[tuple[tuple[Card, ...], int]]:
    """A systematic sample of flops, more probable the more flops are the same up to suits.

    Flops are put in the order of their suits, pairs and ranks, and taken at even distances from a random start, so
    that every kind has about its share. A flop may come more than once.
    """
    everything = [board(index, 3) for index in range(BOARDS[3])]
    deals = np.array([board_deals(index, 3) for index in range(BOARDS[3])])
    order = sorted(range(BOARDS[3]), key=lambda index: _kind(everything[index]))
    beyond = np.cumsum(deals[order])
    start = np.random.default_rng(seed).random()
    picks = np.searchsorted(beyond, (start + np.arange(count)) / count * beyond[-1], side="right")
    return [(everything[order[pick]], 1) for pick in picks.tolist()]


def all_flops() -> list[tuple[tuple[Card, ...], int]]:
    """All flops up to suits, and how many each of them stands for."""
    return [(board(index, 3), board_deals(index, 3)) for index in range(BOARDS[3])]


def _kind(flop: tuple[Card, ...]) -> tuple[int, ...]:
    ranks = sorted((card >> 2 for card in flop), reverse=True)
    return (len({card & 3 for card in flop}), len(set(ranks)), *ranks)
