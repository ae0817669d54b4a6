"""Sessions at the table in the browser: in SQLite and PostgreSQL the same, all of a write or nothing of it."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event, text

from command import railbird
from folders import SUPPORT
from hand_records import plain_record
from played_sessions import (
    DIFFERENT,
    a_session,
    hand_after,
    hands_after,
    record_of,
    writes_of,
    writes_of_session,
)
from railbird.engine.record import Details
from railbird.store.addresses import StoreError
from railbird.store.sessions import (
    ActionsDone,
    Change,
    HandBegun,
    HandOver,
    HandVoided,
    ReasonGiven,
    SessionBegun,
    SessionError,
    SessionFinished,
    SessionOpened,
    SessionRemoved,
    SettingsChanged,
    StoredHand,
    StoredSessions,
)
from railbird.store.sessions import stored as module
from railbird.store.sessions.rows import packed, unpacked
from railbird.store.sources import Source
from railbird.store.store import Store, open_store
from railbird.store.tables import METADATA

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(texts, plain, max_size=4)
actions = st.lists(st.sampled_from(["f", "c"]) | st.integers(0, 10**12).map("r{}".format), max_size=6).map(
    " ".join
)


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


@pytest.fixture
def sessions(store: Store) -> StoredSessions:
    return StoredSessions(store)


def rows_in(store: Store) -> dict[str, int]:
    with store._reading() as connection:
        return {
            name: connection.execute(text(f"SELECT COUNT(*) FROM {name}")).scalar_one()
            for name in METADATA.tables
        }


def play(sessions: StoredSessions, session: str, hands: int) -> None:
    """A session with so many hands, in one write."""
    sessions.write([SessionBegun(a_session(session))])
    for number in range(1, hands + 1):
        sessions.write([change for changes in writes_of(session, number) for change in changes])


# What goes in comes out


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    drawn=st.tuples(objects, objects, objects, objects),
    done=actions,
    given=st.dictionaries(st.integers(0, 99), objects, max_size=3),
)
def test_everything_comes_back_as_it_was(
    sessions: StoredSessions,
    drawn: tuple[dict[str, Any], ...],
    done: str,
    given: dict[int, dict[str, Any]],
) -> None:
    first, later, start, ending = drawn
    ending.pop("won", None)
    name = f"session {len(sessions.of_owner('ann'))}"
    begun = replace(a_session(name), settings=first)
    reasons = [ReasonGiven(name, 1, step, why) for step, why in given.items()]
    sessions.write([SessionBegun(begun), HandBegun(name, 1, start, False), ActionsDone(name, 1, done)])
    assert sessions.session(name) == begun
    assert sessions.hand(name, 1) == StoredHand(name, 1, start, done, False, False, None, {})
    sessions.write([SettingsChanged(name, later), *reasons, HandOver(name, 1, ending, None)])
    assert sessions.session(name) == replace(begun, settings=later)
    assert sessions.hand(name, 1) == StoredHand(name, 1, start, done, True, False, ending, given)


@given(objects, st.integers(0, 300))
def test_reasons_come_back_from_their_bytes(reasons: dict[str, Any], copies: int) -> None:
    long = reasons | {"rows": [reasons] * copies}
    assert unpacked(packed(long, "they"), "they") == long


def test_long_reasons_take_little_room() -> None:
    rows = [{"label": f"pocket pair {number}", "value": number / 64} for number in range(1000)]
    assert packed({"rows": rows[:10]}, "they").startswith(b'{"rows"')
    assert len(packed({"rows": rows}, "they")) < 10_000


def test_a_hand_step_by_step(sessions: StoredSessions) -> None:
    sessions.write([SessionBegun(a_session())])
    for number in (1, 2, 3):
        for writes, changes in enumerate(writes_of("evening", number), start=1):
            sessions.write(changes)
            assert sessions.hand("evening", number) == hand_after("evening", number, writes)
    assert [hand.number for hand in sessions.hands("evening")] == [1, 2, 3]


def test_what_is_not_there_is_none(sessions: StoredSessions) -> None:
    play(sessions, "evening", 2)
    for name in ("", "morning", "a\0b", "\ud800", "%", "evenin_"):
        assert sessions.session(name) is None
        assert sessions.hand(name, 1) is None
        assert sessions.hands(name) == []
    for number in (-1, 0, 3, 2**63, 10**30):
        assert sessions.hand("evening", number) is None
    assert sessions.hands("evening", after=10**30) == []
    assert sessions.of_owner("bob") == []
    assert sessions.totals("morning") == (0, "0")


def test_the_sessions_of_a_player_are_told_from_the_newest_to_the_oldest(sessions: StoredSessions) -> None:
    for name, owner, started in (
        ("b", "ann", "2012-03-04T19:00:00"),
        ("x", "bob", "2012-03-05T19:00:00"),
        ("a", "ann", "2012-03-06T19:00:00"),
        ("c", "ann", "2011-03-06T19:00:00"),
    ):
        sessions.write([SessionBegun(a_session(name, owner, started))])
    sessions.write([SessionFinished("b")])
    assert [(each.id, each.finished) for each in sessions.of_owner("ann")] == [
        ("a", False),
        ("b", True),
        ("c", False),
    ]


def test_the_hands_in_progress_of_a_player_begin_with_the_session_opened_last(
    sessions: StoredSessions,
) -> None:
    for name, owner in (("old", "ann"), ("new", "ann"), ("done", "ann"), ("hers", "eve"), ("empty", "ann")):
        sessions.write([SessionBegun(a_session(name, owner))])
    for name in ("old", "new", "done", "hers"):
        sessions.write(
            [HandBegun(name, 1, {}, True), HandOver(name, 1, {}, None), HandBegun(name, 2, {}, True)]
        )
    sessions.write([HandVoided("done", 2, "left"), SessionFinished("done")])
    sessions.write([SessionOpened("new"), SessionOpened("hers")])
    assert list(sessions.hands_in_progress("ann").items()) == [("new", 2), ("old", 2)]
    assert sessions.hands_in_progress("nobody") == {}


def test_hands_are_read_some_at_a_time(sessions: StoredSessions, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader of many hands lets writers in between."""
    monkeypatch.setattr(module, "_CHUNK", 4)
    monkeypatch.setattr(module, "_CHUNK_WITH_REASONS", 3)
    play(sessions, "evening", 9)
    whole = [sessions.hand("evening", number) for number in range(1, 10)]
    bare = [replace(hand, reasons={}) for hand in whole if hand]
    begun: list[object] = []
    event.listen(sessions.store._engine, "begin", begun.append)
    assert sessions.hands("evening") == bare
    assert len(begun) == 3
    assert sessions.hands("evening", with_reasons=True) == whole
    assert len(begun) == 3 + 4
    assert sessions.hands("evening", after=3, limit=5) == bare[3:8]
    assert sessions.hands("evening", after=7, limit=5, with_reasons=True) == whole[7:]
    assert sessions.hands("evening", limit=0) == []


# What is counted


def test_totals_are_exact_and_only_of_hands_that_count(sessions: StoredSessions) -> None:
    sessions.write([SessionBegun(a_session())])
    for number, (counted, won) in enumerate(
        [(True, 7), (True, "5/2"), (False, 1000), (True, "-1/3"), (True, None), (True, -2), (True, "1/3")],
        start=1,
    ):
        sessions.write(
            [HandBegun("evening", number, {}, counted), HandOver("evening", number, {"won": won}, None)]
        )
    sessions.write([HandBegun("evening", 8, {}, True), HandVoided("evening", 8, "the server was stopped")])
    sessions.write([HandBegun("evening", 9, {}, True), ActionsDone("evening", 9, "c")])
    assert sessions.totals("evening") == (6, str(Fraction(15, 2)))


def test_hands_that_count_are_among_all_hands_when_they_are_over(sessions: StoredSessions) -> None:
    store = sessions.store
    play(sessions, "evening", 3)
    sessions.write([HandBegun("evening", 4, {}, True), ActionsDone("evening", 4, "c c")])
    sessions.write([HandBegun("evening", 5, {}, False)])
    sessions.write([HandOver("evening", 5, {}, record_of("evening", 5))])
    sessions.write([HandBegun("evening", 6, {}, True), HandVoided("evening", 6, "the agent was gone")])
    records = [record_of("evening", number) for number in (1, 2, 3)]
    assert list(store.hands(source="web session evening")) == list(store.hands()) == records
    assert [(each.name, each.hands, each.complete, each.is_session) for each in store.sources()] == [
        ("web session evening", 3, True, True)
    ]
    voided = sessions.hand("evening", 6)
    assert voided == StoredHand("evening", 6, {}, "", True, False, None, {}, "the agent was gone")


def test_sessions_are_no_files(sessions: StoredSessions, tmp_path: Path) -> None:
    file = tmp_path / "web session evening"
    file.write_bytes(b"web session evening")
    sessions.store.add_hands([plain_record(1)], Source.of_file(file))
    sessions.store.add_hands([plain_record(2)], Source("web session evening", "e" * 64))
    assert [each.is_session for each in sessions.store.sources()] == [False, False]
    play(sessions, "evening", 1)
    assert [each.is_session for each in sessions.store.sources()] == [False, False, True]


def test_a_removed_session_leaves_no_trace(sessions: StoredSessions) -> None:
    store = sessions.store
    store.add_hands([plain_record(77)], Source("evening.log", "e" * 64))
    play(sessions, "morning", 2)
    before, kept = rows_in(store), sessions.hands("morning", with_reasons=True)
    play(sessions, "evening", 3)
    sessions.write([SessionRemoved("evening")])
    assert rows_in(store) == before
    assert sessions.session("evening") is None
    assert sessions.hands("morning", with_reasons=True) == kept
    sessions.write([SessionRemoved("morning")])
    assert list(store.hands()) == [plain_record(77)]
    play(sessions, "morning", 2)
    assert sessions.hands("morning", with_reasons=True) == kept


def test_a_session_without_records_can_be_removed_too(sessions: StoredSessions) -> None:
    sessions.write([SessionBegun(a_session()), HandBegun("evening", 1, {}, True)])
    sessions.write([SessionRemoved("evening")])
    assert set(rows_in(sessions.store).values()) == {0}


def test_a_session_whose_source_was_removed_goes_on(sessions: StoredSessions) -> None:
    play(sessions, "evening", 2)
    assert sessions.store.remove_source("web session evening") == 2
    for changes in writes_of("evening", 3):
        sessions.write(changes)
    assert list(sessions.store.hands()) == [record_of("evening", 3)]
    assert sessions.totals("evening")[0] == 3


def test_statistics_and_the_list_of_sources_know_sessions(sessions: StoredSessions, address: str) -> None:
    play(sessions, "evening", 5)
    sessions.store.add_hands([plain_record(77)], Source("evening.log", "e" * 64))
    assert "2 players in 6 hands" in railbird("stats", address).out.decode()
    listed = railbird("store", address).out.decode().splitlines()
    file = next(line for line in listed if line.startswith("evening.log"))
    played = next(line for line in listed if line.startswith("web session evening"))
    assert file.split()[:2] == ["evening.log", "1"]
    assert file.rstrip().endswith("e" * 16)
    assert played.split()[:4] == ["web", "session", "evening", "5"]
    assert "import it again" not in "".join(listed)
    removed = railbird("store", address, "--remove", "web session evening")
    assert removed.out == b"5 hands removed with web session evening\n"


# What is refused


BAD: list[tuple[Change, str]] = [
    (SessionBegun(a_session("evening", "bob")), "session 'evening' already exists"),
    (SessionBegun(a_session("a\0b")), "cannot be stored as text"),
    (SessionBegun(a_session("new", "\ud800")), "cannot be stored as text"),
    (SessionBegun(replace(a_session("new"), settings={"a": object()})), "session 'new': not plain JSON"),
    (SettingsChanged("morning", {}), "there is no session 'morning'"),
    (SettingsChanged("evening", {"a": "\ud800"}), "the settings of session 'evening': not plain JSON"),
    (SessionFinished("morning"), "there is no session 'morning'"),
    (SessionRemoved("morning"), "there is no session 'morning'"),
    (HandBegun("morning", 1, {}, True), "there is no session 'morning'"),
    (HandBegun("evening", 1, {}, True), "session 'evening' already has a hand 1"),
    (HandBegun("evening", 0, {}, True), "hands are counted from 1, so there is no hand 0"),
    (HandBegun("evening", 2**63, {}, True), "there is no hand 9223372036854775808"),
    (HandBegun("closed", 9, {}, True), "session 'closed' is finished"),
    (ActionsDone("morning", 1, "c"), "there is no session 'morning'"),
    (ActionsDone("evening", 3, "c"), "session 'evening' has no hand 3"),
    (ActionsDone("evening", 1, "c"), "hand 1 of session 'evening' is over"),
    (ActionsDone("evening", 2, "call"), "of session 'evening': 'call' is not a list of actions such as 'c r40 f'"),
    (ActionsDone("evening", 2, "c  c"), "'c  c' is not a list of actions"),
    (ActionsDone("evening", 2, "c\n"), "is not a list of actions"),
    (ActionsDone("evening", 2, "f"), "hand 2 of session 'evening' has continued differently"),
    (ReasonGiven("evening", 3, 0, {}), "session 'evening' has no hand 3"),
    (ReasonGiven("evening", 2, -1, {}), "-1 is not a number of actions"),
    (ReasonGiven("evening", 2, 2**15, {}), "32768 is not a number of actions"),
    (ReasonGiven("evening", 2, 0, {"a": 1j}), "the reasons in hand 2 of session 'evening': not plain JSON"),
    (HandOver("evening", 1, {}, None), "hand 1 of session 'evening' is over"),
    (HandOver("evening", 2, {"won": 2.5}, None), "2.5 was won, which is not a number of chips"),
    (HandOver("evening", 2, {"won": "1/0"}, None), "'1/0' was won, which is not a number of chips"),
    (HandOver("evening", 2, {"won": True}, None), "True was won, which is not a number of chips"),
    (HandOver("evening", 2, {"won": 2**63}, None), "9223372036854775808 was won, which is out of range"),
    (
        HandOver("evening", 2, {}, replace(plain_record(1), details=Details(table="\0"))),
        "session 'evening': hand '1' has a NUL character",
    ),
    (HandVoided("evening", 1, "no reason"), "hand 1 of session 'evening' is over"),
    (HandVoided("evening", 2, "\0"), "cannot be stored as text"),
]  # fmt: skip


@pytest.fixture
def prepared(sessions: StoredSessions) -> StoredSessions:
    """A session with a hand that is over and one that is not, and a finished one."""
    play(sessions, "evening", 1)
    sessions.write([HandBegun("evening", 2, {}, True)])
    sessions.write([SessionBegun(a_session("closed")), SessionFinished("closed")])
    return sessions


def test_what_cannot_be_is_refused_with_everything_beside_it(prepared: StoredSessions) -> None:
    rows, kept = rows_in(prepared.store), prepared.hands("evening", with_reasons=True)
    for change, reason in BAD:
        beside: list[Change] = [ActionsDone("evening", 2, "c r20"), SessionBegun(a_session("other"))]
        with pytest.raises(SessionError) as refused:
            prepared.write([*beside, change])
        assert reason in str(refused.value)
        assert rows_in(prepared.store) == rows, change
        assert prepared.hands("evening", with_reasons=True) == kept, change


def test_many_sessions_may_go_on_in_one_write(sessions: StoredSessions) -> None:
    """What is alike is written together; every session still lives through its own changes in their order."""
    names = [f"table {number}" for number in range(20)]
    writes = {name: [*writes_of(name, 1), *writes_of(name, 2)] for name in names}
    lives = [
        [SessionBegun(a_session(name)), *(each for write in writes[name] for each in write)] for name in names
    ]
    longest = max(map(len, lives))
    sessions.write([life[step] for step in range(longest) for life in lives if step < len(life)])
    for name in names:
        expected = [hand_after(name, number, len(list(writes_of(name, number)))) for number in (1, 2)]
        assert sessions.hands(name, with_reasons=True) == expected
        assert sessions.store.count(source=Source.of_session(name).name) == 2


def test_among_many_alike_the_one_that_cannot_be_is_named(sessions: StoredSessions) -> None:
    names = [f"table {number}" for number in range(20)]
    sessions.write([SessionBegun(a_session(name)) for name in names])
    sessions.write([HandBegun(name, 1, {}, True) for name in names])
    done: list[Change] = [ActionsDone(name, 1, "c") for name in names]
    done[7] = ActionsDone("table 7", 2, "c")
    with pytest.raises(SessionError, match="session 'table 7' has no hand 2"):
        sessions.write(done)
    assert all(sessions.hands(name)[0].actions == "" for name in names)


def test_a_record_that_fails_takes_the_end_of_the_hand_with_it(
    prepared: StoredSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    rows = rows_in(prepared.store)
    monkeypatch.setattr(module, "add_hands_of", fail)
    with pytest.raises(StoreError, match="the disk is full"):
        prepared.write([HandOver("evening", 2, {}, record_of("evening", 2))])
    assert rows_in(prepared.store) == rows
    assert prepared.hand("evening", 2) == StoredHand("evening", 2, {}, "", False, True, None, {})


def test_reasons_may_come_late_and_again(prepared: StoredSessions) -> None:
    prepared.write([SessionFinished("evening"), ReasonGiven("evening", 1, 90, {"a": 1})])
    prepared.write([ReasonGiven("evening", 1, 90, {"a": 2})])
    hand = prepared.hand("evening", 1)
    assert hand is not None
    assert hand.reasons[90] == {"a": 2}


def test_nothing_to_write_needs_no_transaction(sessions: StoredSessions) -> None:
    begun: list[object] = []
    event.listen(sessions.store._engine, "begin", begun.append)
    sessions.write([])
    assert begun == []


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("UPDATE sessions SET settings = '{'", "the settings of session 'evening' is damaged"),
        ("UPDATE session_hands SET start = ''", "the start of hand 1 of session 'evening' is damaged"),
        ("UPDATE session_hands SET ending = '['", "the ending of hand 1 of session 'evening' is damaged"),
        ("UPDATE session_reasons SET reasons = :bytes", "the reasons at step 0 in hand 1 of .* are damaged"),
    ],
)  # fmt: skip
def test_damage_is_named(sessions: StoredSessions, damage: str, reason: str) -> None:
    play(sessions, "evening", 1)
    with sessions.store._writing() as connection:
        connection.execute(text(damage), {"bytes": b"x\x01nonsense"} if ":bytes" in damage else {})
    with pytest.raises(StoreError, match=reason):
        print(sessions.session("evening"), sessions.hand("evening", 1))


def test_no_card_is_told_by_the_text_of_a_change_or_a_hand() -> None:
    """It may stand in a log."""
    start = {"cards": "AhKs"}
    assert "AhKs" not in repr(HandBegun("evening", 1, start, True))
    assert "AhKs" not in repr(StoredHand("evening", 1, start, "", False, True, None, {}))


# Kill -9

KILLED_WITHIN = """
import os, random, signal, sys
sys.path.insert(0, sys.argv[1])
from itertools import islice
from sqlalchemy import event
from killing import acknowledged_until_killed
from played_sessions import hands_after, record_of, writes_of_session
from railbird.store.sessions import StoredSessions
from railbird.store.store import open_store

address, kills = sys.argv[2], int(sys.argv[3])
chance = random.Random(kills)
TABLES = ["session_hands SET actions", "INTO session_reasons", "session_hands SET over", "INTO hands", "INTO seats",
          "INTO actions", "INTO sightings", "UPDATE sources"]


def write(first, deadly, acknowledge):
    store = open_store(address)
    sessions = StoredSessions(store)

    def die(connection, cursor, statement, *others):
        if deadly in statement:
            os.kill(os.getpid(), signal.SIGKILL)

    for number, changes in enumerate(islice(writes_of_session("evening"), first, None), start=first + 1):
        if number == first + 4:
            event.listen(store._engine, "after_cursor_execute", die)
        sessions.write(changes)
        acknowledge(str(number))


done = 0
for _ in range(kills):
    deadly = chance.choice(TABLES)
    heard = acknowledged_until_killed(lambda acknowledge: write(done, deadly, acknowledge))
    done = int(heard[-1])
    with open_store(address) as store:
        sessions = StoredSessions(store)
        found = sessions.hands("evening", with_reasons=True)
        records = list(store.hands())
    assert found == hands_after("evening", done), f"killed at {deadly}: more or less than was acknowledged"
    assert records == [record_of("evening", hand.number) for hand in found if hand.over]
print("all is well", done)
"""


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_killed_in_the_middle_of_a_write_nothing_of_it_is_there(address: str, kills: int) -> None:
    """Killed after any of the statements of a transaction, but before it is committed."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED_WITHIN, str(SUPPORT), address, str(kills)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout.startswith("all is well"), done.stderr


def test_the_hands_of_these_tests_are_many_different_ones() -> None:
    """What the store must hold is told by other code than what is written: here they meet."""
    hands: list[StoredHand] = []
    for writes, changes in enumerate(writes_of_session("evening")):
        if any(isinstance(change, HandBegun) and change.number > DIFFERENT for change in changes):
            hands = hands_after("evening", writes)
            break
    assert [hand.over for hand in hands] == [True] * DIFFERENT
    assert len({hand.actions for hand in hands}) > DIFFERENT / 2
