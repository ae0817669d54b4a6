"""What an action costs, and what it is worth: the two outcomes of BayCaRP's cases, in small bets.

- `paid_outcome` (baycarp-2011 §6.2.1): the cost of the action, positive if the hand was won, negative if it was lost or
  folded. To fold or to check costs nothing, so both are worth nothing.
- `g_bucks` (§5.4.5): what the action wins on average against what the opponents are believed to hold, whatever the
  cards to come brought: equity × pot − cost, and nothing for a fold. The thesis takes the pot as it is, and then no bet
  is ever worth more than a check. Here it is the pot when everybody who is still in has matched the action: against
  one opponent a bet is worth more than a check from an equity of one half on, against two from one third on. Betting
  after that is left out.
"""

from railbird.engine.actions import ActionKind
from railbird.kernels.rules import betting
from railbird.observation import Observation

FOLD, CHECK, CALL, BET, RAISE = "fold", "check", "call", "bet", "raise"


def name_of(observation: Observation, kind: ActionKind) -> str:
    """Which of the five actions this is in the observer's situation; before the flop the blinds are a bet."""
    match kind:
        case ActionKind.FOLD:
            return FOLD
        case ActionKind.CALL:
            return CALL if observation.to_call else CHECK
        case ActionKind.RAISE:
            return RAISE if observation.to_match else BET


def possible(observation: Observation) -> frozenset[str]:
    """The actions, of the five, that the observer may take."""
    legal = observation.legal_actions
    found = {CALL if observation.to_call else CHECK}
    if legal.fold:
        found.add(FOLD)
    if legal.raise_maximum:
        found.add(RAISE if observation.to_match else BET)
    return frozenset(found)


def cost(observation: Observation, action: str) -> float:
    """What the observer pays for an action; a bet or raise is the smallest, which at limit is the only one."""
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
    """The cost of an action, as the hand's end judges it."""
    return cost if won else -cost


def g_bucks(observation: Observation, action: str, equity: float) -> float:
    """What an action is worth with a chance to win the showdown."""
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
