"""All measures and categories of one hand on one board, under the papers' names.

>>> from railbird.cards import parse_cards
>>> reading = read_hand(parse_cards("Ad Qc"), parse_cards("3h 4c Jh"))
>>> reading.hand, reading.hand_type, reading.texture
('ace high, queen, jack, four and three kickers', 'Busted', 'No-Salient')
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from railbird.cards import Card, format_cards
from railbird.equities.strength import Strength, Weighted, strength
from railbird.hands.boards import (
    board_change,
    board_state,
    flush_board,
    flush_change,
    straight_board,
    straight_change,
    texture,
)
from railbird.hands.categories import describe
from railbird.hands.draws import draw
from railbird.hands.groups import hand_group
from railbird.hands.income import income_rates, loki_table_size
from railbird.hands.sartre_categories import expert_category
from railbird.hands.starting import starting_hand_rank
from railbird.hands.types import hand_type

FLOP = 3


@dataclass(frozen=True, slots=True)
class HandReading:
    """A starting hand and, from the flop on, the made hand, its draws and strength, and the board's texture."""

    hole: str
    board: str
    starting_rank: int
    """1 … 169, pocket aces are 1."""
    hand_group: int
    """1 … 10 of baycarp-2011 appendix B."""
    income_rates: dict[int, float]
    """Loki's income rates by table size."""
    hand: str | None = None
    hand_type: str | None = None
    draw: str | None = None
    expert_category: str | None = None
    texture: str | None = None
    board_states: dict[str, str] | None = None
    strength: Strength | None = None

    def to_json(self) -> dict[str, Any]:
        """The reading as plain data."""
        data = asdict(self)
        if self.strength is not None:
            data["strength"] |= {
                "ehs_optimistic": self.strength.ehs_optimistic,
                "ehs_showdown": self.strength.ehs_showdown,
            }
        return data


def read_hand(
    hole: Sequence[Card], board: Sequence[Card] = (), against: Weighted | None = None
) -> HandReading:
    """Read two cards on a board of 0, 3, 4 or 5 cards; strength is against a random holding or a range."""
    sizes = sorted({loki_table_size(players) for players in range(2, 11)})
    reading = HandReading(
        hole=format_cards(hole),
        board=format_cards(board),
        starting_rank=starting_hand_rank(hole),
        hand_group=hand_group(hole),
        income_rates={size: float(income_rates(size).of(hole)) for size in sizes},
    )
    if not board:
        return reading
    measured = strength(hole, board, against)  # also validates the cards
    return replace(
        reading,
        hand=describe((*hole, *board)),
        hand_type=hand_type(hole, board).label,
        draw=draw(hole, board).name.replace("_", " ").lower(),
        expert_category=expert_category(hole, board).name,
        texture=texture(board).label,
        board_states=_board_states(board),
        strength=measured,
    )


def _board_states(board: Sequence[Card]) -> dict[str, str]:
    """BayCaRP's board nodes: the flop's state, or how the last card changed it."""
    if len(board) == FLOP:
        return {
            "Board": board_state(board).label,
            "FlushBoard": flush_board(board).label,
            "StraightBoard": straight_board(board).label,
        }
    *before, card = board
    return {
        "BoardChange": board_change(before, card).label,
        "FlushChange": flush_change(before, card).label,
        "StraightChange": straight_change(before, card).label,
    }
