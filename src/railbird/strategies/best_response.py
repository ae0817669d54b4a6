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
from math import comb

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, HIGH_CARDS, LOW_CARDS
from railbird.hands.isomorphism import BOARDS, board, board_deals
from railbird.strategies.flop_walk import SEATS, FlopWalk, Opponent
from railbird.strategies.table_strategy import TableStrategy
from railbird.strategies.tree import UNCONTESTED


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
class IntervalEstimate:
    """A figure with the ends of its 95 % interval; without sampling they are the same."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Exploitability:
    """What a best response wins, in thousandths of a big blind per hand, as the mean of both seats."""

    best: IntervalEstimate
    own_preflop: IntervalEstimate
    flops: int


class Responder:
    """The best response to a strategy, of both seats; flops are independent of each other."""

    def __init__(self, strategy: TableStrategy) -> None:
        self.strategy = strategy
        self.rules = strategy.tree.rules
        self.opponent = Opponent(strategy)
        self._combos = np.bincount(CLASS_OF_HOLDING[~self.opponent.dead_holdings()], minlength=CLASSES)
        tree = strategy.tree
        self._meetings = {
            (seat, node): self._meeting(self.opponent.preflop_ranges[seat, node])
            for seat in range(SEATS)
            for node in np.flatnonzero((tree.rounds == 0) & (tree.kinds == UNCONTESTED)).tolist()
        }
        """By seat that answers and node at which somebody folds before the flop: how probably classes come there."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of seats, of betting histories that come to the flop, and of classes of holdings."""
        return SEATS, int((self.opponent.layout.flop.roots >= 0).sum()), CLASSES

    def respond_to_flop(self, flop: Sequence[Card], weight: int = 1) -> FlopValues:
        """What the best response of either seat wins below a flop that stands for `weight` flops."""
        live = ~self.opponent.dead_holdings(flop)
        sums = np.zeros(self.shape)
        for seat in range(SEATS):
            values = FlopWalk(self.opponent, seat, flop).values()
            for history in range(self.shape[1]):
                won = values[:, history].astype(np.float64) * live / comb(len(self.rules.deck) - 5, 2)
                sums[seat, history] = np.bincount(CLASS_OF_HOLDING, won, CLASSES)
        held = np.bincount(CLASS_OF_HOLDING[live], minlength=CLASSES)
        return FlopValues(tuple(flop), weight, sums, held)

    def combine(self, found: Sequence[FlopValues]) -> Exploitability:
        """The exploitability of the strategy, estimated from sampled flops, or exactly from all of them.

        The interval is that of the jackknife: each flop left out in turn.
        """
        sums = np.array([each.weight * each.sums for each in found])
        held = np.array([each.weight * each.holdings for each in found])
        all_sums, all_held = sums.sum(axis=0), held.sum(axis=0)
        whole = self._whole_game(all_sums, all_held)
        spread = np.zeros(2)
        count = len(found)
        if count > 1 and sum(each.weight for each in found) < comb(len(self.rules.deck), 3):
            without = [
                self._whole_game(all_sums - sums[place], all_held - held[place]) for place in range(count)
            ]
            spread = np.sqrt((count - 1) * np.var(without, axis=0))
        best, own_preflop = (
            IntervalEstimate(float(mean), float(mean - 1.96 * error), float(mean + 1.96 * error))
            for mean, error in zip(whole, spread, strict=True)
        )
        return Exploitability(best, own_preflop, count)

    def _whole_game(self, sums: NDArray[np.float64], held: NDArray[np.int64]) -> NDArray[np.float64]:
        """What the best response wins, and what it wins with the strategy's own play before the flop, mbb/h."""
        at_flop = sums / np.maximum(held, 1)
        combos = self._combos / self._combos.sum()
        won = [
            [self._before_flop(0, seat, at_flop[seat], own) @ combos for seat in range(SEATS)]
            for own in (False, True)
        ]
        means: NDArray[np.float64] = 1000 * np.mean(won, axis=1) * self.rules.small_bet / self.rules.big_blind
        return means

    def _before_flop(
        self, node: int, seat: int, at_flop: NDArray[np.float64], own: bool
    ) -> NDArray[np.float64]:
        """What every class of holdings wins from a node before the flop, in small bets."""
        tree = self.strategy.tree
        if tree.kinds[node] == UNCONTESTED:
            has_folded = tree.folded[node] >> seat & 1
            chips = -tree.paid[node, seat] if has_folded else tree.paid[node, 1 - seat]
            return self._meetings[seat, node] * (float(chips) / self.rules.small_bet)
        if tree.rounds[node] == 1:
            return at_flop[self.opponent.layout.flop.roots[0].tolist().index(node)]  # type: ignore[no-any-return]
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

    def _meeting(self, by_class: NDArray[np.float64]) -> NDArray[np.float64]:
        """How probably each class meets an opponent that plays its classes with given probabilities."""
        live = ~self.opponent.dead_holdings()
        reach = by_class[CLASS_OF_HOLDING] * live
        by_card = np.bincount(HIGH_CARDS, reach, DECK_SIZE) + np.bincount(LOW_CARDS, reach, DECK_SIZE)
        met = (reach.sum() - by_card[HIGH_CARDS] - by_card[LOW_CARDS] + reach) * live
        sums = np.bincount(CLASS_OF_HOLDING, met, CLASSES)
        return sums / np.maximum(self._combos, 1) / comb(len(self.rules.deck) - 2, 2)


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
