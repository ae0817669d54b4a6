"""Public betting trees: their sizes are those of the literature, and every node is where the engine says."""

from itertools import pairwise

import numpy as np
import pytest

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.kernels.rules import betting
from railbird.strategies.actions import ActionAbstraction
from railbird.strategies.tree import DECISION, PublicTree, TreeError, public_tree
from reference.trees import nodes_of, remembered


@pytest.mark.parametrize(
    ("game", "letters", "nodes", "decisions"),
    [
        ("kuhn-2p", None, 9, [4]),
        ("kuhn-3p", None, 25, [12]),
        ("leduc-2p", None, 85, [6, 30]),
        ("limit-2p", None, 16_584, [8, 70, 630, 5_670]),
        ("limit-3p:raises=2", None, 142_976, [42, 504, 5_430, 56_250]),
        ("limit-3p", "fcr/fcr/fc", 142_976, [42, 504, 5_430, 56_250]),
        ("nolimit-2p", "fcpa", 3_362, [20, 100, 340, 900]),
    ],
)
def test_trees_have_the_known_sizes(game: str, letters: str | None, nodes: int, decisions: list[int]) -> None:
    tree = public_tree(named_game(game), ActionAbstraction(letters) if letters else None)
    assert tree.size == nodes
    assert np.bincount(tree.rounds[tree.decisions]).tolist() == decisions
    assert sum(map(len, tree.levels)) == nodes


@pytest.mark.parametrize(
    ("game", "letters"),
    [
        ("kuhn-2p", "fcr"),
        ("kuhn-3p", "fcr"),
        ("leduc-2p", "fcr"),
        ("limit-2p", "fcr"),
        ("limit-2p:stack=70", "fcr"),
        ("limit-3p", "fcr/fcr/fc"),
        ("limit-3p:stack=45", "fcr"),
        ("nolimit-2p", "fcpa"),
        ("nolimit-2p", "fchpa/fcpa/fcpa/fca"),
        ("nolimit-2p:stack=1234", "fcri/fcha"),
        ("nolimit-2p:stack=90", "fcqhipdvta"),
        ("nolimit-2p:stack=1700", "fcqhipdvt/fcrdv/fc"),
        ("nolimit-2p:stack=1500", "fcr"),
        ("nolimit-3p:stack=1777", "fchi/fcpa/fc"),
    ],
)
def test_a_tree_has_the_nodes_of_the_rules(game: str, letters: str) -> None:
    rules, actions = named_game(game), ActionAbstraction(letters)
    tree = public_tree(rules, actions)
    columns = (tree.kinds, tree.actors, tree.rounds, tree.folded, tree.paid, tree.children, tree.amounts)
    expected = nodes_of(rules, actions)
    assert tree.size == len(expected)
    for ours, theirs in zip(columns, zip(*expected, strict=True), strict=True):
        np.testing.assert_array_equal(ours, np.array(theirs))


def test_merged_openings_make_the_whole_game_of_three_players_small() -> None:
    tree = public_tree(named_game("limit-3p"), ActionAbstraction("fcr-merged"))
    assert tree.size == 69_215
    assert np.bincount(tree.rounds[tree.decisions]).tolist() == [90, 2_180, 7_731, 21_053]


@pytest.mark.parametrize(
    ("game", "letters"),
    [
        ("kuhn-3p", "fcr"),
        ("leduc-2p", "fcr"),
        ("limit-2p", "fcr"),
        ("limit-2p:stack=70", "fcr"),
        ("limit-3p:raises=1", "fcr"),
        ("limit-3p:raises=3/2/0/0", "fcr"),
        ("limit-3p:stack=45", "fcr"),
        ("nolimit-2p", "fcpa"),
        ("nolimit-3p:stack=1777", "fchi/fcpa/fc"),
    ],
)
def test_a_merged_tree_has_one_node_where_the_same_is_remembered(game: str, letters: str) -> None:
    rules = named_game(game)
    whole = nodes_of(rules, ActionAbstraction(letters))
    tree = public_tree(rules, ActionAbstraction(f"{letters}-merged"))
    places = [0] * len(whole)
    for place, row in zip(places, whole, strict=True):  # places are filled in before they are reached
        kind, actor, street, folded, paid, children, amounts = row
        columns = tree.kinds[place], tree.actors[place], tree.rounds[place], tree.folded[place]
        assert columns == (kind, actor, street, folded)
        assert (tree.paid[place].tolist(), tree.amounts[place].tolist()) == (paid, amounts)
        for child, following in zip(children, tree.children[place].tolist(), strict=True):
            assert (child >= 0) == (following >= 0)
            if child >= 0:
                places[child] = following
    known = remembered(whole, tree.actions.letters)
    assert set(places) == set(range(tree.size))
    assert len(set(zip(known, places, strict=True))) == len(set(known)) == tree.size


def test_half_pot_bets_make_the_no_limit_tree_a_hundred_times_larger() -> None:
    tree = public_tree(named_game("nolimit-2p"), ActionAbstraction("fchpa"))
    assert len(tree.decisions) == 117_552


def action(tree: PublicTree, node: int, letter: int) -> Action:
    amount = int(tree.amounts[node, letter])
    return raise_to(amount) if amount else (FOLD, CALL)[letter]


@pytest.mark.parametrize(("game", "letters"), [("limit-3p:raises=2", "fcr"), ("nolimit-2p", "fcqhipdvta")])
def test_every_node_is_where_the_engine_says(game: str, letters: str) -> None:
    rules = named_game(game if "limit-3p" in game else f"{game}:stack=900")
    tree = public_tree(rules, ActionAbstraction(letters))
    setup = Setup.of(rules)
    generator = np.random.default_rng(3)
    for _ in range(300):
        node, ours = 0, setup.tree.root
        while tree.kinds[node] == DECISION:
            assert tree.actors[node] == ours.actor
            assert (tree.children[node, :2] >= 0).tolist() == [ours.legal.fold, True]
            letter = int(generator.choice(np.flatnonzero(tree.children[node] >= 0)))
            ours = setup.tree.after(ours, action(tree, node, letter))
            node = int(tree.children[node, letter])
            assert tree.rounds[node] == ours.view[betting.ROUND]
            assert tree.paid[node].tolist() == list(ours.view[betting.PAID : betting.PAID + rules.players])
        assert ours.actor is None
        assert tree.kinds[node] == ours.view[betting.OUTCOME]
        assert tree.folded[node] == ours.view[betting.FOLDED]


def test_nodes_are_in_preorder_and_know_their_words() -> None:
    tree = public_tree(named_game("leduc-2p"))
    assert tree.parents[0] == -1
    assert all(parent < node for node, parent in enumerate(tree.parents.tolist()))
    in_order = [word.translate(str.maketrans("fcr", "012")) for word in tree.words]
    assert all(before < after for before, after in pairwise(in_order))
    assert tree.words[-1] == "rrcrrc"


def test_an_unlimited_game_needs_letters_and_a_tree_has_its_bounds() -> None:
    with pytest.raises(TreeError, match="nolimit-2p needs an action abstraction"):
        public_tree(named_game("nolimit-2p"))
    with pytest.raises(TreeError, match="under fcr has more than 1,000 nodes"):
        public_tree(named_game("limit-2p"), most_nodes=1_000)
    with pytest.raises(TreeError, match="under fcr-merged has more than 1,000 nodes"):
        public_tree(named_game("limit-2p"), ActionAbstraction("fcr-merged"), most_nodes=1_000)
