"""`railbird equity` and the reading behind it."""

import json

import pytest
from typer.testing import CliRunner

from railbird.cards import CardError, parse_cards
from railbird.cli import app
from railbird.equities.asking import parse_hand
from railbird.equities.ranges import Range
from railbird.equities.reading import read_hand
from railbird.equities.showdown import EquityError
from railbird.equities.strength import StrengthError


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["equity", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.stdout
    return result.stdout


def test_the_known_example_is_read_as_the_literature_reads_it() -> None:
    """AdQc on 3h4cJh: HS 0.585, PPot 0.208, NPot 0.274 (Billings et al.; the example is in many texts)."""
    text = run("AdQc", "--board", "3h4cJh")
    for part in ("0.5851", "0.2083, 0.2737 over 2 cards", "no pair", "No-Salient", "JLow", "rank 15 of 169"):
        assert part in text


def test_two_hands_are_exact_and_their_equities_sum_to_one() -> None:
    data = json.loads(run("AhAs", "KhKd", "--json", "-"))
    assert data["exact"]
    assert data["players"][0]["equity"] == pytest.approx(0.8195, abs=5e-5)
    assert sum(player["equity"] for player in data["players"]) == pytest.approx(1)


def test_one_hand_alone_meets_a_random_one() -> None:
    assert "random" in run("AhKs", "--samples", "2000")


def test_sampling_says_so_and_the_same_seed_draws_the_same() -> None:
    """Three players before the flop: with two, a table of match-ups in the user's cache may give the exact answer."""
    text = run("AhKs", "random", "random", "--samples", "2000", "--seed", "5")
    assert "95 % interval from 2,000 deals" in text
    assert text == run("AhKs", "random", "random", "--samples", "2000", "--seed", "5")


def test_the_strength_of_a_hand_is_against_the_range_it_meets() -> None:
    random = json.loads(run("AdQc", "--board", "3h4cJh", "--json", "-"))["reading"]["strength"]["hs"]
    strong = json.loads(run("AdQc", "--board", "3h4cJh", "--vs", "TT+", "--json", "-"))["reading"][
        "strength"
    ]["hs"]
    assert strong < random


def test_ranges_and_several_opponents_on_a_board() -> None:
    data = json.loads(
        run("QQ+", "AKs", "--vs", "random", "--board", "2c7d9h", "--samples", "2000", "--json", "-")
    )
    assert len(data["players"]) == 3
    assert data["reading"] is None


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        (["AhAh"], CardError, "Ah appears twice"),
        (["AhKs", "--board", "AhKd2c"], EquityError, "Ah is both on the board and in player 1's hand"),
        (["AhKs", "--board", "2c3c4c5c6c7c8c9cTc"], EquityError, "a board has 0, 3, 4 or 5 cards, not 9"),
        (["AhKs", "XX"], ValueError, "'XX' at column 1 is not a token of a range"),
        (["AhKs", "none"], EquityError, "player 2's range is empty"),
        (["AhKs", "--board", "Zz"], CardError, "'Zz' is not a card"),
        (["AhKs", "AhQs"], EquityError, "Ah is both in player 1's hand and in player 2's hand"),
    ],
)
def test_bad_input_is_pointed_at(arguments: list[str], error: type[ValueError], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        CliRunner().invoke(app, ["equity", *arguments], catch_exceptions=False)


def test_a_player_is_two_cards_or_a_range() -> None:
    assert parse_hand("AhKs") == parse_cards("AhKs")
    assert parse_hand("AKs") == Range.parse("AKs")


def test_a_reading_before_the_flop_has_no_strength_and_later_has_all() -> None:
    before = read_hand(parse_cards("JhTh"))
    assert (before.starting_rank, before.strength, before.texture) == (18, None, None)
    river = read_hand(parse_cards("JhTh"), parse_cards("9h8h2c3d7h"))
    assert river.hand == "straight flush, jack high"
    assert river.strength is not None
    assert (river.strength.hs, river.strength.ppot) == (1.0, 0.0)
    assert json.loads(json.dumps(river.to_json()))["strength"]["ehs_showdown"] == 1.0
    with pytest.raises(StrengthError, match="Jh is both a hole card and on the board"):
        read_hand(parse_cards("JhTh"), parse_cards("Jh2c3d"))
