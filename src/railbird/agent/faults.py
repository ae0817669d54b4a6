"""Named faults of agents: every exception from an agent's code becomes one of them."""

import traceback
from collections.abc import Callable
from enum import Enum
from operator import index
from reprlib import Repr
from typing import TypeVar, TypeVarTuple

from railbird.agent.contract import Decision
from railbird.engine.actions import Action, ActionKind

MOST_DETAIL = 300
"""Maximum length of the text about a fault; longer ones are truncated."""
LARGEST_AMOUNT = 2**63 - 1

_Arguments = TypeVarTuple("_Arguments")
_Answer = TypeVar("_Answer")

_shortened = Repr()
_shortened.maxstring = _shortened.maxother = 60


class Fault(Enum):
    """What an agent can do wrong."""

    CRASH = "crash"
    """It raised an exception."""
    TIMEOUT = "timeout"
    """It did not answer, or was not ready, within the time limit."""
    HAND_TIMEOUT = "hand timeout"
    """It used up the time limit for the whole hand."""
    ILLEGAL_ACTION = "illegal action"
    """It chose an action that the rules do not allow."""
    NOT_A_DECISION = "not a decision"
    """Its answer is not a decision."""
    DISCONNECT = "disconnect"
    """It left: its process ended, or it closed the connection."""
    OUT_OF_MEMORY = "out of memory"
    """It exceeded its memory limit."""
    FLOOD = "flood"
    """Its answer is too large."""


class AgentFault(Exception):
    """A fault, raised from the agent to its guard."""

    def __init__(self, fault: Fault, detail: str) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail


class ArenaFailure(RuntimeError):
    """The arena itself cannot continue; this is not an agent's fault, so guards let it pass."""


def called(function: Callable[[*_Arguments], _Answer], *arguments: *_Arguments) -> _Answer:
    """Call an agent's code; every exception except Ctrl-C becomes an `AgentFault`."""
    try:
        return function(*arguments)
    except AgentFault:
        raise
    except (Exception, SystemExit) as error:
        # The broad except: an agent is untrusted code that may raise anything, but must not stop the table.
        raise fault_of(error) from error


def fault_of(error: Exception | SystemExit) -> AgentFault:
    """The fault for an exception from an agent's code; a failure of the arena itself is raised again."""
    match error:
        case AgentFault():
            return error
        case ArenaFailure():
            raise error
        case MemoryError():
            return AgentFault(Fault.OUT_OF_MEMORY, "it ran out of memory")
        case SystemExit():
            return AgentFault(Fault.DISCONNECT, "it exited with SystemExit")
        case _:
            return AgentFault(Fault.CRASH, _sentence(error))


def as_decision(answer: object) -> Decision:
    """An agent's answer as a decision with plain numbers; raises `AgentFault` if it is not a decision."""
    if not isinstance(answer, Decision):
        raise AgentFault(Fault.NOT_A_DECISION, f"it answered with {_named(answer)}")
    action = _plain(answer.action)
    if abs(action.to) > LARGEST_AMOUNT:
        raise AgentFault(Fault.NOT_A_DECISION, "its amount is too large")
    if type(answer) is Decision and action is answer.action:
        return answer
    return Decision(action, answer.explanation, answer.strategy)


def _plain(action: object) -> Action:
    """An action, possibly with numpy numbers, in plain ints."""
    if type(action) is Action and type(action.kind) is ActionKind and type(action.to) is int:
        return action
    if not isinstance(action, Action):
        raise AgentFault(Fault.NOT_A_DECISION, f"its action is {_named(action)}")
    try:
        return Action(ActionKind(index(action.kind)), index(action.to))
    except (TypeError, ValueError):
        raise AgentFault(
            Fault.NOT_A_DECISION, f"its action consists of {_named(action.kind)} and {_named(action.to)}"
        ) from None


def _named(thing: object) -> str:
    """A short description of a value. Only plain values are quoted: an agent's own classes may print anything."""
    if thing is None or type(thing) in (bool, float, str, bytes):
        return _shortened.repr(thing)
    if type(thing) is int and abs(thing) <= LARGEST_AMOUNT:
        return str(thing)
    return f"a value of type {type(thing).__name__}"


def _sentence(error: Exception) -> str:
    # The traceback module handles exceptions that cannot be printed.
    lines = traceback.format_exception_only(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = " ".join("".join(lines).split())
    return f"{text[:MOST_DETAIL]} (in {place.name}, line {place.lineno})"
