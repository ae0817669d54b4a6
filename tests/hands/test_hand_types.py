"""Hand types are what baycarp-2011 says in §5.3.2, table 5.1, figure 6.1 and its examples."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from railbird.cards import CardError, format_cards, parse_cards
from railbird.hands.boards import BoardError, board_change, board_state
from railbird.hands.evaluator import evaluate
from railbird.hands.types import TYPE_OF_VALUE, HandType, hand_type, hand_types
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from reference.hand_types import type_label

SMALL_DECKS = (range(52), range(52), range(20), range(28, 52), [card for card in range(52) if card % 4 < 2])


def label(hole: str, board: str) -> str:
    return hand_type(parse_cards(hole), parse_cards(board)).label


@pytest.mark.parametrize(
    ("expected", "hole", "board"),
    [
        ("AcePairStrong", "Ah Kc", "As 8c 9h"),
        ("KingPairWeak", "Ks 5s", "Kh 8h 6c"),
        ("QueenPair", "Qs Qh", "Th 2s 6c"),
        ("JackPair", "Js Ts", "Jh Kc 7s"),
        ("MidPair", "9s 9c", "As Qh 8h"),
        ("LowPair", "6s 6c", "As Qh 8h"),
    ],
)
def test_table_5_1(expected: str, hole: str, board: str) -> None:
    assert label(hole, board) == expected


def test_figure_6_1_row_1_has_a_pair_of_tens_of_its_own_and_row_2_the_pair_on_the_board() -> None:
    flop = parse_cards("Jh Td 4c")
    assert board_state(flop).label == "JLow"
    assert board_change(flop, *parse_cards("Ks")).label == "FirstK"
    assert board_change(parse_cards("Jh Td 4c Ks"), *parse_cards("Tc")).label == "MidPair"
    boards = ("Jh Td 4c", "Jh Td 4c Ks", "Jh Td 4c Ks Tc")
    assert [label("Th 6s", board) for board in boards] == ["TenPair", "TenPair", "ThreeOfAKind"]
    assert [label("Ah 8s", board) for board in boards] == ["Busted", "Busted", "TenPair"]


def test_figure_6_1_rows_3_and_4() -> None:
    flop = parse_cards("Jh 8d 4c")
    assert board_state(flop).label == "JLow"
    assert board_change(flop, *parse_cards("2s")).label == "Low"
    assert board_change(parse_cards("Jh 8d 4c 2s"), *parse_cards("Jc")).label == "HighPair"
    boards = ("Jh 8d 4c", "Jh 8d 4c 2s", "Jh 8d 4c 2s Jc")
    assert [label("Js Qs", board) for board in boards] == ["JackPair", "JackPair", "ThreeOfAKind"]
    assert [label("Ah 9h", board) for board in boards] == ["Busted", "Busted", "JackPair"]


def test_figures_2_4_and_2_5_hero_with_ace_ten_of_clubs() -> None:
    # The flop gives a pair of tens that a queen would turn into a straight; the turn is another ten.
    assert label("Ac Tc", "Th Kd Jc") == "TenPair"
    assert label("Ac Tc", "Th Kd Jc Qs") == "Straight"
    assert label("Ac Tc", "Th Kd Jc Ts") == "ThreeOfAKind"


def test_section_6_3_jake_with_ace_king_is_busted_until_a_queen_makes_his_straight() -> None:
    assert label("Ah Kc", "Jd Ts 3c") == "Busted"
    assert label("Ah Kc", "Jd Ts 3c 5h") == "Busted"
    assert label("Ah Kc", "Jd Ts 3c 5h Qd") == "Straight"


def test_figure_6_6_a_pair_of_aces_on_a_jack_low_flop_is_always_strong() -> None:
    # The network's third guess on JLow is AcePairStrong: pocket aces with the jack as kicker.
    types = hand_types(parse_cards("Jd Ts 3c"))
    assert np.count_nonzero(types == HandType.ACE_PAIR_STRONG) == 6
    assert not np.any(types == HandType.ACE_PAIR_WEAK)


@pytest.mark.parametrize(
    ("hole", "is_two_pair"),
    [("Ts Th", False), ("As Qs", False), ("As Js", True), ("Ks Qs", False), ("Ah Kd", True)],
)
def test_section_8_1_3_group_2_hands_with_two_pair_on_ace_jack_king(hole: str, is_two_pair: bool) -> None:
    assert (label(hole, "Ac Jd Kh") == "TwoPair") is is_two_pair


def test_there_are_seventeen_states_as_in_table_7_3() -> None:
    assert [state.label for state in HandType] == [
        "Busted", "LowPair", "MidPair", "TenPair", "JackPair", "QueenPair",
        "KingPairWeak", "KingPairStrong", "AcePairWeak", "AcePairStrong",
        "TwoPair", "ThreeOfAKind", "Straight", "Flush", "FullHouse", "FourOfAKind", "StraightFlush",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("expected", "hole", "board"),
    [
        ("LowPair", "2s 2h", "Ah Kc Qd"),
        ("LowPair", "7s Ah", "7h Kc Qd"),
        ("MidPair", "8s Ah", "8h Kc Qd"),
        ("TenPair", "Ts Ah", "Th Kc Qd"),
        ("QueenPair", "Ah 5c", "Qh Qd 2s"),
        ("KingPairStrong", "Ks 5s", "Kh 8h Tc"),
        ("KingPairStrong", "Ks 5s", "Kh 8h 2c 3d Ac"),
        ("KingPairWeak", "Ks 9s", "Kh 8h 2c 3d 6c"),
        ("AcePairWeak", "As 9s", "Ah 8h 6c"),
        ("AcePairStrong", "As Ts", "Ah 8h 6c"),
        ("AcePairWeak", "9s 8s", "Ah Ad 6c"),
        ("TwoPair", "3s 2s", "Ah Ad Kc Kh"),
        ("ThreeOfAKind", "Ks Qd", "7h 7d 7c"),
        ("Straight", "Ks Kd", "As 2d 3c 4h 5s"),
        ("Flush", "Ad Ac", "2s 5s 7s 9s Js"),
        ("FullHouse", "Ks Kd", "7h 7d 7c"),
        ("FourOfAKind", "Ks Qd", "7h 7d 7c 7s 2d"),
        ("StraightFlush", "As Ks", "Qs Js Ts"),
    ],
)
def test_edges_of_the_states(expected: str, hole: str, board: str) -> None:
    assert label(hole, board) == expected


def test_a_stronger_type_is_a_stronger_hand() -> None:
    random = Random(3)
    for _ in range(30):
        board = random.sample(range(52), random.choice((3, 4, 5)))
        free = [i for i in range(HOLDINGS) if not {HIGH_CARDS[i], LOW_CARDS[i]} & set(board)]
        values = [evaluate([int(HIGH_CARDS[i]), int(LOW_CARDS[i]), *board]) for i in free]
        types = hand_types(board)[free]
        assert np.all(np.diff(types[np.argsort(values)]) >= 0), format_cards(board)


def test_every_value_has_a_type_and_the_bands_are_in_order() -> None:
    assert len(TYPE_OF_VALUE) == 7463
    assert TYPE_OF_VALUE[0] == -1
    assert TYPE_OF_VALUE[1] == HandType.BUSTED
    assert TYPE_OF_VALUE[7462] == HandType.STRAIGHT_FLUSH
    assert set(TYPE_OF_VALUE[1:].tolist()) == set(HandType)
    assert np.all(np.diff(TYPE_OF_VALUE) >= 0)
    assert not TYPE_OF_VALUE.flags.writeable


def test_the_2_598_960_five_card_hands_fall_into_types_as_combinatorics_says() -> None:
    counts = np.zeros(len(HandType), dtype=np.int64)
    for flop in combinations(range(52), 3):
        types = hand_types(flop)
        counts += np.bincount(types[types >= 0], minlength=len(HandType))
    # Each five cards are met C(5, 2) = 10 times, once for every choice of the hole cards.
    one_pair_rank = 6 * comb(12, 3) * 4**3
    weak = 6 * comb(8, 3) * 4**3
    assert dict(zip(HandType, counts // 10, strict=True)) == {
        HandType.BUSTED: 1_302_540,
        HandType.LOW_PAIR: 6 * one_pair_rank,
        HandType.MID_PAIR: 2 * one_pair_rank,
        HandType.TEN_PAIR: one_pair_rank,
        HandType.JACK_PAIR: one_pair_rank,
        HandType.QUEEN_PAIR: one_pair_rank,
        HandType.KING_PAIR_WEAK: weak,
        HandType.KING_PAIR_STRONG: one_pair_rank - weak,
        HandType.ACE_PAIR_WEAK: weak,
        HandType.ACE_PAIR_STRONG: one_pair_rank - weak,
        HandType.TWO_PAIR: 123_552,
        HandType.THREE_OF_A_KIND: 54_912,
        HandType.STRAIGHT: 10_200,
        HandType.FLUSH: 5_108,
        HandType.FULL_HOUSE: 3_744,
        HandType.FOUR_OF_A_KIND: 624,
        HandType.STRAIGHT_FLUSH: 40,
    }
    assert counts.sum() == 25_989_600


def compare_with_reference(situations: int, seed: int) -> None:
    random = Random(seed)
    for _ in range(situations):
        cards = random.sample(random.choice(SMALL_DECKS), 2 + random.choice((3, 4, 5)))
        hole, board = cards[:2], cards[2:]
        assert hand_type(hole, board).label == type_label(hole, board), format_cards(cards, " ")


def test_types_are_those_of_the_best_five_cards() -> None:
    compare_with_reference(1_000, seed=1)


@pytest.mark.soak
def test_types_are_those_of_the_best_five_cards_many_times() -> None:
    compare_with_reference(100_000, seed=2)


def renamed(cards: Sequence[int], suits: Sequence[int]) -> list[int]:
    return [card // 4 * 4 + suits[card % 4] for card in cards]


def test_renaming_suits_changes_no_type() -> None:
    random = Random(4)
    for _ in range(300):
        cards = random.sample(random.choice(SMALL_DECKS), 2 + random.choice((3, 4, 5)))
        other = renamed(cards, random.sample(range(4), 4))
        assert hand_type(cards[:2], cards[2:]) is hand_type(other[:2], other[2:]), format_cards(cards, " ")


@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_holdings_at_once_are_the_holdings_one_by_one(size: int) -> None:
    board = Random(size).sample(range(52), size)
    types = hand_types(board)
    for index in range(HOLDINGS):
        hole = [int(HIGH_CARDS[index]), int(LOW_CARDS[index])]
        expected = -1 if set(hole) & set(board) else hand_type(hole, board)
        assert types[index] == expected, format_cards(hole)
    assert Counter((types < 0).tolist())[True] == HOLDINGS - comb(52 - size, 2)


@pytest.mark.parametrize(
    ("hole", "board", "error", "message"),
    [
        ("Ah", "2c 3c 4c", BoardError, "a player has 2 hole cards, not 1"),
        ("Ah Kh", "2c 3c", BoardError, "the board has 2 cards where 3, 4 or 5 are expected"),
        ("Ah Kh", "2c 3c 4c 5c 6c 7c 8c 9c Tc", BoardError, "the board has 9 cards"),
        ("Ah Kh", "2c 3c Ah", CardError, "Ah appears twice"),
    ],
)
def test_what_is_no_hand_is_refused(hole: str, board: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        hand_type(parse_cards(hole), parse_cards(board))


def test_what_is_no_board_is_refused() -> None:
    with pytest.raises(BoardError, match="the board has 6 cards where 3, 4 or 5 are expected"):
        hand_types(range(6))
    with pytest.raises(CardError, match="52 is not a card"):
        hand_types([50, 51, 52])
    with pytest.raises(CardError, match="2c appears twice"):
        hand_types([0, 1, 0])
