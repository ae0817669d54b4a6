"""Which agents a brain plays, and how it is told that one of them does not play."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from railbird.agent import Agent, UnsuitableGame, agent_info, agent_names, make_agent
from railbird.arena.faults import AgentFault, called
from railbird.engine.rules import GameRules
from railbird.interfaces.brain_fields import Code, Refusal, quoted
from railbird.spec import Spec, SpecError, parse_spec, unknown

_PLAIN_KINDS = ("int", "float", "bool")

_Answer = TypeVar("_Answer")
_Matter = TypeVar("_Matter")


@dataclass(frozen=True, slots=True)
class Offer:
    """Which agents a brain plays: those it was started with, or else every registered one.

    Of registered agents a body may set numbers, switches and choices, but no texts: those name files and databases of
    the brain's machine.
    """

    agents: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What may be asked for."""
        return self.agents or agent_names()

    def verify(self, agent: str) -> None:
        """Refuse an agent that is not offered."""
        if self.agents:
            if agent not in self.agents:
                raise unknown("agent of this brain", agent, self.agents)
            return
        if ".py:" in agent:
            raise SpecError(f"a body cannot name a file: start the brain with the agent {quoted(agent)}")
        spec = parse_spec(agent)
        if spec.name not in agent_names():
            raise unknown("agent", spec.name, agent_names())
        for key in texts_in(spec):
            raise SpecError(
                f"{key} of {spec.name} may name a file, so a body cannot set it: "
                f"start the brain with the agent {quoted(agent)}"
            )

    def make(self, agent: str, rules: GameRules) -> Agent:
        """A new agent that plays the game."""
        try:
            self.verify(agent)
        except SpecError as error:
            raise Refusal(Code.BAD_AGENT, str(error)) from None
        made = suited(make_agent, agent)
        suited(made.verify_game, rules)
        return made


def texts_in(spec: Spec) -> Iterator[str]:
    """The parameters of a registered agent that are texts, which may name files, databases and addresses."""
    kinds = {parameter.name: parameter.kind for parameter in agent_info(spec.name).parameters}
    for key, value in spec.parameters.items():
        kind = kinds.get(key.replace("-", "_"), "int")  # one that does not exist is refused by `make_agent`
        choices = kind.split(" | ")
        if kind not in _PLAIN_KINDS and (len(choices) == 1 or value not in choices):
            yield key


def suited(ask: Callable[[_Matter], _Answer], about: _Matter) -> _Answer:
    """Make an agent, or ask it about a game; a sentence with which it refuses is passed on."""
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
    """The answer where an agent is at fault."""
    return Refusal(
        Code.AGENT_FAILED,
        f"the agent is at fault: {fault}",
        {"fault": fault.fault.value, "detail": fault.detail},
    )
