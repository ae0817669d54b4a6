"""How BayCaRP judges a decision: by its cost, or by its value against what opponents are believed to hold (G-bucks).

The cost is a preliminary outcome until the hand is over: it stays positive if the hand was won, and becomes negative if
it was lost or folded (baycarp-2011 §6.2.1). G-bucks do not depend on the cards that came (§5.4.5).
"""

from collections.abc import Callable
from functools import partial

from railbird.agents.baycarp.view import View, Viewer
from railbird.features.outcomes import cost, g_bucks, paid_outcome
from railbird.observation import Observation
from railbird.store.lived import LivedCase, LivedError

G_BUCKS = "G-bucks"
"""The rider of a case with the value of its decision."""


def judge_of(observation: Observation, action: str) -> Callable[[float], float]:
    """The outcome of an action from what was won in the whole hand."""
    return partial(_judged, cost(observation, action))


def _judged(cost: float, won: float) -> float:
    return paid_outcome(cost, won > 0)


def worth_of(observation: Observation, view: View, viewer: Viewer, action: str) -> str:
    """The value of an action, as a rider."""
    return f"{g_bucks(observation, action, viewer.equity(observation, view)):.4f}"


def stated_worth(case: LivedCase) -> float:
    """The value of a decision of its own, from its rider."""
    try:
        return float(case.riders[G_BUCKS])
    except (KeyError, ValueError):
        raise LivedError(f"it does not state its worth ({G_BUCKS})") from None
