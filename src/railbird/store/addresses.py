"""From a URL or a file's name to a database, and how each kind is set up.

SQLite keeps its usual rollback journal. A write-ahead log would let readers in while a batch is written, but it needs
shared memory, leaves two more files beside the store, and before version 3.51.3 could lose pages when several processes
wrote. Batches are large, so what it would save in `fsync` does not matter.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from railbird.places import data_folder

SQLITE_HEADER = b"SQLite format 3\0"
WRITING = "railbird_writing"
"""The execution option of a connection that is going to write."""

_BUSY_SECONDS = 60
_CACHE_KIB = 128 * 1024
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")


class StoreError(ValueError):
    """A store that cannot be opened or used as asked."""


class StoreFull(StoreError):
    """A store without room for anything new; what is in it can still be read."""


def default_address() -> str:
    """The file in which hands are kept unless another store is named."""
    return str(data_folder() / "railbird.db")


def parse_address(address: str) -> URL:
    """A URL of PostgreSQL or SQLite; anything without `://` is the name of an SQLite file."""
    if "://" not in address:
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError("the address of the store is no URL such as postgresql://user@host/name") from None
    if url.drivername in _POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database:
        return url
    raise StoreError(f"{shown(url)} is neither a PostgreSQL database nor an SQLite file")


def shown(url: URL) -> str:
    """The address as it may be printed: without a password."""
    if url.drivername == "sqlite":
        return str(url.database)
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def is_store_address(address: str) -> bool:
    """Whether this names a store and not a file of hands: a URL, or a file that SQLite wrote."""
    if "://" in address:
        return True
    try:
        if not Path(address).is_file():
            return False  # what is read of a pipe is gone
        with Path(address).open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError:
        return False


def connect(url: URL) -> Engine:
    """An engine for a store; nothing is asked of the database yet."""
    if url.drivername != "sqlite":
        return create_engine(url, connect_args={"connect_timeout": 10})
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: ConnectionPoolEntry) -> None:
    # Python's module begins transactions by itself only before it writes; we begin all of them.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    # What a file of somebody else defines may call nothing but harmless functions.
    connection.execute("PRAGMA trusted_schema = OFF")
    # The digests of new hands are spread over their whole index, so all of it should stay in memory.
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes its turn at once: one that has read first could not wait for another writer any more.
    immediate = connection.get_execution_options().get(WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def beside(store: str, what: str) -> Path:
    """Where something is kept that belongs to a store: beside its file, or in the user's folder where it has none.

    >>> str(beside("hands/railbird.db", "tournaments"))
    'hands/railbird.db.tournaments'
    """
    if "://" in store:
        return data_folder() / what
    path = Path(store)
    return path.with_name(f"{path.name}.{what}")
