"""The databases that stores are tested on: SQLite, and a real PostgreSQL server.

The server is started on a socket in a folder of its own and is gone afterwards. PostgreSQL
refuses to run as root; then it runs as the user that its package made.
"""

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import URL

USER = "railbird"
SERVER_USER = "postgres"
MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that the databases of all tests need, with room to spare."""
MISSING = "PostgreSQL is not installed here: `make system` installs it"

# The shell waits for the end of its input, which comes when the tests end in whatever way, and then clears up.
SERVE = r"""
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off -c wal_level=minimal -c max_wal_senders=0 \
  </dev/null >"$2/log" 2>&1 &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server
rm -rf "$2"
"""


def programs() -> Path | None:
    """The folder of the server's programs; Debian keeps them off the path, one folder for each version."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    found = [folder for folder in folders if (folder / "initdb").exists()]
    if found:
        return found[-1]
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


def as_server_user(folder: Path) -> dict[str, Any]:
    """How to start a program of the server: as ourselves, or instead of root as the user of the package."""
    if os.geteuid() != 0:
        return {"cwd": folder}
    try:
        account = pwd.getpwnam(SERVER_USER)
    except KeyError:
        pytest.skip(f"PostgreSQL does not run as root, and there is no user {SERVER_USER} to run it as")
    os.chown(folder, account.pw_uid, account.pw_gid)
    return {"cwd": folder, "user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be made: tests that take it run on both databases."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    new_database: Callable[[], str] = request.getfixturevalue("new_postgresql_database")
    return new_database()


@pytest.fixture(scope="session")
def new_postgresql_database() -> Iterator[Callable[[], str]]:
    """Makes an empty database on a server of its own and gives its URL; skips where there is no server."""
    installed = programs()
    if installed is None:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="railbird-postgresql-", dir=_fast_folder()))
    try:
        started = as_server_user(folder)
        password = secrets.token_urlsafe()
        _initialise(installed, folder, password, started)
        server = subprocess.Popen(
            ["/bin/sh", "-c", SERVE, "sh", installed, folder], stdin=subprocess.PIPE, **started
        )
        try:
            numbers = count(1)

            def new_database() -> str:
                name = f"test_{next(numbers)}"
                with _connect(folder, password) as connection:
                    copied = "STRATEGY file_copy" if connection.info.server_version >= 15_00_00 else ""
                    connection.execute(f"CREATE DATABASE {name} {copied}".encode())
                url = URL.create("postgresql", USER, password, database=name, query={"host": str(folder)})
                return url.render_as_string(hide_password=False)

            _wait_for(folder, password)
            yield new_database
        finally:
            server.communicate(timeout=60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fast_folder() -> Path | None:
    """A file system in memory if there is a large one: every test makes a database of some 300 files."""
    try:
        return MEMORY if shutil.disk_usage(MEMORY).free > ROOM and os.access(MEMORY, os.W_OK) else None
    except OSError:
        return None


def _initialise(installed: Path, folder: Path, password: str, started: dict[str, Any]) -> None:
    secret = folder / "password"
    secret.write_text(password)
    data = ["-D", str(folder / "data"), "-E", "UTF8", "--no-locale", "--no-sync"]
    access = ["-U", USER, "-A", "scram-sha-256", f"--pwfile={secret}"]
    made = subprocess.run(
        [installed / "initdb", *data, *access],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **started,
    )
    assert made.returncode == 0, made.stderr


def _connect(folder: Path, password: str) -> "psycopg.Connection[Any]":
    return psycopg.connect(host=str(folder), user=USER, password=password, dbname="postgres", autocommit=True)


def _wait_for(folder: Path, password: str) -> None:
    end = monotonic() + 60
    while not _answers(folder, password):
        assert monotonic() < end, (folder / "log").read_text()
        sleep(0.05)


def _answers(folder: Path, password: str) -> bool:
    try:
        _connect(folder, password).close()
    except psycopg.OperationalError:
        return False
    return True
