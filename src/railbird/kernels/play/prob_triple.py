"""ProbTriple: from a situation and a holding to the probabilities of fold, call (or check) and raise (or bet).

loki-1999 keeps all expert knowledge in one routine of this name, used in three ways: to re-weight an opponent's
range, to act for all players in simulations, and alone as a way to play. The paper does not print the routine. This
one consists of two shares of all holdings:

1. the holdings with which a player stays (`_staying_share…`)
2. those with which a player raises (`_raising_share…`)

A holding is compared with both shares by its value, a percentile: before the flop that of its income rate in the
situation's group (`situations.GROUP`), afterwards EHS' = HS + (1 − HS) · PPot against one random holding (Papp 1998,
equation 6.4). Borders are soft, so that close holdings mix their actions. The exceptions are draws justified by the pot
odds, semi-bluffs, bluffs in the proportion that leaves a caller no profit, and slow-play.

A style bends the shares, context by context: `LOOSENESS + context` is added to the log-odds of staying and
`AGGRESSION + context` to those of raising, and `BLUFFING` multiplies bluffs. All zeros (and bluffing 1) is the
generic player; named profiles and models of single opponents are other styles for the same function.
"""

from math import exp
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.play.situations import (
    BEHIND,
    BET_ODDS,
    BETS_TO_CALL,
    CALLERS,
    CAN_FOLD,
    CAN_RAISE,
    CONTEXT,
    CONTEXTS,
    INVESTED,
    LEVEL,
    OPPONENTS,
    PLAYERS,
    POSITION,
    POT_ODDS,
    STREET,
    Situation,
)

Style: TypeAlias = NDArray[np.float64]
Triple: TypeAlias = tuple[float, float, float]

LOOSENESS = 0
AGGRESSION = CONTEXTS
BLUFFING = 2 * CONTEXTS
STYLE_LENGTH = 2 * CONTEXTS + 1

LEAST_CHANCE = 0.004
"""Minimum probability of a legal action."""


@njit(cache=True)
def triple_of(situation: Situation, strength: float, potential: float, style: Style) -> Triple:
    """The probabilities of fold, call and raise; strength is HS and potential PPot, preflop a percentile and 0."""
    return probability_triple(situation, strength, potential, style)


@njit(cache=True, forceinline=True, borrows=True)
def probability_triple(situation: Situation, strength: float, potential: float, style: Style) -> Triple:
    """`triple_of` for compiled loops: inlined into the caller."""
    staying, raising, width = shares(situation, style)
    return triple_from_shares(situation, style, staying, raising, width, strength, potential)


@njit(cache=True, forceinline=True, borrows=True)
def shares(situation: Situation, style: Style) -> tuple[float, float, float]:
    """The shares of all holdings with which this style stays and raises, and the softness of the borders."""
    context = int(situation[CONTEXT])
    if situation[STREET] == 0:
        staying = _staying_share_preflop(situation)
        raising = _raising_share_preflop(situation, staying)
    else:
        staying = _staying_share(situation)
        raising = _raising_share(situation)
    staying = _bent(staying, style[LOOSENESS + context])
    raising = _bent(raising, style[AGGRESSION + context])
    width = 0.006 + 0.1 * staying if situation[STREET] == 0 else 0.06
    return staying, raising, width


@njit(cache=True, forceinline=True, borrows=True)
def triple_from_shares(
    situation: Situation,
    style: Style,
    staying: float,
    raising: float,
    width: float,
    strength: float,
    potential: float,
) -> Triple:
    """The triple of one holding, given the shares of the situation."""
    value = strength + (1.0 - strength) * potential
    stay, raise_ = 1.0, 0.0
    if situation[CAN_FOLD] != 0.0:
        stay = _soft(value - (1.0 - staying), width)
        if situation[STREET] > 0:
            # A real draw calls if the next card completes it often enough; later bets are won in addition.
            drawing = _soft(potential - max(0.13, 0.85 * situation[POT_ODDS] + 0.02), 0.015)
            stay += (1.0 - stay) * drawing
    if situation[CAN_RAISE] != 0.0:
        raise_ = 0.9 * _soft(
            value - (1.0 - raising), min(width, 0.005 + 0.2 * raising)
        )  # the rest is slow-play
        if situation[STREET] > 0 and situation[LEVEL] <= 1.0:
            weak = (1.0 - raise_) * style[BLUFFING] / situation[OPPONENTS]
            raise_ += weak * 0.5 * _soft(potential - 0.20, 0.02)  # semi-bluff
            raise_ += weak * 0.8 * raising * situation[BET_ODDS] * _soft(0.35 - value, 0.08)  # bluff
    return _legal(stay, raise_, situation[CAN_FOLD], situation[CAN_RAISE])


@njit(cache=True, forceinline=True, borrows=True)
def _staying_share_preflop(situation: Situation) -> float:
    """Before the flop: wide with few players behind, or with part of the bets already paid."""
    level = situation[LEVEL]
    if level <= 1.0:
        share = 0.8 / max(1.0, situation[BEHIND])
        if situation[CALLERS]:
            share = max(share, 0.10 + 0.04 * situation[CALLERS] + 0.10 * situation[POSITION])
        return share * (1.6 - 0.6 * min(1.0, situation[BETS_TO_CALL]))  # type: ignore[no-any-return]
    discount = level / max(0.5, situation[BETS_TO_CALL])
    share = 0.5 if level <= 2.0 else 0.28
    share *= _opening_share(situation) * discount * (0.6 + 0.4 * discount)
    share *= (1.0 + 0.2 * situation[CALLERS]) * (1.0 + 0.5 * situation[INVESTED])
    return share  # type: ignore[no-any-return]


@njit(cache=True, forceinline=True, borrows=True)
def _raising_share_preflop(situation: Situation, staying: float) -> float:
    """Before the flop: most holdings that open, fewer when others are in, and the best against a raise."""
    if situation[LEVEL] > 1.0:
        return (0.22 if situation[LEVEL] <= 2.0 else 0.10) * _opening_share(situation)
    if situation[CALLERS]:
        return 0.04 + 0.12 * staying
    return 0.62 * staying


@njit(cache=True, forceinline=True, borrows=True)
def _opening_share(situation: Situation) -> float:
    """The approximate share with which a raiser opened at a table of this size."""
    return 1.6 / situation[PLAYERS]  # type: ignore[no-any-return]


@njit(cache=True, forceinline=True, borrows=True)
def _staying_share(situation: Situation) -> float:
    """After the flop: the better the pot odds the more; fewer against raises, in a crowd, and late in the hand."""
    needed = 0.30 + 0.9 * situation[POT_ODDS] + 0.035 * (situation[OPPONENTS] - 1.0)
    needed += 0.18 * max(0.0, min(2.0, situation[LEVEL] - 1.0))
    return 0.96 - needed if situation[STREET] >= 3.0 else 1.0 - needed  # type: ignore[no-any-return]


@njit(cache=True, forceinline=True, borrows=True)
def _raising_share(situation: Situation) -> float:
    """After the flop: a bet needs the best hand about half of the time, a raise far more often."""
    if situation[LEVEL] <= 0.0:
        return 1.0 / (1.6 + 0.7 * situation[OPPONENTS] + 0.1 * situation[BEHIND])  # type: ignore[no-any-return]
    bets = 2.0 * max(1.0, min(3.0, situation[LEVEL])) - 1.0
    return 0.17 / (bets * (0.8 + 0.2 * situation[OPPONENTS]))  # type: ignore[no-any-return]


@njit(cache=True, forceinline=True, borrows=True)
def _bent(share: float, log_odds: float) -> float:
    """A share whose odds are multiplied by e to the power of `log_odds`."""
    share = min(0.98, max(0.004, share))
    if log_odds == 0.0:
        return share
    odds = share / (1.0 - share) * exp(log_odds)
    return odds / (1.0 + odds)


@njit(cache=True, forceinline=True, borrows=True)
def _soft(above: float, width: float) -> float:
    """From 0 to 1 around a border: one half on it."""
    return 1.0 / (1.0 + exp(-above / width))


@njit(cache=True, forceinline=True, borrows=True)
def _legal(stay: float, raise_: float, can_fold: float, can_raise: float) -> Triple:
    """A minimum probability for everything that is possible."""
    raise_ = min(raise_, stay)
    fold = 1.0 - stay
    call = stay - raise_
    least = LEAST_CHANCE
    if can_fold != 0.0:
        fold = max(fold, least)
    if can_raise != 0.0:
        raise_ = max(raise_, least)
    call = max(call, least)
    total = fold + call + raise_
    return fold / total, call / total, raise_ / total
