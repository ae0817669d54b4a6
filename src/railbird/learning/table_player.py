"""A strategy file as an agent: it plays the probabilities of its table."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, MatchAgent, MatchStart, NoStrategy, Strategies, UnsuitableGame, drawn
from railbird.engine.rules import GameRules
from railbird.hands.holdings import holding
from railbird.observation import Observation
from railbird.strategies.table_strategy import TableStrategy


class TablePlayer(MatchAgent):
    """Plays the table strategy in a file; bets that its tree does not have are refused."""

    reads = ("strategy",)

    def __init__(self, strategy: Path) -> None:
        self.strategy = strategy
        self.table = TableStrategy.read(strategy)

    def verify_game(self, rules: GameRules) -> None:
        """Only the game of the file is played."""
        if rules != self.table.tree.rules:
            raise UnsuitableGame(
                f"{self.strategy} is a strategy for {self.table.recipe.game}, not for {rules.name}"
            )

    def start(self, match: MatchStart) -> None:
        """Take the match's randomness."""
        self.generator_ = match.stream.generator()

    def choose(self, observation: Observation) -> Decision:
        """Draw an action from the probabilities of the cards."""
        row = self.strategies(observation, [holding(observation.hole_cards)]).row(0)
        return Decision(drawn(row, float(self.generator_.random())), strategy=row)

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        tree, node = self.table.tree, 0
        for action in observation.actions:
            following = [
                child
                for letter, child in enumerate(tree.children[node].tolist())
                if child >= 0 and tree.action(node, letter) == action
            ]
            if not following:
                raise NoStrategy(f"the tree of {self.strategy} has no {action} here")
            (node,) = following
        letters = np.flatnonzero(tree.children[node] >= 0)
        buckets = self.table.cards.on_board(observation.board, int(tree.rounds[node]))[holdings]
        actions = tuple(tree.action(node, letter) for letter in letters.tolist())
        return Strategies(actions, holdings, self.table.probabilities(node)[buckets][:, letters])
