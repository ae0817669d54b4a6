"""What every reader of hands gives: records, and the hands that could not be read with the reason why.

A reader takes the lines of one source and goes through it once, hand by hand, holding no more than a hand in memory.
It never raises over what the text says: a broken hand becomes a `BadHand` and the reader goes on with the next one.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

from railbird.engine.record import HandRecord

LONGEST_LINE = 64 * 1024
"""Lines beyond this many characters are refused: no format has them."""


class NotationError(ValueError):
    """Text that is not what its format asks for. The message says what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class BadHand:
    """A hand that could not be read."""

    line: int
    """Its first line in the source, counted from 1."""
    reason: str
    """One sentence."""
    text: str
    """What stands in the source, so that it can be put aside whole."""


Reading: TypeAlias = HandRecord | BadHand


@dataclass(frozen=True, slots=True)
class Loss:
    """Something in a record that a format cannot carry and leaves out when the record is written."""

    what: str
    """A few words in the plural, the same for every hand, so that losses can be counted: `seat numbers`."""


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def refuse_names(record: HandRecord) -> str | None:
    """Why the names in a record cannot be shown, or None: control characters would steer the reader's terminal."""
    details = record.details
    for name in (record.hand_id, *record.players, details.venue, details.table, details.currency):
        if not name.isprintable() and _CONTROL.search(name):
            return f"the name {name[:40]!r} has a control character"
    return None


def refuse_line(line: str) -> str | None:
    """Why a line cannot be text of any format, or None."""
    if len(line) > LONGEST_LINE:
        return f"the line has more than {LONGEST_LINE} characters, which no format has"
    if "\0" in line:
        return "the line holds a NUL byte"
    if "\ufffd" in line:
        return "the line is not UTF-8"
    return None
