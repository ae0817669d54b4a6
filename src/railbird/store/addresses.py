"""From a URL or a file name to a database, and the set-up of each kind.

SQLite uses its default rollback journal. A write-ahead log would let readers in while a batch is written, but it needs
shared memory, leaves two more files next to the store, and before version 3.51.3 could lose pages when several
processes wrote. Batches are large, so its savings in `fsync` do not matter.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from railbird.extras import require_extra
from railbird.places import data_folder, without_passwords

SQLITE_HEADER = b"SQLite format 3\0"
WRITING = "railbird_writing"
"""The execution option that marks a connection as a writer."""

_BUSY_SECONDS = 60
_CACHE_KIB = 128 * 1024
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")


class StoreError(ValueError):
    """A store that cannot be opened or used as requested."""


class DamagedStore(StoreError):
    """Rows that no version of Railbird writes. The message is the reason; the store adds its address."""


class StoreFull(StoreError):
    """A store without space for new data; its content can still be read."""


def default_address() -> str:
    """The file of the default store."""
    return str(data_folder() / "railbird.db")


def parse_address(address: str) -> URL:
    """A PostgreSQL or SQLite URL; anything without `://` is the name of an SQLite file."""
    if "://" not in address:
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StoreError(
            "the address of the store is not a URL such as postgresql://user@host/name"
        ) from None
    if "@" in (url.host or ""):
        raise StoreError("a password with @ in the address of the store must have %40 instead")
    if url.drivername in _POSTGRESQL:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database:
        return url
    raise StoreError(f"{shown(url)} is neither a PostgreSQL database nor an SQLite file")


def shown(url: URL) -> str:
    """The address without its password, for messages."""
    if url.drivername == "sqlite":
        return str(url.database)
    return without_passwords(url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True))


def is_store_address(address: str) -> bool:
    """Whether an address is a store and not a hand file: a URL, or an SQLite file."""
    if "://" in address:
        return True
    try:
        if not Path(address).is_file():
            return False  # reading from a pipe would consume its data
        with Path(address).open("rb") as file:
            return file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    except OSError:
        return False


def connect(url: URL) -> Engine:
    """An engine for a store; it does not connect yet."""
    if url.drivername != "sqlite":
        require_extra("postgres", "psycopg", "a PostgreSQL store")
        return create_engine(url, connect_args={"connect_timeout": 10})
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _: ConnectionPoolEntry) -> None:
    # Python's module begins transactions only before writes; here all transactions are begun explicitly.
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    # The schema of an untrusted file may call only harmless functions.
    connection.execute("PRAGMA trusted_schema = OFF")
    # The digests of new hands are spread over their whole index, so it should fit into memory.
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock at once: after a read it could no longer wait for another writer.
    immediate = connection.get_execution_options().get(WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def beside(store: str, what: str) -> Path:
    """The path of data that belongs to a store: next to its file, or in the user's folder if it has none.

    >>> str(beside("hands/railbird.db", "tournaments"))
    'hands/railbird.db.tournaments'
    """
    if "://" in store:
        return data_folder() / what
    path = Path(store)
    return path.with_name(f"{path.name}.{what}")
