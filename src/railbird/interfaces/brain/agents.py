"""Creates agents for bodies if they are offered, and reports why one cannot play."""

from collections.abc import Callable
from typing import TypeVar

from railbird.agent import Agent, UnsuitableGame, make_agent
from railbird.agent.faults import AgentFault, called
from railbird.engine.rules import GameRules
from railbird.interfaces.brain.refusals import Code, Refusal
from railbird.interfaces.offer import Offer
from railbird.spec import SpecError

_Answer = TypeVar("_Answer")
_Matter = TypeVar("_Matter")


def made(offer: Offer, agent: str, rules: GameRules) -> Agent:
    """A new agent; it must be offered and play the game."""
    try:
        offer.verify(agent)
    except SpecError as error:
        raise Refusal(Code.BAD_AGENT, str(error)) from None
    found = suited(make_agent, agent)
    suited(found.verify_game, rules)
    return found


def suited(ask: Callable[[_Matter], _Answer], about: _Matter) -> _Answer:
    """Create an agent, or ask it about a game; its reason for a refusal is passed on."""
    try:
        return called(ask, about)
    except AgentFault as fault:
        cause = fault.__cause__
        if isinstance(cause, UnsuitableGame):
            raise Refusal(Code.UNSUITABLE_GAME, str(cause)) from None
        if isinstance(cause, ValueError):
            raise Refusal(Code.BAD_AGENT, str(cause)) from None
        raise failed(fault) from None


def failed(fault: AgentFault) -> Refusal:
    """The answer for an agent that failed."""
    return Refusal(
        Code.AGENT_FAILED,
        f"the agent failed: {fault}",
        {"fault": fault.fault.value, "detail": fault.detail},
    )
