"""What a body and a brain say to each other: `railbird.brain/1`, plain data in JSON (baycarp-2011 §6.2, figure 6.2).

The body is arms and eyes: it sees a table and does what it is told. The brain is the reasoner: it decides, and hears of
the outcome. The page `docs/brain.md` tells the whole contract; the messages are read and written here:

- an opening: the agent, the game, who sits at the table, and the agent's randomness (`Opening`)
- a decision: the action, the strategy it was drawn from, the reasons

What a seat sees while a hand is played is read in `brain_views`, how hands end in `brain_endings`.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from math import isfinite
from typing import Any, get_args, get_type_hints

from railbird.agent import Decision, MatchStart
from railbird.engine.actions import Action, ActionKind
from railbird.engine.games import named_game
from railbird.engine.json_form import rules_to_json
from railbird.engine.rules import GameRules
from railbird.explanation import Deferred, Explanation, Section, explanation_from_json, section_from_json
from railbird.interfaces.brain.fields import Code, Fields, Refusal, quoted
from railbird.kernels.rules.betting import MOST_SEATS
from railbird.notation.acpc.match import acpc_rules
from railbird.rng import KEY_BYTES, Stream

SCHEMA = "railbird.brain/1"
LARGEST_MESSAGE = 1 << 20
"""How many bytes a request may have."""
LARGEST_OPENING = 1 << 24
"""How many bytes the request may have that opens a session or a match: it holds what the agent lived through."""
LARGEST_ANSWER = 1 << 26
MOST_SEEN = 1000
"""How many events a hand may have."""

_FIELD_TYPES = get_type_hints(GameRules)
_REQUIRED = {field.name for field in fields(GameRules) if field.default is MISSING}
ACTION_KINDS = {kind.name.lower(): kind for kind in ActionKind}
"""The kinds of actions by their names."""
_NAMES = {kind: name for name, kind in ACTION_KINDS.items()}


@dataclass(frozen=True, slots=True)
class Opening:
    """Which agent is wanted, and the match that it shall play."""

    agent: str
    match: MatchStart


# What opens a session or a match


def read_opening(data: object) -> Opening:
    """The request that opens a session."""
    request = Fields("the opening", data)
    _read_schema(request)
    agent = request.text("agent")
    return Opening(agent, _read_match(request, agent))


def read_match(data: object, agent: str) -> MatchStart:
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
    players = request.texts("players", default=(label, *opponents))
    if not 2 <= len(players) <= MOST_SEATS or len(set(players)) < len(players):
        raise request.refuse("players", f"a list of 2 to {MOST_SEATS} different names")
    if label not in players:
        raise Refusal(
            Code.BAD_FIELD, f"the label {quoted(label)} is not among the players of {request.where}"
        )
    match = MatchStart(
        rules=rules,
        label=label,
        players=players,
        stream=_read_stream(request, label),
        is_reset=request.flag("is_reset", default=False),
        experience=request.writings("experience"),
    )
    request.finish()
    return match


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
        text = request.text("stream")
        if len(text) != 2 * KEY_BYTES or not set(text) <= set("0123456789abcdef"):
            raise request.refuse("stream", f"{2 * KEY_BYTES} hexadecimal digits")
        return Stream(bytes.fromhex(text))
    seed = request.data("seed")
    if seed is None:
        return Stream.live()
    if type(seed) not in (int, str) or len(str(seed)) > 100 or not str(seed).isprintable():
        raise request.refuse("seed", "a number or a text of at most 100 characters")
    return Stream.from_seed(seed).child("agent", label)


def opening_to_json(opening: Opening) -> dict[str, Any]:
    """The request that `read_opening` reads."""
    return {"schema": SCHEMA, "agent": opening.agent, **match_to_json(opening.match)}


def match_to_json(match: MatchStart) -> dict[str, Any]:
    """The request that `read_match` reads."""
    return {
        "rules": rules_to_json(match.rules),
        "label": match.label,
        "players": list(match.players),
        "stream": match.stream.key.hex(),
        "is_reset": match.is_reset,
        "experience": list(match.experience),
    }


def inquiry_to_json(agent: str, rules: GameRules) -> dict[str, Any]:
    """The request that `read_inquiry` reads."""
    return {"schema": SCHEMA, "agent": agent, "rules": rules_to_json(rules)}


def read_rules(data: object, where: str) -> GameRules:
    """The rules that `engine.json_form.rules_to_json` wrote, from somebody who may have written them otherwise."""
    request = Fields(where, data)
    values: dict[str, Any] = {}
    for name, kind in _FIELD_TYPES.items():
        if name not in request and name not in _REQUIRED:
            continue
        if kind is str:
            values[name] = request.text(name)
        elif kind is int:
            values[name] = request.number(name)
        elif kind is bool:
            values[name] = request.flag(name)
        elif isinstance(kind, type) and issubclass(kind, Enum):
            values[name] = _read_choice(request, name, kind)
        elif type(None) in get_args(get_args(kind)[0]):
            values[name] = _read_caps(request, name)
        else:
            values[name] = request.numbers(name)
    request.finish()
    return GameRules(**values)


def _read_choice(request: Fields, name: str, kind: type[Enum]) -> Enum:
    text = request.text(name)
    for choice in kind:
        if choice.value == text:
            return choice
    raise request.refuse(name, " or ".join(str(choice.value) for choice in kind))


def _read_caps(request: Fields, name: str) -> tuple[int | None, ...]:
    caps = request.items(name)
    if not all(cap is None or (type(cap) is int and 0 <= cap <= MOST_SEEN) for cap in caps):
        raise request.refuse(name, f"a list of numbers up to {MOST_SEEN}, or null for no cap,")
    return caps


# What comes back


def action_to_json(action: Action) -> list[Any]:
    """An action: its kind, and the amount that it raises to, which is 0 for a fold or a call."""
    return [_NAMES[action.kind], action.to]


def read_action(data: object) -> Action | None:
    """The action that `action_to_json` wrote; None where it is none."""
    if type(data) is not list or len(data) != 2:
        return None
    name, amount = data
    if type(name) is not str or name not in ACTION_KINDS or type(amount) is not int:
        return None
    return Action(ACTION_KINDS[name], amount)


def decision_to_json(decision: Decision, *, sections: bool) -> dict[str, Any]:
    """A decision; the sections of its explanation are made only where they are asked for."""
    explanation = decision.explanation
    reasons: dict[str, Any] = {
        "summary": str(explanation.summary),
        "facts": {str(fact.name): fact.value for fact in explanation.facts},
    }
    if sections:
        reasons["sections"] = [section.to_json() for section in explanation.sections]
    return {
        "action": action_to_json(decision.action),
        "strategy": [[*action_to_json(action), float(chance)] for action, chance in decision.strategy],
        "explanation": reasons,
    }


def decision_from_json(data: Mapping[str, Any], sections: Deferred) -> Decision:
    """The decision that `decision_to_json` wrote, with sections that are fetched when somebody looks at them."""
    action = read_action(data["action"])
    strategy = [(read_action(entry[:2]), float(entry[2])) for entry in data["strategy"]]
    if action is None or any(option is None for option, _ in strategy):
        raise ValueError("an action is its kind and its amount")
    reasons = explanation_from_json({**data["explanation"], "sections": []})
    explanation = Explanation(reasons.summary, reasons.facts, sections)
    return Decision(action, explanation, tuple((option, chance) for option, chance in strategy if option))


def sections_from_json(data: Mapping[str, Any]) -> tuple[Section, ...]:
    """The sections of a decision that `decision_to_json` wrote in full."""
    return tuple(section_from_json(section) for section in data["explanation"]["sections"])


def write_json(data: Mapping[str, Any]) -> bytes:
    """A message as bytes: strict JSON in ASCII. What agents mention and JSON does not know becomes text."""
    try:
        return json.dumps(data, separators=(",", ":"), default=str, allow_nan=False).encode()
    except ValueError:
        return json.dumps(_finite(data), separators=(",", ":"), default=str, allow_nan=False).encode()


def _finite(data: Any) -> Any:
    if isinstance(data, float) and not isfinite(data):
        return str(data)
    if isinstance(data, Mapping):
        return {name: _finite(value) for name, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data
