"""The 1,326 two-card holdings and their 169 classes, by number and by name.

A holding is an int 0..1325, ordered as in `railbird.kernels.hands.holdings`; its name shows the higher card first.
A class is what remains of a holding when suits are only "the same" or "different": 13 pairs of 6 holdings,
78 suited classes of 4 and 78 offsuit classes of 12. Classes are numbered along the usual grid, row by row
from the aces: pairs on the diagonal, suited above it, offsuit below; an array over the classes becomes that
grid by `reshape(13, 13)`.

>>> index = parse_holding("KhAh")
>>> index, format_holding(index), CLASS_NAMES[class_of(index)]
(1271, 'AhKh', 'AKs')
>>> [format_holding(each) for each in holdings_of_class(class_index("T9s"))]
['Tc9c', 'Td9d', 'Th9h', 'Ts9s']
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cards import RANKS, Card, format_cards, parse_cards, rank_of, require_distinct, suit_of
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS

__all__ = [
    "CLASSES",
    "CLASS_NAMES",
    "CLASS_OF_HOLDING",
    "CLASS_SIZES",
    "HIGH_CARDS",
    "HOLDINGS",
    "LOW_CARDS",
    "Holding",
    "HoldingError",
    "blocked_by",
    "cards_of",
    "class_index",
    "class_of",
    "format_holding",
    "holding",
    "holdings_of_class",
    "parse_holding",
]

Holding: TypeAlias = int

CLASSES = 169


class HoldingError(ValueError):
    """An invalid holding or class of holdings."""


def holding(cards: Sequence[Card]) -> Holding:
    """The number of a holding from its two cards, in either order."""
    if len(cards) != 2:
        raise HoldingError(f"a holding is two cards, not {len(cards)}")
    require_distinct(cards)
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def cards_of(index: Holding) -> tuple[Card, Card]:
    """The two cards of a holding, the higher first (of a pair, the later suit first)."""
    if not 0 <= index < HOLDINGS:
        raise HoldingError(f"{index} is not a holding: holdings are 0..{HOLDINGS - 1}")
    return int(HIGH_CARDS[index]), int(LOW_CARDS[index])


def parse_holding(text: str) -> Holding:
    """The number of a holding from text such as `AhKh` or `Kh Ah`."""
    cards = parse_cards(text)
    if len(cards) != 2:
        raise HoldingError(f"{text!r} is not a holding: write two cards, such as AhKh")
    return holding(cards)


def format_holding(index: Holding) -> str:
    """A holding as text, the higher card first."""
    return format_cards(cards_of(index))


def blocked_by(cards: Iterable[Card]) -> NDArray[np.bool_]:
    """For each of the 1,326 holdings, whether it contains one of the cards."""
    dead = list(cards)
    require_distinct(dead)
    is_dead = np.zeros(52, dtype=np.bool_)
    is_dead[dead] = True
    return is_dead[HIGH_CARDS] | is_dead[LOW_CARDS]


def _grid_place(high: Card, low: Card) -> int:
    """The class of two cards: row and column count ranks down from the ace."""
    upper, lower = 12 - rank_of(high), 12 - rank_of(low)
    suited = suit_of(high) == suit_of(low)
    return 13 * upper + lower if suited else 13 * lower + upper


def _grid_name(row: int, column: int) -> str:
    names = RANKS[::-1]
    if row == column:
        return 2 * names[row]
    if row < column:
        return f"{names[row]}{names[column]}s"
    return f"{names[column]}{names[row]}o"


CLASS_NAMES: tuple[str, ...] = tuple(_grid_name(row, column) for row in range(13) for column in range(13))
_CLASS_INDEX = {name: index for index, name in enumerate(CLASS_NAMES)}

CLASS_OF_HOLDING: NDArray[np.uint8] = np.array(
    [_grid_place(int(high), int(low)) for high, low in zip(HIGH_CARDS, LOW_CARDS, strict=True)],
    dtype=np.uint8,
)
"""The class of every holding."""

CLASS_SIZES: NDArray[np.int64] = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES)
"""How many holdings each class has: 6 for a pair, 4 suited, 12 offsuit."""

_HOLDINGS_OF_CLASS = tuple(np.flatnonzero(index == CLASS_OF_HOLDING) for index in range(CLASSES))

CLASS_OF_HOLDING.setflags(write=False)
CLASS_SIZES.setflags(write=False)
for _members in _HOLDINGS_OF_CLASS:
    _members.setflags(write=False)


def class_of(index: Holding) -> int:
    """The class 0..168 of a holding."""
    if not 0 <= index < HOLDINGS:
        raise HoldingError(f"{index} is not a holding: holdings are 0..{HOLDINGS - 1}")
    return int(CLASS_OF_HOLDING[index])


def class_index(name: str) -> int:
    """The class 0..168 from its name, such as `AKs`, `T9o` or `77`."""
    try:
        return _CLASS_INDEX[name]
    except KeyError:
        raise HoldingError(
            f"{name!r} is not a class of holdings: write AKs, T9o or 77, the higher rank first"
        ) from None


def holdings_of_class(index: int) -> NDArray[np.int64]:
    """The holdings of a class 0..168, ascending (read-only)."""
    if not 0 <= index < CLASSES:
        raise HoldingError(f"{index} is not a class of holdings: classes are 0..{CLASSES - 1}")
    return _HOLDINGS_OF_CLASS[index]
