"""Betting sequences performed in one pass, for hands whose actions are all known."""

from railbird.kernels.compiler import njit
from railbird.kernels.rules.betting import ACTOR, BETS, HIGH, PAID, ROUND, STACKS, Vector, advance, offers

# The numbers written for an action.
(
    SEAT,
    PAID_NOW,  # what it cost
    BET,  # the seat's bet of the round afterwards
    IN_ROUND,
    TO_MATCH,  # the highest bet of the round before it
    LEFT,  # the seat's chips behind afterwards
) = range(6)
ROW = 6


@njit(cache=True)
def perform(rules: Vector, state: Vector, actions: Vector, rows: Vector) -> int:
    """Perform actions, pairs of kind and amount, up to the first that is not offered; returns how many were.

    Writes a row of `ROW` numbers for each.
    """
    count = len(actions) // 2
    for number in range(count):
        kind, amount = actions[2 * number], actions[2 * number + 1]
        seat = state[ACTOR]
        if seat < 0 or not offers(state, kind, amount):
            return number
        bet, paid = state[BETS + seat], state[PAID + seat]
        row = ROW * number
        rows[row + SEAT] = seat
        rows[row + IN_ROUND] = state[ROUND]
        rows[row + TO_MATCH] = state[HIGH]
        advance(rules, state, kind, amount)
        cost = state[PAID + seat] - paid
        rows[row + PAID_NOW] = cost
        rows[row + BET] = bet + cost
        rows[row + LEFT] = state[STACKS + seat]
    return count
