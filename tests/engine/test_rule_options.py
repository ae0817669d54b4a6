"""One hand for every rule in which rulesets differ, and for the endings of a hand.

Seats count from the left of the button: at a table of three, seat 0 is the small blind, seat 1 the big blind, and
seat 2 has the button and opens.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from railbird.cards import Card, parse_cards
from railbird.engine.actions import ActionError
from railbird.engine.events import Act, Award, Return, Reveal
from railbird.engine.games import named_game
from railbird.engine.history import events_of, payoffs_of
from railbird.engine.rules import (
    ACPC_OPTIONS,
    Antes,
    MinimumRaise,
    Mucking,
    OddChips,
    Reopening,
    ShortBlind,
)
from railbird.engine.setup import Setup
from railbird.engine.state import Pot, State
from railbird.rng import Stream

ROYAL_FLUSH_ON_BOARD = "Ts Js Qs Ks As"
DRY_BOARD = "2c 3d 7h 8s Jc"


def deal(game: str, hole: tuple[str, ...] = (), board: str = DRY_BOARD, **changes: Any) -> State:
    """A hand of a named game with some of its rules changed; cards that do not matter are any."""
    rules = replace(named_game(game), **changes)
    known = parse_cards("".join(hole) + board)
    rest = [card for card in rules.deck if card not in known]
    holes: list[Card] = list(parse_cards("".join(hole)))
    holes += rest[: 2 * rules.players - len(holes)]
    return State(Setup.of(rules), (*holes, *parse_cards(board)))


def play(state: State, script: str) -> State:
    """Act out words: `fold`, `call`, `check`, or the amount to raise to."""
    for word in script.split():
        if word == "fold":
            state.fold()
        elif word in ("call", "check"):
            assert (state.legal_actions.call == 0) == (word == "check"), (word, state)
            state.call()
        else:
            state.raise_to(int(word))
    return state


def raise_bounds(state: State) -> tuple[int, int] | None:
    legal = state.legal_actions
    return (legal.raise_minimum, legal.raise_maximum) if legal.can_raise else None


# Reopening: may a seat that already acted raise again after a short all-in?


@pytest.mark.parametrize(
    ("reopening", "may_raise"),
    [
        (Reopening.ANY_RAISE, True),
        (Reopening.FULL_RAISE, False),
        (Reopening.CONSECUTIVE_SHORTS, False),
    ],
)
def test_reopening_after_one_short_all_in(reopening: Reopening, may_raise: bool) -> None:
    # The button raised by 200, the small blind is all-in for 100 more.
    state = deal("nolimit-3p:stack=400/20000/20000", reopening=reopening)
    play(state, "300 400 call")
    assert state.actor == 2
    assert state.legal_actions.can_raise == may_raise


@pytest.mark.parametrize("reopening", list(Reopening))
def test_two_short_all_ins_that_add_up_to_a_full_raise_reopen_under_every_rule(reopening: Reopening) -> None:
    state = deal("nolimit-4max:stack=400/500/20000/20000", reopening=reopening)
    play(state, "300 call 400 500")
    assert state.actor == 2
    assert state.legal_actions.can_raise


@pytest.mark.parametrize(
    ("reopening", "may_raise"),
    [
        (Reopening.ANY_RAISE, True),
        (Reopening.FULL_RAISE, True),
        (Reopening.CONSECUTIVE_SHORTS, False),
    ],
)
def test_a_third_short_all_in_starts_a_new_count_only_as_pokerkit_counts(
    reopening: Reopening, may_raise: bool
) -> None:
    # Seat 2 raised by 200 and faces 100 + 100 + 50 more; the button, which called 400, could still call a raise.
    state = deal("nolimit-5max:stack=500/550/20000/400/20000", reopening=reopening)
    play(state, "300 400 call 500 550")
    assert state.actor == 2
    assert state.legal_actions.can_raise == may_raise


@pytest.mark.parametrize(
    ("reopening", "may_raise"),
    [
        (Reopening.ANY_RAISE, True),
        (Reopening.FULL_RAISE, False),
        (Reopening.CONSECUTIVE_SHORTS, False),
    ],
)
def test_who_called_between_two_short_all_ins_faces_only_the_second(
    reopening: Reopening, may_raise: bool
) -> None:
    # Seat 2 raised by 200, seat 3 is all-in for 100 more, the button calls, the small blind is all-in for 100 more.
    state = deal("nolimit-5max:stack=500/20000/20000/400/20000", reopening=reopening)
    play(state, "300 400 call 500 fold call")
    assert state.actor == 4
    assert state.legal_actions.can_raise == may_raise


def test_a_raise_with_chips_behind_ends_a_row_of_short_all_ins() -> None:
    # Two all-ins for 100 more each, then the button makes the least raise, which was kept at 100 more.
    state = deal(
        "nolimit-6max:stack=20000/20000/20000/400/500/20000",
        reopening=Reopening.CONSECUTIVE_SHORTS,
        minimum_raise=MinimumRaise.KEPT,
    )
    play(state, "300 400 500 600 fold fold")
    assert state.actor == 2
    assert state.legal_actions.can_raise


@pytest.mark.parametrize(
    ("reopening", "may_raise"),
    [
        (Reopening.ANY_RAISE, True),
        (Reopening.FULL_RAISE, False),
        (Reopening.CONSECUTIVE_SHORTS, True),
    ],
)
def test_the_big_blind_is_a_bet_to_raise_by_except_as_pokerkit_counts(
    reopening: Reopening, may_raise: bool
) -> None:
    # Seat 2 called the blind of 100, then the button is all-in for 150: the first raise, but short of a full one.
    state = deal("nolimit-4max:stack=20000/20000/20000/150", reopening=reopening)
    play(state, "call 150 call call")
    assert state.actor == 2
    assert state.legal_actions.can_raise == may_raise


@pytest.mark.parametrize(("all_in", "may_raise"), [(24, False), (25, True)])
def test_at_limit_half_a_bet_reopens(all_in: int, may_raise: bool) -> None:
    # The button raised to 20; a full raise would be to 30.
    state = deal(f"limit-3p:stack={all_in}/2000/2000", reopening=Reopening.FULL_RAISE)
    play(state, f"20 {all_in} call")
    assert state.actor == 2
    assert state.legal_actions.can_raise == may_raise


@pytest.mark.parametrize("reopening", list(Reopening))
def test_the_big_blind_has_its_option_under_every_rule(reopening: Reopening) -> None:
    state = play(deal("nolimit-3p", reopening=reopening), "call call")
    assert state.actor == 1
    assert (state.legal_actions.fold, state.legal_actions.call) == (False, 0)
    assert raise_bounds(state) == (200, 20000)


# The least raise after a short all-in


@pytest.mark.parametrize(
    ("minimum_raise", "least"),
    [
        (MinimumRaise.ON_TOP, 600),  # 400 and another 200
        (MinimumRaise.KEPT, 500),  # as if the all-in had not been
    ],
)
def test_the_least_raise_after_a_short_all_in(minimum_raise: MinimumRaise, least: int) -> None:
    state = deal("nolimit-3p:stack=400/20000/20000", minimum_raise=minimum_raise)
    play(state, "300 400")
    assert raise_bounds(state) == (least, 20000)


def test_a_raise_must_be_as_large_as_the_largest_before_it() -> None:
    state = deal("nolimit-3p")
    assert raise_bounds(state) == (200, 20000)
    assert raise_bounds(play(state, "350")) == (600, 20000)
    assert raise_bounds(play(state, "1000")) == (1650, 20000)


# Odd chips


@pytest.mark.parametrize(
    ("odd_chips", "payoffs"),
    [
        (OddChips.LEFT_OF_BUTTON, (-5, 3, 2)),  # 25 chips: 13 for the big blind, 12 for the button
        (OddChips.MERGED_POTS, (-5, 3, 2)),
        (OddChips.FRACTIONAL, (-5, Fraction(5, 2), Fraction(5, 2))),
    ],
)
def test_the_odd_chip_of_a_split_pot(odd_chips: OddChips, payoffs: tuple[object, ...]) -> None:
    state = deal("limit-3p", board=ROYAL_FLUSH_ON_BOARD, odd_chips=odd_chips)
    play(state, "call fold check" + 6 * " check")
    assert state.payoffs == payoffs


@pytest.mark.parametrize(
    ("odd_chips", "payoffs"),
    [
        (OddChips.LEFT_OF_BUTTON, (-1, 19, 17, -25, -10)),
        (OddChips.MERGED_POTS, (-1, 18, 18, -25, -10)),
        (OddChips.FRACTIONAL, (-1, 18, 18, -25, -10)),
    ],
)
def test_two_odd_pots_of_the_same_winners_have_two_odd_chips_or_none(
    odd_chips: OddChips, payoffs: tuple[int, ...]
) -> None:
    # 41 in the main pot, 145 in the side pot; seats 1 and 2 win both with the same hand, seat 4 was all-in for 10.
    hole = ("4c4d", "AhKd", "AdKh", "5c5d", "QhQd")
    state = deal(
        "nolimit-5max:blinds=1/2,stack=1000/1000/1000/1000/10", hole, "Ac Kc 7h 8s 2d", odd_chips=odd_chips
    )
    play(state, "25 call call fold call 50 call fold check check check check")
    assert state.pots == (Pot(41, (1, 2, 4)), Pot(145, (1, 2)))
    assert state.payoffs == payoffs


# Short blinds


@pytest.mark.parametrize(
    ("short_blind", "call", "least_raise"), [(ShortBlind.NOMINAL, 100, 200), (ShortBlind.POSTED, 60, 160)]
)
def test_what_there_is_to_call_when_the_big_blind_is_all_in_for_less(
    short_blind: ShortBlind, call: int, least_raise: int
) -> None:
    state = deal("nolimit-3p:stack=20000/60/20000", short_blind=short_blind)
    assert state.legal_actions.call == call
    assert raise_bounds(state) == (least_raise, 20000)


def test_nobody_pays_more_of_a_nominal_blind_than_somebody_can_match() -> None:
    state = deal("nolimit-3p:stack=80/60/20000", short_blind=ShortBlind.NOMINAL)
    assert (state.actor, state.legal_actions.call) == (2, 80)


@pytest.mark.parametrize("short_blind", list(ShortBlind))
def test_a_small_blind_that_covers_a_short_big_blind_has_nothing_to_decide(short_blind: ShortBlind) -> None:
    state = deal("nolimit-2p:stack=40/20000", short_blind=short_blind)
    assert state.is_showdown
    assert state.pots == (Pot(80, (0, 1)), Pot(10, (1,)))


# Antes


@pytest.mark.parametrize(
    ("ante_rule", "won"),
    [
        (Antes.MATCHED, 8),  # four from each of the others
        (Antes.DEAD, 20),  # all antes
    ],
)
def test_what_a_short_ante_can_win(ante_rule: Antes, won: int) -> None:
    state = deal("nolimit-3p:ante=10,stack=1000/1000/4", ("KhKd", "QhQd", "AhAd"), ante_rule=ante_rule)
    play(state, "call check" + 6 * " check")
    assert state.payoffs[2] == won
    assert sum(state.payoffs) == 0


def test_what_a_folded_seat_paid_beyond_everyone_stays_in_the_pot() -> None:
    # Only the big blind antes, and more than the others pay before it folds.
    state = deal("nolimit-3p", antes=(0, 300, 0))
    play(state, "call call check 100 fold fold")
    assert state.payoffs == (500, -400, -100)
    assert payoffs_of(events_of(state), 3) == (500, -400, -100)


# Showdown


@pytest.mark.parametrize(
    ("mucking", "shown"),
    [
        (Mucking.SHOW_ALL, [(0, True), (1, True), (2, True)]),
        (Mucking.LOSERS_MUCK, [(0, True), (1, False), (2, True)]),
    ],
)
def test_who_shows_at_the_showdown(mucking: Mucking, shown: list[tuple[int, bool]]) -> None:
    # The small blind bets the river with kings; the big blind calls with queens, the button with aces.
    state = deal("limit-3p", ("KhKd", "QhQd", "AhAd"), mucking=mucking)
    play(state, "call call check" + 6 * " check" + " 20 call call")
    assert reveals(state) == shown


def test_a_hand_that_ties_the_best_shown_one_is_not_thrown_away() -> None:
    state = deal("limit-3p", ("KhKd", "KcKs", "QhQd"), mucking=Mucking.LOSERS_MUCK)
    play(state, "call call check" + 6 * " check" + " 20 call call")
    assert reveals(state) == [(0, True), (1, True), (2, False)]


def test_nobody_mucks_when_somebody_is_all_in() -> None:
    state = deal("nolimit-3p:stack=20000/20000/100", ("KhKd", "QhQd", "4h5d"), mucking=Mucking.LOSERS_MUCK)
    play(state, "call call check" + 4 * " check" + " 100 call")
    assert reveals(state) == [(0, True), (1, True), (2, True)]


def test_the_last_to_bet_or_raise_on_the_river_shows_first() -> None:
    state = play(deal("limit-3p"), "call call check" + 6 * " check" + " 20 call 40 call call")
    assert [seat for seat, _ in reveals(state)] == [2, 0, 1]


def test_without_a_bet_on_the_river_the_first_to_act_shows_first() -> None:
    state = play(deal("limit-3p"), "20 call call" + 6 * " check" + " check check check")
    assert [seat for seat, _ in reveals(state)] == [0, 1, 2]


def reveals(state: State) -> list[tuple[int, bool]]:
    return [(event.seat, event.cards is not None) for event in events_of(state) if isinstance(event, Reveal)]


# A raise that nobody can call


@pytest.mark.parametrize(("raise_needs_caller", "bounds"), [(True, None), (False, (900, 20000))])
def test_a_raise_that_no_opponent_has_chips_for(
    raise_needs_caller: bool, bounds: tuple[int, int] | None
) -> None:
    # Seat 2 is all-in for 500. Both blinds still have chips, but only to call less than that.
    state = deal("nolimit-4max:stack=400/450/500/20000", raise_needs_caller=raise_needs_caller)
    play(state, "500")
    assert state.actor == 3
    assert raise_bounds(state) == bounds


@pytest.mark.parametrize("raise_needs_caller", [True, False])
def test_nobody_raises_when_every_opponent_is_all_in(raise_needs_caller: bool) -> None:
    state = play(deal("nolimit-2p:stack=20000/500", raise_needs_caller=raise_needs_caller), "500")
    assert raise_bounds(state) is None


# Raise caps


@pytest.mark.parametrize(
    ("game", "preflop", "flop"),
    [
        ("limit-2p", 3, 4),  # the ACPC, and Loki: the blind or a bet, and three raises
        ("limit-2p:cap=4", 3, 4),
        ("limit-2p:raises=4", 4, 4),  # PokerKit
        ("limit-2p:cap=5", 4, 5),  # CASPER
        ("limit-2p:raises=1/2/2/2", 1, 2),
    ],
)
def test_bets_and_raises_before_the_cap(game: str, preflop: int, flop: int) -> None:
    state = deal(game)
    assert raises_until_capped(state) == preflop
    state.call()
    assert raises_until_capped(state) == flop
    with pytest.raises(ValueError, match=rf"the cap of {flop} raises in this round is reached"):
        state.raise_to(state.to_match + 10)


def test_without_a_cap_limit_raises_go_on_to_the_last_chip() -> None:
    state = deal("limit-2p:cap=none,stack=101")
    assert raises_until_capped(state) == 10  # nine raises to 100, and the last chip
    assert state.stacks == (0, 1)


def raises_until_capped(state: State) -> int:
    while state.legal_actions.can_raise:
        state.raise_to(state.legal_actions.raise_minimum)
    return state.raises


# Pot-limit


def test_a_pot_limit_raise_is_at_most_the_pot_after_calling() -> None:
    state = deal("potlimit-3p")
    assert raise_bounds(state) == (200, 350)  # the pot is 150, a call makes it 250
    assert raise_bounds(play(state, "350")) == (600, 1150)  # 500 in the pot, 300 to call


# How hands end


def test_when_everyone_folds_the_last_seat_takes_the_pot_without_showing() -> None:
    state = play(deal("nolimit-3p"), "300 fold fold")
    assert state.is_over
    assert not state.is_showdown
    assert state.payoffs == (-50, -100, 150)
    assert events_of(state)[-2:] == (Return(2, 200), Award(2, 0, 250))


def test_a_walk_gives_the_big_blind_the_small_blind() -> None:
    state = play(deal("nolimit-3p"), "fold fold")
    assert state.payoffs == (-50, 50, 0)
    assert events_of(state)[-2:] == (Return(1, 50), Award(1, 0, 100))


def test_after_an_all_in_that_is_called_the_board_is_run_out_and_nobody_acts() -> None:
    state = play(deal("nolimit-2p", ("KhKd", "AhAd")), "20000 call")
    assert state.is_showdown
    assert (state.round, state.board) == (0, parse_cards(DRY_BOARD))
    assert state.payoffs == (-20000, 20000)


def test_an_uncalled_part_of_a_bet_goes_back() -> None:
    state = play(deal("nolimit-2p:stack=700/20000", ("AhAd", "KhKd")), "20000 call")
    assert state.payoffs == (700, -700)
    assert Return(1, 19300) in events_of(state)
    assert [event for event in events_of(state) if isinstance(event, Award)] == [Award(0, 0, 1400)]


def test_three_all_ins_make_a_main_pot_and_two_side_pots() -> None:
    hole = ("AhAd", "KhKd", "QhQd", "4c5d")
    state = deal("nolimit-4max:stack=300/700/1000/2000", hole)
    play(state, "1000 call call call")
    assert state.is_showdown
    assert state.pots == (Pot(1200, (0, 1, 2, 3)), Pot(1200, (1, 2, 3)), Pot(600, (2, 3)))
    assert state.payoffs == (900, 500, -400, -1000)


def test_folded_chips_belong_to_the_pots_they_reached() -> None:
    # Seat 3 calls 600 and folds on the flop; seat 0 is all-in for 300.
    hole = ("AhAd", "KhKd", "QhQd", "4c5d")
    state = deal("nolimit-4max:stack=300/20000/20000/20000", hole)
    play(state, "600 call call call 100 call fold")
    assert state.pots == (Pot(1200, (0, 1, 2)), Pot(1100, (1, 2)))
    play(state, "check check check check")
    assert state.payoffs == (900, 400, -700, -600)


def test_a_call_for_less_than_the_bet_is_a_call() -> None:
    state = play(deal("nolimit-3p:stack=20000/250/20000"), "600 fold")
    assert state.legal_actions.call == 150
    assert raise_bounds(state) is None
    assert state.call() == Act(1, state.actions[-1].kind, 150, 250)


def test_the_acpc_options_are_the_choices_of_its_server() -> None:
    rules = replace(named_game("nolimit-3p:stack=400/20000/20000"), **ACPC_OPTIONS)
    state = State(Setup.of(rules), rules.deck[:11])
    play(state, "300 400")
    assert raise_bounds(state) == (500, 20000)
    play(state, "call")
    assert raise_bounds(state) == (500, 20000)


def test_an_amount_is_a_whole_number_of_chips() -> None:
    state = State.deal(Setup.of(named_game("nolimit-2p")), Stream.from_seed(1))
    with pytest.raises(ActionError, match="an amount must be a whole number of chips, not 250.5"):
        state.raise_to(250.5)  # type: ignore[arg-type]
    assert state.actions == ()
