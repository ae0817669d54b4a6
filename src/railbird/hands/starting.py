"""The ranking 1..169 of starting hands that CASPER and BayCaRP compare before the flop.

casper-2007 §5 orders the 169 classes from pocket aces (1) to seven-deuce offsuit (169), and baycarp-2011
§5.4.3 gives jack-ten suited the rank 18; none of the papers prints the list or names the measure. Loki's
income rate at a table of seven (`income`) fits all three: there JTs is 18th exactly. Every other table size
misses one of them: with two to four players 32o is last, and JTs is 19th or worse with fewer than seven
players and 16th with more.

>>> from railbird.cards import parse_cards
>>> [starting_hand_rank(parse_cards(text)) for text in ("AhAs", "JdTd", "7h2c")]
[1, 18, 169]
>>> ranked_classes()[:5]
('AA', 'KK', 'QQ', 'JJ', 'AKs')
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.holdings import CLASS_NAMES, CLASSES, class_index, class_of, holding
from railbird.hands.income import income_rates

RANKING_PLAYERS = 7
"""The table size whose income rates order the starting hands."""


@cache
def class_order() -> NDArray[np.int64]:
    """The 169 classes by number, best first (read-only)."""
    order = np.argsort(-income_rates(RANKING_PLAYERS).rates, kind="stable")
    order.setflags(write=False)
    return order


@cache
def class_ranks() -> NDArray[np.int64]:
    """The rank 1..169 of each class by number, 1 is best (read-only)."""
    ranks = np.empty(CLASSES, dtype=np.int64)
    ranks[class_order()] = np.arange(1, CLASSES + 1)
    ranks.setflags(write=False)
    return ranks


def ranked_classes() -> tuple[str, ...]:
    """The names of the 169 classes, best first."""
    return tuple(CLASS_NAMES[index] for index in class_order())


def rank_of_class(name: str) -> int:
    """The rank 1..169 of a class such as `AKs`, `T9o` or `77`."""
    return int(class_ranks()[class_index(name)])


def starting_hand_rank(cards: Sequence[Card]) -> int:
    """The rank 1..169 of two cards: 1 for pocket aces, 169 for seven-deuce offsuit."""
    return int(class_ranks()[class_of(holding(cards))])


def starting_hand_strength(cards: Sequence[Card]) -> float:
    """The rank of two cards on a scale from 0.0 for seven-deuce offsuit to 1.0 for pocket aces, evenly spaced.

    >>> from railbird.cards import parse_cards
    >>> starting_hand_strength(parse_cards("AhAs")), starting_hand_strength(parse_cards("7h2c"))
    (1.0, 0.0)
    """
    return (CLASSES - starting_hand_rank(cards)) / (CLASSES - 1)
