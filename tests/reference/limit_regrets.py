"""Regret minimisation on one board, node by node and holding by holding, as it is written in the papers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from railbird.strategies.tree import DECISION, SHOWDOWN, PublicTree
from reference.hand_referees import eval7_values


@dataclass
class Tables:
    """Regrets and sums of strategies, by node: an array by bucket and letter."""

    regrets: dict[int, NDArray[np.float64]] = field(default_factory=dict)
    sums: dict[int, NDArray[np.float64]] = field(default_factory=dict)


class BoardGame:
    """The game after a board has been drawn: all holdings of both seats, and who beats whom."""

    def __init__(self, tree: PublicTree, cards: tuple[int, ...]) -> None:
        self.tree = tree
        live = [card for card in range(52) if card not in cards]
        self.holes = np.array(list(combinations(live, 2)))
        values = eval7_values(np.column_stack((self.holes, np.tile(cards, (len(self.holes), 1)))))
        values = np.asarray(values, dtype=np.int64)
        shared = (self.holes[:, None, :, None] == self.holes[None, :, None, :]).any(axis=(2, 3))
        self.meets = (~shared).astype(np.float64)
        self.beats = np.sign(values[:, None] - values[None, :]) * self.meets

    def holdings(self) -> NDArray[np.int64]:
        """The holdings as the rest of the project numbers them."""
        low, high = self.holes.min(axis=1), self.holes.max(axis=1)
        numbers: NDArray[np.int64] = high * (high - 1) // 2 + low
        return numbers

    def end_value(self, node: int, seat: int, reach: NDArray[np.float64]) -> NDArray[np.float64]:
        """What every holding of a seat wins at the end of a hand, in small bets."""
        paid = self.tree.paid[node] / self.tree.rules.small_bet
        if self.tree.kinds[node] == SHOWDOWN:
            won: NDArray[np.float64] = paid[1 - seat] * (self.beats @ reach)
            return won
        has_folded = self.tree.folded[node] >> seat & 1
        taken: NDArray[np.float64] = (-paid[seat] if has_folded else paid[1 - seat]) * (self.meets @ reach)
        return taken

    def improve(
        self,
        tables: Tables,
        books: Sequence[dict[int, NDArray[np.int64]]],
        counts: Sequence[tuple[int, ...]],
        seat: int,
        weight: float,
        node: int,
        reach: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Update the regrets of a seat and the averages of its opponent below a node; returns the seat's values.

        `books` has the buckets of the holdings by seat and street, `counts` how many there are.
        """
        tree = self.tree
        if tree.kinds[node] != DECISION:
            return self.end_value(node, seat, reach)
        number, actor = int(tree.rounds[node]), int(tree.actors[node])
        bucket, possible = books[actor][number], tree.children[node] >= 0
        shape = (counts[actor][number], 3)
        regrets = tables.regrets.setdefault(node, np.zeros(shape))
        positive = np.maximum(regrets, 0)
        whole = positive.sum(axis=1, keepdims=True)
        even = possible / possible.sum()
        strategy = np.where(whole > 0, positive / np.where(whole > 0, whole, 1), even)[bucket]
        values = np.zeros((3, len(reach)))
        for letter in np.flatnonzero(possible).tolist():
            left = reach if actor == seat else reach * strategy[:, letter]
            values[letter] = self.improve(
                tables, books, counts, seat, weight, int(tree.children[node, letter]), left
            )
        if actor != seat:
            sums = tables.sums.setdefault(node, np.zeros(shape))
            np.add.at(sums, bucket, weight * reach[:, None] * strategy)
            return values.sum(axis=0)  # type: ignore[no-any-return]
        mean: NDArray[np.float64] = (strategy.T * values).sum(axis=0)
        np.add.at(regrets, bucket, weight * (values - mean).T * possible)
        return mean
