"""The 1,326 holdings and their 169 classes."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import CardError, format_card, parse_cards
from railbird.hands.holdings import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    CLASS_SIZES,
    CLASSES,
    HOLDINGS,
    HoldingError,
    blocked_by,
    cards_of,
    class_index,
    class_of,
    format_holding,
    holding,
    holdings_of_class,
    parse_holding,
)


def name_of(high: int, low: int) -> str:
    """The class of two cards by looking at their text."""
    first, second = format_card(high), format_card(low)
    if first[0] == second[0]:
        return first[0] + second[0]
    return first[0] + second[0] + ("s" if first[1] == second[1] else "o")


def test_every_two_cards_have_a_number_of_their_own_in_either_order() -> None:
    numbers = [holding(pair) for pair in combinations(range(52), 2)]
    assert sorted(numbers) == list(range(HOLDINGS))
    assert all(
        holding((second, first)) == holding((first, second)) for first, second in combinations(range(52), 2)
    )


def test_a_number_gives_back_its_cards_the_higher_first() -> None:
    for index in range(HOLDINGS):
        high, low = cards_of(index)
        assert high > low
        assert holding((low, high)) == index


def test_text_gives_back_the_holding() -> None:
    assert format_holding(parse_holding("KhAh")) == "AhKh"
    assert format_holding(parse_holding("2c 2d")) == "2d2c"
    assert all(parse_holding(format_holding(index)) == index for index in range(HOLDINGS))


def test_every_holding_has_the_class_its_text_says() -> None:
    for index in range(HOLDINGS):
        assert CLASS_NAMES[class_of(index)] == name_of(*cards_of(index))


def test_pairs_have_six_holdings_suited_classes_four_and_offsuit_twelve() -> None:
    assert len(set(CLASS_NAMES)) == CLASSES == 169
    for index, name in enumerate(CLASS_NAMES):
        expected = 6 if len(name) == 2 else 4 if name.endswith("s") else 12
        assert CLASS_SIZES[index] == len(holdings_of_class(index)) == expected
    assert CLASS_SIZES.sum() == HOLDINGS


def test_classes_are_numbered_along_the_grid() -> None:
    grid = np.array(CLASS_NAMES).reshape(13, 13)
    assert grid[0].tolist() == ["AA", *(f"A{low}s" for low in "KQJT98765432")]
    assert grid[:, 0].tolist() == ["AA", *(f"A{low}o" for low in "KQJT98765432")]
    assert grid.diagonal().tolist() == [2 * rank for rank in "AKQJT98765432"]
    assert all(class_index(name) == index for index, name in enumerate(CLASS_NAMES))


@given(st.lists(st.integers(0, 51), unique=True, max_size=7))
def test_a_holding_is_blocked_exactly_when_it_contains_a_dead_card(dead: list[int]) -> None:
    blocked = blocked_by(dead)
    assert all(blocked[index] == bool(set(cards_of(index)) & set(dead)) for index in range(HOLDINGS))


def test_shared_arrays_cannot_be_changed() -> None:
    for array in (CLASS_OF_HOLDING, CLASS_SIZES, holdings_of_class(0)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_what_is_no_holding_is_refused_with_a_sentence() -> None:
    with pytest.raises(CardError, match="Ah appears twice"):
        holding(parse_cards("Ah") * 2)
    with pytest.raises(HoldingError, match="a holding is two cards, not 3"):
        holding(parse_cards("Ah Kh Qh"))
    with pytest.raises(HoldingError, match="'Ah' is not a holding: write two cards"):
        parse_holding("Ah")
    with pytest.raises(HoldingError, match=r"1326 is not a holding: holdings are 0\.\.1325"):
        cards_of(1326)
    with pytest.raises(HoldingError, match="-1 is not a holding"):
        class_of(-1)
    with pytest.raises(HoldingError, match="'KAs' is not a class of holdings: write AKs, T9o or 77"):
        class_index("KAs")
    with pytest.raises(HoldingError, match=r"169 is not a class of holdings: classes are 0\.\.168"):
        holdings_of_class(169)
    with pytest.raises(CardError, match="52 is not a card"):
        blocked_by([52])
