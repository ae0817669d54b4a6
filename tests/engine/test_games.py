"""Named games, their defaults and their parameters."""

import pytest

from railbird.engine.games import GAME_NAMES, PARAMETERS, game_title, named_game
from railbird.engine.json_form import RecordError, rules_from_json, rules_to_json
from railbird.engine.rules import Antes, Betting, GameRules, OddChips, Reopening, RulesError
from railbird.engine.setup import Setup
from railbird.spec import SpecError


def test_every_family_of_the_design_is_there_from_two_to_ten_players() -> None:
    for family in ("limit", "nolimit", "potlimit"):
        sizes = [named_game(name).players for name in GAME_NAMES if name.startswith(f"{family}-")]
        assert sizes == list(range(2, 11))


def test_limit_games_are_ten_twenty_with_the_acpc_caps() -> None:
    rules = named_game("limit-9max")
    assert rules.blinds == (5, 10, 0, 0, 0, 0, 0, 0, 0)
    assert (rules.bet_sizes, rules.raise_caps) == ((10, 10, 20, 20), (3, 4, 4, 4))
    assert (rules.unit, rules.unit_chips) == ("sb/h", 10)


def test_no_limit_games_have_blinds_50_100_and_twenty_thousand_chips_each_hand() -> None:
    rules = named_game("nolimit-3p")
    assert (rules.blinds, rules.stacks, rules.carry) == ((50, 100, 0), (20000,) * 3, False)
    assert (rules.unit, rules.unit_chips) == ("bb/h", 100)


def test_heads_up_the_button_posts_the_small_blind_and_opens_only_preflop() -> None:
    rules = named_game("limit-2p")
    assert (rules.blinds, rules.first_seats) == ((10, 5), (1, 0, 0, 0))


def test_caspers_table_is_nine_players_with_five_bets_and_a_hundred_thousand_dollars() -> None:
    rules = named_game("limit-9max:cap=5,stack=100000,carry=yes")
    assert (rules.raise_caps, rules.stacks, rules.carry) == ((4, 5, 5, 5), (100000,) * 9, True)
    assert rules.name == "limit-9max:cap=5,stack=100000,carry=yes"


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("limit-2p:cap=none", "raise_caps", (None,) * 4),
        ("limit-2p:raises=4", "raise_caps", (4,) * 4),
        ("limit-2p:raises=1/2/3/4", "raise_caps", (1, 2, 3, 4)),
        ("nolimit-3p:stack=1000/4000/20000", "stacks", (1000, 4000, 20000)),
        ("nolimit-2p:blinds=1/2", "blinds", (2, 1)),
        ("nolimit-2p:blinds=1/2", "bet_sizes", (2,) * 4),
        ("limit-3p:blinds=1/2", "bet_sizes", (10, 10, 20, 20)),
        ("limit-2p:bets=2/4", "bet_sizes", (2, 2, 4, 4)),
        ("nolimit-3p:ante=10", "antes", (10,) * 3),
        ("nolimit-3p:antes=dead", "ante_rule", Antes.DEAD),
        ("limit-2p:odd=fractional", "odd_chips", OddChips.FRACTIONAL),
        ("nolimit-2p:needs-caller=no", "raise_needs_caller", False),
        ("nolimit-2p:reopening=any-raise", "reopening", Reopening.ANY_RAISE),
    ],
)
def test_a_parameter_changes_its_rule(text: str, field: str, value: object) -> None:
    assert getattr(named_game(text), field) == value


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("limit-2q", "no game is called 'limit-2q': did you mean 'limit-2p'"),
        ("holdem", "no game is called 'holdem'"),
        ("limit-2p:cup=4", "no game parameter is called 'cup': did you mean 'cap'"),
        ("limit-2p:cap=x", "cap=x is not a whole number from 1"),
        ("limit-2p:cap=0", "cap=0 is not a whole number from 1"),
        ("limit-2p:stack=0", "stack=0 is not valid: limit-2p: stacks must be positive"),
        ("limit-3p:stack=1/2", "2 stacks for 3 players"),
        ("limit-2p:blinds=5", "blinds=5 is not a small and a big blind"),
        ("limit-2p:blinds=0/0", "nobody posts a blind or an ante"),
        ("limit-2p:odd=even", "no choice for odd is called 'even'"),
        ("limit-2p:raises=1/2", "2 raise_caps for 4 rounds"),
        ("limit-2p:carry=perhaps", "neither yes nor no"),
    ],
)
def test_a_wrong_name_or_parameter_is_answered_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        named_game(text)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("limit-2p", "Limit heads-up, $10/$20"),
        ("limit-6max", "Limit, 6 players, $10/$20"),
        ("nolimit-2p", "No-limit heads-up, 50/100"),
        ("potlimit-3p", "Pot-limit, 3 players, 50/100"),
        ("kuhn-2p", "Kuhn poker"),
        ("kuhn-3p", "Kuhn poker, 3 players"),
        ("leduc-2p", "Leduc hold'em"),
        ("limit-2p:blinds=1/2,bets=2/4,stack=400", "Limit heads-up, $2/$4"),
        ("limit-2p:stack=100", "Limit heads-up, $10/$20, 5 big bets"),
        ("nolimit-2p:blinds=500/1000,stack=200000", "No-limit heads-up, 500/1,000"),
        ("nolimit-2p:stack=2000,carry=yes", "No-limit heads-up, 50/100, 20 big blinds, stacks carry over"),
        ("nolimit-3p:stack=1000/4000/20000", "No-limit, 3 players, 50/100, 10 to 200 big blinds"),
        ("limit-9max:cap=5", "Limit, 9 players, $10/$20, cap 5"),
    ],
)
def test_a_game_has_a_title_for_people(text: str, title: str) -> None:
    assert game_title(named_game(text)) == title


def test_every_game_has_a_title_of_its_own() -> None:
    titles = [game_title(named_game(name)) for name in GAME_NAMES]
    assert len(set(titles)) == len(titles)


def test_every_parameter_says_what_it_means() -> None:
    assert all(meaning for _, meaning in PARAMETERS.values())


def test_a_game_can_be_played_with_fewer_players() -> None:
    rules = named_game("limit-6max")
    assert rules.for_players(2).blinds == (10, 5)
    assert rules.for_players(4).blinds == (5, 10, 0, 0)
    with pytest.raises(RulesError, match="cannot be played with 7 players"):
        rules.for_players(7)


def make(**changes: object) -> GameRules:
    fields: dict[str, object] = {
        "name": "test",
        "betting": Betting.LIMIT,
        "blinds": (5, 10, 0),
        "stacks": (100, 100, 100),
        "bet_sizes": (10, 10, 20, 20),
        "raise_caps": (3, 4, 4, 4),
        "first_seats": (2, 0, 0, 0),
    }
    return GameRules(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"blinds": (1,)}, "1 players, but a table has 2 to 10"),
        ({"stacks": (1, 2)}, "2 stacks for 3 players"),
        ({"raise_caps": (1,)}, "1 raise_caps for 4 rounds"),
        ({"bet_sizes": (0, 1, 1, 1)}, "bet_sizes must be positive"),
        ({"blinds": (-5, 10, 0)}, "blinds may not be negative"),
        ({"first_seats": (3, 0, 0, 0)}, "first_seats are 0 … 2"),
        ({"suits": 5}, "1 to 4 suits"),
        ({"suits": 1, "ranks": 5}, "11 cards are dealt from a deck of 5"),
        ({"hole_cards": 4}, "4 hole cards"),
        ({"board_cards": (0, 3, 2, 2)}, "a hand of 9 cards"),
        ({"stacks": (2**31, 1, 1)}, "a stack is at most"),
        ({"raise_caps": (-1, 4, 4, 4)}, "a raise cap is"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        make(**changes)


@pytest.mark.parametrize(
    ("stacks", "sentence"),
    [
        ((1, 2), "2 stacks for the 3 players"),
        ((0, 5, 5), "seat 0 has no chips"),
        ((-1, 5, 5), "may not be negative"),
    ],
)
def test_a_hand_cannot_start_with_wrong_stacks(stacks: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(RulesError, match=sentence):
        Setup.of(make(), stacks)


@pytest.mark.parametrize("name", GAME_NAMES)
def test_rules_survive_as_plain_data(name: str) -> None:
    assert rules_from_json(rules_to_json(named_game(name))) == named_game(name)


def test_rules_with_an_unknown_field_are_refused() -> None:
    with pytest.raises(RecordError, match="'colour' is not a field"):
        rules_from_json(rules_to_json(make()) | {"colour": "green"})
