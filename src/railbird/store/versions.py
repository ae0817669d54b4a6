"""The version of a store's tables: created if they do not exist, migrated if they are older."""

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    inspect,
    select,
    text,
)

from railbird.store.addresses import StoreError
from railbird.store.tables import METADATA, VERSION

VERSION_TABLE = "railbird_version"
_VERSION = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)
"""The same as Alembic creates."""
_FOLDER = Path(__file__).parent / "migrations"


def known_versions() -> list[str]:
    """All versions of the tables, oldest first: the numbers of the migrations.

    They are taken from the file names. Alembic has them too, but importing it takes longer than everything else about
    opening a store, and most stores are up to date.
    """
    return sorted(path.name[1:].partition("_")[0] for path in (_FOLDER / "versions").glob("v*.py"))


def latest_version() -> str:
    """The version of the tables that this version of Railbird uses."""
    return known_versions()[-1]


def version_of(connection: Connection) -> str | None:
    """The version of the tables in a database, None if it has no Railbird tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version: str | None = connection.scalar(select(_VERSION.c.version_num))
    return version


def bring_up_to_date(connection: Connection, address: str) -> None:
    """Create the tables or migrate them to the latest version, in the transaction of the connection.

    A database with other content, or with tables of a newer Railbird, is refused and left unchanged.
    """
    version = require_ours(connection, address)
    head = latest_version()
    if version == head:
        return
    if version is None and head == VERSION:
        METADATA.create_all(connection, checkfirst=False)
        _VERSION.create(connection, checkfirst=True)
        connection.execute(_VERSION.insert().values(version_num=head))
        return
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    directory = ScriptDirectory(str(_FOLDER), version_locations=[str(_FOLDER / "versions")])
    environment = EnvironmentContext(
        Config(), directory, fn=lambda revision, _: directory._upgrade_revs(head, revision)
    )
    with environment:
        environment.configure(connection=connection, version_table=VERSION_TABLE)
        environment.run_migrations()


def _refuse_programs(connection: Connection, address: str) -> None:
    """Refuse a file with views or triggers: Railbird creates none, and malicious ones may never terminate."""
    asked = text("SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger') LIMIT 1")
    for kind, name in connection.execute(asked):
        raise StoreError(f"{address} is not a Railbird store: it contains the {kind} {name!r}")


def require_ours(connection: Connection, address: str) -> str | None:
    """The version of a store if this version of Railbird can use it; None if the database is empty."""
    if connection.dialect.name == "sqlite":
        _refuse_programs(connection, address)
    version = version_of(connection)
    if version is None:
        found = inspect(connection).get_table_names()
        if set(found) - {VERSION_TABLE}:
            raise StoreError(
                f"{address} is not a Railbird store: it contains other tables, such as {found[0]}"
            )
        return None
    if version not in known_versions():
        raise StoreError(
            f"{address} was written by a newer Railbird: its tables have version {version}, "
            f"but this version supports up to {latest_version()}"
        )
    return version
