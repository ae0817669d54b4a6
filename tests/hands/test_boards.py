"""Boards look as sartre-2012 (table 5) and baycarp-2011 (§5.3.2–5.3.3, table 5.2) describe them."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from railbird.cards import CardError, format_cards, parse_card, parse_cards
from railbird.hands.boards import (
    Board,
    BoardChange,
    BoardError,
    FlushBoard,
    FlushChange,
    StraightBoard,
    StraightChange,
    Texture,
    board_change,
    board_state,
    flush_board,
    flush_change,
    straight_board,
    straight_change,
    texture,
)
from reference.draws import best_straight

# SARTRE's textures


@pytest.mark.parametrize(
    ("letter", "board"),
    [
        ("A", "Kh 8d 2c"),
        ("A", "Kh Kd Kc 2h 2d"),
        ("B", "Kh 8h 2h"),
        ("C", "Jh Qd Kc"),
        ("C", "Th Qd Ac"),
        ("C", "Ah 4d 5c"),
        ("D", "Jh Qh Kh"),
        ("E", "Jh Qd Kc Ts"),
        ("E", "5h 6d 8c 9s"),
        ("E", "Jh Qd Kc Ts 9h"),
        ("F", "Jh Qh Kh Ts"),
        ("G", "Kh 8h 2h 3h"),
        ("H", "Kh 8h 2h 3h 4d"),
        ("I", "9h 8h 7h 6h"),
        ("I", "9h 8h 7h 6h 5h"),
    ],
)
def test_table_5(letter: str, board: str) -> None:
    assert texture(parse_cards(board)).letter == letter


def test_table_5_and_figure_3_have_nine_categories() -> None:
    assert {each.letter: each.label for each in Texture} == {
        "A": "No-Salient",
        "B": "Flush-Possible",
        "C": "Straight-Possible",
        "D": "Flush-Possible-Straight-Possible",
        "E": "Straight-Highly-Possible",
        "F": "Flush-Possible-Straight-Highly-Possible",
        "G": "Flush-Highly-Possible",
        "H": "Flush-Highly-Possible-Straight-Possible",
        "I": "Flush-Highly-Possible-Straight-Highly-Possible",
    }


def hole_cards_needed_for_a_straight(board: Sequence[int]) -> int | None:
    ranks = ["23456789TJQKA"[card // 4] for card in board]
    for needed in (0, 1, 2):
        if any(best_straight([*ranks, *added]) >= 0 for added in combinations("23456789TJQKA", needed)):
            return needed
    return None


def hole_cards_needed_for_a_flush(board: Sequence[int]) -> int | None:
    most = Counter(card % 4 for card in board).most_common(1)[0][1]
    return 5 - most if most >= 3 else None


def test_possible_needs_two_hole_cards_and_highly_possible_one() -> None:
    random = Random(1)
    for _ in range(500):
        deck = random.choice([range(52), range(0, 52, 2), range(24)])
        board = random.sample(deck, random.choice((3, 4, 5)))
        wording = []
        for hand, needed in (
            ("Flush", hole_cards_needed_for_a_flush(board)),
            ("Straight", hole_cards_needed_for_a_straight(board)),
        ):
            if needed is not None:
                wording.append(f"{hand}-Possible" if needed == 2 else f"{hand}-Highly-Possible")
        assert texture(board).label == ("-".join(wording) or "No-Salient"), format_cards(board)


def test_textures_of_all_flops_are_as_many_as_combinatorics_says() -> None:
    # 64 sets of three ranks fit into a straight, each in 64 suitings, 4 of them of one suit.
    assert Counter(texture(flop) for flop in combinations(range(52), 3)) == {
        Texture.FLUSH_POSSIBLE_STRAIGHT_POSSIBLE: 64 * 4,
        Texture.STRAIGHT_POSSIBLE: 64 * 60,
        Texture.FLUSH_POSSIBLE: (286 - 64) * 4,
        Texture.NO_SALIENT: 22_100 - 64 * 64 - (286 - 64) * 4,
    }


# BayCaRP's Board and BoardChange


@pytest.mark.parametrize(
    ("flop", "board", "turn", "change"),
    [
        ("As 8c 9h", "ALow", "Ks", "FirstK"),
        ("Kh 8h 6c", "KLow", "Ks", "HighPair"),
        ("Th 2s 6c", "Low", "Qc", "FirstQ"),
        ("Jh Kc 7s", "KHigh", "7c", "LowPair"),
    ],
)
def test_table_5_2(flop: str, board: str, turn: str, change: str) -> None:
    assert board_state(parse_cards(flop)).label == board
    assert board_change(parse_cards(flop), parse_card(turn)).label == change


def test_section_5_3_2_the_first_ace_and_the_second() -> None:
    assert board_change(parse_cards("Kh 8h 6c"), parse_card("As")) is BoardChange.FIRST_A
    assert board_change(parse_cards("Ah 8h 6c"), parse_card("As")) is BoardChange.HIGH_PAIR


def test_section_6_3_jack_low_then_low_then_the_first_queen() -> None:
    assert board_state(parse_cards("Jd Ts 3c")) is Board.J_LOW
    assert board_change(parse_cards("Jd Ts 3c"), parse_card("5h")) is BoardChange.LOW
    assert board_change(parse_cards("Jd Ts 3c 5h"), parse_card("Qd")) is BoardChange.FIRST_Q


@pytest.mark.parametrize(
    ("flop", "board"),
    [
        ("Th 9s 8c", "Low"),
        ("Jh Ts 9c", "JLow"),
        ("Qh Ts 9c", "QLow"),
        ("Qh Js 9c", "QHigh"),
        ("Kh Qs Jc", "KHigh"),
        ("Ah Ts 9c", "ALow"),
        ("Ah Js 2c", "AHigh"),
        ("Ah Ks Qc", "AHigh"),
        ("7h 7s Ac", "LowPair"),
        ("8h 8s Ac", "MidPair"),
        ("Th Ts Ac", "MidPair"),
        ("Jh Js 2c", "HighPair"),
        ("Ah As 2c", "HighPair"),
        ("2h 2s 2c", "Trips"),
    ],
)
def test_edges_of_the_board_states(flop: str, board: str) -> None:
    assert board_state(parse_cards(flop)).label == board


@pytest.mark.parametrize(
    ("board_before", "card", "change"),
    [
        ("As Kc 9h", "Td", "Low"),
        ("As Kc 9h", "Jd", "FirstJ"),
        ("As Kc 7h", "7d", "LowPair"),
        ("As Kc 8h", "8d", "MidPair"),
        ("As Kc Th 2c", "Td", "MidPair"),
        ("As Kc Jh", "Jd", "HighPair"),
        ("As Ac Jh 7d", "7c", "LowPair"),
        ("As Ac Jh", "Ad", "Trips"),
        ("7s 7c 7h Ad", "7d", "Trips"),
        ("7s 7c 7h", "Ad", "FirstA"),
    ],
)
def test_edges_of_the_board_changes(board_before: str, card: str, change: str) -> None:
    assert board_change(parse_cards(board_before), parse_card(card)).label == change


def test_all_flops_fall_into_board_states_as_combinatorics_says() -> None:
    # Nine ranks are low and four are high. Three ranks have 64 suitings, a pair and a side card 6 · 4.
    assert Counter(board_state(flop) for flop in combinations(range(52), 3)) == {
        Board.LOW: 84 * 64,
        Board.J_LOW: 36 * 64,
        Board.Q_LOW: 36 * 64,
        Board.Q_HIGH: 9 * 64,
        Board.K_LOW: 36 * 64,
        Board.K_HIGH: (2 * 9 + 1) * 64,
        Board.A_LOW: 36 * 64,
        Board.A_HIGH: (3 * 9 + 3) * 64,
        Board.LOW_PAIR: 6 * 12 * 24,
        Board.MID_PAIR: 3 * 12 * 24,
        Board.HIGH_PAIR: 4 * 12 * 24,
        Board.TRIPS: 13 * 4,
    }


# The extension for partial hands


@pytest.mark.parametrize(
    ("flop", "state"), [("Kh 8d 2c", "None"), ("Kh 8h 2c", "Draw"), ("Kh 8h 2h", "Possible")]
)
def test_section_5_3_3_flush_boards(flop: str, state: str) -> None:
    assert flush_board(parse_cards(flop)).label == state


@pytest.mark.parametrize(
    ("board_before", "card", "state"),
    [
        ("Kh 8d 2c", "3s", "None"),
        ("Kh 8d 2c", "3h", "None_Draw"),
        ("Kh 8h 2c", "3s", "Draw"),
        ("Kh 8h 2c", "3c", "Draw"),
        ("Kh 8h 2c", "3h", "Draw_Possible"),
        ("Kh 8h 2h", "3s", "Possible"),
        ("Kh 8h 2h", "3h", "Likely"),
        ("Kh 8d 2c 3s", "4s", "None_Draw"),
        ("Kh 8h 2h 3s", "4s", "Possible"),
        ("Kh 8h 2h 3s", "4h", "Likely"),
        ("Kh 8h 2h 3h", "4s", "Likely"),
        ("Kh 8h 2h 3h", "4h", "Flush"),
    ],
)
def test_section_5_3_3_flush_changes(board_before: str, card: str, state: str) -> None:
    assert flush_change(parse_cards(board_before), parse_card(card)).label == state


@pytest.mark.parametrize(
    ("flop", "state"),
    [
        ("Jh Qd Kc", "Possible"),
        ("Th Qd Ac", "None"),
        ("Ah 2d 3c", "Possible"),
        ("Kh Ad 2c", "Draw"),
        ("Kh Kd Kc", "None"),
        ("Kh Kd Qc", "Draw"),
    ],
)
def test_section_5_3_3_straight_boards_are_sequences_without_holes(flop: str, state: str) -> None:
    assert straight_board(parse_cards(flop)).label == state


def test_section_5_3_3_a_straight_with_two_holes_is_possible_for_sartre_only() -> None:
    board = parse_cards("Th Qd Ac")
    assert straight_board(board) is StraightBoard.NONE
    assert texture(board) is Texture.STRAIGHT_POSSIBLE


@pytest.mark.parametrize(
    ("board_before", "card", "state"),
    [
        ("Kh 8d 2c", "5s", "None"),
        ("Kh 8d 2c", "9s", "None_Draw"),
        ("Kh 8d 6c", "7s", "None_Possible"),
        ("Kh 9d 8c", "2s", "Draw"),
        ("Kh 9d 8c", "7s", "Draw_Possible"),
        ("9h 8d 7c", "2s", "Possible"),
        ("9h 8d 7c", "9s", "Possible"),
        ("9h 8d 7c", "6s", "Likely"),
        ("9h 8d 6c", "7s", "Likely"),
        ("9h 8d 7c 6s", "2s", "Likely"),
        ("9h 8d 7c 6s", "5s", "Straight"),
        ("9h 8d 6c 5s", "7s", "Straight"),
        ("4h 3d 2c 5s", "As", "Straight"),
    ],
)
def test_straight_changes_work_like_flush_changes(board_before: str, card: str, state: str) -> None:
    assert straight_change(parse_cards(board_before), parse_card(card)).label == state


def test_every_change_is_one_state_and_every_state_occurs() -> None:
    random = Random(2)
    flush_states: dict[int, set[FlushChange]] = {3: set(), 4: set()}
    straight_states: dict[int, set[StraightChange]] = {3: set(), 4: set()}
    for _ in range(4_000):
        deck = random.choice([range(52), range(24), range(0, 52, 4)])
        *before, card = random.sample(deck, random.choice((4, 5)))
        flush_states[len(before)].add(flush_change(before, card))
        straight_states[len(before)].add(straight_change(before, card))
    assert flush_states[3] == set(FlushChange) - {FlushChange.FLUSH}
    # Five cards in four suits cannot all differ in suit.
    assert flush_states[4] == set(FlushChange) - {FlushChange.NONE}
    assert straight_states[3] == set(StraightChange) - {StraightChange.STRAIGHT}
    assert straight_states[4] == set(StraightChange)


def test_labels_are_those_of_the_thesis() -> None:
    assert [each.label for each in Board] == [
        "Low", "JLow", "QLow", "QHigh", "KLow", "KHigh", "ALow", "AHigh",
        "LowPair", "MidPair", "HighPair", "Trips",
    ]  # fmt: skip
    assert [each.label for each in BoardChange] == [
        "Low", "FirstJ", "FirstQ", "FirstK", "FirstA", "LowPair", "MidPair", "HighPair", "Trips",
    ]  # fmt: skip
    assert [each.label for each in FlushBoard] == [each.label for each in StraightBoard]
    assert [each.label for each in FlushBoard] == ["None", "Draw", "Possible"]
    assert [each.label for each in FlushChange] == [
        "None", "None_Draw", "Draw", "Draw_Possible", "Possible", "Likely", "Flush",
    ]  # fmt: skip
    assert [each.label for each in StraightChange] == [
        "None", "None_Draw", "None_Possible", "Draw", "Draw_Possible", "Possible", "Likely", "Straight",
    ]  # fmt: skip


def test_renaming_suits_and_reordering_cards_changes_nothing() -> None:
    random = Random(3)
    for _ in range(300):
        board = random.sample(range(52), random.choice((4, 5)))
        suits = random.sample(range(4), 4)
        other = [card // 4 * 4 + suits[card % 4] for card in board]
        before, last = other[:-1], other[-1]
        random.shuffle(before)
        assert texture(board) is texture([last, *before]), format_cards(board)
        for change in (board_change, flush_change, straight_change):
            assert change(board[:-1], board[-1]) is change(before, last), format_cards(board)


@pytest.mark.parametrize("cards", ["2c 3c", "2c 3c 4c 5c 6c 7c"])
def test_what_is_no_board_is_refused(cards: str) -> None:
    board = parse_cards(cards)
    with pytest.raises(BoardError, match=f"the board has {len(board)} cards where 3, 4 or 5 are expected"):
        texture(board)
    for flop_state in (board_state, flush_board, straight_board):
        with pytest.raises(BoardError, match=f"the board has {len(board)} cards where 3 are expected"):
            flop_state(board)
    for change in (board_change, flush_change, straight_change):
        with pytest.raises(BoardError, match=f"the board has {len(board)} cards where 3 or 4 are expected"):
            change(board, parse_card("Ah"))


def test_a_card_cannot_come_twice() -> None:
    for change in (board_change, flush_change, straight_change):
        with pytest.raises(CardError, match="3c appears twice"):
            change(parse_cards("2c 3c 4c"), parse_card("3c"))
    with pytest.raises(CardError, match="-1 is not a card"):
        texture([0, 1, -1])
