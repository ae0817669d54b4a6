"""Actions and chips in words, in every situation of the table."""

from fractions import Fraction

import pytest

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.games import named_game
from railbird.engine.history import events_of, narrate
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.wording import Wording, format_chips
from railbird.rng import Stream

NOBODY_BET = Wording(to_call=0, to_match=0, bet=0, stack=19_800)
FACING_A_BET = Wording(to_call=150, to_match=150, bet=0, stack=19_800)
BIG_BLIND = Wording(to_call=0, to_match=100, bet=100, stack=19_900)
SHORT = Wording(to_call=300, to_match=450, bet=150, stack=300)


@pytest.mark.parametrize(
    ("wording", "action", "name", "told", "doing"),
    [
        (NOBODY_BET, CALL, "check", "checks", "checking"),
        (NOBODY_BET, raise_to(150), "bet 150", "bets 150", "betting 150"),
        (NOBODY_BET, raise_to(19_800), "all-in 19,800", "goes all-in for 19,800", "going all-in"),
        (FACING_A_BET, FOLD, "fold", "folds", "folding"),
        (FACING_A_BET, CALL, "call 150", "calls 150", "calling"),
        (FACING_A_BET, raise_to(1_450), "raise to 1,450", "raises to 1,450", "raising to 1,450"),
        (BIG_BLIND, CALL, "check", "checks", "checking"),
        (BIG_BLIND, raise_to(300), "raise to 300", "raises to 300", "raising to 300"),
        (BIG_BLIND, raise_to(20_000), "all-in 20,000", "goes all-in for 20,000", "going all-in"),
        (SHORT, CALL, "call 300 all-in", "calls 300 all-in", "calling"),
    ],
)
def test_an_action_is_called_what_players_call_it(
    wording: Wording, action: Action, name: str, told: str, doing: str
) -> None:
    assert (wording.name(action), wording.tell(action), wording.doing(action)) == (name, told, doing)


@pytest.mark.parametrize(
    ("wording", "did"),
    [
        (NOBODY_BET, ("folded", "checked", "bet")),
        (FACING_A_BET, ("folded", "called", "raised")),
        (BIG_BLIND, ("folded", "checked", "raised")),
    ],
)
def test_the_words_of_the_three_kinds(wording: Wording, did: tuple[str, str, str]) -> None:
    assert wording.did == did


def sentences(game: str, *actions: Action) -> list[str]:
    setup = Setup.of(named_game(game))
    state = State.deal(setup, Stream.from_seed(5))
    for action in actions:
        assert Wording.at(state.node).name(action)
        state.act(action)
    players = ("Ann", "Bob", "Cy")[: setup.rules.players]
    told = [text for _, text in narrate(events_of(state), setup, players)]
    return [text for text in told if " is dealt " not in text]


def test_a_hand_is_told_as_players_tell_it() -> None:
    told = sentences("nolimit-2p", CALL, CALL, raise_to(1_000), raise_to(3_000), CALL, CALL, CALL)
    assert told[:4] == ["Ann posts big blind 100", "Bob posts small blind 50", "Bob calls 50", "Ann checks"]
    assert told[4].startswith("Flop ")
    assert told[5:8] == ["Ann bets 1,000", "Bob raises to 3,000", "Ann calls 2,000"]
    assert told[8].startswith("Turn ")
    assert told[11].startswith("River ")
    all_in = sentences("nolimit-2p", raise_to(20_000), CALL)
    assert all_in[2:4] == ["Bob goes all-in for 20,000", "Ann calls 19,900 all-in"]


def test_each_blind_has_its_name() -> None:
    assert sentences("limit-3p", FOLD)[:2] == ["Ann posts small blind 5", "Bob posts big blind 10"]
    assert sentences("kuhn-2p")[:2] == ["Ann posts a blind of 1", "Bob posts a blind of 1"]


@pytest.mark.parametrize(
    ("chips", "text"),
    [
        (0, "0"),
        (1_990, "1,990"),
        (Fraction(8, 2), "4"),
        (Fraction(1, 2), "½"),
        (Fraction(-3_001, 2), "-1,500½"),
        (Fraction(22, 3), "7 1/3"),
        (Fraction(1, 3), "1/3"),
    ],
)
def test_chips_are_exact(chips: int | Fraction, text: str) -> None:
    assert format_chips(chips) == text
