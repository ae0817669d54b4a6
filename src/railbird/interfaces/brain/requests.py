"""The requests that a brain answers, independent of the transport.

| request | what it does |
|---|---|
| `GET /` | describes the brain, its agents and its limits |
| `POST /inquiries` | asks whether an agent plays a game |
| `POST /sessions` | opens a session |
| `POST /sessions/ID/matches` | begins another match in the session |
| `POST /sessions/ID/views` | sends what is seen |
| `POST /sessions/ID/decisions` | sends what is seen, and asks for a decision |
| `GET /sessions/ID/decisions/N` | asks for all reasons of a decision |
| `POST /sessions/ID/endings` | sends the result of a hand |
| `GET /sessions/ID/lived` | asks for the experience to pass to later matches |
| `DELETE /sessions/ID` | closes the session |
"""

from collections.abc import Callable
from typing import Any

from railbird import __version__
from railbird.fields import quoted
from railbird.interfaces.brain.agents import made
from railbird.interfaces.brain.messages import (
    LARGEST_MESSAGE,
    LARGEST_OPENING,
    SCHEMA,
    read_inquiry,
    read_opening,
)
from railbird.interfaces.brain.refusals import SENTENCES, Code, Refusal, read_body, refusal_of
from railbird.interfaces.brain.sessions import Session, Sessions

_VERBS: dict[str, Callable[[Session, object], dict[str, Any]]] = {
    "views": Session.look,
    "decisions": Session.decide,
    "endings": Session.end,
}


def largest_body(path: str) -> int:
    """Maximum length of a request to a path, in bytes."""
    return LARGEST_OPENING if path == "/sessions" or path.endswith("/matches") else LARGEST_MESSAGE


class Brain:
    """Answers requests, independent of sockets."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions

    def answer(self, method: str, path: str, body: bytes, asker: str = "") -> dict[str, Any]:
        """The answer to a request; raises `Refusal`. The client is identified as in `Sessions.open`."""
        try:
            return self._answer(method, path.removeprefix("/").split("/"), body, asker)
        except SENTENCES as error:
            raise refusal_of(error) from None

    def _answer(self, method: str, path: list[str], body: bytes, asker: str) -> dict[str, Any]:
        match method, path:
            case "GET", [""]:
                return self._about()
            case "POST", ["inquiries"]:
                agent, rules = read_inquiry(read_body(body))
                made(self.sessions.offer, agent, rules)
                return {"plays": True}
            case "POST", ["sessions"]:
                return self.sessions.open(read_opening(read_body(body)), asker)
            case "POST", ["sessions", name, "matches"]:
                return self.sessions.begin_again(name, read_body(body))
            case "POST", ["sessions", name, verb] if verb in _VERBS:
                data = read_body(body)
                with self.sessions.using(name) as session:
                    return _VERBS[verb](session, data)
            case "GET", ["sessions", name, "decisions", number] if _is_number(number):
                with self.sessions.using(name) as session:
                    return session.decision(int(number))
            case "GET", ["sessions", name, "lived"]:
                with self.sessions.using(name) as session:
                    return session.lived()
            case "DELETE", ["sessions", name]:
                self.sessions.close(name)
                return {"closed": True}
        raise _refusal(method, path)

    def _about(self) -> dict[str, Any]:
        sessions = self.sessions
        return {
            "schema": SCHEMA,
            "version": __version__,
            "agents": list(sessions.offer.names),
            "sessions": len(sessions),
            "most_sessions": sessions.most,
            "idle_s": sessions.idle_s,
            "largest_message": LARGEST_MESSAGE,
            "largest_opening": LARGEST_OPENING,
        }


def _refusal(method: str, path: list[str]) -> Refusal:
    match path:
        case [""] | ["sessions", _, "lived"] | ["sessions", _, "decisions", _]:
            wanted = "GET"
        case ["inquiries"] | ["sessions"] | ["sessions", _, "matches"]:
            wanted = "POST"
        case ["sessions", _, verb] if verb in _VERBS:
            wanted = "POST"
        case ["sessions", _]:
            wanted = "DELETE"
        case _:
            return Refusal(Code.NOT_FOUND, f"there is nothing at {_quoted(path)}")
    if method == wanted:
        return Refusal(Code.NOT_FOUND, f"{quoted(path[-1])} is not the number of a decision")
    return Refusal(Code.WRONG_METHOD, f"{_quoted(path)} needs {wanted}, not {method}")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12


def _quoted(path: list[str]) -> str:
    return quoted("/" + "/".join(path))
