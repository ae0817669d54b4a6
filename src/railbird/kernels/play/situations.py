"""The situation of a limit decision without the cards: a small vector, read from the rules and the betting state.

Formulas, opponents' models and simulations all use these entries, so the same knowledge serves at the table (`state` of
a betting node) and in compiled play-outs (`state` of the hand played there). Nothing here depends on cards. Amounts are
counted in bets of the round.

Loki's context of an action is the round and the bets to call: none, one, or two and more (Papp, "Dealing with Imperfect
Information in Poker", 1998, §7.2). A player who has already paid in a round hardly ever folds to one more bet, however
tightly it calls a first one, so this is a fourth kind of bet to call here; `CONTEXT` numbers these sixteen. Before the
flop Loki also counts the players that it expects in the pot: those who are in, and 60 % of those who have not acted
(Papp, appendix B, with the three groups of two, of three or four, and of more players); `GROUP` numbers the groups.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.rules.betting import (
    ABLE,
    ACTOR,
    AGGRESSOR,
    BET_SIZES,
    BETS,
    FOLDED,
    HIGH,
    LIVE,
    MAY_FOLD,
    PENDING,
    POT,
    RAISE_CAPS,
    RAISE_MAXIMUM,
    RAISES,
    ROUND,
    SEATS,
    SPOKE,
    TO_CALL,
    Vector,
)

Situation: TypeAlias = NDArray[np.float64]

(
    STREET,  # the betting round, 0 is preflop
    CONTEXT,  # 4 · round + NO_BET, ONE_BET, MORE_BETS or AGAIN
    BETS_TO_CALL,  # what a call costs
    LEVEL,  # the bet to match: 0 when nobody bet, 1 for a bet or the big blind, 2 after a raise
    CAN_FOLD,
    CAN_RAISE,
    RAISES_LEFT,  # how many raises the cap leaves, at most 4
    INVESTED,  # 1 if the actor chose to pay in this round already
    POSTED,  # what the actor has in the pot in this round, blinds included
    OPPONENTS,  # the others who have not folded
    BEHIND,  # the others who must still act in this round if nobody raises
    CALLERS,  # the others who acted in this round, stayed in, and did not bet or raise last
    POSITION,  # the part of the live opponents who act before the actor in later rounds: 1 has the button
    POT_ODDS,  # call / (pot + call): the chance of winning from which a call pays
    BET_ODDS,  # a bet / (the pot with it): what a bluff risks for what it can win
    POT_BETS,  # the pot
    PLAYERS,  # dealt in
    GROUP,  # Loki's groups of expected players: 0 for two, 1 for three or four, 2 for five and more
) = range(18)
SITUATION_LENGTH = 18

NO_BET, ONE_BET, MORE_BETS, AGAIN = range(4)
"""The bets to call: none, one, two or more, or any number after having already paid in the round."""
BET_CONTEXTS = 4
CONTEXTS = 16
GROUPS = 3

EXPECTED_TO_PLAY = 0.6
"""The share of players who have not acted that Loki expects to see the flop."""


@njit(cache=True)
def situation_of(rules: Vector, state: Vector, situation: Situation) -> None:
    """Write the situation of the seat to act."""
    read_situation(rules, state, situation)


@njit(cache=True, forceinline=True, borrows=True)
def read_situation(rules: Vector, state: Vector, situation: Situation) -> None:
    """`situation_of` for compiled loops: inlined into the caller."""
    seat = state[ACTOR]
    street = state[ROUND]
    seats = rules[SEATS]
    bit = 1 << seat
    bet = float(rules[BET_SIZES + street])
    to_call = float(state[TO_CALL])
    pot = float(state[POT])
    pending = state[PENDING] & ~bit
    spoke = state[SPOKE]
    folded = state[FOLDED]
    aggressor = state[AGGRESSOR]

    behind = 0
    callers = 0
    before = 0
    able = 0
    for other in range(seats):
        if other == seat or (folded >> other) & 1:
            continue
        if (pending >> other) & 1:
            behind += 1
        if (spoke >> other) & 1 and other != aggressor and (street > 0 or state[BETS + other] > 0):
            callers += 1
        if (state[ABLE] >> other) & 1:
            able += 1
            if other < seat:
                before += 1
    opponents = state[LIVE] - 1
    bets_to_call = to_call / bet
    invested = 1.0 if (spoke >> seat) & 1 and state[BETS + seat] > 0 else 0.0
    if to_call == 0.0:
        kind = NO_BET
    elif invested:
        kind = AGAIN
    else:
        kind = ONE_BET if bets_to_call <= 1.0 else MORE_BETS

    situation[STREET] = street
    situation[CONTEXT] = BET_CONTEXTS * street + kind
    situation[BETS_TO_CALL] = bets_to_call
    situation[LEVEL] = state[HIGH] / bet
    situation[CAN_FOLD] = state[MAY_FOLD]
    situation[CAN_RAISE] = 1.0 if state[RAISE_MAXIMUM] > 0 else 0.0
    situation[RAISES_LEFT] = min(4, rules[RAISE_CAPS + street] - state[RAISES])
    situation[INVESTED] = invested
    situation[POSTED] = state[BETS + seat] / bet
    situation[OPPONENTS] = opponents
    situation[BEHIND] = behind
    situation[CALLERS] = callers
    situation[POSITION] = before / able if able else 1.0
    situation[POT_ODDS] = to_call / (pot + to_call) if to_call else 0.0
    situation[BET_ODDS] = bet / (pot + to_call + 2.0 * bet)
    situation[POT_BETS] = pot / bet
    situation[PLAYERS] = seats
    if street == 0:
        # Players who acted and stayed are in; the big blind and the others behind may still call.
        expected = 1.0 + (opponents - behind) + EXPECTED_TO_PLAY * behind
        situation[GROUP] = 0 if expected < 2.5 else 1 if expected < 4.5 else 2
    else:
        situation[GROUP] = 0 if opponents <= 1 else 1 if opponents <= 3 else 2
