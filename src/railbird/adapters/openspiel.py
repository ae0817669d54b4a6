"""Our agents as bots of OpenSpiel, and its policies and bots as our agents (`pip install 'railbird[rl]'`).

>>> import numpy as np
>>> from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
>>> game = open_spiel_game("leduc-2p")
>>> bots = [RailbirdBot(agent, game, player) for player, agent in enumerate(("random", "always-call"))]
>>> evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))
[-7.0, 7.0]
"""

from collections.abc import Sequence
from numbers import Integral
from typing import Any
from weakref import finalize

from railbird.agent import Agent, Decision, HandResult, MatchStart, make_agent, named
from railbird.agent.contract import UnsuitableGame, drawn
from railbird.agent.faults import AgentFault, Fault
from railbird.arena.play.guard import FaultRecord, GuardedAgent
from railbird.arena.play.plan import FaultPolicy, Limits
from railbird.arena.processes.isolation import NO_LIMITS, IsolatedAgent
from railbird.engine.history import events_of
from railbird.engine.rules import GameRules
from railbird.extras import require_extra
from railbird.observation import Observation, visible_to
from railbird.rng import Stream

require_extra("rl", "pyspiel", "railbird.adapters.openspiel")

import pyspiel  # noqa: E402

from railbird.adapters.spiel_games import SpielGame, SpielState, open_spiel_game  # noqa: E402

__all__ = ["OpenSpielAgent", "RailbirdBot", "SpielGame", "open_spiel_game"]


class RailbirdBot(pyspiel.Bot):  # type: ignore[misc]
    """An agent, by its name or as an object, that plays for one player of a game of OpenSpiel.

    It is told the result of a hand when the next one begins. The same seed plays the same hands in the same way. If it
    crashes, acts illegally or exceeds its `limits`, `MatchVoid` names the fault; with `faults="native"` it checks or
    folds instead, forfeits at its third fault, and the faults are listed in `faults`. With limits it runs in a process
    of its own.
    """

    def __init__(
        self,
        agent: str | Agent,
        game: pyspiel.Game,
        player: int,
        seed: int | str = 0,
        *,
        faults: str = FaultPolicy.STRICT.value,
        limits: Limits = NO_LIMITS,
    ) -> None:
        super().__init__()
        self._game, self._player = SpielGame(game), player
        self._labels = tuple(f"player {number}" for number in range(game.num_players()))
        self._hand = 0
        self._latest: SpielState | None = None
        inner = make_agent(agent) if isinstance(agent, str) else agent
        inner.verify_game(self._game.rules)
        if limits.isolates:
            inner = IsolatedAgent(named(agent), limits)
        self._agent = GuardedAgent(self._labels[player], inner, FaultPolicy(faults))
        if isinstance(inner, IsolatedAgent):
            finalize(self._agent, inner.close)
        stream = Stream.from_seed(seed).child(player)
        self._agent.begin_match(MatchStart(self._game.rules, self._labels[player], self._labels, stream))

    @property
    def faults(self) -> tuple[FaultRecord, ...]:
        """The faults of the agent so far."""
        return tuple(self._agent.records)

    def player_id(self) -> int:
        """The player for whom the agent plays."""
        return self._player

    def restart_at(self, state: SpielState) -> None:
        """A hand begins."""
        if self._latest is not None and self._latest.is_terminal():
            hand = self._game.hand(self._latest)
            seen = visible_to(self._player, events_of(hand))
            self._agent.end_hand(HandResult(self._player, self._labels, seen, hand.payoffs, self._hand))
            self._hand += 1
        self._latest = state

    def restart(self) -> None:
        """A hand begins whose states are not known yet."""
        self._latest = None

    def inform_action(self, state: SpielState, player: int, action: int) -> None:
        """Somebody acts; the agent sees it when it acts itself."""

    def step(self, state: SpielState) -> int:
        """The number of the action that the agent takes."""
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: SpielState) -> tuple[list[tuple[int, float]], int]:
        """The strategy of the agent by numbers of actions, and the action that it takes."""
        self._latest = state
        observation = self._game.observation(state, self._labels, self._hand)
        decision = self._agent.act(observation)
        chances: dict[int, float] = {}
        for action, chance in decision.strategy or ((decision.action, 1.0),):
            number = self._game.number(state, observation.node, action)
            chances[number] = chances.get(number, 0.0) + chance
        return list(chances.items()), self._game.number(state, observation.node, decision.action)


class OpenSpielAgent(Agent):
    """A policy of OpenSpiel, or one of its bots for each seat, as an agent.

    >>> from open_spiel.python.policy import UniformRandomPolicy
    >>> game = open_spiel_game("kuhn-2p")
    >>> agent = OpenSpielAgent(UniformRandomPolicy(game), game)
    """

    title = "OpenSpiel"

    def __init__(self, player: Any, game: pyspiel.Game) -> None:
        self._bots: Sequence[Any] | None = player if isinstance(player, Sequence) else None
        self._policy = player
        self._game = SpielGame(game)
        self._stream = Stream.live()
        self._decisions = 0

    def verify_game(self, rules: GameRules) -> None:
        """Only the game of the policy is played, whatever it is called."""
        if _betting_and_cards(rules) != _betting_and_cards(self._game.rules):
            raise UnsuitableGame(f"this policy plays {self._game.game}, not {rules.name}")

    def begin_match(self, match: MatchStart) -> None:
        """Draw from the match's randomness."""
        self.verify_game(match.rules)
        self._stream, self._decisions = match.stream, 0

    def act(self, observation: Observation) -> Decision:
        """Ask the policy or the seat's bot, which see the seat's own information."""
        state, node = self._game.state(observation), observation.node
        if self._bots is not None:
            bot = self._bots[observation.seat]
            bot.restart_at(state)
            chosen = bot.step(state)
            _require_legal(state, [chosen])
            return Decision(self._game.action(state, node, chosen))
        chances = self._policy.action_probabilities(state)
        _require_legal(state, [number for number, chance in chances.items() if chance])
        strategy = tuple(
            (self._game.action(state, node, number), chance) for number, chance in chances.items() if chance
        )
        self._decisions += 1
        number = self._stream.child(self._decisions).generator().random()
        return Decision(drawn(strategy, number), strategy=strategy)


def _require_legal(state: SpielState, numbers: Sequence[Any]) -> None:
    """Raise a fault for an answer of a policy or a bot that is no legal action of a state."""
    legal = state.legal_actions()
    if not numbers:
        raise AgentFault(Fault.NOT_A_DECISION, "its policy states no action")
    for number in numbers:
        if not isinstance(number, Integral):
            raise AgentFault(
                Fault.NOT_A_DECISION, f"it answered with {number!r:.60}, not a number of an action"
            )
        if number not in legal:
            may = ", ".join(map(str, legal[:10])) + (", …" if len(legal) > 10 else "")
            raise AgentFault(Fault.ILLEGAL_ACTION, f"it chose action {number}, but may choose {may}")


def _betting_and_cards(rules: GameRules) -> tuple[Any, ...]:
    return (
        rules.betting, rules.blinds, rules.stacks, rules.bet_sizes, rules.raise_caps, rules.first_seats,
        rules.board_cards, rules.hole_cards, rules.deck,
    )  # fmt: skip
