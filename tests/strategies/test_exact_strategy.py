"""Solved small games at rest: written, read back, and refused if damaged or foreign."""

from pathlib import Path

import numpy as np
import pytest

from railbird.engine.games import named_game
from railbird.strategies.exact_strategy import EXACT, ExactStrategy, read_strategy
from railbird.strategies.files import StrategyFileError
from railbird.strategies.small_games import SmallGame
from railbird.strategies.table_strategy import Recipe, write_with_recipe

KUHN = SmallGame(named_game("kuhn-2p"))
RECIPE = Recipe("kuhn-2p", "fcr", EXACT, 7, 3)


def test_a_strategy_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.strategy"
    written = ExactStrategy(RECIPE, KUHN, KUHN.uniform())
    written.write(path)
    found = read_strategy(path)
    assert isinstance(found, ExactStrategy)
    assert found.recipe == RECIPE
    assert found.digest == written.digest
    assert np.array_equal(found.profile, KUHN.uniform())


@pytest.mark.parametrize(
    ("recipe", "factor", "reason"),
    [
        (RECIPE, 0.5, "do not add up to 1"),
        (RECIPE, np.nan, "do not add up to 1"),
        (Recipe("leduc-2p", "fcr", EXACT, 7, 3), 1, "bytes of probabilities, but leduc-2p needs"),
        (Recipe("limit-2p", "fcr", EXACT, 7, 3), 1, "limit-2p has more than 200,000 deals"),
        (Recipe("tarot", "fcr", EXACT, 7, 3), 1, "for a game that cannot be played"),
    ],
)
def test_what_is_no_strategy_of_a_small_game_is_refused(
    recipe: Recipe, factor: float, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "kuhn.strategy"
    write_with_recipe(path, recipe, factor * KUHN.uniform())
    with pytest.raises(StrategyFileError, match=reason):
        read_strategy(path)
