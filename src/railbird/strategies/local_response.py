"""The local best response (Lisý and Bowling 2017): the best action of a seat that knows its opponent's range.

The seat weights every holding of its opponent by the probability of the opponent's actions so far. It compares its
actions as if both seats checked and called from then on, whatever it bets now. All values are what the seat wins in the
whole hand, in chips:

    fold     −(what it paid)
    call     (2 · equity − 1) · (what each has paid after the call)
    raise    the mean of two outcomes: the opponent folds, and loses what it paid; or it calls, and its range is
             then the part that does not fold

A responder that plays these actions wins less than a best response, because it does not plan ahead: what it wins is a
lower bound of the exploitability.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.engine.actions import CALL, FOLD, Action
from railbird.engine.betting_tree import BettingNode, BettingTree
from railbird.equities.matchups import RUN_OUTS, matchups
from railbird.equities.strength import strength
from railbird.hands.holdings import blocked_by, holding
from railbird.kernels.rules import betting
from railbird.strategies.actions import ActionAbstraction


@dataclass(frozen=True, eq=False)
class OpponentRange:
    """What a seat knows about its opponent's cards."""

    hole: tuple[Card, ...]
    """The seat's own cards."""
    board: tuple[Card, ...]
    weights: NDArray[np.float64]
    """A weight for each of the opponent's 1,326 holdings; 0 for those blocked by known cards."""

    @classmethod
    def unknown(cls, hole: tuple[Card, ...]) -> "OpponentRange":
        """The range before the opponent's first action: all holdings that the seat does not block."""
        return cls(hole, (), (~blocked_by(hole)).astype(np.float64))

    def after(self, chances: NDArray[np.float64]) -> "OpponentRange":
        """The range after an action which the opponent takes with these probabilities, one for each holding."""
        return OpponentRange(self.hole, self.board, self.weights * chances)

    def on(self, board: tuple[Card, ...]) -> "OpponentRange":
        """The range on a board with more cards."""
        return OpponentRange(self.hole, board, np.where(blocked_by(board), 0.0, self.weights))

    def mean(self, chances: NDArray[np.float64]) -> float:
        """The mean of a probability over the range."""
        return float(self.weights @ chances / self.weights.sum())

    @cached_property
    def equity(self) -> float:
        """The seat's chance to win at showdown, ties counting half: exact, over all cards to come."""
        if self.board:
            return strength(self.hole, self.board, self.weights).expected_hs
        return 0.5 + float(self.weights @ _balances()[holding(self.hole)] / self.weights.sum()) / (
            2 * RUN_OUTS
        )


@cache
def _balances() -> NDArray[np.int32]:
    """For every holding, on how many more boards it beats each other one than it loses to it."""
    wins = matchups()
    balances: NDArray[np.int32] = wins - wins.T
    return balances


@dataclass(frozen=True, slots=True)
class FoldOrStay:
    """The prospects of a seat whose opponent may fold."""

    chance: float
    """The opponent's probability of folding."""
    folds: float
    """What the seat wins if the opponent folds."""
    stays: float
    """What it wins on average if the opponent calls and nobody bets afterwards."""

    @classmethod
    def of(
        cls, tree: BettingTree, node: BettingNode, seat: int, known: OpponentRange, fold: NDArray[np.float64]
    ) -> "FoldOrStay":
        """The prospects where the opponent of a seat is to act and folds with these probabilities."""
        chance = known.mean(fold)
        staying = known.after(np.maximum(1.0 - fold, 0.0)) if chance > 0.0 else known
        stays = showdown_value(tree.after(node, CALL), staying.equity) if staying.weights.any() else 0.0
        return cls(chance, float(_paid(node)[1 - seat]), stays)

    @property
    def value(self) -> float:
        """What the seat wins on average."""
        return self.chance * self.folds + (1.0 - self.chance) * self.stays

    def luck(self, has_folded: bool) -> float:
        """By how much the opponent's choice was better for the seat than the average; its mean is 0."""
        return (self.folds if has_folded else self.stays) - self.value


def response_values(
    tree: BettingTree,
    node: BettingNode,
    known: OpponentRange,
    actions: ActionAbstraction,
    prospects: Callable[[BettingNode], FoldOrStay],
) -> dict[Action, float]:
    """What each action of the seat to act wins in the whole hand if both seats check and call afterwards, in chips.

    `prospects` are asked for in the situation after each raise.
    """
    seat = node.actor
    assert seat is not None
    values = {}
    for choice in actions.choices(node.view):
        if choice.action == FOLD:
            values[choice.action] = -float(_paid(node)[seat])
            continue
        after = tree.after(node, choice.action)
        if choice.action == CALL:
            values[choice.action] = showdown_value(after, known.equity)
        else:
            values[choice.action] = prospects(after).value
    return values


def showdown_value(node: BettingNode, equity: float) -> float:
    """What a seat with this equity wins in the whole hand if nobody bets any more, in chips."""
    return (2.0 * equity - 1.0) * at_stake(node)


def at_stake(node: BettingNode) -> int:
    """What each of two seats can lose at showdown: the chips that both have paid."""
    return min(_paid(node))


def _paid(node: BettingNode) -> Sequence[int]:
    return node.view[betting.PAID : betting.PAID + 2].tolist()
