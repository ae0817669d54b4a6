"""Main pot, side pots and who gets them: compiled functions over the state of `kernels.rules.betting`.

Awards are counted in parts of a chip: 1 chip is 2,520 parts, the least number that 1 … 10 winners divide evenly, so
that fractional split pots stay exact ints.
"""

import numpy as np

from railbird.kernels.compiler import njit
from railbird.kernels.rules.betting import (
    ANTES,
    DEAD_ANTES,
    FOLDED,
    FRACTIONAL,
    MERGED_POTS,
    MOST_SEATS,
    PAID,
    POT,
    SEATS,
    Vector,
)

PARTS = 2520


@njit(cache=True)
def return_uncalled(rules: Vector, state: Vector) -> tuple[int, int]:
    """Give back the part of a bet that no opponent matched; returns the seat that paid the most, and these chips.

    With antes of different sizes a folded seat can have paid the most; its chips stay in the pot.
    """
    payer = 0
    most = np.int64(-1)
    second = np.int64(-1)
    for seat in range(rules[SEATS]):
        paid = state[PAID + seat]
        if rules[DEAD_ANTES]:
            paid -= state[ANTES + seat]
        if paid > most:
            payer, second, most = seat, most, paid
        elif paid > second:
            second = paid
    uncalled = most - second
    if (state[FOLDED] >> payer) & 1:
        uncalled = np.int64(0)
    state[PAID + payer] -= uncalled
    state[POT] -= uncalled
    return payer, uncalled  # type: ignore[return-value]


@njit(cache=True)
def collect_pots(rules: Vector, state: Vector, amounts: Vector, claimants: Vector) -> int:
    """Divide what was paid into pots, main pot first; returns their number.

    Writes each pot's chips and the set (as bits) of seats that have not folded and paid their full share of it. Layers
    with the same claimants are one pot. Dead antes belong to the main pot, whoever paid them.
    """
    seats = rules[SEATS]
    dead = 0
    levels = np.empty(MOST_SEATS, dtype=np.int64)
    level_of = np.empty(MOST_SEATS, dtype=np.int64)
    count = 0
    for seat in range(seats):
        paid = state[PAID + seat]
        if rules[DEAD_ANTES]:
            dead += state[ANTES + seat]
            paid -= state[ANTES + seat]
        level_of[seat] = paid
        place = 0
        while place < count and levels[place] < paid:
            place += 1
        if place == count or levels[place] != paid:
            for later in range(count, place, -1):
                levels[later] = levels[later - 1]
            levels[place] = paid
            count += 1

    pots = 0
    below = 0
    for layer in range(count):
        level = levels[layer]
        chips = dead
        dead = 0
        claim = 0
        for seat in range(seats):
            if level_of[seat] >= level:
                chips += level - below
                if not (state[FOLDED] >> seat) & 1:
                    claim |= 1 << seat
        below = level
        if chips == 0:
            continue
        if pots > 0 and (claim == claimants[pots - 1] or claim == 0):
            amounts[pots - 1] += chips
        else:
            amounts[pots] = chips
            claimants[pots] = claim
            pots += 1
    return pots


@njit(forceinline=True, borrows=True)
def collect_all(rules: Vector, state: Vector, payoffs: Vector) -> None:
    """Add what every seat won or lost, in parts of a chip, when all but one have folded."""
    for seat in range(rules[SEATS]):
        payoffs[seat] -= state[PAID + seat] * PARTS
        if not (state[FOLDED] >> seat) & 1:
            payoffs[seat] += state[POT] * PARTS


@njit(cache=True, borrows=True)
def award(rules: Vector, state: Vector, values: Vector, awards: Vector) -> None:
    """Write what each seat takes out of the pots, in parts of a chip; `values` are the hands, higher is better."""
    seats = rules[SEATS]
    for seat in range(seats):
        awards[seat] = 0
    if _single_pot(rules, state):
        everyone = 0
        for seat in range(seats):
            if not (state[FOLDED] >> seat) & 1:
                everyone |= 1 << seat
        share_pot(rules, values, state[POT], everyone, awards)
    else:
        _award_pots(rules, state, values, awards)


@njit(cache=True)
def _award_pots(rules: Vector, state: Vector, values: Vector, awards: Vector) -> None:
    """Add what each seat takes out of several pots."""
    amounts = np.empty(MOST_SEATS, dtype=np.int64)
    claimants = np.empty(MOST_SEATS, dtype=np.int64)
    count = collect_pots(rules, state, amounts, claimants)
    if rules[MERGED_POTS]:
        count = merge_pots(rules, values, amounts, claimants, count)
    for pot in range(count):
        share_pot(rules, values, amounts[pot], claimants[pot], awards)


@njit(cache=True, borrows=True)
def merge_pots(rules: Vector, values: Vector, amounts: Vector, claimants: Vector, count: int) -> int:
    """Remove the seats that win nothing and merge pots with the same claimants; returns the number of pots."""
    winners = 0
    for pot in range(count):
        best = np.int64(-1)
        winners_of_pot = 0
        for seat in range(rules[SEATS]):
            if (claimants[pot] >> seat) & 1:
                if values[seat] > best:
                    best = values[seat]
                    winners_of_pot = 1 << seat
                elif values[seat] == best:
                    winners_of_pot |= 1 << seat
        winners |= winners_of_pot
    merged = 0
    for pot in range(count):
        chips = amounts[pot]
        claim = claimants[pot] & winners
        if merged > 0 and claim == claimants[merged - 1]:
            amounts[merged - 1] += chips
        else:
            amounts[merged] = chips
            claimants[merged] = claim
            merged += 1
    return merged


@njit(cache=True, borrows=True)
def _single_pot(rules: Vector, state: Vector) -> bool:
    """Whether all remaining seats paid the same and no other paid more: the common case, with a single pot."""
    most = 0
    for seat in range(rules[SEATS]):
        most = max(most, state[PAID + seat])
    for seat in range(rules[SEATS]):
        if not (state[FOLDED] >> seat) & 1 and state[PAID + seat] < most:
            return False
    return not rules[DEAD_ANTES]


@njit(cache=True, borrows=True)
def share_pot(rules: Vector, values: Vector, chips: int, claim: int, awards: Vector) -> None:
    """Add one pot's chips to the awards of the best hands among its claimants."""
    best = np.int64(-1)
    winners = 0
    first = 0
    for seat in range(rules[SEATS]):
        if (claim >> seat) & 1:
            if values[seat] > best:
                best = values[seat]
                winners = 1
                first = seat
            elif values[seat] == best:
                winners += 1
    if rules[FRACTIONAL]:
        part = chips * PARTS // winners
        odd = 0
    else:
        part = chips // winners * PARTS
        odd = chips % winners * PARTS
    for seat in range(rules[SEATS]):
        if (claim >> seat) & 1 and values[seat] == best:
            awards[seat] += part
    awards[first] += odd
