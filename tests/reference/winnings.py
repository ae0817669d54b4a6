"""Winnings whose true mean is known: distributions written down as values with their probabilities.

Kuhn poker is small enough to write down what two strategies win from each other, deal by deal, both seatings added.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from railbird.arena.results.tally import Tally

PARTS = 2520
Winnings = Mapping[int, Fraction]
"""Chips won in a unit, and how probable that is."""


@dataclass(frozen=True)
class KuhnStrategy:
    """How often a player bets or calls with the jack, the queen and the king."""

    open_bet: tuple[Fraction, Fraction, Fraction]
    call_after_check: tuple[Fraction, Fraction, Fraction]
    bet_after_check: tuple[Fraction, Fraction, Fraction]
    call_bet: tuple[Fraction, Fraction, Fraction]


NEVER, SOMETIMES, ALWAYS = Fraction(0), Fraction(1, 3), Fraction(1)
EQUILIBRIUM = KuhnStrategy(
    (NEVER, NEVER, NEVER),
    (NEVER, SOMETIMES, ALWAYS),
    (SOMETIMES, NEVER, ALWAYS),
    (NEVER, SOMETIMES, ALWAYS),
)
MANIAC = KuhnStrategy(*[(ALWAYS, ALWAYS, ALWAYS)] * 4)


def kuhn_hand(first: KuhnStrategy, second: KuhnStrategy, cards: tuple[int, int]) -> Winnings:
    """What the first to act wins with these cards."""
    mine, theirs = cards
    sign = 1 if mine > theirs else -1
    bet, call_later = first.open_bet[mine], first.call_after_check[mine]
    stab, call = second.bet_after_check[theirs], second.call_bet[theirs]
    outcomes = [
        (2 * sign, bet * call),
        (1, bet * (1 - call)),
        (2 * sign, (1 - bet) * stab * call_later),
        (-1, (1 - bet) * stab * (1 - call_later)),
        (sign, (1 - bet) * (1 - stab)),
    ]
    won: dict[int, Fraction] = defaultdict(Fraction)
    for chips, probability in outcomes:
        won[chips] += probability
    return won


def kuhn_duplicate_hands(a: KuhnStrategy, b: KuhnStrategy) -> dict[tuple[int, int], Fraction]:
    """What `a` wins from `b` in the two hands of a duplicate deal: first to act, then with the other's cards."""
    won: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for cards in permutations(range(3), 2):
        for here, chance in kuhn_hand(a, b, cards).items():
            for there, other_chance in kuhn_hand(b, a, cards).items():
                won[here, -there] += chance * other_chance / 6
    return won


def kuhn_duplicate(a: KuhnStrategy, b: KuhnStrategy) -> Winnings:
    """The two hands of a duplicate deal added up."""
    won: dict[int, Fraction] = defaultdict(Fraction)
    for (here, there), probability in kuhn_duplicate_hands(a, b).items():
        won[here + there] += probability
    return won


# Big blinds are two chips. A thief of blinds at no-limit: small gains, now and then a large pot, seldom the stack.
BLIND_THIEF: Winnings = {
    3: Fraction(70, 100),
    -5: Fraction(16, 100),
    12: Fraction(6, 100),
    -24: Fraction(5, 100),
    60: Fraction(1, 100),
    -60: Fraction(15, 1000),
    -400: Fraction(2, 1000),
    400: Fraction(3, 1000),
}
# A caller at limit: many small losses, fewer large pots.
LIMIT_CALLER: Winnings = {
    0: Fraction(30, 100),
    -1: Fraction(25, 100),
    -2: Fraction(20, 100),
    -6: Fraction(10, 100),
    5: Fraction(8, 100),
    14: Fraction(5, 100),
    30: Fraction(2, 100),
}
# The trap for every test that trusts the spread it has seen: it looks like a sure gain until it loses everything.
HIDDEN_RUIN: Winnings = {1: Fraction(99, 100), -99: Fraction(1, 100)}


def mean_of(winnings: Winnings) -> Fraction:
    return sum((chips * probability for chips, probability in winnings.items()), Fraction(0))


def draw(winnings: Winnings, generator: np.random.Generator, *shape: int) -> NDArray[np.int64]:
    """Chips won in as many units."""
    assert sum(winnings.values()) == 1
    values = np.array(list(winnings), dtype=np.int64)
    return generator.choice(values, size=shape, p=[float(chance) for chance in winnings.values()])


def heads_up_tally(units: NDArray[np.int64], hands_per_unit: int = 1) -> Tally:
    """The tally of a heads-up match in which the first player won these chips."""
    total = int(units.sum()) * PARTS
    square = int((units * units).sum()) * PARTS**2
    return Tally(
        len(units), len(units) * hands_per_unit, (total, -total), ((square, -square), (-square, square))
    )
