"""Situations that differ only in the names of the suits are one situation; others are not."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.cards import CardError, parse_cards
from railbird.hands.isomorphism import (
    BOARDS,
    SITUATIONS,
    SituationError,
    board,
    board_deals,
    board_index,
    canonical,
    deals,
    situation,
    situation_index,
)
from railbird.kernels.hands import isomorphism as kernels
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from reference.isomorphism import renamed, renamings, representative

# Waugh, "A Fast and Optimal Hand Isomorphism Algorithm" (2013): hole cards and an unordered board.
WAUGH_COUNTS = {0: 169, 3: 1_286_792, 4: 13_960_050, 5: 123_156_254}
STREETS = tuple(WAUGH_COUNTS)


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Hole cards and a board of any street, often with few suits, where isomorphism is delicate."""
    deck = draw(
        st.sampled_from([range(52), [c for c in range(52) if c % 4 < 2], [c for c in range(52) if c < 20]])
    )
    street = draw(st.sampled_from(STREETS))
    cards = draw(st.lists(st.sampled_from(deck), min_size=2 + street, max_size=2 + street, unique=True))
    return cards[:2], cards[2:]


def test_there_are_as_many_situations_as_waugh_counts() -> None:
    assert SITUATIONS == WAUGH_COUNTS


def test_there_are_1755_flops_16432_turn_boards_and_134459_river_boards() -> None:
    assert BOARDS == {3: 1_755, 4: 16_432, 5: 134_459}


@settings(deadline=None)
@given(situations(), st.permutations(range(4)), st.randoms())
def test_renaming_suits_and_reordering_cards_changes_nothing(
    dealt: tuple[list[int], list[int]], suits: Sequence[int], random: Random
) -> None:
    hole, cards = (list(renamed(part, suits)) for part in dealt)
    random.shuffle(hole)
    random.shuffle(cards)
    assert situation_index(hole, cards) == situation_index(*dealt)


@settings(deadline=None)
@given(situations(), situations())
def test_the_index_agrees_with_trying_all_24_renamings(
    one: tuple[list[int], list[int]], other: tuple[list[int], list[int]]
) -> None:
    if len(one[1]) == len(other[1]):
        same = representative(*one) == representative(*other)
        assert (situation_index(*one) == situation_index(*other)) == same
    assert representative(*canonical(*one)) == representative(*one)


@settings(deadline=None)
@given(situations())
def test_deals_counts_the_different_renamings(dealt: tuple[list[int], list[int]]) -> None:
    assert deals(situation_index(*dealt), len(dealt[1])) == len(renamings(*dealt))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(STREETS), st.floats(0, 1))
def test_every_index_is_the_index_of_its_situation(street: int, place: float) -> None:
    index = round(place * (SITUATIONS[street] - 1))
    hole, cards = situation(index, street)
    assert len({*hole, *cards}) == 2 + street
    assert situation_index(hole, cards) == index


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(tuple(BOARDS)), st.floats(0, 1))
def test_every_board_index_is_the_index_of_its_board(cards: int, place: float) -> None:
    index = round(place * (BOARDS[cards] - 1))
    assert board_index(board(index, cards)) == index
    assert board_deals(index, cards) == len(renamings((), board(index, cards)))


def test_the_22100_flops_fall_into_exactly_the_classes_of_the_24_renamings() -> None:
    classes = {(board_index(flop), representative((), flop)) for flop in combinations(range(52), 3)}
    assert sorted(index for index, _ in classes) == list(range(BOARDS[3]))
    assert len({smallest for _, smallest in classes}) == BOARDS[3]


def test_the_1326_holdings_fall_into_169_classes() -> None:
    sizes = Counter(situation_index(hole) for hole in combinations(range(52), 2))
    assert sorted(sizes) == list(range(169))
    assert Counter(sizes.values()) == {6: 13, 4: 78, 12: 78}


@pytest.mark.parametrize("street", [0, 3])
def test_the_deals_of_all_situations_are_all_deals(street: int) -> None:
    counts = np.empty(SITUATIONS[street], dtype=np.uint8)
    kernels.count_deals(0, 2, street, counts)
    assert counts.sum(dtype=np.int64) == comb(52, 2) * comb(50, street)


def test_all_holdings_of_a_board_are_indexed_at_once() -> None:
    flop = parse_cards("Th Td 4h")
    indices = np.empty(HOLDINGS, dtype=np.int64)
    kernels.situations_of_board(np.array(flop, dtype=np.uint8), indices)
    for holding, (high, low) in enumerate(zip(HIGH_CARDS.tolist(), LOW_CARDS.tolist(), strict=True)):
        blocked = high in flop or low in flop
        assert indices[holding] == (-1 if blocked else situation_index((high, low), flop)), (high, low)


@pytest.mark.soak
@pytest.mark.parametrize("street", [3, 4])
def test_every_deal_has_an_index_and_every_index_as_many_deals_as_it_says(street: int) -> None:
    stated = np.empty(SITUATIONS[street], dtype=np.uint8)
    kernels.count_deals(0, 2, street, stated)
    found = np.zeros(SITUATIONS[street], dtype=np.uint8)
    indices = np.empty(HOLDINGS, dtype=np.int64)
    for cards in combinations(range(52), street):
        kernels.situations_of_board(np.array(cards, dtype=np.uint8), indices)
        np.add.at(found, indices[indices >= 0], np.uint8(1))
    assert np.array_equal(found, stated)


@pytest.mark.parametrize(
    ("hole", "cards", "sentence"),
    [
        ("Ah", "", "a situation has two hole cards, not 1"),
        ("Ah Kh", "2c 3c", "a board has 0, 3, 4 or 5 cards, not 2"),
        ("Ah Kh", "2c 3c 4c 5c 6c 7c 8c 9c Tc", "a board has 0, 3, 4 or 5 cards, not 9"),
    ],
)
def test_cards_that_are_no_situation_are_refused(hole: str, cards: str, sentence: str) -> None:
    with pytest.raises(SituationError, match=sentence):
        situation_index(parse_cards(hole), parse_cards(cards))


def test_a_card_that_is_held_and_lies_on_the_board_is_refused() -> None:
    with pytest.raises(CardError, match="Ah appears twice"):
        situation_index(parse_cards("Ah Kh"), parse_cards("Ah 7d 2c"))


@pytest.mark.parametrize(("index", "street"), [(169, 0), (-1, 3), (123_156_254, 5)])
def test_an_index_beyond_the_last_situation_is_refused(index: int, street: int) -> None:
    with pytest.raises(SituationError, match="and none is number"):
        situation(index, street)


def test_situations_and_boards_of_other_streets_are_refused() -> None:
    with pytest.raises(SituationError, match="situations have 0, 3, 4, 5 board cards, not 2"):
        situation(0, 2)
    with pytest.raises(SituationError, match="a board has 3, 4 or 5 cards, not 0"):
        board_index(())
