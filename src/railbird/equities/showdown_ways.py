"""Methods of computing showdowns: exact ones, each with an estimate of its time, and sampling.

An answer is the weight of the deals for every set of players who share the pot, bit p for player p. Time estimates
are fixed formulas fitted on one core of a small machine, not measurements, so that the same question is answered by
the same method everywhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb, prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE, Card
from railbird.equities.matchups import RUN_OUTS, matchups, stored_matchups
from railbird.hands.evaluator import tables
from railbird.hands.holdings import cards_of
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.hands.isomorphism import RENAMINGS
from railbird.kernels.showdown.equity import count_hands, list_deals, weigh_ranges, weigh_two_ranges
from railbird.kernels.showdown.sampling import sample_ranges
from railbird.rng import Stream

_LISTED_DEALS = 200_000
_CODED_PLAYERS = 6  # 1326⁶ < 2⁶³
_QUICK = 0.05
_BOARDS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class ShowdownQuestion:
    """An equity question: the weights (players × 1,326) of the players' ranges, without blocked holdings."""

    weights: NDArray[np.float64]
    board: tuple[Card, ...] = ()
    dead: tuple[Card, ...] = ()

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.weights)

    def sizes(self) -> list[int]:
        """The number of possible holdings of each player."""
        return [int(np.count_nonzero(row)) for row in self.weights]

    def known_cards(self) -> tuple[Card, ...]:
        """The cards of the players who have only one holding."""
        rows = (np.flatnonzero(row) for row in self.weights)
        return tuple(card for holdings in rows if len(holdings) == 1 for card in cards_of(int(holdings[0])))

    def live_cards(self, others: Sequence[Card] = ()) -> list[Card]:
        """The cards that are neither on the board, nor dead, nor among `others`."""
        gone = {*self.board, *self.dead, *others}
        return [card for card in range(DECK_SIZE) if card not in gone]

    def run_outs(self) -> int:
        """The number of ways to complete the board after a deal of holdings."""
        return comb(len(self.live_cards()) - 2 * self.players, 5 - len(self.board))


@dataclass(frozen=True, slots=True)
class ShowdownAnswer:
    """The weight of every set of players who share the pot, the squared weights, and the number of deals."""

    outcomes: NDArray[np.float64]
    squares: NDArray[np.float64]
    deals: int
    exact: bool


class Way(Protocol):
    """A method of computing the exact answer."""

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        ...

    def answer(self) -> ShowdownAnswer:
        """Take it."""
        ...


def cheapest_way(question: ShowdownQuestion) -> Way:
    """The exact method with the lowest time estimate."""
    ways: list[Way] = [HoldingByHolding(question)]
    if question.players == 2:
        ways.append(InOrderOfValues(question))
        if not question.board and not question.dead:
            ways.append(ByMatchups(question))
    cheapest = min(ways, key=lambda way: way.seconds)
    sizes = question.sizes()
    coded = sum(size > 1 for size in sizes)
    if cheapest.seconds > _QUICK and prod(sizes) <= _LISTED_DEALS and coded <= _CODED_PLAYERS:
        cheapest = min(cheapest, KnownHoldings.of(question), key=lambda way: way.seconds)
    return cheapest


@dataclass(frozen=True, slots=True)
class HoldingByHolding:
    """On every board, every assignment of holdings to players."""

    question: ShowdownQuestion

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        sizes = self.question.sizes()
        return _count_boards(self.question) * (2e-6 + 6e-9 * (sum(sizes) + prod(sizes)))

    def answer(self) -> ShowdownAnswer:
        """Take it."""
        listed = [np.flatnonzero(row) for row in self.question.weights]
        starts = np.cumsum([0, *map(len, listed)])
        holdings = np.concatenate(listed)
        weights = np.concatenate([row[row > 0] for row in self.question.weights])
        outcomes = np.zeros(1 << self.question.players)
        deals = 0
        for boards in _whole_boards(self.question):
            deals += weigh_ranges(boards, starts, holdings, weights, tables(), outcomes)
        return _exactly(outcomes, deals)


@dataclass(frozen=True, slots=True)
class InOrderOfValues:
    """On every board, the holdings of two ranges in the order of their values."""

    question: ShowdownQuestion

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return _count_boards(self.question) * (6e-6 + 30e-9 * len(self._listed()))

    def answer(self) -> ShowdownAnswer:
        """Take it."""
        first, second = self.question.weights
        listed = self._listed()
        outcomes = np.zeros(4)
        for boards in _whole_boards(self.question):
            weigh_two_ranges(boards, listed, first, second, tables(), outcomes)
        return _exactly(outcomes, _disjoint_pairs(first, second) * self.question.run_outs())

    def _listed(self) -> NDArray[np.int64]:
        return np.flatnonzero(self.question.weights.any(axis=0))


@dataclass(frozen=True, slots=True)
class ByMatchups:
    """Two ranges before the flop, by the table of all matchups."""

    question: ShowdownQuestion

    @property
    def seconds(self) -> float:
        """The estimated time in seconds; longer if the table has to be built first."""
        return 0.01 if stored_matchups() is not None else 15.0

    def answer(self) -> ShowdownAnswer:
        """Take it."""
        first, second = self.question.weights
        wins = matchups()
        ours, theirs = np.flatnonzero(first), np.flatnonzero(second)
        won = first[ours] @ wins[np.ix_(ours, theirs)].astype(np.float64) @ second[theirs]
        lost = second[theirs] @ wins[np.ix_(theirs, ours)].astype(np.float64) @ first[ours]
        whole = _disjoint_weight(first, second) * RUN_OUTS
        return _exactly(
            np.array([0.0, won, lost, max(whole - won - lost, 0.0)]),
            _disjoint_pairs(first, second) * RUN_OUTS,
        )


@dataclass(frozen=True, slots=True)
class KnownHoldings:
    """Every run-out for every assignment of holdings, merged where only suits differ."""

    question: ShowdownQuestion
    holdings: NDArray[np.int64]
    """The players' holdings of each assignment."""
    weights: NDArray[np.float64]
    """The weight of each assignment, including those merged into it."""
    deals: int

    @classmethod
    def of(cls, question: ShowdownQuestion) -> "KnownHoldings":
        """List and merge the assignments."""
        sizes = np.array(question.sizes())
        several = np.flatnonzero(sizes > 1)
        listed = [np.flatnonzero(question.weights[player]) for player in several]
        codes = np.empty(prod(map(len, listed)), dtype=np.int64)
        products = np.empty(len(codes))
        if len(several):
            found = list_deals(
                np.cumsum([0, *map(len, listed)]),
                np.concatenate(listed),
                np.concatenate(
                    [question.weights[player][question.weights[player] > 0] for player in several]
                ),
                _harmless_renamings(question),
                codes,
                products,
            )
        else:
            found = 1
            codes[0], products[0] = 0, 1.0
        merged, places = np.unique(codes[:found], return_inverse=True)
        holdings = np.tile(question.weights.argmax(axis=1), (len(merged), 1))
        for number, player in enumerate(reversed(several.tolist())):
            holdings[:, player] = merged // HOLDINGS**number % HOLDINGS
        weights = np.zeros(len(merged))
        np.add.at(weights, places, products[:found])
        # The weight of a player with one holding is a constant factor, so it counts as 1.
        return cls(question, holdings, weights, found * question.run_outs())

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return len(self.weights) * self.question.run_outs() * (6e-9 + 2e-9 * self.question.players)

    def answer(self) -> ShowdownAnswer:
        """Take it."""
        outcomes = np.zeros(1 << self.question.players)
        board = np.array(self.question.board, dtype=np.uint8)
        for holdings, weight in zip(self.holdings, self.weights, strict=True):
            holes = np.column_stack((HIGH_CARDS[holdings], LOW_CARDS[holdings]))
            live = np.array(self.question.live_cards(holes.flatten().tolist()), dtype=np.uint8)
            counts = np.zeros(len(outcomes), dtype=np.int64)
            count_hands(holes, board, live, tables(), counts)
            outcomes += weight * counts
        return _exactly(outcomes, self.deals)


def sampled_answer(question: ShowdownQuestion, samples: int, seed: int | str) -> ShowdownAnswer:
    """The answer from random deals; players with fewer possible holdings are dealt to first."""
    outcomes = np.zeros(1 << question.players)
    squares = np.zeros(1 << question.players)
    sample_ranges(
        question.weights,
        np.argsort(question.sizes(), kind="stable"),
        np.array(question.board, dtype=np.uint8),
        np.array(question.dead, dtype=np.uint8),
        samples,
        Stream.from_seed(seed).child("equity").words(),
        tables(),
        outcomes,
        squares,
    )
    return ShowdownAnswer(outcomes, squares, samples, exact=False)


def _exactly(outcomes: NDArray[np.float64], deals: int) -> ShowdownAnswer:
    return ShowdownAnswer(outcomes, np.zeros(len(outcomes)), deals, exact=True)


def _count_boards(question: ShowdownQuestion) -> int:
    """The number of boards that `_whole_boards` yields."""
    return comb(len(question.live_cards(question.known_cards())), 5 - len(question.board))


def _whole_boards(question: ShowdownQuestion) -> Iterator[NDArray[np.uint8]]:
    """All complete boards that block no known holding, in batches."""
    live = question.live_cards(question.known_cards())
    run_outs = combinations(live, 5 - len(question.board))
    while chunk := [(*question.board, *run_out) for run_out in islice(run_outs, _BOARDS_AT_ONCE)]:
        yield np.array(chunk, dtype=np.uint8)


def _harmless_renamings(question: ShowdownQuestion) -> NDArray[np.uint8]:
    """The renamings of suits that change neither the board nor the dead cards nor any known holding."""
    known = [set(question.board), set(question.dead)]
    known += [set(cards_of(int(row.argmax()))) for row in question.weights if np.count_nonzero(row) == 1]
    harmless = [all({int(each[card]) for card in cards} == cards for cards in known) for each in RENAMINGS]
    return RENAMINGS[harmless]


def _disjoint_weight(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The weight of all pairs of holdings that share no card."""
    of_card = np.bincount(HIGH_CARDS, second, DECK_SIZE) + np.bincount(LOW_CARDS, second, DECK_SIZE)
    # The identical holding is subtracted with both of its cards.
    compatible = second.sum() - of_card[HIGH_CARDS] - of_card[LOW_CARDS] + second
    return float(first @ compatible)


def _disjoint_pairs(first: NDArray[np.float64], second: NDArray[np.float64]) -> int:
    """The number of pairs of holdings with positive weight that share no card."""
    return round(_disjoint_weight((first > 0).astype(np.float64), (second > 0).astype(np.float64)))
