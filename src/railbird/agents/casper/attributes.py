"""CASPER's attributes of a situation (casper-2007, table 1), of the seat to act.

Eight attributes describe every stage; after the flop, the pot and the bets of the previous round are added, and on the
flop and turn the potentials. The table defines them; where it leaves something open, this is what is measured here:

- The seat itself is not counted among the players: 0 … 9.
- A player who acted and was raised is both in the hand and yet to act.
- Bets committed are those of the present round: with a cap of five bets this fits the table's range.
- Bets of the previous round do not include the blinds.
- Hand strength before the flop is the rank among the 169 starting hands, from 1.0 for pocket aces evenly down to 0.0
  for seven-deuce offsuit. After the flop it is HS against all holdings of a *single* opponent, regardless of their
  number: §5 says so, and the number of players is a separate attribute.
- The potentials are PPot and NPot against the same single opponent when the next card is dealt. On the flop two cards
  are to come, and §5 says that "all possible future community cards are considered", but only a look-ahead of one card
  fits the printed ranges, ~0.40 and ~0.30: of 1,000 holdings on a flop 999 are below 0.37 and 0.29, with a look-ahead
  of two cards below 0.58 and 0.51.
"""

from functools import lru_cache

from railbird.cards import Card
from railbird.engine.rules import ROUND_NAMES
from railbird.equities.strength import Potential, hand_potential
from railbird.features import betting
from railbird.hands.starting import starting_hand_strength
from railbird.observation import Observation

STAGES: tuple[str, ...] = ROUND_NAMES
"""The stages of a hand; each has its own case base."""

LOOK_AHEAD = 1
"""How many cards the potentials look ahead on the flop, unless a pack says otherwise."""
REMEMBERED = 1024
"""Maximum number of cached potentials: a player often decides twice with the same cards."""


def describe(observation: Observation, look_ahead: int = LOOK_AHEAD) -> dict[str, float | str]:
    """The attributes of the seat to act, which must be the observer's, for the stage of the observation."""
    found = describe_betting(observation)
    if not observation.round:
        found["hand strength"] = starting_hand_strength(observation.hole_cards)
        return found
    potential = _potential(observation.hole_cards, observation.board, look_ahead)
    found["hand strength"] = potential.hs
    if STAGES[observation.round] != "river":
        found["positive potential"] = potential.ppot
        found["negative potential"] = potential.npot
    found["small bets in pot"] = betting.small_bets_in_pot(observation)
    found["previous round bets"] = betting.bets_of_previous_round(betting.opening_for(observation))
    return found


def describe_betting(observation: Observation) -> dict[str, float | str]:
    """The attributes that every stage has and that do not depend on cards, of the seat to act."""
    node, seat = observation.node, observation.seat
    opening = betting.opening_for(observation)
    return {
        "number of players": betting.players_at_opening(opening),
        "relative position": betting.relative_position(opening, seat, len(observation.setup.stacks)),
        "players in current hand": betting.players_in(node),
        "players yet to act": betting.players_yet_to_act(node),
        "bets committed": betting.bets_committed(observation),
        "bets to call": betting.bets_to_call(observation),
        "pot odds": betting.pot_odds(node),
    }


@lru_cache(maxsize=REMEMBERED)
def _potential(hole: tuple[Card, ...], board: tuple[Card, ...], look_ahead: int) -> Potential:
    return hand_potential(hole, board, look_ahead=cards_ahead(board, look_ahead))


def cards_ahead(board: tuple[Card, ...], look_ahead: int) -> int:
    """How many cards the potentials look ahead on this board: never more than are to come."""
    return min(look_ahead, 5 - len(board))
