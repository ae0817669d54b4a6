"""What the agents of Loki's family share: the games they play, their randomness, and acting by a triple."""

from collections.abc import Sequence

from railbird.agent import Agent, Decision, MatchStart, UnsuitableGame
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.rules import Betting, GameRules
from railbird.explanation import Explanation
from railbird.observation import Observation
from railbird.rng import Stream


def plays_limit_holdem(rules: GameRules) -> bool:
    """Whether a game is one that the agents here play."""
    return rules.is_limit_holdem


class LimitAgent(Agent):
    """An agent for limit hold'em with two to ten players; it refuses every other game with a sentence."""

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not limit hold'em."""
        name = type(self).__name__
        if rules.betting is not Betting.LIMIT:
            raise UnsuitableGame(f"{name} plays limit hold'em, and {rules.name} is {rules.betting.value}")
        if not rules.is_holdem:
            raise UnsuitableGame(f"{name} plays limit hold'em with a full deck, which {rules.name} is not")

    def begin_match(self, match: MatchStart) -> None:
        """Take the match's randomness, and forget everybody."""
        self.verify_game(match.rules)
        self.generator_ = match.stream.generator()

    def chance(self) -> float:
        """A number in [0, 1) from the match's randomness."""
        if not hasattr(self, "generator_"):
            self.generator_ = Stream.live().generator()
        return float(self.generator_.random())

    def draw(self, observation: Observation, triple: Sequence[float], explanation: Explanation) -> Decision:
        """The decision that falls when fold, call and raise have these chances."""
        legal = observation.legal_actions
        fold, call, raise_ = triple
        strategy: list[tuple[Action, float]] = []
        if legal.fold:
            strategy.append((FOLD, fold))
        else:
            call += fold
        if legal.raise_maximum:
            strategy.append((raise_to(legal.raise_minimum), raise_))
        else:
            call += raise_
        strategy.append((CALL, call))
        return Decision(self._drawn(strategy), explanation, tuple(strategy))

    def _drawn(self, strategy: Sequence[tuple[Action, float]]) -> Action:
        left = self.chance()
        for action, share in strategy:
            left -= share
            if left < 0.0:
                return action
        return strategy[-1][0]


def legal_action(observation: Observation, kind: ActionKind) -> Action:
    """An action of this kind, or the nearest one that is possible: calling for raising, checking for folding."""
    legal = observation.legal_actions
    if kind is ActionKind.RAISE and legal.raise_maximum:
        return raise_to(legal.raise_minimum)
    if kind is ActionKind.FOLD and legal.fold:
        return FOLD
    return CALL
