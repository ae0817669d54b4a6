"""Draws are what the hole cards still need one card for (baycarp-2011 §5.3.2–5.3.3)."""

from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from railbird.cards import CardError, format_cards, parse_cards
from railbird.hands.boards import BoardError
from railbird.hands.draws import Draw, SimpleDraw, draw, draws, simple_draw
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from reference.draws import draw_name

SMALL_DECKS = (range(52), range(52), range(20), range(28, 52), [card for card in range(52) if card % 4 < 2])


def name(hole: str, board: str) -> str:
    return draw(parse_cards(hole), parse_cards(board)).name


def state(hole: str, board: str) -> str:
    return simple_draw(parse_cards(hole), parse_cards(board)).label


def test_section_5_3_2_four_spades_need_one_more_for_a_flush() -> None:
    assert name("As 8s", "Ks 4s 2h") == "FLUSH"
    assert state("As 8s", "Ks 4s 2h") == "FlushDraw"


def test_section_5_3_2_a_sequence_of_four_needs_one_more_for_a_straight() -> None:
    assert name("9s 8h", "7d 6c 2h") == "OPEN_ENDED"
    assert state("9s 8h", "7d 6c 2h") == "StraightDraw"


def test_section_5_3_3_both_draws_are_one_state() -> None:
    assert name("9s 8s", "7s 6s 2h") == "FLUSH_AND_OPEN_ENDED"
    assert state("9s 8s", "7s 6s 2h") == "FlushD_StraightD"


def test_section_5_3_3_no_partial_hand_is_left_on_the_river() -> None:
    assert name("9s 8s", "7s 6s 2h Kd Ah") == "NONE"
    assert state("9s 8s", "7s 6s 2h Kd Ah") == "None"


def test_figure_2_4_a_queen_makes_heros_straight() -> None:
    assert name("Ac Tc", "Th Kd Js") == "GUTSHOT"


def test_the_partial_hand_states_are_four() -> None:
    assert [each.label for each in SimpleDraw] == ["None", "StraightDraw", "FlushDraw", "FlushD_StraightD"]


@pytest.mark.parametrize(
    ("expected", "expected_state", "hole", "board"),
    [
        ("GUTSHOT", "None", "9s 8h", "6d 5c Kh"),
        ("GUTSHOT", "StraightDraw", "As Kh", "Qd Jc 2h"),
        ("GUTSHOT", "StraightDraw", "As 2h", "3d 4c Kh"),
        ("OPEN_ENDED", "None", "9s 7h", "Jd 8c 5h"),
        ("OPEN_ENDED", "None", "Ts 8h", "6d 7c 4h"),
        ("OPEN_ENDED", "StraightDraw", "7s 7h", "8d 9c Th"),
        ("OPEN_ENDED", "StraightDraw", "9s Ts", "9d 8c 7h Kc"),
        ("FLUSH_AND_GUTSHOT", "FlushDraw", "9s 8s", "6s 5s Kh"),
        ("FLUSH", "FlushDraw", "As Kd", "2s 7s 9s"),
        ("NONE", "None", "As Ks", "2s 7h 9d"),
        ("NONE", "None", "9s 7h", "Jd 3c 4h"),
    ],
    ids=str,
)
def test_straights_are_drawn_to_by_the_ranks_that_make_them(
    expected: str, expected_state: str, hole: str, board: str
) -> None:
    assert name(hole, board) == expected
    assert state(hole, board) == expected_state


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("Ah Kd", "2s 5s 7s 9s"),
        ("Ah Kd", "6s 7d 8h 9c"),
        ("9h Kd", "6s 7d 8h 9c"),
        ("As 2d", "2s 3d 4h 6c"),
        ("2d Ks", "4s 5d 6h 7c"),
    ],
    ids=str,
)
def test_draws_on_the_board_in_which_no_hole_card_takes_part_do_not_count(hole: str, board: str) -> None:
    assert name(hole, board) == "NONE"
    assert state(hole, board) == "None"


def test_a_hole_card_above_a_sequence_on_the_board_takes_part() -> None:
    assert name("Td 2s", "5s 6d 7h 8c") == "GUTSHOT"


@pytest.mark.parametrize(
    ("expected", "hole", "board"),
    [
        ("FLUSH", "9s 8s", "7s 6s 5h"),
        ("NONE", "9s 8h", "7d 6c 5h Kd"),
        ("NONE", "As 8s", "Ks 4s 2s 3h"),
        ("NONE", "9s 8s", "7s 6s 5s"),
        ("NONE", "9s 9h", "9d 8s 8c"),
        ("NONE", "9s 9h", "9d 9c 8s"),
        ("FLUSH", "9s 9h", "9d 8s 7s 2s"),
        ("OPEN_ENDED", "9s Th", "9d 9c 8s Jd"),
    ],
    ids=str,
)
def test_only_what_improves_the_hand_is_a_draw(expected: str, hole: str, board: str) -> None:
    assert name(hole, board) == expected


def test_a_draw_knows_its_parts() -> None:
    assert [each.name for each in Draw if each.to_flush] == [
        "FLUSH",
        "FLUSH_AND_GUTSHOT",
        "FLUSH_AND_OPEN_ENDED",
    ]
    assert [each.name for each in Draw if each.to_straight] == [
        "GUTSHOT",
        "OPEN_ENDED",
        "FLUSH_AND_GUTSHOT",
        "FLUSH_AND_OPEN_ENDED",
    ]


def compare_with_reference(situations: int, seed: int) -> None:
    random = Random(seed)
    for _ in range(situations):
        cards = random.sample(random.choice(SMALL_DECKS), 2 + random.choice((3, 4, 4, 5)))
        hole, board = cards[:2], cards[2:]
        assert draw(hole, board).name == draw_name(hole, board), format_cards(cards, " ")


def test_draws_are_found_by_laying_out_every_rank() -> None:
    compare_with_reference(1_500, seed=1)


@pytest.mark.soak
def test_draws_are_found_by_laying_out_every_rank_many_times() -> None:
    compare_with_reference(100_000, seed=2)


def test_renaming_suits_changes_no_draw() -> None:
    random = Random(4)
    for _ in range(300):
        cards = random.sample(random.choice(SMALL_DECKS), 2 + random.choice((3, 4)))
        suits = random.sample(range(4), 4)
        other = [card // 4 * 4 + suits[card % 4] for card in cards]
        assert draw(cards[:2], cards[2:]) is draw(other[:2], other[2:]), format_cards(cards, " ")


def test_simple_draws_are_draws() -> None:
    random = Random(5)
    seen = set()
    for _ in range(3_000):
        cards = random.sample(random.choice(SMALL_DECKS), 2 + random.choice((3, 4)))
        fine, simple = draw(cards[:2], cards[2:]), simple_draw(cards[:2], cards[2:])
        assert (simple >= SimpleDraw.FLUSH_DRAW) == fine.to_flush, format_cards(cards, " ")
        assert fine.to_straight or simple % 2 == 0, format_cards(cards, " ")
        seen.add(simple)
    assert seen == set(SimpleDraw)


def test_flush_draws_on_all_flops_are_as_many_as_combinatorics_says() -> None:
    # Five cards with exactly four of a suit; of five cards the two hole cards always reach into the four.
    flush_draws = sum(int(np.count_nonzero(draws(flop) >= Draw.FLUSH)) for flop in combinations(range(52), 3))
    assert flush_draws == comb(5, 2) * 4 * comb(13, 4) * 39


@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_holdings_at_once_are_the_holdings_one_by_one(size: int) -> None:
    board = Random(size).sample(range(52), size)
    found = draws(board)
    for index in range(HOLDINGS):
        hole = [int(HIGH_CARDS[index]), int(LOW_CARDS[index])]
        expected = -1 if set(hole) & set(board) else draw(hole, board)
        assert found[index] == expected, format_cards(hole)


def test_what_is_no_situation_is_refused() -> None:
    with pytest.raises(BoardError, match="a player has 2 hole cards, not 3"):
        draw(parse_cards("Ah Kh Qh"), parse_cards("2c 3c 4c"))
    with pytest.raises(CardError, match="Ah appears twice"):
        simple_draw(parse_cards("Ah Kh"), parse_cards("Ah 3c 4c"))
    with pytest.raises(BoardError, match="the board has 9 cards where 3, 4 or 5 are expected"):
        draws(range(9))
