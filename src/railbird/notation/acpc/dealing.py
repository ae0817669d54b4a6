"""The cards of the official ACPC server: the same seed deals the same hands.

1. MT19937 is seeded as by its authors' `init_genrand`.
2. For every hand the deck is ordered by suit, ranks ascending within each.
3. A card is drawn by the next 32-bit word modulo the cards left, and the last card of the deck takes its place.
4. Hole cards come first, position by position, then the board of every round, whether or not betting reaches it.

>>> from railbird.cards import format_cards
>>> from railbird.engine.games import named_game
>>> format_cards(AcpcDeck(named_game("limit-2p"), 42).deal())
'7d3d2hAc5sKs7s9s6h'
"""

from collections.abc import Iterator

import numpy as np

from railbird.cards import Card, make_card
from railbird.engine.rules import GameRules

LARGEST_SEED = 2**32 - 1
_BLOCK = 4096


class AcpcDeck:
    """Deals hand after hand from one seed."""

    def __init__(self, rules: GameRules, seed: int) -> None:
        if not 0 <= seed <= LARGEST_SEED:
            raise ValueError(f"the seed is {seed}, but the ACPC's server takes 0 … {LARGEST_SEED}")
        self._deck = [
            make_card(rank, suit)
            for suit in range(4 - rules.suits, 4)
            for rank in range(13 - rules.ranks, 13)
        ]
        self._count = rules.cards_dealt
        self._words = _words(seed)

    def deal(self) -> tuple[Card, ...]:
        """The cards of the next hand: hole cards position by position, then the whole board."""
        deck = self._deck.copy()
        cards = []
        for _ in range(self._count):
            place = next(self._words) % len(deck)
            cards.append(deck[place])
            last = deck.pop()
            if place < len(deck):
                deck[place] = last
        return tuple(cards)


def _words(seed: int) -> Iterator[int]:
    """The 32-bit words of MT19937. Numpy guarantees this stream; its bytes are the words, low byte first."""
    generator = np.random.RandomState(seed)
    while True:
        yield from np.frombuffer(generator.bytes(4 * _BLOCK), dtype="<u4").tolist()
