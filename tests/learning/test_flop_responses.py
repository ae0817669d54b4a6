"""What best responses win against tables, from flops that are kept."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from made_up_buckets import COARSE
from railbird.engine.games import named_game
from railbird.learning.flop_responses import exploit_table
from railbird.strategies import best_response
from railbird.strategies.files import StrategyFileError
from railbird.strategies.table_strategy import Recipe, TableStrategy
from railbird.strategies.tree import public_tree

NINE_CARDS = replace(named_game("limit-2p:raises=1/0/0/0"), ranks=3, suits=3)
FLOPS = [(flop, 1) for flop in list(combinations(NINE_CARDS.deck, 3))[::12]]


def strategy_of(seed: int) -> TableStrategy:
    tree = public_tree(NINE_CARDS)
    generator = np.random.default_rng(seed)
    weights = {
        node: generator.random((COARSE.buckets[tree.rounds[node]], 3)).astype(np.float32)
        for node in tree.decisions.tolist()
    }
    return TableStrategy.of_weights(
        Recipe(NINE_CARDS.name, "fcr", str(COARSE), 0, seed), tree, COARSE, weights
    )


def test_workers_and_stops_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = strategy_of(1)
    heard: list[tuple[int, int, int]] = []
    alone = exploit_table(
        strategy, FLOPS, listener=lambda done, total, so_far: heard.append((done, total, so_far().flops))
    )
    assert heard == [(done, len(FLOPS), done) for done in range(1, len(FLOPS) + 1)]
    assert alone.best.low < alone.best.mean < alone.best.high

    def stop(done: int, *_: object) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exploit_table(strategy, FLOPS, folder=tmp_path, listener=stop)
    assert len(list(tmp_path.iterdir())) >= 3
    assert exploit_table(strategy, FLOPS, workers="2", folder=tmp_path) == alone
    monkeypatch.setattr(best_response.Responder, "respond_to_flop", None)
    assert exploit_table(strategy, FLOPS, folder=tmp_path) == alone
    with pytest.raises(StrategyFileError, match="belongs to another strategy"):
        exploit_table(strategy_of(2), FLOPS, folder=tmp_path)
