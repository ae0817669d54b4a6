"""The time limits of the official ACPC dealer: per response, per hand, and on average per hand of a match."""

from dataclasses import dataclass
from time import monotonic_ns, time_ns

MILLISECOND = 1000
"""In microseconds, the dealer's unit of time."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The time limits of a player, in milliseconds."""

    response: int = 600_000
    hand: int = 600_000
    per_hand: int = 7_000
    """On average: multiplied by the number of hands, the limit for the whole match."""


USUAL_LIMITS = TimeLimits()


class Clock:
    """The time of day in microseconds, monotonic during a match."""

    def __init__(self) -> None:
        self._offset = time_ns() - monotonic_ns()

    def now(self) -> int:
        """Microseconds since 1970."""
        return (self._offset + monotonic_ns()) // 1000


class TimeAccounts:
    """The time used by every seat."""

    def __init__(self, limits: TimeLimits, hands: int, seats: int) -> None:
        self._response = limits.response * MILLISECOND
        self._hand = limits.hand * MILLISECOND
        self._match = limits.per_hand * MILLISECOND * hands
        self.used_in_hand = [0] * seats
        self.used_in_match = [0] * seats

    def begin_hand(self) -> None:
        """Reset the times of the hand."""
        self.used_in_hand = [0] * len(self.used_in_hand)

    def charge(self, seat: int, sent: int, received: int) -> bool:
        """Count a response, and return whether the seat is within its limits.

        A seat that sends several lines for one decision is charged for each of them from the time the state was sent,
        as by the official dealer.
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
