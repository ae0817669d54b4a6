"""The seventeen hand types of BayCaRP's network (baycarp-2011 §5.3.2, table 5.1, figure 6.1).

A hand type describes the best five of the hole cards and the board, wherever they are: a pair on the board makes
everyone's hand at least that pair, and a hand is busted only if no two ranks match and there is neither a straight
nor a flush. Pairs are distinguished by rank, kings and aces also by their kicker: strong if the best of the three
other cards that count is a ten or better. Every type is therefore a contiguous range of hand values, and a stronger
type is a stronger hand. `docs/hand-types.md` has the complete list and says what the
thesis leaves open.

>>> from railbird.cards import parse_cards
>>> hand_type(parse_cards("Ah Kc"), parse_cards("As 8c 9h")).label
'AcePairStrong'
>>> types = hand_types(parse_cards("As 8c 9h"))
>>> int((types == HandType.ACE_PAIR_STRONG).sum()), int((types >= HandType.TWO_PAIR).sum())
(48, 36)
"""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.boards import require_board, require_hole_and_board
from railbird.hands.evaluator import evaluate, tables
from railbird.kernels.hands.holdings import HOLDINGS
from railbird.kernels.hands.types import holding_types


class HandType(IntEnum):
    """The states of the nodes `HandType`, `HandTypeTurn` and `HandTypeFinal`, weakest first."""

    BUSTED = 0
    LOW_PAIR = 1
    """Deuces to sevens."""
    MID_PAIR = 2
    """Eights and nines: tens are their own state in the thesis's data, whatever its table 5.1 says."""
    TEN_PAIR = 3
    JACK_PAIR = 4
    QUEEN_PAIR = 5
    KING_PAIR_WEAK = 6
    KING_PAIR_STRONG = 7
    ACE_PAIR_WEAK = 8
    ACE_PAIR_STRONG = 9
    TWO_PAIR = 10
    THREE_OF_A_KIND = 11
    STRAIGHT = 12
    FLUSH = 13
    FULL_HOUSE = 14
    FOUR_OF_A_KIND = 15
    STRAIGHT_FLUSH = 16

    @property
    def label(self) -> str:
        """The state as the thesis writes it, such as `AcePairStrong`."""
        return self.name.title().replace("_", "")

    @property
    def title(self) -> str:
        """The type in words, such as "pair of aces, strong kicker"."""
        return _TITLES.get(self.name) or self.name.lower().replace("_", " ")


_TITLES = {
    "BUSTED": "no pair",
    "MID_PAIR": "middle pair",
    "TEN_PAIR": "pair of tens",
    "JACK_PAIR": "pair of jacks",
    "QUEEN_PAIR": "pair of queens",
    "KING_PAIR_WEAK": "pair of kings, weak kicker",
    "KING_PAIR_STRONG": "pair of kings, strong kicker",
    "ACE_PAIR_WEAK": "pair of aces, weak kicker",
    "ACE_PAIR_STRONG": "pair of aces, strong kicker",
}
HAND_TYPE_TITLES = {kind.label: kind.title for kind in HandType}
"""The hand types in words, by label."""

# The number of the 7,462 values in each type. A pair leaves C(12, 3) = 220 sets of three other ranks; the lowest
# C(8, 3) = 56 of them have nothing above a nine.
_VALUES_OF_TYPE = {
    HandType.BUSTED: 1277,
    HandType.LOW_PAIR: 6 * 220,
    HandType.MID_PAIR: 2 * 220,
    HandType.TEN_PAIR: 220,
    HandType.JACK_PAIR: 220,
    HandType.QUEEN_PAIR: 220,
    HandType.KING_PAIR_WEAK: 56,
    HandType.KING_PAIR_STRONG: 220 - 56,
    HandType.ACE_PAIR_WEAK: 56,
    HandType.ACE_PAIR_STRONG: 220 - 56,
    HandType.TWO_PAIR: 858,
    HandType.THREE_OF_A_KIND: 858,
    HandType.STRAIGHT: 10,
    HandType.FLUSH: 1277,
    HandType.FULL_HOUSE: 156,
    HandType.FOUR_OF_A_KIND: 156,
    HandType.STRAIGHT_FLUSH: 10,
}

TYPE_OF_VALUE: NDArray[np.int8] = np.concatenate(
    [[-1], np.repeat(list(_VALUES_OF_TYPE), list(_VALUES_OF_TYPE.values()))]
).astype(np.int8)
"""The type of every hand value 1..7462 (read-only), for kernels that evaluate hands themselves."""
TYPE_OF_VALUE.setflags(write=False)


def hand_type(hole: Sequence[Card], board: Sequence[Card]) -> HandType:
    """The type of two hole cards with a board of three to five cards."""
    require_hole_and_board(hole, board)
    return HandType(int(TYPE_OF_VALUE[evaluate([*hole, *board])]))


def hand_types(board: Sequence[Card]) -> NDArray[np.int8]:
    """The type of each of the 1,326 holdings on a board of three to five cards; −1 for a blocked holding."""
    require_board(board)
    types = np.empty(HOLDINGS, dtype=np.int8)
    holding_types(np.array(board, dtype=np.uint8), TYPE_OF_VALUE, tables(), types)
    return types
