"""Partial hands: draws that one more card completes (baycarp-2011 §5.3.2–5.3.3, sartre-2012 §5.2.1).

A draw counts only if hole cards take part in it, only while a card is still to come, and only if it would
improve the hand: nothing is drawn to from a flush, a full house or better, and no straight from a straight.

- Flush draw: four cards of one suit, a hole card among them.
- Straight draw: some rank would bring a straight better than the one it would put on the board. One such rank
  is a gutshot, wherever the hole is (the ends of A-K-Q-J and A-2-3-4 included); two or more are open-ended,
  wherever they are (a double gutshot included).

`simple_draw` gives the states of the thesis's nodes `PartialHandFlop` and `PartialHandTurn`, whose straight
draws are four ranks in sequence and nothing else.

>>> from railbird.cards import parse_cards
>>> draw(parse_cards("9s 8s"), parse_cards("7s 6d 2s")).name
'FLUSH_AND_OPEN_ENDED'
>>> simple_draw(parse_cards("9s 8s"), parse_cards("7s 6d 2s")).label
'FlushD_StraightD'
"""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card, rank_of
from railbird.hands.boards import ACE, require_board, require_hole_and_board
from railbird.kernels.hands.draws import holding_draw, holding_draws
from railbird.kernels.hands.holdings import HOLDINGS


class Draw(IntEnum):
    """The straight draw plus three times the flush draw."""

    NONE = 0
    GUTSHOT = 1
    OPEN_ENDED = 2
    FLUSH = 3
    FLUSH_AND_GUTSHOT = 4
    FLUSH_AND_OPEN_ENDED = 5

    @property
    def to_flush(self) -> bool:
        """Whether one more card of a suit makes a flush."""
        return self >= Draw.FLUSH

    @property
    def to_straight(self) -> bool:
        """Whether one more card makes a straight."""
        return self % 3 > 0


class SimpleDraw(IntEnum):
    """The states of the nodes `PartialHandFlop` and `PartialHandTurn` (baycarp-2011 §5.3.3)."""

    NONE = 0
    STRAIGHT_DRAW = 1
    FLUSH_DRAW = 2
    FLUSH_AND_STRAIGHT_DRAW = 3

    @property
    def label(self) -> str:
        """The state as the thesis writes it."""
        return ("None", "StraightDraw", "FlushDraw", "FlushD_StraightD")[self]

    @property
    def title(self) -> str:
        """The draw in words."""
        return ("no draw", "straight draw", "flush draw", "flush and straight draw")[self]


def draw(hole: Sequence[Card], board: Sequence[Card]) -> Draw:
    """The draw of two hole cards on a board of three to five cards; on the river it is always `NONE`."""
    require_hole_and_board(hole, board)
    return Draw(holding_draw(int(hole[0]), int(hole[1]), np.array(board, dtype=np.int64)))


def draws(board: Sequence[Card]) -> NDArray[np.int8]:
    """The draw of each of the 1,326 holdings on a board of three to five cards; −1 for a blocked holding."""
    require_board(board)
    found = np.empty(HOLDINGS, dtype=np.int8)
    holding_draws(np.array(board, dtype=np.int64), found)
    return found


def simple_draw(hole: Sequence[Card], board: Sequence[Card]) -> SimpleDraw:
    """The partial hand as the thesis's extended network sees it."""
    found = draw(hole, board)
    in_sequence = found.to_straight and _holds_four_in_sequence(hole, board)
    return SimpleDraw(int(in_sequence) + 2 * int(found.to_flush))


def _holds_four_in_sequence(hole: Sequence[Card], board: Sequence[Card]) -> bool:
    """Whether a hole card is part of a sequence of four ranks; the ace counts at both ends."""
    on_board = {rank_of(card) for card in board}
    held = on_board | {rank_of(card) for card in hole}
    line = (ACE, *range(ACE + 1))
    sequences = (set(line[start : start + 4]) for start in range(len(line) - 3))
    return any(sequence <= held and not sequence <= on_board for sequence in sequences)
