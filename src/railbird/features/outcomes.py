"""The cost and the value of an action: the two outcomes of BayCaRP's cases, in small bets.

- `paid_outcome` (baycarp-2011 §6.2.1): the cost of the action, positive if the hand was won, negative if it was lost or
  folded. Folds and checks cost nothing, so their outcome is zero.
- `g_bucks` (§5.4.5): the average win of the action against the opponents' believed ranges, regardless of the cards
  that actually came: equity × pot − cost, and zero for a fold. The thesis uses the current pot, with which no bet is
  ever worth more than a check. Here it is the pot after all remaining players have matched the action: against one
  opponent a bet is worth more than a check from an equity of one half on, against two from one third on. Later betting
  is ignored.
"""

from railbird.engine.actions import ActionKind
from railbird.kernels.rules import betting
from railbird.observation import Observation

FOLD, CHECK, CALL, BET, RAISE = "fold", "check", "call", "bet", "raise"


def name_of(observation: Observation, kind: ActionKind) -> str:
    """The name, of the five, of an action in the observer's situation; before the flop the blinds count as a bet."""
    match kind:
        case ActionKind.FOLD:
            return FOLD
        case ActionKind.CALL:
            return CALL if observation.to_call else CHECK
        case ActionKind.RAISE:
            return RAISE if observation.to_match else BET


def possible(observation: Observation) -> frozenset[str]:
    """The legal actions among the five."""
    legal = observation.legal_actions
    found = {CALL if observation.to_call else CHECK}
    if legal.fold:
        found.add(FOLD)
    if legal.raise_maximum:
        found.add(RAISE if observation.to_match else BET)
    return frozenset(found)


def cost(observation: Observation, action: str) -> float:
    """The cost of an action to the observer; for a bet or raise, the smallest one, which at limit is the only one."""
    return _chips(observation, action) / observation.rules.small_bet


def _chips(observation: Observation, action: str) -> int:
    match action:
        case "call":
            return observation.to_call
        case "bet" | "raise":
            own = observation.node.view[betting.BETS + observation.seat]
            return int(observation.legal_actions.raise_minimum - own)
        case _:
            return 0


def paid_outcome(cost: float, won: bool) -> float:
    """The cost of an action, signed by the result of the hand."""
    return cost if won else -cost


def g_bucks(observation: Observation, action: str, equity: float) -> float:
    """The value of an action, given the equity."""
    if action == FOLD:
        return 0.0
    view, seat = observation.node.view, observation.seat
    chips = _chips(observation, action)
    level = view[betting.BETS + seat] + chips
    pot = view[betting.POT] + chips
    for other in observation.live_seats:
        if other != seat:
            missing = max(0, level - view[betting.BETS + other])
            pot += min(missing, view[betting.STACKS + other])
    return (equity * pot - chips) / observation.rules.small_bet
