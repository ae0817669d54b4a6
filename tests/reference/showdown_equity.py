"""Equity by dealing every deal: all holdings, all boards, eval7 to judge, fractions to count."""

import warnings
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod

from reference.hand_referees import EVAL7_DECK

with warnings.catch_warnings():
    # eval7 calls its parser library by names that are going out of use.
    warnings.simplefilter("ignore", DeprecationWarning)
    import eval7

Hand = tuple[int, int]


def shares(
    ranges: Sequence[Mapping[Hand, Fraction]], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """For each player the shares of wins, ties and losses, and the equity; ranges give hands weights."""
    sums = [[Fraction(0)] * 4 for _ in ranges]
    whole = Fraction(0)
    for hands in product(*ranges):
        held = [card for hand in hands for card in hand]
        seen = {*held, *board, *dead}
        if len(seen) < len(held) + len(board) + len(dead):
            continue
        weight = prod((weights[hand] for weights, hand in zip(ranges, hands, strict=True)), start=Fraction(1))
        live = [card for card in range(52) if card not in seen]
        for run_out in combinations(live, 5 - len(board)):
            whole += weight
            for player, share in enumerate(pot_shares(hands, (*board, *run_out))):
                sums[player][1 if 0 < share < 1 else 0 if share else 2] += weight
                sums[player][3] += weight * share
    return [(win / whole, tie / whole, lose / whole, equity / whole) for win, tie, lose, equity in sums]


def pot_shares(hands: Sequence[Hand], board: Sequence[int]) -> list[Fraction]:
    """What each player gets of the pot on a whole board."""
    values = [eval7.evaluate([EVAL7_DECK[card] for card in (*hand, *board)]) for hand in hands]
    winners = values.count(max(values))
    return [Fraction(value == max(values), winners) for value in values]


def eval7_river_equity(hole: Sequence[int], opponent: str, board: Sequence[int]) -> float:
    """What eval7 itself says of a hand against a range, in its own notation, on a whole board."""
    hand, table = ([EVAL7_DECK[card] for card in cards] for cards in (hole, board))
    return float(eval7.py_hand_vs_range_exact(hand, _eval7_range(opponent), table))


@cache
def _eval7_range(text: str) -> eval7.HandRange:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return eval7.HandRange(text)
