"""The betting rules of hold'em, once: compiled functions over a small vector of ints.

There are two vectors. `rules` describes the game and never changes; `state` is the betting of one hand, without cards.
Both are int64 arrays whose entries have the names below. Seats are positions: seat 0 is the first to the left of the
button, the last seat has the button, also heads-up.

A hand runs through these steps:

1. `start` takes antes and blinds from the stacks and opens the first round.
2. Every seat that has a decision left is PENDING: it has chips behind, and an opponent could bet more than it has bet.
   Sets of seats are bits of one int.
3. `_offer` writes what the next pending seat may do into the state: whether it may fold, what a call costs, the least
   and the most it may raise to (0 when it may not).
4. `step` performs the action. A raise makes all other seats pending again.
5. When nobody is pending the round closes. With two or more seats that have chips the next round opens, otherwise (or
   after the last round) the hand is over and goes to showdown. When one seat is left it is over at once.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit

Vector: TypeAlias = NDArray[np.int64]

MOST_SEATS = 10
MOST_ROUNDS = 4

# Kinds of action, and kinds of betting.
FOLD, CALL, RAISE = range(3)
LIMIT, POT_LIMIT, NO_LIMIT = range(3)

# When may a seat that already acted raise again? See `engine.rules.Reopening`.
REOPEN_ANY, REOPEN_FULL, REOPEN_CONSECUTIVE = range(3)

# Entries of the rules vector.
(
    SEATS,
    ROUNDS,
    BETTING,
    REOPENING,
    MINIMUM_KEPT,
    NEEDS_CALLER,
    BLINDS_NOMINAL,
    DEAD_ANTES,
    FRACTIONAL,
    MERGED_POTS,
    HOLE_CARDS,
    BOARD_CARDS,
) = range(12)
BET_SIZES = 12
RAISE_CAPS = BET_SIZES + MOST_ROUNDS
FIRST_SEATS = RAISE_CAPS + MOST_ROUNDS
RULES_LENGTH = FIRST_SEATS + MOST_ROUNDS

UNCAPPED = 1 << 30

# Entries of the state vector. Sets of seats are bits.
(
    ROUND,
    ACTOR,  # the seat to act, −1 when the hand is over
    OUTCOME,  # one of RUNNING, UNCONTESTED, SHOWDOWN
    LIVE,  # how many seats have not folded
    FOLDED,  # the seats that folded
    ABLE,  # the seats that have not folded and have chips behind
    PENDING,  # the seats that must still act in this round
    SPOKE,  # the seats that acted in this round
    ACTED,  # the seats that acted since the last full raise of this round
    HIGH,  # the bet to match in this round
    HOLLOW,  # 1 while the bet to match is a blind that nobody could post in full
    MINIMUM_TO,  # the least full raise-to
    FULL_RAISE,  # the size of a full raise: the bet size, or the largest raise of this round
    LARGEST_RAISE,  # the largest raise of this round, 0 before the first
    SHORT_RAISES,  # the sum of the short all-in raises in a row
    RAISES,  # bets and raises made in this round
    AGGRESSOR,  # who bet or raised last in this round, −1 if nobody
    POT,  # everything paid in this hand
    MAY_FOLD,
    TO_CALL,
    RAISE_MINIMUM,  # 0 when the actor may not raise
    RAISE_MAXIMUM,
) = range(22)
STACKS = 22  # chips behind
BETS = STACKS + MOST_SEATS  # chips bet in this round
PAID = BETS + MOST_SEATS  # chips paid in the whole hand, antes and this round's bets included
ANTES = PAID + MOST_SEATS  # the antes among them
SEEN_HIGH = ANTES + MOST_SEATS  # the bet to match when the seat last acted in this round, if it did
STATE_LENGTH = SEEN_HIGH + MOST_SEATS

RUNNING, UNCONTESTED, SHOWDOWN = range(3)


@njit(cache=True)
def start(rules: Vector, state: Vector, stacks: Vector, blinds: Vector, antes: Vector, first: int) -> None:
    """Begin a hand: take antes and blinds, and open the first round with seat `first` or the next that can act."""
    state[:] = 0
    seats = rules[SEATS]
    state[LIVE] = seats
    nominal = 0
    posted = 0
    for seat in range(seats):
        ante = min(antes[seat], stacks[seat])
        blind = min(blinds[seat], stacks[seat] - ante)
        behind = stacks[seat] - ante - blind
        state[ANTES + seat] = ante
        state[BETS + seat] = blind
        state[PAID + seat] = ante + blind
        state[STACKS + seat] = behind
        state[POT] += ante + blind
        if behind > 0:
            state[ABLE] |= 1 << seat
        nominal = max(nominal, blinds[seat])
        posted = max(posted, blind)
    high = nominal if rules[BLINDS_NOMINAL] else posted
    _clear_round(rules, state, high)
    state[HOLLOW] = 1 if high > posted else 0
    state[PENDING] = _first_pending(rules, state)
    if state[PENDING] == 0:
        _finish(state, SHOWDOWN)  # antes and blinds left nobody with a decision
    else:
        _ask(rules, state, first)


@njit(cache=True)
def step(rules: Vector, state: Vector, kind: int, amount: int) -> None:
    """Perform the actor's action: FOLD, CALL (or check), or RAISE to `amount`."""
    advance(rules, state, kind, amount)


@njit(cache=True, forceinline=True, borrows=True)
def advance(rules: Vector, state: Vector, kind: int, amount: int) -> None:
    """`step` for compiled loops: inlined into the caller, which saves the cost of passing arrays."""
    seat = state[ACTOR]
    bit = 1 << seat
    state[PENDING] &= ~bit
    state[SPOKE] |= bit
    state[ACTED] |= bit
    if kind == FOLD:
        state[FOLDED] |= bit
        state[ABLE] &= ~bit
        state[LIVE] -= 1
        if state[LIVE] == 1:
            state[PENDING] = 0
    elif kind == CALL:
        _pay(state, seat, state[TO_CALL])
        state[SEEN_HIGH + seat] = state[HIGH]
    else:
        _raise_to(rules, state, seat, amount)
    seat += 1
    if state[PENDING] == 0:
        seat = _close_round(rules, state)
    if seat >= 0:
        _ask(rules, state, seat)


@njit(cache=True, forceinline=True, borrows=True)
def offers(state: Vector, kind: int, amount: int) -> bool:
    """Whether the actor may do this, by what `_offer` wrote."""
    if kind == RAISE:
        return bool(0 < state[RAISE_MINIMUM] <= amount <= state[RAISE_MAXIMUM])
    return bool(kind == CALL or state[MAY_FOLD] == 1)


@njit(cache=True, forceinline=True, borrows=True)
def _pay(state: Vector, seat: int, chips: int) -> None:
    state[STACKS + seat] -= chips
    state[BETS + seat] += chips
    state[PAID + seat] += chips
    state[POT] += chips
    if state[STACKS + seat] == 0:
        state[ABLE] &= ~(1 << seat)


@njit(cache=True, forceinline=True, borrows=True)
def _raise_to(rules: Vector, state: Vector, seat: int, amount: int) -> None:
    bit = 1 << seat
    raised_by = amount - state[HIGH]
    _pay(state, seat, amount - state[BETS + seat])
    state[HIGH] = amount
    state[HOLLOW] = 0
    state[SEEN_HIGH + seat] = amount
    state[AGGRESSOR] = seat
    state[RAISES] += 1
    state[PENDING] = state[ABLE] & ~bit

    if raised_by >= state[LARGEST_RAISE]:
        state[ACTED] = bit
        state[LARGEST_RAISE] = raised_by
    if state[STACKS + seat] > 0:
        state[SHORT_RAISES] = 0
    else:
        state[SHORT_RAISES] += raised_by
        if state[SHORT_RAISES] >= state[LARGEST_RAISE]:
            state[SHORT_RAISES] = 0

    state[FULL_RAISE] = max(state[FULL_RAISE], raised_by)
    if rules[MINIMUM_KEPT]:
        state[MINIMUM_TO] = max(state[MINIMUM_TO], amount + raised_by)
    else:
        state[MINIMUM_TO] = amount + state[FULL_RAISE]


@njit(cache=True, forceinline=True, borrows=True)
def _clear_round(rules: Vector, state: Vector, high: int) -> None:
    bet_size = rules[BET_SIZES + state[ROUND]]
    state[HIGH] = high
    state[HOLLOW] = 0
    state[FULL_RAISE] = bet_size
    state[MINIMUM_TO] = high + bet_size
    state[LARGEST_RAISE] = 0
    state[SHORT_RAISES] = 0
    state[SPOKE] = 0
    state[ACTED] = 0
    state[RAISES] = 0
    state[AGGRESSOR] = -1


@njit(cache=True, forceinline=True, borrows=True)
def _first_pending(rules: Vector, state: Vector) -> int:
    """The seats with a decision after the blinds: with chips behind, and an opponent who could bet more."""
    pending = 0
    for seat in range(rules[SEATS]):
        if (state[ABLE] >> seat) & 1 and _reach_of_others(rules, state, seat) > state[BETS + seat]:
            pending |= 1 << seat
    return pending


@njit(cache=True, forceinline=True, borrows=True)
def _close_round(rules: Vector, state: Vector) -> int:
    """End the hand, or begin the next round; returns the seat from which to ask, −1 when the hand is over."""
    able = state[ABLE]
    at_most_one = able & (able - 1) == 0
    if at_most_one or state[ROUND] + 1 == rules[ROUNDS] or state[LIVE] == 1:
        _finish(state, UNCONTESTED if state[LIVE] == 1 else SHOWDOWN)
        return -1
    state[ROUND] += 1
    for seat in range(rules[SEATS]):
        state[BETS + seat] = 0
    _clear_round(rules, state, 0)
    # Nobody has bet and at least two have chips: all of those have a decision.
    state[PENDING] = able
    return rules[FIRST_SEATS + state[ROUND]]  # type: ignore[no-any-return]


@njit(cache=True, forceinline=True, borrows=True)
def _finish(state: Vector, outcome: int) -> None:
    state[OUTCOME] = outcome
    state[ACTOR] = -1
    state[PENDING] = 0
    state[MAY_FOLD] = 0
    state[TO_CALL] = 0
    state[RAISE_MINIMUM] = 0
    state[RAISE_MAXIMUM] = 0


@njit(cache=True, forceinline=True, borrows=True)
def _ask(rules: Vector, state: Vector, seat: int) -> None:
    """Make the first pending seat from `seat` on the actor, and write what it may do."""
    pending = state[PENDING]
    if pending >> seat == 0:
        seat = 0
    while not (pending >> seat) & 1:
        seat += 1
    state[ACTOR] = seat
    _offer(rules, state, seat)


@njit(cache=True, forceinline=True, borrows=True)
def _reach_of_others(rules: Vector, state: Vector, seat: int) -> int:
    """The largest bet that an opponent who has not folded has made or could still make in this round."""
    reach = 0
    for other in range(rules[SEATS]):
        if other != seat and not (state[FOLDED] >> other) & 1:
            reach = max(reach, state[BETS + other] + state[STACKS + other])
    return reach


@njit(cache=True, forceinline=True, borrows=True)
def _offer(rules: Vector, state: Vector, seat: int) -> None:
    """Write into the state what the actor may do."""
    bet = state[BETS + seat]
    stack = state[STACKS + seat]
    high = state[HIGH]
    to_match = high - bet
    if state[HOLLOW]:
        # Nobody posted the whole blind, and nobody pays more than an opponent can match.
        to_match = max(0, min(high, _reach_of_others(rules, state, seat)) - bet)
    state[TO_CALL] = min(stack, to_match)
    state[MAY_FOLD] = 1 if to_match > 0 else 0
    if not _may_raise(rules, state, seat):
        state[RAISE_MINIMUM] = 0
        state[RAISE_MAXIMUM] = 0
        return

    most = bet + stack
    if rules[BETTING] == LIMIT:
        raise_to = min(most, high + rules[BET_SIZES + state[ROUND]])
        state[RAISE_MINIMUM] = raise_to
        state[RAISE_MAXIMUM] = raise_to
        return
    least = min(most, state[MINIMUM_TO])
    if rules[BETTING] == POT_LIMIT:
        # Call first, then raise by the pot: high + (POT + high − bet).
        most = min(most, max(least, 2 * high - bet + state[POT]))
    state[RAISE_MINIMUM] = least
    state[RAISE_MAXIMUM] = most


@njit(cache=True, forceinline=True, borrows=True)
def _may_raise(rules: Vector, state: Vector, seat: int) -> bool:
    high = state[HIGH]
    bet = state[BETS + seat]
    stack = state[STACKS + seat]
    if state[RAISES] >= rules[RAISE_CAPS + state[ROUND]] or bet + stack <= high:
        return False
    others = state[ABLE] & ~(1 << seat)
    if others == 0:
        return False
    if rules[NEEDS_CALLER]:
        other = 0
        while not ((others >> other) & 1 and state[BETS + other] + state[STACKS + other] > high):
            other += 1
            if others >> other == 0:
                return False

    if rules[REOPENING] == REOPEN_FULL:
        if (state[SPOKE] >> seat) & 1:
            faced = high - state[SEEN_HIGH + seat]
            if rules[BETTING] == LIMIT:
                return bool(2 * faced >= rules[BET_SIZES + state[ROUND]])
            return bool(faced >= state[FULL_RAISE])
    elif rules[REOPENING] == REOPEN_CONSECUTIVE:
        if min(stack, high - bet) < state[LARGEST_RAISE]:
            return False
        short = state[SHORT_RAISES]
        if 0 < short < state[LARGEST_RAISE] and (state[ACTED] >> seat) & 1:
            return False
    return True
