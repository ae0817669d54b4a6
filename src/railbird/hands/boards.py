"""What a board looks like: SARTRE's textures and the states of BayCaRP's board nodes.

`texture` gives one of the nine categories of sartre-2012 §5.3.1, table 5. `board_state` and `board_change`
give the states of the nodes `Board` and `BoardChange` (baycarp-2011 §5.3.2, table 5.2), `flush_board`,
`flush_change`, `straight_board` and `straight_change` those of the extension for partial hands (§5.3.3). The
thesis prints examples only, so the lists of states are completed here; `docs/board-textures.md` says which
states are printed.

>>> from railbird.cards import parse_card, parse_cards
>>> texture(parse_cards("Ks Qs Jd Tc")).label
'Straight-Highly-Possible'
>>> flop = parse_cards("Jh Kc 7s")
>>> board_state(flop).label, board_change(flop, parse_card("7c")).label
('KHigh', 'LowPair')
"""

from collections.abc import Sequence
from enum import IntEnum
from functools import cache

from railbird.cards import Card, rank_of, require_distinct, suit_of

SEVEN, TEN, JACK, QUEEN, KING, ACE = 5, 8, 9, 10, 11, 12

STRAIGHTS: tuple[frozenset[int], ...] = tuple(
    frozenset((lowest + step) % 13 for step in range(5)) for lowest in (ACE, *range(TEN + 1))
)
"""The ten straights as sets of ranks, from ace-to-five up to ten-to-ace."""


class BoardError(ValueError):
    """Cards that are not a valid board, or hole cards that conflict with it."""


def require_board(board: Sequence[Card], sizes: tuple[int, ...] = (3, 4, 5)) -> None:
    """Refuse a board with a number of cards other than those given, or with a duplicate card."""
    if len(board) not in sizes:
        expected = " or ".join(", ".join(map(str, sizes)).rsplit(", ", 1))
        raise BoardError(f"the board has {len(board)} cards where {expected} are expected")
    require_distinct(board)


def require_hole_and_board(hole: Sequence[Card], board: Sequence[Card]) -> None:
    """Refuse anything but two hole cards and a board of three to five cards, all different."""
    if len(hole) != 2:
        raise BoardError(f"a player has 2 hole cards, not {len(hole)}")
    require_board(board)
    require_distinct([*hole, *board])


class Texture(IntEnum):
    """Which flushes and straights a board allows (sartre-2012, table 5).

    *Possible* means that two hole cards are needed to complete one, *highly possible* that one hole card
    suffices, or none. `letter` is the row of the table and of the similarity matrix of figure 3.
    """

    NO_SALIENT = 0
    FLUSH_POSSIBLE = 1
    STRAIGHT_POSSIBLE = 2
    FLUSH_POSSIBLE_STRAIGHT_POSSIBLE = 3
    STRAIGHT_HIGHLY_POSSIBLE = 4
    FLUSH_POSSIBLE_STRAIGHT_HIGHLY_POSSIBLE = 5
    FLUSH_HIGHLY_POSSIBLE = 6
    FLUSH_HIGHLY_POSSIBLE_STRAIGHT_POSSIBLE = 7
    FLUSH_HIGHLY_POSSIBLE_STRAIGHT_HIGHLY_POSSIBLE = 8

    @property
    def letter(self) -> str:
        """`A` to `I`."""
        return "ABCDEFGHI"[self]

    @property
    def label(self) -> str:
        """The category as table 4 of the paper writes it, such as `Flush-Highly-Possible`."""
        return self.name.replace("_", "-").title()

    @property
    def title(self) -> str:
        """The category in words, such as "flush possible, straight highly possible"."""
        if self is Texture.NO_SALIENT:
            return "no flush or straight possible"
        return self.name.lower().replace("_", " ").replace("possible straight", "possible, straight")


TEXTURE_TITLES = {texture.label: texture.title for texture in Texture}
"""The textures in words, by label."""

_TEXTURES = (
    (Texture.NO_SALIENT, Texture.STRAIGHT_POSSIBLE, Texture.STRAIGHT_HIGHLY_POSSIBLE),
    (
        Texture.FLUSH_POSSIBLE,
        Texture.FLUSH_POSSIBLE_STRAIGHT_POSSIBLE,
        Texture.FLUSH_POSSIBLE_STRAIGHT_HIGHLY_POSSIBLE,
    ),
    (
        Texture.FLUSH_HIGHLY_POSSIBLE,
        Texture.FLUSH_HIGHLY_POSSIBLE_STRAIGHT_POSSIBLE,
        Texture.FLUSH_HIGHLY_POSSIBLE_STRAIGHT_HIGHLY_POSSIBLE,
    ),
)


def texture(board: Sequence[Card]) -> Texture:
    """The texture of a board of three, four or five cards."""
    require_board(board)
    toward_straight = _toward_straight(frozenset(map(rank_of, board)))
    return _TEXTURES[_possibility(_most_of_one_suit(board))][_possibility(toward_straight)]


@cache
def _toward_straight(ranks: frozenset[int]) -> int:
    """The largest number of ranks that belong to one straight."""
    return max(len(straight & ranks) for straight in STRAIGHTS)


def _possibility(cards_on_board: int) -> int:
    """0, 1 or 2 for not possible, possible or highly possible, from how many of the five cards are on the board."""
    return max(0, min(cards_on_board, 4) - 2)


class _BoardNode(IntEnum):
    """States that the thesis writes as one word."""

    @property
    def label(self) -> str:
        """The state as the thesis writes it, such as `ALow` or `FirstA`."""
        return self.name.title().replace("_", "")

    @property
    def title(self) -> str:
        """The state in words, such as "ace and low cards" or "first ace"."""
        first, _, second = self.name.partition("_")
        if first in _HIGH_RANKS:
            return f"{_HIGH_RANKS[first]} and {'another high card' if second == 'HIGH' else 'low cards'}"
        if first == "FIRST":
            return f"first {_HIGH_RANKS[second]}"
        return {"LOW": "low", "TRIPS": "three of a kind", "MID_PAIR": "middle pair"}.get(
            self.name, self.name.lower().replace("_", " ")
        )


_HIGH_RANKS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}


class Board(_BoardNode):
    """The flop as the node `Board` sees it (baycarp-2011 §5.3.2): its pair, or its high cards.

    Jacks and better are high, tens and worse are low. `A_HIGH` is an ace with at least one more high card,
    `A_LOW` an ace with two low cards, `LOW` a flop without a high card. With three different ranks there is
    no `JHigh`.
    """

    LOW = 0
    J_LOW = 1
    Q_LOW = 2
    Q_HIGH = 3
    K_LOW = 4
    K_HIGH = 5
    A_LOW = 6
    A_HIGH = 7
    LOW_PAIR = 8
    MID_PAIR = 9
    HIGH_PAIR = 10
    TRIPS = 11


class BoardChange(_BoardNode):
    """What a turn or river card changes as the nodes `BoardChange` see it (baycarp-2011 §5.3.2).

    The card pairs a rank of the board, is the first of a high rank there, or is a low card that matches
    nothing.
    """

    LOW = 0
    FIRST_J = 1
    FIRST_Q = 2
    FIRST_K = 3
    FIRST_A = 4
    LOW_PAIR = 5
    MID_PAIR = 6
    HIGH_PAIR = 7
    TRIPS = 8


_PAIRED_BOARD = {"low": Board.LOW_PAIR, "mid": Board.MID_PAIR, "high": Board.HIGH_PAIR}
_PAIRING_CHANGE = {"low": BoardChange.LOW_PAIR, "mid": BoardChange.MID_PAIR, "high": BoardChange.HIGH_PAIR}
_TOPPED_BOARD = {
    ACE: (Board.A_LOW, Board.A_HIGH),
    KING: (Board.K_LOW, Board.K_HIGH),
    QUEEN: (Board.Q_LOW, Board.Q_HIGH),
}
_FIRST_OF_RANK = {
    JACK: BoardChange.FIRST_J,
    QUEEN: BoardChange.FIRST_Q,
    KING: BoardChange.FIRST_K,
    ACE: BoardChange.FIRST_A,
}


def board_state(flop: Sequence[Card]) -> Board:
    """The state of the node `Board` for a flop."""
    require_board(flop, (3,))
    low, middle, high = sorted(map(rank_of, flop))
    if low == high:
        return Board.TRIPS
    if middle in (low, high):
        return _PAIRED_BOARD[_pair_height(middle)]
    if high < JACK:
        return Board.LOW
    if high == JACK:
        return Board.J_LOW
    return _TOPPED_BOARD[high][middle >= JACK]


def board_change(board_before: Sequence[Card], card: Card) -> BoardChange:
    """The state of the node `BoardChange` for a turn card after a flop, or a river card after both."""
    _require_next_card(board_before, card)
    rank = rank_of(card)
    match sum(rank_of(other) == rank for other in board_before):
        case 0:
            return _FIRST_OF_RANK.get(rank, BoardChange.LOW)
        case 1:
            return _PAIRING_CHANGE[_pair_height(rank)]
        case _:
            return BoardChange.TRIPS


def _pair_height(rank: int) -> str:
    """Pairs on the board are low up to sevens, mid up to tens (figure 6.1 shows it) and high from jacks."""
    if rank <= SEVEN:
        return "low"
    return "mid" if rank <= TEN else "high"


class _PossibilityNode(IntEnum):
    """States that the thesis writes with an underscore between before and after."""

    @property
    def label(self) -> str:
        """The state as the thesis writes it, such as `Possible` or `None_Draw`."""
        return self.name.title()

    @property
    def title(self) -> str:
        """The state in words, such as "possible" or "none before, now draw"."""
        before, _, after = self.name.lower().partition("_")
        return f"{before} before, now {after}" if after else before


class FlushBoard(_PossibilityNode):
    """How many cards of one suit a flop shows, as the node `FlushBoardFlop` sees it: one, two or three."""

    NONE = 0
    DRAW = 1
    POSSIBLE = 2


class FlushChange(_PossibilityNode):
    """How a turn or river card changes a board's flushes (`FlushChangeTurn`, `FlushChangeRiver`).

    States give the most cards of one suit before and after: a single name if unchanged, `BEFORE_AFTER` if the count
    grows to two or three, `LIKELY` for four and `FLUSH` for five, whatever the count was before.
    """

    NONE = 0
    NONE_DRAW = 1
    DRAW = 2
    DRAW_POSSIBLE = 3
    POSSIBLE = 4
    LIKELY = 5
    FLUSH = 6


class StraightBoard(_PossibilityNode):
    """How many ranks in sequence a flop shows, as the node `StraightBoardFlop` sees it: one, two or three."""

    NONE = 0
    DRAW = 1
    POSSIBLE = 2


class StraightChange(_PossibilityNode):
    """How a turn or river card changes a board's straights (`StraightChangeTurn`, `StraightChangeRiver`).

    Named as the states of `FlushChange`, from the longest sequence of ranks without a hole. A card that joins
    two ranks makes a sequence of three where there was none, hence `NONE_POSSIBLE`.
    """

    NONE = 0
    NONE_DRAW = 1
    NONE_POSSIBLE = 2
    DRAW = 3
    DRAW_POSSIBLE = 4
    POSSIBLE = 5
    LIKELY = 6
    STRAIGHT = 7


def flush_board(flop: Sequence[Card]) -> FlushBoard:
    """The state of the node `FlushBoardFlop`."""
    require_board(flop, (3,))
    return FlushBoard(_most_of_one_suit(flop) - 1)


def flush_change(board_before: Sequence[Card], card: Card) -> FlushChange:
    """The state of the node `FlushChangeTurn` or `FlushChangeRiver`."""
    _require_next_card(board_before, card)
    before, after = _most_of_one_suit(board_before), _most_of_one_suit([*board_before, card])
    return FlushChange[_change_name(before, after, five="FLUSH")]


def straight_board(flop: Sequence[Card]) -> StraightBoard:
    """The state of the node `StraightBoardFlop`."""
    require_board(flop, (3,))
    return StraightBoard(_longest_sequence(flop) - 1)


def straight_change(board_before: Sequence[Card], card: Card) -> StraightChange:
    """The state of the node `StraightChangeTurn` or `StraightChangeRiver`."""
    _require_next_card(board_before, card)
    before, after = _longest_sequence(board_before), _longest_sequence([*board_before, card])
    return StraightChange[_change_name(before, after, five="STRAIGHT")]


def _change_name(before: int, after: int, five: str) -> str:
    names = ("NONE", "DRAW", "POSSIBLE", "LIKELY", five)
    if before == after or after >= 4:
        return names[after - 1]
    return f"{names[before - 1]}_{names[after - 1]}"


def _most_of_one_suit(board: Sequence[Card]) -> int:
    suits = [suit_of(card) for card in board]
    return max(map(suits.count, suits))


def _longest_sequence(board: Sequence[Card]) -> int:
    """The longest run of consecutive ranks; the ace counts both below the deuce and above the king."""
    ranks = {rank_of(card) for card in board}
    longest = length = 0
    for rank in (ACE, *range(ACE + 1)):
        length = length + 1 if rank in ranks else 0
        longest = max(longest, length)
    return longest


def _require_next_card(board_before: Sequence[Card], card: Card) -> None:
    require_board(board_before, (3, 4))
    require_distinct([*board_before, card])
