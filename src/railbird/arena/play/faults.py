"""What becomes of agents that misbehave: every fault has a name, a record and a stated consequence.

`GuardedAgent` stands between one player's agent and the table. Whatever the agent does, the hand goes on with a legal
decision or the match is void, as the policy says:

- native: the agent checks or folds for that decision. At its third fault it forfeits: it checks or folds from then
  on without being asked, and is told nothing more. Faults outside of decisions (`begin_match`, `hear`, `end_hand`)
  count as well. An agent that used up its time for a hand is not asked again in that hand.
- strict: `MatchVoid` ends the match with the record of the fault.

Agents in the arena's own process cannot be stopped; `isolation` gives them processes of their own, which can.
"""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from operator import index
from reprlib import Repr
from typing import TypeVar, TypeVarTuple

from railbird.agent import Agent, Decision, Explanation, HandResult, MatchStart
from railbird.arena.play.hand import learns, listens
from railbird.arena.play.plan import FaultPolicy
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, LegalActions, raise_to
from railbird.engine.events import Event
from railbird.observation import Observation

STRIKES = 3
"""The fault with which an agent forfeits."""
MOST_DETAIL = 300
"""The length at which a sentence about a fault is cut."""
LARGEST_AMOUNT = 2**63 - 1

_Arguments = TypeVarTuple("_Arguments")
_Answer = TypeVar("_Answer")
_News = TypeVar("_News")

_CHECKING = Decision(CALL, Explanation("Checks in place of an agent that is at fault."))
_FOLDING = Decision(FOLD, Explanation("Folds in place of an agent that is at fault."))

_shortened = Repr()
_shortened.maxstring = _shortened.maxother = 60


class Fault(Enum):
    """What an agent can do wrong."""

    CRASH = "crash"
    """It raised an exception."""
    TIMEOUT = "timeout"
    """It did not answer, or did not get ready, within its time."""
    HAND_TIMEOUT = "hand timeout"
    """It used up its time for the whole hand."""
    ILLEGAL_ACTION = "illegal action"
    """It decided on something that the rules forbid there."""
    NOT_A_DECISION = "not a decision"
    """It answered with something else than a decision."""
    DISCONNECT = "disconnect"
    """It left: its process ended, or it closed the connection."""
    OUT_OF_MEMORY = "out of memory"
    """It asked for more memory than it may use."""
    FLOOD = "flood"
    """It answered with far more than a decision needs."""


class AgentFault(Exception):
    """One fault, on its way from the agent to its guard."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail


class ArenaFailure(RuntimeError):
    """The arena itself cannot go on, which is no agent's fault: no guard stops it."""


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
                self._record(_fault_of(error))
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


def called(function: Callable[[*_Arguments], _Answer], *arguments: *_Arguments) -> _Answer:
    """Call an agent's code; whatever it raises becomes an `AgentFault`, except Ctrl-C."""
    try:
        return function(*arguments)
    except AgentFault:
        raise
    except (Exception, SystemExit) as error:
        # The broad except: an agent is anybody's code and may raise anything, but must not take the table along.
        raise _fault_of(error) from error


def _fault_of(error: Exception | SystemExit) -> AgentFault:
    """The fault that an exception from an agent's code is; the arena's own failure goes on."""
    match error:
        case AgentFault():
            return error
        case ArenaFailure():
            raise error
        case MemoryError():
            return AgentFault(Fault.OUT_OF_MEMORY, "it ran out of memory")
        case SystemExit():
            return AgentFault(Fault.DISCONNECT, "it left with SystemExit")
        case _:
            return AgentFault(Fault.CRASH, _sentence(error))


def as_decision(answer: object) -> Decision:
    """An agent's answer as a decision in plain numbers, or the fault that it is none."""
    if not isinstance(answer, Decision):
        raise AgentFault(Fault.NOT_A_DECISION, f"it answered with {_named(answer)}")
    action = _plain(answer.action)
    if abs(action.to) > LARGEST_AMOUNT:
        raise AgentFault(Fault.NOT_A_DECISION, "its amount is beyond every number of chips")
    if type(answer) is Decision and action is answer.action:
        return answer
    return Decision(action, answer.explanation, answer.strategy)


def _plain(action: object) -> Action:
    """An action whose numbers may be numpy's, in plain ints."""
    if type(action) is Action and type(action.kind) is ActionKind and type(action.to) is int:
        return action
    if not isinstance(action, Action):
        raise AgentFault(Fault.NOT_A_DECISION, f"its action is {_named(action)}")
    try:
        return Action(ActionKind(index(action.kind)), index(action.to))
    except (TypeError, ValueError):
        raise AgentFault(
            Fault.NOT_A_DECISION, f"its action is made of {_named(action.kind)} and {_named(action.to)}"
        ) from None


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


def _named(thing: object) -> str:
    """A value in few words. Only plain values are quoted: an agent's own classes may print anything, or nothing."""
    if thing is None or type(thing) in (bool, float, str, bytes):
        return _shortened.repr(thing)
    if type(thing) is int and abs(thing) <= LARGEST_AMOUNT:
        return str(thing)
    return f"a value of type {type(thing).__name__}"


def _sentence(error: Exception) -> str:
    # The traceback module copes with exceptions that cannot be printed.
    lines = traceback.format_exception_only(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join("".join(lines).split())
    return f"{text[:MOST_DETAIL]} (in {place.name}, line {place.lineno})"
