"""Who else has an account on the machine cannot read a store, and a server does not keep sessions for ever."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from railbird.interfaces.web.server import signing_key
from railbird.store.store import open_store
from web_client import serving


@pytest.fixture
def open_umask() -> Iterator[None]:
    """New files would be readable and writable by everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def permissions(path: Path) -> int:
    return S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("open_umask")
def test_a_new_store_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "hands.db"
    with open_store(path) as store:
        assert permissions(path) == 0o600
        assert permissions(_written_to(path, "DELETE")) == 0o600
        signing_key(store.address)
    assert permissions(tmp_path / "hands.db.signing-key") == 0o600


@pytest.mark.usefixtures("open_umask")
def test_a_write_ahead_log_of_a_store_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "hands.db"
    open_store(path).close()
    assert permissions(_written_to(path, "WAL")) == 0o600


def _written_to(path: Path, mode: str) -> Path:
    """The journal that SQLite writes in a mode, which is there while something is being written."""
    journal = path.with_name(path.name + {"DELETE": "-journal", "WAL": "-wal"}[mode])
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE more (number)")
        found = journal.with_suffix(".seen")
        os.link(journal, found)  # the journal itself goes with the connection
    finally:
        connection.close()
    return found


@pytest.mark.usefixtures("open_umask")
def test_a_store_that_was_opened_to_others_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "hands.db"
    open_store(path).close()
    path.chmod(0o664)
    open_store(path).close()
    assert permissions(path) == 0o664


@pytest.mark.usefixtures("open_umask")
def test_the_tournaments_of_a_server_are_for_its_owner_only(tmp_path: Path) -> None:
    with serving(tmp_path / "hands.db"):
        assert permissions(tmp_path / "hands.db.tournaments") == 0o700
