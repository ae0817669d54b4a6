"""Baselines: simple agents that every other agent should beat, and that tests can reason about."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Agent, Decision, Explanation, MatchAgent, MatchStart, Strategies
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.observation import Observation

_CALLING = Decision(CALL, Explanation("Always checks or calls."), ((CALL, 1.0),))
_FOLDING = Decision(FOLD, Explanation("Always folds to a bet."), ((FOLD, 1.0),))
_CHECKING = Decision(
    CALL, Explanation("Checks, because folding is not allowed when checking is free."), ((CALL, 1.0),)
)
_CAPPED = Decision(CALL, Explanation("Would raise, but no raise is possible."), ((CALL, 1.0),))
_AT_RANDOM = Explanation("Chooses at random; every kind of action has the same probability.")
_RAISING = Explanation("Always raises by the minimum amount.")


class RandomAgent(MatchAgent):
    """Folds, calls or raises with equal probability, and raises to a uniformly random legal amount.

    Its strategy states the probability of all raises together, as that of the smallest raise.
    """

    title = "Random"
    papers = "casper-2007; casper-2008"

    def start(self, match: MatchStart) -> None:
        """Take the match's randomness."""
        self.generator_ = match.stream.generator()

    def bookmark(self) -> Any:
        """The state of its generator."""
        return {"generator": self.generator_.bit_generator.state}

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        self.generator_.bit_generator.state = bookmark["generator"]

    def choose(self, observation: Observation) -> Decision:
        """Draw one of the legal kinds of action."""
        choices = observation.choices
        action = choices[int(self.generator_.integers(len(choices)))]
        if action.kind is ActionKind.RAISE:
            action = self._any_raise(observation)
        return Decision(action, _AT_RANDOM, _uniform(observation))

    def _any_raise(self, observation: Observation) -> Action:
        legal = observation.legal_actions
        return raise_to(
            int(self.generator_.integers(legal.raise_minimum, legal.raise_maximum, endpoint=True))
        )

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        return _whatever_the_cards(_uniform(observation), holdings)


def _uniform(observation: Observation) -> tuple[tuple[Action, float], ...]:
    choices = observation.choices
    return tuple((choice, 1 / len(choices)) for choice in choices)


def _whatever_the_cards(
    strategy: tuple[tuple[Action, float], ...], holdings: NDArray[np.int64]
) -> Strategies:
    """One strategy for all holdings."""
    actions, chances = zip(*strategy, strict=True)
    return Strategies(actions, holdings, np.tile(chances, (len(holdings), 1)))


class BlindAgent(Agent):
    """An agent that ignores its cards and uses no randomness."""

    def bookmark(self) -> Any:
        """Nothing changes from hand to hand."""
        return {}

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        return _whatever_the_cards(self.act(observation).strategy, holdings)


class AlwaysCall(BlindAgent):
    """Always checks or calls."""

    title = "Always Call"

    def act(self, observation: Observation) -> Decision:  # noqa: ARG002
        """Check or call."""
        return _CALLING


class AlwaysRaise(BlindAgent):
    """Bets and raises by the minimum amount until the cap, then calls."""

    title = "Always Raise"

    def act(self, observation: Observation) -> Decision:
        """Raise if possible, otherwise call."""
        least = observation.legal_actions.raise_minimum
        if not least:
            return _CAPPED
        action = raise_to(least)
        return Decision(action, _RAISING, ((action, 1.0),))


class AlwaysFold(BlindAgent):
    """Folds to any bet, and checks otherwise."""

    title = "Always Fold"

    def act(self, observation: Observation) -> Decision:
        """Fold if possible, otherwise check."""
        return _FOLDING if observation.legal_actions.fold else _CHECKING
