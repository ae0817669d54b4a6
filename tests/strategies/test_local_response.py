"""The values that a local best response compares: by hand, and against brute force on the river."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.equities.ranges import Range
from railbird.equities.showdown import equity
from railbird.hands.holdings import HOLDINGS, blocked_by, cards_of, parse_holding
from railbird.strategies.actions import ActionAbstraction
from railbird.strategies.local_response import FoldOrStay, OpponentRange, response_values, showdown_value
from reference.local_response import river_values

LIMIT_2P = Setup.of(named_game("limit-2p"))
NO_LIMIT_2P = Setup.of(named_game("nolimit-2p"))
NEVER = np.zeros(HOLDINGS)
ALWAYS = np.ones(HOLDINGS)


def node_after(setup: Setup, *actions: Action) -> BettingNode:
    node = setup.tree.root
    for action in actions:
        node = setup.tree.after(node, action)
    return node


def values_at(
    setup: Setup, node: BettingNode, known: OpponentRange, letters: str, fold: NDArray[np.float64]
) -> dict[Action, float]:
    """The values of the actions of the seat to act, whose opponent folds to raises with these probabilities."""
    seat = node.actor
    assert seat is not None

    def prospects(after: BettingNode) -> FoldOrStay:
        return FoldOrStay.of(setup.tree, after, seat, known, fold)

    return response_values(setup.tree, node, known, ActionAbstraction(letters), prospects)


def test_a_range_begins_with_what_the_seat_does_not_hold() -> None:
    known = OpponentRange.unknown(parse_cards("Ah Ad"))
    assert known.weights.sum() == 50 * 49 / 2
    flop = known.on(parse_cards("2c 3c 4c"))
    assert flop.weights.sum() == 47 * 46 / 2
    aces = flop.after(Range.parse("AA").weights)
    assert np.flatnonzero(aces.weights).tolist() == [parse_holding("AsAc")]


@pytest.mark.parametrize("board", ["", "Qh 7h 2c", "Qh 7h 2c 2d", "Qh 7h 2c 2d 3h"])
def test_equities_are_those_of_the_equity_command(board: str) -> None:
    hole, opponent = parse_cards("Ah Kh"), Range.parse("QQ+, 76s:0.3, AQo:0.5")
    known = OpponentRange.unknown(hole).after(opponent.weights).on(parse_cards(board))
    expected = equity([hole, opponent], parse_cards(board), exact_within=60).players[0].equity
    assert known.equity == pytest.approx(expected, abs=1e-12)


def test_before_the_flop_by_hand() -> None:
    known = OpponentRange.unknown(parse_cards("7c 2d"))
    root = LIMIT_2P.tree.root  # the button has paid 5, the big blind 10
    share = 2 * known.equity - 1
    calling = values_at(LIMIT_2P, root, known, "fcr", NEVER)
    assert calling == pytest.approx({FOLD: -5, CALL: 10 * share, raise_to(20): 20 * share})
    folding = values_at(LIMIT_2P, root, known, "fcr", ALWAYS)
    assert folding == pytest.approx({FOLD: -5, CALL: 10 * share, raise_to(20): 10})


def test_bets_of_no_limit_by_hand() -> None:
    known = OpponentRange.unknown(parse_cards("Ah As"))
    share = 2 * known.equity - 1
    half = np.full(HOLDINGS, 0.5)
    values = values_at(NO_LIMIT_2P, NO_LIMIT_2P.tree.root, known, "fcpa", half)
    assert values == pytest.approx(
        {
            FOLD: -50,
            CALL: 100 * share,
            raise_to(300): (100 + 300 * share) / 2,
            raise_to(20000): (100 + 20000 * share) / 2,
        }
    )


def test_what_folds_leaves_the_range_that_calls() -> None:
    # On the river the opponent has a set or nothing, calls with the set, and folds nothing.
    board = parse_cards("2c 7d 9h Js Kd")
    chances = np.zeros(HOLDINGS)
    chances[[parse_holding("JcJd"), parse_holding("4c3c")]] = 1.0
    known = OpponentRange.unknown(parse_cards("Kh Qc")).after(chances).on(board)
    assert known.equity == 0.5
    fold = np.zeros(HOLDINGS)
    fold[parse_holding("4c3c")] = 1.0
    bet = node_after(LIMIT_2P, *[CALL] * 6, raise_to(20))
    prospects = FoldOrStay.of(LIMIT_2P.tree, bet, 0, known, fold)
    assert prospects == FoldOrStay(0.5, 10.0, -30.0)
    assert (prospects.value, prospects.luck(has_folded=True), prospects.luck(has_folded=False)) == (
        -10,
        20,
        -20,
    )


def test_values_on_the_river_equal_brute_force() -> None:
    board, hole = parse_cards("2c 7d 9h Js Kd"), parse_cards("Kh Qc")
    generator = np.random.default_rng(5)
    parts = 64
    weights, folds = generator.integers(0, parts + 1, (2, HOLDINGS)) / parts
    node = node_after(LIMIT_2P, *[CALL] * 6, raise_to(20))  # checked to the river, where the opponent bets
    assert node.actor == 1
    known = OpponentRange.unknown(hole).after(weights).on(board)
    found = values_at(LIMIT_2P, node, known, "fcr", folds)
    possible = np.flatnonzero(~blocked_by((*hole, *board))).tolist()
    expected = river_values(
        hole,
        board,
        {cards_of(each): Fraction(weights[each]) for each in possible},
        {cards_of(each): Fraction(folds[each]) for each in possible},
        paid=(10, 30),
        called=30,
        raised=50,
    )
    assert list(found) == [FOLD, CALL, raise_to(40)]
    assert list(found.values()) == pytest.approx([float(each) for each in expected], abs=1e-9)


def test_only_chips_that_both_paid_are_at_stake() -> None:
    uneven = Setup.of(named_game("nolimit-2p:stack=400"))
    all_in = node_after(uneven, raise_to(400))
    assert showdown_value(all_in, 1.0) == 100
    assert showdown_value(uneven.tree.after(all_in, CALL), 0.0) == -400
