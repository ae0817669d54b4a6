"""Expert categories in words, from all choices of the best five cards and the hole cards in them."""

from collections import Counter
from collections.abc import Sequence

from reference.draws import STRAIGHTS, draw_name
from reference.hand_types import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE,
    TWO_PAIR,
    best_fives,
    strength,
)

DRAW_WORDS = {
    "NONE": "",
    "GUTSHOT": ", gutshot",
    "OPEN_ENDED": ", open-ended straight draw",
    "FLUSH": ", flush draw",
    "FLUSH_AND_GUTSHOT": ", flush draw and gutshot",
    "FLUSH_AND_OPEN_ENDED": ", flush draw and open-ended straight draw",
}
USED = ("on the board", "with one hole card", "with two hole cards")


def category_name(hole: Sequence[int], board: Sequence[int]) -> str:
    """The whole name of the category."""
    return _made_hand(hole, board) + DRAW_WORDS[draw_name(hole, board)]


def _made_hand(hole: Sequence[int], board: Sequence[int]) -> str:
    fives = best_fives([*hole, *board])
    category, *order = strength(fives[0])
    used = min(len(set(five) & set(hole)) for five in fives)
    hole_ranks = sorted((card // 4 for card in hole), reverse=True)
    board_ranks = [card // 4 for card in board]
    steps = sorted(set(board_ranks), reverse=True)
    pocket = hole_ranks[0] == hole_ranks[1]

    def kicker(*made: int) -> str:
        return ", " + _kicker_grade(hole, board_ranks, fives, made) + " kicker"

    if category == STRAIGHT_FLUSH:
        return f"straight flush {USED[used]}"
    if category == FOUR:
        in_four = 4 - board_ranks.count(order[0])
        return f"four of a kind {USED[in_four]}" + ("" if in_four else kicker(order[0]))
    if category == FULL_HOUSE:
        if used == 0:
            return "full house on the board"
        return f"{'top' if order[0] == steps[0] else 'lower'} full house {USED[used]}"
    if category == FLUSH:
        return f"flush {USED[used]}" + (_flush_kicker(hole, board, fives[0]) if used else "")
    if category == STRAIGHT:
        ranks = {"23456789TJQKA"[rank] for rank in board_ranks}
        nuts = [straight for straight in STRAIGHTS if len(set(straight) - ranks) <= 2][-1]
        is_nut = nuts[-1] == "23456789TJQKA"[order[0]]
        return f"{'nut' if is_nut else 'lower'} straight {USED[used]}"
    if category == THREE:
        on_board = board_ranks.count(order[0])
        if on_board == 1:
            return ("top set", "second set", "low set")[min(steps.index(order[0]), 2)]
        return ("trips" if on_board == 2 else "trips on the board") + kicker(order[0])
    if category == TWO_PAIR:
        own = [rank for rank in order[:2] if board_ranks.count(rank) < 2]
        if not own:
            return "two pair on the board" + kicker(*order[:2])
        if len(own) == 2:
            if order[:2] == steps[:2]:
                return "top two pair"
            return "top pair and lower pair" if order[0] == steps[0] else "two lower pair"
        if pocket:
            if own[0] > steps[0]:
                return "overpair and board pair"
            return f"pocket pair {'above' if own[0] == order[0] else 'below'} board pair"
        place = "top" if own[0] == steps[0] else "lower"
        return f"{place} pair and board pair" + kicker(*order[:2])
    if category == PAIR:
        above = sum(rank > order[0] for rank in steps)
        if pocket:
            return (
                "overpair",
                "pocket pair below one rank",
                "pocket pair below two ranks",
                "pocket pair below three or more ranks",
            )[min(above, 3)]
        if board_ranks.count(order[0]) == 2:
            return "pair on the board" + kicker(order[0])
        return ("top pair", "second pair", "low pair")[min(above, 2)] + kicker(order[0])
    assert category == HIGH_CARD
    overcards = sum(rank > steps[0] for rank in hole_ranks)
    return ("no overcard", "one overcard", "two overcards")[overcards] + kicker()


def _kicker_grade(
    hole: Sequence[int], board_ranks: Sequence[int], fives: Sequence[Sequence[int]], made: Sequence[int]
) -> str:
    """Weak unless every choice of the best five needs the best hole card outside the made hand."""
    rank = max(card // 4 for card in hole if card // 4 not in made)
    if not all(any(card in hole and card // 4 == rank for card in five) for five in fives):
        return "weak"
    if rank == max(set(range(13)) - set(board_ranks)):
        return "top"
    return "strong" if "23456789TJQKA"[rank] in "TJQKA" else "weak"


def _flush_kicker(hole: Sequence[int], board: Sequence[int], five: Sequence[int]) -> str:
    suit = Counter(card % 4 for card in five).most_common(1)[0][0]
    rank = max(card // 4 for card in hole if card % 4 == suit)
    absent = set(range(13)) - {card // 4 for card in board if card % 4 == suit}
    if rank == max(absent):
        return ", top kicker"
    return ", strong kicker" if "23456789TJQKA"[rank] in "TJQKA" else ", weak kicker"
