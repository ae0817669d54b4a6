"""Situations up to the names of the suits: an index without gaps, its inverse, and the deals of each.

A situation is a player's hole cards and the board, both unordered. There are 169 before the flop, 1,286,792
on the flop, 13,960,050 on the turn and 123,156,254 on the river (Waugh, "A Fast and Optimal Hand Isomorphism
Algorithm", 2013), and 1,755, 16,432 and 134,459 boards. Tables over situations are much smaller than tables over
deals and lose no information.

>>> from railbird.cards import format_cards, parse_cards
>>> index = situation_index(parse_cards("Ah Kh"), parse_cards("2h 7s 7c"))
>>> index == situation_index(parse_cards("Kd Ad"), parse_cards("7c 2d 7h"))
True
>>> hole, board = situation(index, 3)
>>> format_cards(hole), format_cards(board), deals(index, 3)
('KcAc', '2c7d7h', 12)
"""

from collections.abc import Sequence

import numpy as np

from railbird.cards import Card, require_distinct
from railbird.kernels.hands import isomorphism as kernels

SITUATIONS = kernels.SITUATIONS
"""The number of situations by the number of board cards (0, 3, 4, 5)."""
BOARDS = kernels.BOARDS
"""The number of boards by their number of cards (3, 4, 5)."""


class SituationError(ValueError):
    """Cards that are not a valid situation or board, or an index out of range."""


def situation_index(hole: Sequence[Card], board: Sequence[Card] = ()) -> int:
    """The index of two hole cards and a board of 0, 3, 4 or 5 cards, whatever their order and the names of suits."""
    if len(hole) != 2:
        raise SituationError(f"a situation has two hole cards, not {len(hole)}")
    if len(board) not in SITUATIONS:
        raise SituationError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    require_distinct((*hole, *board))
    return int(kernels.situation_index(_as_array(hole), _as_array(board)))


def situation(index: int, board_cards: int) -> tuple[tuple[Card, Card], tuple[Card, ...]]:
    """The canonical hole cards and board of an index; cards ascend."""
    _require_index(index, SITUATIONS, board_cards, "situations")
    hole_set, board_set = kernels.situation_sets(index, 2, board_cards)
    first, second = _cards_of_set(hole_set, 2)
    return (first, second), _cards_of_set(board_set, board_cards)


def canonical(hole: Sequence[Card], board: Sequence[Card] = ()) -> tuple[tuple[Card, Card], tuple[Card, ...]]:
    """The canonical situation of all those that differ only in the names of the suits."""
    return situation(situation_index(hole, board), len(board))


def deals(index: int, board_cards: int) -> int:
    """The number of deals of hole cards and board with this situation: 1 to 24 renamings of the suits."""
    _require_index(index, SITUATIONS, board_cards, "situations")
    return int(kernels.deals_of_sets(*kernels.situation_sets(index, 2, board_cards)))


def board_index(board: Sequence[Card]) -> int:
    """The index of a board of 3, 4 or 5 cards, whatever their order and the names of suits."""
    if len(board) not in BOARDS:
        raise SituationError(f"a board has 3, 4 or 5 cards, not {len(board)}")
    require_distinct(board)
    return int(kernels.situation_index(_as_array(()), _as_array(board)))


def board(index: int, cards: int) -> tuple[Card, ...]:
    """The canonical board of an index; cards ascend."""
    _require_index(index, BOARDS, cards, "boards")
    return _cards_of_set(kernels.situation_sets(index, 0, cards)[1], cards)


def board_deals(index: int, cards: int) -> int:
    """The number of boards that are equal up to the names of the suits: 1 to 24."""
    _require_index(index, BOARDS, cards, "boards")
    return int(kernels.deals_of_sets(*kernels.situation_sets(index, 0, cards)))


def _require_index(index: int, totals: dict[int, int], cards: int, noun: str) -> None:
    if cards not in totals:
        raise SituationError(f"{noun} have {', '.join(map(str, totals))} board cards, not {cards}")
    if not 0 <= index < totals[cards]:
        raise SituationError(
            f"there are {totals[cards]:,} {noun} of {cards} board cards, and none is number {index}"
        )


def _as_array(cards: Sequence[Card]) -> np.typing.NDArray[np.uint8]:
    return np.array(cards, dtype=np.uint8)


def _cards_of_set(card_set: int, count: int) -> tuple[Card, ...]:
    cards = np.empty(count, dtype=np.uint8)
    kernels.list_cards(card_set, cards)
    return tuple(cards.tolist())
