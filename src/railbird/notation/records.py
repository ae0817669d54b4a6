"""Railbird's own format: one JSON object per line, which contains everything in a hand record.

A line is `engine.json_form.record_to_json` without spaces. The reader trusts nothing: it checks the type of every
field, and the events must be those that the rules derive from the actions.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, fields
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from railbird.engine.events import Award, DealBoard, Event, Return, Reveal
from railbird.engine.games import named_game
from railbird.engine.history import play
from railbird.engine.json_form import (
    event_to_json,
    record_from_json,
    record_to_json,
    rules_from_json,
    rules_to_json,
)
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN
from railbird.notation.reading import BadHand, NotationError, Reading, refuse_line
from railbird.plain_data import require_like

_SHAPE: dict[str, Any] = {
    "schema": "",
    "hand_id": "",
    "rules": {},
    "stacks": [0],
    "blinds": [0],
    "antes": [0],
    "first": 0,
    "players": [""],
    "seats": [0],
    "events": [[]],
}
"""An example of every field that a hand must have."""
_RULES_SHAPE = {**rules_to_json(named_game("limit-2p")), "raise_caps": [(0, None)]}
_NEEDED_RULES = {field.name for field in fields(GameRules) if field.default is MISSING}
_DETAILS_SHAPE = {"venue": "", "table": "", "time": "", "currency": "", "chip": "", "notes": [[""]]}
_LARGEST = 2**58
"""Larger numbers could overflow in compiled code, where bets are added up."""
_COMPACT = json.JSONEncoder(separators=(",", ":"))
_MOST_EVENTS = 1 << 14
"""Maximum number of events kept as text."""
_FRACTION = re.compile(r"[1-9][0-9]{0,40}(/[1-9][0-9]{0,40})?")


def read_records(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of JSON lines; empty lines are skipped."""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text:
            continue
        reason = refuse_line(line)
        if reason is None:
            try:
                yield parse_record(text)
                continue
            except NotationError as error:
                reason = str(error)
        yield BadHand(number, reason, text)


def parse_record(text: str) -> HandRecord:
    """The hand of one line."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise NotationError(f"the line is not valid JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise NotationError("the line is not a hand: its lists are nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise NotationError(f"the line is not valid JSON: {error}") from None
    if "\\ud" in text.lower() and any("\ud800" <= letter <= "\udfff" for letter in _letters(data)):
        raise NotationError("the line contains an unpaired surrogate")
    try:
        _require_shape(data)
        start = (tuple(data[name]) for name in ("stacks", "blinds", "antes"))
        record = record_from_json(data, _setup(json.dumps(data["rules"]), *start, data["first"]))
        _require_play(record)
    except ValueError as error:
        raise NotationError(str(error)) from None
    return record


def _letters(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)


def format_record(record: HandRecord) -> str:
    """The line of a hand, with its line end."""
    return json.dumps(record_to_json(record), ensure_ascii=False, separators=(",", ":")) + "\n"


def digest_of(record: HandRecord) -> bytes:
    """A digest of sixteen bytes that identifies a hand: its id, where and when it was played, and the play.

    Hand ids alone are not unique: every ACPC log counts from 0. The name and the options of the game and the source's
    other notes are excluded, because a later version may read more of them from the same hand.
    """
    setup, details = record.setup, record.details
    hand = [
        record.hand_id,
        [details.venue, details.table, details.time, details.currency, str(details.chip)],
        [record.rules.betting.value, setup.stacks, setup.blinds, setup.antes, setup.first],
        [record.players, record.seats],
    ]
    # The events are the last element of the last list.
    start = _COMPACT.encode(hand).removesuffix("]]")
    text = f"{start},[{','.join(map(_event_text, record.events))}]]]"
    return blake2b(text.encode(), digest_size=16).digest()


@lru_cache(maxsize=_MOST_EVENTS)
def _event_text(event: Event) -> str:
    return _COMPACT.encode(event_to_json(event))


def _require_shape(data: Any) -> None:
    require_like(data, {}, "the line")
    _require_known(data, {**_SHAPE, "details": {}}, "a hand")
    require_like(data, _SHAPE, "the hand")
    for name in ("stacks", "blinds", "antes", "first"):
        _require_reach(data[name], name)
    if "details" in data:
        _require_details(data["details"])


def _require_details(details: Any) -> None:
    require_like(details, {}, "details of the hand")
    _require_known(details, _DETAILS_SHAPE, "the details of a hand")
    require_like(details, {name: _DETAILS_SHAPE[name] for name in details}, "the details")
    if any(len(note) != 2 for note in details.get("notes", ())):
        raise NotationError("the details contain a note that is not a name and a text")
    if not _FRACTION.fullmatch(details.get("chip", "1")):
        raise NotationError("chip of the details is not a number or a fraction such as 1/100")


def _require_known(data: dict[str, Any], shape: dict[str, Any], what: str) -> None:
    for name in data:
        if name not in shape:
            raise NotationError(f"{name} is not a field of {what}")


def _require_reach(value: Any, name: str) -> None:
    for number in value if isinstance(value, list) else [value]:
        if type(number) is int and not 0 <= number <= _LARGEST:
            raise NotationError(f"{name} has a number out of range")


@lru_cache(maxsize=4)
def _setup(
    rules: str, stacks: tuple[int, ...], blinds: tuple[int, ...], antes: tuple[int, ...], first: int
) -> Setup:
    """The start of a hand, shared with its betting tree by all hands that begin alike."""
    return Setup(_rules(rules), stacks, blinds, antes, first)


@lru_cache(maxsize=32)
def _rules(text: str) -> GameRules:
    data = json.loads(text)
    _require_known(data, _RULES_SHAPE, "a game's rules")
    expected = {
        name: example for name, example in _RULES_SHAPE.items() if name in data or name in _NEEDED_RULES
    }
    require_like(data, expected, "the rules")
    for name, value in data.items():
        _require_reach(value, name)
    return rules_from_json(data)


def _require_play(record: HandRecord) -> None:
    """Refuse a record whose events do not follow from its actions, or that awards more than was paid."""
    if record.seats and len(record.seats) != len(record.players):
        raise NotationError(f"the hand has {len(record.seats)} seats for {len(record.players)} players")
    state = record.state()
    played = [event for event in play(state) if not (isinstance(event, DealBoard) and UNKNOWN in event.cards)]
    for place, (found, made) in enumerate(zip(record.events, played, strict=False), start=1):
        if found != made:
            raise NotationError(f"event {place} is {event_to_json(found)}, but {event_to_json(made)} follows")
    if len(record.events) < len(played):
        raise NotationError(f"{event_to_json(played[len(record.events)])} is missing after the last event")
    ending = record.events[len(played) :]
    if ending and not state.is_over:
        raise NotationError(f"{event_to_json(ending[0])} comes while seat {state.actor} is to act")
    for event in ending:
        _require_ending(event, record)
    if state.is_over and sum(record.payoffs) > 0:
        raise NotationError(f"{sum(record.payoffs)} more chips are won than were paid")


def _require_ending(event: Event, record: HandRecord) -> None:
    if not isinstance(event, Return | Reveal | Award):
        raise NotationError(f"{event_to_json(event)} comes after the last action")
    if not 0 <= event.seat < len(record.players):
        raise NotationError(f"{event_to_json(event)} names a seat that is not at the table")
    if isinstance(event, Reveal):
        size = record.rules.hole_cards
        dealt = record.cards[event.seat * size : (event.seat + 1) * size]
        if event.cards is not None and event.cards != dealt:
            raise NotationError(f"{event_to_json(event)} are not the cards that were dealt")
    elif event.amount < 0:
        raise NotationError(f"{event_to_json(event)} takes chips away")
