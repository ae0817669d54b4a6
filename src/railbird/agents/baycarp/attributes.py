"""BayCaRP's attributes of a situation (baycarp-2011 §5.4.1, fig. 5.7), of the seat to act.

The betting attributes are CASPER's (`describe_betting`), with one more after the flop: the bets that the player has
committed since the hand began. The value of the cards is described before the flop by the rank of the starting hand,
later by the relative hand strength and the potentials against what the opponents are believed to hold (`Relative`), and
by the opponents' three most probable hand types.

- The seat itself is not counted among the players, as in the case of §6.3: against one opponent who has acted, one is
  in the hand and none is yet to act.
- Amounts are counted in bets of the round, bets total in small bets. The case of §6.3 counts small blinds: its "6.0"
  after a three-bet before the flop is three small bets here.
- Pot odds with nothing to call are those of one bet: 0.118 in the flop case of §6.3, where a bet of $1 goes into a pot
  of $7.50. CASPER's are zero there.
"""

from railbird.agents.casper.attributes import STAGES, describe_betting
from railbird.features.betting import pot_odds_of_one_bet
from railbird.features.relative import Relative
from railbird.hands.starting import starting_hand_rank
from railbird.kernels.rules.betting import PAID
from railbird.observation import Observation

BETTING = (
    "number of players",
    "players in hand",
    "players yet to act",
    "relative position",
    "bets committed",
    "bets to call",
    "pot odds",
)
HAND_TYPES = ("opponent hand type 1", "opponent hand type 2", "opponent hand type 3")


def describe(observation: Observation, relative: Relative | None) -> dict[str, float | str]:
    """The attributes of the seat to act, which must be the observer's; `relative` is not needed before the flop."""
    caspers = describe_betting(observation)
    caspers["players in hand"] = caspers.pop("players in current hand")
    caspers["pot odds"] = pot_odds_of_one_bet(observation)
    found = {name: caspers[name] for name in BETTING}
    if not observation.round:
        found["hand rank"] = starting_hand_rank(observation.hole_cards)
        return found
    if relative is None:
        raise ValueError("after the flop, a hand is measured against what opponents are believed to hold")
    found["bets total"] = observation.node.view[PAID + observation.seat] / observation.rules.small_bet
    found["relative hand strength"] = relative.strength
    found.update(zip(HAND_TYPES, relative.hand_types, strict=True))
    if STAGES[observation.round] != "river":
        found["positive potential"] = relative.positive_potential
        found["negative potential"] = relative.negative_potential
    return found
