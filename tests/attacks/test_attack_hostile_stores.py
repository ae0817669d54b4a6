"""SQLite files of strangers: anything in any column, views and triggers end in one sentence."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from command import railbird
from hand_records import plain_record
from railbird.store.sources import Source
from railbird.store.store import open_store

DEEP = "[" * 100_000


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "honest.db"
    with open_store(path) as store:
        store.add_hands([plain_record(seed) for seed in range(5)], Source("evening.log", "8c5d"))
    return path


def hostile(honest: Path, path: Path, *statements: str) -> Path:
    """The store after some statements that Railbird would never send."""
    shutil.copy(honest, path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE actions SET kind = 'zz'",
        "UPDATE seats SET cards = 'Zz'",
        "UPDATE seats SET stack = 'lots'",
        "DELETE FROM seats",
        "DELETE FROM games",
        "UPDATE games SET rules = '[]'",
        f"UPDATE games SET rules = '{DEEP}'",
        f"UPDATE hands SET ending = '{DEEP}'",
        "UPDATE hands SET board = x'ff00ff'",
        "UPDATE hands SET chip = '1e999999999'",
        "UPDATE hands SET chip = '1/0'",
        "UPDATE hands SET notes = '[[1]]'",
        "UPDATE hands SET first = 'x'",
        "UPDATE players SET name = x'ff' WHERE id = 1",
        "UPDATE players SET name = char(27) || '[2J' || id",
    ],
)
def test_a_store_with_anything_in_a_column_is_refused_with_the_hand(
    statement: str, honest: Path, tmp_path: Path
) -> None:
    path = hostile(honest, tmp_path / "hostile.db", statement)
    done = railbird("stats", path)
    assert done.code == 2
    assert done.error.startswith(f"railbird: {path}: hand 1 is damaged: ")
    assert done.error.removesuffix("\n").isprintable()


@pytest.mark.parametrize(
    "statements",
    [
        (
            "ALTER TABLE players RENAME TO theirs",
            "CREATE VIEW players AS WITH RECURSIVE ever(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ever) "
            "SELECT n AS id, 'a' || n AS name FROM ever",
        ),
        ("CREATE TRIGGER more AFTER INSERT ON hands BEGIN DELETE FROM players; END",),
    ],
)
def test_a_store_with_views_or_triggers_is_refused(
    statements: tuple[str, ...], honest: Path, tmp_path: Path
) -> None:
    path = hostile(honest, tmp_path / "hostile.db", *statements)
    done = railbird("stats", path)
    assert (done.code, done.error.count("\n")) == (2, 1)
    assert f"{path} is not a Railbird store: it contains the " in done.error


def test_a_version_that_steers_the_terminal_is_shown_without_it(honest: Path, tmp_path: Path) -> None:
    path = hostile(
        honest, tmp_path / "hostile.db", "UPDATE railbird_version SET version_num = char(27) || '[2J'"
    )
    done = railbird("stats", path)
    assert done.code == 2
    assert "\x1b" not in done.error


def test_an_honest_store_is_counted(honest: Path) -> None:
    assert railbird("stats", honest).code == 0
