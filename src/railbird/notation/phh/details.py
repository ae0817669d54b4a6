"""What a PHH hand contains beyond the play: names, seats, place and time, and everything else as notes.

PHH has fields for most of it. For the rest of a hand record the writer adds a table `_railbird`, which other readers
treat as a user-defined field:

- `hand_id` if it is not the room and the number of the hand,
- `time` if it is not a date, a clock time or both,
- `chip` if a chip is not 1, 1/10, 1/100 and so on, so that amounts are printed in chips,
- `rules` (as `engine.json_form` writes them) if they are not those that PHH implies,
- `notes` if their names are not PHH fields and do not begin with an underscore,
- `first`, the position that opens the first round, if players who are all-in with their blinds obscure it,
- `live_posts`, which is true if a late post above the big blind is live,
- `sure_results`, which is true if the rake is higher than is plausible.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from railbird.engine.json_form import fraction_from_json, rules_from_json, rules_to_json
from railbird.engine.record import Details, HandRecord
from railbird.engine.rules import UNLIMITED_STACK, GameRules, compiled
from railbird.notation.phh.fields import Fields, format_value, note_text, note_value
from railbird.notation.phh.game import MOST_DECIMALS
from railbird.notation.reading import NotationError

OWN = "_railbird"
LIVE_POSTS = "live_posts"
SURE_RESULTS = "sure_results"
_STAKES = (
    "variant",
    "ante_trimming_status",
    "antes",
    "blinds_or_straddles",
    "bring_in",
    "small_bet",
    "big_bet",
)
_PLAY = ("min_bet", "starting_stacks", "actions", "finishing_stacks", "winnings")
_PLACES = ("author", "event", "url", "address", "city", "region", "postal_code", "country")
_TEXTS = frozenset((*_PLACES, "time_zone", "time_zone_abbreviation", "currency_symbol"))
_DATE_FIELDS = ("year", "month", "day")
_OTHERS = frozenset(["level", "seat_count", "time_limit", "time_banks", "time", *_DATE_FIELDS])
_TAKEN = frozenset((*_STAKES, *_PLAY, "venue", "table", "currency", "hand", "seats", "players", OWN))
_USER_FIELD = re.compile(r"_(?!railbird$)[A-Za-z0-9_-]+")
_PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
_TIME = re.compile(r"(?:([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?)?(?:(?:^|T)([0-9:]{8}(?:\.[0-9]{1,6})?))?")
_DATE_LENGTHS = (0, 4, 7, 10)
_CHIPS = tuple(Fraction(1, 10**decimals) for decimals in range(MOST_DECIMALS + 1))


class Circumstances(NamedTuple):
    """Everything about a hand but its play."""

    hand_id: str | None
    """None if the file does not give one."""
    players: tuple[str, ...]
    seats: tuple[int, ...]
    details: Details
    rules: GameRules
    first: int
    """The position that opens the first round."""


def read_circumstances(
    fields: Fields, base: GameRules, decimals: int, more: tuple[tuple[str, str], ...] = ()
) -> Circumstances:
    """Read the fields. `base` are the rules that PHH implies, `more` are notes that the reader adds."""
    own = fields.get(OWN)
    when, told = _read_time(fields)
    venue = _text(fields.get("venue", ""))
    hand = fields.get("hand", "")
    if isinstance(hand, bool) or not isinstance(hand, int | str):
        raise NotationError("hand is neither a number nor text")
    notes = tuple(
        [
            (name, value if isinstance(value, str) and name in _TEXTS else note_text(value))
            for name, value in fields.items()
            if name not in _TAKEN and name not in told
        ]
    )
    found = Circumstances(
        hand_id=(f"{venue}-{hand}" if venue else str(hand)) if hand != "" else None,
        players=_players(fields, base.players),
        seats=_seats(fields, base.players),
        details=Details(
            venue=venue,
            table=_text(fields.get("table", "")),
            time=when,
            currency=_text(fields.get("currency", "")),
            chip=_CHIPS[decimals],
            notes=notes + more,
        ),
        rules=base,
        first=base.first_seats[0],
    )
    return found if own is None else _with_own(found, own, more)


def _with_own(found: Circumstances, own: object, more: tuple[tuple[str, str], ...]) -> Circumstances:
    """The same, overridden by the writer's own field."""
    try:
        details, rules = found.details, found.rules
        assert isinstance(own, dict)
        if "rules" in own:
            rules = _read_rules(rules, own["rules"])
        if "chip" in own:
            details = replace(details, chip=fraction_from_json(own["chip"]))
        if "time" in own:
            details = replace(details, time=_text(own["time"]))
        if "notes" in own:
            notes = tuple((_text(name), _text(text)) for name, text in own["notes"])
            details = replace(details, notes=notes + more)
        hand_id = _text(own["hand_id"]) if "hand_id" in own else found.hand_id
        first = own.get("first", found.first)
        assert type(first) is int
        return found._replace(details=details, rules=rules, hand_id=hand_id, first=first)
    except (ValueError, ArithmeticError, TypeError, KeyError, AttributeError, AssertionError, RecursionError):
        raise NotationError(f"{OWN} does not have the fields that Railbird writes") from None


def _read_rules(base: GameRules, text: str) -> GameRules:
    plain = rules_to_json(base)
    changes = json.loads(text)
    for name, value in changes.items():
        for old, new in zip(_items(plain[name]), _items(value), strict=True):
            assert type(old) is type(new) or (name == "raise_caps" and type(new) in (int, type(None)))
            assert not isinstance(new, int) or 0 <= new <= UNLIMITED_STACK
    rules = rules_from_json(plain | changes)
    compiled(rules)
    return rules


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _text(value: object) -> str:
    return value if isinstance(value, str) else format_value(value)


def _players(fields: Fields, players: int) -> tuple[str, ...]:
    names = fields.get("players")
    if names is None:
        return tuple([f"p{number}" for number in range(1, players + 1)])
    if not isinstance(names, list) or len(names) != players:
        raise NotationError(f"players is not a list of {players} names")
    if not all(isinstance(name, str) for name in names):
        raise NotationError("players has a name that is not text")
    return tuple(names)


def _seats(fields: Fields, players: int) -> tuple[int, ...]:
    seats = fields.get("seats")
    if seats is None:
        return ()
    if not isinstance(seats, list) or len(seats) != players or not all(type(seat) is int for seat in seats):
        raise NotationError(f"seats is not a list of {players} numbers")
    return tuple(seats)


def _read_time(fields: Fields) -> tuple[str, tuple[str, ...]]:
    """Date and clock time as ISO 8601, and the fields they come from."""
    day = _read_date(fields)
    clock = fields.get("time")
    whole = len(day) == len(_DATE_FIELDS)
    if not isinstance(clock, time) or clock.tzinfo is not None or (day and not whole):
        clock = None
    text = _date_text(tuple(day)) if day else ""
    told = _DATE_FIELDS[: len(day)]
    if clock is None:
        return text, told
    return f"{text}T{clock.isoformat()}" if text else clock.isoformat(), (*told, "time")


@lru_cache(maxsize=1024)
def _date_text(day: tuple[int, ...]) -> str:
    try:
        return date(*[*day, 1, 1][:3]).isoformat()[: _DATE_LENGTHS[len(day)]]
    except ValueError:
        raise NotationError(
            f"year, month and day are {', '.join(map(str, day))}, which is not a date"
        ) from None


def _read_date(fields: Fields) -> list[int]:
    """As many of year, month and day as are given, if none is given without those before it."""
    found = [name for name in _DATE_FIELDS if name in fields]
    parts = [fields[name] for name in found]
    if tuple(found) != _DATE_FIELDS[: len(found)] or not all(type(part) is int for part in parts):
        return []
    return parts


def says(fields: Fields, mark: str) -> bool:
    """Whether the writer's own field has a mark."""
    own = fields.get(OWN)
    return isinstance(own, dict) and own.get(mark) is True


def circumstance_fields(record: HandRecord, base: GameRules, marks: Sequence[str]) -> Fields:
    """The fields of everything but the play. `base` are the rules that PHH implies; `marks` go into the own field."""
    details = record.details
    fields: Fields = {"venue": details.venue} if details.venue else {}
    fields |= _time_fields(details.time)
    hand = record.hand_id.removeprefix(f"{details.venue}-" if details.venue else "")
    if hand:
        fields["hand"] = _number_or_text(hand)
    if record.seats:
        fields["seats"] = list(record.seats)
    if details.table:
        fields["table"] = _number_or_text(details.table)
    fields["players"] = list(record.players)
    if details.currency:
        fields["currency"] = details.currency
    for name, text in details.notes:
        if (name in _TEXTS or name in _OTHERS or _USER_FIELD.fullmatch(name)) and name not in fields:
            fields[name] = text if name in _TEXTS else note_value(text)
    own = _own_fields(record, read_circumstances(fields, base, decimals_of(details.chip)))
    own |= dict.fromkeys(marks, True)
    return fields | {OWN: own} if own else fields


def _own_fields(record: HandRecord, found: Circumstances) -> Fields:
    """What a reader would not find in the standard fields, or would read differently."""
    own: Fields = {}
    details = record.details
    if found.hand_id != record.hand_id:
        own["hand_id"] = record.hand_id
    if found.details.time != details.time:
        own["time"] = details.time
    if found.details.chip != details.chip:
        own["chip"] = str(details.chip)
    if found.rules != record.rules:
        plain = rules_to_json(found.rules)
        changes = {name: value for name, value in rules_to_json(record.rules).items() if value != plain[name]}
        own["rules"] = json.dumps(changes, ensure_ascii=False, separators=(",", ":"))
    if found.first != record.setup.first:
        own["first"] = record.setup.first
    if found.details.notes != details.notes:
        own["notes"] = [list(note) for note in details.notes]
    return own


def decimals_of(chip: Fraction) -> int:
    """The number of decimals of printed amounts; 0 if they are printed in chips."""
    return _CHIPS.index(chip) if chip in _CHIPS else 0


def _number_or_text(text: str) -> int | str:
    """A number if that loses nothing of the text, otherwise the text."""
    return int(text) if _PLAIN_NUMBER.fullmatch(text) else text


def _time_fields(when: str) -> Fields:
    """The fields of a text that begins with a date, a clock time or both."""
    found = _TIME.match(when)
    if found is None:
        return {}
    parts: Fields = {
        name: int(part) for name, part in zip(_DATE_FIELDS, found.groups(), strict=False) if part
    }
    try:
        date(**({"year": 1, "month": 1, "day": 1} | parts))
        clock: Fields = {"time": time.fromisoformat(found[4])} if found[4] else {}
    except ValueError:
        return {}
    return clock | dict(reversed(parts.items()))
