"""Counterfactual regret minimisation on games whose deals can all be listed (Zinkevich and others 2007).

Every iteration

1. plays every action with a probability in proportion to its positive regret ("regret matching"),
2. adds to the regret of every action how much more it would have won in its information set, weighted by the
   probability with which chance and the others come there,
3. adds the strategy, weighted by the probability with which the seat itself comes there, to the average strategy.

The average of two players approaches an equilibrium. `Weighting` names the usual variants: plain; linear, in which
iteration t counts t times (Brown and Sandholm 2019); and CFR+ (Tammelin 2014), which never lets a regret fall below
zero, updates one seat after the other, and has linear averages.
"""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from railbird.strategies.small_games import SmallGame


class Weighting(Enum):
    """How iterations count."""

    PLAIN = "plain"
    LINEAR = "linear"
    PLUS = "plus"


class RegretMinimiser:
    """Regrets and averages of all information sets of a game; `run` adds iterations."""

    def __init__(self, game: SmallGame, weighting: Weighting = Weighting.LINEAR) -> None:
        self.game = game
        self.weighting = weighting
        self.iterations = 0
        self.regrets = np.zeros(game.legal.shape)
        self.sums = np.zeros(game.legal.shape)
        self._seats = np.array([each.seat for each in game.information_sets])

    def run(self, iterations: int) -> None:
        """Do a number of iterations."""
        for _ in range(iterations):
            self.iterations += 1
            if self.weighting is Weighting.PLUS:
                for seat in range(self.game.rules.players):
                    self._update([seat])
            else:
                self._update(list(range(self.game.rules.players)))

    def current(self) -> NDArray[np.float64]:
        """The profile that regrets ask for."""
        return _in_proportion(np.maximum(self.regrets, 0), self.game)

    def average(self) -> NDArray[np.float64]:
        """The average profile, which approaches an equilibrium."""
        return _in_proportion(self.sums, self.game)

    def _update(self, seats: list[int]) -> None:
        game, profile = self.game, self.current()
        tree, places = game.tree, game.sets_of_node
        reaches, values = game.reaches(profile), game.node_values(profile)
        weight = 1 if self.weighting is Weighting.PLAIN else self.iterations
        regret_weight = weight if self.weighting is Weighting.LINEAR else 1
        for seat in seats:
            others = np.delete(reaches, seat, axis=0).prod(axis=0)
            own = tree.decisions[tree.actors[tree.decisions] == seat]
            for letter in range(tree.children.shape[1]):
                nodes = own[tree.children[own, letter] >= 0]
                gained = values[seat, tree.children[nodes, letter]] - values[seat, nodes]
                self.regrets[:, letter] += regret_weight * np.bincount(
                    places[nodes].ravel(), (others[nodes] * gained).ravel(), len(profile)
                )
            # All deals of an information set are reached with the same probability by the seat itself.
            own_reach = np.zeros(len(profile))
            own_reach[places[own]] = reaches[seat, own]
            self.sums += weight * own_reach[:, None] * profile
        if self.weighting is Weighting.PLUS:
            updated = np.isin(self._seats, seats)[:, None]
            self.regrets = np.where(updated, np.maximum(self.regrets, 0), self.regrets)


def _in_proportion(weights: NDArray[np.float64], game: SmallGame) -> NDArray[np.float64]:
    """Rows of probabilities in proportion to weights, uniform where all are 0."""
    totals = weights.sum(axis=1, keepdims=True)
    shares = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)
    return np.where(totals > 0, shares, game.uniform())
