"""`IsolatedAgent`: an agent in a separate process, with limits on time, memory and open files.

- Time: every question (a decision, or the result of a finished hand) must be answered within `decision_s`, all
  questions of a hand within `hand_s`. Startup (importing, `begin_match`) has its own, generous limit.
- Memory: `memory_mb` limits the data of its process, of which Python, numpy and numba take about 120 MB.
- Its output is discarded. An answer longer than `most_bytes` is a flood.
- If an agent is late, floods, runs out of memory or exits, its process is killed. When the agent is needed again, a
  new process receives `begin_match` with `is_reset` and the events of the hand so far: it continues without its
  memory, until its guard (`play.guard`) has counted three faults. An exception or an invalid answer costs the
  decision, not the process.
- A fault while it processes events is reported at its next question and costs that decision.
- It receives its own name, observations and randomness, and nothing else: its process is forked from a `nursery` that
  never had access to the arena's memory. Its process ends with the arena's and leaves no zombie.

It needs an operating system with `fork` and Unix sockets; the memory limit is only known to work on Linux.
"""

import signal
import socket
import sys
from base64 import b64encode
from dataclasses import replace
from time import monotonic
from types import TracebackType
from typing import Any

from railbird.agent import Agent, Decision, GivenAgent, HandResult, MatchStart
from railbird.agent.faults import MOST_DETAIL, AgentFault, Fault
from railbird.agent.plain_form import decision_from_json, match_to_json, result_to_json
from railbird.agent.sending import packed
from railbird.arena.play.plan import Limits
from railbird.arena.processes import isolated_worker
from railbird.arena.processes.frames import Channel, FrameError, FrameTooLong
from railbird.arena.processes.isolated_worker import OUT_OF_MEMORY
from railbird.arena.processes.open_nursery import OpenNursery
from railbird.engine.events import Event
from railbird.engine.json_form import event_to_json
from railbird.fields import FieldError
from railbird.observation import Observation
from railbird.spec import SpecError

START_S = 60.0
"""How long an agent may take to start."""
LEAVE_S = 0.2
"""How long a process may take to end once its connection is closed."""
MOST_BYTES = 1 << 20
"""Maximum length of an answer, in bytes."""
MOST_LIVED_BYTES = 1 << 26
"""Maximum length of an agent's experience of a match, in bytes."""
NO_LIMITS = Limits()
_TASKS = {
    "start": "start",
    "begin": "get ready for the match",
    "act": "decide",
    "end": "process the result of the hand",
    "lived": "return its experience",
}
LEAST_MEMORY_MB = 192
LEAST_OPEN_FILES = 16


class IsolatedAgent(Agent):
    """Stands for a named agent that runs in its own process; faults are raised as `AgentFault`."""

    def __init__(
        self,
        agent: str,
        limits: Limits = NO_LIMITS,
        *,
        start_s: float = START_S,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        if limits.memory_mb is not None and limits.memory_mb < LEAST_MEMORY_MB:
            raise ValueError(
                f"an agent needs at least {LEAST_MEMORY_MB} MB including Python, not {limits.memory_mb}"
            )
        if limits.open_files is not None and limits.open_files < LEAST_OPEN_FILES:
            raise ValueError(
                f"an agent needs at least {LEAST_OPEN_FILES} open files including Python's own, "
                f"not {limits.open_files}"
            )
        self.agent = agent
        self._carried = _carried(agent)
        self.limits = limits
        self.start_s = start_s
        self.most_bytes = most_bytes
        self._process: _Process | None = None
        self._match: MatchStart | None = None
        self._unheard: list[Event] = []
        self._hand_used_s = 0.0

    def __enter__(self) -> "IsolatedAgent":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process id; None while there is no process."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start a process with the agent in it; SpecError for an unknown agent."""
        if self._process is None:
            self._process = _Process(self.most_bytes)
            question = {
                "ask": "start",
                "agent": self.agent,
                **self._carried,
                "memory_mb": self.limits.memory_mb,
                "open_files": self.limits.open_files,
            }
            try:
                answer = self._ask(question, self.start_s)
            except (AgentFault, SpecError):
                self.close()
                raise
            self._process.listens = answer.get("listens") is True
            self._process.learns = answer.get("learns") is True

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            process, self._process = self._process, None
            process.stop(LEAVE_S)

    def begin_match(self, match: MatchStart) -> None:
        """Inform the agent; the time limit is that for startup."""
        self._match = match
        self._next_hand()
        self.start()
        self._begin(match)

    def hear(self, event: Event) -> None:
        """Keep the event for the next question: the agent hears it before it must act on it."""
        if self._process is not None and self._process.listens:
            self._unheard.append(event)

    def act(self, observation: Observation) -> Decision:
        """Ask the agent within its limits."""
        is_new = self._process is None
        if is_new:
            self._require_time()
            self._restart()
        assert self._process is not None
        unheard = self._unheard
        if is_new and self._process.listens:
            unheard = list(observation.events)
        question = {
            "ask": "act",
            "events": [event_to_json(event) for event in unheard],
            "observation": observation.to_json(),
        }
        self._unheard = []
        answer = self._ask_in_hand(question)
        try:
            return decision_from_json(answer.get("decision"))
        except FieldError:
            raise AgentFault(
                Fault.NOT_A_DECISION, "its answer is not a valid decision in plain data"
            ) from None

    def end_hand(self, result: HandResult) -> None:
        """Send the agent the result of the hand, if it wants it and still has a process."""
        unheard = self._unheard
        try:
            if self._process is not None and (unheard or self._process.learns):
                self._ask_in_hand(
                    {
                        "ask": "end",
                        "events": [event_to_json(event) for event in unheard],
                        "result": result_to_json(result),
                    }
                )
        finally:
            self._next_hand()

    def lived(self) -> tuple[str, ...]:
        """The agent's experience, if it still has the process that collected it."""
        if self._process is None:
            return ()
        self._process.allow(MOST_LIVED_BYTES)
        answer = self._ask({"ask": "lived"}, self.start_s)
        texts = answer.get("texts")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise AgentFault(Fault.NOT_A_DECISION, "its experience is not a sequence of texts")
        self._process.allow(self.most_bytes)
        return tuple(texts)

    def _next_hand(self) -> None:
        self._unheard = []
        self._hand_used_s = 0.0

    def _restart(self) -> None:
        self.start()
        if self._match is not None:
            match = self._match
            self._begin(replace(match, is_reset=True))

    def _begin(self, match: MatchStart) -> None:
        self._ask({"ask": "begin", "match": match_to_json(match)}, self.start_s)

    def _hand_left_s(self) -> float | None:
        return None if self.limits.hand_s is None else self.limits.hand_s - self._hand_used_s

    def _require_time(self) -> None:
        left = self._hand_left_s()
        if left is not None and left <= 0:
            raise AgentFault(Fault.HAND_TIMEOUT, f"it has used up its {self.limits.hand_s:g} s for this hand")

    def _ask_in_hand(self, question: dict[str, Any]) -> dict[str, Any]:
        """Ask within the limits of a decision and of the hand, whichever expires first."""
        self._require_time()
        for_decision, for_hand = self.limits.decision_s, self._hand_left_s()
        hand_ends_first = for_hand is not None and (for_decision is None or for_hand < for_decision)
        begun = monotonic()
        try:
            return self._ask(question, for_hand if hand_ends_first else for_decision)
        except AgentFault as fault:
            if fault.fault is Fault.TIMEOUT and hand_ends_first:
                raise AgentFault(
                    Fault.HAND_TIMEOUT, f"it used more than its {self.limits.hand_s:g} s for a hand"
                ) from None
            raise
        finally:
            self._hand_used_s += monotonic() - begun

    def _ask(self, question: dict[str, Any], limit_s: float | None) -> dict[str, Any]:
        """The answer to a question. Without an answer in time, including on Ctrl-C, the process is killed."""
        process = self._process
        assert process is not None
        answer = None
        try:
            answer = process.ask(question, limit_s)
        except TimeoutError:
            raise AgentFault(
                Fault.TIMEOUT, f"it did not {_TASKS[question['ask']]} within {limit_s:g} s"
            ) from None
        except FrameTooLong as error:
            raise AgentFault(Fault.FLOOD, f"it answered with {error}") from None
        except FrameError as error:
            raise AgentFault(Fault.NOT_A_DECISION, f"it answered with {error}") from None
        except (EOFError, ConnectionError):
            self._process = None
            raise _parting(process.stop(LEAVE_S)) from None
        finally:
            if answer is None and self._process is not None:
                self._process = None
                process.stop(0)
        return _heeded(answer)


def _carried(agent: str) -> dict[str, Any]:
    """A given agent, and where its program is found, for the process that plays it."""
    if not isinstance(agent, GivenAgent):
        return {}
    return {"pickled": b64encode(packed(agent.given, has_main=False)).decode(), "path": sys.path}


def _heeded(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, unless it reports a fault, which is raised."""
    if "unknown" in answer:
        raise SpecError(str(answer["unknown"]))
    if "fault" in answer:
        try:
            fault = Fault(answer["fault"])
        except ValueError:
            fault = Fault.NOT_A_DECISION
        raise AgentFault(fault, str(answer.get("detail"))[: 2 * MOST_DETAIL])
    return answer


def _parting(status: int | None) -> AgentFault:
    """The fault of an agent whose connection ended, from the way its process ended."""
    if status == OUT_OF_MEMORY:
        return AgentFault(Fault.OUT_OF_MEMORY, "it requested more memory than its limit")
    if status is None:
        return AgentFault(Fault.DISCONNECT, "it closed the connection")
    if status < 0:
        return AgentFault(Fault.DISCONNECT, f"its process was ended by {_signal_name(-status)}")
    return AgentFault(Fault.DISCONNECT, f"its process ended with exit code {status}")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class _Process:
    """The arena's side of a process with an agent in it."""

    def __init__(self, most_bytes: int) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._nursery, self.pid = OpenNursery.fork(isolated_worker.__name__, theirs)
        self._channel = Channel(ours, most_bytes)
        self._questions = 0
        self.listens = False
        self.learns = False

    def allow(self, most_bytes: int) -> None:
        """Set the maximum length of the next answers."""
        self._channel.most_bytes = most_bytes

    def ask(self, question: dict[str, Any], limit_s: float | None) -> dict[str, Any]:
        """Ask and wait for the answer."""
        deadline = None if limit_s is None else monotonic() + limit_s
        self._questions += 1
        self._channel.send({"id": self._questions, **question}, deadline)
        answer = self._channel.receive(deadline)
        if answer.get("id") != self._questions:
            raise FrameError("an answer that does not belong to a question")
        return answer

    def stop(self, grace_s: float) -> int | None:
        """End the process and everything it started; returns its exit code if it exited on its own."""
        self._channel.close()
        return self._nursery.stop(self.pid, grace_s)
