"""Solved small games at rest: the probabilities of every information set, without any abstraction.

`read_strategy` reads a strategy file of either kind:

    strategy = read_strategy(Path("leduc.strategy"))
    strategy.profile                     by information set and letter, as `small_games` has it
"""

from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.engine.games import named_game
from railbird.engine.rules import RulesError
from railbird.spec import SpecError
from railbird.strategies.files import StrategyFileError
from railbird.strategies.small_games import SmallGame, TooManyDeals
from railbird.strategies.table_strategy import (
    Recipe,
    TableStrategy,
    read_with_recipe,
    strategy_digest,
    write_with_recipe,
)
from railbird.strategies.tree import PublicTree, TreeError

EXACT = "exact"
"""The card abstraction in the recipe of a strategy that distinguishes all cards."""
_TOLERANCE = 1e-9


class ExactStrategy:
    """Probabilities of actions for every information set of a small game."""

    def __init__(self, recipe: Recipe, game: SmallGame, profile: NDArray[np.float64]) -> None:
        self.recipe, self.game, self.profile = recipe, game, profile

    @property
    def tree(self) -> PublicTree:
        """The betting tree of the game."""
        return self.game.tree

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All probabilities, as they are stored."""
        return self.profile

    @cached_property
    def digest(self) -> str:
        """A name for exactly these probabilities."""
        return strategy_digest(self.recipe, self.profile)

    def write(self, path: Path) -> None:
        """Write the strategy to a file."""
        write_with_recipe(path, self.recipe, self.profile)

    @classmethod
    def read(cls, path: Path) -> "ExactStrategy":
        """The strategy in a file; refused with a sentence if the file is anything else."""
        recipe, numbers = read_with_recipe(path)
        try:
            game = SmallGame(named_game(recipe.game))
        except (SpecError, RulesError, TooManyDeals, TreeError) as error:
            raise StrategyFileError(f"{path} is for a game that cannot be played: {error}") from None
        if len(numbers) != 8 * game.legal.size:
            raise StrategyFileError(
                f"{path} has {len(numbers):,} bytes of probabilities, but {recipe.game} needs {8 * game.legal.size:,}"
            )
        profile = numbers.view(np.float64).reshape(game.legal.shape)
        is_even = np.abs(np.where(game.legal, profile, 0).sum(axis=1) - 1) < _TOLERANCE
        if not (is_even.all() and (profile >= 0).all()):
            raise StrategyFileError(f"{path} has probabilities that do not add up to 1")
        return cls(recipe, game, profile)


SolvedStrategy: TypeAlias = TableStrategy | ExactStrategy


def read_strategy(path: Path) -> SolvedStrategy:
    """The strategy in a file, of a small game or of heads-up limit hold'em."""
    recipe, _ = read_with_recipe(path)
    return ExactStrategy.read(path) if recipe.cards == EXACT else TableStrategy.read(path)
