"""The value of one to four cards, for games with tiny decks: Kuhn poker has one card, Leduc two.

Repeated ranks come first (four of a kind, three, two pair, one pair, none), then the ranks themselves. Suits never
matter, and there are no straights or flushes with so few cards. Higher is better; equal values tie.
Only hands of the same number of cards can be compared.

>>> from railbird.cards import parse_cards
>>> evaluate_small(parse_cards("Qh Qs")) > evaluate_small(parse_cards("Kh Qs"))
True
>>> evaluate_small(parse_cards("Kh")) > evaluate_small(parse_cards("Qh"))
True
"""

from collections.abc import Sequence

import numpy as np

from railbird.cards import Card, require_distinct
from railbird.hands.evaluator import HandError
from railbird.kernels.hands.evaluation import small_hand_value


def evaluate_small(cards: Sequence[Card]) -> int:
    """The value of one to four different cards."""
    require_small_hand(cards)
    return int(small_hand_value(np.array(cards, dtype=np.uint8), len(cards)))


def require_small_hand(cards: Sequence[Card]) -> None:
    """Refuse anything but one to four different cards."""
    if not 1 <= len(cards) <= 4:
        raise HandError(f"a hand of {len(cards)} cards is not a small hand: those have 1 to 4")
    require_distinct(cards)
