"""True best responses: brute force on a small deck, and the published values of simple strategies."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from made_up_buckets import MadeUpBuckets
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.hands.holdings import holding
from railbird.hands.isomorphism import board_index
from railbird.strategies.best_response import Exploitability, Responder, all_flops, sampled_flops
from railbird.strategies.small_games import SmallGame
from railbird.strategies.table_strategy import Recipe, TableStrategy
from railbird.strategies.tree import PublicTree, public_tree

BUCKETS = MadeUpBuckets("percentiles", (5, 4, 3))
BY_TEXTURE = MadeUpBuckets("textures", (5, 4, 3))
BY_CATEGORY = MadeUpBuckets.by_category()
ALONE = MadeUpBuckets("percentiles", (1, 1, 1))


def nine_cards(raises: str) -> GameRules:
    """Hold'em with the nine highest cards of three suits, so that all deals can be listed."""
    return replace(named_game(f"limit-2p:raises={raises}"), ranks=3, suits=3)


def strategy_of(
    tree: PublicTree, cards: MadeUpBuckets, weights: dict[int, NDArray[np.float32]]
) -> TableStrategy:
    recipe = Recipe(tree.rules.name, "fcr", str(cards), 0, 0)
    return TableStrategy.of_weights(recipe, tree, cards, weights)


def random_strategy(tree: PublicTree, cards: MadeUpBuckets, seed: int) -> TableStrategy:
    generator = np.random.default_rng(seed)
    weights = {
        node: (generator.random((cards.buckets[tree.rounds[node]], 3)) ** 2).astype(np.float32)
        for node in tree.decisions.tolist()
    }
    return strategy_of(tree, cards, weights)


def always(letters: tuple[int, ...]) -> TableStrategy:
    """The strategy that always does the first of some letters that is possible."""
    tree = public_tree(named_game("limit-2p"))
    weights = {}
    for node in tree.decisions.tolist():
        letter = next(each for each in letters if tree.children[node, each] >= 0)
        weights[node] = np.tile(np.eye(3, dtype=np.float32)[letter], (ALONE.buckets[tree.rounds[node]], 1))
    return strategy_of(tree, ALONE, weights)


def profile_of(game: SmallGame, strategy: TableStrategy) -> NDArray[np.float64]:
    """The probabilities of a table strategy in every information set of a small game."""
    profile = np.zeros(game.legal.shape)
    on_board: dict[tuple[int, ...], NDArray[np.int64]] = {}
    tables = {node: strategy.probabilities(node) for node in game.tree.decisions.tolist()}
    for place, each in enumerate(game.information_sets):
        if each.board not in on_board:
            street = (0, 3, 4, 5).index(len(each.board))
            on_board[each.board] = strategy.cards.on_board(each.board, street)
        profile[place] = tables[each.node][on_board[each.board][holding(each.hole)]]
    return profile


@pytest.mark.parametrize(
    ("raises", "cards"),
    [
        ("1/0/0/1", BUCKETS),
        ("0/0/0/1", BY_TEXTURE),
        ("0/0/0/1", BY_CATEGORY),
        *(pytest.param(each, BUCKETS, marks=pytest.mark.soak) for each in ("0/1/1/0", "1/1/1/1")),
    ],
)
def test_brute_force_on_nine_cards_finds_the_same_values(raises: str, cards: MadeUpBuckets) -> None:
    rules = nine_cards(raises)
    game = SmallGame(rules)
    strategy = random_strategy(game.tree, cards, 1)
    profile = profile_of(game, strategy)
    responder = Responder(strategy)
    found = responder.combine([responder.respond_to_flop(flop) for flop in combinations(rules.deck, 3)])
    expected = np.mean([game.best_response(profile, seat)[0] for seat in (0, 1)])
    assert found.best.mean == pytest.approx(1000 * expected / rules.big_blind, rel=1e-5)
    assert found.best.low == found.best.high == found.best.mean
    assert found.own_preflop.mean <= found.best.mean


def exploited(letters: tuple[int, ...], flops: int) -> Exploitability:
    responder = Responder(always(letters))
    return responder.combine([responder.respond_to_flop(*each) for each in sampled_flops(flops, seed=7)])


def test_who_always_folds_loses_the_blinds() -> None:
    found = exploited((0, 1), 2)
    assert found.best.mean == pytest.approx(750)
    assert found.own_preflop.mean == 0


@pytest.mark.soak
@pytest.mark.parametrize(("letters", "published"), [((1,), 1163), ((2, 1), 3697)])
def test_best_responses_to_always_call_and_always_raise_win_what_was_published(
    letters: tuple[int, ...], published: float
) -> None:
    found = exploited(letters, 64)
    assert found.best.low < published < found.best.high
    assert found.best.high - found.best.low < 0.06 * published


def test_samples_of_flops_have_every_kind_in_its_share() -> None:
    flops = [flop for flop, _ in sampled_flops(100, seed=3)]
    assert [len({card & 3 for card in flop}) for flop in flops] == sorted(
        len({card & 3 for card in flop}) for flop in flops
    )
    # Of all flops 5.2 % have one suit and 55.1 % two.
    suits = np.bincount([len({card & 3 for card in flop}) for flop in flops], minlength=4)
    assert suits[1] == pytest.approx(5.2, abs=1)
    assert suits[2] == pytest.approx(55.1, abs=1)
    assert sampled_flops(100, seed=3) == sampled_flops(100, seed=3)


def test_all_flops_are_22100() -> None:
    flops = all_flops()
    assert len(flops) == 1755
    assert sum(weight for _, weight in flops) == 22_100
    assert board_index(flops[77][0]) == 77
