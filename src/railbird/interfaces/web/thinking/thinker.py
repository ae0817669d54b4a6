"""The process that runs agents, forked by a nursery of the server (`arena.processes.nursery`).

It answers the questions of `thinkers` over its connection, each with its number:

| `ask`      | with                                        | answered by |
|---|---|---|
| `open`     | `seat`, an `opening` of docs/brain.md       | `learns`: whether the agent wants the results of hands |
| `decide`   | `seat`, `view`, `reasons`: now, later, never | `action`, `decision`, `took`, `reasons` |
| `reasons`  | `seat`, `decision`                          | `reasons` |
| `end`      | `seat`, `results`: finished hands in order  | nothing |
| `close`    | `seat`                                      | is not answered |
| `verify`   | an `inquiry`                                | nothing |
| `advise`   | `opening`, `results`, `view`                | as `decide` |
| `range`    | `opening`, `results`, `view`                | `sections` |
| `strength` | `observation`                               | `facts` |
| `compare`  | a comparison                                | `compared`; `news` meanwhile |
| `review`   | a review of decisions                       | `reviewed`; `news` meanwhile |
| `cancel`   | `question` whose answer is no longer needed | is not answered |

Before an answer it reports that it has `begun`, and that it is `compiling` if kernels are compiled for it. If it
`works_on` after an answer, it answers once more when it is done. Refusals are answered by `error`, a message; with
`fault` and `detail` if an agent failed.

Every seat is a session like those of a brain (`brain.sessions`), asked by one thread at a time and in order. Reasons
requested for later are computed after the action is sent, before the seat is asked anything else: when it receives the
result of the hand they are complete. They are kept until the end of the next hand. The process ends with its
connection.
"""

import json
import os
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from socket import socket
from threading import Event, Lock
from time import perf_counter
from typing import Any, NoReturn, TypeVar

from numba.core import event as numba_events

from railbird.agent import Agent
from railbird.agent.plain_form import read_rules
from railbird.arena.play.hand import learns, listens
from railbird.arena.processes.frames import Channel, frame
from railbird.arena.processes.supervision import keep_from_children
from railbird.engine.rules import GameRules
from railbird.engine.wording import Wording
from railbird.interfaces.brain.agents import made
from railbird.interfaces.brain.messages import LARGEST_ANSWER, read_inquiry, read_opening
from railbird.interfaces.brain.refusals import Code, Refusal
from railbird.interfaces.brain.sessions import Session
from railbird.interfaces.offer import Offer
from railbird.interfaces.web.study.questions import (
    Cancelled,
    Comparison,
    MakeAgent,
    Progress,
    WrittenHand,
    compare,
    read_out,
)
from railbird.interfaces.web.study.review import ReviewQuestion, review
from railbird.interfaces.web.thinking.process import TRUSTED
from railbird.interfaces.web.thinking.thought import reasons_to_json
from railbird.observation import Observation
from railbird.places import without_folders, without_passwords

THREADS = 8
"""Number of seats asked at a time: computing agents share one core, but waiting ones do not delay others."""
NEWS_S = 0.1
"""How often a long question reports progress."""
_LONG = ("compare", "review")

Message = dict[str, Any]
IsCancelled = Callable[[], bool]
_Found = TypeVar("_Found")


@dataclass(slots=True, eq=False)
class _Seat:
    """An agent at a table, and its questions."""

    questions: deque[Message] = field(default_factory=deque)
    is_busy: bool = False
    session: Session | None = None
    is_told: bool = False
    """Whether the agent wants the results of hands."""
    decided: int = 0
    """The number of the last decision."""
    decided_before: int = 0
    """The number of the last decision of the previous hand."""
    reasons: dict[int, Message] = field(default_factory=dict)
    """The reasons of the decisions of the last two hands, by number."""
    unexplained: Callable[[], Message] | None = None
    """Computes the reasons of the last decision, if this has not been done yet."""


class Thinker:
    """Answers questions until the connection ends."""

    def __init__(self, connection: socket, *, trusted: bool) -> None:
        self._connection = connection
        self._offer = Offer(trusted=trusted)
        self._sending = Lock()
        self._lock = Lock()
        self._pool = ThreadPoolExecutor(THREADS, "thinker")
        self._seats: dict[int, _Seat] = {}
        self._cancelled: dict[int, Event] = {}
        self._under_way: set[int] = set()
        """The numbers of the questions that threads are working on."""
        self._compiling = 0
        self._of_seats: dict[str, Callable[[_Seat, Message], Message]] = {
            "open": self._open,
            "decide": self._decide,
            "reasons": self._reasons,
            "end": self._end,
        }
        self._others: dict[str, Callable[[Message], Message]] = {
            "verify": self._verify,
            "advise": self._advise,
            "range": self._range,
            "strength": self._strength,
            "compare": self._compare,
            "review": self._review,
        }

    def work(self) -> NoReturn:
        """Answer until the server closes the connection, then end the process, whatever agents are doing."""
        channel = Channel(self._connection, LARGEST_ANSWER)
        try:
            self._send({"ready": True})
            while True:
                self._take(channel.receive())
        except (EOFError, OSError):
            os._exit(0)

    def begin_compiling(self) -> None:
        """A thread has started compiling; only one compiles at a time, so others may have to wait."""
        self._compiling += 1
        for number in tuple(self._under_way):
            self._send({"id": number, "compiling": True})

    def end_compiling(self) -> None:
        """Compiling has finished."""
        self._compiling -= 1

    def _send(self, message: Message) -> None:
        self._send_frame(frame(message))

    def _send_frame(self, data: bytes) -> None:
        with self._sending:
            self._connection.sendall(data)

    def _take(self, message: Message) -> None:
        match message["ask"]:
            case "close":
                self._seats.pop(message["seat"], None)
            case "cancel":
                if cancelled := self._cancelled.get(message["question"]):
                    cancelled.set()
            case ask if ask in self._of_seats:
                if ask == "open":
                    self._seats[message["seat"]] = _Seat()
                if seat := self._seats.get(message["seat"]):
                    self._queue(seat, message)
                else:
                    self._send({"id": message["id"], "error": "the table is closed"})
            case ask:
                if ask in _LONG:
                    self._cancelled[message["id"]] = Event()
                self._pool.submit(self._answer, message, self._others[ask])

    def _queue(self, seat: _Seat, message: Message) -> None:
        with self._lock:
            seat.questions.append(message)
            if seat.is_busy:
                return
            seat.is_busy = True
        self._pool.submit(self._serve, seat)

    def _serve(self, seat: _Seat) -> None:
        while True:
            with self._lock:
                if not seat.questions:
                    seat.is_busy = False
                    return
                message = seat.questions.popleft()
            self._answer(message, partial(self._of_seats[message["ask"]], seat))
            if seat.unexplained is not None:
                self._answer(message, partial(self._explain, seat))

    def _answer(self, message: Message, do: Callable[[Message], Message]) -> None:
        number = message["id"]
        self._under_way.add(number)
        self._send({"id": number, "begun": True})
        if self._compiling:
            self._send({"id": number, "compiling": True})
        try:
            answer = frame({"id": number, **do(message)})
        except Refusal as refusal:
            told = {name: self._for_others(text) for name, text in refusal.to_json().items()}
            answer = frame({"id": number, **told})
        except Cancelled:
            answer = frame({"id": number, "error": "the answer is no longer needed"})
        except ValueError as error:
            answer = frame({"id": number, "error": self._for_others(str(error))})
        except Exception as error:
            # The broad except: an internal error must not end the other tables, and its traceback is for the operator.
            traceback.print_exc()
            sentence = f"internal error: {type(error).__name__}"
            answer = frame({"id": number, "error": sentence})
        self._under_way.discard(number)
        self._send_frame(answer)

    def _for_others(self, sentence: str) -> str:
        """A message as the client may read it."""
        sentence = without_passwords(sentence)
        return sentence if self._offer.trusted else without_folders(sentence)

    # Seats

    def _made(self, spec: str, rules: GameRules) -> Agent:
        return made(self._offer, spec, rules)

    def _open(self, seat: _Seat, message: Message) -> Message:
        opening = read_opening(message["opening"])
        agent = self._made(opening.agent, opening.match.rules)
        session = Session(opening.agent, agent)
        session.begin(opening.match)
        seat.session, seat.is_told = session, learns(agent) or listens(agent)
        # An agent with a store already has these hands; sent again, it would store them twice.
        return {"learns": seat.is_told, "remembers": bool(getattr(agent, "store", ""))}

    def _decide(self, seat: _Seat, message: Message) -> Message:
        session = seat.session
        assert session is not None
        began = perf_counter()
        decision = session.decide({"view": message["view"]})
        took = perf_counter() - began
        seat.decided = decision["decision"]
        answer = {"decision": seat.decided, "action": decision["action"], "took": took}
        if message["reasons"] == "now":
            answer["reasons"] = reasons_of(session, decision, message)
        elif message["reasons"] == "later":
            seat.unexplained = partial(reasons_of, session, decision, message)
            answer["works_on"] = True
        return answer

    def _explain(self, seat: _Seat, message: Message) -> Message:  # noqa: ARG002
        """Compute the reasons of the last decision, whose action has been sent."""
        explain, seat.unexplained = seat.unexplained, None
        assert explain is not None
        seat.reasons[seat.decided] = explain()
        return {}

    def _reasons(self, seat: _Seat, message: Message) -> Message:
        number = message["decision"]
        if number not in seat.reasons:
            raise Refusal(Code.NOT_FOUND, f"the reasons of decision {number} are no longer available")
        return {"reasons": seat.reasons[number]}

    def _end(self, seat: _Seat, message: Message) -> Message:
        assert seat.session is not None
        seat.reasons = {number: made for number, made in seat.reasons.items() if number > seat.decided_before}
        seat.decided_before = seat.decided
        seat.session.forget_decisions()
        for result in message["results"]:
            seat.session.end({"result": result})
        return {}

    # Outside of play

    def _verify(self, message: Message) -> Message:
        self._made(*read_inquiry(message["inquiry"]))
        return {}

    def _advise(self, message: Message) -> Message:
        return self._decide(self._joined(message), {**message, "reasons": "now"})

    def _range(self, message: Message) -> Message:
        session = self._joined(message, again=True).session
        assert session is not None
        return session.range({"view": message["view"]})

    def _joined(self, message: Message, *, again: bool = False) -> _Seat:
        """A fresh agent that has heard the earlier hands; `again` if it heard them at the table before."""
        seat = _Seat()
        opened = self._open(seat, message)
        if seat.is_told and not (again and opened["remembers"]):
            self._end(seat, message)
        return seat

    def _strength(self, message: Message) -> Message:
        observation = Observation.from_json(message["observation"])
        return {"facts": [asdict(fact) for fact in read_out(observation)]}

    def _compare(self, message: Message) -> Message:
        comparison = Comparison(
            read_rules(message["rules"], "rules of the comparison"),
            message["label"],
            message["agent"],
            message["opponents"],
            _written(message),
            message["seed"],
        )
        return {"compared": self._followed(message, partial(compare, comparison)).to_json()}

    def _review(self, message: Message) -> Message:
        question = ReviewQuestion(
            read_rules(message["rules"], "rules of the review"),
            message["label"],
            message["agent"],
            message["players"],
            _written(message),
            message["seed"],
        )
        return {"reviewed": self._followed(message, partial(review, question)).to_json(question.agent)}

    def _followed(
        self, message: Message, study: Callable[[MakeAgent, Progress, IsCancelled], _Found]
    ) -> _Found:
        """Answer a long question, which reports its progress and can be cancelled."""
        number = message["id"]
        last_told = -NEWS_S

        def progress(done: int, of: int) -> None:
            nonlocal last_told
            if (now := perf_counter()) >= last_told + NEWS_S:
                last_told = now
                self._send({"id": number, "news": {"done": done, "of": of}})

        try:
            return study(self._made, progress, self._cancelled[number].is_set)
        finally:
            del self._cancelled[number]


def _written(message: Message) -> list[WrittenHand]:
    return [WrittenHand(**json.loads(text)) for text in message["hands"]]


def reasons_of(session: Session, decision: Message, message: Message) -> Message:
    """The reasons of a decision as they are drawn; if the agent cannot give them all, a note says so."""
    try:
        explanation = session.decision(decision["decision"])["explanation"]
    except Refusal as refusal:
        found = decision["explanation"]
        explanation = {**found, "summary": f"{found['summary']} ({refusal})", "sections": []}
    return reasons_to_json({**decision, "explanation": explanation}, Wording(**message["wording"]))


class _CompileListener(numba_events.Listener):
    """Notifies a thinker when a thread compiles."""

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker

    def on_start(self, event: object) -> None:  # noqa: ARG002
        self._thinker.begin_compiling()

    def on_end(self, event: object) -> None:  # noqa: ARG002
        self._thinker.end_compiling()


def serve(connection: socket, *arguments: str) -> NoReturn:
    """Answer the server over a connection; the process ends with it."""
    keep_from_children(connection)
    thinker = Thinker(connection, trusted=TRUSTED in arguments)
    numba_events.register("numba:compile", _CompileListener(thinker))  # type: ignore[no-untyped-call]
    thinker.work()
