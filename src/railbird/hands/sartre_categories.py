"""Expert categories of hands with the granularity of SARTRE 2009: made hand × kicker × draw, 284 in all.

sartre-2012 §5.2.1 describes them: the type of hand the player has now, together with its drawing potential,
284 categories; the list itself was on a website and is not printed. This list is our own, generated from the
table `RULES`: every made hand with its places, its kickers and its draws. The finer places were chosen so that
it also has 284 entries.

How the parts are defined (`docs/hand-types.md` has an example of each):

- The made hand is the best five cards. A *board* hand is entirely on the board and shared by everyone; a pair, trips
  or set includes hole cards. Hole cards that a straight, flush or full house can do without are not counted as
  used.
- The place refines the made hand: the number of overcards with a high card, how many board ranks are above a pair,
  how many hole cards are used, whether the straight is the nuts or the full house is full of the board's top rank.
- The kicker is the best hole card outside the made hand; for a flush, the best hole card in it. It is *top* if it is
  the highest rank missing from the board (for a flush: from the board's suit), otherwise *strong* from ten up. A
  kicker that is not among the best five cards is weak.
- Draws are those of `railbird.hands.draws`.

>>> from railbird.cards import parse_cards
>>> print(expert_category(parse_cards("As Ks"), parse_cards("Kd 7s 2s")))
top pair, top kicker, flush draw
>>> len(EXPERT_CATEGORIES)
284
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card
from railbird.hands.boards import require_board, require_hole_and_board
from railbird.hands.draws import Draw
from railbird.kernels.hands import expert_categories as kernel
from railbird.kernels.hands.holdings import HOLDINGS


class Made(IntEnum):
    """The made hands, from high cards to straight flushes."""

    HIGH_CARD = kernel.HIGH_CARD
    BOARD_PAIR = kernel.BOARD_PAIR
    PAIR = kernel.PAIR
    POCKET_PAIR = kernel.POCKET_PAIR
    BOARD_TWO_PAIR = kernel.BOARD_TWO_PAIR
    PAIR_WITH_BOARD_PAIR = kernel.PAIR_WITH_BOARD_PAIR
    POCKET_PAIR_WITH_BOARD_PAIR = kernel.POCKET_PAIR_WITH_BOARD_PAIR
    TWO_PAIR = kernel.TWO_PAIR
    BOARD_TRIPS = kernel.BOARD_TRIPS
    TRIPS = kernel.TRIPS
    SET = kernel.SET
    BOARD_STRAIGHT = kernel.BOARD_STRAIGHT
    STRAIGHT = kernel.STRAIGHT
    BOARD_FLUSH = kernel.BOARD_FLUSH
    FLUSH = kernel.FLUSH
    BOARD_FULL_HOUSE = kernel.BOARD_FULL_HOUSE
    FULL_HOUSE = kernel.FULL_HOUSE
    BOARD_FOUR_OF_A_KIND = kernel.BOARD_FOUR_OF_A_KIND
    FOUR_OF_A_KIND = kernel.FOUR_OF_A_KIND
    STRAIGHT_FLUSH = kernel.STRAIGHT_FLUSH


class Kicker(IntEnum):
    """How good the best hole card beside the made hand is."""

    WEAK = kernel.WEAK
    STRONG = kernel.STRONG
    TOP = kernel.TOP


ANY_DRAW = tuple(Draw)
FLUSH_DRAW_ONLY = (Draw.NONE, Draw.FLUSH)
NO_DRAW = (Draw.NONE,)


@dataclass(frozen=True, slots=True)
class CategoryRule:
    """One made hand and what it is combined with."""

    made: Made
    places: tuple[str, ...]
    has_kicker: bool
    draws: tuple[Draw, ...]
    one_card_draws: bool = False
    """Whether the kicker is the only hole card that can take part in a straight draw."""


RULES: tuple[CategoryRule, ...] = (
    CategoryRule(Made.HIGH_CARD, ("no overcard", "one overcard", "two overcards"), True, ANY_DRAW),
    CategoryRule(Made.BOARD_PAIR, ("pair on the board",), True, ANY_DRAW),
    CategoryRule(Made.PAIR, ("low pair", "second pair", "top pair"), True, ANY_DRAW, one_card_draws=True),
    CategoryRule(
        Made.POCKET_PAIR,
        (
            "pocket pair below three or more ranks",
            "pocket pair below two ranks",
            "pocket pair below one rank",
            "overpair",
        ),
        False,
        ANY_DRAW,
    ),
    CategoryRule(Made.BOARD_TWO_PAIR, ("two pair on the board",), True, ANY_DRAW, one_card_draws=True),
    CategoryRule(
        Made.PAIR_WITH_BOARD_PAIR,
        ("lower pair and board pair", "top pair and board pair"),
        True,
        ANY_DRAW,
        one_card_draws=True,
    ),
    CategoryRule(
        Made.POCKET_PAIR_WITH_BOARD_PAIR,
        (
            "pocket pair below board pair",
            "pocket pair above board pair",
            "overpair and board pair",
        ),
        False,
        ANY_DRAW,
    ),
    CategoryRule(
        Made.TWO_PAIR, ("two lower pair", "top pair and lower pair", "top two pair"), False, FLUSH_DRAW_ONLY
    ),
    CategoryRule(Made.BOARD_TRIPS, ("trips on the board",), True, ANY_DRAW, one_card_draws=True),
    CategoryRule(Made.TRIPS, ("trips",), True, ANY_DRAW, one_card_draws=True),
    CategoryRule(Made.SET, ("low set", "second set", "top set"), False, FLUSH_DRAW_ONLY),
    CategoryRule(
        Made.BOARD_STRAIGHT, ("lower straight on the board", "nut straight on the board"), False, NO_DRAW
    ),
    CategoryRule(
        Made.STRAIGHT,
        (
            "lower straight with one hole card",
            "nut straight with one hole card",
            "lower straight with two hole cards",
            "nut straight with two hole cards",
        ),
        False,
        FLUSH_DRAW_ONLY,
    ),
    CategoryRule(Made.BOARD_FLUSH, ("flush on the board",), False, NO_DRAW),
    CategoryRule(Made.FLUSH, ("flush with one hole card", "flush with two hole cards"), True, NO_DRAW),
    CategoryRule(Made.BOARD_FULL_HOUSE, ("full house on the board",), False, NO_DRAW),
    CategoryRule(
        Made.FULL_HOUSE,
        (
            "lower full house with one hole card",
            "top full house with one hole card",
            "lower full house with two hole cards",
            "top full house with two hole cards",
        ),
        False,
        NO_DRAW,
    ),
    CategoryRule(Made.BOARD_FOUR_OF_A_KIND, ("four of a kind on the board",), True, NO_DRAW),
    CategoryRule(
        Made.FOUR_OF_A_KIND,
        ("four of a kind with one hole card", "four of a kind with two hole cards"),
        False,
        NO_DRAW,
    ),
    CategoryRule(
        Made.STRAIGHT_FLUSH,
        (
            "straight flush on the board",
            "straight flush with one hole card",
            "straight flush with two hole cards",
        ),
        False,
        NO_DRAW,
    ),
)

_DRAW_NAMES = {
    Draw.GUTSHOT: "gutshot",
    Draw.OPEN_ENDED: "open-ended straight draw",
    Draw.FLUSH: "flush draw",
    Draw.FLUSH_AND_GUTSHOT: "flush draw and gutshot",
    Draw.FLUSH_AND_OPEN_ENDED: "flush draw and open-ended straight draw",
}


@dataclass(frozen=True, slots=True)
class ExpertCategory:
    """One of the 284: its number, made hand, place, kicker (where the made hand has one) and draw."""

    index: int
    made: Made
    place: str
    kicker: Kicker | None
    draw: Draw

    @property
    def name(self) -> str:
        """The category in words, such as `top pair, strong kicker, flush draw`."""
        parts = [self.place]
        if self.kicker is not None:
            parts.append(f"{self.kicker.name.lower()} kicker")
        if self.draw:
            parts.append(_DRAW_NAMES[self.draw])
        return ", ".join(parts)

    def __str__(self) -> str:
        return self.name


def _combinations() -> Iterator[tuple[int, Made, str, Kicker | None, Draw]]:
    """Every combination that the rules allow, with its number in the kernel."""
    for rule in RULES:
        kickers: tuple[Kicker | None, ...] = tuple(Kicker) if rule.has_kicker else (None,)
        for place, place_name in enumerate(rule.places):
            for kicker in kickers:
                for draw in rule.draws:
                    # Every rank above a top kicker is on the board, so a sequence of four that the kicker
                    # completes is closed at its upper end.
                    if rule.one_card_draws and kicker is Kicker.TOP and draw % 3 == Draw.OPEN_ENDED:
                        continue
                    code = (rule.made * kernel.PLACES + place) * kernel.KICKERS + (kicker or Kicker.WEAK)
                    yield code * kernel.DRAWS + draw, rule.made, place_name, kicker, draw


EXPERT_CATEGORIES: tuple[ExpertCategory, ...] = tuple(
    ExpertCategory(index, made, place, kicker, draw)
    for index, (_, made, place, kicker, draw) in enumerate(_combinations())
)
"""All categories, by number: from high cards to straight flushes, in the order of `RULES`."""

INDEX_OF_CODE: NDArray[np.int16] = np.full(kernel.CODES, -1, dtype=np.int16)
INDEX_OF_CODE[[code for code, *_ in _combinations()]] = np.arange(len(EXPERT_CATEGORIES))
INDEX_OF_CODE.setflags(write=False)
"""The number of the category of every code of the kernel; −1 where there is none."""


def expert_category(hole: Sequence[Card], board: Sequence[Card]) -> ExpertCategory:
    """The category of two hole cards on a board of three to five cards."""
    require_hole_and_board(hole, board)
    code = kernel.holding_category(int(hole[0]), int(hole[1]), np.array(board, dtype=np.int64))
    return EXPERT_CATEGORIES[int(INDEX_OF_CODE[code])]


def expert_categories(board: Sequence[Card]) -> NDArray[np.int16]:
    """The number of the category of each of the 1,326 holdings on a board; −1 for a blocked holding."""
    require_board(board)
    categories = np.empty(HOLDINGS, dtype=np.int16)
    kernel.holding_categories(np.array(board, dtype=np.int64), INDEX_OF_CODE, categories)
    return categories
