"""What a strategy does in one situation: grids of hold'em, tables of small games, impossible situations."""

from itertools import product

import numpy as np
import pytest

from made_up_buckets import COARSE
from railbird.cards import parse_cards
from railbird.engine.games import named_game
from railbird.explanation import RangeGrid, TableSection
from railbird.hands.holdings import CLASS_OF_HOLDING, CLASSES, blocked_by
from railbird.strategies.actions import ActionAbstraction
from railbird.strategies.exact_strategy import EXACT, ExactStrategy
from railbird.strategies.situations import NoSuchSituation, StrategySituation
from railbird.strategies.small_games import SmallGame
from railbird.strategies.table_strategy import Recipe, TableStrategy
from railbird.strategies.tree import public_tree
from small_strategies import random_strategy, small_tree

LEDUC = SmallGame(named_game("leduc-2p"))
SMALL = ExactStrategy(Recipe("leduc-2p", "fcr", EXACT, 1, 0), LEDUC, LEDUC.uniform())


@pytest.fixture(scope="module")
def strategy() -> TableStrategy:
    tree = public_tree(named_game("limit-2p:raises=1"))
    generator = np.random.default_rng(1)
    weights = {
        node: generator.random((COARSE.buckets[tree.rounds[node]], 3)).astype(np.float32)
        for node in tree.decisions.tolist()
    }
    return TableStrategy.of_weights(Recipe(tree.rules.name, "fcr", str(COARSE), 0, 1), tree, COARSE, weights)


def test_before_the_flop_a_grid_has_the_probabilities_of_the_classes(strategy: TableStrategy) -> None:
    situation = StrategySituation.of(strategy)
    grids = situation.sections()
    assert [grid.title.partition(":")[0] for grid in grids] == [
        "fold",
        "call 5",
        "raise to 20",
    ]
    for letter, grid in enumerate(grids):
        assert isinstance(grid, RangeGrid)
        assert grid.weights == pytest.approx(strategy.probabilities(0)[:, letter].tolist())


def test_on_the_flop_holdings_count_by_their_buckets_and_come_with_their_range(
    strategy: TableStrategy,
) -> None:
    board = parse_cards("Ah Kd 2c")
    situation = StrategySituation.of(strategy, "rc/c", "Ah Kd 2c")
    tree = strategy.tree
    assert tree.words[situation.node] == situation.betting == "rcc"
    assert situation.title == "limit-2p:raises=1, flop Ah Kd 2c, after rcc, button"
    reach, *grids = situation.sections()
    buckets = COARSE.on_board(board, 1)
    live = np.flatnonzero(~blocked_by(board))
    classes = CLASS_OF_HOLDING[live]
    counts = np.maximum(np.bincount(classes, minlength=CLASSES), 1)
    assert len(grids) == 2
    for grid, letter in zip(grids, (1, 2), strict=True):
        chances = strategy.probabilities(situation.node)[buckets[live], letter]
        assert isinstance(grid, RangeGrid)
        assert grid.weights == pytest.approx(np.bincount(classes, chances, CLASSES) / counts)
    assert isinstance(reach, RangeGrid)
    assert reach.weights == pytest.approx(strategy.probabilities(0)[:, 2].tolist())


@pytest.mark.parametrize(
    ("game", "letters", "betting", "title", "grids"),
    [
        (
            "nolimit-2p:stack=2000",
            "fchpa/fcpa/fca",
            "pc/h",
            "nolimit-2p:stack=2000, flop Ah Kd 2c, after pch, button",
            [
                "hands that play to this point",
                "fold",
                "call 300",
                "raise to 1,500",
                "all-in 1,700",
            ],
        ),
        (
            "limit-3p",
            "fcr/fc",
            "ccc/r",
            "limit-3p, flop Ah Kd 2c, after cccr, big blind",
            ["hands that play to this point", "fold", "call 10"],
        ),
    ],
)
def test_other_betting_trees_have_a_grid_for_each_possible_action(
    game: str, letters: str, betting: str, title: str, grids: list[str]
) -> None:
    tree = public_tree(named_game(game), ActionAbstraction(letters))
    weights = {
        node: np.ones((COARSE.buckets[tree.rounds[node]], tree.children.shape[1]), dtype=np.float32)
        for node in tree.decisions.tolist()
    }
    strategy = TableStrategy.of_weights(Recipe(game, letters, str(COARSE), 0, 1), tree, COARSE, weights)
    situation = StrategySituation.of(strategy, betting, "Ah Kd 2c")
    assert situation.title == title
    assert [section.title.partition(":")[0] for section in situation.sections()] == grids
    assert len(situation.to_json()["actions"]) == len(grids) - 1


def test_a_small_game_has_a_table_of_cards() -> None:
    situation = StrategySituation.of(SMALL, "cc", "Ks")
    (table,) = situation.sections()
    assert isinstance(table, TableSection)
    assert table.columns == ("cards", "check", "bet 4")
    assert len(table.rows) == 5
    assert {row[1:] for row in table.rows} == {(0.5, 0.5)}
    data = situation.to_json()
    assert (data["betting"], data["board"], data["seat"]) == ("cc", "Ks", 0)
    assert data["sections"][0]["kind"] == "table"


@pytest.mark.parametrize(
    ("betting", "board", "reason"),
    [
        ("x", "", r"'x' is not an action at the start \(possible: c, r\)"),
        ("crrr", "", r"'r' is not an action after 'crr' \(possible: f, c\)"),
        ("rf", "", "after the betting 'rf' the hand is over"),
        ("rfc", "", r"'c' is not an action after 'rf' \(the hand is over\)"),
        ("cc", "", "the board has 1 cards, but 0 are given"),
        ("", "Ks", "the board has 0 cards, but 1 are given"),
        ("cc", "2c", "2c is not in the deck of leduc-2p"),
    ],
)
def test_impossible_situations_are_refused(betting: str, board: str, reason: str) -> None:
    with pytest.raises(NoSuchSituation, match=reason):
        StrategySituation.of(SMALL, betting, board)


def test_in_a_merged_tree_different_betting_leads_to_one_decision_with_different_ranges() -> None:
    strategy = random_strategy(small_tree("limit-2p:raises=2", "fcr-merged"))
    one, other = (StrategySituation.of(strategy, each, "Ah Kd 2c 7s") for each in ("cc/rrc", "rc/crc"))
    assert one.node == other.node
    assert one.title.endswith("after ccrrc, big blind")
    assert other.title.endswith("after rccrc, big blind")
    (played, *actions), (also_played, *same_actions) = one.sections(), other.sections()
    assert played != also_played
    assert actions == same_actions


def test_every_decision_of_a_small_game_can_be_shown() -> None:
    for node, card in product(LEDUC.tree.decisions.tolist(), LEDUC.rules.deck):
        board = (card,) if LEDUC.tree.rounds[node] else ()
        (table,) = StrategySituation(SMALL, node, board, LEDUC.tree.words[node]).sections()
        assert isinstance(table, TableSection)
        assert len(table.rows) == len(LEDUC.rules.deck) - len(board)
