"""Cards are ints 0..51: four times the rank (0 = deuce … 12 = ace) plus the suit (0 = clubs … 3 = spades).

Text is two characters, rank then suit, as every paper and protocol writes them.

>>> parse_card("Ah"), format_card(32)
(50, 'Tc')
>>> format_cards(parse_cards("Ah Td 2c"))
'AhTd2c'
"""

from collections.abc import Iterable
from typing import TypeAlias

Card: TypeAlias = int

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = (
    "deuce", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
SUIT_SYMBOLS = "♣♦♥♠"
DECK_SIZE = 52

_TEXT = tuple(rank + suit for rank in RANKS for suit in SUITS)
_DECK = frozenset(range(DECK_SIZE))
_CARD = {text: card for card, text in enumerate(_TEXT)}


class CardError(ValueError):
    """Text or numbers that are not cards, or the same card twice."""


def make_card(rank: int, suit: int) -> Card:
    """The card of a rank 0..12 and a suit 0..3."""
    if not (0 <= rank < 13 and 0 <= suit < 4):
        raise CardError(f"no card has rank {rank} and suit {suit}: ranks are 0..12, suits 0..3")
    return 4 * rank + suit


def rank_of(card: Card) -> int:
    """The rank, 0 = deuce … 12 = ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """The suit, 0 = clubs, 1 = diamonds, 2 = hearts, 3 = spades."""
    return card & 3


def parse_card(text: str) -> Card:
    """One card from its two characters, such as `Ah` or `Td`."""
    try:
        return _CARD[text]
    except KeyError:
        raise CardError(
            f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, such as Ah or Td"
        ) from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards written one after another, with or without spaces; duplicates are refused.

    >>> parse_cards("AhTd 2c")
    (50, 33, 0)
    """
    joined = "".join(text.split())
    if len(joined) % 2:
        raise CardError(f"{text!r} is not a list of cards: it ends in half a card, {joined[-1]!r}")
    cards = tuple(parse_card(joined[i : i + 2]) for i in range(0, len(joined), 2))
    require_distinct(cards)
    return cards


def format_card(card: Card) -> str:
    """The two characters of a card."""
    if not 0 <= card < DECK_SIZE:
        raise CardError(f"{card} is not a card: cards are 0..51")
    return _TEXT[card]


def format_cards(cards: Iterable[Card], separator: str = "") -> str:
    """Cards as text, one after another.

    >>> format_cards((50, 33, 0)), format_cards((50, 33, 0), " ")
    ('AhTd2c', 'Ah Td 2c')
    """
    return separator.join(map(format_card, cards))


def require_distinct(cards: Iterable[Card]) -> None:
    """Refuse invalid card numbers and duplicate cards, naming the first one found."""
    listed = tuple(cards)
    if len(_DECK.intersection(listed)) == len(listed):
        return
    seen: set[Card] = set()
    for card in listed:
        if not 0 <= card < DECK_SIZE:
            raise CardError(f"{card} is not a card: cards are 0..51")
        if card in seen:
            raise CardError(f"{format_card(card)} appears twice")
        seen.add(card)
