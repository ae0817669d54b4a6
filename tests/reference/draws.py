"""Draws by laying every rank on the board and looking for straights, and by counting suits."""

from collections.abc import Iterable, Sequence

from reference.hand_types import FLUSH, STRAIGHT, best_strength

LINE = "A23456789TJQKA"
STRAIGHTS = [LINE[start : start + 5] for start in range(10)]


def best_straight(ranks: Iterable[str]) -> int:
    """The number of the best straight within some ranks, −1 if there is none."""
    held = set(ranks)
    return max((number for number, straight in enumerate(STRAIGHTS) if set(straight) <= held), default=-1)


def draw_name(hole: Sequence[int], board: Sequence[int]) -> str:
    """The name of the draw, as `Draw` has it."""
    category = best_strength([*hole, *board])[0]
    if len(board) == 5 or category >= FLUSH:
        return "NONE"

    suits = [card % 4 for card in (*hole, *board)]
    to_flush = any(suits.count(hole_card % 4) == 4 for hole_card in hole)

    outs = 0
    if category < STRAIGHT:
        on_board = ["23456789TJQKA"[card // 4] for card in board]
        held = on_board + ["23456789TJQKA"[card // 4] for card in hole]
        for rank in "23456789TJQKA":
            if best_straight([*held, rank]) > best_straight([*on_board, rank]):
                outs += 1

    to_straight = ("", "GUTSHOT", "OPEN_ENDED")[min(outs, 2)]
    if to_flush:
        return f"FLUSH_AND_{to_straight}" if to_straight else "FLUSH"
    return to_straight or "NONE"
