"""Hard thresholds before the flop: one of Papp's strategies by income rate (Papp 1998 §6.1, appendix B).

At its first decision of a hand, a player takes the most aggressive strategy whose threshold its income rate reaches,
and keeps it until the flop:

    Make0   check, or fold to any bet
    Make1   call one bet, and any number of bets after having paid in this round
    Call2   call any number of bets (the small blind only)
    Make2   raise until two bets are in, then call
    Make4   raise up to the cap, then call

    threshold = base + increment · position                                                 (equation 6.1)

Position counts the players still in between it and the button, which is 0. Income rates are those of the group of
expected players. The small blind pays only a part of the first bet, and has fixed thresholds for its calls. What this
takes from a hand is public, so the strategy of every holding follows from the situation alone.

The strategies and the rule are Papp's; the values are ours, calibrated to baycarp-2011 fig. 7.4, and they agree with
the one example that Peña gives (1999 §3.1): with four players and moderate tightness, an income rate of 0.338 on the
button is Make2. Instead of a table for each tightness there is one, to which a profile adds its tightness, and its
caution where it raises.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, Strategies
from railbird.agents.holdem import legal_action, legal_strategies, legal_strategy, triple_of_kind
from railbird.agents.loki.profiles import Profile
from railbird.engine.actions import ActionKind
from railbird.engine.betting_tree import BettingNode
from railbird.explanation import Explanation, Fact
from railbird.explanation.formats import format_signed
from railbird.hands.holdings import CLASS_OF_HOLDING, holding
from railbird.hands.income import income_rates
from railbird.kernels.play.situations import BETS_TO_CALL, GROUP, INVESTED, LEVEL, POSTED, Situation
from railbird.kernels.rules import betting
from railbird.observation import Observation
from railbird.opponents.weights.chances import situation_at
from railbird.opponents.weights.holding_values import TABLE_SIZE_OF_GROUP


class PreflopStrategy(IntEnum):
    """How a hand is played before the flop, from the most passive to the most aggressive."""

    MAKE0 = 0
    MAKE1 = 1
    CALL2 = 2
    MAKE2 = 3
    MAKE4 = 4

    @property
    def title(self) -> str:
        """The name that Papp gives it."""
        return self.name.capitalize()

    @property
    def plan(self) -> str:
        """The plan in words."""
        return _PLANS[self]

    def kind(self, situation: Situation) -> ActionKind:
        """The action in a situation before the flop; a free fold is a check."""
        match self:
            case PreflopStrategy.MAKE0:
                return ActionKind.FOLD
            case PreflopStrategy.MAKE1:
                too_much = situation[BETS_TO_CALL] > 1.0 and not situation[INVESTED]
                return ActionKind.FOLD if too_much else ActionKind.CALL
            case PreflopStrategy.CALL2:
                return ActionKind.CALL
            case PreflopStrategy.MAKE2:
                return ActionKind.RAISE if situation[LEVEL] < _TWO_BETS else ActionKind.CALL
            case PreflopStrategy.MAKE4:
                return ActionKind.RAISE


_TWO_BETS = 2.0
_PLANS = {
    PreflopStrategy.MAKE0: "fold to any bet",
    PreflopStrategy.MAKE1: "call one bet",
    PreflopStrategy.CALL2: "call any raise",
    PreflopStrategy.MAKE2: "raise once, and call any raise",
    PreflopStrategy.MAKE4: "raise up to the cap",
}


@dataclass(frozen=True, slots=True)
class GroupThresholds:
    """Thresholds of moderate tightness for a group of expected players, in bets per hand."""

    make1: float
    make2: float
    make4: float
    increment: float
    """Added for each player between a seat and the button."""
    small_blind_call1: float
    small_blind_call2: float
    spread: float
    """How far tightness and caution move a threshold: income rates differ more with more players."""


THRESHOLDS = (
    GroupThresholds(-0.04, 0.10, 0.33, 0.05, -0.12, 0.10, spread=0.5),
    GroupThresholds(0.02, 0.25, 0.55, 0.04, -0.10, 0.20, spread=0.8),
    GroupThresholds(0.05, 0.40, 0.75, 0.02, -0.05, 0.25, spread=1.0),
)
"""By group: two, three or four, and five or more expected players."""


@dataclass(frozen=True, slots=True, eq=False)
class PreflopChoice:
    """What a player weighs at its first decision of a hand."""

    rates: NDArray[np.float64]
    """The income rate of every holding with the expected players."""
    thresholds: tuple[tuple[PreflopStrategy, float], ...]
    """The income rates from which each strategy is played, the most aggressive first."""

    def of(self, number: int) -> PreflopStrategy:
        """The strategy of a holding."""
        rate = float(self.rates[number])
        return next((strategy for strategy, least in self.thresholds if rate >= least), PreflopStrategy.MAKE0)


def hard_decision(observation: Observation, profile: Profile) -> Decision:
    """What a profile does before the flop."""
    choice, own = preflop_choice(observation, profile), holding(observation.hole_cards)
    strategy, rate = choice.of(own), float(choice.rates[own])
    kind = strategy.kind(situation_at(observation.setup, observation.node))
    explanation = Explanation(
        f"Its cards have an income rate of {format_signed(rate, 2)} bets a hand: {strategy.plan}.",
        (
            Fact("strategy before the flop", f"{strategy.title}: {strategy.plan}"),
            Fact("income rate of the cards", rate),
            *(Fact(f"threshold of {each.title}", least) for each, least in choice.thresholds),
        ),
    )
    return Decision(
        legal_action(observation, kind), explanation, legal_strategy(observation, triple_of_kind(kind))
    )


def hard_strategies(observation: Observation, holdings: NDArray[np.int64], profile: Profile) -> Strategies:
    """What a profile would do before the flop with each of many holdings."""
    choice = preflop_choice(observation, profile)
    situation = situation_at(observation.setup, observation.node)
    kinds = [choice.of(each).kind(situation) for each in holdings.tolist()]
    return legal_strategies(observation, holdings, [triple_of_kind(kind) for kind in kinds])


def preflop_choice(observation: Observation, profile: Profile) -> PreflopChoice:
    """The choice of the seat to act, at its first decision of the hand."""
    seat, node = observation.seat, _first_decision(observation)
    situation = situation_at(observation.setup, node)
    group = int(situation[GROUP])
    values = THRESHOLDS[group]
    tightness = profile.tightness * values.spread
    calling = tightness + values.increment * _position(node, seat, observation.rules.players)
    raising = calling + profile.caution * values.spread
    raises = (PreflopStrategy.MAKE4, values.make4 + raising), (PreflopStrategy.MAKE2, values.make2 + raising)
    if _pays_a_part(situation):
        calls: tuple[tuple[PreflopStrategy, float], ...] = (
            (PreflopStrategy.CALL2, values.small_blind_call2 + tightness),
            (PreflopStrategy.MAKE1, values.small_blind_call1 + tightness),
        )
    else:
        calls = ((PreflopStrategy.MAKE1, values.make1 + calling),)
    return PreflopChoice(_rates(group), (*raises, *calls))


def _first_decision(observation: Observation) -> BettingNode:
    """The first situation of the hand in which the seat to act was asked."""
    for node in observation.node.path:
        assert node.reached_by is not None
        if node.reached_by[0].actor == observation.seat:
            return node.reached_by[0]
    return observation.node


def _position(node: BettingNode, seat: int, players: int) -> int:
    """The number of players after a seat, up to the button, who have not folded."""
    folded = node.view[betting.FOLDED]
    return sum(1 for other in range(seat + 1, players) if not folded >> other & 1)


def _pays_a_part(situation: Situation) -> bool:
    """Whether the seat posted a part of a bet."""
    return bool(0.0 < situation[POSTED] < 1.0)


@cache
def _rates(group: int) -> NDArray[np.float64]:
    rates = income_rates(TABLE_SIZE_OF_GROUP[group]).rates[CLASS_OF_HOLDING]
    rates.setflags(write=False)
    return rates
