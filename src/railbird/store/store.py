"""`Store`: hands in a database, stored once however often they are added, and read back unchanged.

>>> import tempfile
>>> from railbird.engine.games import named_game
>>> from railbird.engine.setup import Setup
>>> from railbird.engine.state import State
>>> from railbird.rng import Stream
>>> state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(7))
>>> _ = state.raise_to(20), state.fold()
>>> record = HandRecord.of(state, ("ann", "bob"), "1")
>>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/hands.db") as store:
...     store.add_hands([record], Source("evening.log", "8c5d")), store.add_hands([record], Source("copy.log", "8c5d"))
...     list(store.hands(player="bob")) == [record]
(Added(new=1, known=0), Added(new=0, known=1))
True
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import Connection, Engine, Select, func, select, text, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from railbird.engine.record import HandRecord
from railbird.places import make_private_file
from railbird.spec import unknown
from railbird.store.addresses import (
    WRITING,
    DamagedStore,
    StoreError,
    StoreFull,
    connect,
    default_address,
    parse_address,
    shown,
)
from railbird.store.names import unknown_player
from railbird.store.reading import HandReader, Wanted, printable_name, text_of
from railbird.store.rows import UnstorableHand
from railbird.store.sources import Source, StoredSource
from railbird.store.tables import GAMES, HANDS, PLAYERS, SEATS, SIGHTINGS, SOURCES
from railbird.store.tallying import StoredTallies, read_tallies, tallied_through
from railbird.store.versions import bring_up_to_date, latest_version, require_ours
from railbird.store.writing import (
    Added,
    Preparation,
    PreparedHand,
    add_batch,
    remove_source,
    source_number,
    tally_next,
)

BATCH = 2000
"""Number of hands written in one transaction."""
_LOCK = 0x7261696C62697264
"""The advisory lock of writers in PostgreSQL: `railbird` in ASCII."""

_DISK_FULL = "53100"
"""PostgreSQL's code for a full disk."""


def open_store(address: str | Path | None = None, *, create: bool = True) -> "Store":
    """Open the store at a URL or in a file, by default in the user's folder, and migrate its tables if necessary.

    Without `create`, the store must already exist.
    """
    url = parse_address(default_address() if address is None else str(address))
    if url.drivername == "sqlite" and url.database != ":memory:":
        _require_place(Path(str(url.database)), create, default=address is None)
    store = Store(url)
    try:
        store._prepare(create)
    except BaseException:
        store.close()
        raise
    return store


def _require_place(path: Path, create: bool, default: bool) -> None:
    if path.is_dir():
        raise StoreError(f"{path} is a folder, but a store is a file")
    if path.exists():
        return
    if not create:
        raise StoreError(f"there is no store {path}: create one with `railbird import`")
    if default:
        path.parent.mkdir(parents=True, exist_ok=True)
    elif not path.parent.is_dir():
        raise StoreError(f"{path.name} cannot be created: {path.parent} is not a folder")
    try:
        make_private_file(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be created: {error.strerror}") from None


class Store:
    """An open store. It can be used by several threads and processes; writers wait for each other."""

    def __init__(self, url: URL) -> None:
        self.address = shown(url)
        self._engine: Engine = connect(url)

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    # Adding

    def add_hands(
        self,
        records: Iterable[HandRecord],
        source: Source,
        *,
        batch: int = BATCH,
        progress: Callable[[Added], None] | None = None,
        refuse: Callable[[UnstorableHand], None] | None = None,
    ) -> Added:
        """Add the new hands of a source and mark the source as complete.

        Every batch is one transaction: if the process is killed, the store contains whole hands only, and adding the
        source again completes it. `progress` is called after every batch with the totals so far. `refuse` is called
        for hands that cannot be stored, which are then skipped; without it, the first such hand raises an error.
        """
        prepared = _prepared(records, refuse)
        added = Added()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        while hands := list(islice(prepared, batch)):
            with self._writing() as connection:
                number = source_number(connection, source.name, source.digest, now)
                added += add_batch(connection, number, hands)
            if progress is not None:
                progress(added)
        with self._writing() as connection:
            number = source_number(connection, source.name, source.digest, now)
            connection.execute(update(SOURCES).where(SOURCES.c.id == number).values(complete=True))
        return added

    # Asking

    def hands(
        self, player: str | None = None, game: str | None = None, source: str | None = None
    ) -> Iterator[HandRecord]:
        """The hands of a player, a game or a source, or all of them, in the order in which they were added.

        Hands added meanwhile may be included, always whole.
        """
        reader = HandReader(self.address)
        wanted = self._wanted(player, game, source)
        after = 0
        while True:
            with self._reading() as connection:
                read = reader.chunk(connection, wanted, after)
            if not read:
                return
            after = read[-1][0]
            for _, record in read:
                yield record

    def count(self, player: str | None = None, game: str | None = None, source: str | None = None) -> int:
        """The number of hands that `hands` would yield."""
        wanted = self._wanted(player, game, source)
        with self._reading() as connection:
            return wanted.count(connection)

    def tallies(
        self,
        player: str | None = None,
        game: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> StoredTallies:
        """What all players or one did and won, in all games or in one, without reading their hands.

        Hands of a store that an earlier version wrote are added up first, once; `progress` is then called with the
        number of hands and the total.
        """
        self._tally_all(progress)
        wanted = self._wanted(player, game, None)
        with self._reading() as connection:
            return read_tallies(connection, wanted.player, wanted.game)

    def _tally_all(self, progress: Callable[[int, int], None] | None) -> None:
        with self._reading() as connection:
            last: int = connection.scalar(select(func.max(HANDS.c.id))) or 0
            through = tallied_through(connection)
        reader = HandReader(self.address)
        while through < last:
            with self._writing() as connection:
                if not tally_next(connection, reader):
                    return
                through = tallied_through(connection)
            if progress is not None:
                progress(through, last)

    def players(self) -> dict[str, int]:
        """All players with the number of their hands, those with the most first."""
        hands = func.count(SEATS.c.hand.distinct())
        asked = (
            select(PLAYERS.c.name, hands)
            .join(SEATS, SEATS.c.player == PLAYERS.c.id)
            .group_by(PLAYERS.c.id, PLAYERS.c.name)
        )
        return self._by_hands(asked)

    def games(self) -> dict[str, int]:
        """The names of the games with the number of their hands, those with the most first."""
        asked = (
            select(GAMES.c.name, func.count()).join(HANDS, HANDS.c.game == GAMES.c.id).group_by(GAMES.c.name)
        )
        return self._by_hands(asked)

    def _by_hands(self, asked: Select[Any]) -> dict[str, int]:
        with self._reading() as connection:
            found = [(printable_name(name), count) for name, count in connection.execute(asked)]
        return dict(sorted(found, key=lambda each: (-each[1], each[0])))

    def sources(self) -> list[StoredSource]:
        """All sources in the order in which they were added."""
        counted = (
            select(SIGHTINGS.c.source, func.count().label("hands")).group_by(SIGHTINGS.c.source).subquery()
        )
        asked = (
            select(SOURCES, func.coalesce(counted.c.hands, 0))
            .join(counted, counted.c.source == SOURCES.c.id, isouter=True)
            .order_by(SOURCES.c.id)
        )
        with self._reading() as connection:
            return [
                StoredSource(text_of(name), printable_name(digest), printable_name(added), complete, hands)
                for _, name, digest, added, complete, hands in connection.execute(asked)
            ]

    # Removing

    def remove_source(self, source: str) -> int:
        """Remove a source, by name or digest, and the hands in no other source; returns the number of hands removed."""
        number = self._source(source)
        with self._writing() as connection:
            return remove_source(connection, number)

    # Finding what is meant

    def _wanted(self, player: str | None, game: str | None, source: str | None) -> Wanted:
        if game is not None and game not in (known := self.games()):
            raise unknown("game of this store", game, known)
        return Wanted(
            None if player is None else self._player(player),
            None if source is None else self._source(source),
            game,
        )

    def _player(self, name: str) -> int:
        with self._reading() as connection:
            number: int | None = connection.scalar(select(PLAYERS.c.id).where(PLAYERS.c.name == name))
        if number is None:
            raise unknown_player(name, self.players(), self.address)
        return number

    def _source(self, text: str) -> int:
        known = select(SOURCES.c.id, SOURCES.c.name, SOURCES.c.digest)
        with self._reading() as connection:
            rows = list(connection.execute(known))
        found = [number for number, name, digest in rows if text in (name, digest)]
        if len(found) > 1:
            raise StoreError(f"{len(found)} sources are called {text!r}: specify one by its digest")
        if not found:
            raise unknown("source of this store", text, [name for _, name, _ in rows])
        number: int = found[0]
        return number

    # Transactions

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that excludes other writers."""
        with self._transaction(WRITING, True) as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A transaction that sees a consistent snapshot of the store."""
        if self._engine.dialect.name == "postgresql":
            with self._transaction("isolation_level", "REPEATABLE READ") as connection:
                yield connection
        else:
            with self._transaction(WRITING, False) as connection:
                yield connection

    @contextmanager
    def _transaction(self, option: str, value: object) -> Iterator[Connection]:
        try:
            with (
                self._engine.connect() as opened,
                opened.execution_options(**{option: value}) as connection,
                connection.begin(),
            ):
                yield connection
        except DamagedStore as error:
            raise StoreError(f"{self.address} is damaged: {error}") from None
        except DBAPIError as error:
            kind = StoreFull if _is_full(error) else StoreError
            raise kind(f"{self.address}: {_reason(error)}") from error

    def _prepare(self, create: bool) -> None:
        with self._reading() as connection:
            version = require_ours(connection, self.address)
        if version == latest_version():
            return
        if version is None and not create:
            raise StoreError(f"{self.address} is empty: create a store with `railbird import`")
        with self._writing() as connection:
            bring_up_to_date(connection, self.address)


def _prepared(
    records: Iterable[HandRecord], refuse: Callable[[UnstorableHand], None] | None
) -> Iterator[PreparedHand]:
    preparation = Preparation()
    for record in records:
        try:
            hand = preparation.hand(record)
        except UnstorableHand as error:
            if refuse is None:
                raise
            refuse(error)
        else:
            yield hand


def _is_full(error: DBAPIError) -> bool:
    """Whether SQLite or PostgreSQL reports a full disk; SQLite reports an exceeded quota as a disk failure."""
    return (
        getattr(error.orig, "sqlite_errorcode", None) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
        or getattr(error.orig, "sqlstate", None) == _DISK_FULL
    )


def _reason(error: DBAPIError) -> str:
    said = str(error.orig).strip().splitlines()
    reason = said[0] if said else type(error.orig).__name__
    if "database is locked" in reason:
        return "another process has been writing to it for a minute"
    return reason
