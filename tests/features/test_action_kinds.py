"""The names of actions (baycarp-2011 §2.3.7): every definition of the thesis, and a plain twin on any hand."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.features import action_kinds
from railbird.features.action_kinds import (
    NOTHING,
    POT_ODDS,
    ActionsSoFar,
    NamedAction,
    actions_so_far,
)
from railbird.kernels.rules.betting import ROUND
from reference import named_actions as reference
from strategies import hands_in_progress, random_cards, randoms


def after(letters: str, game: str = "limit-6max") -> tuple[Setup, BettingNode]:
    """The situation after actions as letters: f, c, r (by the least), a slash between rounds for the eye."""
    setup = Setup.of(named_game(game))
    node = setup.tree.root
    for letter in letters.replace("/", ""):
        action = {"f": FOLD, "c": CALL, "r": raise_to(node.legal.raise_minimum)}[letter]
        node = setup.tree.after(node, action)
    return setup, node


def names(letters: str, game: str = "limit-6max") -> list[str]:
    """What everybody did in the round of the last action, by seat."""
    setup, node = after(letters, game)
    number = node.reached_by[0].view[ROUND] if node.reached_by else 0
    so_far = actions_so_far(setup, node)
    actions = [so_far.action(number, seat) for seat in range(len(so_far.folds))]
    return ["" if action is None else action.label for action in actions]


# In limit-6max seats 0 and 1 post the blinds and seat 2 opens; three raises are allowed before the flop, four after.


def test_nobody_has_acted_yet() -> None:
    assert names("") == [""] * 6
    so_far = actions_so_far(*after("ffffcc"))
    assert len(so_far.most_aggressive) == 2
    assert {so_far.action(1, seat) for seat in range(6)} == {None}


def test_a_three_bet_is_the_second_raise() -> None:
    """Before the flop the big blind is one bet, "if a player raises after a previous raise" it is a three-bet."""
    assert names("rr")[2:4] == ["Raise", "ThreeBet"]
    assert names("crr")[2:5] == ["Call", "Raise", "ThreeBet"]
    assert names("ffffcc/rrr") == ["ThreeBet", "Raise", "", "", "", ""], "the third bet of the flop"


def test_a_cap_is_the_raise_that_ends_the_allowed_number() -> None:
    assert names("rrr")[2:5] == ["Raise", "ThreeBet", "Cap"]
    assert names("ffffcc/rrrr")[:2] == ["ThreeBet", "Cap"]
    assert names("ffffcc/crrr")[:2] == ["CheckRaise", "ThreeBet"]
    assert names("ffffcc/crrrr")[:2] == ["Cap", "ThreeBet"]


@pytest.mark.parametrize(
    ("letters", "game", "expected"),
    [
        ("rr", "limit-3p:cap=3", ["Cap", "", "Raise"]),
        ("rrrr", "limit-3p:cap=5", ["ThreeBet", "ThreeBet", "Cap"]),
        ("rrr", "limit-3p:cap=5", ["ThreeBet", "ThreeBet", "Raise"]),
        ("rrrr", "nolimit-3p", ["ThreeBet", "ThreeBet", "ThreeBet"]),
    ],
)
def test_caps_of_other_games(letters: str, game: str, expected: list[str]) -> None:
    """A fourth bet that is not the cap counts as a three-bet; without a limit there is no cap."""
    assert names(letters, game) == expected


def test_a_continuation_bet_is_a_bet_of_the_aggressor_on_the_flop() -> None:
    assert names("rffffc/cr") == ["", "Check", "ContinuationBet", "", "", ""]
    assert names("rffffrc/r")[1] == "ContinuationBet", "the blind raised last and acts first"
    assert names("rffffc/crc/cr")[2] == "Bet", "on the turn there is none"
    assert names("cffffc/cr")[2] == "Bet", "nobody raised before the flop"


def test_a_donk_bet_is_a_bet_before_the_aggressor_has_acted() -> None:
    assert names("rffffc/r")[1] == "DonkBet"
    assert names("rffffc/crc/r")[1] == "DonkBet", "whoever bet the flop is the aggressor of the turn"
    assert names("rfffcc/cr")[:2] == ["Check", "DonkBet"]
    assert names("rfffcc/ccc/r")[0] == "Bet", "the flop was checked around: no aggressor is left"
    assert names("cffffc/r")[1] == "Bet", "nobody raised before the flop"


def test_a_bet_behind_the_aggressor_who_checked_is_a_bet() -> None:
    assert names("rcfffc/ccr")[1:4] == ["Check", "Check", "Bet"]
    assert names("rcfffc/cr")[1:3] == ["Check", "ContinuationBet"]


def test_an_aggressor_who_is_all_in_does_not_act_again() -> None:
    """Seat 2 raises all-in, both blinds call: when a blind bets the flop it is before nobody."""
    rules = named_game("limit-3p")
    setup = Setup(rules, (2000, 2000, 20), rules.blinds, rules.antes, rules.first_seats[0])
    node = setup.tree.root
    for action in (raise_to(20), CALL, CALL, raise_to(10)):
        node = setup.tree.after(node, action)
    assert actions_so_far(setup, node).action(1, 0) is NamedAction.BET


def test_a_check_raise_lures_with_a_check() -> None:
    assert names("ffffcc/cr")[:2] == ["Check", "Bet"]
    assert names("ffffcc/crr")[:2] == ["CheckRaise", "Bet"]
    assert names("ffffcc/rr")[:2] == ["Bet", "Raise"]


def test_section_5_3_2_a_three_bet_and_the_call_of_a_cap_is_a_three_bet() -> None:
    """Seat 2 raises, seat 3 makes it three bets, seat 4 caps, and both call."""
    assert names("rrrfffcc") == ["Fold", "Fold", "Raise", "ThreeBet", "Cap", "Fold"]


def test_calls_by_their_cost() -> None:
    """§8.1.1: an amount equal to the small blind, the regular amount, or a raise."""
    assert names("cfffc") == ["CallSmallBlind", "", "Call", "Fold", "Fold", "Fold"]
    assert names("cfffcc")[:3] == ["CallSmallBlind", "Check", "Call"]
    assert names("rcffc")[:4] == ["CallRaise", "", "Raise", "CallRaise"]
    assert names("cfffrfc")[:3] == ["Raise", "Fold", "CallRaise"], "the dearest call counts"


def test_calls_after_the_flop_are_of_a_bet_or_of_a_raise() -> None:
    assert names("fffccc/rc")[:2] == ["Bet", "Call"]
    assert names("fffccc/rrc") == ["Bet", "Raise", "", "", "", "CallRaise"]
    assert names("fffccc/rcrcc") == ["Bet", "CallRaise", "", "", "", "Raise"]


def test_heads_up_the_button_completes_and_the_blind_checks() -> None:
    assert names("c", "limit-2p") == ["", "CallSmallBlind"]
    assert names("cc", "limit-2p") == ["Check", "CallSmallBlind"]
    assert names("rc/r", "limit-2p") == ["DonkBet", ""]
    assert names("rc/cr", "limit-2p") == ["Check", "ContinuationBet"]
    assert names("rrc/r", "limit-2p") == ["ContinuationBet", ""]


def test_who_folds_has_folded_whatever_it_did_before() -> None:
    so_far = actions_so_far(*after("rffffc/rf"))
    assert so_far.action(1, 2) is NamedAction.FOLD
    assert so_far.folds[2][0] == 1
    checked_and_folded = actions_so_far(*after("rffffc/crf"))
    assert checked_and_folded.action(1, 1) is NamedAction.FOLD
    assert checked_and_folded.most_aggressive[1][1] == NamedAction.CHECK, "what it did before is kept"
    assert checked_and_folded.action(2, 1) is None


def odds_of(letters: str, number: int) -> list[str]:
    codes = actions_so_far(*after(letters)).odds[number]
    return ["" if code == NOTHING else POT_ODDS[code] for code in codes]


def test_pot_odds_are_those_of_the_action_that_counts() -> None:
    """10 to win 15 is 40 % of the pot with the call in it, 10 to win 25 is 29 %, and 5 to win 35 is 12.5 %."""
    assert odds_of("ccffcc", 0) == ["a10_20", "Free", "a30_100", "a20_30", "", ""]
    folds = actions_so_far(*after("ccff")).folds
    assert [POT_ODDS[folds[seat][1]] for seat in (4, 5)] == ["a20_30", "a20_30"], "10 to win 35 is 22 %"
    assert odds_of("fffccc/rcc", 1)[:2] == ["Free", "a20_30"], "10 to win 40 is 20 %, and an edge counts up"
    assert odds_of("fffccc/crcc", 1)[0] == "a10_20", "the call counts, not the free check before it"


def test_the_order_of_aggression_is_the_order_of_the_table() -> None:
    table = [
        line.split("`")[1] for line in (action_kinds.__doc__ or "").splitlines() if line.startswith("| `")
    ]
    assert table == [action.label for action in NamedAction] == ["Fold", *reference.ORDER]


def described(so_far: ActionsSoFar, number: int, seat: int) -> tuple[str, str]:
    known = number < len(so_far.most_aggressive)
    code = so_far.most_aggressive[number][seat] if known else NOTHING
    return (
        "" if code == NOTHING else NamedAction(code).label,
        "Fold" if so_far.folds[seat][0] == number else "",
    )


def assert_named_like_the_twin(state: State) -> None:
    record = HandRecord.of(state, tuple(map(str, range(state.rules.players))))
    so_far = actions_so_far(state.setup, state.node)
    for number in range(4):
        for seat in range(state.rules.players):
            expected = reference.most_aggressive(state.rules, state.setup.stacks, record.events, number, seat)
            assert described(so_far, number, seat) == expected, (state.actions, number, seat)


@given(hands_in_progress())
def test_names_are_those_of_the_plain_twin(state: State) -> None:
    assert_named_like_the_twin(state)


@given(hands_in_progress())
def test_names_do_not_depend_on_what_is_remembered(state: State) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(action_kinds, "_remembered", {})
        patch.setattr(action_kinds, "MOST_REMEMBERED", 3)
        node: BettingNode | None = state.node
        while node is not None:
            actions_so_far(state.setup, node)
            node = node.reached_by[0] if node.reached_by else None
        assert len(action_kinds._remembered) <= 3
        assert_named_like_the_twin(state)


@given(randoms, st.sampled_from(["limit-2p", "limit-6max", "limit-10max:cap=5", "nolimit-3p"]))
def test_prices_are_those_of_the_plain_twin(random: Random, game: str) -> None:
    setup = Setup.of(named_game(game))
    state = State(setup, random_cards(random, setup.rules))
    while not state.is_over:
        legal = state.legal_actions
        small_raise = (
            raise_to(legal.raise_minimum) if legal.can_raise and legal.raise_minimum < 5000 else CALL
        )
        state.act(random.choice([CALL, CALL, small_raise, FOLD if legal.fold else CALL]))
    events = HandRecord.of(state, tuple(map(str, range(setup.rules.players)))).events
    so_far = actions_so_far(setup, state.node)
    for number, odds in enumerate(so_far.odds):
        for seat, code in enumerate(odds):
            expected = reference.counted_price(setup.rules, setup.stacks, events, number, seat)
            assert (code == NOTHING) == (expected is None)
            if expected is None or not expected:
                assert code in (NOTHING, 0)
            else:
                low, high = map(int, POT_ODDS[code][1:].split("_"))
                assert low <= 100 * expected < high
