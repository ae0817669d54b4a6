"""What a finished hand reveals about one of its players; shared by observers with the same model of it.

`learnt` adds it to what is known of the player. `observed_actions` replays the player's actions with the weights of its
believed style and sharpness. For each action it records the context, the action, and the probabilities that a generic
player with the same range would fold, call or raise. `shown_evidence` computes the likelihood of the shown holding at
every sharpness. All observers of a table ask about the same hand, so results are cached briefly.
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
from railbird.opponents.weights.tendencies import GENERIC_SHARPNESS, SHARPNESSES, ObservedAction, Tendencies


@dataclass(frozen=True, slots=True, eq=False)
class PublicHand:
    """The public part of a finished hand; `finished_hand` returns a shared instance."""

    setup: Setup
    path: tuple[tuple[BettingNode, Action], ...]
    """Every action with the situation in which it was taken."""
    board: tuple[Card, ...]
    """The board cards that were dealt."""


@lru_cache(maxsize=4)
def finished_hand(setup: Setup, actions: tuple[Action, ...], board: tuple[Card, ...]) -> PublicHand:
    """A hand from its setup, actions and board; an illegal action is refused."""
    node, path = setup.tree.root, []
    for action in actions:
        path.append((node, action))
        node = node.following.get(action) or setup.tree.after(node, action)
    return PublicHand(setup, tuple(path), board)


@lru_cache(maxsize=64)
def learnt(known: Tendencies, hand: PublicHand, seat: int, shown: Holding | None, adapts: bool) -> Tendencies:
    """What is known of a player after a hand, in which it may have shown a holding.

    Who does not adapt takes its actions for those of a generic player.
    """
    style, sharpness = (known.style, known.sharpness) if adapts else (GENERIC, GENERIC_SHARPNESS)
    after = known.after(observed_actions(hand, seat, style, sharpness))
    return after if shown is None else after.after_shown(shown_evidence(hand, seat, shown, style))


@lru_cache(maxsize=64)
def observed_actions(
    hand: PublicHand, seat: int, style: Style, sharpness: float = 1.0
) -> tuple[ObservedAction, ...]:
    """The actions in a hand of a player with this believed style and sharpness."""
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
    """A player's actions, each with the situation in which it was taken and the board at that time."""
    return [
        (node, action, hand.board[: hand.setup.rules.board_size(node.view[betting.ROUND])])
        for node, action in hand.path
        if node.actor == seat
    ]
