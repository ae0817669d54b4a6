"""Loki's income rates: the roll-out, the shipped table, and what was published."""

from collections import Counter
from fractions import Fraction
from importlib.resources import files
from itertools import islice

import numpy as np
import pytest

from railbird.cards import parse_cards
from railbird.hands import income
from railbird.hands.evaluator import tables
from railbird.hands.holdings import CLASS_NAMES, CLASS_OF_HOLDING, CLASS_SIZES, HOLDINGS, class_index
from railbird.hands.income import (
    TABLE_SIZES,
    IncomeError,
    income_rate,
    income_rates,
    income_table,
    loki_table_size,
    measure_income_rates,
)
from railbird.kernels.play.rollouts import BET, roll_out
from railbird.kernels.random import shuffle_first
from railbird.rng import Stream
from reference import rollouts as reference


@pytest.mark.parametrize("players", TABLE_SIZES)
def test_a_roll_out_agrees_with_its_slow_twin(players: int) -> None:
    deals = 60
    stream = Stream.from_seed("twin").child(players)
    words = stream.words()
    dealt: Counter[str] = Counter()
    net: Counter[str] = Counter()
    squares: Counter[str] = Counter()
    for _ in range(deals):
        deck = np.arange(52)
        shuffle_first(words, deck, 5 + 2 * players)
        cards = deck.tolist()
        for player, won in enumerate(reference.incomes(players, cards)):
            name = reference.class_name(cards[5 + 2 * player], cards[6 + 2 * player])
            units = won * BET
            assert units.denominator == 1
            dealt[name] += 1
            net[name] += int(units)
            squares[name] += int(units**2)
    expected = np.array([[dealt[name], net[name], squares[name]] for name in CLASS_NAMES])
    np.testing.assert_array_equal(
        roll_out(players, deals, stream.words(), CLASS_OF_HOLDING, tables()), expected
    )


def test_the_twin_splits_a_pot_that_the_board_plays() -> None:
    board = parse_cards("Ah Kh Qh Jh Th")
    assert reference.incomes(3, [*board, *parse_cards("2c 2d 3c 3d 4c 4d")]) == [0, 0, 0]
    assert reference.incomes(2, [*parse_cards("Ah Kd 9c 4s 2h"), *parse_cards("As 3d Kc 5d")]) == [1, -1]
    assert reference.incomes(3, [*parse_cards("Ah Kd 9c 4s 2h"), *parse_cards("As 3d Ac 3h Kc 5d")]) == [
        Fraction(1, 2),
        Fraction(1, 2),
        -1,
    ]


def test_a_seed_decides_a_roll_out() -> None:
    first, again, other = (measure_income_rates(3, 20_000, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.rates, again.rates)
    np.testing.assert_array_equal(first.standard_errors, again.standard_errors)
    assert not np.array_equal(first.rates, other.rates)


def test_a_roll_out_in_pieces_is_the_same_roll_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure_income_rates(4, 10_000, 5)
    monkeypatch.setattr(income, "_DEALS_AT_ONCE", 999)
    np.testing.assert_array_equal(measure_income_rates(4, 10_000, 5).rates, whole.rates)


@pytest.mark.parametrize("players", TABLE_SIZES)
def test_the_shipped_rates_are_those_of_a_fresh_roll_out(players: int) -> None:
    fresh, shipped = measure_income_rates(players, 500_000, "another seed"), income_rates(players)
    deviations = (fresh.rates - shipped.rates) / np.hypot(fresh.standard_errors, shipped.standard_errors)
    worst = int(np.argmax(np.abs(deviations)))
    assert abs(deviations[worst]) < 5, CLASS_NAMES[worst]
    assert 0.6 < np.mean(deviations**2) < 1.5


def test_the_shipped_file_says_how_it_was_made() -> None:
    text = files("railbird.hands").joinpath("data/income_rates.csv").read_text(encoding="utf-8")
    lines = text.splitlines()
    deals, seed = lines[2].split()[-2:]
    assert lines[:4] == list(islice(income_table(int(deals), seed), 4))
    assert len(lines) == 4 + 169 * len(TABLE_SIZES)


def test_the_recipe_writes_a_line_for_every_class_at_every_table() -> None:
    lines = list(income_table(2_000, 3))
    assert [line.split(",")[:2] for line in lines[4:]] == [
        [str(players), name] for players in TABLE_SIZES for name in CLASS_NAMES
    ]
    aces = measure_income_rates(2, 2_000, 3)
    assert lines[4] == f"2,AA,{aces.rates[0]:.6f},{aces.standard_errors[0]:.6f}"


@pytest.mark.parametrize("players", TABLE_SIZES)
def test_what_some_hands_earn_the_others_pay(players: int) -> None:
    shipped = income_rates(players)
    shares = CLASS_SIZES / HOLDINGS
    assert abs(shares @ shipped.rates) < 5 * np.sqrt((shares**2) @ (shipped.standard_errors**2))


@pytest.mark.parametrize(
    ("players", "name", "published"),
    [(2, "32s", -0.279), (2, "32o", -0.351), (7, "AA", 2.043), (7, "72o", -0.495), (4, "A8s", 0.338)],
)
def test_the_rates_are_those_loki_used(players: int, name: str, published: float) -> None:
    """Papp (1998), appendix A, and Peña (1999) for A8s, from 1,000,000 hands each."""
    rate = income_rates(players).rates[class_index(name)]
    assert abs(rate - published) < 3 * error_of_a_million(players, rate)


def error_of_a_million(players: int, rate: float) -> float:
    """The standard error of a rate after a million hands, each lost or won whole."""
    return float(np.sqrt((1 + rate) * (players - 1 - rate) / 1_000_000))


def test_seven_handed_about_88_classes_do_not_lose_and_seven_deuce_is_worst() -> None:
    """Papp (1998), appendix A; which classes next to zero fall on which side was luck in a million hands."""
    rates = income_rates(7).rates
    undecided = 2 * error_of_a_million(7, 0.0)
    assert np.count_nonzero(rates >= undecided) <= 88 <= np.count_nonzero(rates >= -undecided)
    assert CLASS_NAMES[int(np.argmin(rates))] == "72o"
    assert all(CLASS_NAMES[int(np.argmax(income_rates(players).rates))] == "AA" for players in TABLE_SIZES)


@pytest.mark.parametrize(
    ("name", "equity"), [("AA", 0.852037), ("KK", 0.823957), ("TT", 0.750118), ("32o", 0.323032)]
)
def test_heads_up_rates_are_twice_the_equity_less_the_bet(name: str, equity: float) -> None:
    """The exact equities against one random hand."""
    shipped, index = income_rates(2), class_index(name)
    assert abs(shipped.rates[index] - (2 * equity - 1)) < 4 * shipped.standard_errors[index]


def test_loki_used_three_table_sizes() -> None:
    assert [loki_table_size(players) for players in TABLE_SIZES] == [2, 4, 4, 7, 7, 7, 7, 7, 7]


def test_the_rate_of_two_cards_is_that_of_their_class() -> None:
    cards = parse_cards("Td 9d")
    assert income_rate(cards, 5) == income_rates(5).of(cards) == income_rates(5).rates[class_index("T9s")]


@pytest.mark.parametrize("players", [0, 1, 11])
def test_other_tables_are_refused(players: int) -> None:
    message = f"income rates are for tables of 2 to 10 players, not {players}"
    for ask in (income_rates, loki_table_size, lambda size: measure_income_rates(size, 10, 1)):
        with pytest.raises(IncomeError, match=message):
            ask(players)


def test_a_roll_out_needs_a_deal() -> None:
    with pytest.raises(IncomeError, match="at least one deal, not 0"):
        measure_income_rates(2, 0, 1)
