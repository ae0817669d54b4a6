"""The sessions of a brain: each has its own agent, plays one match at a time, and is closed when unused.

An agent is called by one thread at a time, not always the same one. If it fails, the answer names its fault, as in
`agent.faults`; this costs the question, not the session.

Input is bounded, so that no body can exhaust the memory: the number of sessions, in total and per address, the
experience that all sessions began with, and the number of players in a match.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from railbird.agent import Agent, Decision, MatchStart, NoStrategy, range_sections
from railbird.agent.faults import AgentFault, called
from railbird.agent.plain_form import (
    decision_to_json,
    payoffs_to_json,
    read_payoffs,
    result_from_json,
)
from railbird.arena.play.guard import GuardedAgent, MatchVoid
from railbird.arena.play.hand import learns, listens
from railbird.arena.play.plan import FaultPolicy
from railbird.engine.events import DealHole, Event
from railbird.fields import Fields, quoted
from railbird.interfaces.brain.agents import failed, made, suited
from railbird.interfaces.brain.endings import result_of
from railbird.interfaces.brain.messages import SCHEMA, Opening, read_next_match
from railbird.interfaces.brain.refusals import Code, Refusal
from railbird.interfaces.brain.views import Seen, ViewReader, heard
from railbird.interfaces.offer import Offer
from railbird.notation.acpc.match import format_reply
from railbird.observation import Observation

MOST_SESSIONS = 64
IDLE_S = 1800.0
MOST_EXPERIENCE = 1 << 26
"""Maximum number of characters of initial experience over all sessions."""
MOST_PLAYERS = 1000
"""Maximum number of players in a match: agents keep data about each."""
MOST_DECISIONS = 32
"""Number of recent decisions of a session that can be explained."""

_Answer = TypeVar("_Answer")


class Session:
    """One agent in its match."""

    def __init__(self, name: str, agent: Agent) -> None:
        self.agent = name
        self.lock = Lock()
        self._player = agent
        self._decisions: OrderedDict[int, Decision] = OrderedDict()
        self._decided = 0
        self._met: set[str] = set()
        """All players named in this match."""

    def begin(self, match: MatchStart) -> dict[str, Any]:
        """Begin a match of a game that the agent plays."""
        self._guard = GuardedAgent(match.label, self._player, FaultPolicy.STRICT)
        self._reader = ViewReader(replace(match, experience=()))  # long, and only for the agent
        self._forget_hand()
        if not match.is_reset:
            self._met.clear()
        _asked(self._guard.begin_match, match)
        return {
            "schema": SCHEMA,
            "agent": self.agent,
            "game": match.rules.name,
            "label": match.label,
            "players": list(match.players),
            "listens": listens(self._player),
            "learns": learns(self._player),
        }

    def begin_again(self, match: MatchStart) -> dict[str, Any]:
        """Begin another match, which may be of another game."""
        suited(self._player.verify_game, match.rules)
        return self.begin(match)

    def look(self, data: object) -> dict[str, Any]:
        """Hear what is new in a view."""
        request = Fields("the request", data)
        seen = self._reader.read(request)
        request.finish()
        self._meet(seen.observation.players)
        self._tell(seen)
        return {"to_act": seen.observation.node.actor}

    def decide(self, data: object) -> dict[str, Any]:
        """Decide in a view."""
        request = Fields("the request", data)
        seen = self._reader.read(request)
        explain = request.flag("explain", default=False)
        request.finish()
        view = self._turn(seen)
        decision = _asked(self._guard.act, view)
        self._decided += 1
        self._decisions[self._decided] = decision
        if len(self._decisions) > MOST_DECISIONS:
            self._decisions.popitem(last=False)
        answer = {"decision": self._decided, **self._explained(decision, explain)}
        if seen.line:
            answer["reply"] = format_reply(seen.line, view.node, decision.action, view.setup)
        return answer

    def range(self, data: object) -> dict[str, Any]:
        """What the agent would do in a view with every starting hand; the cards of the view do not matter."""
        request = Fields("the request", data)
        view = self._turn(self._reader.read(request))
        request.finish()
        try:
            grids = called(range_sections, self._player, view)
        except AgentFault as fault:
            if isinstance(fault.__cause__, NoStrategy):
                raise Refusal(Code.NOT_FOUND, str(fault.__cause__)) from None
            raise failed(fault) from None
        return {"sections": [grid.to_json() for grid in grids]}

    def decision(self, number: int) -> dict[str, Any]:
        """One of the last decisions, with all its reasons."""
        if number not in self._decisions:
            raise Refusal(
                Code.NOT_FOUND,
                f"the reasons of decision {number} are not available: only the last {MOST_DECISIONS} are kept, "
                f"and {self._decided} were made",
            )
        return {"decision": number, **self._explained(self._decisions[number], True)}

    def end(self, data: object) -> dict[str, Any]:
        """Receive the result of a hand: its events, or the last view of it and the hands that were shown."""
        request = Fields("the request", data)
        request.only_one_of("view", "state", "result")
        if "result" in request:
            result = result_from_json(request.data("result"))
        else:
            seen = self._reader.read(request)
            result = result_of(seen, read_payoffs(request, seen.observation.rules.players))
        request.finish()
        self._meet(result.players)
        own = [
            event for event in result.events if not isinstance(event, DealHole) or event.seat == result.seat
        ]
        hand: tuple[object, ...] = (result.hand_number, result.seat, result.players)
        if self._hand[:3] == hand:
            if own[: len(self._heard)] != self._heard:
                raise Refusal(
                    Code.NOT_NOW, f"the result contradicts the earlier views of hand {result.hand_number}"
                )
            hand = self._hand
        self._hear(hand, own)
        self._forget_hand()
        _asked(self._guard.end_hand, result)
        return {"payoffs": payoffs_to_json(result.payoffs)}

    def forget_decisions(self) -> None:
        """Discard the reasons of all decisions so far, which take the most memory."""
        self._decisions.clear()

    def lived(self) -> dict[str, Any]:
        """The experience of this match for later ones."""
        return {"texts": list(_asked(self._guard.lived))}

    def _explained(self, decision: Decision, sections: bool) -> dict[str, Any]:
        def explained() -> dict[str, Any]:
            return decision_to_json(decision, sections=sections)

        try:
            return called(explained)  # deferred reasons run the agent's own code
        except AgentFault as fault:
            raise failed(fault) from None

    def _turn(self, seen: Seen) -> Observation:
        """A view in which the agent's seat is to act; the agent hears what is new in it."""
        view = seen.observation
        if view.node.actor != view.seat:
            found = "the hand is over" if view.node.actor is None else f"seat {view.node.actor} is to act"
            raise Refusal(Code.NOT_NOW, f"seat {view.seat} has nothing to decide: {found}")
        self._meet(view.players)
        self._tell(seen)
        return view

    def _meet(self, players: Sequence[str]) -> None:
        met = self._met.union(players)
        if len(met) > MOST_PLAYERS:
            raise Refusal(
                Code.FULL, f"this match already has {MOST_PLAYERS} players, the maximum: begin another one"
            )
        self._met = met

    def _forget_hand(self) -> None:
        self._hand: tuple[object, ...] = ()
        self._heard: list[Event] = []

    def _tell(self, seen: Seen) -> None:
        if self._guard.listens:
            view = seen.observation
            hand = (view.hand_number, view.seat, view.players, view.hole_cards, view.setup)
            self._hear(hand, heard(seen))

    def _hear(self, hand: tuple[object, ...], events: list[Event]) -> None:
        """Send the agent the new events; a view that does not continue the last one is another hand."""
        if not self._guard.listens:
            return
        if hand != self._hand or events[: len(self._heard)] != self._heard:
            self._forget_hand()
            self._hand = hand
        for event in events[len(self._heard) :]:
            self._heard.append(event)
            _asked(self._guard.hear, event)


def _asked(ask: Callable[..., _Answer], *about: object) -> _Answer:
    try:
        return ask(*about)
    except MatchVoid as void:
        raise failed(AgentFault(void.record.fault, void.record.detail)) from None


@dataclass(slots=True, eq=False)
class _Kept:
    """What a session counts toward the limits: its client, and the characters of its match's initial experience."""

    asker: str
    experience: int


@dataclass(slots=True)
class _Place:
    """A session, its current users, and when it was last used."""

    session: Session
    users: int
    used_at: float
    kept: _Kept


class Sessions:
    """All sessions of a brain."""

    def __init__(
        self,
        offer: Offer,
        most: int = MOST_SESSIONS,
        idle_s: float = IDLE_S,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.offer = offer
        self.most = most
        self.most_of_one = max(1, most // 2)
        """Maximum number of sessions of one address, so that others can have some too."""
        self.idle_s = idle_s
        self._now = now
        self._lock = Lock()
        self._places: dict[str, _Place] = {}
        self._opening: list[_Kept] = []
        """The shares of sessions that are being opened."""

    def __len__(self) -> int:
        return len(self._places)

    def open(self, opening: Opening, asker: str = "") -> dict[str, Any]:
        """Open a session and begin its match. The client is an address, or empty if clients are not distinguished."""
        self.drop_idle()
        kept = _Kept(asker, _length(opening.match))
        with self._lock:
            self._require_room(kept)
            self._opening.append(kept)
        try:
            session = Session(opening.agent, made(self.offer, opening.agent, opening.match.rules))
            begun = session.begin(opening.match)
            name = token_urlsafe(16)
            with self._lock:
                self._places[name] = _Place(session, 0, self._now(), kept)
        finally:
            with self._lock:
                self._opening.remove(kept)
        return {"session": name, "idle_s": self.idle_s, **begun}

    def begin_again(self, name: str, data: object) -> dict[str, Any]:
        """Begin another match in a session."""
        with self.using(name) as session:
            match = read_next_match(data, session.agent)
            with self._lock:
                if (place := self._places.get(name)) is not None:
                    self._require_experience(_length(match) - place.kept.experience)
                    place.kept.experience = _length(match)
            return session.begin_again(match)

    def _counted(self) -> list[_Kept]:
        return [*self._opening, *(place.kept for place in self._places.values())]

    def _require_room(self, kept: _Kept) -> None:
        counted = self._counted()
        if len(counted) >= self.most:
            raise Refusal(
                Code.FULL, f"this brain already has {self.most} sessions, the maximum: close one, or wait"
            )
        if kept.asker and sum(each.asker == kept.asker for each in counted) >= self.most_of_one:
            raise Refusal(
                Code.FULL,
                f"your address already has {self.most_of_one} sessions, the maximum: close one, or wait",
            )
        self._require_experience(kept.experience)

    def _require_experience(self, more: int) -> None:
        if sum(each.experience for each in self._counted()) + more > MOST_EXPERIENCE:
            raise Refusal(
                Code.FULL,
                f"the sessions of this brain may begin with at most {MOST_EXPERIENCE} characters of experience: "
                "close one, or wait",
            )

    @contextmanager
    def using(self, name: str) -> Iterator[Session]:
        """A session, for one thread at a time."""
        with self._lock:
            place = self._places.get(name)
            if place is None:
                raise Refusal(
                    Code.NO_SESSION,
                    f"there is no session {quoted(name)}: it was closed, or was unused for {self.idle_s:g} s",
                )
            place.users += 1
        try:
            with place.session.lock:
                yield place.session
        finally:
            with self._lock:
                place.users -= 1
                place.used_at = self._now()

    def close(self, name: str) -> None:
        """Close a session; a pending question is still answered."""
        with self._lock:
            if self._places.pop(name, None) is None:
                raise Refusal(Code.NO_SESSION, f"there is no session {quoted(name)} to close")

    def drop_idle(self) -> None:
        """Close sessions that were unused for too long."""
        latest = self._now() - self.idle_s
        with self._lock:
            for name in [
                name for name, place in self._places.items() if not place.users and place.used_at < latest
            ]:
                del self._places[name]


def _length(match: MatchStart) -> int:
    return sum(map(len, match.experience))
