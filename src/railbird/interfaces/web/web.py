"""What the parts of the server share."""

import asyncio
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from railbird.interfaces.web.http.rates import RateBuckets
from railbird.interfaces.web.lobby.guests import GuestSessions
from railbird.interfaces.web.table.keeper import TableKeeper
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.table.session_plan import takes_part
from railbird.interfaces.web.thinking.preparation import FirstRun
from railbird.interfaces.web.thinking.thinkers import Thinkers
from railbird.places import without_folders, without_passwords
from railbird.store.sessions import StoredSession, StoredSessions
from railbird.store.store import Store


class HttpRefusal(Exception):
    """A refused request: the status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(without_passwords(sentence))
        self.status = status


@dataclass(frozen=True, slots=True)
class Web:
    """The store, the agents' processes, and the open tables."""

    store: Store
    sessions: StoredSessions
    journal: SessionJournal
    thinkers: Thinkers
    keeper: TableKeeper
    begun: RateBuckets
    """Rate limits of new sessions, tournaments and comparisons by address."""
    preparation: FirstRun
    guests: GuestSessions

    @property
    def trusted(self) -> bool:
        """Whether players may name files, as only the local user may."""
        return self.thinkers.offer.trusted

    def sentence(self, error: object) -> str:
        """The text of an error as the client may see it."""
        sentence = without_passwords(str(error))
        return sentence if self.trusted else without_folders(sentence)

    def player(self, connection: HTTPConnection) -> str:
        """The player's id in the store."""
        player: str = connection.scope["state"]["player"]
        return player

    def address(self, connection: HTTPConnection) -> str:
        """The client's address, as limits count it."""
        address: str = connection.scope["state"]["address"]
        return address

    def begin(self, connection: HTTPConnection) -> None:
        """Count something new from an address; refused above the rate limit.

        To validate a request, agents are instantiated, which takes time from the agents at the tables.
        """
        if not self.trusted and not self.begun.take(self.address(connection)):
            raise HttpRefusal(
                429, "too many new sessions, tournaments and comparisons from your address: wait a moment"
            )

    async def owned(self, connection: HTTPConnection, session: str) -> StoredSession:
        """A session that the requesting player opened; any other session is reported as not found."""
        found = await asyncio.to_thread(self.sessions.session, session)
        if found is None or found.owner != self.player(connection):
            raise HttpRefusal(404, "there is no such session")
        return found

    async def visible(self, connection: HTTPConnection, session: str) -> StoredSession:
        """A session in which the requesting player plays or played; any other is reported as not found."""
        found = await asyncio.to_thread(self.sessions.session, session)
        if found is None or not takes_part(found, self.player(connection)):
            raise HttpRefusal(404, "there is no such session")
        return found
