"""Heads-up limit hold'em cut into streets whose betting has the same shape, so that sixteen are walked at once.

A betting history that comes to a street is a *root*: there are 1, 7, 63 and 567 before the flop, on the flop, on the
turn and on the river. Below the roots of a street the tree looks the same everywhere; only the pot differs. Sixteen
roots make a *batch*, one root in each *lane* of an array. The turn's roots are 4 batches; a river root stands in the
lane of the turn root from which it comes, which makes 4 × 9 batches, so that a walk goes on from the turn to the river
without moving anything.

`TreeSection` is a part of the tree that is walked at once; `TreeLayout` has the row and the lane of every decision's
numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.engine.rules import Betting, GameRules
from railbird.kernels.solve.lanes import LANES
from railbird.kernels.solve.programs import LETTERS
from railbird.strategies.tree import DECISION, PublicTree, public_tree


class UnsolvableGame(ValueError):
    """A game that this solver does not solve."""


@cache
def limit_tree(rules: GameRules) -> PublicTree:
    """The tree of a game, if it is heads-up limit hold'em whose streets have the same betting everywhere."""
    shape = (rules.players, rules.betting, rules.hole_cards, rules.board_cards)
    if shape != (2, Betting.LIMIT, 2, (0, 3, 1, 1)):
        raise UnsolvableGame(f"{rules.name} is not heads-up limit hold'em")
    tree = public_tree(rules)
    histories = len(_preflop_section(tree).following)
    if histories > LANES:
        raise UnsolvableGame(
            f"in {rules.name} {histories} betting histories come to the flop, more than {LANES}"
        )
    for section in (_turn_section(tree), _river_section(tree), _flop_section(tree)):
        if not section.is_uniform:
            raise UnsolvableGame(f"the stacks of {rules.name} are too short for all bets that its caps allow")
    return tree


@dataclass(frozen=True, eq=False)
class TreeSection:
    """A part of the tree, the same below each of its roots: from the first to the last of its rounds."""

    tree: PublicTree
    roots: NDArray[np.int64]
    """The root of every batch and lane, −1 where a lane is empty."""
    last_round: int
    keeps_lanes: bool = False
    """Whether the roots that follow stay in the lanes of those from which they come, a batch for every leaf."""

    @property
    def batches(self) -> int:
        """How many batches of roots there are."""
        return len(self.roots)

    @cached_property
    def size(self) -> int:
        """How many nodes a root has below it, itself and all later rounds counted."""
        return _subtree(self.tree, int(self.roots[0, 0]))

    @cached_property
    def nodes(self) -> tuple[int, ...]:
        """The nodes of the section below a root, counted from it, in preorder; leaves are the roots that follow."""
        first = int(self.roots[0, 0])
        found = []
        waiting = [first]
        while waiting:
            node = waiting.pop()
            found.append(node - first)
            if self.tree.rounds[node] <= self.last_round:
                waiting += [int(child) for child in self.tree.children[node][::-1] if child >= 0]
        return tuple(found)

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The nodes, counted from a root, at which the next round begins."""
        first = int(self.roots[0, 0])
        return tuple(node for node in self.nodes if self.tree.rounds[first + node] > self.last_round)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The nodes, counted from a root, at which a hand ends."""
        first = int(self.roots[0, 0])
        return tuple(node for node in self.nodes if self.tree.kinds[first + node] != DECISION)

    @property
    def is_uniform(self) -> bool:
        """Whether the tree is the same below each root."""
        tree = self.tree
        first = int(self.roots[0, 0])
        span = np.arange(self.size)
        for root in self.roots[self.roots >= 0].tolist():
            if root + self.size > tree.size or _subtree(tree, root) != self.size:
                return False
            for array in (tree.kinds, tree.actors, tree.rounds, tree.folded):
                if not np.array_equal(array[root + span], array[first + span]):
                    return False
        return True

    @cached_property
    def following(self) -> NDArray[np.int64]:
        """The roots that follow, in their order: lane by lane, and leaf by leaf."""
        known = self.roots[self.roots >= 0]
        found: NDArray[np.int64] = (known[:, None] + np.array(self.leaves)).ravel()
        return found

    @cached_property
    def onward(self) -> NDArray[np.int64]:
        """By leaf and lane, the number of the root that follows, −1 where there is none.

        Where lanes are kept, the numbers are those after the first batch, and every later batch adds the number of
        leaves times the lanes. Elsewhere there is one batch, and roots follow each other lane by lane.
        """
        leaves, lanes = np.arange(len(self.leaves))[:, None], np.arange(LANES)
        if self.keeps_lanes:
            found: NDArray[np.int64] = leaves * LANES + lanes
            return found
        return np.where(self.roots[0] >= 0, lanes * len(self.leaves) + leaves, -1)

    def payoffs(self, seat: int) -> NDArray[np.float32]:
        """What a seat wins by batch, end and lane, in small bets; where hands are shown, what it wins or loses."""
        tree, unit = self.tree, self.tree.rules.small_bet
        stakes = np.zeros((self.batches, len(self.ends), LANES), dtype=np.float32)
        for batch, lane in np.argwhere(self.roots >= 0).tolist():
            for place, end in enumerate(self.ends):
                node = self.roots[batch, lane] + end
                has_folded = tree.folded[node] >> seat & 1
                chips = -tree.paid[node, seat] if has_folded else tree.paid[node, 1 - seat]
                stakes[batch, place, lane] = chips / unit
        return stakes


def _subtree(tree: PublicTree, root: int) -> int:
    """How many nodes a node has below it, itself counted."""
    beyond = root + 1
    while beyond < tree.size and tree.parents[beyond] >= root:
        beyond += 1
    return beyond - root


def in_batches(roots: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Roots in batches of sixteen, the last one filled up with −1."""
    batches = -(-len(roots) // LANES)
    found = np.full(batches * LANES, -1, dtype=np.int64)
    found[: len(roots)] = roots
    return found.reshape(batches, LANES)


def _preflop_section(tree: PublicTree) -> TreeSection:
    return TreeSection(tree, in_batches([0]), last_round=0)


def _flop_section(tree: PublicTree) -> TreeSection:
    return TreeSection(tree, in_batches(_preflop_section(tree).following), last_round=1)


def _turn_section(tree: PublicTree, last_round: int = 2) -> TreeSection:
    return TreeSection(tree, in_batches(_flop_section(tree).following), last_round, keeps_lanes=True)


def _river_section(tree: PublicTree) -> TreeSection:
    """River roots in the lanes of their turn roots: a batch for every batch of the turn and every leaf of it."""
    turn = _turn_section(tree)
    roots = [np.where(lanes >= 0, lanes + leaf, -1) for lanes in turn.roots for leaf in turn.leaves]
    return TreeSection(tree, np.array(roots), last_round=3)


class TreeLayout:
    """Where the numbers of every decision are, for given numbers of buckets by street.

    Seats may have different numbers of buckets; then there are two *books*, one of each seat, otherwise one of both.

    Arrays have a row of lanes for every decision, bucket and letter: the numbers of bucket b and letter a of a node
    are in row `rows[node] + 3 * b + a`, lane `lanes[node]`.
    """

    def __init__(self, rules: GameRules, *books: Sequence[int]) -> None:
        self.rules = rules
        self.tree = limit_tree(rules)
        self.books = tuple(tuple(book) for book in books)
        self.preflop = _preflop_section(self.tree)
        self.flop = _flop_section(self.tree)
        self.turn = _turn_section(self.tree)
        self.river = _river_section(self.tree)
        self.turn_and_river = _turn_section(self.tree, last_round=3)
        self.rows = np.full(self.tree.size, -1, dtype=np.int64)
        self.lanes = np.zeros(self.tree.size, dtype=np.int64)
        self.size = 0
        """The number of rows."""
        for street, section in enumerate((self.preflop, self.flop, self.turn, self.river)):
            self._place(section, street)

    def _place(self, section: TreeSection, street: int) -> None:
        first = int(section.roots[0, 0])
        decisions = [
            node
            for node in section.nodes
            if self.tree.kinds[first + node] == DECISION and self.tree.rounds[first + node] == street
        ]
        for roots in section.roots:
            for decision in decisions:
                used = np.flatnonzero(roots >= 0)
                self.rows[roots[used] + decision] = self.size
                self.lanes[roots[used] + decision] = used
                self.size += self.buckets_at(first + decision) * LETTERS

    def book_of(self, seat: int) -> int:
        """Which book is of a seat."""
        return seat % len(self.books)

    def buckets_at(self, node: int) -> int:
        """How many buckets a decision has."""
        return self.books[self.book_of(int(self.tree.actors[node]))][int(self.tree.rounds[node])]

    def numbers(self, array: NDArray[Any], node: int) -> NDArray[Any]:
        """The numbers of a decision in an array: by bucket and letter."""
        count = self.buckets_at(node) * LETTERS
        row = self.rows[node]
        return array[row : row + count, self.lanes[node]].reshape(-1, LETTERS)
