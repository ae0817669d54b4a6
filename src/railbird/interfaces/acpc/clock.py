"""The time limits of the official ACPC dealer: for a response, for a hand, and on average for the hands of a match."""

from dataclasses import dataclass
from time import monotonic_ns, time_ns

MILLISECOND = 1000
"""In microseconds, the unit in which the dealer counts."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """What a player may use, in milliseconds."""

    response: int = 600_000
    hand: int = 600_000
    per_hand: int = 7_000
    """On average: times the number of hands, for the whole match."""


USUAL_LIMITS = TimeLimits()


class Clock:
    """The time of day in microseconds, which never goes back while a match is played."""

    def __init__(self) -> None:
        self._offset = time_ns() - monotonic_ns()

    def now(self) -> int:
        """Microseconds since 1970."""
        return (self._offset + monotonic_ns()) // 1000


class TimeAccounts:
    """What every seat has used of its time."""

    def __init__(self, limits: TimeLimits, hands: int, seats: int) -> None:
        self._response = limits.response * MILLISECOND
        self._hand = limits.hand * MILLISECOND
        self._match = limits.per_hand * MILLISECOND * hands
        self.used_in_hand = [0] * seats
        self.used_in_match = [0] * seats

    def begin_hand(self) -> None:
        """A new hand: its time begins anew."""
        self.used_in_hand = [0] * len(self.used_in_hand)

    def charge(self, seat: int, sent: int, received: int) -> bool:
        """Count a response, and say whether the seat is within its limits.

        A seat that sends several lines for one decision is charged for each of them from the moment of sending, as
        the official dealer does.
        """
        if received < sent:
            return True
        used = received - sent
        self.used_in_hand[seat] += used
        self.used_in_match[seat] += used
        return (
            used <= self._response
            and self.used_in_hand[seat] <= self._hand
            and self.used_in_match[seat] <= self._match
        )
