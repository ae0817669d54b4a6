"""The luck of the board while betting goes on: its expectation is zero, and most of the spread goes with it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from statistics import fmean, stdev

import numpy as np
import pytest

from railbird.arena.luck.all_in import LuckError, expected_payoffs
from railbird.arena.luck.board import BETS_TO_COME, BOARDS, board_card_luck, board_luck, without_luck
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import Duplicate, MatchPlan, PlanError, entrants_of
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.kernels.rules.pots import PARTS
from reference.showdown_equity import pot_shares

CARDS = "AhKh QcQd JsTs Jh7h2s 9c5d"
CHECKED = "c c c  c c c  c c c  c c c"
"""Everybody checks and calls, to the showdown of three players."""
BETTING = "r20 c c  c r10 f c  r20 c  c c"
"""The button folds on the flop."""


def played(cards: str | Sequence[int], actions: str, game: str = "limit-3p") -> State:
    state = State(Setup.of(named_game(game)), parse_cards(cards) if isinstance(cards, str) else cards)
    for word in actions.split():
        state.act(raise_to(int(word[1:])) if word[0] == "r" else {"f": FOLD, "c": CALL}[word])
    assert state.is_over
    return state


def with_next_cards(state: State, number: int) -> Iterator[State]:
    """The same hand with all cards that could have been dealt in a round."""
    rules = state.rules
    start = 2 * rules.players + rules.board_size(number - 1)
    left = [card for card in range(52) if card not in state.cards[:start]]
    for dealt in combinations(left, rules.board_cards[number]):
        rest = [card for card in left if card not in dealt][: rules.cards_dealt - start - len(dealt)]
        yield State(state.setup, (*state.cards[:start], *dealt, *rest), state.node)


def plain_equities(state: State, seats: Sequence[int], board: Sequence[int]) -> list[Fraction]:
    """The equities of seats over all run-outs, one by one."""
    hole = 2 * state.rules.players
    hands = [(state.cards[2 * seat], state.cards[2 * seat + 1]) for seat in seats]
    left = [card for card in range(52) if card not in {*state.cards[:hole], *board}]
    shares = [pot_shares(hands, (*board, *rest)) for rest in combinations(left, 5 - len(board))]
    return [Fraction(sum(column)) / len(shares) for column in zip(*shares, strict=True)]


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("actions", [CHECKED, BETTING])
def test_turn_and_river_luck_are_zero_over_all_cards(number: int, actions: str) -> None:
    hands = list(with_next_cards(played(CARDS, actions), number))
    assert len(hands) == 52 - 6 - number - 1
    lucks = np.array([board_luck(hand)[number] for hand in hands])
    assert np.abs(lucks).max() > 1
    assert lucks.mean(axis=0) == pytest.approx(0, abs=1e-9)


def test_flop_luck_is_zero_over_all_flops_but_for_the_boards_that_were_drawn() -> None:
    state = played("AhKh QcQd JsTs Jh7h2s 9c5d", "c f c  c c  c c  c c")
    hands = list(with_next_cards(state, 1))
    assert len(hands) == comb(46, 3)
    lucks = np.array([board_luck(hand)[1] for hand in hands[::16]])
    pot = 25
    assert np.abs(lucks).max() > pot / 3
    sampled = 4 * pot * sqrt(0.25 / BOARDS) + 4 * lucks.std() / sqrt(len(lucks))
    assert np.abs(lucks.mean(axis=0)).max() < sampled


@pytest.mark.parametrize("actions", [CHECKED, BETTING])
def test_the_luck_of_a_card_is_the_change_of_equity_times_the_pot(actions: str) -> None:
    state = played(CARDS, actions)
    luck = board_luck(state)
    seats, pots = ([0, 1, 2], [30, 30]) if actions == CHECKED else ([0, 1], [80, 120])
    board = state.board
    for number, pot in zip((2, 3), pots, strict=True):
        size = state.rules.board_size(number)
        before, after = (plain_equities(state, seats, board[:cards]) for cards in (size - 1, size))
        plain = [float(pot * (mine - earlier)) for mine, earlier in zip(after, before, strict=True)]
        assert luck[number, seats].tolist() == pytest.approx(plain, abs=1e-9)
    assert luck[0].tolist() == [0, 0, 0]
    assert luck.sum(axis=1) == pytest.approx(0, abs=1e-9)


def test_a_hand_that_ends_before_the_flop_has_no_board_luck() -> None:
    state = played(CARDS, "r20 f f")
    assert not board_luck(state).any()
    assert without_luck(state) == tuple(PARTS * chips for chips in state.payoffs)


def test_cards_after_the_last_decision_count_as_all_in_luck() -> None:
    state = played(CARDS, "c c c  r19900 c f", "nolimit-3p")
    luck = board_luck(state)
    assert luck[1].any()
    assert not luck[2:].any()
    fair = [
        float(mean) - each
        for mean, each in zip(expected_payoffs(state), (BETS_TO_COME @ luck).tolist(), strict=True)
    ]
    assert [parts / PARTS for parts in without_luck(state)] == pytest.approx(fair, abs=1 / PARTS)


def test_unknown_cards_and_other_games_are_refused() -> None:
    state = played(CARDS, CHECKED)
    hidden = State(state.setup, (UNKNOWN, UNKNOWN, *state.cards[2:]), state.node)
    with pytest.raises(LuckError, match="needs all hole cards, including those of players who folded"):
        board_luck(hidden)
    leduc = State.deal(Setup.of(named_game("leduc-2p")), np.array([1, 2, 3, 4], dtype=np.uint64))
    with pytest.raises(LuckError, match="two hole cards of 52 and a board of five, unlike leduc-2p"):
        board_luck(leduc)
    with pytest.raises(PlanError, match="leduc-2p is not hold'em"):
        play_match(MatchPlan("leduc-2p", entrants_of(["random", "random"]), 2, "1", without_luck=True))


def test_a_match_counts_both_and_the_adjusted_spread_is_smaller() -> None:
    plan = MatchPlan(
        "limit-3p",
        entrants_of(["pokibot", "always-call", "pokibot"]),
        60,
        "board",
        duplicate=Duplicate.ROTATIONS,
        without_luck=True,
    )
    result = play_match(plan)
    assert result.without_luck is not None
    assert result.without_luck.hands == result.tally.hands == 180
    assert sum(result.without_luck.totals) == pytest.approx(0, abs=180 * 3)
    weights = [0, 1, 0]
    assert result.without_luck.standard_error(weights) < 0.8 * result.tally.standard_error(weights)


def test_the_variate_explains_most_of_what_random_hands_win() -> None:
    setup, words = Setup.of(named_game("limit-3p")), np.array([5, 6, 7, 8], dtype=np.uint64)
    won, fair = [], []
    for number in range(400):
        state = State.deal(setup, words)
        while not state.is_over:
            state.act(CALL)
        luck = board_card_luck(HandRecord.of(state, ("a", "b", "c"), str(number)))
        won.append(float(state.payoffs[0]))
        fair.append(won[-1] - luck[0] / 2)
    assert stdev(fair) < stdev(won)
    assert abs(fmean(fair) - fmean(won)) < 4 * stdev([a - b for a, b in zip(won, fair, strict=True)]) / 20
