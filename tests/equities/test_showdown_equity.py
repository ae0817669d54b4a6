"""Equity against hands and ranges: exact where it says so, and honest about its error where it does not."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import inf, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import CardError, format_card, parse_cards
from railbird.equities.matchups import RUN_OUTS, build_matchups
from railbird.equities.ranges import Range, RangeError
from railbird.equities.showdown import EquityError, EquityResult, Player, equity
from railbird.equities.showdown_ways import (
    HoldingByHolding,
    InOrderOfValues,
    KnownHoldings,
    ShowdownAnswer,
    ShowdownQuestion,
    sampled_answer,
)
from railbird.hands.evaluator import tables
from railbird.hands.holdings import cards_of, holding
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.hands.isomorphism import BOARDS, situation_sets
from railbird.kernels.showdown.preflop_matchups import BATCH, add_wins
from reference.hand_referees import eval7_values
from reference.isomorphism import renamed, renamings
from reference.showdown_equity import Hand, eval7_river_equity, shares

Deal = tuple[list[dict[Hand, Fraction]], tuple[int, ...], tuple[int, ...]]


def random_deal(generator: np.random.Generator, players: int, board: int, dead: int, holdings: int) -> Deal:
    """Ranges of a few holdings with weights in quarters; at least one deal of them is possible."""
    deck = generator.permutation(52).tolist()
    table, rest = deck[: board + dead], deck[board + dead :]
    ranges: list[dict[Hand, Fraction]] = []
    for player in range(players):
        hands = [rest[2 * player : 2 * player + 2]]
        hands += [generator.choice(rest, 2, replace=False).tolist() for _ in range(holdings - 1)]
        ranges.append({(max(hand), min(hand)): Fraction(int(generator.integers(1, 9)), 4) for hand in hands})
    return ranges, tuple(table[:board]), tuple(table[board:])


def as_range(weights: Mapping[Hand, Fraction]) -> Range:
    array = np.zeros(HOLDINGS)
    for hand, weight in weights.items():
        array[holding(hand)] = float(weight)
    return Range(array)


def as_question(ranges: Sequence[Range], board: Sequence[int], dead: Sequence[int]) -> ShowdownQuestion:
    gone = (*board, *dead)
    return ShowdownQuestion(
        np.array([each.without(gone).weights for each in ranges]), tuple(board), tuple(dead)
    )


def as_rows(result: EquityResult) -> NDArray[np.float64]:
    return np.array([(each.win, each.tie, each.lose, each.equity) for each in result.players])


DEALS = {
    "two players on the river": (2, 5, 0, 12),
    "two players on the turn": (2, 4, 0, 8),
    "two players on the flop": (2, 3, 0, 3),
    "two players before the flop": (2, 0, 36, 3),
    "three players on the river": (3, 5, 0, 8),
    "three players on the turn, with dead cards": (3, 4, 3, 5),
    "five players before the flop": (5, 0, 34, 2),
    "ten players on the turn": (10, 4, 12, 2),
}


@pytest.mark.parametrize(("players", "board", "dead", "holdings"), DEALS.values(), ids=DEALS.keys())
def test_exact_equity_is_what_dealing_every_deal_gives(
    players: int, board: int, dead: int, holdings: int
) -> None:
    generator = np.random.default_rng(players * 100 + board)
    for _ in range(3):
        ranges, table, gone = random_deal(generator, players, board, dead, holdings)
        expected = np.array(shares(ranges, table, gone), dtype=np.float64)
        result = equity([as_range(each) for each in ranges], table, gone, exact_within=inf)
        assert result.exact
        assert all(player.standard_error == 0 for player in result.players)
        np.testing.assert_allclose(as_rows(result), expected, rtol=0, atol=1e-12, err_msg=f"{ranges} {table}")


@pytest.mark.parametrize(("players", "board", "dead", "holdings"), DEALS.values(), ids=DEALS.keys())
def test_every_exact_way_gives_the_same_answer(players: int, board: int, dead: int, holdings: int) -> None:
    generator = np.random.default_rng(players * 100 + board + 1)
    ranges, table, gone = random_deal(generator, players, board, dead, holdings)
    question = as_question([as_range(each) for each in ranges], table, gone)
    first = HoldingByHolding(question).answer()
    others = [InOrderOfValues(question).answer()] if players == 2 else []
    if players <= 6:
        others.append(KnownHoldings.of(question).answer())
    for other in others:
        assert other.deals == first.deals
        np.testing.assert_allclose(_shares(other), _shares(first), rtol=0, atol=1e-12)


def _shares(answer: ShowdownAnswer) -> NDArray[np.float64]:
    whole: NDArray[np.float64] = answer.outcomes / answer.outcomes.sum()
    return whole


def test_rivers_agree_with_eval7() -> None:
    generator = np.random.default_rng(7)
    opponent = "22+, A2s+, KTs+, QTs+, JTs, T9s, ATo+, KQo"
    for _ in range(200):
        cards = generator.permutation(52)[:7].tolist()
        hole, board = cards[:2], cards[2:]
        expected = eval7_river_equity(hole, opponent, board)
        result = equity([hole, Range.parse(opponent)], board)
        assert result.players[0].equity == pytest.approx(expected, abs=1e-6), (
            hole,
            board,
        )  # single precision


def test_aces_against_kings_before_the_flop() -> None:
    # The counts are those that eval7 finds on all boards, in the soak test below.
    result = equity([parse_cards("Ah As"), parse_cards("Kh Kd")])
    aces, kings = result.players
    assert result.deals == 1_712_304
    assert np.rint(np.array([aces.win, aces.tie, aces.lose]) * result.deals).tolist() == [
        1_399_204,
        7_923,
        305_177,
    ]
    assert aces.equity == pytest.approx(0.81946, abs=5e-6)
    assert (kings.win, kings.tie, kings.lose) == (aces.lose, aces.tie, aces.win)


@pytest.mark.soak
def test_eval7_counts_the_same_boards_for_aces_against_kings() -> None:
    hands = np.array([parse_cards("Ah As"), parse_cards("Kh Kd")], dtype=np.uint8)
    live = [card for card in range(52) if card not in hands]
    boards = np.array(list(combinations(live, 5)), dtype=np.uint8)
    aces, kings = (eval7_values(np.column_stack((np.tile(hand, (len(boards), 1)), boards))) for hand in hands)
    counts = [int(np.sum(aces > kings)), int(np.sum(aces == kings)), int(np.sum(aces < kings))]
    assert counts == [1_399_204, 7_923, 305_177]


def test_classes_before_the_flop_count_holdings_that_differ_only_in_suits_once() -> None:
    question = as_question([Range.parse("AA"), Range.parse("KK")], (), ())
    way = KnownHoldings.of(question)
    # The kings share both suits with the aces, one of them, or none.
    assert sorted(way.weights.tolist()) == [6, 6, 24]
    assert way.deals == 36 * RUN_OUTS


def test_a_range_of_one_hand_equals_the_hand() -> None:
    board = parse_cards("Th 9h 2c")
    hand = parse_cards("Ah Kh")
    opponent = Range.parse("TT+, 98s")
    as_hand = equity([hand, opponent], board)
    assert equity([Range.of_holdings([holding(hand)]), opponent], board) == as_hand
    assert equity([Range.of_holdings([holding(hand)]).weights, opponent.weights], board) == as_hand


def test_equities_sum_to_one_and_chances_too() -> None:
    board = parse_cards("Th 9h 2c")
    players: list[Player] = [parse_cards("Ah Kh"), Range.parse("22+"), Range.parse("T9s, 98s:0.5")]
    for exact_within in (inf, 0):
        result = equity(players, board, exact_within=exact_within, samples=20_000)
        assert sum(player.equity for player in result.players) == pytest.approx(1, abs=1e-12)
        for player in result.players:
            assert player.win + player.tie + player.lose == pytest.approx(1, abs=1e-12)
            assert player.win <= player.equity <= player.win + player.tie


def test_equal_ranges_have_equal_equities() -> None:
    result = equity([Range.random(), Range.random()], parse_cards("Th 9h 2c"))
    assert result.exact
    assert [player.equity for player in result.players] == pytest.approx([0.5, 0.5], abs=1e-12)


def test_renaming_suits_changes_nothing() -> None:
    players = [parse_cards("Ah Kd"), parse_cards("7h 7c"), parse_cards("Qs Js")]
    board = parse_cards("Th 9s 2h")
    expected = equity(players, board)
    for suits in permutations(range(4)):
        hands = [renamed(hand, suits) for hand in players]
        assert equity(hands, renamed(board, suits)) == expected


def test_players_may_sit_in_any_order() -> None:
    board = parse_cards("Th 9h 2c 3d")
    players: list[Player] = [parse_cards("Ah Kh"), Range.parse("22+"), Range.parse("T9s, 98s:0.5")]
    expected = as_rows(equity(players, board))
    for order in permutations(range(3)):
        rows = as_rows(equity([players[seat] for seat in order], board))
        np.testing.assert_allclose(rows, expected[list(order)], rtol=0, atol=1e-12)


def test_dead_cards_are_held_by_nobody_and_never_come() -> None:
    # The two deuces that would make four of a kind are dead, so nothing saves the pair.
    hands = [parse_cards("Ah As"), parse_cards("2h 2d")]
    board = parse_cards("Ac Kc 7s 7d")
    assert equity(hands, board).players[1].win == 0
    assert equity(hands, parse_cards("Kc 2c 7s 7d")).players[0].win > 0
    aces_alone: list[Player] = [parse_cards("Ah As"), Range.parse("KK")]
    aces_or_kings: list[Player] = [parse_cards("Ah As"), Range.parse("AA, KK")]
    assert equity(aces_or_kings, dead=parse_cards("Ac")) == equity(aces_alone, dead=parse_cards("Ac"))


SAMPLED_CASES: dict[str, tuple[list[str], str, str]] = {
    "hand against range": (["AhKs", "QQ+"], "", ""),
    "ranges that need the same cards": (["AA, AKs", "AA, AKs", "AA:0.1, KK"], "Th 9h 2c", ""),
    "ranges of unequal weights": (["AA:0.01, 72o", "22+:0.3, AKs"], "Th 9h 2c", "As"),
    "three ranges on the turn": (["22+", "A2s+", "KQ, QJ, JT"], "Th 9h 2c 3d", ""),
    "five hands": (["AhAs", "KhKd", "QhQd", "JhJd", "7c2d"], "", ""),
}


def as_player(text: str) -> Player:
    return parse_cards(text) if len(text) == 4 and text[1] in "cdhs" else Range.parse(text)


@pytest.mark.parametrize(("texts", "board", "dead"), SAMPLED_CASES.values(), ids=SAMPLED_CASES.keys())
def test_sampled_equity_is_within_four_standard_errors(texts: list[str], board: str, dead: str) -> None:
    players = [as_player(text) for text in texts]
    table, gone = parse_cards(board), parse_cards(dead)
    exact = equity(players, table, gone, exact_within=inf)
    sampled = equity(players, table, gone, exact_within=0, samples=100_000, seed=3)
    assert exact.exact
    assert not sampled.exact
    assert sampled.deals == 100_000
    for true, drawn in zip(exact.players, sampled.players, strict=True):
        assert 0 < drawn.standard_error < 0.003
        assert abs(drawn.equity - true.equity) < 4 * drawn.standard_error
        assert drawn.win == pytest.approx(true.win, abs=0.01)
        assert drawn.tie == pytest.approx(true.tie, abs=0.01)


def test_the_standard_error_is_the_spread_of_repeated_samples() -> None:
    players = [Range.parse("AA, AKs, QJs:0.2"), Range.parse("AA:0.1, KK, AQs"), Range.parse("22+, AJs+")]
    board = parse_cards("Th 9h 2c 3d")
    true = [player.equity for player in equity(players, board, exact_within=inf).players]
    seeds = 400
    samples = [
        equity(players, board, exact_within=0, samples=2_000, seed=seed).players for seed in range(seeds)
    ]
    for player in range(3):
        scores = [(each[player].equity - true[player]) / each[player].standard_error for each in samples]
        # The mean square of 400 standard normal scores is 1 ± 0.07; their mean 0 ± 0.05.
        assert sum(score**2 for score in scores) / seeds == pytest.approx(1, abs=0.3)
        assert sum(scores) / seeds == pytest.approx(0, abs=4 / sqrt(seeds))


def test_deals_are_drawn_from_the_joint_distribution_of_ranges_that_conflict() -> None:
    # Who wins tells which pairs were dealt, and the pairs need each other's cards.
    classes = [
        {"AA": 1.0, "KK": 2.0, "QQ": 0.5},
        {"AA": 0.01, "KK": 1.0, "QQ": 3.0},
        {"AA": 0.3, "KK": 1.0, "JJ": 0.02},
    ]
    board = parse_cards("2c 2d 2h 7s 8d")
    question = as_question([Range.of_classes(each) for each in classes], board, ())
    exact = HoldingByHolding(question).answer()
    sampled = sampled_answer(question, 200_000, seed=1)
    assert np.count_nonzero(exact.outcomes) == 6
    # The variance of a cell's share is at most the cell's Σ w² over the squared total.
    errors = np.sqrt(sampled.squares) / sampled.outcomes.sum()
    assert np.all(np.abs(_shares(sampled) - _shares(exact)) <= 4 * errors)


def test_ranges_that_leave_almost_nothing_are_drawn_exactly() -> None:
    # The third player nearly always wants the aces that the first two hold, and must take the kings.
    third = Range.parse("AA") + Range.parse("KK, 22") * 1e-9
    hands: list[Player] = [parse_cards("Ah As"), Range.parse("AcAd, 72s:0.5"), third]
    board = parse_cards("Th 9h 3c 3d")
    exact = equity(hands, board, exact_within=inf)
    sampled = equity(hands, board, exact_within=0, samples=50_000)
    for true, drawn in zip(exact.players, sampled.players, strict=True):
        assert abs(drawn.equity - true.equity) < 4 * drawn.standard_error + 1e-12


def test_ten_random_players_have_a_tenth_each() -> None:
    result = equity([Range.random()] * 10, samples=50_000)
    assert not result.exact
    for player in result.players:
        assert abs(player.equity - 0.1) < 4 * player.standard_error


def test_a_seed_names_the_sample() -> None:
    players = [Range.random()] * 3
    first = equity(players, samples=1_000, seed=1)
    assert equity(players, samples=1_000, seed=1) == first
    assert equity(players, samples=1_000, seed=2) != first


def test_matchups_count_the_boards_of_their_classes() -> None:
    wins = np.zeros((HOLDINGS, HOLDINGS), dtype=np.int32)
    first = BOARDS[5] - BATCH - 2
    add_wins(first, BOARDS[5], tables(), wins)
    expected = np.zeros((HOLDINGS, HOLDINGS), dtype=np.int64)
    holdings = np.column_stack((HIGH_CARDS, LOW_CARDS))
    for number in range(first, BOARDS[5]):
        _, board_set = situation_sets(number, 0, 5)
        board = [card for card in range(52) if board_set >> (13 * (card % 4) + card // 4) & 1]
        free = ~np.isin(holdings, board).any(axis=1)
        values = eval7_values(
            np.column_stack((holdings[free], np.tile(np.array(board, dtype=np.uint8), (int(free.sum()), 1))))
        )
        expected[np.ix_(free, free)] += len(renamings((), board)) * (values[:, None] > values[None, :])
    assert np.array_equal(wins, expected)


@pytest.mark.soak
def test_matchups_agree_with_counting_every_board() -> None:
    wins = build_matchups()
    generator = np.random.default_rng(5)
    for _ in range(50):
        a, b, c, d = generator.permutation(52)[:4].tolist()
        first, second = equity([(a, b), (c, d)]).players
        one, other = holding((a, b)), holding((c, d))
        counted = (round(first.win * RUN_OUTS), round(second.win * RUN_OUTS))
        assert counted == (wins[one, other], wins[other, one]), (cards_of(one), cards_of(other))
    assert np.all(wins + wins.T <= RUN_OUTS)


@pytest.mark.parametrize("players", [1, 11])
def test_there_are_two_to_ten_players(players: int) -> None:
    with pytest.raises(EquityError, match=f"equity is computed for 2 to 10 players, not {players}"):
        equity([Range.random()] * players)


def test_a_board_of_nine_cards_is_refused() -> None:
    with pytest.raises(EquityError, match="a board has 0, 3, 4 or 5 cards, not 9"):
        equity([Range.random()] * 2, parse_cards("2c 3c 4c 5c 6c 7c 8c 9c Tc"))


@pytest.mark.parametrize(
    ("players", "board", "dead", "sentence"),
    [
        (["AhKs", "QQ"], "Ah 7d 2c", "", "Ah is both on the board and in player 1's hand"),
        (["AhKs", "KsKd"], "", "", "Ks is both in player 1's hand and in player 2's hand"),
        (["AhKs", "QQ"], "Th 7d 2c", "2c", "2c is both on the board and among the dead cards"),
        (["AhKs", "AhAd"], "Th 7d 2c", "", "Ah is both in player 1's hand and in player 2's hand"),
        (["QQ", "AhKs, AhKd"], "Ah 7d 2c", "", "player 2 has no holding left"),
        (["AsAd, AsKs", "AsAd, AsKs, AsQs"], "", "", "no deal gives every player a holding"),
    ],
)  # fmt: skip
def test_cards_in_two_places_are_pointed_at(players: list[str], board: str, dead: str, sentence: str) -> None:
    with pytest.raises(EquityError, match=sentence):
        equity([as_player(text) for text in players], parse_cards(board), parse_cards(dead))


def test_a_card_given_twice_in_one_place_is_refused() -> None:
    with pytest.raises(CardError, match="Ah appears twice"):
        equity([(50, 50), Range.random()])


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(EquityError, match="player 2's range is empty"):
        equity([Range.random(), Range.empty()])


def test_weights_that_are_no_range_are_refused() -> None:
    with pytest.raises(RangeError, match="1,326 weights"):
        equity([Range.random(), np.ones(169)])


def test_a_hand_of_three_cards_is_refused() -> None:
    with pytest.raises(EquityError, match="player 1 has 3 cards: give two cards or a range"):
        equity([parse_cards("Ah Ks Qd"), Range.random()])


def test_a_deck_that_is_too_small_is_refused() -> None:
    dead = tuple(range(30))
    with pytest.raises(EquityError, match="need 25 more cards, but only 22 are left"):
        equity([Range.random()] * 10, dead=dead)


def test_a_sample_has_at_least_one_deal() -> None:
    with pytest.raises(EquityError, match="at least one deal must be sampled, not 0"):
        equity([Range.random()] * 2, samples=0)


def test_ranges_that_never_fit_together_are_refused_when_sampled_too() -> None:
    ranges = [Range.parse("AsAd, AsKs"), Range.parse("AsAd, AsKs, AsQs")]
    with pytest.raises(EquityError, match="none of 1,000 random deals"):
        equity(ranges, exact_within=0, samples=1_000)


def test_cards_are_named_as_text_in_errors() -> None:
    with pytest.raises(EquityError, match=format_card(0)):
        equity([(0, 1), (0, 2)])
