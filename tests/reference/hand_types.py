"""Best five cards by trying them all, and hand types by counting their ranks."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

Strength = tuple[int, ...]

HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(9)


def strength(five: Sequence[int]) -> Strength:
    """The category of five cards and the ranks that decide within it, the most repeated first."""
    ranks = sorted((card // 4 for card in five), reverse=True)
    repeated = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    pattern = [count for _, count in repeated]
    order = [rank for rank, _ in repeated]
    flush = len({card % 4 for card in five}) == 1
    straight = len(order) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    if ranks == [12, 3, 2, 1, 0]:
        order = [3, 2, 1, 0, -1]
    if straight:
        return (STRAIGHT_FLUSH if flush else STRAIGHT, *order)
    if flush:
        return (FLUSH, *order)
    category = {
        (4, 1): FOUR,
        (3, 2): FULL_HOUSE,
        (3, 1, 1): THREE,
        (2, 2, 1): TWO_PAIR,
        (2, 1, 1, 1): PAIR,
        (1, 1, 1, 1, 1): HIGH_CARD,
    }[tuple(pattern)]
    return (category, *order)


def best_strength(cards: Sequence[int]) -> Strength:
    """The strength of the best five of some cards."""
    return max(map(strength, combinations(cards, 5)))


def best_fives(cards: Sequence[int]) -> list[tuple[int, ...]]:
    """Every choice of five cards that is as strong as the best one."""
    best = best_strength(cards)
    return [five for five in combinations(cards, 5) if strength(five) == best]


def type_label(hole: Sequence[int], board: Sequence[int]) -> str:
    """The hand type as the thesis writes it."""
    category, *ranks = best_strength([*hole, *board])
    if category != PAIR:
        return {
            HIGH_CARD: "Busted",
            TWO_PAIR: "TwoPair",
            THREE: "ThreeOfAKind",
            STRAIGHT: "Straight",
            FLUSH: "Flush",
            FULL_HOUSE: "FullHouse",
            FOUR: "FourOfAKind",
            STRAIGHT_FLUSH: "StraightFlush",
        }[category]
    rank, *kickers = ranks
    letter = "23456789TJQKA"[rank]
    if letter in "234567":
        return "LowPair"
    if letter in "89":
        return "MidPair"
    if letter in "TJQ":
        return {"T": "TenPair", "J": "JackPair", "Q": "QueenPair"}[letter]
    strong = any("23456789TJQKA"[kicker] in "TJQKA" for kicker in kickers)
    return {"K": "KingPair", "A": "AcePair"}[letter] + ("Strong" if strong else "Weak")
