"""What the parts of the server share."""

import asyncio
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from railbird.interfaces.web.http.rates import RateBuckets
from railbird.interfaces.web.table.keeper import TableKeeper
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.thinking.thinkers import Thinkers
from railbird.places import without_folders
from railbird.store.sessions import StoredSession, StoredSessions
from railbird.store.store import Store


class HttpRefusal(Exception):
    """A request that cannot be answered: the status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class Web:
    """The store, who thinks, and the open tables."""

    store: Store
    sessions: StoredSessions
    journal: SessionJournal
    thinkers: Thinkers
    keeper: TableKeeper
    begun: RateBuckets
    """Sessions, tournaments and comparisons that addresses begin."""

    @property
    def trusted(self) -> bool:
        """Whether who plays may name files: on one's own machine."""
        return self.thinkers.offer.trusted

    def sentence(self, error: object) -> str:
        """What went wrong, as whoever asked may read it."""
        return str(error) if self.trusted else without_folders(str(error))

    def player(self, connection: HTTPConnection) -> str:
        """Who asks, as the store knows them."""
        player: str = connection.scope["state"]["player"]
        return player

    def address(self, connection: HTTPConnection) -> str:
        """From where somebody asks, as limits count it."""
        address: str = connection.scope["state"]["address"]
        return address

    def begin(self, connection: HTTPConnection) -> None:
        """Count something that an address begins; refused where that is too much.

        Agents are made to see whether they play, which keeps those who think for the tables busy.
        """
        if not self.trusted and not self.begun.take(self.address(connection)):
            raise HttpRefusal(
                429, "too many new sessions, tournaments and comparisons from your address: wait a moment"
            )

    async def owned(self, connection: HTTPConnection, session: str) -> StoredSession:
        """A session of who asks; one of somebody else is as unknown as one that never was."""
        found = await asyncio.to_thread(self.sessions.session, session)
        if found is None or found.owner != self.player(connection):
            raise HttpRefusal(404, "there is no such session")
        return found
