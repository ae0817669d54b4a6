"""Validated values for changes of sessions, and sessions and hands from their rows.

Reasons are bytes: JSON, compressed by zlib if it is long. The first byte shows which: a JSON object begins with `{`, a
zlib stream with `x`. They contain thousands of numbers, which msgspec writes many times faster than Python's own
module. A number that is not finite becomes null.
"""

import re
import zlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, assert_never

import msgspec
from sqlalchemy import RowMapping

from railbird.store.addresses import StoreError
from railbird.store.sessions.changes import (
    ActionsDone,
    Change,
    HandBegun,
    HandOver,
    HandVoided,
    ReasonGiven,
    SessionBegun,
    SessionError,
    SessionFinished,
    SessionOpened,
    SessionRemoved,
    SettingsChanged,
    StoredHand,
    StoredSession,
)

LARGEST_NUMBER = 2**63 - 1
LARGEST_STEP = 2**15 - 1
_ACTIONS = re.compile(r"((f|c|r[0-9]+)( (f|c|r[0-9]+))*)?")
_CHIPS = re.compile(r"-?[0-9]{1,40}(/[1-9][0-9]{0,40})?")
_LONG = 2048
"""Minimum size of JSON to be compressed, in bytes."""
_LEVEL = 1
"""zlib's fastest level; reasons are so repetitive that slower levels gain little."""
MOST_UNPACKED = 64 * 1024**2
"""Maximum size of the reasons of one action, in bytes; the longest have a few hundred thousand."""


def session_of(change: Change) -> str:
    """The id of the session that a change concerns."""
    match change:
        case SessionBegun(session):
            return session.id
        case SettingsChanged(id) | SessionOpened(id) | SessionFinished(id) | SessionRemoved(id):
            return id
        case _:
            return change.session


def values_of(change: Change) -> dict[str, Any]:
    """The values of a change by the parameter names of its statement; values that cannot be stored are refused."""
    values = _values(change)
    for value in values.values():
        if isinstance(value, str) and not is_storable(value):
            raise SessionError(f"session {session_of(change)!r}: {value!r} cannot be stored as text")
    return values


def is_storable(text: str) -> bool:
    """Whether every database accepts the text: no NUL, no unpaired surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _values(change: Change) -> dict[str, Any]:
    where = f"session {session_of(change)!r}"
    match change:
        case SessionBegun(session):
            return {
                "session": session.id,
                "owner": session.owner,
                "started": session.started,
                "finished": session.finished,
                "settings": json_text(session.settings, f"the settings of {where}"),
            }
        case SettingsChanged(id, settings):
            return {"session": id, "settings": json_text(settings, f"the settings of {where}")}
        case SessionOpened(id) | SessionFinished(id):
            return {"session": id, "now": datetime.now(UTC).isoformat(timespec="seconds")}
        case SessionRemoved(id):
            return {"session": id}
        case _:
            pass
    if not 0 < change.number <= LARGEST_NUMBER:
        raise SessionError(f"{where}: hands are counted from 1, so there is no hand {change.number}")
    where = f"hand {change.number} of {where}"
    values: dict[str, Any] = {"session": change.session, "number": change.number}
    match change:
        case HandBegun():
            return values | {
                "start": json_text(change.start, f"the start of {where}"),
                "counted": change.counted,
            }
        case ActionsDone():
            if not _ACTIONS.fullmatch(change.actions):
                raise SessionError(f"{where}: {change.actions!r} is not a list of actions such as 'c r40 f'")
            return values | {"actions": change.actions}
        case ReasonGiven():
            if not 0 <= change.step <= LARGEST_STEP:
                raise SessionError(f"{where}: {change.step} is not a number of actions")
            return values | {
                "step": change.step,
                "reasons": packed(change.reasons, f"the reasons in {where}"),
            }
        case HandOver():
            won = _won(change.ending, where)
            return values | {
                "ending": json_text(change.ending, f"the ending of {where}"),
                "won": won.numerator,
                "won_of": won.denominator,
            }
        case HandVoided():
            return values | {"why": change.why}
        case _:
            assert_never(change)


def _won(ending: Mapping[str, Any], where: str) -> Fraction:
    found = ending.get("won")
    if found is None:
        return Fraction(0)
    text = str(found)
    if not _CHIPS.fullmatch(text):
        raise SessionError(f"{where}: {found!r} was won, which is not a number of chips such as 40 or '-5/2'")
    won = Fraction(text)
    if max(abs(won.numerator), won.denominator) > LARGEST_NUMBER:
        raise SessionError(f"{where}: {text} was won, which is out of range")
    return won


def _json(data: Mapping[str, Any], what: str) -> bytes:
    try:
        return msgspec.json.encode(data)
    except (TypeError, ValueError, RecursionError) as error:
        raise SessionError(f"{what}: not plain JSON: {error}") from None


def json_text(data: Mapping[str, Any], what: str) -> str:
    """Plain JSON as text."""
    return _json(data, what).decode()


def packed(reasons: Mapping[str, Any], what: str) -> bytes:
    """Reasons as bytes."""
    return packed_json(_json(reasons, what))


def packed_json(data: bytes) -> bytes:
    """Reasons that are JSON already."""
    return data if len(data) <= _LONG else zlib.compress(data, _LEVEL)


def unpacked(data: bytes, what: str) -> Any:
    """The reasons that `packed` encoded."""
    try:
        return msgspec.json.decode(unpacked_json(data, what))
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{what} are damaged: {error}") from None


def unpacked_json(data: bytes, what: str) -> bytes:
    """The JSON that `packed_json` compressed."""
    try:
        return data if data.startswith(b"{") else _decompressed(data)
    except (zlib.error, ValueError) as error:
        raise StoreError(f"{what} are damaged: {error}") from None


def _decompressed(data: bytes) -> bytes:
    """The decompressed data, refused if it is larger than any reasons."""
    unpacking = zlib.decompressobj()
    found = unpacking.decompress(data, MOST_UNPACKED)
    if unpacking.unconsumed_tail:
        raise ValueError(f"they have more than {MOST_UNPACKED:,} bytes")
    if not unpacking.eof:
        raise ValueError("they are truncated")
    return found


def session_of_row(row: RowMapping, address: str) -> StoredSession:
    """A session from its row."""
    settings = loaded(row["settings"], f"{address}: the settings of session {row['id']!r}")
    return StoredSession(row["id"], row["owner"], row["started"], row["finished"], settings)


def hand_of_row(row: RowMapping, reasons: Iterable[RowMapping], address: str) -> StoredHand:
    """A hand from its row and those of its reasons."""
    where = f"hand {row['number']} of session {row['session']!r}"
    ending = row["ending"]
    return StoredHand(
        row["session"],
        row["number"],
        loaded(row["start"], f"{address}: the start of {where}"),
        row["actions"],
        row["over"],
        row["counted"],
        None if ending is None else loaded(ending, f"{address}: the ending of {where}"),
        {
            each["step"]: unpacked(
                each["reasons"], f"{address}: the reasons at step {each['step']} in {where}"
            )
            for each in reasons
        },
        row["voided"] or "",
    )


def loaded(text: str, what: str) -> Any:
    """Plain JSON from its text."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{what} is damaged: {error}") from None
