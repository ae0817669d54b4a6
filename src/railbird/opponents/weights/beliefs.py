"""Loki's weights: the probability of each of the 1,326 holdings of every opponent, after its actions in this hand.

All holdings start with the same weight. Each action multiplies a holding's weight by the probability that this player
would have acted so with it, from ProbTriple in the player's style. No probability is ever 0, so only blocked holdings
are ruled out. Weights are updated lazily and incrementally, for the opponents that are queried.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.engine.betting_tree import BettingNode
from railbird.engine.setup import Setup
from railbird.hands.holdings import HOLDINGS, blocked_by
from railbird.kernels.rules import betting
from railbird.observation import Observation
from railbird.opponents.weights.book import Book
from railbird.opponents.weights.chances import chances_at


class WeightBeliefs:
    """The weights of the current hand, as one seat may know them."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._setup: Setup | None = None
        self._players: tuple[str, ...] = ()
        self._hand_number = -1
        self._seat = -1
        self._path: list[BettingNode] = []
        self._board: tuple[Card, ...] = ()
        self._cards: tuple[Card, ...] = ()
        self._possible: NDArray[np.bool_] = np.ones(HOLDINGS, dtype=np.bool_)
        self._seen: dict[int, int] = {}
        self._weights: dict[int, NDArray[np.float64]] = {}

    def of(self, observation: Observation, seat: int) -> NDArray[np.float64]:
        """The probability of every holding of an opponent (sums to 1)."""
        self._follow(observation)
        weights = self._brought_up_to_date(observation, seat)
        sharpness = self.book.sharpness(observation.players[seat])
        probable = np.where(self._possible, weights, 0.0)
        if sharpness != 1.0:
            probable /= probable.max()
            probable **= sharpness
        probable /= probable.sum()
        return probable

    def _follow(self, observation: Observation) -> None:
        """Move to an observation; start over if it does not continue the last one."""
        path = observation.node.path
        cards = (*observation.hole_cards, *observation.board)
        goes_on = (
            observation.setup is self._setup
            and observation.hand_number == self._hand_number
            and observation.seat == self._seat
            and observation.players == self._players
            and observation.board[: len(self._board)] == self._board
            and self._is_passed_by(path)
        )
        if not goes_on:
            self._setup, self._players = observation.setup, observation.players
            self._hand_number, self._seat = observation.hand_number, observation.seat
            self._seen, self._weights = {}, {}
        self._path, self._board = path, observation.board
        if cards != self._cards:
            self._cards = cards
            self._possible = ~blocked_by(cards)

    def _is_passed_by(self, path: list[BettingNode]) -> bool:
        """Whether a path leads through the situation of the last one."""
        length = len(self._path)
        return not length or (length <= len(path) and path[length - 1] is self._path[-1])

    def _brought_up_to_date(self, observation: Observation, seat: int) -> NDArray[np.float64]:
        path = self._path
        weights = self._weights.get(seat)
        if weights is None:
            weights = np.full(HOLDINGS, 1.0 / HOLDINGS)
        style = self.book.style(observation.players[seat])
        for node in path[self._seen.get(seat, 0) :]:
            assert node.reached_by is not None
            before, action = node.reached_by
            if before.actor == seat:
                board = observation.board[: observation.rules.board_size(before.view[betting.ROUND])]
                weights = weights * chances_at(observation.setup, before, board, style)[action.kind]
        self._seen[seat] = len(path)
        self._weights[seat] = weights
        return weights
