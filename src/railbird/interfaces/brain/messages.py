"""The messages between a body and a brain: `railbird.brain/1`, plain data in JSON (baycarp-2011 §6.2, figure 6.2).

The body is arms and eyes: it observes a table and performs decisions. The brain is the reasoner: it decides, and
receives the outcome. `docs/brain.md` describes the whole contract. Matches, results and decisions have the form of
`agent.plain_form`; what a seat sees during a hand is read in `views`. This module has the requests that open a
session or a match, which have optional and abbreviated fields, and the question whether an agent plays a game.
"""

from dataclasses import dataclass
from typing import Any

from railbird.agent import MatchStart
from railbird.agent.plain_form import match_to_json, read_match, read_rules, read_stream
from railbird.engine.games import named_game
from railbird.engine.json_form import rules_to_json
from railbird.engine.rules import GameRules
from railbird.fields import Fields
from railbird.notation.acpc.match import acpc_rules
from railbird.rng import Stream

SCHEMA = "railbird.brain/1"
LARGEST_MESSAGE = 1 << 20
"""Maximum length of a request, in bytes."""
LARGEST_OPENING = 1 << 24
"""Maximum length of a request that opens a session or a match, in bytes: it includes the agent's experience."""
LARGEST_ANSWER = 1 << 26


@dataclass(frozen=True, slots=True)
class Opening:
    """The requested agent, and the match that it plays."""

    agent: str
    match: MatchStart


def read_opening(data: object) -> Opening:
    """The request that opens a session."""
    request = Fields("the opening", data)
    _read_schema(request)
    agent = request.text("agent")
    return Opening(agent, _read_match(request, agent))


def read_next_match(data: object, agent: str) -> MatchStart:
    """The request that begins another match of the same agent."""
    return _read_match(Fields("the match", data), agent)


def read_inquiry(data: object) -> tuple[str, GameRules]:
    """The question whether an agent plays a game."""
    request = Fields("the inquiry", data)
    _read_schema(request)
    agent, rules = request.text("agent"), _read_game(request)
    request.finish()
    return agent, rules


def _read_schema(request: Fields) -> None:
    if request.text("schema") != SCHEMA:
        raise request.refuse("schema", repr(SCHEMA))


def _read_match(request: Fields, agent: str) -> MatchStart:
    rules = _read_game(request)
    label = request.text("label", default=agent)
    opponents = (f"opponent-{place}" for place in range(1, rules.players))
    return read_match(request, rules, label, _read_stream(request, label), (label, *opponents))


def _read_game(request: Fields) -> GameRules:
    request.only_one_of("game", "rules")
    rules = (
        read_rules(request.data("rules"), f"rules of {request.where}")
        if "rules" in request
        else named_game(request.text("game"))
    )
    return acpc_rules(rules) if request.flag("acpc", default=False) else rules


def _read_stream(request: Fields, label: str) -> Stream:
    request.only_one_of("seed", "stream")
    if "stream" in request:
        return read_stream(request)
    seed = request.data("seed")
    if seed is None:
        return Stream.live()
    if type(seed) not in (int, str) or len(str(seed)) > 100 or not str(seed).isprintable():
        raise request.refuse("seed", "a number or a text of at most 100 characters")
    return Stream.from_seed(seed).child("agent", label)


def opening_to_json(opening: Opening) -> dict[str, Any]:
    """The request that `read_opening` reads."""
    return {"schema": SCHEMA, "agent": opening.agent, **match_to_json(opening.match)}


def inquiry_to_json(agent: str, rules: GameRules) -> dict[str, Any]:
    """The request that `read_inquiry` reads."""
    return {"schema": SCHEMA, "agent": agent, "rules": rules_to_json(rules)}
