"""Hands are called what a dealer would call them, and every rank that decides is named."""

import numpy as np
import pytest

from railbird.cards import CardError, parse_cards
from railbird.hands.categories import Category, category, describe
from railbird.hands.evaluator import HandError, evaluate
from railbird.kernels.hands.evaluation_tables import BEST_VALUE


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("7h 5d 4c 3s 2h", "seven high, five, four, three and deuce kickers"),
        ("Ah Kd 9c 6s 4h", "ace high, king, nine, six and four kickers"),
        ("Ah Kd 9c 6s 4h 3d 2c", "ace high, king, nine, six and four kickers"),
        ("2h 2d 3c 4s 5h", "pair of deuces, five, four and three kickers"),
        ("6h 6d Ac Ks Th 3d 2c", "pair of sixes, ace, king and ten kickers"),
        ("Ah Ad Qc 8s 7h 3d 2c", "pair of aces, queen, eight and seven kickers"),
        ("Kh Kd 4c 4s Ah", "two pair, kings and fours, ace kicker"),
        ("Kh Kd 4c 4s 3h 3d 2c", "two pair, kings and fours, three kicker"),
        ("Jh Jd 9c 9s 8h 8d Ac", "two pair, jacks and nines, ace kicker"),
        ("6h 6d 6c As Qh", "three of a kind, sixes, ace and queen kickers"),
        ("2h 2d 2c 3s 4h 7d 8c", "three of a kind, deuces, eight and seven kickers"),
        ("Ah 2d 3c 4s 5h", "straight, five high"),
        ("Ah 2d 3c 4s 5h 6d Kc", "straight, six high"),
        ("Ah Kd Qc Js Th 9d 8c", "straight, ace high"),
        ("7h 6d 5c 4s 3h 7d 7c", "straight, seven high"),
        ("Ah Qh 9h 6h 2h", "flush, ace high, queen, nine, six and deuce kickers"),
        ("7h 5h 4h 3h 2h Ac Ad", "flush, seven high, five, four, three and deuce kickers"),
        ("Kh Qh Jh 9h 8h 7h 6h", "flush, king high, queen, jack, nine and eight kickers"),
        ("Th Td Tc 3s 3h", "full house, tens full of threes"),
        ("Th Td Tc 3s 3h 3d 2c", "full house, tens full of threes"),
        ("2h 2d 2c Ks Kh Ad Ac", "full house, deuces full of aces"),
        ("7h 7d 7c 7s Kh", "four of a kind, sevens, king kicker"),
        ("7h 7d 7c 7s Kh Kd Kc", "four of a kind, sevens, king kicker"),
        ("Ah 2h 3h 4h 5h", "straight flush, five high"),
        ("9h 8h 7h 6h 5h Ah Kh", "straight flush, nine high"),
        ("Kh Qh Jh Th 9h Ac Ad", "straight flush, king high"),
        ("As Ks Qs Js Ts 9s 8s", "royal flush"),
    ],
)
def test_hands_in_words(cards: str, words: str) -> None:
    assert describe(parse_cards(cards)) == words
    assert describe(evaluate(parse_cards(cards))) == words


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Qs", "queen high"),
        ("Ks Jh", "king high, jack kicker"),
        ("Qs Qh", "pair of queens"),
        ("8s 7h 6d", "eight high, seven and six kickers"),
        ("8s 7h 7d", "pair of sevens, eight kicker"),
        ("8s 8h 8d", "three of a kind, eights"),
        ("Ah Kh Qh Jh", "ace high, king, queen and jack kickers"),
        ("2s 2h Ad Kd", "pair of deuces, ace and king kickers"),
        ("2s 2h Ad As", "two pair, aces and deuces"),
        ("2s 2h 2d As", "three of a kind, deuces, ace kicker"),
        ("2s 2h 2d 2c", "four of a kind, deuces"),
    ],
)
def test_small_hands_in_words(cards: str, words: str) -> None:
    assert describe(parse_cards(cards)) == words


def test_hands_tie_exactly_if_their_words_are_the_same() -> None:
    assert len({describe(value) for value in range(1, BEST_VALUE + 1)}) == BEST_VALUE


def test_a_value_from_an_array_is_described_as_well() -> None:
    assert describe(np.uint16(BEST_VALUE)) == "royal flush"


def test_better_values_are_of_better_categories() -> None:
    categories = [category(value) for value in range(1, BEST_VALUE + 1)]
    assert categories == sorted(categories)
    assert set(categories) == set(Category)


def test_categories_have_their_names_in_words() -> None:
    assert [kind.title for kind in Category] == [
        "high card", "one pair", "two pair", "three of a kind", "straight",
        "flush", "full house", "four of a kind", "straight flush",
    ]  # fmt: skip


@pytest.mark.parametrize("value", [-1, 0, BEST_VALUE + 1])
def test_what_is_no_value_has_neither_category_nor_words(value: int) -> None:
    message = rf"^{value} is not the value of a hand: values are 1\.\.7462$"
    with pytest.raises(HandError, match=message):
        category(value)
    with pytest.raises(HandError, match=message):
        describe(value)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ((), r"^a hand of 0 cards is not a small hand: those have 1 to 4$"),
        (tuple(range(8)), r"^a hand of 8 cards cannot be evaluated: 5, 6 or 7 are needed$"),
        ((5, 5), r"^3d appears twice$"),
    ],
)
def test_what_is_no_hand_has_no_words(cards: tuple[int, ...], message: str) -> None:
    with pytest.raises((HandError, CardError), match=message):
        describe(cards)
