"""A rate limit for the log: each kind of message a few times per minute, with a count of omitted ones."""

import logging
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from time import monotonic

MOST_OF_A_KIND = 5
"""Maximum number of messages of one kind per minute."""
_MINUTE_S = 60.0
_KINDS = 500
"""Maximum number of tracked kinds."""
_BEGINNING = 40
"""Number of leading characters that distinguish kinds of messages; what follows often names single objects."""


@dataclass(slots=True)
class _Kind:
    """The number of messages of one kind in the current minute."""

    since: float
    said: int = 0
    left_out: int = 0


class Sparing(logging.Filter):
    """Drops messages of a kind beyond the limit."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: OrderedDict[tuple[object, ...], _Kind] = OrderedDict()
        self._lock = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written; the first one of a new minute includes the number of omitted ones."""
        error = record.exc_info[0] if record.exc_info else None
        key = record.name, record.lineno, str(record.msg)[:_BEGINNING], error
        with self._lock:
            now = monotonic()
            kind = self._kinds.setdefault(key, _Kind(now))
            self._kinds.move_to_end(key)
            if len(self._kinds) > _KINDS:
                self._kinds.popitem(last=False)
            left_out = 0
            if now - kind.since >= _MINUTE_S:
                left_out = kind.left_out
                kind.since, kind.said, kind.left_out = now, 0, 0
            if kind.said >= MOST_OF_A_KIND:
                kind.left_out += 1
                return False
            kind.said += 1
        if left_out:
            record.msg, record.args = f"{record.getMessage()} (and {left_out:,} more like this)", None
        return True
