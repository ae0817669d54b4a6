"""The ranking of starting hands that CASPER and BayCaRP use."""

import numpy as np

from railbird.cards import parse_cards
from railbird.hands.holdings import CLASS_NAMES, HOLDINGS, cards_of, class_index, class_of
from railbird.hands.income import TABLE_SIZES, income_rates
from railbird.hands.starting import (
    RANKING_PLAYERS,
    class_order,
    class_ranks,
    rank_of_class,
    ranked_classes,
    starting_hand_rank,
)


def test_pocket_aces_are_first_and_seven_deuce_offsuit_is_last() -> None:
    """casper-2007 §5."""
    assert starting_hand_rank(parse_cards("As Ad")) == 1
    assert starting_hand_rank(parse_cards("2h 7c")) == 169


def test_jack_ten_suited_is_eighteenth() -> None:
    """baycarp-2011 §5.4.3."""
    assert starting_hand_rank(parse_cards("Jh Th")) == 18


def test_no_other_table_size_gives_all_three() -> None:
    def places(players: int) -> tuple[int, int, int]:
        order = [CLASS_NAMES[index] for index in np.argsort(-income_rates(players).rates)]
        first, middle, last = (order.index(name) + 1 for name in ("AA", "JTs", "72o"))
        return first, middle, last

    assert [players for players in TABLE_SIZES if places(players) == (1, 18, 169)] == [RANKING_PLAYERS]


def test_the_rank_of_jack_ten_suited_is_no_accident_of_the_simulation() -> None:
    income = income_rates(RANKING_PLAYERS)
    better, itself, worse = (class_index(name) for name in ranked_classes()[16:19])
    for neighbour in (better, worse):
        noise = np.hypot(income.standard_errors[neighbour], income.standard_errors[itself])
        assert abs(income.rates[neighbour] - income.rates[itself]) > 4 * noise


def test_every_class_has_a_rank_of_its_own() -> None:
    assert sorted(class_ranks().tolist()) == list(range(1, 170))
    assert [rank_of_class(name) for name in ranked_classes()] == list(range(1, 170))
    assert [CLASS_NAMES[index] for index in class_order()] == list(ranked_classes())


def test_all_holdings_of_a_class_share_its_rank() -> None:
    for index in range(HOLDINGS):
        assert starting_hand_rank(cards_of(index)) == rank_of_class(CLASS_NAMES[class_of(index)])


def test_higher_pairs_are_better_and_suited_is_better_than_offsuit() -> None:
    pairs = [rank_of_class(2 * rank) for rank in "AKQJT98765432"]
    assert pairs == sorted(pairs)
    for name in CLASS_NAMES:
        if name.endswith("s"):
            assert rank_of_class(name) < rank_of_class(name[:2] + "o")
