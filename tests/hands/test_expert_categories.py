"""The 284 expert categories: made hand × kicker × draw (sartre-2012 §5.2.1)."""

from random import Random

import numpy as np
import pytest

from railbird.cards import CardError, format_cards, parse_cards
from railbird.hands.boards import BoardError
from railbird.hands.draws import Draw, draws
from railbird.hands.isomorphism import BOARDS
from railbird.hands.isomorphism import board as board_of_index
from railbird.hands.sartre_categories import (
    EXPERT_CATEGORIES,
    RULES,
    Kicker,
    Made,
    expert_categories,
    expert_category,
)
from railbird.hands.types import HandType, hand_types
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from reference.expert_categories import category_name

SMALL_DECKS = (range(52), range(52), range(20), range(28, 52), [card for card in range(52) if card % 4 < 2])

EXAMPLES = [
    ("Jh 9s", "Ad 7c 2d", "no overcard, strong kicker"),
    ("Kh 5s", "Ad 7c 2d", "no overcard, top kicker"),
    ("6h 5s", "Td 7c 2d", "no overcard, weak kicker"),
    ("Ah 5s", "Td 7c 2d", "one overcard, top kicker"),
    ("Jh 5s", "Td 7c 2d", "one overcard, strong kicker"),
    ("9h 5s", "8d 7c 2d", "one overcard, weak kicker, gutshot"),
    ("Ah Js", "Td 7c 2d", "two overcards, top kicker"),
    ("Qh Js", "Td 7c 2d", "two overcards, strong kicker"),
    ("9h 8s", "4d 7c 2d", "two overcards, weak kicker"),
    ("9s 8s", "7s 6c 2s", "two overcards, weak kicker, flush draw and open-ended straight draw"),
    ("Ah 5s", "Td Tc 2d", "pair on the board, top kicker"),
    ("Qh 5s", "Td Tc 2d", "pair on the board, strong kicker"),
    ("9h 5s", "Td Tc 2d", "pair on the board, weak kicker"),
    ("Jh 5s", "2d 2c Ad Kc Qs", "pair on the board, weak kicker"),
    ("Ah Ts", "Td 7c 2d", "top pair, top kicker"),
    ("Kh As", "Ad 7c 2d", "top pair, top kicker"),
    ("Qh Ts", "Td 7c 2d", "top pair, strong kicker"),
    ("9h Ts", "Td 7c 2d", "top pair, weak kicker"),
    ("As Ts", "Td 7s 2s", "top pair, top kicker, flush draw"),
    ("Ah 7s", "Td 7c 2d", "second pair, top kicker"),
    ("Jh 8s", "Td 8c 7d", "second pair, strong kicker, gutshot"),
    ("Kh 2s", "Td 7c 2d", "low pair, strong kicker"),
    ("Jh 7s", "Ad Kc Qd 7c 2s", "low pair, weak kicker"),
    ("Jh Js", "Td 7c 2d", "overpair"),
    ("9h 9s", "Td 7c 2d", "pocket pair below one rank"),
    ("5h 5s", "Td 7c 2d", "pocket pair below two ranks"),
    ("5h 5s", "Td 7c 6d", "pocket pair below three or more ranks"),
    ("7h 7s", "8d 9c Td", "pocket pair below three or more ranks, open-ended straight draw"),
    ("Ah 5s", "Td Tc 7d 7c", "two pair on the board, top kicker"),
    ("Jh 5s", "Td Tc 7d 7c", "two pair on the board, strong kicker"),
    ("Jh 5s", "Td Tc 7d 7c Ks", "two pair on the board, weak kicker"),
    ("Jh 5s", "Kd Kc Qd Qc Js", "two pair on the board, weak kicker"),
    ("3h 3s", "Kd Kc Qd Qc 2s", "two pair on the board, weak kicker"),
    ("Ah Ts", "Td 7c 7d", "top pair and board pair, top kicker"),
    ("9h Ts", "Td 7c 7d", "top pair and board pair, weak kicker"),
    ("Ah 7s", "Td Tc 7d", "lower pair and board pair, top kicker"),
    ("Qh 9s", "7d 7c Kd 9c", "lower pair and board pair, weak kicker"),
    ("9h 5s", "Kd Kc 9d 5c", "lower pair and board pair, weak kicker"),
    ("Jh Js", "Td Tc 2d", "overpair and board pair"),
    ("9h 9s", "Td 7c 7d", "pocket pair above board pair"),
    ("5h 5s", "Td 7c 7d", "pocket pair below board pair"),
    ("Th 7s", "Td 7c 2d", "top two pair"),
    ("Th 2s", "Td 7c 2d", "top pair and lower pair"),
    ("7h 2s", "Td 7c 2d", "two lower pair"),
    ("Th 7h", "Td 7c 2h 3h", "top two pair, flush draw"),
    ("Th 7s", "Td 7c 2d 2h", "top two pair"),
    ("Ah 5s", "7d 7c 7h", "trips on the board, top kicker"),
    ("9h 5s", "7d 7c 7h", "trips on the board, weak kicker"),
    ("Ah 7s", "7d 7c 2h", "trips, top kicker"),
    ("Jh 7s", "7d 7c 2h", "trips, strong kicker"),
    ("9h 7s", "7d 7c 8h Tc", "trips, weak kicker, open-ended straight draw"),
    ("Jh 7s", "7d 7c 2h Ah Kc", "trips, weak kicker"),
    ("Th Ts", "Td 7c 2d", "top set"),
    ("7h 7s", "Td 7c 2d", "second set"),
    ("2h 2s", "Td 7c 2c", "low set"),
    ("2h 3s", "Ad Kc Qd Jc Ts", "nut straight on the board"),
    ("2h 3s", "9d 8c 7d 6c 5s", "lower straight on the board"),
    ("Th 3s", "9d 8c 7d 6c 2s", "lower straight with one hole card"),
    ("Ah 3s", "Kd Qc Jd Tc 2s", "nut straight with one hole card"),
    ("6h 5s", "9d 8c 7d", "lower straight with two hole cards"),
    ("Jh Ts", "9d 8c 7d", "nut straight with two hole cards"),
    ("Js Ts", "9s 8s 7d", "nut straight with two hole cards, flush draw"),
    ("Ah Kd", "2s 5s 7s 9s Js", "flush on the board"),
    ("As Kd", "2s 5s 7s 9s", "flush with one hole card, top kicker"),
    ("Ks Qd", "As 5s 7s 9s", "flush with one hole card, top kicker"),
    ("Qs Kd", "As 5s 7s 9s", "flush with one hole card, strong kicker"),
    ("8s Kd", "As 5s 7s 9s", "flush with one hole card, weak kicker"),
    ("As 3s", "2s 5s 7s", "flush with two hole cards, top kicker"),
    ("Ks 3s", "2s 5s 7s", "flush with two hole cards, strong kicker"),
    ("8s 3s", "2s 5s 7s", "flush with two hole cards, weak kicker"),
    ("8s 3s", "4s 5s 7s 9s Js", "flush with one hole card, weak kicker"),
    ("Ah 5s", "7d 7c 7h Kd Kc", "full house on the board"),
    ("Kh 5s", "7d 7c 7h Kd", "lower full house with one hole card"),
    ("Kh 5s", "7d 7c Kc Kd", "top full house with one hole card"),
    ("Kh 5s", "7d 7c 2c Kd Ks", "top full house with one hole card"),
    ("7h 5s", "7d 7c Kc Kd", "lower full house with one hole card"),
    ("Kh Ks", "7d 7c Kc", "top full house with two hole cards"),
    ("7h 2s", "7d 7c 2c Kd", "lower full house with two hole cards"),
    ("Ah 5s", "7d 7c 7h 7s", "four of a kind on the board, top kicker"),
    ("Kh 5s", "7d 7c 7h 7s Ad", "four of a kind on the board, weak kicker"),
    ("7s 5s", "7d 7c 7h", "four of a kind with one hole card"),
    ("7s 7h", "7d 7c Kh", "four of a kind with two hole cards"),
    ("2h 2d", "As Ks Qs Js Ts", "straight flush on the board"),
    ("6s 2d", "7s 8s 9s Ts", "straight flush with one hole card"),
    ("6s 5s", "7s 8s 9s", "straight flush with two hole cards"),
]


@pytest.mark.parametrize(("hole", "board", "name"), EXAMPLES)
def test_example(hole: str, board: str, name: str) -> None:
    assert str(expert_category(parse_cards(hole), parse_cards(board))) == name


def test_the_examples_show_every_place_of_every_made_hand() -> None:
    places = {place for rule in RULES for place in rule.places}
    assert {name.split(",")[0] for _, _, name in EXAMPLES} == places


def test_there_are_as_many_categories_as_sartre_had() -> None:
    assert len(EXPERT_CATEGORIES) == 284
    assert len({category.name for category in EXPERT_CATEGORIES}) == 284
    assert [category.index for category in EXPERT_CATEGORIES] == list(range(284))


def test_every_made_hand_is_in_the_rules_once() -> None:
    assert [rule.made for rule in RULES] == list(Made)


def categories_on(boards: list[tuple[int, ...]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How often each category occurs; every holding that is not blocked must have one."""
    counts = np.zeros(len(EXPERT_CATEGORIES), dtype=np.int64)
    for board in boards:
        categories = expert_categories(board)
        found = categories[categories >= 0]
        free = 52 - len(board)
        assert len(found) == free * (free - 1) // 2, format_cards(board)
        counts += np.bincount(found, minlength=len(EXPERT_CATEGORIES))
    return counts


def test_every_category_occurs_and_every_hand_has_one() -> None:
    # The 16,432 turn boards up to the names of suits show 279; the other five lie on a river board.
    turns = categories_on([board_of_index(index, 4) for index in range(BOARDS[4])])
    assert np.count_nonzero(turns) == 279
    assert {EXPERT_CATEGORIES[index].name for index in np.flatnonzero(turns == 0)} == {
        "lower straight on the board",
        "nut straight on the board",
        "flush on the board",
        "full house on the board",
        "straight flush on the board",
    }
    rivers = categories_on(
        [
            parse_cards(board)
            for board in (
                "9d 8c 7d 6c 5s",
                "Ad Kc Qd Jc Ts",
                "2s 5s 7s 9s Js",
                "7d 7c 7h Kd Kc",
                "As Ks Qs Js Ts",
            )
        ]
    )
    assert np.all(turns + rivers > 0)


def test_every_hand_on_random_flops_and_rivers_has_a_category() -> None:
    random = Random(6)
    counts = categories_on([tuple(random.sample(range(52), size)) for size in (3, 5) for _ in range(500)])
    assert counts.sum() == 500 * (49 * 48 + 47 * 46) // 2


@pytest.mark.soak
def test_every_hand_on_every_flop_and_river_has_a_category() -> None:
    flops = categories_on([board_of_index(index, 3) for index in range(BOARDS[3])])
    rivers = categories_on([board_of_index(index, 5) for index in range(BOARDS[5])])
    assert np.count_nonzero(flops) == 173
    assert np.count_nonzero(rivers) == 75


def compare_with_reference(situations: int, seed: int) -> None:
    random = Random(seed)
    for _ in range(situations):
        cards = random.sample(random.choice(SMALL_DECKS), 2 + random.choice((3, 4, 5)))
        hole, board = cards[:2], cards[2:]
        assert expert_category(hole, board).name == category_name(hole, board), format_cards(cards, " ")


def test_categories_are_found_by_trying_all_choices_of_five_cards() -> None:
    compare_with_reference(2_000, seed=1)


@pytest.mark.soak
def test_categories_are_found_by_trying_all_choices_of_five_cards_many_times() -> None:
    compare_with_reference(100_000, seed=2)


def test_renaming_suits_changes_no_category() -> None:
    random = Random(4)
    for _ in range(300):
        cards = random.sample(random.choice(SMALL_DECKS), 2 + random.choice((3, 4, 5)))
        suits = random.sample(range(4), 4)
        other = [card // 4 * 4 + suits[card % 4] for card in cards]
        assert expert_category(cards[:2], cards[2:]) is expert_category(other[:2], other[2:])


TYPES_OF_MADE = {
    HandType.BUSTED: {Made.HIGH_CARD},
    HandType.TWO_PAIR: {
        Made.BOARD_TWO_PAIR,
        Made.PAIR_WITH_BOARD_PAIR,
        Made.POCKET_PAIR_WITH_BOARD_PAIR,
        Made.TWO_PAIR,
    },
    HandType.THREE_OF_A_KIND: {Made.BOARD_TRIPS, Made.TRIPS, Made.SET},
    HandType.STRAIGHT: {Made.BOARD_STRAIGHT, Made.STRAIGHT},
    HandType.FLUSH: {Made.BOARD_FLUSH, Made.FLUSH},
    HandType.FULL_HOUSE: {Made.BOARD_FULL_HOUSE, Made.FULL_HOUSE},
    HandType.FOUR_OF_A_KIND: {Made.BOARD_FOUR_OF_A_KIND, Made.FOUR_OF_A_KIND},
    HandType.STRAIGHT_FLUSH: {Made.STRAIGHT_FLUSH},
}
PAIRS = {Made.BOARD_PAIR, Made.PAIR, Made.POCKET_PAIR}


@pytest.mark.parametrize("size", [3, 4, 5])
def test_made_hand_and_draw_agree_with_hand_type_and_draw(size: int) -> None:
    random = Random(size)
    for _ in range(20):
        board = random.sample(random.choice(SMALL_DECKS), size)
        found = zip(expert_categories(board), hand_types(board), draws(board), strict=True)
        for category, hand, draw in found:
            if category >= 0:
                expected = TYPES_OF_MADE.get(HandType(hand), PAIRS)
                assert EXPERT_CATEGORIES[category].made in expected, format_cards(board)
                assert EXPERT_CATEGORIES[category].draw == draw, format_cards(board)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_holdings_at_once_are_the_holdings_one_by_one(size: int) -> None:
    board = Random(size).sample(range(52), size)
    found = expert_categories(board)
    for index in range(HOLDINGS):
        hole = [int(HIGH_CARDS[index]), int(LOW_CARDS[index])]
        expected = -1 if set(hole) & set(board) else expert_category(hole, board).index
        assert found[index] == expected, format_cards(hole)


def test_a_category_carries_its_parts() -> None:
    category = expert_category(parse_cards("As Ts"), parse_cards("Td 7s 2s"))
    assert category.made is Made.PAIR
    assert category.place == "top pair"
    assert category.kicker is Kicker.TOP
    assert category.draw is Draw.FLUSH
    assert EXPERT_CATEGORIES[category.index] is category
    assert expert_category(parse_cards("Th Ts"), parse_cards("Td 7c 2d")).kicker is None


def test_what_is_no_situation_is_refused() -> None:
    with pytest.raises(BoardError, match="a player has 2 hole cards, not 1"):
        expert_category(parse_cards("Ah"), parse_cards("2c 3c 4c"))
    with pytest.raises(CardError, match="Ah appears twice"):
        expert_category(parse_cards("Ah Kh"), parse_cards("Ah 3c 4c"))
    with pytest.raises(BoardError, match="the board has 9 cards where 3, 4 or 5 are expected"):
        expert_categories(range(9))
