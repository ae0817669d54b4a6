"""Walks of external sampling, node by node, as they are written in the paper (Lanctot and others 2009).

A fifth of the walks may have strangers, who raise whenever they can or act at random. A walk counts in proportion to
how likely it is to have strangers or not.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.tree import DECISION, PublicTree
from reference.hand_referees import eval7_values
from reference.randomness import Generator


class SampledWalks:
    """Regrets and sums of strategies by decision, bucket and letter, and a generator for what is sampled."""

    def __init__(
        self, tree: PublicTree, cards: CardAbstraction, words: Sequence[int], strangers: float = 0.0
    ) -> None:
        self.tree, self.cards, self.strangers = tree, cards, strangers
        self.manners = [""] * tree.rules.players
        self.regrets: dict[tuple[int, int, int], float] = defaultdict(float)
        self.sums: dict[tuple[int, int, int], float] = defaultdict(float)
        self.random = Generator(words)
        self.deck = list(range(52))

    def walk_each(self, weight: float) -> list[float]:
        """A walk of every seat, each with its own deal; what the seats won."""
        return [self.deal_and_walk(seat, weight) for seat in range(self.tree.rules.players)]

    def deal_and_walk(self, seat: int, weight: float) -> float:
        seats = self.tree.rules.players
        self.random.draw_cards(self.deck, 2 * seats + 5)
        holes = [self.deck[2 * each : 2 * each + 2] for each in range(seats)]
        board = self.deck[2 * seats : 2 * seats + 5]
        self.values = [int(value) for value in eval7_values(np.array([[*hole, *board] for hole in holes]))]
        holdings = [max(hole) * (max(hole) - 1) // 2 + min(hole) for hole in holes]
        streets = [self.cards.on_board(board, street) for street in range(4)]
        self.buckets = [[int(street[holding]) for street in streets] for holding in holdings]
        likelihood = self.draw_manners(seat) if self.strangers else 1.0
        return likelihood * self.walk(0, seat, weight * likelihood)

    def draw_manners(self, seat: int) -> float:
        """Decide who is a stranger; how likely this is, divided by how often it is drawn."""
        self.manners = [""] * self.tree.rules.players
        kind = self.chance()
        if kind >= 0.2:
            return (1 - self.strangers) / 0.8
        for other in range(len(self.manners)):
            if other != seat and self.chance() < 0.5:
                self.manners[other] = "raises" if kind < 0.1 else "random"
        return self.strangers / 0.2

    def chance(self) -> float:
        return (self.random.next_word() >> 11) / 2**53

    def walk(self, node: int, seat: int, weight: float) -> float:
        tree = self.tree
        if tree.kinds[node] != DECISION:
            return self.won(node, seat)
        actor = int(tree.actors[node])
        bucket = self.buckets[actor][int(tree.rounds[node])]
        letters = np.flatnonzero(tree.children[node] >= 0).tolist()
        if self.manners[actor] and actor != seat:
            place = -1 if self.manners[actor] == "raises" else int(self.chance() * len(letters))
            return self.walk(int(tree.children[node, letters[place]]), seat, weight)
        positive = [max(self.regrets[node, bucket, letter], 0) for letter in letters]
        whole = sum(positive)
        strategy = [each / whole if whole else 1 / len(letters) for each in positive]
        if actor != seat:
            for letter, share in zip(letters, strategy, strict=True):
                self.sums[node, bucket, letter] += weight * share
            chance = self.chance()
            drawn = next(place for place in range(len(letters)) if chance < sum(strategy[: place + 1]))
            return self.walk(int(tree.children[node, letters[drawn]]), seat, weight)
        values = [self.walk(int(tree.children[node, letter]), seat, weight) for letter in letters]
        mean = sum(share * value for share, value in zip(strategy, values, strict=True))
        for letter, value in zip(letters, values, strict=True):
            self.regrets[node, bucket, letter] += weight * (value - mean)
        return mean

    def won(self, node: int, seat: int) -> float:
        """What a seat wins at the end of a hand, in chips."""
        paid: list[int] = self.tree.paid[node].tolist()
        folded = int(self.tree.folded[node])
        live = [other for other in range(len(paid)) if not folded >> other & 1]
        best = max(self.values[other] for other in live)
        winners = [other for other in live if self.values[other] == best]
        return (sum(paid) / len(winners) if seat in winners else 0) - paid[seat]
