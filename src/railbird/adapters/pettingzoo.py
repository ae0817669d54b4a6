"""Every game as an environment of PettingZoo (`pip install 'railbird[rl]'`).

>>> from railbird.adapters.pettingzoo import env
>>> poker = env("leduc-2p")
>>> poker.reset(seed=1)
>>> for agent in poker.agent_iter():
...     observation, reward, termination, truncation, info = poker.last()
...     poker.step(None if termination else 1)
...     if termination:
...         print(agent, reward)
player_0 -0.5
player_1 0.5

An episode is a hand. `player_0` sits on the left of the button, and the last player has the button. `encoding` lists
the actions and the parts of an observation.
"""

import sys
from collections.abc import Iterator
from itertools import repeat
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from railbird.adapters.encoding import Encoder, NumberedSpot
from railbird.engine.actions import ActionError
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.extras import require_extra
from railbird.notation.game_names import find_game
from railbird.rng import Stream

require_extra("rl", "pettingzoo", "railbird.adapters.pettingzoo")

from gymnasium.spaces import Box, Dict, Discrete  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402

ANSI = "ansi"


def env(game: str = "limit-2p", actions: str | None = None, render_mode: str | None = None) -> "PokerEnv":
    """The environment of a game; `actions` are letters of `railbird.strategies.actions`, such as `fchpa`."""
    return PokerEnv(game, actions, render_mode)


class PokerEnv(AECEnv):  # type: ignore[misc]
    """Hands of a game, one after another.

    An observation is `{"observation": …, "action_mask": …}`; `legal_actions` in the info of the player to act are the
    numbers that the mask allows. Rewards are what a player won in the hand, in small bets at limit and in big blinds
    otherwise. The same seed deals the same hands.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "railbird_v1",
        "render_modes": [ANSI],
        "is_parallelizable": False,
    }

    def __init__(
        self, game: str = "limit-2p", actions: str | None = None, render_mode: str | None = None
    ) -> None:
        self.game, self.render_mode = game, render_mode
        self._setup = Setup.of(find_game(game))
        self._encoder = Encoder(self._setup, actions)
        rules = self._setup.rules
        self._unit, size = rules.unit_chips, rules.hole_cards
        self._hole = [slice(seat * size, (seat + 1) * size) for seat in range(rules.players)]
        self._board = self._encoder.board
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._zeros = dict.fromkeys(self.possible_agents, 0.0)
        self._falses = dict.fromkeys(self.possible_agents, False)
        self._no_infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        self._trues = dict.fromkeys(self.possible_agents, True)
        letters = len(self._encoder.letters)
        view = Box(0.0, np.inf, (self._encoder.size,), np.float32)
        mask = Box(0, 1, (letters,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": view, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(letters) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._nothing = np.zeros(letters, np.int8)
        self._nothing.flags.writeable = False
        self._words = Stream.live().words()

    def observation_space(self, agent: str) -> Dict:
        """The form of what a player sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The numbers of a player's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal the next hand; with a seed, the first one of that seed."""
        if seed is not None:
            self._words = Stream.from_seed(seed).words()
        self._hand = hand = State.deal(self._setup, self._words)
        places = self._encoder.places
        self._cards = hand.cards if places is None else tuple([places[card] for card in hand.cards])
        """The places of the cards of the hand in an observation."""
        self.agents = self.possible_agents.copy()
        self.rewards = self._cumulative_rewards = self._zeros.copy()
        self.terminations = self.truncations = self._falses.copy()
        self.infos = self._no_infos.copy()
        self._go(self._encoder.root)

    @property
    def hand(self) -> State:
        """The hand as the engine plays it."""
        self._hand.node = self._spot.node
        return self._hand

    def observe(self, agent: str) -> dict[str, Any]:
        """What a player sees; the mask of a player who is not to act allows nothing."""
        spot, seat, cards = self._spot, self._seats[agent], self._cards
        view = spot.views[seat]
        seen = (self._encoder.view(spot, seat) if view is None else view).copy()
        for place in cards[self._hole[seat]]:
            seen[place] = 1.0
        if spot.has_board:
            board = self._board
            for place in cards[spot.board]:
                seen[board + place] = 1.0
        return {"observation": seen, "action_mask": spot.mask if seat == spot.actor else self._nothing}

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """What the player to act sees, its reward since its last action, and whether the hand is over."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            False,
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The players to act, one after another, and all of them at the end of the hand."""
        for _ in repeat(None, min(max_iter, sys.maxsize)):
            if not self.agents:
                return
            yield self.agent_selection

    def step(self, action: int | None) -> None:
        """Perform the action of the player to act; after the hand, players leave with None."""
        before = self._spot
        if before.actor is None:
            self._leave(action)
            return
        try:
            spot = before.following[action]  # type: ignore[index]
        except (KeyError, TypeError):
            spot = self._explored(before, action)
        self._go(spot)

    def _go(self, spot: NumberedSpot) -> None:
        self._spot = spot
        if spot.actor is None:
            self._finish(spot)
        else:
            self.agent_selection = agent = self.agents[spot.actor]
            self.infos[agent] = spot.info

    def _explored(self, spot: NumberedSpot, action: Any) -> NumberedSpot:
        if not isinstance(action, Integral) or action not in spot.actions:
            allowed = ", ".join(map(str, spot.actions))
            raise ActionError(f"{self.agent_selection} may not do {action}: the mask allows {allowed}")
        return self._encoder.after(spot, int(action))

    def _finish(self, spot: NumberedSpot) -> None:
        rewards = spot.rewards
        if rewards is None:
            won = [float(chips / self._unit) for chips in self.hand.payoffs]
            rewards = dict(zip(self.agents, won, strict=True))
            if not spot.is_showdown:
                spot.rewards = rewards  # they do not depend on the cards
        self.rewards, self._cumulative_rewards = rewards.copy(), rewards.copy()
        self.terminations = self._trues.copy()
        self.infos = self._no_infos.copy()
        self.agent_selection = self.agents[0]

    def _leave(self, action: int | None) -> None:
        agents = self.agents
        if action is not None:
            raise ActionError(f"the hand is over: {agents[0]} can only take the action None")
        agent = agents.pop(0)
        del self.terminations[agent], self.truncations[agent], self.infos[agent]
        del self._cumulative_rewards[agent]
        self.rewards = dict.fromkeys(agents, 0.0)
        if agents:
            self.agent_selection = agents[0]

    def render(self) -> str | None:
        """The hand so far as text, if the render mode is `ansi`."""
        return repr(self.hand) if self.render_mode == ANSI else None

    def close(self) -> None:
        """Nothing is open."""
