"""SQLite files of strangers: anything in any column, views and triggers end in one sentence."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from command import railbird
from hand_records import plain_record
from railbird.notation.records import format_record
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
    path = hostile(
        honest, tmp_path / "hostile.db", statement, "DELETE FROM tallies", "DELETE FROM tallied"
    )  # like a store of an earlier version, whose hands are read before they are counted
    done = railbird("stats", path)
    assert done.code == 2
    assert done.error.startswith(f"railbird: {path}: hand 1 is damaged: ")
    assert done.error.removesuffix("\n").isprintable()
    hostile(honest, path, statement)
    for arguments in ((), ("--player", "Bob")):
        assert_right_or_refused(arguments, honest, path)
    shown = railbird("store", path)
    assert b"\x1b" not in shown.out
    assert shown.code == 0 or shown.error.startswith(f"railbird: {path} is damaged: ")


def assert_right_or_refused(arguments: tuple[str, ...], honest: Path, path: Path) -> None:
    """The statistics are those of the honest store, or there is one sentence about damage."""
    done = railbird("stats", path, *arguments)
    if done.code == 0:
        right = railbird("stats", honest, *arguments)
        assert (done.out.replace(bytes(path), bytes(honest)), done.error) == (right.out, "")
    else:
        assert done.code == 2
        assert done.error.startswith(f"railbird: {path} is damaged: ")
        assert (done.out, done.error.count("\n")) == (b"", 1)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM tallies WHERE player = 1",
        "UPDATE tallied SET through = 2",
        "DELETE FROM tallied",
        "DELETE FROM players WHERE id = 1",
        "UPDATE tallies SET player = 9 WHERE player = 1",
        "UPDATE tallies SET hands = hands + 1",
        "UPDATE tallies SET hands = 'many'",
        "UPDATE tallies SET net = '1e999999999'",
        "UPDATE tallies SET net = '1/0'",
        f"UPDATE tallies SET net = '{'9' * 4000}'",
        f"UPDATE tallies SET net = '{'9' * 1000}', squares = '{'9' * 4000}'",
        "UPDATE tallies SET squares = '-1'",
        "UPDATE tallies SET squares = x'ff'",
        "UPDATE tallies SET counts = ''",
        "UPDATE tallies SET counts = counts || ' 1'",
        "UPDATE tallies SET counts = '-' || counts",
        "UPDATE tallies SET counts = replace(counts, ' 0', ' 99')",
        f"UPDATE tallies SET counts = '{DEEP}'",
        "UPDATE tallies SET flop_types = '1:1'",
        "UPDATE tallies SET flop_types = '1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1'",
        "UPDATE tallies SET flop_types = x'00'",
        "UPDATE tallies SET currency = char(27) || '[2J'",
        "UPDATE tallies SET chip = '1e999999999'",
        "UPDATE tallies SET chip = '0'",
        "UPDATE games SET unit = char(27) || '[2J'",
        "UPDATE games SET unit_chips = 0",
        "UPDATE games SET unit_chips = 'x'",
        "UPDATE games SET players = 'x'",
        "UPDATE hands SET left_out = 'x' WHERE id = 1",
        "UPDATE hands SET left_out = 'unfinished' WHERE id = 1",
    ],
)
def test_tallies_that_no_hands_can_have_are_refused(statement: str, honest: Path, tmp_path: Path) -> None:
    path = hostile(honest, tmp_path / "hostile.db", statement)
    done = railbird("stats", path)
    assert (done.code, done.out) == (2, b"")
    assert done.error.startswith(f"railbird: {path} is damaged: ")
    assert done.error.removesuffix("\n").isprintable()
    new = tmp_path / "new.jsonl"
    new.write_text(format_record(plain_record(7)) + "\n")
    added = railbird("import", new, "--store", path)
    assert added.code == 0 or added.error.startswith(f"railbird: {path} is damaged: ")
    assert railbird("stats", path).code == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tallies SET net = net + 1",
        "UPDATE tallies SET squares = squares + 1",
        "UPDATE seats SET payoff = payoff + 1 WHERE hand = 1",
        "UPDATE seats SET payoff_of = 0",
        "UPDATE seats SET blind = 'x'",
        "UPDATE seats SET seat = seat + 5",
        "DELETE FROM seats WHERE hand = 2",
    ],
)
def test_tallies_that_contradict_what_a_player_won_are_refused(
    statement: str, honest: Path, tmp_path: Path
) -> None:
    path = hostile(honest, tmp_path / "hostile.db", statement)
    done = railbird("stats", path, "--player", "Alice")
    assert (done.code, done.out) == (2, b"")
    assert done.error.startswith(f"railbird: {path} is damaged: ")


@pytest.mark.parametrize("column", ["name", "digest", "added"])
@pytest.mark.parametrize("value", ["char(27) || '[2J'", "x'ff'"])
def test_sources_that_steer_the_terminal_are_not_shown(
    column: str, value: str, honest: Path, tmp_path: Path
) -> None:
    path = hostile(honest, tmp_path / "hostile.db", f"UPDATE sources SET {column} = {value}")
    done = railbird("store", path)
    assert b"\x1b" not in done.out
    assert done.code == 0 or (done.code, done.error.count("\n")) == (2, 1)


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
