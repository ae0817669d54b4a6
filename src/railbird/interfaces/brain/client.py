"""`RemoteAgent`: a body with the contract of an agent, whose decisions are made in a brain (baycarp-2011 §6.2).

It plays wherever agents play, including on an ACPC dealer, and decides as the agent in the brain would: it sends the
brain what it sees, and passes on the answer.

    railbird match --game limit-2p --seats brain:url=http://127.0.0.1:8000,agent=pokibot,random --hands 100

A brain that is late or unreachable is a fault. At the next question the body opens a new session, whose agent is reset
and hears the hand so far: it continues without its memory.
"""

from dataclasses import replace
from functools import partial
from typing import Annotated

from railbird.agent import Agent, Decision, HandResult, MatchStart, Meaning, UnsuitableGame
from railbird.agent.faults import Fault
from railbird.agent.plain_form import decision_from_json, match_to_json, result_to_json, sections_from_json
from railbird.engine.rules import GameRules
from railbird.explanation import Deferred, Section
from railbird.fields import FieldError, Fields
from railbird.interfaces.brain.messages import SCHEMA, Opening, inquiry_to_json, opening_to_json
from railbird.interfaces.brain.refusals import Code
from railbird.interfaces.brain.views import view_to_json
from railbird.interfaces.brain.wire import BrainFault, Wire
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.spec import SpecError

SECONDS = 60.0
"""How long a brain may take to answer."""
LONGEST_S = 1e6


class RemoteAgent(Agent):
    """Asks the brain at a URL for an agent's decisions; separate that agent's parameters by ; instead of commas."""

    title = "Remote Agent"
    papers = "baycarp-2011 §6.2"

    def __init__(
        self,
        url: Annotated[
            str,
            Meaning("The address of the brain, as railbird brain prints it; required.", "baycarp-2011 §6.2"),
        ] = "",
        agent: Annotated[
            str,
            Meaning("The agent that decides there; required. Its parameters are separated by semicolons."),
        ] = "",
        seconds: Annotated[
            float, Meaning("Maximum number of seconds that the brain may take to answer.")
        ] = SECONDS,
    ) -> None:
        self.url = url
        self.agent = agent
        self.seconds = seconds
        self._wire: Wire | None = None
        self._match: MatchStart | None = None
        self._wants_endings = False

    def close(self) -> None:
        """Close the session."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def verify_game(self, rules: GameRules) -> None:
        """Ask whether the brain offers the agent and whether the agent plays the game."""
        try:
            self._connected().ask("POST", "/inquiries", inquiry_to_json(self._name, rules))
        except BrainFault as fault:
            if fault.code == Code.UNSUITABLE_GAME.text:
                raise UnsuitableGame(fault.sentence) from None
            if fault.code == Code.BAD_AGENT.text:
                raise SpecError(fault.sentence) from None
            raise

    def begin_match(self, match: MatchStart) -> None:
        """Open a session, or begin another match in it."""
        self._match = match
        wire = self._connected()
        if wire.session:
            wire.ask("POST", f"{wire.session}/matches", match_to_json(match))
        else:
            self._open(wire, match)

    def act(self, observation: Observation) -> Decision:
        """Send the brain what is seen, and pass on its decision."""
        wire = self._in_session(observation)
        assert self._match is not None
        view = view_to_json(observation, self._match)
        answer = wire.ask("POST", f"{wire.session}/decisions", {"view": view})
        try:
            number = Fields("the decision", answer).number("decision")
            path = f"{wire.session}/decisions/{number}"
            return decision_from_json(answer, Deferred(partial(_sections, wire, path)))
        except FieldError:
            raise wire.no_brain() from None

    def end_hand(self, result: HandResult) -> None:
        """Send the brain the result of a hand, if its agent wants it and is still the same."""
        wire = self._wire
        if wire is not None and wire.session and self._wants_endings:
            wire.ask("POST", f"{wire.session}/endings", {"result": result_to_json(result)})

    def lived(self) -> tuple[str, ...]:
        """The agent's experience, if the session still exists."""
        wire = self._wire
        if wire is None or not wire.session:
            return ()
        texts = wire.ask("GET", f"{wire.session}/lived").get("texts")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise wire.no_brain()
        return tuple(texts)

    @property
    def _name(self) -> str:
        if not self.agent:
            raise SpecError(
                "brain needs the name of an agent, such as brain:url=http://127.0.0.1:8000,agent=casper"
            )
        return self.agent.replace(";", ",")

    def _connected(self) -> Wire:
        if self._wire is None:
            if not 0 < self.seconds <= LONGEST_S:
                raise SpecError(f"seconds={self.seconds} is not a valid time limit")
            self._wire = Wire(self.url, self.seconds)
        return self._wire

    def _in_session(self, observation: Observation) -> Wire:
        wire = self._connected()
        if not wire.session:
            if self._match is None:
                players = observation.players
                self._match = MatchStart(observation.rules, players[observation.seat], players, Stream.live())
                self._open(wire, self._match)
            else:
                self._open(wire, replace(self._match, is_reset=True))
        return wire

    def _open(self, wire: Wire, match: MatchStart) -> None:
        answer = wire.ask("POST", "/sessions", opening_to_json(Opening(self._name, match)))
        session = answer.get("session")
        if answer.get("schema") != SCHEMA or not isinstance(session, str):
            raise wire.no_brain()
        wire.session = f"/sessions/{session}"
        self._wants_endings = answer.get("listens") is not False or answer.get("learns") is not False


def _sections(wire: Wire, path: str) -> tuple[Section, ...]:
    if not path.startswith(f"{wire.session}/") or not wire.session:
        raise BrainFault(
            Fault.DISCONNECT,
            f"the session at the brain {wire.url} has ended, so its reasons are not available",
        )
    try:
        return sections_from_json(wire.ask("GET", path))
    except FieldError:
        raise wire.no_brain() from None
