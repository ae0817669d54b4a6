"""The version of a store's tables: made where there are none, brought up to date where they are older."""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from railbird.store.addresses import StoreError

VERSION_TABLE = "railbird_version"
_FOLDER = Path(__file__).parent / "migrations"


def scripts() -> ScriptDirectory:
    """The migrations in this package."""
    return ScriptDirectory(str(_FOLDER), version_locations=[str(_FOLDER / "versions")])


def latest_version() -> str:
    """The version of the tables that this Railbird uses."""
    version = scripts().get_current_head()
    assert version is not None
    return version


def version_of(connection: Connection) -> str | None:
    """The version of the tables in a database, None where there are none of ours."""
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    return context.get_current_revision()


def bring_up_to_date(connection: Connection, address: str) -> None:
    """Make the tables or take them to the latest version, within the transaction of the connection.

    A database that holds something else, or tables of a newer Railbird, is refused unchanged.
    """
    version = require_ours(connection, address)
    directory = scripts()
    head = latest_version()
    if version == head:
        return
    environment = EnvironmentContext(
        Config(), directory, fn=lambda revision, _: directory._upgrade_revs(head, revision)
    )
    with environment:
        environment.configure(connection=connection, version_table=VERSION_TABLE)
        environment.run_migrations()


def require_ours(connection: Connection, address: str) -> str | None:
    """The version of a store that this Railbird can use; None where the database is empty."""
    version = version_of(connection)
    if version is None:
        found = inspect(connection).get_table_names()
        if set(found) - {VERSION_TABLE}:
            raise StoreError(
                f"{address} is no store of Railbird's: it holds other tables, such as {found[0]}"
            )
        return None
    if version not in {script.revision for script in scripts().walk_revisions()}:
        raise StoreError(
            f"{address} was written by a newer Railbird: its tables have version {version}, "
            f"this one knows up to {latest_version()}"
        )
    return version
