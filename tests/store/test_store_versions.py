"""Which databases are opened as stores, which are brought up to date, and which are refused unchanged."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import make_url

from folders import SUPPORT
from hand_records import plain_record
from railbird.store import versions
from railbird.store.addresses import StoreError, default_address, is_store_address, parse_address, shown
from railbird.store.sources import Source
from railbird.store.store import BATCH, Store, open_store
from railbird.store.tables import METADATA, VERSION
from railbird.store.writing import Added

SOURCE = Source("evening.log", "e")
NEXT = "9999"
NEXT_VERSION = f'''
"""A later version."""
import sqlalchemy as sa
from alembic import op

revision = "{NEXT}"
down_revision = "{versions.latest_version()}"


def upgrade() -> None:
    op.add_column("players", sa.Column("country", sa.Text))
'''


def execute(address: str, *statements: str) -> None:
    store = Store(parse_address(address))
    with store._writing() as connection:
        for statement in statements:
            connection.execute(text(statement))
    store.close()


def test_the_migrations_make_the_tables_that_the_code_uses(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "VERSION", "none of them")
    with open_store(address) as store, store._reading() as connection:
        assert versions.version_of(connection) == versions.latest_version()
        context = MigrationContext.configure(
            connection, opts={"version_table": versions.VERSION_TABLE, "compare_type": True}
        )
        assert compare_metadata(context, METADATA) == []


def test_a_new_store_is_what_the_migrations_make(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """New stores are created at once, without running every migration."""
    with open_store(address) as store, store._reading() as connection:
        created = everything_in(connection)
        assert versions.version_of(connection) == versions.latest_version() == VERSION
    with open_store(address) as store, store._writing() as connection:
        for table in [*METADATA.sorted_tables, versions._VERSION][::-1]:
            table.drop(connection)
    monkeypatch.setattr(versions, "VERSION", "none of them")
    with open_store(address) as store, store._reading() as connection:
        assert everything_in(connection) == created
        assert len(created) > 10


def everything_in(connection: Connection) -> dict[str, object]:
    """By table, its columns, keys, constraints and indexes."""
    found = inspect(connection)
    names: list[str] = found.get_table_names()
    return {
        name: (
            [{**column, "type": repr(column["type"])} for column in found.get_columns(name)],
            found.get_pk_constraint(name),
            found.get_foreign_keys(name),
            sorted(found.get_unique_constraints(name), key=str),
            sorted(found.get_check_constraints(name), key=str),
            sorted(found.get_indexes(name), key=str),
        )
        for name in names
    }


def test_the_names_of_the_migrations_are_their_versions() -> None:
    folder = versions._FOLDER
    scripts = ScriptDirectory(str(folder), version_locations=[str(folder / "versions")])
    in_order = [script.revision for script in scripts.walk_revisions()][::-1]
    assert in_order == versions.known_versions()


def test_the_order_of_the_columns_is_the_same_too(address: str) -> None:
    """Rows are inserted by position."""
    with open_store(address) as store, store._reading() as connection:
        for table in METADATA.tables.values():
            found = connection.execute(text(f"SELECT * FROM {table.name}")).keys()
            assert list(found) == [column.name for column in table.columns]


def test_a_store_is_there_after_it_is_closed(address: str) -> None:
    hand = plain_record(1)
    with open_store(address) as store:
        store.add_hands([hand], SOURCE)
    with open_store(address, create=False) as store:
        assert list(store.hands()) == [hand]


def test_an_older_store_is_brought_up_to_date_with_its_hands_and_then_is_too_new_for_the_old(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = plain_record(1)
    with open_store(address) as store:
        store.add_hands([hand], SOURCE)
    newer = tmp_path / "migrations"
    shutil.copytree(versions._FOLDER, newer)
    (newer / "versions" / f"v{NEXT}_countries.py").write_text(NEXT_VERSION)
    with monkeypatch.context() as patch:
        patch.setattr(versions, "_FOLDER", newer)
        with open_store(address, create=False) as store:
            assert list(store.hands()) == [hand]
            with store._reading() as connection:
                assert versions.version_of(connection) == NEXT
                assert connection.execute(text("SELECT country FROM players")).all() == [(None,), (None,)]
    known = f"its tables have version {NEXT}, but this version supports up to {versions.latest_version()}"
    with pytest.raises(StoreError, match=known):
        open_store(address)


def test_a_database_of_something_else_is_refused_unchanged(address: str) -> None:
    execute(address, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')")
    with pytest.raises(
        StoreError, match="is not a Railbird store: it contains other tables, such as recipes"
    ):
        open_store(address)
    store = Store(parse_address(address))
    with store._reading() as connection:
        assert connection.execute(text("SELECT name FROM recipes")).all() == [("soup",)]
        with pytest.raises(StoreError):
            versions.require_ours(connection, "it")
    store.close()


def test_several_who_make_a_store_at_once_make_one(address: str) -> None:
    def make(number: int) -> Added:
        with open_store(address) as store:
            return store.add_hands(
                [plain_record(1), plain_record(2)], Source(f"source {number}", str(number))
            )

    with ThreadPoolExecutor(4) as pool:
        added = sum(pool.map(make, range(4)), Added())
    assert added == Added(new=2, known=6)
    with open_store(address) as store:
        assert store.count() == 2
        assert [source.hands for source in store.sources()] == [2] * 4


ADD_UNTIL_KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from hand_records import plain_record
from railbird.store.sources import Source
from railbird.store.store import open_store

def hands():
    for seed in range(60):
        if seed == 45:
            os.kill(os.getpid(), signal.SIGKILL)
        yield plain_record(seed)

with open_store(sys.argv[1]) as store:
    store.add_hands(hands(), Source("evening.log", "e"), batch=20)
"""
KILLED_WHILE_WRITING = ADD_UNTIL_KILLED.replace(
    "with open_store",
    """
from railbird.store import writing
insert, calls = writing._insert_rows, []

def insert_and_die(connection, table, rows):
    insert(connection, table, rows)
    calls.append(table.name)
    if calls.count("seats") == 3:
        os.kill(os.getpid(), signal.SIGKILL)

writing._insert_rows = insert_and_die
with open_store""",
).replace("seed == 45", "False")


@pytest.mark.parametrize("script", [ADD_UNTIL_KILLED, KILLED_WHILE_WRITING], ids=["between", "within"])
def test_a_killed_import_leaves_whole_hands_and_is_completed_by_the_next(address: str, script: str) -> None:
    """Killed between two transactions, and in the middle of one with its hands and seats already written."""
    done = subprocess.run(
        [sys.executable, "-c", script, address, str(SUPPORT)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    hands = [plain_record(seed) for seed in range(60)]
    with open_store(address) as store:
        assert list(store.hands()) == hands[:40]
        assert [source.complete for source in store.sources()] == [False]
        assert store.add_hands(hands, SOURCE) == Added(20, 40)
        assert list(store.hands()) == hands


def test_readers_see_whole_hands_while_a_writer_writes(address: str) -> None:
    hands = [plain_record(seed) for seed in range(600)]
    with open_store(address) as store, ThreadPoolExecutor(1) as pool:
        writer = pool.submit(store.add_hands, hands, SOURCE, batch=25)
        seen = 0
        while not writer.done():
            found = list(store.hands())
            assert found == hands[: len(found)]
            assert len(found) >= seen
            seen = len(found)
        assert writer.result() == Added(600, 0)


# Addresses


def test_the_default_store_is_in_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path / "home"))
    with pytest.raises(
        StoreError, match="there is no store .*railbird.db: create one with `railbird import`"
    ):
        open_store(create=False)
    with open_store() as store:
        assert store.address == default_address() == str(tmp_path / "home" / "data" / "railbird.db")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        (
            "mysql://ann:secret@host/hands",
            r"mysql://ann:\*\*\*@host/hands is neither a PostgreSQL database nor",
        ),
        ("sqlite://", "is neither a PostgreSQL database nor an SQLite file"),
        ("postgresql://ann:secret@host:port/hands", "not a URL such as postgresql://"),
        (
            "postgresql://ann:secret@127.0.0.1:1/hands",
            r"^postgresql://ann:\*\*\*@127.0.0.1:1/hands: connection",
        ),
    ],
)
def test_addresses_that_cannot_be_used_are_named_without_their_password(address: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason) as refused:
        open_store(address)
    assert "secret" not in str(refused.value)


def test_files_that_are_no_stores_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is a folder, but a store is a file"):
        open_store(tmp_path)
    with pytest.raises(StoreError, match="hands.db cannot be created"):
        open_store(tmp_path / "nowhere" / "hands.db")
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir or Madam, " * 100)
    with pytest.raises(StoreError, match="letter.txt: file is not a database"):
        open_store(letter)
    assert not is_store_address(str(letter))
    assert letter.read_text().startswith("Dear")


def test_an_sqlite_file_is_told_from_a_file_of_hands(tmp_path: Path) -> None:
    path = tmp_path / "evening.log"
    open_store(path).close()
    assert is_store_address(str(path))
    assert is_store_address("postgresql://host/name")
    assert not is_store_address(str(tmp_path / "missing.db"))


def test_an_empty_database_is_no_store_unless_one_is_to_be_made(
    new_postgresql_database: Callable[[], str], tmp_path: Path
) -> None:
    empty = tmp_path / "empty.db"
    sqlite3.connect(empty).close()
    empty.touch()
    for address in (str(empty), new_postgresql_database()):
        with pytest.raises(StoreError, match="is empty: create a store with `railbird import`"):
            open_store(address, create=False)
        with open_store(address) as store:
            assert store.count() == 0


def test_a_url_of_postgresql_is_shown_as_it_was_written() -> None:
    assert (
        shown(parse_address("postgresql://ann:pw@host:5433/hands")) == "postgresql://ann:***@host:5433/hands"
    )
    assert shown(parse_address("postgres://host/hands")) == "postgresql://host/hands"


@pytest.mark.soak
def test_a_hundred_thousand_hands_come_back_exactly(tmp_path: Path) -> None:
    hands = [plain_record(seed, game) for game in ("limit-2p", "nolimit-6max") for seed in range(50_000)]
    with open_store(tmp_path / "many.db") as store:
        assert store.add_hands(hands, SOURCE) == Added(100_000, 0)
        assert all(found == hand for found, hand in zip(store.hands(), hands, strict=True))
    assert len(hands) > 10 * BATCH


def test_passwords_are_found_where_postgresql_looks_for_them(
    new_postgresql_database: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_password = new_postgresql_database()
    url = make_url(with_password)
    address = with_password.replace(f":{url.password}@", "@")
    with pytest.raises(StoreError, match="no password supplied"):
        open_store(address)
    passwords, services = tmp_path / "pgpass", tmp_path / "services"
    for file in (passwords, services):
        file.touch(mode=0o600)
    passwords.write_text(f"*:*:*:{url.username}:{url.password}\n")
    host = url.query["host"]
    entry = f"host={host}\ndbname={url.database}\nuser={url.username}\npassword={url.password}"
    services.write_text(f"[hands]\n{entry}\n")
    for name, value, at in (
        ("PGPASSFILE", str(passwords), address),
        ("PGPASSWORD", str(url.password), address),
        ("PGSERVICEFILE", str(services), "postgresql://?service=hands"),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            open_store(at).close()
