"""The store of hands: the same on SQLite and on PostgreSQL."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Table, text

from hand_records import plain_record, records, unfinished_record, unfinished_records
from railbird.arena.results.career import CareerCollector, careers_of
from railbird.cards import parse_cards
from railbird.engine.events import DealHole
from railbird.engine.games import named_game
from railbird.engine.record import UNCERTAIN_WINNER, Details, HandRecord
from railbird.engine.rules import Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.features.player_counts import LeftOut, why_left_out
from railbird.notation.records import digest_of
from railbird.spec import SpecError
from railbird.store import writing
from railbird.store.addresses import StoreError
from railbird.store.names import UnknownPlayer
from railbird.store.rows import UnstorableHand, rows_of
from railbird.store.sources import Source, StoredSource
from railbird.store.store import Store, open_store
from railbird.store.tables import METADATA
from railbird.store.tallying import StoredTallies
from railbird.store.writing import Added
from strategies import random_action, random_cards

EVENING = Source("evening.log", "e" * 64)
MORNING = Source("morning.log", "a" * 64)


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened


def plain_records(count: int, game: str = "limit-2p", first: int = 0) -> list[HandRecord]:
    return [plain_record(seed, game) for seed in range(first, first + count)]


def rows_in(store: Store) -> dict[str, int]:
    """How many rows every table has."""
    with store._reading() as connection:
        return {
            name: connection.execute(text(f"SELECT COUNT(*) FROM {name}")).scalar_one()
            for name in METADATA.tables
        }


# What goes in comes out


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=st.lists(records | unfinished_records, max_size=6), batch=st.integers(1, 4))
def test_records_come_back_exactly(store: Store, drawn: list[HandRecord], batch: int) -> None:
    """One source for each list, with hands unlike those that earlier lists left in the store."""
    name = str(len(store.sources()))
    hands = [
        replace(
            hand,
            hand_id=f"{hand.hand_id} {name} {number}" if hand.hand_id else "",
            details=replace(hand.details, table=f"{hand.details.table} {name}"),
        )
        for number, hand in enumerate(drawn)
    ]
    assert store.add_hands(hands, Source(name, name), batch=batch) == Added(len(hands), 0)
    assert list(store.hands(source=name)) == hands


def test_hands_come_back_in_the_order_in_which_they_were_added(store: Store) -> None:
    hands = plain_records(1200)
    heard: list[Added] = []
    assert store.add_hands(hands, EVENING, batch=500, progress=heard.append) == Added(1200, 0)
    assert heard == [Added(500, 0), Added(1000, 0), Added(1200, 0)]
    assert list(store.hands()) == hands
    assert store.count() == 1200


def test_events_in_an_unusual_order_come_back_in_that_order(store: Store) -> None:
    record = plain_record(1)
    deals = [event for event in record.events if isinstance(event, DealHole)]
    others = [event for event in record.events if not isinstance(event, DealHole)]
    for number, events in enumerate(
        [(*reversed(deals), *others), (*deals, *others), tuple(others), (*others, *deals)]
    ):
        odd = replace(record, hand_id=f"odd {number}", events=events)
        assert rows_of(odd).hand[-1] is not None
        store.add_hands([odd], Source("odd", str(number)))
        assert list(store.hands(source=str(number))) == [odd]
    assert rows_of(record).hand[-1] is None, "the usual order needs no second copy of the events"


def test_payoffs_that_are_fractions_are_exact_in_the_rows(store: Store) -> None:
    game = named_game("limit-3p:odd=fractional")
    state = State(Setup.of(game), parse_cards("2c3c 2d3d 2h3h Ts Js Qs Ks As"))
    state.call()
    state.fold()
    while not state.is_over:
        state.call()
    record = HandRecord.of(state, ("a", "b", "c"), "split")
    assert list(record.payoffs) == [-5, Fraction(5, 2), Fraction(5, 2)]
    store.add_hands([record], EVENING)
    with store._reading() as connection:
        rows = connection.execute(text("SELECT payoff, payoff_of FROM seats ORDER BY seat")).all()
    assert tuple(Fraction(*row) for row in rows) == record.payoffs


def test_rows_say_what_the_states_say(store: Store) -> None:
    """Rounds, seats and bets of the action rows, against the replayed hand."""
    for game in ("limit-2p", "nolimit-6max", "leduc-2p"):
        hands = plain_records(30, game)
        store.add_hands(hands, Source(game, game))
        asked = text(
            "SELECT actions.round, actions.seat, actions.kind, actions.paid, actions.bet FROM actions "
            "JOIN sightings ON sightings.hand = actions.hand JOIN sources ON sources.id = sightings.source "
            "WHERE sources.name = :game ORDER BY actions.hand, actions.number"
        )
        with store._reading() as connection:
            rows = [tuple(row) for row in connection.execute(asked, {"game": game})]
        assert rows == [
            (state.round, act.seat, act.kind.name[0].lower(), act.paid, act.to)
            for hand in hands
            for state, act in hand.states()
        ]


def test_rounds_without_board_cards_are_counted_too(store: Store) -> None:
    game = replace(named_game("limit-2p"), name="no turn", board_cards=(0, 3, 0, 1))
    random = Random(3)
    hands = []
    for number in range(40):
        state = State(Setup.of(game), random_cards(random, game))
        while not state.is_over:
            state.act(random_action(random, state.legal_actions))
        hands.append(HandRecord.of(state, ("a", "b"), str(number)))
    store.add_hands(hands, EVENING)
    assert list(store.hands()) == hands
    with store._reading() as connection:
        rounds = connection.execute(text("SELECT round FROM actions ORDER BY hand, number")).scalars().all()
    assert rounds == [state.round for hand in hands for state, _ in hand.states()]
    assert 2 in rounds


def test_games_that_differ_only_in_the_stacks_of_each_hand_are_one_game(store: Store) -> None:
    game = named_game("nolimit-2p")
    hands = []
    for number in range(20):
        rules = replace(game, stacks=(5000 + number, 7000 - number))
        state = State(Setup.of(rules), random_cards(Random(number), rules))
        state.fold()
        hands.append(HandRecord.of(state, ("a", "b"), str(number)))
    store.add_hands(hands, EVENING)
    assert list(store.hands()) == hands
    assert rows_in(store)["games"] == 1


# The same hand twice


def test_adding_again_adds_nothing(store: Store) -> None:
    hands = plain_records(50)
    assert store.add_hands(hands, EVENING) == Added(50, 0)
    before = rows_in(store)
    assert store.add_hands(hands, EVENING) == Added(0, 50)
    assert store.add_hands(hands, replace(EVENING, name="copy of evening.log")) == Added(0, 50)
    assert rows_in(store) == before


def test_a_file_that_grew_brings_only_what_is_new(store: Store) -> None:
    hands = plain_records(80)
    store.add_hands(hands[:50], EVENING)
    assert store.add_hands(hands, replace(EVENING, digest="longer")) == Added(30, 50)
    assert [each.hands for each in store.sources()] == [50, 80]
    assert list(store.hands()) == hands


def test_different_hands_with_the_same_number_are_different(store: Store) -> None:
    """Every log of the ACPC counts its hands from 0."""
    hands = [replace(plain_record(seed), hand_id="0") for seed in range(20)]
    assert store.add_hands(hands, EVENING) == Added(20, 0)


def test_a_hand_that_stands_twice_in_a_source_is_one_hand(store: Store) -> None:
    hand = plain_record(1)
    assert store.add_hands([hand, plain_record(2), hand], EVENING, batch=2) == Added(2, 1)


def test_hands_without_ids_that_look_alike_are_different_hands(store: Store) -> None:
    """Two walks with hidden cards have nothing that tells them apart, and both were played."""
    setup = Setup.of(named_game("limit-2p"))
    state = State(setup, [-1] * setup.cards_dealt)
    state.fold()
    walk = HandRecord.of(state, ("a", "b"))
    assert store.add_hands([walk] * 3, EVENING, batch=2) == Added(3, 0)
    assert store.add_hands([walk] * 3, EVENING) == Added(0, 3)
    assert store.add_hands([walk] * 4, MORNING) == Added(1, 3)
    assert list(store.hands()) == [walk] * 4


def test_the_same_hand_has_the_same_digest_in_every_version() -> None:
    """Stores outlive versions: what this value covers may never change."""
    state = State(Setup.of(named_game("limit-2p")), parse_cards("AsKs 7c2d Ts Js Qs 3h 4h"))
    for action in (state.call, state.call, state.call, lambda: state.raise_to(10), state.fold):
        action()
    details = Details("PokerStars", "Vega", "2009-07-01T00:00:33", "USD", Fraction(1, 100), (("a", "b"),))
    record = HandRecord(
        "7", state.setup, ("ann", "bob"), HandRecord.of(state, ("", "")).events, (3, 5), details
    )
    assert digest_of(record).hex() == "8a69628f7d96749f63a535c3ec52f339"
    for same in (
        replace(record, details=replace(details, notes=())),
        replace(record, setup=Setup.of(replace(record.rules, name="mine", mucking=Mucking.LOSERS_MUCK))),
    ):
        assert same != record
        assert digest_of(same) == digest_of(record)
    for other in (
        replace(record, hand_id="8"),
        replace(record, players=("bob", "ann")),
        replace(record, seats=(5, 3)),
        replace(record, details=replace(details, time="2009-07-01T00:00:34")),
        replace(record, events=record.events[:-1]),
        replace(record, setup=Setup.of(record.rules, (500, 500))),
    ):
        assert digest_of(other) != digest_of(record)


# Asking


def test_hands_are_found_by_player_game_and_source(store: Store) -> None:
    two, six = plain_records(700), plain_records(60, "nolimit-6max", first=1000)
    store.add_hands(two, EVENING)
    store.add_hands([*six, *two[:5]], MORNING)
    assert list(store.hands(player="Carol")) == six
    assert list(store.hands(game="limit-2p")) == two
    assert list(store.hands(source="evening.log")) == two
    assert list(store.hands(player="Bob", game="nolimit-6max", source=MORNING.digest)) == six
    assert list(store.hands(player="Alice", source="morning.log")) == [*two[:5], *six]
    for condition in ({"player": "Alice"}, {"game": "limit-2p"}, {"source": "morning.log"}, {}):
        assert store.count(**condition) == len(list(store.hands(**condition)))
    assert store.players() == {"Alice": 760, "Bob": 760, "Carol": 60, "Dan": 60, "Erin": 60, "Frank": 60}
    assert store.games() == {"limit-2p": 700, "nolimit-6max": 60}


def test_a_player_in_two_seats_has_the_hand_once(store: Store) -> None:
    hands = [replace(hand, players=("self", "self")) for hand in plain_records(5)]
    store.add_hands(hands, EVENING)
    assert list(store.hands(player="self")) == hands
    assert store.players() == {"self": 5}
    assert store.count(player="self") == 5


def test_what_is_not_there_is_named_with_what_is_near(store: Store) -> None:
    store.add_hands(plain_records(3), EVENING)
    with pytest.raises(UnknownPlayer, match=r"no player is called 'alicia'; the nearest names are Alice"):
        list(store.hands(player="alicia"))
    with pytest.raises(SpecError, match="did you mean 'evening.log'"):
        store.remove_source("evenin.log")
    with pytest.raises(SpecError, match="did you mean 'limit-2p'"):
        store.count(game="limit-3p")


# Sources


def test_a_file_is_known_by_the_digest_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "evening.log"
    path.write_bytes(b"abc")
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, appendix B.1
    assert Source.of_file(path) == Source(str(path), known)
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        Source.of_file(tmp_path)


def test_sources_are_listed_with_their_hands(store: Store) -> None:
    store.add_hands(plain_records(3), EVENING)
    store.add_hands([], MORNING)
    evening, morning = store.sources()
    assert evening == StoredSource("evening.log", "e" * 64, evening.added, True, 3)
    assert morning == StoredSource("morning.log", "a" * 64, morning.added, True, 0)


def test_a_removed_source_takes_only_its_own_hands_along(store: Store) -> None:
    hands = plain_records(30)
    six = plain_records(10, "nolimit-6max", first=100)
    store.add_hands(hands[:20], EVENING)
    before = rows_in(store)
    store.add_hands([*hands[10:], *six], MORNING)
    assert store.remove_source("morning.log") == 20
    assert rows_in(store) == before, "players and games that nobody needs any more are gone too"
    assert list(store.hands()) == hands[:20]
    assert store.remove_source(EVENING.digest) == 20
    assert set(rows_in(store).values()) == {0}
    assert store.add_hands(hands, MORNING) == Added(30, 0)


def test_sources_of_the_same_name_are_told_apart_by_their_digests(store: Store) -> None:
    store.add_hands(plain_records(3), EVENING)
    store.add_hands(plain_records(4), replace(EVENING, digest="other"))
    with pytest.raises(StoreError, match="2 sources are called 'evening.log'"):
        store.remove_source("evening.log")
    assert store.remove_source("other") == 1


# Interruptions


def failing_after(hands: Sequence[HandRecord]) -> Iterator[HandRecord]:
    yield from hands
    raise KeyboardInterrupt


def test_an_interrupted_source_holds_whole_batches_and_can_be_completed(store: Store) -> None:
    hands = plain_records(25)
    with pytest.raises(KeyboardInterrupt):
        store.add_hands(failing_after(hands[:17]), EVENING, batch=5)
    assert list(store.hands()) == hands[:15]
    assert [source.complete for source in store.sources()] == [False]
    assert store.add_hands(hands, EVENING, batch=5) == Added(10, 15)
    assert [source.complete for source in store.sources()] == [True]


def test_a_batch_that_fails_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.add_hands(plain_records(3), EVENING)
    before = rows_in(store)
    insert = writing._insert_rows

    def fail_at_the_actions(connection: Connection, table: Table, rows: Sequence[tuple[object, ...]]) -> None:
        insert(connection, table, [(*row[:-1], None) for row in rows] if table.name == "actions" else rows)

    monkeypatch.setattr(writing, "_insert_rows", fail_at_the_actions)
    with pytest.raises(StoreError, match="(?i)not.null"):
        store.add_hands(plain_records(5, first=10), MORNING)
    assert rows_in(store) == before


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hand_id": "a\0b"}, "NUL character"),
        ({"players": ("Alice", "\ud800")}, "unpaired surrogate"),
        ({"seats": (1 << 63, 2)}, "too large: 9223372036854775808"),
        ({"details": Details(table="\0")}, "NUL character"),
    ],
)
def test_a_hand_that_no_database_can_hold_is_left_out_alone(
    store: Store, changes: dict[str, Any], reason: str
) -> None:
    hands = [plain_record(1), replace(plain_record(2), **changes), plain_record(3)]
    refused: list[UnstorableHand] = []
    assert store.add_hands(hands, EVENING, refuse=refused.append) == Added(2, 0)
    assert [reason in str(error) for error in refused] == [True]
    assert list(store.hands()) == [hands[0], hands[2]]
    with pytest.raises(UnstorableHand, match=reason):
        store.add_hands(hands, MORNING)


# Tallies


def counted_hand_by_hand(store: Store, player: str | None = None) -> dict[str, Any]:
    """The slow twin: every hand is read and counted."""
    collector = CareerCollector(player)
    for record in store.hands(player=player):
        if why_left_out(record) is None:
            collector.add(record)
    return {label: career.to_json() for label, career in collector.careers().items()}


def counted_by_tallies(store: Store, player: str | None = None) -> dict[str, Any]:
    found = store.tallies(player)
    careers = careers_of(found.tallies, found.positions)
    return {label: career.to_json() for label, career in careers.items()}


def mixed_records() -> list[HandRecord]:
    """Several games, stakes and currencies, fractional pots, hidden cards, and hands that do not count."""
    details = (
        Details(),
        Details(chip=Fraction(1, 10)),
        Details(currency="USD", chip=Fraction(1, 100)),
        Details(notes=((UNCERTAIN_WINNER, "true"),)),
    )
    games = ("limit-2p", "nolimit-3p", "limit-6max", "nolimit-2p:blinds=1/2,stack=200", "leduc-2p")
    hands = [plain_record(seed, games[seed % len(games)]) for seed in range(60)]
    random = Random(4)
    told = [
        replace(hand, details=details[random.randrange(4)], hand_id=f"m{n}") for n, hand in enumerate(hands)
    ]
    return [*told, unfinished_record(Random(1))]


def test_statistics_from_tallies_are_those_of_every_hand(store: Store) -> None:
    hands = mixed_records()
    for start, source in ((0, EVENING), (30, MORNING)):
        store.add_hands(hands[start : start + 40], source, batch=7)
        assert counted_by_tallies(store) == counted_hand_by_hand(store)
    for player in ("Alice", "Carol"):
        assert counted_by_tallies(store, player) == counted_hand_by_hand(store, player)
    found = store.tallies()
    uncertain = sum(not hand.has_certain_winner for hand in hands)
    assert (found.hands, found.left_out) == (
        len(hands) - uncertain - 1,
        {LeftOut.UNCERTAIN: uncertain, LeftOut.UNFINISHED: 1},
    )
    only = store.tallies(game="limit-2p")
    assert only.hands == sum(hand.rules.name == "limit-2p" and why_left_out(hand) is None for hand in hands)
    store.remove_source(MORNING.name)
    assert counted_by_tallies(store) == counted_hand_by_hand(store)
    store.add_hands(hands[35:50], MORNING)
    assert counted_by_tallies(store) == counted_hand_by_hand(store)
    store.remove_source(EVENING.name)
    store.remove_source(MORNING.name)
    assert store.tallies() == StoredTallies(0, {}, {}, {})
    assert rows_in(store)["tallies"] == 0


def test_hands_of_an_earlier_version_are_tallied_when_statistics_are_wanted(store: Store) -> None:
    hands = mixed_records()
    store.add_hands(hands[:50], EVENING)
    with store._writing() as connection:
        for statement in (
            "DELETE FROM tallies",
            "DELETE FROM tallied",
            "UPDATE hands SET left_out = NULL",
        ):
            connection.execute(text(statement))
    store.add_hands(hands[50:], MORNING)
    assert rows_in(store)["tallies"] == 0
    told: list[tuple[int, int]] = []
    store.tallies(progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (len(hands), len(hands))
    assert counted_by_tallies(store) == counted_hand_by_hand(store)
    assert store.tallies().left_out[LeftOut.UNFINISHED] == 1
    with store._writing() as connection:
        connection.execute(text("UPDATE hands SET board = 'damage' WHERE id = 1"))
    store.remove_source(EVENING.name)
    assert counted_by_tallies(store) == counted_hand_by_hand(store)
