"""Named faults of agents: every exception from an agent's code becomes one of them."""

import sysconfig
import traceback
from collections.abc import Callable
from enum import Enum
from operator import index
from pathlib import Path
from reprlib import Repr
from typing import TypeVar, TypeVarTuple

from railbird.agent.contract import Decision
from railbird.engine.actions import Action, ActionKind
from railbird.places import without_passwords

MOST_DETAIL = 300
"""Maximum length of the text about a fault; longer ones are truncated."""
LARGEST_AMOUNT = 2**63 - 1

_Arguments = TypeVarTuple("_Arguments")
_Answer = TypeVar("_Answer")

_LIBRARIES = (
    str(Path(__file__).parents[1]),
    *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")),
    "<frozen ",
)
"""How the names of files begin that are not an agent's own program."""
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

    def times(self, count: int) -> str:
        """A number of such faults in words.

        >>> Fault.CRASH.times(3), Fault.NOT_A_DECISION.times(1)
        ('3 crashes', '1 invalid answer')
        """
        one, many = _WORDS.get(self, (self.value, f"{self.value}s"))
        return f"{count:,} {one if count == 1 else many}"


_WORDS = {
    Fault.CRASH: ("crash", "crashes"),
    Fault.NOT_A_DECISION: ("invalid answer", "invalid answers"),
    Fault.OUT_OF_MEMORY: ("lack of memory", "lacks of memory"),
    Fault.FLOOD: ("oversized answer", "oversized answers"),
}
"""One fault and several in words, where these differ from its name and its plural."""


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
            return AgentFault(Fault.DISCONNECT, f"it exited with SystemExit ({_place_of(error)})")
        case _:
            return AgentFault(Fault.CRASH, crash_sentence(error))


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


def crash_sentence(error: BaseException) -> str:
    """The type and the message of an exception from an agent's code, and where in its program it was raised."""
    # The traceback module handles exceptions that cannot be printed.
    text = without_passwords(" ".join("".join(traceback.format_exception_only(error)).split()))
    return f"{text[:MOST_DETAIL]} ({_place_of(error)})"


def _place_of(error: BaseException) -> str:
    """The last method, file and line of the agent's own program before an exception; of any program otherwise."""
    places = [
        (frame.f_code.co_name, frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    own = [place for place in places if not place[1].startswith(_LIBRARIES)]
    method, file, line = (own or places)[-1]
    return f"in {method}, {Path(file).name} line {line}"
