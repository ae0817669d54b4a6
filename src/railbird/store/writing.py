"""Hands written to the tables in batches. Everything here runs in a transaction that excludes other writers.

With one writer at a time, rows simply get the next free ids, and no other process can insert the same row between
lookup and insertion.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Dialect, Table, delete, func, select, update

from railbird.engine.json_form import rules_to_json
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.features.player_counts import why_left_out
from railbird.notation.records import digest_of
from railbird.store.addresses import StoreError
from railbird.store.reading import HandReader, Wanted
from railbird.store.rows import HandRows, require_storable, rows_of
from railbird.store.tables import ACTIONS, GAMES, HANDS, PLAYERS, SEATS, SIGHTINGS, SOURCES
from railbird.store.tallying import (
    TalliedHand,
    end_removal,
    forget_tallies,
    tallied_through,
    tally,
    tally_new,
    untally,
)

_DIGEST_SIZE = 16


@dataclass(frozen=True, slots=True)
class Added:
    """The numbers of hands added to a store."""

    new: int = 0
    known: int = 0
    """Hands that the store already had, or that were given twice."""

    def __add__(self, other: "Added") -> "Added":
        return Added(self.new + other.new, self.known + other.known)


class Game(NamedTuple):
    """The rules of a hand in their stored form."""

    digest: bytes
    rules: GameRules
    text: str


@dataclass(frozen=True, slots=True)
class PreparedHand:
    """A hand prepared for storage."""

    digest: bytes
    game: Game
    rows: HandRows
    record: HandRecord


class Preparation:
    """Prepares the hands of one source for storage, without a database.

    A hand with an id that appears twice in a source is one hand. Identical hands without ids, such as two walks with
    hidden cards, are different hands: they are numbered, so that every copy of the source gives the same digests.
    """

    def __init__(self) -> None:
        self._seen: Counter[bytes] = Counter()
        self._rules: GameRules | None = None
        self._game: Game | None = None

    def hand(self, record: HandRecord) -> PreparedHand:
        """The next hand; one that cannot be stored raises `RowError`."""
        rows = rows_of(record)
        require_storable(rows)
        return PreparedHand(self._digest(record), self.game(record), rows, record)

    def _digest(self, record: HandRecord) -> bytes:
        digest = digest_of(record)
        if record.hand_id:
            return digest
        times = self._seen[digest]
        self._seen[digest] += 1
        return blake2b(digest + b"%d" % times, digest_size=_DIGEST_SIZE).digest() if times else digest

    def game(self, record: HandRecord) -> Game:
        """The game of a hand."""
        rules = record.rules
        if rules.stacks != record.setup.stacks:
            return _game(rules, False)
        # Most sources contain one game, and an identical object is found faster than an equal one.
        if self._game is None or rules is not self._rules:
            self._rules, self._game = rules, _game(rules, True)
        return self._game


@lru_cache(maxsize=1024)
def _game(rules: GameRules, own_stacks: bool) -> Game:
    """The digest of a game and its rules as JSON; with `own_stacks`, stacks are not part of the game."""
    data = rules_to_json(rules)
    if own_stacks:
        data["stacks"] = None
    text = json.dumps(data, separators=(",", ":"))
    return Game(blake2b(text.encode(), digest_size=_DIGEST_SIZE).digest(), rules, text)


def add_batch(connection: Connection, source: int, hands: Sequence[PreparedHand]) -> Added:
    """Insert the new hands, and record for all of them that the source contains them."""
    return add_hands_of(connection, [(source, hand) for hand in hands])


def add_hands_of(connection: Connection, hands: Sequence[tuple[int, PreparedHand]]) -> Added:
    """The same for hands of several sources, each with its source id."""
    batch = {hand.digest: hand for _, hand in hands}
    known = _numbers(connection, HANDS.c.digest, batch)
    new = [hand for digest, hand in batch.items() if digest not in known]
    numbers = known | _insert(connection, new) if new else known
    seen = _sightings(connection, {source for source, _ in hands}, list(known.values()))
    sightings = dict.fromkeys((numbers[hand.digest], source) for source, hand in hands)
    _insert_rows(connection, SIGHTINGS, [each for each in sightings if each not in seen])
    return Added(len(new), len(hands) - len(new))


def _insert(connection: Connection, hands: Sequence[PreparedHand]) -> dict[bytes, int]:
    """Insert hands; returns their ids by digest."""
    players = _player_numbers(connection, {row[1] for hand in hands for row in hand.rows.seats})
    games = _game_numbers(connection, {hand.game.digest: hand.game for hand in hands})
    first = _next_number(connection, HANDS)
    numbered = list(enumerate(hands, start=first))
    _insert_rows(
        connection,
        HANDS,
        [
            (number, hand.digest, games[hand.game.digest], *hand.rows.hand, left_out_word(hand.record))
            for number, hand in numbered
        ],
    )
    _insert_rows(
        connection,
        SEATS,
        [
            (number, seat, players[name], *rest)
            for number, hand in numbered
            for seat, name, *rest in hand.rows.seats
        ],
    )
    _insert_rows(
        connection, ACTIONS, [(number, *row) for number, hand in numbered for row in hand.rows.actions]
    )
    tally_new(
        connection,
        [TalliedHand(number, games[hand.game.digest], players, hand.record) for number, hand in numbered],
    )
    return {hand.digest: number for number, hand in numbered}


def _insert_rows(connection: Connection, table: Table, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows with a value for every column, in the order of the columns.

    The rows are passed to the driver as tuples: named parameters cost more than writing the rows.
    """
    if rows:
        connection.exec_driver_sql(_insert_statement(table, connection.dialect), list(rows))


@lru_cache
def _insert_statement(table: Table, dialect: Dialect) -> str:
    quote = dialect.identifier_preparer.quote
    columns = ", ".join(quote(column.name) for column in table.columns)
    place = "?" if dialect.paramstyle == "qmark" else "%s"
    return f"INSERT INTO {quote(table.name)} ({columns}) VALUES ({', '.join([place] * len(table.columns))})"


def _next_number(connection: Connection, table: Table) -> int:
    last: int | None = connection.scalar(select(func.max(table.c.id)))
    return (last or 0) + 1


def _numbers(connection: Connection, column: Column[Any], values: Iterable[Any]) -> dict[Any, int]:
    """The ids of the rows that have one of these values in a column."""
    found = connection.execute(select(column, column.table.c.id).where(column.in_(list(values))))
    return {value: int(number) for value, number in found}


def _player_numbers(connection: Connection, names: set[str]) -> dict[str, int]:
    numbers = _numbers(connection, PLAYERS.c.name, sorted(names))
    new = sorted(names - numbers.keys())
    if new:
        first = _next_number(connection, PLAYERS)
        added = {name: number for number, name in enumerate(new, start=first)}
        _insert_rows(connection, PLAYERS, [(number, name) for name, number in added.items()])
        numbers |= added
    return numbers


def _game_numbers(connection: Connection, games: Mapping[bytes, Game]) -> dict[bytes, int]:
    numbers = _numbers(connection, GAMES.c.digest, games)
    new = [game for digest, game in games.items() if digest not in numbers]
    if new:
        first = _next_number(connection, GAMES)
        rows = [
            (
                number,
                digest,
                rules.name,
                rules.betting.value,
                rules.players,
                rules.unit,
                rules.unit_chips,
                text,
            )
            for number, (digest, rules, text) in enumerate(new, start=first)
        ]
        _insert_rows(connection, GAMES, rows)
        numbers |= {game.digest: number for number, game in enumerate(new, start=first)}
    return numbers


def _sightings(
    connection: Connection, sources: Collection[int], hands: Sequence[int]
) -> set[tuple[int, int]]:
    """The pairs of hand id and source id that are already recorded."""
    if not hands:
        return set()
    asked = select(SIGHTINGS.c.hand, SIGHTINGS.c.source).where(
        SIGHTINGS.c.source.in_(sources), SIGHTINGS.c.hand.in_(hands)
    )
    return {(hand, source) for hand, source in connection.execute(asked)}


def source_number(connection: Connection, name: str, digest: str, added: str) -> int:
    """The id of a source, which is added if it is new."""
    return source_numbers(connection, {digest: name}, added)[digest]


def source_numbers(connection: Connection, names: Mapping[str, str], added: str) -> dict[str, int]:
    """The same for several sources: ids by digest, from names by digest."""
    numbers = _numbers(connection, SOURCES.c.digest, names)
    new = [digest for digest in names if digest not in numbers]
    if new:
        first = _next_number(connection, SOURCES)
        rows = [
            (number, names[digest], digest, added, False) for number, digest in enumerate(new, start=first)
        ]
        _insert_rows(connection, SOURCES, rows)
        numbers |= {digest: number for number, digest in enumerate(new, start=first)}
    return numbers


def tally_next(connection: Connection, reader: HandReader) -> int:
    """Tally some hands of a store that an earlier version wrote; returns how many, 0 if all are tallied."""
    read = reader.chunk(connection, Wanted(), tallied_through(connection))
    if read:
        uncounted = [(left_out_word(record), number) for number, record in read if why_left_out(record)]
        for word, number in uncounted:
            connection.execute(update(HANDS).where(HANDS.c.id == number).values(left_out=word))
        tally(connection, _with_ids(connection, read))
    return len(read)


def left_out_word(record: HandRecord) -> str | None:
    """Why statistics leave a hand out, as it is stored."""
    reason = why_left_out(record)
    return None if reason is None else reason.value


def _with_ids(connection: Connection, read: Sequence[tuple[int, HandRecord]]) -> list[TalliedHand]:
    players = _player_numbers(connection, {name for _, record in read for name in record.players})
    preparation = Preparation()
    games = {number: preparation.game(record) for number, record in read}
    ids = _game_numbers(connection, {game.digest: game for game in games.values()})
    return [TalliedHand(number, ids[games[number].digest], players, record) for number, record in read]


def remove_source(connection: Connection, source: int) -> int:
    """Remove a source and the hands in no other source; returns the number of hands removed."""
    elsewhere = SIGHTINGS.alias()
    held = select(elsewhere.c.hand).where(elsewhere.c.hand == SIGHTINGS.c.hand, elsewhere.c.source != source)
    alone = select(SIGHTINGS.c.hand).where(SIGHTINGS.c.source == source, ~held.exists())
    _untally(connection, source, set(connection.scalars(alone)))
    removed = connection.execute(delete(HANDS).where(HANDS.c.id.in_(alone))).rowcount
    connection.execute(delete(SIGHTINGS).where(SIGHTINGS.c.source == source))
    connection.execute(delete(SOURCES).where(SOURCES.c.id == source))
    seated = select(SEATS.c.hand).where(SEATS.c.player == PLAYERS.c.id)
    connection.execute(delete(PLAYERS).where(~seated.exists()))
    connection.execute(delete(GAMES).where(GAMES.c.id.not_in(select(HANDS.c.game))))
    end_removal(connection)
    return removed


def _untally(connection: Connection, source: int, hands: Collection[int]) -> None:
    """Take the hands of a source out of the tallies; if one is damaged, all hands are tallied anew later."""
    reader, after = HandReader(""), 0
    try:
        while read := reader.chunk(connection, Wanted(source=source), after):
            after = read[-1][0]
            untally(connection, _with_ids(connection, [each for each in read if each[0] in hands]))
    except StoreError:
        forget_tallies(connection)
