"""E[HS] and E[HS²], and all holdings of a board at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from railbird.cards import CardError, parse_cards
from railbird.equities.ranges import Range
from railbird.equities.strength import (
    BoardStrengths,
    StrengthError,
    board_hand_strengths,
    board_strengths,
    strength,
)
from railbird.hands.holdings import HOLDINGS, blocked_by, cards_of, holding, parse_holding
from reference.strength import measure, random_situation, random_weights

MEASURES = ("hs", "expected_hs", "expected_hs_squared")
BOARDS = st.lists(st.integers(0, 51), unique=True, min_size=3, max_size=5)


def test_the_mean_of_the_square_is_not_the_square_of_the_mean() -> None:
    """sartre-2012 §5.2.1: a draw that wins or loses big has more E[HS²] than a made hand of equal E[HS]."""
    draw = strength(parse_cards("8h 7h"), parse_cards("9h 6h 2c"))
    made = strength(parse_cards("Ks Jd"), parse_cards("9h Jh 2c"))
    assert draw.expected_hs < made.expected_hs
    assert draw.expected_hs_squared - draw.expected_hs**2 > 2 * (
        made.expected_hs_squared - made.expected_hs**2
    )


@pytest.mark.parametrize(
    "board", ["9h 6h 2c", "9h 6d 2c", "9h 6h 2h", "9h 9d 2h", "9h 9d 9c", "Kh Qh 7s 7h", "8c 7c 6c 5c"]
)
def test_all_holdings_of_a_board_are_each_holding_by_itself(board: str) -> None:
    cards = parse_cards(board)
    everyone = board_strengths(cards)
    generator = np.random.default_rng(3)
    for index in generator.choice(np.flatnonzero(~blocked_by(cards)), size=40, replace=False):
        alone = strength(cards_of(index), cards)
        assert [getattr(everyone, each)[index] for each in MEASURES] == [
            getattr(alone, each) for each in MEASURES
        ]


@pytest.mark.parametrize("seed", range(12))
def test_all_holdings_against_a_range_agree_with_each_by_itself(seed: int) -> None:
    generator = np.random.default_rng([8, seed])
    _, board = random_situation(generator, 3 + seed % 3)
    weights = random_weights(generator)
    everyone = board_strengths(board, weights)
    for index in generator.choice(np.flatnonzero(~np.isnan(everyone.hs)), size=15, replace=False):
        alone = strength(cards_of(index), board, weights)
        for each in MEASURES:
            assert getattr(everyone, each)[index] == pytest.approx(getattr(alone, each), rel=1e-12, abs=1e-12)


def compare_with_twin(seed: int, board_cards: int) -> None:
    generator = np.random.default_rng([seed, board_cards])
    hole, board = random_situation(generator, board_cards)
    weights = random_weights(generator)
    index = holding(hole)
    for against in (None, weights):
        everyone = board_strengths(board, against)
        expected = measure(hole, board, against)
        for each in MEASURES:
            assert getattr(everyone, each)[index] == pytest.approx(
                getattr(expected, each), rel=1e-12, abs=1e-12
            )


@pytest.mark.parametrize("board_cards", [3, 4, 5])
def test_boards_agree_with_the_twin(board_cards: int) -> None:
    for seed in range(4 if board_cards == 3 else 50):
        compare_with_twin(seed, board_cards)


@pytest.mark.soak
@pytest.mark.parametrize("board_cards", [3, 4, 5])
@pytest.mark.parametrize("block", range(10))
def test_thousands_of_boards_agree_with_the_twin(board_cards: int, block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        compare_with_twin(seed, board_cards)


@settings(deadline=None, max_examples=40)
@given(BOARDS)
def test_of_two_random_holdings_each_is_half_strong(board: list[int]) -> None:
    """What one holding wins another one loses, so that the mean over all of them is one half."""
    everyone = board_strengths(board)
    blocked = blocked_by(board)
    for each in MEASURES:
        assert np.array_equal(np.isnan(getattr(everyone, each)), blocked)
    assert everyone.hs[~blocked].mean() == pytest.approx(0.5, rel=1e-12)
    assert everyone.expected_hs[~blocked].mean() == pytest.approx(0.5, rel=1e-12)
    assert np.array_equal(everyone.hs, board_hand_strengths(board), equal_nan=True)


def by_hand(board: tuple[int, ...], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    strengths = np.full(HOLDINGS, np.nan)
    for index in np.flatnonzero(~blocked_by(board)).tolist():
        if weights[~blocked_by((*board, *cards_of(index)))].any():
            strengths[index] = strength(cards_of(index), board, weights).hs
    return strengths


def test_a_range_that_a_holding_nearly_blocks_keeps_its_digits() -> None:
    """All but a trace of the range contains the ace of hearts, and so nothing but a trace plays against it."""
    board, (ace,) = parse_cards("Kd 9c 5h 3h 2d"), parse_cards("Ah")
    weights = np.where(blocked_by([ace]), 1.0, 1e-9)
    weights *= np.random.default_rng(1).random(HOLDINGS)
    np.testing.assert_allclose(
        board_hand_strengths(board, weights), by_hand(board, weights), rtol=1e-12, atol=0
    )


def test_a_range_that_a_holding_blocks_says_nothing_about_it() -> None:
    board = parse_cards("Kd 9c 5h 3h")
    believed = Range.parse("AhKh:0.1, AhQh:0.7, AhJd:0.3")
    everyone = board_strengths(board, believed)
    for name in ("Ah2c", "AhKh", "AhAd"):
        for each in MEASURES:
            assert np.isnan(getattr(everyone, each)[parse_holding(name)])
    # With the king of hearts in hand, only the other two are left to the opponent.
    index = parse_holding("KhKs")
    assert everyone.expected_hs[index] == pytest.approx(
        strength(parse_cards("KhKs"), board, Range.parse("AhQh:0.7, AhJd:0.3")).expected_hs, rel=1e-12
    )


def test_the_river_needs_no_expectation() -> None:
    everyone = board_strengths(parse_cards("Kd 9c 5h 3h 2d"))
    assert isinstance(everyone, BoardStrengths)
    assert np.array_equal(everyone.expected_hs, everyone.hs, equal_nan=True)
    assert np.array_equal(everyone.expected_hs_squared, everyone.hs**2, equal_nan=True)


def test_what_is_no_board_is_refused() -> None:
    with pytest.raises(StrengthError, match="needs a board of 3, 4 or 5 cards, not of 2"):
        board_strengths(parse_cards("Kd 9c"))
    with pytest.raises(StrengthError, match="needs a board of 3, 4 or 5 cards, not of 9"):
        board_hand_strengths(range(9))
    with pytest.raises(CardError, match="2c appears twice"):
        board_strengths((0, 0, 1))
    with pytest.raises(StrengthError, match="the range is empty"):
        board_strengths(parse_cards("Kd 9c 5h"), Range.empty())
