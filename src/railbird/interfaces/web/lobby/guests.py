"""The tables to which people were invited: in the lobby of a guest as in that of the host."""

from functools import lru_cache
from threading import Lock

from railbird.interfaces.web.table.session_plan import SessionPlan, takes_part
from railbird.interfaces.web.table.views import chips_of
from railbird.store.sessions import StoredSession, StoredSessions

MOST_COUNTED = 1000
"""Maximum number of totals kept."""
MOST_LISTED = 100
"""Maximum number of sessions in a guest's lobby, the latest ones."""
_SHARED = '"people":['
"""What the settings of tables for several people contain, and no others."""


class GuestSessions:
    """The sessions in which every player is a guest: read from the store once, then kept as seats are taken.

    It can be used by several threads.
    """

    def __init__(self, sessions: StoredSessions) -> None:
        self._sessions = sessions
        self._joined: dict[str, list[str]] | None = None
        self._lock = Lock()
        self._counted = lru_cache(MOST_COUNTED)(self._count)

    def add(self, player: str, session: str) -> None:
        """A player has taken a seat."""
        with self._lock:
            known = self._read().setdefault(player, [])
            if session not in known:
                known.append(session)

    def of(self, player: str) -> list[StoredSession]:
        """The sessions in which a player is or was a guest."""
        with self._lock:
            known = tuple(self._read().get(player, ())[-MOST_LISTED:])
        found = filter(None, map(self._sessions.session, known))
        return [session for session in found if takes_part(session, player) and session.owner != player]

    def hand(self, session: StoredSession, player: str) -> int | None:
        """The number of the hand in progress, if the player is in it."""
        name = SessionPlan.from_json(session.settings).name_of(player)
        hands = self._sessions.hands(session.id, self._sessions.last_over(session.id), 1)
        return next((hand.number for hand in hands if name in hand.start["players"]), None)

    def totals(self, session: StoredSession, player: str) -> tuple[int, str]:
        """The hands of a guest that count, and the chips won in them, as text."""
        name = SessionPlan.from_json(session.settings).name_of(player)
        return self._counted(session.id, name, self._sessions.last_over(session.id))

    def _count(self, session: str, name: str | None, last: int) -> tuple[int, str]:
        """The totals up to the last finished hand."""
        won = [
            chips_of(str(hand.ending["payoffs"][hand.start["players"].index(name)]))
            for hand in self._sessions.hands(session)
            if hand.number <= last and hand.counted and hand.ending and name in hand.start["players"]
        ]
        return len(won), str(sum(won))

    def _read(self) -> dict[str, list[str]]:
        if self._joined is None:
            self._joined = {}
            for session in self._sessions.with_settings(_SHARED):
                shared = SessionPlan.from_json(session.settings).shared
                for person in () if shared is None else shared.people[1:]:
                    self._joined.setdefault(person.player, []).append(session.id)
        return self._joined
