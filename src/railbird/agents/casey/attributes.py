"""CASEY's attributes of a situation, and the outcome of a hand (baycarp-2011 §4.3.2).

The thesis names hand strength, relative position and bets to call, after the flop the potential of the hand and the
stage as well; it gives no definitions, and says "such as". Here:

- Hand strength before the flop is the rank among the 169 starting hands, from 1.0 for pocket aces evenly down to 0.0
  for seven-deuce offsuit; after the flop it is HS against one random holding.
- The potential is PPot against the same holding over all cards to come, 0 on the river.
- Relative position is the order of acting in the round: 0 is first, 1 is last.
- Bets to call are counted in bets of the round.
- Opponents, those who have not folded, are added: hand strength is against one of them.

An outcome is the amount won or lost by the chips bet in each stage, and the net of the hand, in small bets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from railbird.cards import Card
from railbird.engine.events import Act, Chips, DealBoard, Event, Post, Return
from railbird.engine.rules import ROUND_NAMES
from railbird.equities.strength import hand_potential
from railbird.features import betting
from railbird.hands.starting import starting_hand_strength
from railbird.observation import Observation

STAGES: tuple[str, ...] = ROUND_NAMES

_DIGITS = 4
"""Digits to which attributes are rounded, to keep stored cases short."""
_REMEMBERED = 1024


def describe(observation: Observation) -> dict[str, float | str]:
    """The attributes of the seat to act, which must be the observer's."""
    opening = betting.opening_for(observation)
    position = betting.relative_position(opening, observation.seat, len(observation.setup.stacks))
    strength, potential = _strength(observation.hole_cards, observation.board)
    found: dict[str, float | str] = {
        "hand strength": strength,
        "relative position": round(position, _DIGITS),
        "bets to call": round(betting.bets_to_call(observation), _DIGITS),
        "opponents": len(observation.live_seats) - 1,
    }
    if observation.round:
        found["potential"] = potential
        found["stage"] = STAGES[observation.round]
    return found


@lru_cache(maxsize=_REMEMBERED)
def _strength(hole: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[float, float]:
    """Hand strength and potential."""
    if not board:
        return round(starting_hand_strength(hole), _DIGITS), 0.0
    found = hand_potential(hole, board)
    return round(found.hs, _DIGITS), round(found.ppot, _DIGITS)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a hand for one seat, in small bets."""

    stages: tuple[float, ...]
    """By stage: the seat's share of all chips bet there (the reward) minus its own bets (the risk)."""
    net: float
    """What the seat won in the whole hand; the stages add up to it."""


def outcome_of(events: Sequence[Event], seat: int, payoff: Chips, small_bet: int) -> Outcome:
    """The outcome of a finished hand for a seat with this payoff."""
    paid_by: dict[int, list[Chips]] = {}
    stage = 0
    for event in events:
        match event:
            case DealBoard():
                stage = event.round
            case Post(amount=paid) | Act(paid=paid) if paid:
                paid_by.setdefault(event.seat, [0] * len(STAGES))[stage] += paid
            case Return():
                _take_back(paid_by[event.seat], event.amount)
            case _:
                pass
    own = paid_by.get(seat, [0] * len(STAGES))
    pots = [sum(paid) for paid in zip(*paid_by.values(), strict=True)] or [0] * len(STAGES)
    pot = sum(pots)
    share = (payoff + sum(own)) / pot if pot else 0
    stages = tuple(float(share * bet - paid) / small_bet for bet, paid in zip(pots, own, strict=True))
    return Outcome(stages, float(payoff) / small_bet)


def _take_back(paid: list[Chips], amount: Chips) -> None:
    """Return uncalled chips, the last bet first."""
    for stage in reversed(range(len(paid))):
        part = min(paid[stage], amount)
        paid[stage] -= part
        amount -= part
