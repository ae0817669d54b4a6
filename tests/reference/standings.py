"""Standings by hand: look through every match again each time, with lists and nothing else."""

from collections.abc import Sequence
from fractions import Fraction

Match = tuple[tuple[str, ...], list[list[int]]]
"""Who met, and what each of them won unit by unit, in parts of a chip."""


def profit(matches: Sequence[Match], label: str, pool: Sequence[str]) -> Fraction:
    """What an entrant won in the matches that only members of the pool played."""
    won = Fraction(0)
    for players, units in matches:
        if label in players and all(player in pool for player in players):
            for unit in units:
                won += Fraction(unit[players.index(label)], 2520)
    return won


def places_by_bankroll(matches: Sequence[Match], entrants: Sequence[str]) -> list[str]:
    """Pick the best of those who are left until nobody is."""
    left, places = list(entrants), []
    while left:
        best = left[0]
        for label in left[1:]:
            if profit(matches, label, entrants) > profit(matches, best, entrants):
                best = label
        places.append(best)
        left.remove(best)
    return places


def places_by_runoff(matches: Sequence[Match], entrants: Sequence[str], table: int) -> list[str]:
    """Throw out the worst, last of the list first among equals, until everyone is out."""
    pool, places = list(entrants), list[str]()
    counted = list(entrants)
    while pool:
        # Below a full table nobody can meet any more, so the last table keeps counting.
        if len(pool) >= table:
            counted = list(pool)
        worst = pool[-1]
        for label in reversed(pool[:-1]):
            here, there = profit(matches, label, counted), profit(matches, worst, counted)
            overall = profit(matches, label, entrants) < profit(matches, worst, entrants)
            if here < there or (here == there and overall):
                worst = label
        places.insert(0, worst)
        pool.remove(worst)
    return places
