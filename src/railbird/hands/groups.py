"""The ten hand groups of BayCaRP (baycarp-2011 appendix B, figure B.1): hole cards that are played alike.

Groups 1 to 8 go back to Sklansky and Malmuth, group 9 adds the offsuit aces below ace-nine, and group 10 is
all the rest, the cells that carry no number. The figure covers all 169 classes, each once, and is followed
cell by cell. In three cells it departs from Sklansky and Malmuth's own list; there the figure was kept,
because it is the table BayCaRP looks its hand groups up in:

    class   here   Sklansky and Malmuth
    K9s     7      6
    66      5      6
    65s     6      5

>>> from railbird.cards import parse_cards
>>> hand_group(parse_cards("Ah Ks")), hand_group(parse_cards("Jh Th")), hand_group(parse_cards("7h 2c"))
(2, 3, 10)
>>> " ".join(group_classes(2))
'AQs AJs AKo KQs TT'
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.holdings import CLASS_NAMES, CLASS_OF_HOLDING, class_of, holding

HAND_GROUPS = range(1, 11)

# Figure B.1: rows and columns from ace to deuce, suited above the diagonal; a dot is a cell without a number.
_FIGURE = """
    1 1 2 2 3 5 5 5 5 5 5 5 5
    2 1 2 3 4 7 7 7 7 7 7 7 7
    3 4 1 3 4 5 7 . . . . . .
    4 5 5 1 3 4 6 8 . . . . .
    6 6 6 5 2 4 5 7 . . . . .
    8 8 8 7 7 3 4 5 8 . . . .
    9 . . 8 8 7 4 5 6 8 . . .
    9 . . . . . 8 5 5 6 8 . .
    9 . . . . . . 8 5 6 7 . .
    9 . . . . . . . 8 6 6 7 .
    9 . . . . . . . . 8 7 7 8
    9 . . . . . . . . . . 7 8
    9 . . . . . . . . . . . 7
"""
_UNMARKED_GROUP = 10
_EXAMPLES = 4

GROUP_OF_CLASS: NDArray[np.uint8] = np.array(
    [_UNMARKED_GROUP if cell == "." else int(cell) for cell in _FIGURE.split()], dtype=np.uint8
)
"""The hand group 1..10 of each of the 169 classes."""

GROUP_OF_HOLDING: NDArray[np.uint8] = GROUP_OF_CLASS[CLASS_OF_HOLDING]
"""The hand group 1..10 of each of the 1,326 holdings."""

_HOLDINGS_OF_GROUP = {group: np.flatnonzero(group == GROUP_OF_HOLDING) for group in HAND_GROUPS}

GROUP_OF_CLASS.setflags(write=False)
GROUP_OF_HOLDING.setflags(write=False)
for _members in _HOLDINGS_OF_GROUP.values():
    _members.setflags(write=False)


class HandGroupError(ValueError):
    """A number that is not one of the ten hand groups."""


def hand_group(cards: Sequence[Card]) -> int:
    """The hand group 1..10 of two cards."""
    return int(GROUP_OF_CLASS[class_of(holding(cards))])


def group_classes(group: int) -> tuple[str, ...]:
    """The names of the classes in a hand group, in the order of the figure."""
    _require_group(group)
    return tuple(
        name for name, its_group in zip(CLASS_NAMES, GROUP_OF_CLASS, strict=True) if its_group == group
    )


def holdings_of_group(group: int) -> NDArray[np.int64]:
    """The holdings of a hand group, ascending (read-only)."""
    _require_group(group)
    return _HOLDINGS_OF_GROUP[group]


def group_title(group: int) -> str:
    """A hand group with examples of its starting hands.

    >>> group_title(5)
    'group 5: A9s, A8s, A7s, A6s …'
    """
    classes = group_classes(group)
    return f"group {group}: {', '.join(classes[:_EXAMPLES])}{' …' if len(classes) > _EXAMPLES else ''}"


def _require_group(group: int) -> None:
    if group not in HAND_GROUPS:
        raise HandGroupError(f"{group} is not a hand group: hand groups are 1..10")
