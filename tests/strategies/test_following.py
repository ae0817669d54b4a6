"""Real hands in abstract trees: limit hands exactly, other bets as the nearest ones, and what a tree does not have."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.kernels.rules import betting
from railbird.rng import Stream
from railbird.strategies.actions import Translation
from railbird.strategies.following import NOWHERE, Follower, is_same_game
from railbird.strategies.tree import PublicTree
from small_strategies import small_tree
from strategies import random_action, random_style

SEED = Stream.from_seed(3)


@pytest.fixture(scope="module")
def no_limit() -> PublicTree:
    return small_tree("nolimit-2p", "fcpa")


def after(game: str, *actions: Action) -> BettingNode:
    """The situation of a hand after some actions."""
    setup = Setup.of(named_game(game))
    node = setup.tree.root
    for action in actions:
        node = setup.tree.after(node, action)
    return node


def soft(tree: PublicTree, stream: Stream = SEED) -> Follower:
    return Follower(tree, Translation.SOFT, stream)


def word(follower: Follower, node: BettingNode, hand: int = 0) -> str:
    """The letters of the decision of the tree where a real hand is."""
    return follower.tree.words[follower.spot(node, hand).node]


@pytest.mark.parametrize(
    ("game", "actions"),
    [("limit-2p:raises=2", "fcr"), ("limit-3p:raises=1", "fcr"), ("limit-3p", "fcr-merged")],
)
def test_limit_hands_are_followed_exactly(game: str, actions: str) -> None:
    tree = small_tree(game, actions)
    follower = soft(tree)
    setup, random = Setup.of(named_game(game)), Random(5)
    letters = "fcr"
    for hand in range(200):
        node, expected, style = setup.tree.root, 0, random_style(random)
        while node.actor is not None:
            spot = follower.spot(node, hand)
            assert (spot.node, spot.actions) == (expected, node.choices)
            assert [spot.actions[place].kind for place in spot.columns][:2] == [
                node.choices[0].kind,
                CALL.kind,
            ]
            action = random_action(random, node.legal, style)
            expected = int(tree.children[expected, int(action.kind)])
            node = setup.tree.after(node, action)
        assert [reading.letter for reading in follower.readings(node, hand)] == [
            letters[int(action.kind)] for action in node.actions
        ]


def test_letters_are_shares_of_the_real_pot(no_limit: PublicTree) -> None:
    follower = soft(no_limit)
    opening = follower.spot(after("nolimit-2p"), 0)
    assert opening.actions == (FOLD, CALL, raise_to(300), raise_to(20_000))
    assert opening.columns == (0, 1, 2, 3)
    raised = after("nolimit-2p", raise_to(330))
    assert word(follower, raised) == "p"
    assert follower.spot(raised, 0).actions == (FOLD, CALL, raise_to(990), raise_to(20_000))
    half_the_stack = after("nolimit-2p:stack=500", raise_to(300))
    assert follower.spot(half_the_stack, 0).actions == (FOLD, CALL, raise_to(500))
    assert follower.spot(half_the_stack, 0).columns == (0, 1, 2, 2), "the pot is more than the stack"
    all_in = after("nolimit-2p:stack=500", raise_to(300), raise_to(500))
    assert follower.spot(all_in, 0).actions == (FOLD, CALL)


def test_a_bet_is_read_as_a_letter_by_chance_once_in_a_hand(no_limit: PublicTree) -> None:
    follower = soft(no_limit)
    bet = after("nolimit-2p", raise_to(1500))
    later = after("nolimit-2p", raise_to(1500), CALL, CALL)
    read = [word(follower, bet, hand) for hand in range(400)]
    assert set(read) == {"p", "a"}
    for hand, letter in enumerate(read):
        position = follower.spot(later, hand).node
        assert no_limit.words[position] == "pcc" if letter == "p" else position == NOWHERE
    (reading,) = follower.readings(bet, 7)
    assert (reading.letter, reading.share, reading.is_exact) == (read[7], Fraction(7), False)
    assert [letter for letter, _ in reading.chances] == ["p", "a"]
    assert read.count("p") / 400 == pytest.approx(dict(reading.chances)["p"], abs=0.08)
    fresh = soft(no_limit)
    assert [word(fresh, bet, hand) for hand in reversed(range(400))] == read[::-1]
    assert [word(soft(no_limit, Stream.from_seed(4)), bet, hand) for hand in range(400)] != read


def test_hard_translation_reads_a_bet_always_alike(no_limit: PublicTree) -> None:
    follower = Follower(no_limit, Translation.HARD, SEED)
    for amount, letter in ((200, "p"), (1500, "p"), (2200, "a"), (20_000, "a")):
        bet = after("nolimit-2p", raise_to(amount))
        assert {word(follower, bet, hand) for hand in range(20)} == {letter}


def test_a_raise_that_the_tree_does_not_have_leaves_folding_and_calling() -> None:
    follower = soft(small_tree("limit-2p:raises=1"))
    first = after("limit-2p", raise_to(20))
    second = after("limit-2p", raise_to(20), raise_to(30))
    assert (word(follower, first), follower.spot(first, 0).actions) == ("r", (FOLD, CALL))
    spot = follower.spot(second, 0)
    assert spot.is_repeated
    assert (spot.node, spot.actions, spot.columns) == (0, (FOLD, CALL), (0, 1, 1))
    assert spot.merged([100, 55, 100]) == [0, 255], "who stayed for one raise stays for the next"
    assert [(reading.letter, reading.is_exact) for reading in follower.readings(second, 0)] == [
        ("r", True),
        ("c", False),
    ]
    flop = after("limit-2p", raise_to(20), raise_to(30), CALL)
    assert word(follower, flop) == "rc"


def test_folds_become_calls_where_calling_is_cheaper_than_in_the_tree() -> None:
    follower = soft(small_tree("limit-2p:raises=1"))
    as_planned = follower.spot(after("limit-2p", raise_to(20), CALL, raise_to(10)), 0)
    assert as_planned.staying == 0.0
    # Two raises more before the flop than in the tree: 40 chips each instead of 20.
    cheaper = follower.spot(
        after("limit-2p", raise_to(20), raise_to(30), raise_to(40), CALL, raise_to(10)), 0
    )
    assert cheaper.actions[:2] == (FOLD, CALL)
    assert cheaper.staying == pytest.approx(1 - ((10 / 100) / (10 / 60)) ** 4)
    folded, called, *_ = cheaper.merged([100, 100, 55])
    moved = round(100 * cheaper.staying)
    assert (folded, called) == (100 - moved, 155 + moved), "there is no raise in this tree any more"
    rows = np.array([[100, 100, 55], [0, 200, 55]], dtype=np.uint8)
    found = np.column_stack(cheaper.merged(list(rows.T)))
    assert found[0].tolist()[:2] == [folded, called]
    assert (found.sum(axis=1) == 255).all()


def test_a_third_player_acts_at_its_place_after_a_raise_beyond_the_tree() -> None:
    follower = soft(small_tree("limit-3p:raises=1"))
    raises = (raise_to(20), raise_to(30))
    big_blind = after("limit-3p", *raises)
    assert word(follower, big_blind) == "rc"
    button = after("limit-3p", *raises, CALL)
    assert follower.spot(button, 0).is_repeated
    assert word(follower, button) == ""
    folded = after("limit-3p", *raises, CALL, FOLD)
    assert word(follower, folded) == "rcc"
    assert folded.view[betting.ROUND] == 1
    behind_it = after("limit-3p", *raises, CALL, FOLD, CALL, CALL)
    assert word(follower, behind_it) == "rcccc" + "c", "the button, which folded, checks"


def test_after_a_bet_read_as_all_in_it_checks_and_calls(no_limit: PublicTree) -> None:
    follower = soft(no_limit)
    actions = (raise_to(12_000), CALL, raise_to(4000))
    for hand in range(50):
        if word(follower, after("nolimit-2p", actions[0]), hand) == "a":
            spot = follower.spot(after("nolimit-2p", *actions), hand)
            assert (spot.node, spot.actions, spot.columns) == (NOWHERE, (CALL,), ())


def test_what_letters_become_adds_up(no_limit: PublicTree) -> None:
    spot = soft(no_limit).spot(after("nolimit-2p:stack=500", raise_to(300)), 0)
    assert spot.merged([1, 2, 3, 4]) == [1, 2, 7]
    first, second, third = spot.merged(list(np.arange(8, dtype=np.uint8).reshape(2, 4).T))
    assert np.column_stack((first, second, third)).tolist() == [[0, 1, 5], [4, 5, 13]]


@pytest.mark.parametrize(
    ("game", "tree", "actions"),
    [
        ("limit-2p", "limit-2p:raises=2", "fcr"),
        ("limit-2p:stack=45", "limit-2p:raises=1", "fcr"),
        ("limit-3p", "limit-3p:raises=1", "fcr"),
        ("limit-3p:stack=20/75/200", "limit-3p:raises=1", "fcr"),
        ("nolimit-2p", "nolimit-2p", "fcpa"),
        ("nolimit-2p", "nolimit-2p:stack=3000", "fcp"),
        ("nolimit-2p:stack=900/40000", "nolimit-2p:stack=2000", "fcqhia"),
    ],
)
@pytest.mark.parametrize("translation", Translation)
def test_every_hand_has_a_legal_place(game: str, tree: str, actions: str, translation: Translation) -> None:
    follower = Follower(small_tree(tree, actions), translation, SEED)
    setup, random = Setup.of(named_game(game)), Random(8)
    nodes: set[int] = set()
    for hand in range(300):
        node, style = setup.tree.root, random_style(random)
        while node.actor is not None:
            spot = follower.spot(node, hand)
            assert all(map(node.legal.allows, spot.actions))
            assert len(set(spot.actions)) == len(spot.actions)
            assert spot == Follower(follower.tree, translation, SEED).spot(node, hand) or hand > 20
            if spot.node != NOWHERE:
                assert follower.tree.actors[spot.node] == node.actor
                assert follower.tree.rounds[spot.node] == node.view[betting.ROUND]
            nodes.add(spot.node)
            node = setup.tree.after(node, random_action(random, node.legal, style))
    assert len(nodes) > 20


@pytest.mark.parametrize(
    ("game", "other", "same"),
    [
        ("limit-2p", "limit-2p:stack=100,carry=yes", True),
        ("nolimit-2p", "nolimit-2p:blinds=1/2", True),
        ("nolimit-2p", "nolimit-2p:ante=5", False),
        ("limit-2p", "limit-2p:cap=5", False),
        ("limit-2p", "limit-3p", False),
        ("limit-2p", "nolimit-2p", False),
        ("kuhn-2p", "kuhn-2p", False),
    ],
)
def test_games_are_the_same_whatever_the_stacks_and_the_size_of_chips(
    game: str, other: str, same: bool
) -> None:
    assert is_same_game(named_game(game), named_game(other)) is same
