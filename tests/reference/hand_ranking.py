"""Hands ranked as the rule book says it: look at every five of the cards, name each hand, keep the best."""

from collections.abc import Sequence
from itertools import combinations

Strength = tuple[int, ...]
"""A category 0..8 (high card … straight flush) and then ranks; the larger tuple is the better hand."""

ACE, FIVE, FOUR, THREE, DEUCE = 12, 3, 2, 1, 0


def best_hand(cards: Sequence[int]) -> Strength:
    """The strength of the best five of the cards."""
    return max(five_card_hand(five) for five in combinations(cards, 5))


def five_card_hand(cards: Sequence[int]) -> Strength:
    """The strength of exactly five cards."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    one_suit = len({card % 4 for card in cards}) == 1
    top_of_straight = straight(ranks)
    singles, pairs, threes, fours = (held(ranks, times) for times in (1, 2, 3, 4))
    if one_suit and top_of_straight:
        return (8, *top_of_straight)
    if fours:
        return (7, *fours, *singles)
    if threes and pairs:
        return (6, *threes, *pairs)
    if one_suit:
        return (5, *ranks)
    if top_of_straight:
        return (4, *top_of_straight)
    if threes:
        return (3, *threes, *singles)
    return (len(pairs), *pairs, *singles)


def straight(ranks: Sequence[int]) -> list[int]:
    """The highest rank of a straight, or nothing; below the five an ace counts as one."""
    if ranks == [ACE, FIVE, FOUR, THREE, DEUCE]:
        return [FIVE]
    return [ranks[0]] if ranks == [ranks[0] - below for below in range(5)] else []


def held(ranks: Sequence[int], times: int) -> list[int]:
    """The ranks that appear exactly so often, the highest first."""
    return sorted({rank for rank in ranks if ranks.count(rank) == times}, reverse=True)


def small_hand(cards: Sequence[int]) -> Strength:
    """The strength of fewer than five cards: the sizes of the groups of one rank, then their ranks."""
    ranks = [card // 4 for card in cards]
    groups = [rank for times in (4, 3, 2, 1) for rank in held(ranks, times)]
    return (*(ranks.count(rank) for rank in groups), *(0 for _ in range(4 - len(groups))), *groups)
