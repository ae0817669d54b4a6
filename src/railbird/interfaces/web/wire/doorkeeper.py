"""Open connections: counted by address and in total, and closed when they take too long.

A connection is waiting if a request, or the rest of one, is expected from it; one with a response in progress is not,
nor is a WebSocket. When the limit is reached, a new connection replaces the one that has been waiting longest, of its
own address or of all: incomplete requests make room for complete ones. New connections are refused only if none is
waiting.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from railbird.interfaces.visitors import address_in, visitor_at
from railbird.interfaces.web.wire.limits import ConnectionLimits


class TurnedAway(Exception):
    """A refused connection: the status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(slots=True, eq=False)
class _Place:
    """The state of one connection."""

    visitor: str | None
    """The visitor; None for a reverse proxy, which serves many."""
    due: float = 0.0
    """The deadline of what is expected."""
    late: Callable[[], None] | None = None
    """Called when the deadline has passed."""
    stalled: float | None = None
    """Since when the client does not read."""
    closing: float | None = None
    """Since when it is being closed."""


class Doorkeeper:
    """Tracks every connection until its transport is closed."""

    def __init__(
        self,
        limits: ConnectionLimits | None = None,
        proxies: frozenset[IPv4Address | IPv6Address] = frozenset(),
    ) -> None:
        self.limits = ConnectionLimits() if limits is None else limits
        self._proxies = proxies
        self._places: dict[asyncio.Transport, _Place] = {}
        self._waiting: dict[asyncio.Transport, None] = {}
        """In the order in which they started to wait."""
        self._of: Counter[str] = Counter()
        self._watching: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._places)

    def enter(self, transport: asyncio.Transport, host: str) -> None:
        """Register a new connection; raises TurnedAway if there is no place for it."""
        visitor = None if address_in(host) in self._proxies else visitor_at(host)
        if visitor is not None and self._of[visitor] >= self.limits.from_one_address:
            self._make_room(visitor, TurnedAway(429, "too many connections from your address: close one"))
        if len(self._places) >= self.limits.connections:
            self._make_room(None, TurnedAway(503, "too many visitors at the moment: try again later"))
        self._places[transport] = _Place(visitor)
        if visitor is not None:
            self._of[visitor] += 1
        if self._watching is None:
            self._watching = asyncio.get_running_loop().call_later(self.limits.look_s, self._watch)

    def leave(self, transport: asyncio.Transport) -> None:
        """Remove a closed connection; ignored if it had been refused."""
        place = self._places.pop(transport, None)
        self._waiting.pop(transport, None)
        if place is not None and place.visitor is not None:
            self._of[place.visitor] -= 1
            if not self._of[place.visitor]:
                del self._of[place.visitor]

    def expect(self, transport: asyncio.Transport, within_s: float, late: Callable[[], None]) -> None:
        """Expect data from the client; `late` is called if it does not arrive in time."""
        place = self._places.get(transport)
        if place is not None:
            place.due, place.late = asyncio.get_running_loop().time() + within_s, late
            self._waiting.setdefault(transport)

    def serve(self, transport: asyncio.Transport) -> None:
        """Expect nothing from the client for now."""
        place = self._places.get(transport)
        if place is not None:
            place.late = None
            self._waiting.pop(transport, None)

    def stall(self, transport: asyncio.Transport, *, stalled: bool) -> None:
        """Record that the client has stopped reading, or reads again."""
        place = self._places.get(transport)
        if place is not None:
            place.stalled = asyncio.get_running_loop().time() if stalled else None

    def _make_room(self, visitor: str | None, otherwise: TurnedAway) -> None:
        """Close the connection that has been waiting longest, of one visitor or of all."""
        for transport in self._waiting:
            if visitor is None or self._places[transport].visitor == visitor:
                self.leave(transport)
                transport.abort()
                return
        raise otherwise

    def _watch(self) -> None:
        """Close overdue connections, and schedule the next check."""
        loop, limits = asyncio.get_running_loop(), self.limits
        now = loop.time()
        for transport, place in tuple(self._places.items()):
            if transport.is_closing() and place.closing is None:
                place.closing = now
            if _is_over(place.stalled, limits.unread_s, now) or _is_over(
                place.closing, limits.closing_s, now
            ):
                transport.abort()
            elif place.late is not None and now >= place.due and place.closing is None:
                late, place.late = place.late, None
                late()
        self._watching = loop.call_later(self.limits.look_s, self._watch) if self._places else None


def _is_over(since: float | None, most_s: float, now: float) -> bool:
    return since is not None and now - since >= most_s
