"""Attributes of a betting round, for the seat to act; nothing here depends on cards.

Players are counted over a round: who was in when it began, who of them has acted and stayed, who must still act.
Amounts are counted in bets of the round unless a name says otherwise.
"""

from railbird.engine.actions import Action
from railbird.engine.betting_facts import BettingFacts
from railbird.engine.betting_tree import BettingNode
from railbird.kernels.rules import betting
from railbird.observation import Observation


def opening_of_round(node: BettingNode) -> BettingNode:
    """The situation with which the present betting round began."""
    number = node.view[betting.ROUND]
    while node.reached_by is not None and node.reached_by[0].view[betting.ROUND] == number:
        node = node.reached_by[0]
    return node


def opening_for(observation: Observation) -> BettingNode:
    """The situation with which the present betting round began, for the seat to act, which must be the observer's."""
    node, seat = observation.node, observation.seat
    if node.actor != seat:
        raise ValueError(f"seat {seat} has nothing to decide: seat {node.actor} is to act")
    return opening_of_round(node)


def actions_in_round(node: BettingNode, seat: int) -> tuple[Action, ...]:
    """What a seat has done so far in the present betting round."""
    number, found = node.view[betting.ROUND], []
    while node.reached_by is not None and node.reached_by[0].view[betting.ROUND] == number:
        node, action = node.reached_by
        if node.actor == seat:
            found.append(action)
    return tuple(reversed(found))


def players_at_opening(opening: BettingNode) -> int:
    """How many players had not folded when the round began."""
    return opening.view[betting.LIVE]


def relative_position(opening: BettingNode, seat: int, seats: int) -> float:
    """In which order a seat acts in the round: 0 is first and 1 is last, evenly spaced between.

    The others are those who could act when the round began; a player who was all-in by then acts no more. Who
    acts alone is last.
    """
    first, able = opening.actor, opening.view[betting.ABLE]
    assert first is not None
    order = [each % seats for each in range(first, first + seats) if able >> each % seats & 1]
    return order.index(seat) / (len(order) - 1) if len(order) > 1 else 1.0


def players_in(node: BettingNode) -> int:
    """How many others have acted in this round and not folded: they checked, bet, called or raised."""
    view = node.view
    others = ~(1 << view[betting.ACTOR])
    return (view[betting.SPOKE] & ~view[betting.FOLDED] & others).bit_count()


def players_yet_to_act(node: BettingNode) -> int:
    """How many others must still decide in this round, if nobody raises from here on."""
    view = node.view
    return (view[betting.PENDING] & ~(1 << view[betting.ACTOR])).bit_count()


def bets_committed(facts: BettingFacts) -> float:
    """What the seat to act has put in during this round, blinds included."""
    view = facts.node.view
    return view[betting.BETS + view[betting.ACTOR]] / facts.rules.bet_sizes[view[betting.ROUND]]


def bets_to_call(facts: BettingFacts) -> float:
    """What it costs the seat to act to stay in."""
    view = facts.node.view
    return view[betting.TO_CALL] / facts.rules.bet_sizes[view[betting.ROUND]]


def pot_odds(node: BettingNode) -> float:
    """The call as a part of the pot with the call in it: the chance of winning from which a call pays."""
    to_call = node.view[betting.TO_CALL]
    return to_call / (node.view[betting.POT] + to_call) if to_call else 0.0


def small_bets_in_pot(facts: BettingFacts) -> float:
    """The pot in bets of the first round."""
    return facts.node.view[betting.POT] / facts.rules.small_bet


def bets_of_previous_round(opening: BettingNode) -> int:
    """How many bets and raises were made in the round before the one that opens here; blinds are none."""
    assert opening.reached_by is not None, "before the first round there is no other"
    # The last action of a round that another one follows is never a raise, so it adds nothing.
    return opening.reached_by[0].view[betting.RAISES]
