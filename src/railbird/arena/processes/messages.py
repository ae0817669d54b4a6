"""What the arena and an agent in its own process say to each other: plain data, never code.

A message is a JSON object behind its length (four bytes, big-endian). The arena asks, the agent's process answers each
question once, with the question's number:

| `ask`   | with                                   | answered by |
|---|---|---|
| `start` | `agent` (its name), `memory_mb`, `open_files` | `listens`, `learns`: whether it wants events and results |
| `begin` | `match`                                | nothing |
| `act`   | `events` since the last question, `observation` | `decision` |
| `end`   | `events`, `result`                     | nothing |
| `lived` |                                        | `texts` |

or, instead of the answer, `fault` and `detail`. A name of an agent that does not exist is answered by `unknown`.
"""

import json
import socket
import struct
from fractions import Fraction
from time import monotonic
from typing import Any

from railbird.agent import Decision, Explanation, Fact, HandResult, MatchStart
from railbird.engine.actions import Action, ActionKind
from railbird.engine.json_form import event_from_json, event_to_json, rules_from_json, rules_to_json
from railbird.rng import Stream

__all__ = [
    "Channel",
    "MessageError",
    "TooLong",
    "decision_from_json",
    "decision_to_json",
    "event_from_json",
    "event_to_json",
    "match_from_json",
    "match_to_json",
    "result_from_json",
    "result_to_json",
]

_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 16


class MessageError(ValueError):
    """Bytes that are no message."""


class TooLong(MessageError):
    """A message beyond the agreed length."""


class Channel:
    """One end of a conversation over a connected socket."""

    def __init__(self, connection: socket.socket, most_bytes: int | None = None) -> None:
        self.most_bytes = most_bytes
        """The agreed length of messages that come in; None for any."""
        self._connection = connection
        self._received = bytearray()

    def send(self, message: dict[str, Any], deadline: float | None = None) -> None:
        """Send a message, by the deadline on the monotonic clock if there is one."""
        body = json.dumps(message, separators=(",", ":")).encode()
        self._wait_until(deadline)
        self._connection.sendall(_LENGTH.pack(len(body)) + body)

    def receive(self, deadline: float | None = None) -> dict[str, Any]:
        """The next message; EOFError when there will be none, TimeoutError when there is none by the deadline."""
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size, deadline))
        if self.most_bytes is not None and length > self.most_bytes:
            raise TooLong(f"a message of {length} bytes, where {self.most_bytes} are allowed")
        body = self._read(length, deadline)
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            raise MessageError(f"{length} bytes that are not JSON") from None
        if not isinstance(message, dict):
            raise MessageError(f"{length} bytes that are no JSON object")
        return message

    def close(self) -> None:
        """End the conversation."""
        self._connection.close()

    def _read(self, size: int, deadline: float | None) -> bytes:
        while len(self._received) < size:
            self._wait_until(deadline)
            chunk = self._connection.recv(_CHUNK)
            if not chunk:
                raise EOFError("the other side has closed the connection")
            self._received += chunk
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken

    def _wait_until(self, deadline: float | None) -> None:
        if deadline is None:
            self._connection.settimeout(None)
            return
        left = deadline - monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        self._connection.settimeout(left)


def match_to_json(match: MatchStart) -> dict[str, Any]:
    """What an agent is told before a match."""
    return {
        "rules": rules_to_json(match.rules),
        "label": match.label,
        "players": list(match.players),
        "stream": match.stream.key.hex(),
        "is_reset": match.is_reset,
        "experience": list(match.experience),
    }


def match_from_json(data: dict[str, Any]) -> MatchStart:
    """The start that `match_to_json` wrote."""
    return MatchStart(
        rules=rules_from_json(data["rules"]),
        label=data["label"],
        players=tuple(data["players"]),
        stream=Stream(bytes.fromhex(data["stream"])),
        is_reset=data["is_reset"],
        experience=tuple(data["experience"]),
    )


def result_to_json(result: HandResult) -> dict[str, Any]:
    """What an agent is told after a hand; exact fractions of chips are text."""
    return {
        "seat": result.seat,
        "players": list(result.players),
        "events": [event_to_json(event) for event in result.events],
        "payoffs": [chips if isinstance(chips, int) else str(chips) for chips in result.payoffs],
        "hand_number": result.hand_number,
    }


def result_from_json(data: dict[str, Any]) -> HandResult:
    """The result that `result_to_json` wrote."""
    return HandResult(
        seat=data["seat"],
        players=tuple(data["players"]),
        events=tuple(event_from_json(event) for event in data["events"]),
        payoffs=tuple(chips if isinstance(chips, int) else Fraction(chips) for chips in data["payoffs"]),
        hand_number=data["hand_number"],
    )


def decision_to_json(decision: Decision) -> dict[str, Any]:
    """A decision; what is not a number or text among its reasons becomes text."""
    explanation = decision.explanation
    return {
        "action": _action_to_json(decision.action),
        "summary": str(explanation.summary),
        "facts": [[str(fact.name), _value(fact.value)] for fact in explanation.facts],
        "strategy": [[*_action_to_json(action), float(chance)] for action, chance in decision.strategy],
    }


def decision_from_json(data: dict[str, Any]) -> Decision:
    """The decision that `decision_to_json` wrote."""
    facts = tuple(Fact(str(name), _value(value)) for name, value in data["facts"])
    return Decision(
        action=_action_from_json(*data["action"]),
        explanation=Explanation(str(data["summary"]), facts),
        strategy=tuple((_action_from_json(kind, to), float(chance)) for kind, to, chance in data["strategy"]),
    )


def _action_to_json(action: Action) -> list[Any]:
    return [ActionKind(action.kind).name.lower(), int(action.to)]


def _action_from_json(kind: str, to: int) -> Action:
    return Action(ActionKind[kind.upper()], int(to))


def _value(value: object) -> str | int | float:
    return value if isinstance(value, str | int | float) else str(value)
