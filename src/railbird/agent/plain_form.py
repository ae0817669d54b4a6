"""Messages to agents and their decisions as plain data for JSON: the form of every message about a match.

It is used between the arena and an agent in a separate process, and between a brain and its bodies (docs/brain.md).
The readers check everything: a message has the named fields and no others, amounts and texts are within bounds, and
payoffs follow from the events. Invalid data raises a `FieldError`, or an error of the engine that states what is wrong.

Rules and events have the form of hand records (`engine.json_form`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, get_args, get_type_hints

from railbird.agent.contract import Decision, HandResult, MatchStart
from railbird.engine.actions import Action, ActionKind
from railbird.engine.events import Award, Chips, DealBoard, Event
from railbird.engine.history import payoffs_of
from railbird.engine.json_form import (
    ACTION_KINDS,
    RecordError,
    chips_from_json,
    chips_to_json,
    event_from_json,
    event_to_json,
    rules_to_json,
)
from railbird.engine.rules import GameRules
from railbird.explanation import (
    Explanation,
    ExplanationError,
    Section,
    explanation_from_json,
    facts_to_json,
    section_from_json,
)
from railbird.fields import LARGEST_NUMBER, REQUIRED, STRANGERS, Bounds, FieldError, Fields, quoted
from railbird.kernels.rules.betting import MOST_SEATS
from railbird.rng import KEY_BYTES, Stream

LARGEST_HAND_NUMBER = 2**53 - 1
"""The largest integer that every JSON reader represents exactly."""
_LARGEST_PAYOFF = 10 * LARGEST_NUMBER
_LARGEST_AMOUNT = 2**32 - 1
_FIELD_TYPES = get_type_hints(GameRules)
_REQUIRED_RULES = {field.name for field in fields(GameRules) if field.default is MISSING}
_NAMES = {kind: name for name, kind in ACTION_KINDS.items()}


# The message before a match


def match_to_json(match: MatchStart) -> dict[str, Any]:
    """The match that `match_from_json` reads."""
    return {
        "rules": rules_to_json(match.rules),
        "label": match.label,
        "players": list(match.players),
        "stream": match.stream.key.hex(),
        "is_reset": match.is_reset,
        "experience": list(match.experience),
    }


def match_from_json(data: object, bounds: Bounds = STRANGERS) -> MatchStart:
    """The match that `match_to_json` wrote."""
    request = Fields("the match", data, bounds)
    rules = read_rules(request.data("rules"), "rules of the match", bounds)
    return read_match(request, rules, request.text("label"), read_stream(request))


def read_match(
    request: Fields, rules: GameRules, label: str, stream: Stream, players: tuple[str, ...] = REQUIRED
) -> MatchStart:
    """The remaining fields of a match, given its rules, the agent's label and its randomness."""
    players = request.texts("players", default=players)
    if not 2 <= len(players) <= MOST_SEATS or len(set(players)) < len(players):
        raise request.refuse("players", f"a list of 2 to {MOST_SEATS} different names")
    if label not in players:
        raise FieldError(f"the label {quoted(label)} is not among the players of {request.where}")
    is_reset, experience = request.flag("is_reset", default=False), request.writings("experience")
    request.finish()
    return MatchStart(rules, label, players, stream, is_reset, experience)


def read_stream(request: Fields) -> Stream:
    """The field `stream`: an agent's randomness."""
    text = request.text("stream")
    if len(text) != 2 * KEY_BYTES or not set(text) <= set("0123456789abcdef"):
        raise request.refuse("stream", f"{2 * KEY_BYTES} hexadecimal digits")
    return Stream(bytes.fromhex(text))


def read_rules(data: object, where: str, bounds: Bounds = STRANGERS) -> GameRules:
    """The rules that `engine.json_form.rules_to_json` wrote."""
    request = Fields(where, data, bounds)
    values: dict[str, Any] = {}
    for name, kind in _FIELD_TYPES.items():
        if name not in request and name not in _REQUIRED_RULES:
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
    caps, most = request.items(name), request.bounds.items
    if not all(cap is None or (type(cap) is int and 0 <= cap <= most) for cap in caps):
        raise request.refuse(name, f"a list of numbers up to {most}, or null for no cap,")
    return caps


# The message after a hand


def result_to_json(result: HandResult) -> dict[str, Any]:
    """The result that `result_from_json` reads."""
    return {
        "seat": result.seat,
        "players": list(result.players),
        "events": [event_to_json(event) for event in result.events],
        "payoffs": payoffs_to_json(result.payoffs),
        "hand_number": result.hand_number,
    }


def result_from_json(data: object, bounds: Bounds = STRANGERS) -> HandResult:
    """The result that `result_to_json` wrote; the payoffs may be omitted, since they follow from the events."""
    request = Fields("the result", data, bounds)
    players = request.texts("players")
    if not 2 <= len(players) <= MOST_SEATS:
        raise request.refuse("players", f"a list of 2 to {MOST_SEATS} names")
    seat = request.number("seat", most=len(players) - 1)
    events = tuple(
        _read_event(entry, place, len(players)) for place, entry in enumerate(request.items("events"))
    )
    payoffs = read_payoffs(request, len(players))
    number = request.number("hand_number", default=0, most=LARGEST_HAND_NUMBER)
    request.finish()
    reckoned = payoffs_of(events, len(players))
    require_payoffs(payoffs, reckoned)
    if sum(reckoned):
        raise FieldError(f"the payoffs of the result add up to {sum(reckoned)}, not to 0")
    return HandResult(seat, players, events, reckoned, number)


def _read_event(data: object, place: int, players: int) -> Event:
    """An event whose seats are at the table and whose amounts are valid numbers of chips."""
    try:
        event = event_from_json(data)
    except RecordError:
        event = None
    if event is None or not _is_possible(event, players):
        raise FieldError(f"event {place} of the result is {quoted(data)}, which is not an event")
    return event


def _is_possible(event: Event, players: int) -> bool:
    if isinstance(event, DealBoard):
        return 0 <= event.round <= _LARGEST_AMOUNT
    if not 0 <= event.seat < players:
        return False
    if isinstance(event, Award):
        return 0 <= event.pot <= _LARGEST_AMOUNT and -_LARGEST_PAYOFF <= event.amount <= _LARGEST_PAYOFF
    amounts = (getattr(event, name, 0) for name in ("amount", "paid", "to"))
    return all(0 <= amount <= _LARGEST_AMOUNT for amount in amounts)


def payoffs_to_json(payoffs: Sequence[Chips]) -> list[int | str]:
    """What every seat won or lost."""
    return [chips_to_json(amount) for amount in payoffs]


def read_payoffs(request: Fields, players: int) -> tuple[Chips, ...] | None:
    """The field `payoffs`: what every seat won or lost; None if not given."""
    if "payoffs" not in request:
        return None
    entries = request.items("payoffs", MOST_SEATS)
    try:
        payoffs = tuple(chips_from_json(entry) for entry in entries)
    except RecordError:
        payoffs = ()
    if len(payoffs) != players or not all(
        -_LARGEST_PAYOFF <= amount <= _LARGEST_PAYOFF for amount in payoffs
    ):
        raise request.refuse("payoffs", f"what each of the {players} seats won or lost")
    return payoffs


def require_payoffs(told: tuple[Chips, ...] | None, reckoned: tuple[Chips, ...]) -> None:
    """Reject payoffs that do not follow from the events."""
    if told is not None and told != reckoned:
        raise FieldError(
            f"the payoffs are {', '.join(map(str, told))}, but the events give "
            f"{', '.join(map(str, reckoned))}"
        )


# The answer of an agent


def action_to_json(action: Action) -> list[Any]:
    """An action: its kind, and the amount that it raises to, which is 0 for a fold or a call."""
    return [_NAMES[ActionKind(action.kind)], int(action.to)]


def action_from_json(data: object) -> Action | None:
    """The action that `action_to_json` wrote; None if it is not an action."""
    if type(data) is not list or len(data) != 2:
        return None
    name, amount = data
    if type(name) is not str or name not in ACTION_KINDS or type(amount) is not int:
        return None
    return Action(ACTION_KINDS[name], amount)


def decision_to_json(decision: Decision, *, sections: bool = False) -> dict[str, Any]:
    """A decision; the sections of its explanation are included only on request."""
    explanation = decision.explanation
    reasons: dict[str, Any] = {
        "summary": str(explanation.summary),
        **facts_to_json(explanation.facts),
    }
    if sections:
        reasons["sections"] = [section.to_json() for section in explanation.sections]
    return {
        "action": action_to_json(decision.action),
        "strategy": [[*action_to_json(action), float(chance)] for action, chance in decision.strategy],
        "explanation": reasons,
    }


def decision_from_json(data: object, sections: Sequence[Section] = ()) -> Decision:
    """The decision that `decision_to_json` wrote, with the sections of its explanation."""
    answer = Fields("the decision", data)
    action = action_from_json(answer.data("action"))
    if action is None:
        raise answer.refuse("action", "its kind and its amount")
    strategy = tuple(_read_option(entry, answer) for entry in answer.items("strategy"))
    try:
        reasons = explanation_from_json({**answer.data("explanation"), "sections": []})
    except (TypeError, ExplanationError):
        raise answer.refuse("explanation", "a summary and facts") from None
    return Decision(action, Explanation(reasons.summary, reasons.facts, sections), strategy)


def _read_option(data: object, answer: Fields) -> tuple[Action, float]:
    """An action with its probability; the probability may be the text of a number that JSON cannot represent."""
    if type(data) is list and len(data) == 3:
        action = action_from_json(data[:2])
        if action is not None and type(data[2]) in (float, int, str):
            with suppress(ValueError, OverflowError):
                return action, float(data[2])
    raise answer.refuse("strategy", "a list of actions with their probabilities")


def sections_from_json(data: Mapping[str, Any]) -> tuple[Section, ...]:
    """The sections of a decision that `decision_to_json` wrote with its sections."""
    try:
        return tuple(section_from_json(section) for section in data["explanation"]["sections"])
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise FieldError("the decision has no sections of an explanation") from None
