"""What a finished hand teaches about one player in it, seen from the rail: the same for all who think alike of it.

`observed_actions` walks through the player's actions with the weights of the style in which it was believed to play, as
boldly as they are read in play, and notes for each its context, what was done, and with which chances a generic player
who holds what this one may hold by then would fold, call or raise. `shown_evidence` asks how probable the holding that
it showed had become, at every sharpness. All observers of a table ask about the same hand: the answers are remembered
for a moment.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.engine.actions import Action
from railbird.engine.betting_tree import BettingNode
from railbird.engine.setup import Setup
from railbird.hands.holdings import HOLDINGS, Holding, blocked_by
from railbird.kernels.play.situations import CONTEXT
from railbird.kernels.rules import betting
from railbird.opponents.weights.chances import chances_at, situation_at
from railbird.opponents.weights.styles import GENERIC, Style
from railbird.opponents.weights.tendencies import SHARPNESSES


@dataclass(frozen=True, slots=True, eq=False)
class PublicHand:
    """The public part of a finished hand; `finished_hand` makes only one of each."""

    setup: Setup
    path: tuple[tuple[BettingNode, Action], ...]
    """Every action with the situation in which it was taken."""
    board: tuple[Card, ...]
    """As far as it was dealt."""


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """An action, where it was done, and the chances of a generic player to fold, call and raise there."""

    context: int
    kind: int
    expected: tuple[float, float, float]


@lru_cache(maxsize=4)
def finished_hand(setup: Setup, actions: tuple[Action, ...], board: tuple[Card, ...]) -> PublicHand:
    """A hand from how it began, what was done, and the board; an action that the rules forbid is refused."""
    node, path = setup.tree.root, []
    for action in actions:
        path.append((node, action))
        node = node.following.get(action) or setup.tree.after(node, action)
    return PublicHand(setup, tuple(path), board)


@lru_cache(maxsize=64)
def observed_actions(
    hand: PublicHand, seat: int, style: Style, sharpness: float = 1.0
) -> tuple[ObservedAction, ...]:
    """What a player of whom this style and sharpness were believed did in a hand."""
    weights = np.ones(HOLDINGS)
    observed = []
    for node, action, board in _actions_of(hand, seat):
        held = weights if sharpness == 1.0 else (weights / weights.max()) ** sharpness
        masses = chances_at(hand.setup, node, board, GENERIC) @ held
        fold, call, raise_ = (masses / masses.sum()).tolist()
        context = int(situation_at(hand.setup, node)[CONTEXT])
        observed.append(ObservedAction(context, int(action.kind), (fold, call, raise_)))
        weights *= chances_at(hand.setup, node, board, style)[action.kind]
    return tuple(observed)


@lru_cache(maxsize=64)
def shown_evidence(hand: PublicHand, seat: int, shown: Holding, style: Style) -> NDArray[np.float64]:
    """The log-likelihood of a shown holding at each of the `tendencies.SHARPNESSES` (read-only)."""
    weights = np.where(blocked_by(hand.board), 0.0, 1.0)
    for node, action, board in _actions_of(hand, seat):
        weights *= chances_at(hand.setup, node, board, style)[action.kind]
    logs = np.log(weights[weights > 0.0] / weights.max())
    own = float(np.log(weights[shown] / weights.max()))
    evidence = np.array([power * own - float(np.log(np.exp(power * logs).sum())) for power in SHARPNESSES])
    evidence.setflags(write=False)
    return evidence


def _actions_of(hand: PublicHand, seat: int) -> list[tuple[BettingNode, Action, tuple[Card, ...]]]:
    """A player's actions, each with the situation in which it was taken and the board that lay open."""
    return [
        (node, action, hand.board[: hand.setup.rules.board_size(node.view[betting.ROUND])])
        for node, action in hand.path
        if node.actor == seat
    ]
