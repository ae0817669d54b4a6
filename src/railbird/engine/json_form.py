"""Rules and hand records as plain data that JSON can represent, converted back without loss.

>>> from railbird.engine.games import named_game
>>> rules_from_json(rules_to_json(named_game("limit-9max:cap=5"))) == named_game("limit-9max:cap=5")
True
"""

import re
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from typing import Any

from railbird.cards import Card, format_cards, parse_cards
from railbird.engine.actions import ActionKind
from railbird.engine.events import (
    Act,
    Award,
    Chips,
    DealBoard,
    DealHole,
    Event,
    Post,
    PostKind,
    Return,
    Reveal,
)
from railbird.engine.record import NO_DETAILS, Details, HandRecord
from railbird.engine.rules import (
    Antes,
    Betting,
    GameRules,
    MinimumRaise,
    Mucking,
    OddChips,
    Reopening,
    ShortBlind,
)
from railbird.engine.setup import Setup
from railbird.fields import quoted

SCHEMA = "railbird.hand/1"
LONGEST_CARDS = 100
"""Maximum number of characters for the cards of an event."""

_CHOICES: dict[str, type[Enum]] = {
    "betting": Betting,
    "reopening": Reopening,
    "minimum_raise": MinimumRaise,
    "odd_chips": OddChips,
    "short_blind": ShortBlind,
    "ante_rule": Antes,
    "mucking": Mucking,
}


class RecordError(ValueError):
    """Data that is not a hand record of this version."""


def rules_to_json(rules: GameRules) -> dict[str, Any]:
    """Every field of the rules."""
    data = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return {
        name: value.value if isinstance(value, Enum) else list(value) if isinstance(value, tuple) else value
        for name, value in data.items()
    }


def rules_from_json(data: dict[str, Any]) -> GameRules:
    """The rules that `rules_to_json` wrote."""
    known = {field.name for field in fields(GameRules)}
    for name in data:
        if name not in known:
            raise RecordError(f"{name!r} is not a field of a game's rules")
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
    }
    for name, choices in _CHOICES.items():
        if name in values:
            values[name] = choices(values[name])
    return GameRules(**values)


def record_to_json(record: HandRecord) -> dict[str, Any]:
    """A hand record as plain data."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "hand_id": record.hand_id,
        "rules": rules_to_json(record.rules),
        "stacks": list(record.setup.stacks),
        "blinds": list(record.setup.blinds),
        "antes": list(record.setup.antes),
        "first": record.setup.first,
        "players": list(record.players),
        "seats": list(record.seats),
        "events": [event_to_json(event) for event in record.events],
    }
    if record.details != NO_DETAILS:
        data["details"] = _details_to_json(record.details)
    return data


def record_from_json(data: dict[str, Any], setup: Setup | None = None) -> HandRecord:
    """The hand record that `record_to_json` wrote; `setup` reuses the setup of another hand."""
    if data.get("schema") != SCHEMA:
        raise RecordError(f"the schema is {data.get('schema')!r}, but {SCHEMA!r} is expected")
    if setup is None:
        setup = Setup(
            rules=rules_from_json(data["rules"]),
            stacks=tuple(data["stacks"]),
            blinds=tuple(data["blinds"]),
            antes=tuple(data["antes"]),
            first=data["first"],
        )
    return HandRecord(
        hand_id=data["hand_id"],
        setup=setup,
        players=tuple(data["players"]),
        events=_events_from_json(data["events"]),
        seats=tuple(data["seats"]),
        details=_details_from_json(data["details"]) if "details" in data else NO_DETAILS,
    )


def _details_to_json(details: Details) -> dict[str, Any]:
    """The details that are present."""
    data: dict[str, Any] = {
        name: text for name in ("venue", "table", "time", "currency") if (text := getattr(details, name))
    }
    if details.chip != 1:
        data["chip"] = str(details.chip)
    if details.notes:
        data["notes"] = [list(note) for note in details.notes]
    return data


def _details_from_json(data: dict[str, Any]) -> Details:
    return Details(
        venue=data.get("venue", ""),
        table=data.get("table", ""),
        time=data.get("time", ""),
        currency=data.get("currency", ""),
        chip=fraction_from_json(data.get("chip", 1)),
        notes=tuple((name, text) for name, text in data.get("notes", [])),
    )


def event_to_json(event: Event) -> list[Any]:
    """An event as a short list, its kind first."""
    return _FORMS[type(event)](event)


def _events_from_json(data: list[object]) -> tuple[Event, ...]:
    events: list[Event] = []
    for event in data:
        try:
            events.append(event_from_json(event))
        except RecordError as error:
            raise RecordError(f"event {len(events) + 1}: {error}") from None
    return tuple(events)


def event_from_json(data: object) -> Event:
    """The event that `event_to_json` wrote."""
    if type(data) is list and data and type(data[0]) is str:
        types, make = _MAKERS.get(data[0], ((), None))
        if make is not None and tuple(map(type, data[1:])) in types:
            try:
                return make(*data[1:])
            except KeyError:  # no kind of blinds, or of actions
                pass
    raise RecordError(f"{quoted(data)} is not an event")


def _cards(cards: tuple[Card, ...] | None) -> str | None:
    return None if cards is None else format_cards(cards)


def _parsed(cards: str | None) -> tuple[Card, ...] | None:
    if cards is None:
        return None
    if len(cards) > LONGEST_CARDS:
        raise RecordError(f"{quoted(cards)} has more than {LONGEST_CARDS} characters of cards")
    return parse_cards(cards)


def chips_to_json(amount: Chips) -> int | str:
    """A number of chips; an exact fraction is text, such as "7/2"."""
    return amount if isinstance(amount, int) else str(amount)


def chips_from_json(amount: object) -> Chips:
    """The number of chips that `chips_to_json` wrote."""
    if type(amount) is int:
        return amount
    if type(amount) is not str:
        raise RecordError(f"{quoted(amount)} is not a number of chips")
    return fraction_from_json(amount)


_FRACTION = re.compile(r"-?[0-9]{1,40}(/0*[1-9][0-9]{0,39})?", re.ASCII)


def fraction_from_json(number: int | str) -> Fraction:
    """A fraction as `str` writes it. The text is validated first: converting 1e999999999 would take forever."""
    if isinstance(number, str) and not _FRACTION.fullmatch(number):
        raise RecordError(f"{number[:40]!r} is not a fraction such as 7/2")
    return Fraction(number)


ACTION_KINDS = {kind.name.lower(): kind for kind in ActionKind}
"""The kinds of actions by their names."""
_KIND_NAMES = tuple(kind.name.lower() for kind in sorted(ActionKind))

# Looked up by type for speed: every hand written or stored passes here, and `match` tries patterns one by one.
_FORMS: dict[type[Event], Callable[[Any], list[Any]]] = {
    Post: lambda event: ["post", event.seat, event.kind.value, event.amount],
    DealHole: lambda event: ["hole", event.seat, _cards(event.cards)],
    DealBoard: lambda event: ["board", event.round, _cards(event.cards)],
    Act: lambda event: ["act", event.seat, _KIND_NAMES[event.kind], event.paid, event.to],
    Return: lambda event: ["return", event.seat, event.amount],
    Reveal: lambda event: ["reveal", event.seat, _cards(event.cards)],
    Award: lambda event: [
        "award",
        event.seat,
        event.pot,
        chips_to_json(event.amount),
    ],
}
_POST_KINDS = {kind.value: kind for kind in PostKind}
_CARDS = ((int, str), (int, type(None)))
_MAKERS: dict[str, tuple[tuple[tuple[type, ...], ...], Callable[..., Event]]] = {
    "post": (((int, str, int),), lambda seat, kind, amount: Post(seat, _POST_KINDS[kind], amount)),
    "hole": (_CARDS, lambda seat, cards: DealHole(seat, _parsed(cards))),
    "board": (((int, str),), lambda number, cards: DealBoard(number, _parsed(cards) or ())),
    "act": (((int, str, int, int),), lambda seat, kind, paid, to: Act(seat, ACTION_KINDS[kind], paid, to)),
    "return": (((int, int),), Return),
    "reveal": (_CARDS, lambda seat, cards: Reveal(seat, _parsed(cards))),
    "award": (
        ((int, int, int), (int, int, str)),
        lambda seat, pot, amount: Award(seat, pot, chips_from_json(amount)),
    ),
}
"""Events by their names: the types of what follows, and how an event is made of it."""
