"""Trials of any game that has a sampler and a policy: slow, and good to test selective sampling with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias

import numpy as np

from railbird.sampling.selective import MoveT, Outcomes


class Position(Protocol[MoveT]):
    """A position of a game with nothing hidden."""

    @property
    def player(self) -> int | None:
        """Who is to move; None when the game is over."""
        ...

    def after(self, move: MoveT) -> "Position[MoveT]":
        """Where a move leads."""
        ...

    def outcome(self, player: int) -> float:
        """What the game came to for a player, when it is over."""
        ...


Sampler: TypeAlias = Callable[[np.random.Generator], Position[MoveT]]
"""Draws what is hidden in the position to decide, in proportion to how likely it is."""
Policy: TypeAlias = Callable[[Position[MoveT], np.random.Generator], MoveT]
"""Chooses for whoever is to move in a position."""


@dataclass(frozen=True, slots=True)
class PlayOuts(Generic[MoveT]):
    """Trials of any game that has a sampler and a policy."""

    player: int
    moves: tuple[MoveT, ...]
    sampler: Sampler[MoveT]
    policy: Policy[MoveT]
    generator: np.random.Generator

    def __call__(self, trials: int) -> Outcomes:
        """The outcomes of so many trials."""
        return np.array([self._trial() for _ in range(trials)])

    def _trial(self) -> list[float]:
        start = self.sampler(self.generator)
        luck = int(self.generator.integers(2**63))
        return [self._play(start.after(move), np.random.default_rng(luck)) for move in self.moves]

    def _play(self, position: Position[MoveT], generator: np.random.Generator) -> float:
        while position.player is not None:
            position = position.after(self.policy(position, generator))
        return position.outcome(self.player)
