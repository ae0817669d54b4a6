"""What learners lived through: in SQLite and PostgreSQL the same, one transaction a hand, whatever kills the writer."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text

from folders import SUPPORT
from hand_records import plain_record
from railbird.store import versions
from railbird.store.addresses import StoreError
from railbird.store.experiences import LivedPoint, StoredExperience, experience_names
from railbird.store.lived import LivedCase, LivedError, LivedHand
from railbird.store.sources import Source
from railbird.store.store import Store, open_store
from railbird.store.tables import METADATA

numbers = st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(max_size=8)
names = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=8)
cases = st.builds(
    LivedCase,
    base=names,
    description=st.dictionaries(texts, numbers | st.integers(-9, 99) | texts, max_size=4),
    solution=names,
    outcome=numbers,
    similarity=st.none() | st.floats(0, 1),
    riders=st.dictionaries(texts, texts, max_size=3),
)
hands = st.builds(LivedHand, won=numbers, cases=st.lists(cases, max_size=5).map(tuple))


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


def a_hand(number: int, count: int = 3) -> LivedHand:
    """A hand that says which it is."""
    made = [
        LivedCase("flop", {"hand strength": number + place / 8}, "call", number / 4, 0.5 + place / 8)
        for place in range(count)
    ]
    return LivedHand(number / 4, tuple(made))


# What goes in comes out


@given(hands)
def test_a_hand_comes_back_from_its_line_of_json(hand: LivedHand) -> None:
    line = hand.to_text()
    assert "\n" not in line
    assert LivedHand.from_text(line) == hand


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=st.lists(hands, max_size=5))
def test_hands_come_back_exactly(store: Store, drawn: list[LivedHand]) -> None:
    name = str(len(experience_names(store)))
    lived = StoredExperience(store, name, "casper")
    assert [lived.retain(hand) for hand in drawn] == list(range(1, len(drawn) + 1))
    assert list(lived.hands()) == drawn
    lived.retain(LivedHand(0.0))


def test_more_hands_than_are_read_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.store.experiences._CHUNK", 4)
    lived = StoredExperience(store, "ann", "casper")
    expected = [a_hand(number, number % 3) for number in range(18)]
    for hand in expected:
        lived.retain(hand)
    assert list(lived.hands()) == expected


def test_the_series_says_how_the_cases_grew(store: Store) -> None:
    """casper-2008, figs. 5 and 6: cases, similarity and small bets over time."""
    lived = StoredExperience(store, "ann", "casper")
    assert lived.series() == []
    for hand in (
        a_hand(4, 2),
        LivedHand(-0.5),
        a_hand(8, 1),
        LivedHand(1.0, (LivedCase("flop", {}, "call", 1.0),)),
    ):
        lived.retain(hand)
    assert lived.series() == [
        LivedPoint(1, 2, 0.5625, 1.0),
        LivedPoint(2, 2, None, -0.5),
        LivedPoint(3, 3, 0.5, 2.0),
        LivedPoint(4, 4, None, 1.0),
    ]


def test_every_name_has_an_experience_of_its_own(store: Store) -> None:
    ann, bob = (StoredExperience(store, name, "casper") for name in ("ann", "bob"))
    assert experience_names(store) == {}
    for number in range(3):
        assert ann.retain(a_hand(number)) == number + 1
    assert bob.retain(a_hand(9)) == 1
    assert experience_names(store) == {"ann": 3, "bob": 1}
    assert list(bob.hands()) == [a_hand(9)]
    assert len(ann.series()) == 3


def test_several_learners_under_one_name_add_to_one_experience(address: str) -> None:
    def live(first: int) -> list[int]:
        with open_store(address) as opened:
            lived = StoredExperience(opened, "all", "casper")
            return [lived.retain(a_hand(first + number)) for number in range(10)]

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(live, range(0, 400, 100)))
    assert sorted(number for numbers in told for number in numbers) == list(range(1, 41))
    with open_store(address) as opened:
        found = list(StoredExperience(opened, "all", "casper").hands())
    by_number = {
        told[learner][place]: a_hand(100 * learner + place) for learner in range(4) for place in range(10)
    }
    assert found == [by_number[number] for number in range(1, 41)]


# What is refused


def test_an_experience_of_another_system_is_refused(store: Store) -> None:
    StoredExperience(store, "ann", "casper").retain(a_hand(1))
    with pytest.raises(StoreError, match="the experience 'ann' belongs to casper, not to sartre"):
        StoredExperience(store, "ann", "sartre")
    with pytest.raises(StoreError, match="an experience must have a name"):
        StoredExperience(store, "", "casper")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("DELETE FROM lived_cases WHERE hand = 2 AND number = 1", "it has 2 cases instead of 3"),
        ("UPDATE lived_cases SET description = '{' WHERE hand = 2", "Expecting"),
        ("UPDATE lived_cases SET riders = '[]' WHERE hand = 2", "a description and riders must be objects"),
    ],
)
def test_a_damaged_hand_is_named(store: Store, damage: str, reason: str) -> None:
    lived = StoredExperience(store, "ann", "casper")
    for number in range(3):
        lived.retain(a_hand(number))
    with store._writing() as connection:
        connection.execute(text(damage))
    with pytest.raises(StoreError, match=f"hand 2 of the experience 'ann' is damaged: {reason}"):
        list(lived.hands())


@pytest.mark.parametrize(
    "line",
    ["", "[]", "{}", '{"won": "1", "cases": []}', '{"won": NaN, "cases": []}', '{"won": true, "cases": []}',
     '{"won": 1, "cases": [{"base": "flop"}]}', '{"won": 1, "cases": 7}'],
)  # fmt: skip
def test_a_line_that_is_no_hand_is_refused(line: str) -> None:
    with pytest.raises(LivedError, match="not a valid experience"):
        LivedHand.from_text(line)


def test_a_hand_that_no_database_can_hold_leaves_no_trace(store: Store) -> None:
    lived = StoredExperience(store, "ann", "casper")
    lived.retain(a_hand(1))
    with pytest.raises(StoreError):
        lived.retain(LivedHand(1.0, (*a_hand(2).cases, LivedCase("flop", {}, "call", None))))  # type: ignore[arg-type]
    assert list(lived.hands()) == [a_hand(1)]
    assert lived.retain(a_hand(3)) == 2


# Versions


def test_a_store_of_the_first_version_keeps_its_hands_and_gets_the_new_tables(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = tmp_path / "migrations"
    shutil.copytree(versions._FOLDER, older)
    for script in (older / "versions").glob("v*.py"):
        if script.name > "v0001~":
            script.unlink()
    names = ("games", "players", "sources", "hands", "seats", "actions", "sightings")
    with monkeypatch.context() as patch, open_store(tmp_path / "new.db") as new:
        new.add_hands([plain_record(1)], Source("evening.log", "e"))
        patch.setattr(versions, "_FOLDER", older)
        with open_store(address) as store, new._reading() as there, store._writing() as here:
            assert versions.version_of(here) == "0001"
            for table in map(METADATA.tables.__getitem__, names):
                columns = [column for column in table.columns if column.name != "left_out"]
                here.execute(table.insert(), [dict(row._mapping) for row in there.execute(select(*columns))])
    with open_store(address, create=False) as store:
        assert list(store.hands()) == [plain_record(1)]
        assert store.tallies().hands == 1
        StoredExperience(store, "ann", "casper").retain(a_hand(1))
        with store._reading() as connection:
            assert versions.version_of(connection) == versions.latest_version() >= "0002"


# Kill -9

KILLED_WITHIN = """
import json, os, random, signal, sys
sys.path[:0] = sys.argv[1].split(":")
from sqlalchemy import event
from killing import acknowledged_until_killed
from railbird.store.experiences import StoredExperience
from railbird.store.store import open_store
from test_store_experiences import a_hand

address, kills = sys.argv[2], int(sys.argv[3])
chance = random.Random(kills)


def live(first, fatal, table, acknowledge):
    store = open_store(address)
    lived = StoredExperience(store, "ann", "casper")
    statements = []

    def die(connection, cursor, statement, *others):
        statements.append(statement)
        if sum(f"INSERT INTO {table}" in each for each in statements) == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(store._engine, "after_cursor_execute", die)
    for number in range(first, first + fatal):
        lived.retain(a_hand(number))
        acknowledge(str(number))


for _ in range(kills):
    with open_store(address) as store:
        first = len(StoredExperience(store, "ann", "casper").series())
    fatal, table = chance.randrange(1, 6), chance.choice(["lived_hands", "lived_cases"])
    heard = acknowledged_until_killed(lambda acknowledge: live(first, fatal, table, acknowledge))
    with open_store(address) as store:
        found = list(StoredExperience(store, "ann", "casper").hands())
    assert [int(line) for line in heard] == list(range(first, first + fatal - 1)), "it died elsewhere"
    assert found == [a_hand(number) for number in range(first + fatal - 1)], "of the last hand, something is there"
print("all is well")
"""


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_killed_in_the_middle_of_a_transaction_nothing_of_that_hand_is_there(
    address: str, kills: int
) -> None:
    """Killed with the hand written and its cases not, or with both, but before the transaction is committed."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED_WITHIN, f"{SUPPORT}:{Path(__file__).parent}", address, str(kills)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout == "all is well\n", done.stderr
