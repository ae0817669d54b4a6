"""The agents and advisors of one table.

Agents join, decide, give reasons and receive results; if their process has died, they join again.
"""

import asyncio
from contextlib import suppress
from typing import Any

import numpy as np

from railbird.agent import HandResult
from railbird.engine.rules import GameRules
from railbird.hands.holdings import blocked_by, cards_of
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.session_plan import PERSON, SessionPlan
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers, Thought
from railbird.observation import Observation
from railbird.store.sessions import StoredSessions

REMEMBERED = 60
"""Maximum number of earlier hands given to agents that join again."""
ADVISED = 50
"""Maximum number of earlier hands given to an advisor."""


class TableAgents:
    """The agents that play against people, or against each other."""

    def __init__(
        self, session: str, game: GameRules, stored: StoredSessions, thinkers: Thinkers, address: str
    ) -> None:
        self._session, self._stored, self._thinkers = session, stored, thinkers
        self._address = address
        """The address that opened the table; all tables of an address share its turns."""
        self._game = game
        self._names: tuple[str, ...] = ()
        """The players of this match."""
        self._agents: dict[str, str] = {}
        """Its agents, by label."""
        self._seated = False

    def spec(self, label: str) -> str:
        """The agent behind a label."""
        return self._agents[label]

    async def sit_down(self, names: tuple[str, ...], plan: SessionPlan, last: int) -> None:
        """Start a match of these players, and give its agents the hands that they played before.

        When somebody comes, goes or sits out, another match begins: the players of a match stay the same.
        """
        if self._seated and names == self._names:
            return
        self._names = names
        self._agents = {
            name: agent
            for name, agent in zip(plan.names, plan.agents, strict=True)
            if agent != PERSON and name in names
        }
        await self._open(last)

    async def _open(self, last: int) -> None:
        rules = self._game.for_players(len(self._names))
        await self._thinkers.open(self._session, rules, self._names, self._agents, self._address)
        self._seated = True
        if last:
            earlier = await self._earlier(last, REMEMBERED)
            told = [{name: hand[name] for name in self._agents if name in hand} for hand in earlier]
            await self._thinkers.remember(self._session, told)

    async def leave(self) -> None:
        """Release the agents."""
        if self._seated:
            self._seated = False
            with suppress(ThinkerError):
                await self._thinkers.close_table(self._session)

    async def decide(self, hand: DealtHand, position: int, last: int) -> Thought:
        """The decision of the agent at a position."""
        label, observation = hand.players[position], hand.observation(position)
        try:
            return await self._thinkers.decide(self._session, label, observation, "later")
        except ThinkerError:
            # Their process has died: they join again, once.
            await self._open(last)
            return await self._thinkers.decide(self._session, label, observation, "later")

    async def reasons(self, label: str, thought: Thought) -> dict[str, Any] | None:
        """The reasons for an agent's decision, None if they are not available."""
        try:
            reasons = thought.reasons or await self._thinkers.reasons(self._session, label, thought.decision)
        except ThinkerError:
            return None
        return {"name": label, **reasons}

    async def end_hand(self, hand: DealtHand) -> None:
        """Send all agents the result of a hand, each as it saw it."""
        results = {name: result for name, result in _results_of(hand).items() if name in self._agents}
        try:
            await self._thinkers.end_hand(self._session, results)
        except ThinkerError:
            await self._open(hand.number)

    async def advise(self, agent: str, label: str, observation: Observation, last: int) -> Thought:
        """What an agent would do in a seat, with no more information than that seat has."""
        self._thinkers.admit(agent)
        earlier = [hand[label] for hand in await self._earlier(last, ADVISED) if label in hand]
        rules = self._game.for_players(len(self._names))
        await self._thinkers.prepare(rules, [agent])
        return await self._thinkers.study.advise(agent, rules, self._names, label, observation, earlier)

    async def range(self, hand: DealtHand) -> list[dict[str, Any]]:
        """What the agent to act would do with every starting hand; it learns of no hidden card of this hand."""
        position = hand.state.actor
        assert position is not None
        label, observation = hand.players[position], hand.observation(position)
        if observation.rules.deals_two_of_52:
            other = np.flatnonzero(~blocked_by(observation.board))[0]
            observation = observation.holding(cards_of(int(other)))
        agent, last = self._agents[label], hand.number - 1
        self._thinkers.admit(agent)
        earlier = [each[label] for each in await self._earlier(last, ADVISED) if label in each]
        rules, names = self._game.for_players(len(hand.players)), hand.by_chair
        return await self._thinkers.study.range(agent, rules, names, label, observation, earlier)

    async def strength(self, observation: Observation) -> list[dict[str, Any]]:
        """The strength of a seat's hand."""
        return await self._thinkers.study.strength(observation)

    async def _earlier(self, last: int, most: int) -> list[dict[str, HandResult]]:
        """The finished ones of the `most` hands up to the last between players of this match, as each seat saw them."""
        after, present = max(0, last - most), frozenset(self._names)

        def read() -> list[dict[str, HandResult]]:
            return [
                _results_of(DealtHand.restored(stored.number, stored.start, stored.actions))
                for stored in self._stored.hands(self._session, after, last - after)
                if stored.over and not stored.voided and present.issuperset(stored.start["players"])
            ]

        return await asyncio.to_thread(read)


def _results_of(hand: DealtHand) -> dict[str, HandResult]:
    return {label: hand.result(position) for position, label in enumerate(hand.players)}
