"""Games whose deals can all be listed, such as Kuhn and Leduc poker: exact values and exact best responses.

Every deal is followed through the betting tree at once, as one column of an array. An *information set* is what a
seat knows when it is to act: its hole cards, the open board and the betting, which is a node of the tree. A *profile*
is an array with a row of probabilities over the letters of the tree for every information set of every seat.

    game = SmallGame(named_game("leduc-2p"))
    profile = game.uniform()
    game.values(profile)            chips won by every seat
    game.exploitability(profile)    what best responses win, on average over the seats
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.hands.evaluator import tables
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import PARTS
from railbird.kernels.rules.showdown import settle
from railbird.strategies.tree import DECISION, PublicTree, public_tree

MOST_DEALS = 200_000


class TooManyDeals(ValueError):
    """A game with too many deals to list."""


@dataclass(frozen=True, slots=True)
class InformationSet:
    """What a seat knows when it is to act."""

    seat: int
    node: int
    hole: tuple[Card, ...]
    board: tuple[Card, ...]


class SmallGame:
    """A game with all its deals: hole cards and boards without regard to the order in which they are dealt."""

    def __init__(self, rules: GameRules, tree: PublicTree | None = None) -> None:
        self.rules = rules
        self.tree = public_tree(rules) if tree is None else tree
        self.deals = _all_deals(rules)
        """A row of cards for every deal: everyone's hole cards, then the board."""
        self.information_sets: list[InformationSet] = []
        self.sets_of_node = np.full((self.tree.size, len(self.deals)), -1, dtype=np.int32)
        """By node and deal, the information set of the seat to act."""
        self._list_information_sets()
        legal = self.tree.children >= 0
        self.legal: NDArray[np.bool_] = legal[[each.node for each in self.information_sets]]
        """Which letters are possible in every information set."""

    def _list_information_sets(self) -> None:
        hole, start = self.rules.hole_cards, self.rules.players * self.rules.hole_cards
        known: dict[tuple[int, int], tuple[list[list[Card]], NDArray[np.int64]]] = {}
        for node in self.tree.decisions.tolist():
            seat, number = int(self.tree.actors[node]), int(self.tree.rounds[node])
            if (seat, number) not in known:
                board = self.deals[:, start : start + self.rules.board_size(number)]
                seen = np.hstack((self.deals[:, seat * hole : seat * hole + hole], board))
                rows, places = np.unique(seen, axis=0, return_inverse=True)
                known[seat, number] = rows.tolist(), places.ravel()
            cards, places = known[seat, number]
            self.sets_of_node[node] = len(self.information_sets) + places
            self.information_sets += [
                InformationSet(seat, node, tuple(row[:hole]), tuple(row[hole:])) for row in cards
            ]

    @cached_property
    def payoffs(self) -> NDArray[np.float64]:
        """Chips won by every seat, by seat, node and deal; 0 where the hand goes on."""
        rules, setup = self.rules, Setup.of(self.rules)
        won = np.zeros((rules.players, self.tree.size, len(self.deals)))
        parts = np.zeros(betting.MOST_SEATS, dtype=np.int64)
        for node in np.flatnonzero(self.tree.kinds != DECISION).tolist():
            state = setup.opening.copy()
            folded = int(self.tree.folded[node])
            state[betting.FOLDED] = folded
            state[betting.LIVE] = rules.players - folded.bit_count()
            state[betting.PAID : betting.PAID + rules.players] = self.tree.paid[node]
            state[betting.POT] = self.tree.paid[node].sum()
            for place, cards in enumerate(self.deals):
                settle(setup.rules_vector, state, cards, tables(), parts)
                won[:, node, place] = parts[: rules.players] / PARTS
        return won

    def uniform(self) -> NDArray[np.float64]:
        """The profile in which every seat does everything that is possible with the same probability."""
        shares: NDArray[np.float64] = self.legal / self.legal.sum(axis=1, keepdims=True)
        return shares

    def reaches(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """With which probability every seat plays to a node, by seat, node and deal."""
        tree = self.tree
        reaches = np.ones((self.rules.players, tree.size, len(self.deals)))
        for nodes in tree.levels:
            for letter, parents, children in self._steps(nodes):
                reaches[:, children] = reaches[:, parents]
                chosen = profile[self.sets_of_node[parents], letter]
                reaches[tree.actors[parents], children] *= chosen
        return reaches

    def node_values(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """Chips that every seat wins from a node on, by seat, node and deal."""
        values = self.payoffs.copy()
        for nodes in reversed(self.tree.levels):
            for letter, parents, children in self._steps(nodes):
                values[:, parents] += profile[self.sets_of_node[parents], letter] * values[:, children]
        return values

    def values(self, profile: NDArray[np.float64]) -> NDArray[np.float64]:
        """Chips that every seat wins per hand."""
        won: NDArray[np.float64] = self.node_values(profile)[:, 0].mean(axis=1)
        return won

    def best_response(self, profile: NDArray[np.float64], seat: int) -> tuple[float, NDArray[np.float64]]:
        """What a seat wins per hand by the best answer to the others, and the profile with that answer."""
        tree, letters = self.tree, self.tree.children.shape[1]
        reaches = self.reaches(profile)
        others = np.delete(reaches, seat, axis=0).prod(axis=0)
        values = self.payoffs[seat].copy()
        answer = profile.copy()
        for nodes in reversed(tree.levels):
            gains = np.full((len(self.information_sets), letters), -np.inf)
            own = nodes[tree.actors[nodes] == seat]
            for letter, parents, children in self._steps(own):
                sets = self.sets_of_node[parents]
                found = np.bincount(sets.ravel(), (others[parents] * values[children]).ravel(), len(gains))
                present = np.unique(sets)
                gains[present, letter] = found[present]
            present = np.unique(self.sets_of_node[own])
            answer[present] = np.eye(letters)[gains[present].argmax(axis=1)]
            for letter, parents, children in self._steps(nodes):
                values[parents] += answer[self.sets_of_node[parents], letter] * values[children]
        return float(values[0].mean()), answer

    def exploitability(self, profile: NDArray[np.float64]) -> float:
        """How many chips per hand best responses win more than the profile does, on average over the seats."""
        seats = range(self.rules.players)
        best = [self.best_response(profile, seat)[0] for seat in seats]
        return float(np.mean(np.array(best) - self.values(profile)))

    def _steps(self, nodes: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int32]]]:
        """For every letter, the nodes at which it is possible and where it leads from there."""
        for letter in range(self.tree.children.shape[1]):
            following = self.tree.children[nodes, letter]
            possible = following >= 0
            if possible.any():
                yield letter, nodes[possible], following[possible]


def _all_deals(rules: GameRules) -> NDArray[np.int64]:
    """All deals, equally likely; a hole or a round's board is a set of cards."""
    parts = [rules.hole_cards] * rules.players + [cards for cards in rules.board_cards if cards]
    deals: list[tuple[Card, ...]] = [()]
    for size in parts:
        longer = []
        for dealt in deals:
            left = [card for card in rules.deck if card not in dealt]
            longer += [dealt + cards for cards in combinations(left, size)]
            if len(longer) > MOST_DEALS:
                raise TooManyDeals(
                    f"{rules.name} has more than {MOST_DEALS:,} deals, too many to list all of them"
                )
        deals = longer
    return np.array(deals, dtype=np.int64)
