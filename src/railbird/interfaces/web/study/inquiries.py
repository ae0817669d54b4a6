"""Questions at a table: the strength of one's hand, advice, and the reasons for actions."""

from collections.abc import Awaitable
from typing import Any, TypeVar

from railbird.agent import display_name
from railbird.cards import format_card
from railbird.interfaces.web.table import messages
from railbird.interfaces.web.table.agents import TableAgents
from railbird.interfaces.web.table.kept_session import KeptSession
from railbird.interfaces.web.table.messages import RefusalCode, RefusedMessage
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.observation import Observation
from railbird.places import without_passwords

Answer = TypeVar("Answer")


class TableInquiries:
    """Answers the questions of the players at one table."""

    def __init__(self, kept: KeptSession, agents: TableAgents) -> None:
        self._kept, self._agents = kept, agents

    async def strength(self, player: str, message: messages.StrengthMessage) -> list[dict[str, Any]]:
        """The strength of a player's hand."""
        state = self._kept.state
        state.require_advice()
        hand, position = state.own_hand(player, message.hand, message.step)
        return await _studied(self._agents.strength(hand.observation(position)))

    async def advise(self, player: str, message: messages.Advise) -> dict[str, Any]:
        """What an agent would do in a player's place, with the same information."""
        state = self._kept.state
        state.require_advice()
        hand, position = state.own_turn(player, message.hand, message.step)
        label, observation = hand.players[position], hand.observation(position)
        thought = await _studied(self._agents.advise(message.agent, label, observation, state.number))
        if thought.fault or thought.reasons is None:
            name = display_name(message.agent)
            raise RefusedMessage(RefusalCode.BROKEN, f"{name} could not give advice: {thought.fault}")
        name = display_name(message.agent)
        return {
            "name": name,
            "agent": without_passwords(message.agent),
            **_cards_in(observation),
            **thought.reasons,
        }

    async def why(
        self, player: str, message: messages.Why | messages.RangeMessage
    ) -> tuple[str, dict[str, Any]]:
        """The street of an action and the reasons for it, once they may be disclosed."""
        self._kept.state.require_seen(player, message.hand)
        found = await self._kept.reasons(message.hand)
        if message.step not in found:
            raise RefusedMessage(
                RefusalCode.UNKNOWN, f"there are no reasons for step {message.step} of hand {message.hand}"
            )
        before = (await self._kept.hand(message.hand)).before(message.step)
        assert before.state.actor is not None
        seen = before.observation(before.state.actor)
        reasons = found[message.step]
        agent = self._agents.spec(reasons["name"])
        return seen.rules.round_name(seen.round), {
            **reasons,
            "agent": without_passwords(agent),
            **_cards_in(seen),
        }

    def require_over(self, message: messages.RangeMessage) -> None:
        """Refuse a question about a running hand at once, although it may be over when the question's turn comes."""
        self._kept.state.reasons_now(message.hand)

    async def range(self, player: str, message: messages.RangeMessage) -> list[dict[str, Any]]:
        """What an agent would have done with every starting hand, once the reasons for its action may be disclosed."""
        await self.why(player, message)
        hand = await self._kept.hand(message.hand)
        return await _studied(self._agents.range(hand.before(message.step)))


def _cards_in(seen: Observation) -> dict[str, list[str]]:
    """The cards on which a decision was based, for players who may see its reasons."""
    return {
        "cards": [format_card(card) for card in seen.hole_cards],
        "board": [format_card(card) for card in seen.board],
    }


async def _studied(question: Awaitable[Answer]) -> Answer:
    try:
        return await question
    except ThinkerError as error:
        raise RefusedMessage(RefusalCode.UNKNOWN, str(error)) from None
