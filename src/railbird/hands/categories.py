"""What hands are called: nine categories, and every hand in words as it would be announced at a table.

| category        | in words                                            |
|-----------------|-----------------------------------------------------|
| high card       | ace high, king, nine, six and four kickers          |
| one pair        | pair of kings, ace, queen and ten kickers           |
| two pair        | two pair, kings and fours, ace kicker               |
| three of a kind | three of a kind, kings, ace and queen kickers       |
| straight        | straight, five high                                 |
| flush           | flush, ace high, queen, nine, six and deuce kickers |
| full house      | full house, tens full of threes                     |
| four of a kind  | four of a kind, sevens, king kicker                 |
| straight flush  | straight flush, nine high; the best: royal flush    |

Every rank that decides between two hands is named, so two hands tie if and only if their descriptions are equal.
"""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum

import numpy as np

from railbird.cards import RANK_NAMES, Card, rank_of
from railbird.hands.evaluator import HandError, evaluate, tables
from railbird.hands.small import require_small_hand
from railbird.kernels.hands.evaluation import count_seven_card_values
from railbird.kernels.hands.evaluation_tables import BEST_VALUE, five_card_strengths


class Category(IntEnum):
    """The category of a hand, higher is better; a royal flush is the best straight flush."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8

    @property
    def title(self) -> str:
        """The name in words, such as `three of a kind`."""
        return self.name.lower().replace("_", " ")


def category(value: int) -> Category:
    """The category of a value of `evaluator`.

    >>> category(7462)
    <Category.STRAIGHT_FLUSH: 8>
    """
    return Category(_strength(value)[0])


def describe(hand: int | np.integer | Sequence[Card]) -> str:
    """A hand in words: a value of `evaluator`, five to seven cards, or a small hand of one to four.

    >>> from railbird.cards import parse_cards
    >>> describe(parse_cards("Ks Kd 4h 4c As 7d 2s"))
    'two pair, kings and fours, ace kicker'
    >>> describe(parse_cards("Qh Qs"))
    'pair of queens'
    """
    if isinstance(hand, int | np.integer):
        kind, *ranks = _strength(int(hand))
        return _in_words(Category(kind), ranks)
    if len(hand) >= 5:
        return describe(evaluate(hand))
    require_small_hand(hand)
    held = Counter(map(rank_of, hand))
    ranks = sorted(held, key=lambda rank: (held[rank], rank), reverse=True)
    largest_groups = tuple(held[rank] for rank in ranks[:2])
    return _in_words(_SMALL_CATEGORIES[largest_groups], ranks)


def count_seven_card_categories() -> dict[Category, int]:
    """How many of all 133,784,560 seven-card hands are of each category, counted one by one."""
    counts = dict.fromkeys(Category, 0)
    for value, count in enumerate(count_seven_card_values(tables()).tolist()):
        if count:
            counts[category(value)] += count
    return counts


# By the sizes of the two largest groups of equal rank.
_SMALL_CATEGORIES = {
    (4,): Category.FOUR_OF_A_KIND,
    (3,): Category.THREE_OF_A_KIND,
    (3, 1): Category.THREE_OF_A_KIND,
    (2, 2): Category.TWO_PAIR,
    (2,): Category.ONE_PAIR,
    (2, 1): Category.ONE_PAIR,
    (1,): Category.HIGH_CARD,
    (1, 1): Category.HIGH_CARD,
}


def _strength(value: int) -> tuple[int, ...]:
    if not 1 <= value <= BEST_VALUE:
        raise HandError(f"{value} is not the value of a hand: values are 1..{BEST_VALUE}")
    return five_card_strengths()[value - 1]


def _in_words(kind: Category, ranks: Sequence[int]) -> str:
    """The words for a category and its deciding ranks, the most important first."""
    first = RANK_NAMES[ranks[0]]
    match kind:
        case Category.HIGH_CARD:
            return f"{first} high{_kickers(ranks[1:])}"
        case Category.ONE_PAIR:
            return f"pair of {_plural(ranks[0])}{_kickers(ranks[1:])}"
        case Category.TWO_PAIR:
            return f"two pair, {_plural(ranks[0])} and {_plural(ranks[1])}{_kickers(ranks[2:])}"
        case Category.STRAIGHT:
            return f"straight, {first} high"
        case Category.FLUSH:
            return f"flush, {first} high{_kickers(ranks[1:])}"
        case Category.FULL_HOUSE:
            return f"full house, {_plural(ranks[0])} full of {_plural(ranks[1])}"
        case Category.STRAIGHT_FLUSH:
            return "royal flush" if first == "ace" else f"straight flush, {first} high"
        case _:
            return f"{kind.title}, {_plural(ranks[0])}{_kickers(ranks[1:])}"


def _kickers(ranks: Sequence[int]) -> str:
    if not ranks:
        return ""
    *others, last = (RANK_NAMES[rank] for rank in ranks)
    return f", {', '.join(others)} and {last} kickers" if others else f", {last} kicker"


def _plural(rank: int) -> str:
    return "sixes" if RANK_NAMES[rank] == "six" else RANK_NAMES[rank] + "s"
