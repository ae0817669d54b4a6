"""Handles agents that misbehave: every fault is recorded and has a defined consequence.

`GuardedAgent` stands between one player's agent and the table. Whatever the agent does, the hand continues with a legal
decision or the match is void, depending on the policy:

- native: the agent checks or folds for that decision. At its third fault it forfeits: it checks or folds from then
  on and is no longer asked or informed. Faults outside of decisions (`begin_match`, `hear`, `end_hand`) count as well.
  An agent that has used up its time for a hand is not asked again in that hand.
- strict: `MatchVoid` ends the match with the record of the fault.

Agents in the arena's own process cannot be interrupted; `isolation` runs them in separate processes, which can.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

from railbird.agent import Agent, Decision, Explanation, HandPlayer, HandResult, MatchStart
from railbird.agent.faults import AgentFault, Fault, as_decision, called, fault_of
from railbird.arena.play.hand import learns, listens
from railbird.arena.play.plan import FaultPolicy
from railbird.engine.actions import CALL, FOLD, ActionKind, LegalActions, raise_to
from railbird.engine.events import Event
from railbird.engine.setup import Setup
from railbird.observation import Observation
from railbird.plain_data import read_json

STRIKES = 3
"""The number of faults at which an agent forfeits."""

_News = TypeVar("_News")
_Arguments = TypeVarTuple("_Arguments")

_CHECKING = Decision(CALL, Explanation("Checks on behalf of an agent that failed."))
_FOLDING = Decision(FOLD, Explanation("Folds on behalf of an agent that failed."))


@dataclass(frozen=True, slots=True)
class FaultRecord:
    """One fault of one player, for the results."""

    label: str
    hand_number: int | None
    """The hand in which it happened; None before the first hand."""
    fault: Fault
    detail: str
    """A description. It may quote the agent, so it can differ between runs."""
    seating: int = 0
    """The number of the seating within the match."""

    def __str__(self) -> str:
        when = "before the first hand" if self.hand_number is None else f"in hand {self.hand_number}"
        return f"{self.label}, {when}: {self.fault.value}: {self.detail}"


class MatchVoid(Exception):
    """A match that does not count because an agent failed under the strict policy."""

    def __init__(self, record: FaultRecord) -> None:
        super().__init__(record)
        self.record = record

    def __str__(self) -> str:
        return f"the match is void: {self.record}"


class CannotGoOn(Exception):
    """An agent failed to go on after a break."""


class GuardedAgent(Agent):
    """One player's agent under a policy for faults: its answers are always legal decisions.

    Faults accumulate over the lifetime of the guard: resets between duplicate seatings do not clear them.
    """

    def __init__(self, label: str, agent: Agent, policy: FaultPolicy = FaultPolicy.NATIVE) -> None:
        self.label = label
        self.agent = agent
        self.policy = policy
        self.records: list[FaultRecord] = []
        self.forfeited = False
        self.listens = listens(agent)
        # If the agent listens, the guard too must know where one hand ends and the next begins.
        self.learns = learns(agent) or self.listens
        self.takes_notes = type(agent).hand_note is not Agent.hand_note
        self._hand_number: int | None = None
        self._is_asked = True

    def begin_match(self, match: MatchStart) -> None:
        """Inform the agent, unless it has forfeited."""
        self._enter(None)
        if self._is_asked:
            self._tell(self.agent.begin_match, match)

    def hear(self, event: Event) -> None:
        """Inform the agent, unless it is no longer asked."""
        if self._hand_number is None:
            self._hand_number = 0
        if self._is_asked:
            self._tell(self.agent.hear, event)

    def act(self, observation: Observation) -> Decision:
        """The agent's decision if it is legal, otherwise a check or fold."""
        # Read the legal actions before the agent can change the observation.
        legal = observation.node.legal
        if observation.hand_number != self._hand_number:
            self._enter(observation.hand_number)
        if self._is_asked:
            try:
                answer = self.agent.act(observation)
                if type(answer) is Decision and (
                    answer.action is CALL or (answer.action is FOLD and legal.fold)
                ):
                    return answer  # the common case: known to be legal without further checks
                return _checked(answer, legal)
            except (Exception, SystemExit) as error:
                self._record(fault_of(error))
        return _FOLDING if legal.fold else _CHECKING

    def end_hand(self, result: HandResult) -> None:
        """Inform the agent, unless it has forfeited."""
        self._hand_number = result.hand_number
        if not self.forfeited:
            self._tell(self.agent.end_hand, result)
        self._enter(result.hand_number + 1)

    def bookmark(self) -> Any:
        """The agent's bookmark; None if it offers none, or has failed.

        A class outside of Railbird must define its own: it may keep more than the class it is derived from.
        """
        kind = type(self.agent)
        if self.records or not (kind.__module__.startswith("railbird.") or "bookmark" in vars(kind)):
            return None
        return _plain(self.agent.bookmark)

    def hand_note(self) -> Any:
        """The agent's note on the hand that has just ended."""
        return _plain(self.agent.hand_note) if self.takes_notes and not self.records else None

    def recall(self, result: HandResult, asked: Sequence[Observation], note: Any) -> None:
        """Tell the agent again of a hand before a break."""
        _again(self.agent.recall, result, asked, note)
        self._enter(result.hand_number + 1)

    def go_on(self, bookmark: Any) -> None:
        """Let the agent go on at its bookmark."""
        _again(self.agent.go_on, bookmark)

    def lived(self) -> tuple[str, ...]:
        """The agent's experience as texts; empty if it fails or has forfeited."""
        if self.forfeited:
            return ()
        try:
            texts = tuple(called(self.agent.lived))
            if not all(type(text) is str for text in texts):
                raise AgentFault(Fault.NOT_A_DECISION, "its experience is not a sequence of texts")
        except AgentFault as fault:
            self._record(fault)
            return ()
        except TypeError:
            self._record(AgentFault(Fault.NOT_A_DECISION, "its experience is not a sequence of texts"))
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


def _plain(offer: Callable[[], Any]) -> Any:
    """What an agent offers to be kept, as JSON reads it again; None if it fails or offers anything else."""
    try:
        return read_json(json.dumps(called(offer)))
    except (AgentFault, TypeError, ValueError, RecursionError):
        return None


def _again(tell: Callable[[*_Arguments], None], *news: *_Arguments) -> None:
    try:
        called(tell, *news)
    except AgentFault as fault:
        raise CannotGoOn(fault.detail) from fault


def self_play(agents: Sequence[GuardedAgent], setup: Setup) -> HandPlayer | None:
    """What plays hands between agents of one class without asking them, if they offer it and have not failed."""
    inner = [agent.agent for agent in agents]
    if len({type(agent) for agent in inner}) > 1 or any(agent.records for agent in agents):
        return None
    return inner[0].self_play(inner, setup)


def _checked(answer: object, legal: LegalActions) -> Decision:
    """An agent's answer, if it is a legal decision."""
    decision = as_decision(answer)
    action = decision.action
    if action.kind is not ActionKind.RAISE and action.to:  # not checked by `allows`
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
