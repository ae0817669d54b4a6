"""Pokibot's rules after the flop as probabilities of fold, call and raise, for compiled play-outs.

The rules and their thresholds are those of `agents.loki.pokibot`, which measures its hand against every opponent
separately; play-outs use its strength against the mean range of the others and a constant NPot, and assume that half of
all bluffs pay.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.play.prob_triple import Triple
from railbird.kernels.play.situations import (
    BEHIND,
    BET_ODDS,
    BETS_TO_CALL,
    CAN_FOLD,
    CAN_RAISE,
    INVESTED,
    LEVEL,
    OPPONENTS,
    POT_BETS,
    POT_ODDS,
    STREET,
    Situation,
)

Thresholds: TypeAlias = NDArray[np.float64]

BET_AT, RAISE_AT, CALLING, DECEPTION = range(4)
THRESHOLDS_LENGTH = 4

NEGATIVE_POTENTIAL = 0.13
"""The mean chance that a hand that is ahead falls behind with the next card."""
_RIVER = 3
_MOST_BLUFFED = 2


@njit(cache=True)
def formula_triple_of(
    situation: Situation, later_bets: float, hs: float, ppot: float, thresholds: Thresholds
) -> Triple:
    """The probabilities of Pokibot's rules, given HS against all opponents, PPot and the bets of later rounds."""
    return formula_triple(situation, later_bets, hs, ppot, thresholds)


@njit(cache=True, forceinline=True, borrows=True)
def formula_triple(
    situation: Situation, later_bets: float, hs: float, ppot: float, thresholds: Thresholds
) -> Triple:
    """`formula_triple_of` for compiled loops: inlined into the caller."""
    ehs = hs + (1.0 - hs) * ppot
    if situation[LEVEL] <= 0.0:
        fold = 0.0
        raise_ = _betting(situation, ehs, ppot, thresholds)
    else:
        fold, raise_ = _facing_a_bet(situation, later_bets, hs, ppot, ehs, thresholds)
    if situation[CAN_FOLD] == 0.0:
        fold = 0.0
    if situation[CAN_RAISE] == 0.0:
        raise_ = 0.0
    return fold, 1.0 - fold - raise_, raise_


@njit(cache=True, forceinline=True, borrows=True)
def _betting(situation: Situation, ehs: float, ppot: float, thresholds: Thresholds) -> float:
    """The probability to bet if nobody has bet."""
    deceives = thresholds[DECEPTION]
    chance = 0.0
    if ehs >= thresholds[RAISE_AT] and situation[BEHIND] > 0.0:
        chance = 1.0 - 0.15 * deceives
    elif ehs >= thresholds[BET_AT] or (
        situation[STREET] < _RIVER and ppot >= 2.0 / (situation[POT_BETS] + 6.0)
    ):
        chance = 1.0
    elif situation[OPPONENTS] <= _MOST_BLUFFED:
        chance = min(1.0, 0.5 * situation[BET_ODDS] * deceives)
    return chance


@njit(cache=True, forceinline=True, borrows=True)
def _facing_a_bet(
    situation: Situation, later_bets: float, hs: float, ppot: float, ehs: float, thresholds: Thresholds
) -> tuple[float, float]:
    """The probabilities to fold and to raise after a bet."""
    deceives = thresholds[DECEPTION]
    calling = thresholds[CALLING]
    bets = min(3.0, situation[LEVEL])
    fold = 0.0
    raise_ = 0.0
    if ehs >= 1.0 - (1.0 - thresholds[RAISE_AT]) / bets:
        slow_plays = situation[STREET] < _RIVER and bets == 1.0
        raise_ = 1.0 - 0.1 * deceives if slow_plays else 1.0
    elif ehs >= thresholds[BET_AT] + 0.1 * (bets - 1.0) and (
        situation[BETS_TO_CALL] < 2.0 or situation[INVESTED] > 0.0
    ):
        pass
    else:
        before_river = situation[STREET] < _RIVER
        if before_river and situation[OPPONENTS] == 1.0 and bets == 1.0 and ppot >= 0.2:
            raise_ = 0.12 * deceives
        cost = situation[BETS_TO_CALL] + later_bets
        at_showdown = hs * (1.0 - (NEGATIVE_POTENTIAL if before_river else 0.0)) + (1.0 - hs) * ppot
        chance = ppot if before_river else hs
        if chance < calling * situation[POT_ODDS] and at_showdown < calling * cost / (
            situation[POT_BETS] + cost + later_bets
        ):
            fold = 1.0 - raise_
    return fold, raise_
