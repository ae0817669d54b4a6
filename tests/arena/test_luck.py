"""Luck taken out of results: what is expected of them stays the same, to the chip where all cases can be counted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, sqrt
from random import Random
from statistics import fmean, pvariance, stdev

import numpy as np
import pytest

from railbird.arena.luck import all_in, variates
from railbird.arena.luck.all_in import LuckError, all_in_luck, all_in_payoffs, expected_payoffs
from railbird.arena.luck.variates import adjusted, starting_hand_luck
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.events import Chips, DealHole
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.rules import OddChips
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.hands.holdings import HOLDINGS, class_of, holding
from railbird.rng import Stream
from strategies import Style, random_action, random_cards, random_setup

LABELS = tuple("abcdefghij")


def played(game: str, cards: Sequence[int] | str, actions: str) -> HandRecord:
    """A hand from its actions: f, c, or r with the amount to raise to."""
    rules = named_game(game)
    state = State(Setup.of(rules), parse_cards(cards) if isinstance(cards, str) else cards)
    for word in actions.split():
        state.act(raise_to(int(word[1:])) if word[0] == "r" else {"f": FOLD, "c": CALL}[word])
    assert state.is_over
    return HandRecord.of(state, LABELS[: rules.players], actions)


def other_boards(state: State) -> Iterator[State]:
    """The same hand with every board that could have come after the last decision."""
    rules = state.rules
    known = rules.players * rules.hole_cards + rules.board_size(state.round)
    left = [card for card in rules.deck if card not in state.cards[:known]]
    for rest in combinations(left, rules.cards_dealt - known):
        other = State(state.setup, (*state.cards[:known], *rest))
        for action in state.actions:
            other.act(action)
        yield other


def plain_mean(state: State) -> tuple[Fraction, ...]:
    payoffs = [other.payoffs for other in other_boards(state)]
    return tuple(Fraction(sum(column)) / len(payoffs) for column in zip(*payoffs, strict=True))


SHORT_STACKS = "nolimit-3p:stack=1200/1800/3000"


def random_hands(game: str, count: int, style: Style) -> list[HandRecord]:
    random = Random(game)
    setup = Setup.of(named_game(game))
    words = Stream.from_seed(game).words()
    hands = []
    for number in range(count):
        state = State.deal(setup, words)
        while not state.is_over:
            state.act(random_action(random, state.legal_actions, style))
        hands.append(HandRecord.of(state, LABELS[: setup.rules.players], str(number)))
    return hands


# All-in


def test_aces_all_in_against_kings_win_what_they_deserve_on_any_board() -> None:
    wins, ties = 1_399_204, 7_923  # of 1,712,304 boards, for AhAs against KhKd
    deserved = Fraction(20_000 * (2 * wins + ties - comb(48, 5)), comb(48, 5))
    for board in ("2c7d9s 3c4c", "Kc7d9s 3c4c"):
        payoffs = all_in_payoffs(played("nolimit-2p", f"AhAs KhKd {board}", "r20000 c"))
        assert payoffs == (deserved, -deserved)


def test_the_table_of_matchups_and_the_count_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    holes = (parse_cards("AhAs"), parse_cards("KhKd"))
    left = tuple(card for card in range(52) if card not in holes[0] + holes[1])
    wins = np.zeros((HOLDINGS, HOLDINGS), dtype=np.int32)
    first, second = holding(holes[0]), holding(holes[1])
    wins[first, second], wins[second, first] = 1_399_204, 305_177
    answers = []
    for table in (wins, None):
        monkeypatch.setattr(all_in, "_matchups", lambda table=table: table)
        all_in._sets_of_winners.cache_clear()
        answers.append(all_in._sets_of_winners(holes, (), left))
    assert answers[0] == answers[1] == (0, 1_399_204, 305_177, 7_923)


@pytest.mark.parametrize("actions", ["c c r19900 c", "c c c c r19900 c"])
def test_luck_after_an_all_in_is_exactly_zero_over_all_boards(actions: str) -> None:
    state = played("nolimit-2p", "AhKh QcQd Jh7h2s 9c5d", actions).state()
    records = [HandRecord.of(other, ("a", "b")) for other in other_boards(state)]
    assert len(records) == (comb(45, 2) if state.round == 1 else 44)
    lucks = [all_in_luck(record) for record in records]
    assert [sum(column) for column in zip(*lucks, strict=True)] == [0, 0]
    assert len({all_in_payoffs(record) for record in records}) == 1, "the last cards do not matter any more"
    assert len({record.payoffs for record in records}) > 1, "but they did"


@pytest.mark.parametrize("odd_chips", OddChips)
def test_side_pots_are_expected_each_for_its_own_claimants(odd_chips: OddChips) -> None:
    game = f"nolimit-4max:stack=333/777/1501/1501,odd={odd_chips.value}"
    record = played(game, "AhKh QcQd JsTs Jd9d Jh7h2s 9c5d", "c c c c  c c c r1401 c c c")
    state = record.state()
    assert len(state.pots) == 3
    assert expected_payoffs(state) == plain_mean(state)


def test_random_all_in_hands_of_any_game_have_the_mean_over_all_boards() -> None:
    random = Random(5)
    found = 0
    while found < 60:
        setup = random_setup(random)
        state = State(setup, random_cards(random, setup.rules))
        while not state.is_over:
            state.act(random_action(random, state.legal_actions, Style(folds=0.1, raises=0.5)))
        if state.is_showdown and state.round == 2:
            found += 1
            mean = plain_mean(state)
            record = HandRecord.of(state, LABELS[: state.rules.players])
            assert all_in_payoffs(record) == mean, record
            assert sum(all_in_payoffs(record)) == 0


def test_cards_that_were_folded_cannot_come_any_more() -> None:
    outs = played("nolimit-3p", "AhAs KhKd 9c8c 2c7d9s3c4c", "f c c  c r19900 c")
    fewer = played("nolimit-3p", "AhAs KhKd KsKc 2c7d9s3c4c", "f c c  c r19900 c")
    assert float(all_in_payoffs(outs)[0]) < float(all_in_payoffs(fewer)[0])
    assert all_in_payoffs(fewer) == plain_mean(fewer.state())


def test_a_hand_in_which_folded_cards_are_unknown_is_left_as_it_is() -> None:
    record = played("nolimit-3p", "AhAs KhKd 9c8c 2c7d9s3c4c", "f c c  c r19900 c")
    events = tuple(
        DealHole(2, None) if event == DealHole(2, parse_cards("9c8c")) else event for event in record.events
    )
    assert all_in_luck(record) != (0, 0, 0)
    assert all_in_luck(replace(record, events=events)) == (0, 0, 0)


@pytest.mark.parametrize(
    "actions",
    ["f", "r20000 f", "c c c c c c c c", "c c c c c c r19900 c", "c c r300 c c c r19600 f"],
)
def test_without_an_all_in_before_the_last_card_there_is_no_luck_to_take(actions: str) -> None:
    record = played("nolimit-2p", "AhAs KhKd 2c7d9s 3c4c", actions)
    assert all_in_luck(record) == (0, 0)
    assert all_in_payoffs(record) == record.payoffs


def test_small_games_are_counted_on_every_board() -> None:
    record = played("leduc-2p:stack=3", "Ks Qh Qs", "r3 c")
    assert all_in_payoffs(record) == plain_mean(record.state())
    # Of the four cards left one pairs the queen; the other three leave the king ahead.
    assert all_in_payoffs(record) == (Fraction(3, 2), Fraction(-3, 2))


def test_only_a_showdown_with_known_hole_cards_has_expected_payoffs() -> None:
    setup = Setup.of(named_game("nolimit-3p"))
    cards = parse_cards("AhAs KhKd 9c8c 2c7d9s 3c4c")
    with pytest.raises(LuckError, match="goes to showdown"):
        expected_payoffs(State(setup, cards))

    def all_in(cards: Sequence[int]) -> State:
        state = State(setup, cards)
        for action in (FOLD, raise_to(20000), CALL):
            state.act(action)
        return state

    with pytest.raises(LuckError, match="including those of players who folded"):
        expected_payoffs(all_in((*cards[:4], UNKNOWN, UNKNOWN, *cards[6:])))
    without_board = all_in((*cards[:6], *(UNKNOWN,) * 5))
    assert expected_payoffs(without_board) == expected_payoffs(all_in(cards)), (
        "the board to come is averaged over"
    )


def test_in_simulated_hands_the_mean_stays_and_the_spread_shrinks() -> None:
    records = random_hands(SHORT_STACKS, 400, Style(folds=0.2, raises=0.25))
    for seat in range(3):
        raw = [float(record.payoffs[seat]) for record in records]
        fair = [float(all_in_payoffs(record)[seat]) for record in records]
        difference = [a - b for a, b in zip(raw, fair, strict=True)]
        assert abs(fmean(difference)) < 4 * stdev(difference) / sqrt(len(records))
        assert pvariance(fair) < 0.8 * pvariance(raw)


# Control variates


def test_starting_hand_luck_is_zero_over_all_holdings_and_over_a_table() -> None:
    for players in range(2, 11):
        own = [variates._starting_hands(players)[class_of(index)] for index in range(HOLDINGS)]
        assert fmean(own) == pytest.approx(0, abs=1e-12)
    hand = played("limit-3p", "AhAs KhKd 7c2d 2c7d9s 3c4c", "f f")
    values = starting_hand_luck(hand)
    assert values[0] > values[1] > 0 > values[2]
    assert sum(values) == pytest.approx(0)


def test_starting_hand_luck_needs_all_cards() -> None:
    hand = played("limit-2p", "AhAs KhKd 2c7d9s 3c4c", "f")
    hidden = tuple(DealHole(e.seat, None) if isinstance(e, DealHole) else e for e in hand.events)
    with pytest.raises(LuckError, match="everyone's cards, but some of hand"):
        starting_hand_luck(replace(hand, events=hidden))
    with pytest.raises(LuckError, match="two hole cards of 52, unlike kuhn-2p"):
        starting_hand_luck(played("kuhn-2p", "As Ks", "c c"))


def kuhn_luck(record: HandRecord) -> tuple[float, ...]:
    """The rank of the own card less its mean."""
    return tuple(float(card // 4 - 11) for card in record.cards)


def kuhn_hands() -> list[HandRecord]:
    """One hand for each of the six deals; kings bet, and only they are called with."""

    def play(cards: Sequence[int]) -> HandRecord:
        state = State(Setup.of(named_game("kuhn-2p")), cards)
        while not state.is_over:
            king = state.cards[state.actor or 0] == max(state.setup.deck)
            if state.legal_actions.fold:
                state.act(CALL if king else FOLD)
            else:
                state.act(raise_to(2) if king and state.legal_actions.can_raise else CALL)
        return HandRecord.of(state, ("a", "b"))

    return [play(deal) for deal in permutations(named_game("kuhn-2p").deck, 2)]


def test_over_all_sequences_of_deals_estimated_coefficients_leave_the_mean_exactly_as_it_is() -> None:
    total: list[float] = []
    raw: list[Chips] = []
    for sequence in product(kuhn_hands(), repeat=4):
        result = adjusted(sequence, [kuhn_luck], first_estimate=1)
        total.extend(payoffs[0] for payoffs in result.payoffs)
        raw.extend(record.payoffs[0] for record in sequence)
    assert fmean(total) == pytest.approx(float(Fraction(sum(raw), len(raw))), abs=1e-12)
    assert any(result != before for result, before in zip(total, raw, strict=True))


def test_a_hand_is_adjusted_by_what_earlier_units_say_only() -> None:
    records = [*kuhn_hands(), *kuhn_hands()]
    units = [number // 2 for number in range(len(records))]
    whole = adjusted(records, [kuhn_luck], units=units, first_estimate=1)
    for number in range(2, len(records), 2):
        start = adjusted(records[:number], [kuhn_luck], units=units[:number], first_estimate=1)
        assert whole.payoffs[:number] == start.payoffs
    first_unit = [tuple(map(float, record.payoffs)) for record in records[:2]]
    assert list(whole.payoffs[:2]) == first_unit, (
        "nothing was known yet, neither from the other hand of the unit"
    )


def test_the_coefficient_is_that_of_the_regression() -> None:
    records = kuhn_hands()
    x = np.array([kuhn_luck(record) for record in records]).ravel()
    y = np.array([[float(chips) for chips in record.payoffs] for record in records]).ravel()
    (coefficient,) = adjusted(records, [kuhn_luck]).coefficients
    assert coefficient == pytest.approx((x @ y) / (x @ x))


def test_a_variate_said_twice_or_saying_nothing_does_no_harm() -> None:
    def nothing(record: HandRecord) -> tuple[float, ...]:
        return (0.0,) * len(record.players)

    records = kuhn_hands() * 20
    once = adjusted(records, [kuhn_luck])
    again = adjusted(records, [kuhn_luck, nothing, kuhn_luck])
    assert np.allclose(once.payoffs, again.payoffs)
    assert again.coefficients[1] == 0


def test_starting_hand_luck_lessens_the_spread_and_keeps_the_mean_and_the_zero_sum() -> None:
    records = random_hands("limit-2p", 2000, Style(folds=0.02, raises=0.4))
    result = adjusted(records, [starting_hand_luck])
    raw = [float(record.payoffs[0]) for record in records]
    fair = [payoffs[0] for payoffs in result.payoffs]
    difference = [a - b for a, b in zip(raw, fair, strict=True)]
    assert abs(fmean(difference)) < 4 * stdev(difference) / sqrt(len(records))
    assert pvariance(fair) < 0.95 * pvariance(raw)
    assert result.coefficients[0] > 0
    assert all(sum(payoffs) == pytest.approx(0, abs=1e-9) for payoffs in result.payoffs)


def test_a_players_winnings_are_added_up_unit_by_unit_wherever_it_sat() -> None:
    hand = played("limit-2p", "AhAs KhKd 2c7d9s 3c4c", "f")
    swapped = replace(hand, players=("b", "a"))
    result = adjusted([hand, swapped, hand], units=[4, 4, 9])
    assert hand.payoffs == (5, -5)
    assert (result.of("a"), result.of("b"), result.of("c")) == ((0.0, 5.0), (0.0, -5.0), ())


def test_without_variates_only_the_all_in_luck_is_taken() -> None:
    records = random_hands(SHORT_STACKS, 60, Style(folds=0.2, raises=0.25))
    result = adjusted(records)
    assert result.payoffs == tuple(tuple(map(float, all_in_payoffs(record))) for record in records)
    assert result.coefficients == ()
    assert adjusted([]).payoffs == ()


def test_a_variate_of_the_wrong_shape_and_units_out_of_order_are_refused() -> None:
    records = kuhn_hands()
    with pytest.raises(LuckError, match="each of the 2 players"):
        adjusted(records, [lambda _: (0.0,)])
    with pytest.raises(LuckError, match="finite number"):
        adjusted(records, [lambda _: (0.0, float("nan"))])
    with pytest.raises(LuckError, match="2 unit numbers for 6 hands"):
        adjusted(records, units=[0, 1])
    with pytest.raises(LuckError, match="must be in ascending order"):
        adjusted(records, units=[0, 1, 0, 1, 0, 1])
