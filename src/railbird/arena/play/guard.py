"""What becomes of agents that misbehave: every fault has a record and a stated consequence.

`GuardedAgent` stands between one player's agent and the table. Whatever the agent does, the hand goes on with a legal
decision or the match is void, as the policy says:

- native: the agent checks or folds for that decision. At its third fault it forfeits: it checks or folds from then
  on without being asked, and is told nothing more. Faults outside of decisions (`begin_match`, `hear`, `end_hand`)
  count as well. An agent that used up its time for a hand is not asked again in that hand.
- strict: `MatchVoid` ends the match with the record of the fault.

Agents in the arena's own process cannot be stopped; `isolation` gives them processes of their own, which can.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from railbird.agent import Agent, Decision, Explanation, HandResult, MatchStart
from railbird.agent.faults import AgentFault, Fault, as_decision, called, fault_of
from railbird.arena.play.hand import learns, listens
from railbird.arena.play.plan import FaultPolicy
from railbird.engine.actions import CALL, FOLD, ActionKind, LegalActions, raise_to
from railbird.engine.events import Event
from railbird.observation import Observation

STRIKES = 3
"""The fault with which an agent forfeits."""

_News = TypeVar("_News")

_CHECKING = Decision(CALL, Explanation("Checks in place of an agent that is at fault."))
_FOLDING = Decision(FOLD, Explanation("Folds in place of an agent that is at fault."))


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """One fault of one player, for the results."""

    label: str
    hand_number: int | None
    """The hand in which it happened, None before the first."""
    fault: Fault
    detail: str
    """A sentence about it. It may quote the agent, so two runs need not agree on it."""

    def __str__(self) -> str:
        when = "before the first hand" if self.hand_number is None else f"in hand {self.hand_number}"
        return f"{self.label}, {when}: {self.fault.value}: {self.detail}"


class MatchVoid(Exception):
    """A match that does not count, because an agent was at fault under the strict policy."""

    def __init__(self, record: FaultRecord) -> None:
        super().__init__(record)
        self.record = record

    def __str__(self) -> str:
        return f"the match is void: {self.record}"


class GuardedAgent(Agent):
    """One player's agent under a policy for faults: its answers are always legal decisions.

    Faults count for as long as the guard lives: resets between duplicate seatings do not forgive them.
    """

    def __init__(self, label: str, agent: Agent, policy: FaultPolicy = FaultPolicy.NATIVE) -> None:
        self.label = label
        self.agent = agent
        self.policy = policy
        self.records: list[FaultRecord] = []
        self.forfeited = False
        self.listens = listens(agent)
        # After an agent that listens, the guard must know as well where one hand ends and the next begins.
        self.learns = learns(agent) or self.listens
        self._hand_number: int | None = None
        self._is_asked = True

    def begin_match(self, match: MatchStart) -> None:
        """Tell the agent, unless it has forfeited."""
        self._enter(None)
        if self._is_asked:
            self._tell(self.agent.begin_match, match)

    def hear(self, event: Event) -> None:
        """Tell the agent, unless it is not asked any more."""
        if self._hand_number is None:
            self._hand_number = 0
        if self._is_asked:
            self._tell(self.agent.hear, event)

    def act(self, observation: Observation) -> Decision:
        """The agent's decision where it is legal, otherwise to check or fold."""
        # What is legal is read before the agent could change the observation.
        legal = observation.node.legal
        if observation.hand_number != self._hand_number:
            self._enter(observation.hand_number)
        if self._is_asked:
            try:
                return _decide(self.agent, observation, legal)
            except (Exception, SystemExit) as error:
                self._record(fault_of(error))
        return _FOLDING if legal.fold else _CHECKING

    def end_hand(self, result: HandResult) -> None:
        """Tell the agent, unless it has forfeited."""
        self._hand_number = result.hand_number
        if not self.forfeited:
            self._tell(self.agent.end_hand, result)
        self._enter(result.hand_number + 1)

    def lived(self) -> tuple[str, ...]:
        """What the agent lived through: texts, unless it is at fault or has forfeited."""
        if self.forfeited:
            return ()
        try:
            texts = tuple(called(self.agent.lived))
            if not all(type(text) is str for text in texts):
                raise AgentFault(Fault.NOT_A_DECISION, "what it lived through is not given as texts")
        except AgentFault as fault:
            self._record(fault)
            return ()
        except TypeError:
            self._record(AgentFault(Fault.NOT_A_DECISION, "what it lived through is not given as texts"))
            return ()
        return texts

    def _enter(self, hand_number: int | None) -> None:
        self._hand_number = hand_number
        self._is_asked = not self.forfeited

    def _tell(self, tell: Callable[[_News], None], news: _News) -> None:
        try:
            called(tell, news)
        except AgentFault as fault:
            self._record(fault)

    def _record(self, fault: AgentFault) -> None:
        record = FaultRecord(self.label, self._hand_number, fault.fault, fault.detail)
        self.records.append(record)
        if self.policy is FaultPolicy.STRICT:
            raise MatchVoid(record) from fault
        if len(self.records) >= STRIKES:
            self.forfeited = True
            self.listens = self.learns = False
        if self.forfeited or fault.fault is Fault.HAND_TIMEOUT:
            self._is_asked = False


def _decide(agent: Agent, observation: Observation, legal: LegalActions) -> Decision:
    answer = agent.act(observation)
    if type(answer) is Decision and (answer.action is CALL or (answer.action is FOLD and legal.fold)):
        return answer  # most decisions, found legal without the checks below
    decision = as_decision(answer)
    action = decision.action
    if action.kind is not ActionKind.RAISE and action.to:  # which `allows` does not look at
        raise AgentFault(Fault.ILLEGAL_ACTION, f"it wanted to {action} with an amount of {action.to}")
    if not legal.allows(action):
        raise AgentFault(Fault.ILLEGAL_ACTION, f"it wanted to {action}, but may {_options(legal)}")
    return decision


def _options(legal: LegalActions) -> str:
    options = ["fold"] if legal.fold else []
    options.append(f"call {legal.call}" if legal.call else "check")
    if legal.can_raise:
        most = f" … {legal.raise_maximum}" if legal.raise_maximum > legal.raise_minimum else ""
        options.append(f"{raise_to(legal.raise_minimum)}{most}")
    return " or ".join(options)
