"""Suit isomorphism by trying all 24 namings of the suits."""

from collections.abc import Sequence
from itertools import permutations

Situation = tuple[tuple[int, ...], tuple[int, ...]]


def renamed(cards: Sequence[int], suits: Sequence[int]) -> tuple[int, ...]:
    """The cards with suit `s` called `suits[s]`, ascending."""
    return tuple(sorted(4 * (card // 4) + suits[card % 4] for card in cards))


def renamings(hole: Sequence[int], board: Sequence[int]) -> set[Situation]:
    """All deals that differ from this one only in the names of the suits."""
    return {(renamed(hole, suits), renamed(board, suits)) for suits in permutations(range(4))}


def representative(hole: Sequence[int], board: Sequence[int]) -> Situation:
    """The smallest of a situation's renamings: the same for all of them, different for all others."""
    return min(renamings(hole, board))
