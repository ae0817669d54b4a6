"""Hand strength and potential: published numbers, slow twins, and what must hold whatever the cards."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from railbird.cards import CardError, format_cards, make_card, parse_cards, rank_of, suit_of
from railbird.equities.ranges import Range, RangeError
from railbird.equities.showdown import equity
from railbird.equities.strength import (
    Potential,
    Strength,
    StrengthError,
    board_potentials,
    ehs_optimistic,
    ehs_showdown,
    hand_potential,
    hand_strength,
    strength,
)
from railbird.hands.evaluator import evaluate
from railbird.hands.groups import holdings_of_group
from railbird.hands.holdings import HOLDINGS, blocked_by, cards_of, holding
from reference.hand_referees import eval7_values
from reference.strength import measure, random_situation, random_weights

ACE_QUEEN, ITS_FLOP = parse_cards("Ad Qc"), parse_cards("3h 4c Jh")


def require_same(found: Potential, expected: object, relative: float, *situation: object) -> None:
    """Compare every measure that both have; a failure names the measure and the situation."""
    for name in ("hs", "ppot", "npot", "expected_hs", "expected_hs_squared"):
        if hasattr(found, name):
            same = pytest.approx(getattr(expected, name), rel=relative, abs=1e-300)
            assert getattr(found, name) == same, (name, *situation)


# Published numbers


def test_the_example_of_the_alberta_papers() -> None:
    found = strength(ACE_QUEEN, ITS_FLOP)
    assert round(found.hs, 3) == 0.585
    assert round(found.ppot, 3) == 0.208
    assert round(found.npot, 3) == 0.274
    assert round(hand_strength(ACE_QUEEN, ITS_FLOP, opponents=5), 3) == 0.069


def test_its_table_of_transitions() -> None:
    """1,081 opponents on 990 run-outs; the 91,981 that pull ahead stand in Papp's thesis of 1998, the rest is ours."""
    assert strength(ACE_QUEEN, ITS_FLOP).transitions == (
        (449_005, 3_211, 169_504),
        (0, 8_370, 540),
        (91_981, 1_036, 346_543),
    )


def test_a_pair_of_eights_beats_903_hands() -> None:
    """Peña, "Probabilities and Simulations in Poker", 1999, on Loki: ahead of 903, tied with 6, behind 172."""
    hole, board = parse_cards("Ah 8h"), parse_cards("9h 8c 2c")
    rows = hand_potential(hole, board).transitions
    assert [sum(row) / 990 for row in rows] == [903, 6, 172]
    assert round(hand_strength(hole, board), 2) == 0.84
    assert round(hand_strength(hole, board, opponents=3), 2) == 0.59


def test_a_draw_is_weak_now_and_has_much_potential() -> None:
    """Papp 1998, section 5.3: an open-ended straight flush draw has a hand strength of 11.5 % only."""
    found = strength(parse_cards("8d 7d"), parse_cards("9d 6c 2d"))
    assert round(found.hs, 3) == 0.115
    assert found.ppot > 0.6


def test_relative_hand_strength_is_measured_against_the_likely_hand_groups() -> None:
    """baycarp-2011 §6.2.1: a queen that helps what the opponent is likely to hold lowers it (§6.3, fig. 6.12)."""
    likely = Range.of_holdings(index for group in (1, 2, 3, 4) for index in holdings_of_group(group))
    hole, flop = parse_cards("Kd Jc"), parse_cards("Jh Ts 4c")
    possible = likely.without((*hole, *flop))
    own, others = evaluate((*hole, *flop)), [evaluate((*cards_of(each), *flop)) for each in possible]
    beaten, tied = sum(own > other for other in others), others.count(own)
    assert hand_strength(hole, flop, likely) == (beaten + tied / 2) / len(others)
    river = parse_cards("Jh Ts 4c 5d Qs")
    assert hand_strength(hole, river, likely) < hand_strength(hole, flop, likely) - 0.2
    assert hand_strength(hole, river, likely) < hand_strength(hole, river) - 0.2


def test_all_situations_of_the_university_of_alberta(shared_data: Path) -> None:
    """2,500 rows; where one card follows the turn, its potentials divide by 45 instead of 44."""
    with (shared_data / "alberta_hs_ppot_npot.2500.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2500
    for row in rows:
        hole, board = parse_cards(row["hole"]), parse_cards(row["board"])
        one = hand_potential(hole, board, look_ahead=1)
        correction = 45 / 44 if len(board) == 4 else 1.0
        found = [one.hs, one.ppot, one.npot]
        printed = [float(row["hs"]), correction * float(row["ppot1"]), correction * float(row["npot1"])]
        if len(board) == 3:
            two = hand_potential(hole, board, look_ahead=2)
            found += [two.ppot, two.npot]
            printed += [float(row["ppot2"]), float(row["npot2"])]
        assert found == pytest.approx(printed, abs=1e-9), row


# Slow twins


def compare_with_twin(seed: int, board_cards: int, look_ahead: int) -> None:
    generator = np.random.default_rng([seed, board_cards, look_ahead])
    hole, board = random_situation(generator, board_cards)
    weights = random_weights(generator)
    weights[generator.choice(np.flatnonzero(~blocked_by((*hole, *board))))] = generator.random()
    situation = (format_cards(hole), format_cards(board), look_ahead)
    for against, relative in ((None, 1e-14), (weights, 1e-12)):
        expected = measure(hole, board, against, look_ahead)
        found = hand_potential(hole, board, against, look_ahead=look_ahead)
        require_same(found, expected, relative, *situation)
        if look_ahead == 5 - board_cards:
            require_same(strength(hole, board, against), expected, relative, *situation)
        if against is None:
            assert [list(row) for row in found.transitions] == expected.transitions, situation


@pytest.mark.parametrize("seed", range(6))
def test_two_cards_after_the_flop_agree_with_the_twin(seed: int) -> None:
    compare_with_twin(seed, 3, 2)


@pytest.mark.parametrize(("board_cards", "look_ahead"), [(3, 1), (4, 1), (5, 0)])
def test_one_card_and_none_agree_with_the_twin(board_cards: int, look_ahead: int) -> None:
    for seed in range(40):
        compare_with_twin(seed, board_cards, look_ahead)


@pytest.mark.parametrize(
    "board", ["5h 6h 7h", "2s 2d 2c", "Ah Kh 9d", "9c 9d 4c", "Ah Kh Qh Jh", "5h 6h 7h 8d", "2c 3c 4d 5d"]
)
def test_run_outs_taken_together_have_the_sums_of_run_outs_one_by_one(board: str) -> None:
    generator = np.random.default_rng(6)
    table = parse_cards(board)
    for _ in range(30):
        hole = generator.choice([card for card in range(52) if card not in table], 2, replace=False).tolist()
        weights = random_weights(generator)
        together = hand_potential(hole, table, weights).transitions
        one_by_one = strength(hole, table, weights).transitions
        assert np.array(together) == pytest.approx(np.array(one_by_one), rel=1e-12, abs=1e-12)


@pytest.mark.soak
@pytest.mark.parametrize(("board_cards", "look_ahead"), [(3, 2), (3, 1), (4, 1), (5, 0)])
@pytest.mark.parametrize("block", range(20))
def test_thousands_of_situations_agree_with_the_twin(board_cards: int, look_ahead: int, block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        compare_with_twin(seed, board_cards, look_ahead)


@pytest.mark.parametrize("board", ["5h 6h 7h", "2s 2d 2c", "Ah Kh Qh Jh", "9c 9d 4c 4d", "2h 4h 6h 8h Th"])
def test_boards_with_a_flush_or_few_ranks_agree_with_eval7(board: str) -> None:
    generator = np.random.default_rng(5)
    table = parse_cards(board)
    live = [card for card in range(52) if card not in table]
    for _ in range(2):
        hole = tuple(generator.choice(live, size=2, replace=False).tolist())
        look_ahead = min(1, 5 - len(table))
        found = hand_potential(hole, table, look_ahead=look_ahead)
        require_same(found, measure(hole, table, None, look_ahead, eval7_values), 1e-14)


def test_rivers_agree_with_eval7() -> None:
    generator = np.random.default_rng(6)
    for _ in range(25):
        hole, board = random_situation(generator, 5)
        weights = random_weights(generator) + 0.01
        for against in (None, weights):
            expected = measure(hole, board, against, 0, eval7_values)
            assert hand_strength(hole, board, 1 if against is None else against) == pytest.approx(
                expected.hs, rel=1e-13
            )


# What must hold whatever the cards

SITUATIONS = st.integers(3, 5).flatmap(
    lambda board_cards: st.lists(
        st.integers(0, 51), unique=True, min_size=2 + board_cards, max_size=2 + board_cards
    )
)


@st.composite
def situations_and_ranges(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], Range]:
    """Hole cards, a board, and a range with at least one holding that they do not block."""
    cards = draw(SITUATIONS)
    weights = random_weights(np.random.default_rng(draw(st.integers(0, 2**32 - 1))))
    weights[draw(st.integers(0, HOLDINGS - 1).filter(lambda each: not blocked_by(cards)[each]))] = 0.75
    return tuple(cards[:2]), tuple(cards[2:]), Range(weights)


@settings(deadline=None)
@given(situations_and_ranges())
def test_a_hand_is_ahead_now_or_later_as_often_as_its_transitions_say(
    situation: tuple[tuple[int, ...], tuple[int, ...], Range],
) -> None:
    hole, board, believed = situation
    for against in (None, believed):
        found = strength(hole, board, against)
        ahead, tied, behind = (sum(row) for row in found.transitions)
        assert found.hs == pytest.approx((ahead + tied / 2) / (ahead + tied + behind), rel=1e-12)
        won, drawn, lost = (sum(column) for column in zip(*found.transitions, strict=True))
        assert found.expected_hs == pytest.approx((won + drawn / 2) / (won + drawn + lost), rel=1e-12)
        # To be ahead and stay there, or behind and pull ahead, is to win: the second form of EHS is the equity.
        assert found.ehs_showdown == pytest.approx(found.expected_hs, rel=1e-12)
        assert found.hs <= found.ehs_optimistic + 1e-15
        assert found.ehs_showdown <= found.ehs_optimistic + 1e-15
        assert 0 <= found.expected_hs**2 <= found.expected_hs_squared + 1e-15
        assert found.expected_hs_squared <= found.expected_hs + 1e-15
        assert 0 <= found.ppot <= 1
        assert 0 <= found.npot <= 1


@settings(deadline=None, max_examples=30)
@given(situations_and_ranges(), st.permutations(range(4)))
def test_other_names_for_suits_change_nothing(
    situation: tuple[tuple[int, ...], tuple[int, ...], Range], suits: list[int]
) -> None:
    hole, board, believed = situation
    renamed = [make_card(rank_of(card), suits[suit_of(card)]) for card in range(52)]
    weights = np.zeros(HOLDINGS)
    for high in range(52):
        for low in range(high):
            weights[holding((renamed[high], renamed[low]))] = believed.weights[holding((high, low))]
    new_hole, new_board = [renamed[card] for card in hole], [renamed[card] for card in board]
    assert strength(new_hole, new_board) == strength(hole, board)
    require_same(strength(new_hole, new_board, weights), strength(hole, board, believed), 1e-12)


@settings(deadline=None, max_examples=30)
@given(situations_and_ranges(), st.sampled_from([1e-300, 1e-30, 0.1, 7.0, 1e30, 1e300]))
def test_only_the_proportions_of_weights_count(
    situation: tuple[tuple[int, ...], tuple[int, ...], Range], factor: float
) -> None:
    hole, board, believed = situation
    assume((believed.weights[believed.weights > 0] * factor > 1e-290).all())
    require_same(strength(hole, board, believed * factor), strength(hole, board, believed), 1e-11)


@settings(deadline=None, max_examples=30)
@given(situations_and_ranges())
def test_holdings_that_cannot_be_held_do_not_count(
    situation: tuple[tuple[int, ...], tuple[int, ...], Range],
) -> None:
    hole, board, believed = situation
    blocked = blocked_by((*hole, *board))
    with_more = Range(np.where(blocked, 1.0, believed.weights))
    assert strength(hole, board, with_more) == strength(hole, board, believed.without((*hole, *board)))


@settings(deadline=None, max_examples=30)
@given(SITUATIONS)
def test_the_range_of_all_holdings_is_a_random_holding(cards: list[int]) -> None:
    hole, board = cards[:2], cards[2:]
    assert hand_strength(hole, board, Range.random()) == hand_strength(hole, board)
    require_same(strength(hole, board, Range.random()), strength(hole, board), 1e-13)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 51), unique=True, min_size=7, max_size=9))
def test_two_known_hands_see_each_other_from_two_sides(cards: list[int]) -> None:
    one, other, board = cards[:2], cards[2:4], cards[4:]
    ours = strength(one, board, Range.of_holdings([holding(other)]))
    theirs = strength(other, board, Range.of_holdings([holding(one)]))
    assert ours.hs in (0.0, 0.5, 1.0)
    assert ours.hs + theirs.hs == 1.0
    assert ours.expected_hs + theirs.expected_hs == pytest.approx(1.0, rel=1e-14)
    assert ours.ppot == pytest.approx(theirs.npot, rel=1e-14)
    assert ours.npot == pytest.approx(theirs.ppot, rel=1e-14)
    exact = equity([one, other], board).players[0].equity
    assert ours.expected_hs == pytest.approx(exact, rel=1e-14)


# Several opponents, and the two forms of effective hand strength


def test_several_opponents_multiply() -> None:
    aces, kings = Range.parse("AA, AKs"), Range.parse("KK, 76s:0.5")
    alone = [hand_strength(ACE_QUEEN, ITS_FLOP, each) for each in (aces, kings)]
    assert hand_strength(ACE_QUEEN, ITS_FLOP, [aces, kings]) == alone[0] * alone[1]
    assert hand_strength(ACE_QUEEN, ITS_FLOP, [aces]) == alone[0]
    assert hand_strength(ACE_QUEEN, ITS_FLOP, [kings.weights, aces.weights]) == alone[1] * alone[0]
    assert hand_strength(ACE_QUEEN, ITS_FLOP, 3) == hand_strength(ACE_QUEEN, ITS_FLOP) ** 3


def test_effective_hand_strength_has_two_forms() -> None:
    assert ehs_optimistic(0.5, 0.2) == 0.6
    assert ehs_showdown(0.5, 0.2, 0.4) == pytest.approx(0.4)
    found = hand_potential(ACE_QUEEN, ITS_FLOP, look_ahead=1)
    assert found.ehs_optimistic == found.hs + (1 - found.hs) * found.ppot
    assert found.ehs_showdown == found.hs * (1 - found.npot) + (1 - found.hs) * found.ppot


# Ends of the scale


def test_a_hand_that_cannot_be_beaten_has_neither_potential() -> None:
    royal = strength(parse_cards("Ah Kh"), parse_cards("Qh Jh Th"))
    assert (royal.hs, royal.ppot, royal.npot, royal.expected_hs_squared) == (1.0, 0.0, 0.0, 1.0)


def test_a_hand_that_always_shares_the_pot_is_half_strong() -> None:
    shared = strength(parse_cards("2c 3d"), parse_cards("Ah Kh Qh Jh Th"))
    assert (shared.hs, shared.expected_hs, shared.expected_hs_squared) == (0.5, 0.5, 0.25)


def test_a_hand_that_is_drawing_dead_has_nothing_to_lose() -> None:
    dead = strength(parse_cards("2c 3d"), parse_cards("8h 8s 7h"), Range.parse("8d8c"))
    assert (dead.hs, dead.ppot, dead.npot, dead.expected_hs) == (0.0, 0.0, 0.0, 0.0)


def test_the_river_has_no_potential() -> None:
    hole, board = parse_cards("Ad Qc"), parse_cards("3h 4c Jh 7d 2s")
    found = strength(hole, board)
    assert isinstance(found, Strength)
    assert (found.ppot, found.npot, found.look_ahead) == (0.0, 0.0, 0)
    assert (
        found.hs
        == found.expected_hs
        == found.ehs_optimistic
        == found.ehs_showdown
        == hand_strength(hole, board)
    )
    assert found.expected_hs_squared == found.hs**2
    assert hand_potential(hole, board, look_ahead=0) == hand_potential(hole, board)


# Questions without an answer


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("Ah", "2c 3c 4c", "a hand has two hole cards, not 1"),
        ("Ah Kh Qh", "2c 3c 4c", "a hand has two hole cards, not 3"),
        ("Ah Kh", "", "needs a board of 3, 4 or 5 cards, not of 0"),
        ("Ah Kh", "2c 3c 4c 5c 6c 7c 8c 9c Tc", "needs a board of 3, 4 or 5 cards, not of 9"),
        ("Ah Kh", "2c Kh 4c", "Kh is both a hole card and on the board"),
    ],
)
def test_cards_that_make_no_situation_are_refused(hole: str, board: str, message: str) -> None:
    for question in (strength, hand_potential, hand_strength):
        with pytest.raises(StrengthError, match=message):
            question(parse_cards(hole), parse_cards(board))


def test_cards_that_are_none_or_appear_twice_are_refused() -> None:
    with pytest.raises(CardError, match="Ah appears twice"):
        strength((50, 50), ITS_FLOP)
    with pytest.raises(CardError, match="Ah appears twice"):
        strength(ACE_QUEEN, (50, 1, 50))
    with pytest.raises(CardError, match="52 is not a card"):
        hand_strength((52, 1), ITS_FLOP)


@pytest.mark.parametrize("look_ahead", [-1, 0, 3])
def test_a_look_ahead_that_the_board_does_not_allow_is_refused(look_ahead: int) -> None:
    with pytest.raises(StrengthError, match=f"look_ahead must be 1 or 2, not {look_ahead}"):
        hand_potential(ACE_QUEEN, ITS_FLOP, look_ahead=look_ahead)


def test_opponents_without_a_holding_are_refused() -> None:
    with pytest.raises(StrengthError, match="at least one opponent, not 0"):
        hand_strength(ACE_QUEEN, ITS_FLOP, 0)
    with pytest.raises(StrengthError, match="at least one opponent, not an empty list of ranges"):
        hand_strength(ACE_QUEEN, ITS_FLOP, [])
    with pytest.raises(StrengthError, match="the range is empty"):
        strength(ACE_QUEEN, ITS_FLOP, Range.empty())
    with pytest.raises(StrengthError, match="the known cards Ad Qc 3h 4c Jh block the whole range"):
        strength(ACE_QUEEN, ITS_FLOP, Range.parse("AdKd, JhTh"))
    with pytest.raises(RangeError, match="a range has 1,326 weights"):
        strength(ACE_QUEEN, ITS_FLOP, np.ones(169))


# All holdings of a board


@pytest.mark.parametrize(
    "cards", ["Ah7h2c", "Ah7d2c", "Th9h8h", "9s9d9c", "Kc8d3h3s", "Jh9h8h2h", "Qs7s4d4h2c"]
)
def test_the_potentials_of_all_holdings_are_those_of_each(cards: str) -> None:
    board = parse_cards(cards)
    generator = np.random.default_rng(len(cards) + sum(board))
    whole = np.floor(3 * generator.random(HOLDINGS))
    (found,) = board_potentials(board)
    both = board_potentials(board, [whole, generator.random(HOLDINGS)])
    assert np.array_equal(np.isnan(found.hs), blocked_by(board))
    for number in generator.choice(np.flatnonzero(~blocked_by(board)), 25, replace=False).tolist():
        own, against = hand_potential(cards_of(number), board), hand_potential(cards_of(number), board, whole)
        assert (found.hs[number], found.ppot[number], found.npot[number]) == (own.hs, own.ppot, own.npot)
        measured = [each[number] for each in (both[0].hs, both[0].ppot, both[0].npot)]
        assert measured == [against.hs, against.ppot, against.npot]


def test_the_potentials_of_all_holdings_of_a_flop_may_look_one_card_ahead() -> None:
    board = parse_cards("Ah7h2c")
    (found,) = board_potentials(board, look_ahead=1)
    for number in np.flatnonzero(~blocked_by(board))[::40].tolist():
        own = hand_potential(cards_of(number), board, look_ahead=1)
        assert (found.hs[number], found.ppot[number], found.npot[number]) == (own.hs, own.ppot, own.npot)
    with pytest.raises(StrengthError, match="with 4 board cards, look_ahead must be 1, not 2"):
        board_potentials(parse_cards("Ah7h2c3d"), look_ahead=2)


def test_the_potentials_of_all_holdings_agree_with_the_twin() -> None:
    board = parse_cards("Ts9s4d2c")
    weights = np.random.default_rng(3).random(HOLDINGS)
    (found,) = board_potentials(board, [weights])
    for number in range(0, HOLDINGS, 60):
        if not blocked_by(board)[number]:
            twin = measure(cards_of(number), board, weights)
            measured = (found.hs[number], found.ppot[number], found.npot[number])
            assert measured == pytest.approx((twin.hs, twin.ppot, twin.npot), rel=1e-12)


def test_holdings_that_leave_nothing_of_a_range_have_no_potential() -> None:
    board = parse_cards("Ah7h2c")
    weights = np.zeros(HOLDINGS)
    weights[holding(parse_cards("KsKd"))] = 1.0
    (found,) = board_potentials(board, [weights])
    assert np.array_equal(np.isnan(found.hs), blocked_by((*board, *parse_cards("KsKd"))))
    assert np.array_equal(np.isnan(found.ppot), np.isnan(found.hs))
