"""What every reader of hands returns: records, and refused hands with the reason.

A reader takes the lines of one source and goes through it once, holding at most one hand in memory. It never raises
an error because of the text: an invalid hand becomes a `BadHand`, and the reader continues with the next one.
"""

import re
from dataclasses import dataclass
from typing import TypeAlias

from railbird.engine.record import HandRecord

LONGEST_LINE = 64 * 1024
"""Maximum number of characters in a line; no format needs more."""


class NotationError(ValueError):
    """Text that does not conform to its format. The message says what was found and what was expected."""


@dataclass(frozen=True, slots=True)
class BadHand:
    """A hand that could not be read."""

    line: int
    """Its first line in the source, counted from 1."""
    reason: str
    """One sentence."""
    text: str
    """The original text, so that it can be saved elsewhere."""


class BadFile(BadHand):
    """A file of which nothing more can be read."""

    def __init__(self, reason: str) -> None:
        super().__init__(0, reason, "")


Reading: TypeAlias = HandRecord | BadHand


@dataclass(frozen=True, slots=True)
class Loss:
    """Something in a record that a format cannot represent and leaves out."""

    what: str
    """A few words in the plural, the same for every hand, so that losses can be counted: `seat numbers`."""


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def refuse_names(record: HandRecord) -> str | None:
    """Why the names in a record are refused, or None: control characters could manipulate a terminal."""
    details = record.details
    names = (record.hand_id, *record.players, details.venue, details.table, details.currency)
    if "".join(names).isprintable():
        return None
    return next((reason for reason in map(refuse_name, names) if reason is not None), None)


def refuse_name(name: str) -> str | None:
    """The same for a single name."""
    if not name.isprintable() and _CONTROL.search(name):
        return f"the name {name[:40]!r} contains a control character"
    return None


def refuse_line(line: str) -> str | None:
    """Why a line cannot be text of any format, or None."""
    if len(line) > LONGEST_LINE:
        return f"the line has more than {LONGEST_LINE} characters"
    if "\0" in line:
        return "the line contains a NUL byte"
    if "\ufffd" in line:
        return "the line is not valid in the encoding of the file"
    return None
