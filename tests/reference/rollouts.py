"""A roll-out, one deal at a time, in fractions of a bet."""

from collections.abc import Sequence
from fractions import Fraction

from reference.hand_ranking import best_hand

RANKS = "23456789TJQKA"


def incomes(players: int, deck: Sequence[int]) -> list[Fraction]:
    """What each player wins beyond the bet paid: the deck begins with the board, then two cards for each."""
    hands = [best_hand([*deck[:5], *deck[5 + 2 * player : 7 + 2 * player]]) for player in range(players)]
    winners = hands.count(max(hands))
    return [Fraction(players, winners) - 1 if hand == max(hands) else Fraction(-1) for hand in hands]


def class_name(first: int, second: int) -> str:
    """The class of two cards: `AKs`, `AKo` or `AA`."""
    high, low = max(first, second), min(first, second)
    suffix = "" if high // 4 == low // 4 else "s" if high % 4 == low % 4 else "o"
    return RANKS[high // 4] + RANKS[low // 4] + suffix
