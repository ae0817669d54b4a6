"""An agent as a client of an ACPC dealer, with the same observations as at our own table.

The protocol has no player names. Players sit in a fixed order and move by one position from hand to hand, so an
opponent is identified by its place: `opponent-1` sits to the left of the agent, `opponent-2` to the left of that one.
"""

import socket
from collections.abc import Callable

from railbird.agent import Agent, HandResult, MatchStart
from railbird.agent.faults import AgentFault, as_decision, called
from railbird.arena.play.hand import learns, listens
from railbird.engine.actions import CALL, Action
from railbird.engine.events import DealHole
from railbird.engine.history import events_of
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.interfaces.acpc.connection import AnswerLate, ConnectionFault, LineConnection, MatchBroken
from railbird.notation.acpc.match import (
    LINE_END,
    VERSION_LINE,
    MatchState,
    MatchStateError,
    MatchStateReader,
    format_reply,
)
from railbird.notation.reading import refuse_line
from railbird.observation import Observation, visible_to
from railbird.rng import Stream

SILENCE_S = 7200.0
"""Seconds that a server may be silent: longer than nine opponents at the official limit of 600 s for a response."""
_CONNECT_SECONDS = 30.0


class ServerMissing(ValueError):
    """No server can be reached at an address."""


class AcpcPlayer:
    """Answers the lines of a server with the decisions of an agent, independently of sockets."""

    def __init__(
        self, agent: Agent, label: str, rules: GameRules, stream: Stream, warn: Callable[[str], object]
    ) -> None:
        self.agent = agent
        self.hands = 0
        """The number of finished hands."""
        self.is_in_hand = False
        self._setup = Setup.of(rules)
        table = (label, *(f"opponent-{place}" for place in range(1, rules.players)))
        self._players = [table[-position:] + table[:-position] for position in range(rules.players)]
        """The labels by position, for each position of the agent."""
        self._reader = MatchStateReader(self._setup)
        self._listens = listens(agent)
        self._learns = learns(agent)
        self._warn = warn
        self.hand_number: int | None = None
        self._heard = 0
        self._tell(agent.begin_match, MatchStart(rules, label, table, stream.child("agent", label)))

    def answer(self, line: str) -> str | None:
        """The reply to a line of the server, without its line end; None if no reply is due."""
        if line.startswith(("#", ";")) or not line.strip():
            return None
        state = self._reader.read(line)
        if state.hand_number != self.hand_number:
            self.hand_number = state.hand_number
            self._heard = 0
        if self._listens:
            self._hear(state)
        self.is_in_hand = state.node.actor is not None
        if not self.is_in_hand:
            self._end_hand(state)
        if not state.is_my_turn:
            return None
        return format_reply(line, state.node, self._decide(state), self._setup)

    def _hear(self, state: MatchState) -> None:
        events = events_of(state.state())
        for event in events[self._heard :]:
            if not isinstance(event, DealHole) or event.seat == state.position:
                self._tell(self.agent.hear, event)
        self._heard = len(events)

    def _end_hand(self, state: MatchState) -> None:
        self.hands += 1
        if not self._learns:
            return
        finished = state.state()
        seen = visible_to(state.position, events_of(finished))
        result = HandResult(
            state.position, self._players[state.position], seen, finished.payoffs, state.hand_number
        )
        self._tell(self.agent.end_hand, result)

    def _decide(self, state: MatchState) -> Action:
        observation = Observation(
            state.setup,
            state.position,
            self._players[state.position],
            state.hole_cards,
            state.board,
            state.node,
            state.hand_number,
        )
        try:
            action = as_decision(called(self.agent.act, observation)).action
        except AgentFault as fault:
            raise self._broken(fault) from None
        if state.node.legal.allows(action):
            return action
        self._warn(f"hand {state.hand_number}: the agent may not {action} here, so it calls or checks")
        return CALL

    def _tell(self, tell: Callable[..., None], *news: object) -> None:
        try:
            called(tell, *news)
        except AgentFault as fault:
            raise self._broken(fault) from None

    def _broken(self, fault: AgentFault) -> MatchBroken:
        when = "before the first hand" if self.hand_number is None else f"in hand {self.hand_number}"
        return MatchBroken(f"the agent failed {when}: {fault}")


def connect(host: str, port: int) -> LineConnection:
    """Connect to a server, which accepts one player at each of its ports, once."""
    try:
        connected = socket.create_connection((host, port), timeout=_CONNECT_SECONDS)
    except ConnectionRefusedError:
        raise ServerMissing(
            f"connection refused by {host}, port {port}: a dealer accepts one player at each port, and only once"
        ) from None
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ServerMissing(f"cannot connect to {host}, port {port}: {reason}") from None
    return LineConnection(connected)


def play_match(player: AcpcPlayer, connection: LineConnection, silence_s: float | None = SILENCE_S) -> int:
    """Play until the server closes the connection between hands; returns the number of finished hands.

    A server that is silent for `silence_s` seconds ends the match; None waits without limit.
    """
    try:
        connection.send(f"{VERSION_LINE}{LINE_END}".encode())
        while data := connection.read_line(silence_s):
            line = _text(data)
            reply = player.answer(line)
            if reply is not None:
                connection.send(f"{reply}{LINE_END}".encode(), silence_s)
    except AnswerLate:
        raise MatchBroken(f"the server was silent for {silence_s:g} s{_when(player)}") from None
    except ConnectionFault as fault:
        raise MatchBroken(f"the server {fault}{_when(player)}") from None
    if player.is_in_hand or not player.hands:
        raise MatchBroken(f"the server closed the connection{_when(player)}")
    return player.hands


def _text(data: bytes) -> str:
    if not data.endswith(b"\n"):
        raise MatchBroken(f"the server closed the connection in the middle of a line: {data[-60:]!r}")
    try:
        line = data.decode("ascii")
    except UnicodeDecodeError:
        raise MatchStateError(f"the server sent {data[:60]!r}, which is not plain text") from None
    reason = refuse_line(line)
    if reason is not None:
        raise MatchStateError(f"the server sent an invalid line: {reason}")
    return line


def _when(player: AcpcPlayer) -> str:
    if player.is_in_hand:
        return f" in the middle of hand {player.hand_number}"
    return f" after {player.hands} hands" if player.hands else " before the first hand"
