"""Attributes of a betting round, for the seat to act; nothing here depends on cards.

Players are counted per round: those in at its start, those who have acted and stayed in, those yet to act. Amounts are
in bets of the round unless a name says otherwise.
"""

from railbird.engine.actions import Action
from railbird.engine.betting_facts import BettingFacts
from railbird.engine.betting_tree import BettingNode
from railbird.kernels.rules import betting
from railbird.observation import Observation


def opening_of_round(node: BettingNode) -> BettingNode:
    """The situation at the start of the current betting round."""
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
    """A seat's actions so far in the current betting round."""
    number, found = node.view[betting.ROUND], []
    while node.reached_by is not None and node.reached_by[0].view[betting.ROUND] == number:
        node, action = node.reached_by
        if node.actor == seat:
            found.append(action)
    return tuple(reversed(found))


def players_at_opening(opening: BettingNode) -> int:
    """The number of players in the hand when the round began."""
    return opening.view[betting.LIVE]


def relative_position(opening: BettingNode, seat: int, seats: int) -> float:
    """A seat's place in the order of acting in the round: 0 is first and 1 is last, evenly spaced in between.

    Only players who could act when the round began are counted, not those all-in by then. A player who acts alone is
    last.
    """
    first, able = opening.actor, opening.view[betting.ABLE]
    assert first is not None
    order = [each % seats for each in range(first, first + seats) if able >> each % seats & 1]
    return order.index(seat) / (len(order) - 1) if len(order) > 1 else 1.0


def players_in(node: BettingNode) -> int:
    """The number of opponents who have checked, bet, called or raised in this round and not folded."""
    view = node.view
    others = ~(1 << view[betting.ACTOR])
    return (view[betting.SPOKE] & ~view[betting.FOLDED] & others).bit_count()


def players_yet_to_act(node: BettingNode) -> int:
    """The number of opponents yet to act in this round if nobody raises from here on."""
    view = node.view
    return (view[betting.PENDING] & ~(1 << view[betting.ACTOR])).bit_count()


def bets_committed(facts: BettingFacts) -> float:
    """The amount that the seat to act has put in during this round, blinds included."""
    view = facts.node.view
    return view[betting.BETS + view[betting.ACTOR]] / facts.rules.bet_sizes[view[betting.ROUND]]


def bets_to_call(facts: BettingFacts) -> float:
    """The amount that the seat to act must pay to stay in."""
    view = facts.node.view
    return view[betting.TO_CALL] / facts.rules.bet_sizes[view[betting.ROUND]]


def pot_odds(node: BettingNode) -> float:
    """The call as a share of the pot including the call: the probability of winning from which a call pays."""
    to_call = node.view[betting.TO_CALL]
    return to_call / (node.view[betting.POT] + to_call) if to_call else 0.0


def pot_odds_of_one_bet(facts: BettingFacts) -> float:
    """The pot odds; with nothing to call, those of one bet of the round: the price at which the seat may bet."""
    view = facts.node.view
    price = view[betting.TO_CALL] or facts.rules.bet_sizes[view[betting.ROUND]]
    return price / (view[betting.POT] + price)


def small_bets_in_pot(facts: BettingFacts) -> float:
    """The pot in bets of the first round."""
    return facts.node.view[betting.POT] / facts.rules.small_bet


def bets_of_previous_round(opening: BettingNode) -> int:
    """The number of bets and raises in the round before the one that opens here, blinds not counted."""
    assert opening.reached_by is not None, "the first round has no previous round"
    # The last action of a round followed by another is never a raise, so it adds nothing.
    return opening.reached_by[0].view[betting.RAISES]
