"""Hands of one to four cards, as Kuhn and Leduc poker deal them, rank by repeated ranks and then by ranks."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from railbird.cards import parse_cards
from railbird.hands.small import evaluate_small
from railbird.kernels.hands.evaluation import small_hand_value
from reference.hand_ranking import small_hand

SIX_RANKS = [card for card in range(52) if card // 4 in (0, 1, 5, 9, 11, 12)]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_small_hands_rank_by_repeated_ranks_and_then_by_ranks(count: int) -> None:
    hands = list(combinations(SIX_RANKS, count))
    values = [evaluate_small(hand) for hand in hands]
    strengths = [small_hand(hand) for hand in hands]
    order = sorted(range(len(hands)), key=lambda hand: values[hand])
    assert [strengths[hand] for hand in order] == sorted(strengths)
    assert len(set(values)) == len(set(strengths))


def test_a_small_hand_is_the_first_cards_of_an_array() -> None:
    cards = np.array(parse_cards("Qs Qh Ah Ad Ac"))
    assert small_hand_value(cards, 2) == evaluate_small(parse_cards("Qs Qh"))


def test_kuhn_and_leduc_hands_rank_as_their_games_say() -> None:
    kuhn = ["Qs", "Ks", "As"]
    assert sorted(kuhn, key=lambda card: evaluate_small(parse_cards(card))) == kuhn
    leduc = ["Qs Kh", "Qs Ah", "Ks Ah", "Qs Qh", "Ks Kh", "As Ah"]
    assert sorted(leduc, key=lambda hand: evaluate_small(parse_cards(hand))) == leduc
    assert evaluate_small(parse_cards("Ks Qh")) == evaluate_small(parse_cards("Qs Kh"))


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([], r"^a hand of 0 cards is not a small hand: those have 1 to 4$"),
        (range(5), r"^a hand of 5 cards is not a small hand: those have 1 to 4$"),
        ([3, 3], r"^2s appears twice$"),
        ([99], r"^99 is not a card: cards are 0\.\.51$"),
    ],
)
def test_what_is_no_small_hand_is_refused_in_one_sentence(cards: Sequence[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate_small(cards)
