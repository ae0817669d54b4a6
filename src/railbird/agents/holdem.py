"""Shared by agents for limit hold'em: the games they play, their randomness, and acting by a triple."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from railbird.agent import Decision, MatchAgent, MatchStart, Strategies, UnsuitableGame, drawn
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.rules import Betting, GameRules
from railbird.explanation import Explanation
from railbird.observation import Observation

Chance = TypeVar("Chance", float, NDArray[np.float64])
"""The probability of one holding, or the probabilities of many."""


def plays_limit_holdem(rules: GameRules) -> bool:
    """Whether these agents play a game."""
    return rules.is_limit_holdem


class LimitAgent(MatchAgent):
    """An agent for limit hold'em with two to ten players; it refuses every other game."""

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not limit hold'em."""
        name = type(self).__name__
        if rules.betting is not Betting.LIMIT:
            raise UnsuitableGame(
                f"{name} plays limit hold'em only, but {rules.name} is {rules.betting.value}"
            )
        if not rules.is_holdem:
            raise UnsuitableGame(
                f"{name} plays limit hold'em with a full deck only, which {rules.name} does not use"
            )

    def start(self, match: MatchStart) -> None:
        """Take the match's randomness."""
        self.generator_ = match.stream.generator()

    def bookmark(self) -> Any:
        """The state of its generator."""
        return {"generator": self.generator_.bit_generator.state}

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        self.generator_.bit_generator.state = bookmark["generator"]

    def chance(self) -> float:
        """A number in [0, 1) from the match's randomness."""
        return float(self.generator_.random())

    def draw(self, observation: Observation, triple: Sequence[float], explanation: Explanation) -> Decision:
        """Draw a decision, given the probabilities of fold, call and raise."""
        strategy = legal_strategy(observation, triple)
        return Decision(drawn(strategy, self.chance()), explanation, strategy)


def legal_strategy(observation: Observation, triple: Sequence[Chance]) -> tuple[tuple[Action, Chance], ...]:
    """The probabilities of fold, call and raise, where a free fold becomes a check and a raise at the cap a call."""
    legal = observation.legal_actions
    fold, call, raise_ = triple
    strategy: list[tuple[Action, Chance]] = []
    if legal.fold:
        strategy.append((FOLD, fold))
    else:
        call = call + fold
    if legal.raise_maximum:
        strategy.append((raise_to(legal.raise_minimum), raise_))
    else:
        call = call + raise_
    strategy.append((CALL, call))
    return tuple(strategy)


def legal_strategies(observation: Observation, holdings: NDArray[np.int64], triples: ArrayLike) -> Strategies:
    """`legal_strategy` of many holdings, from a row of probabilities of fold, call and raise for each."""
    columns = np.asarray(triples, dtype=np.float64).reshape(len(holdings), 3).T
    strategy = legal_strategy(observation, list(columns))
    return Strategies(
        tuple(action for action, _ in strategy),
        holdings,
        np.column_stack([chances for _, chances in strategy]),
    )


def triple_of_kind(kind: ActionKind) -> tuple[float, float, float]:
    """The probabilities of fold, call and raise for one certain action."""
    return float(kind is ActionKind.FOLD), float(kind is ActionKind.CALL), float(kind is ActionKind.RAISE)


def legal_action(observation: Observation, kind: ActionKind) -> Action:
    """An action of this kind, or the nearest possible one: a call for a raise, a check for a fold."""
    legal = observation.legal_actions
    if kind is ActionKind.RAISE and legal.raise_maximum:
        return raise_to(legal.raise_minimum)
    if kind is ActionKind.FOLD and legal.fold:
        return FOLD
    return CALL
