"""Hands read from the tables in chunks, so that neither memory nor a lock is held for all of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, select
from sqlalchemy.exc import NoResultFound

from railbird.engine.json_form import rules_from_json
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.notation.reading import refuse_name, refuse_names
from railbird.store.addresses import DamagedStore, StoreError
from railbird.store.rows import HandRows, record_of
from railbird.store.tables import ACTIONS, GAMES, HANDS, PLAYERS, SEATS, SIGHTINGS

_CHUNK = 512
_MOST_SETUPS = 4096
_LONGEST_REASON = 200
DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    ArithmeticError,
    AttributeError,
    RecursionError,
    AssertionError,
    NoResultFound,
)
"""Errors that invalid rows can cause: SQLite accepts any value in any column."""


def text_of(value: object) -> str:
    """The text of a column; SQLite accepts anything else in it."""
    if not isinstance(value, str):
        raise DamagedStore(f"{value!r:.40} is not text")
    return value


def printable_name(name: object) -> str:
    """A name from a row; control characters could manipulate a terminal."""
    if (reason := refuse_name(text := text_of(name))) is not None:
        raise DamagedStore(reason)
    return text


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requested hands, by the ids of player and source and the name of a game; None for any."""

    player: int | None = None
    source: int | None = None
    game: str | None = None

    def numbers(self, after: int) -> Select[int]:
        """The ids of the requested hands after a given id, in order. The most selective condition comes first."""
        number: ColumnElement[int]
        if self.player is not None:
            number = SEATS.c.hand
            asked = select(number).where(SEATS.c.player == self.player).distinct()
        elif self.source is not None:
            number = SIGHTINGS.c.hand
            asked = select(number).where(SIGHTINGS.c.source == self.source)
        else:
            number = HANDS.c.id
            asked = select(number)
        if self.player is not None and self.source is not None:
            sighting = select(SIGHTINGS.c.hand).where(
                SIGHTINGS.c.hand == number, SIGHTINGS.c.source == self.source
            )
            asked = asked.where(sighting.exists())
        if self.game is not None:
            hand = HANDS.alias()
            games = select(GAMES.c.id).where(GAMES.c.name == self.game)
            asked = asked.where(select(hand.c.id).where(hand.c.id == number, hand.c.game.in_(games)).exists())
        return asked.where(number > after).order_by(number)

    def count(self, connection: Connection) -> int:
        """The number of requested hands."""
        counted: int | None = connection.scalar(
            select(func.count()).select_from(self.numbers(0).order_by(None).subquery())
        )
        return counted or 0


class HandReader:
    """Assembles records; games and setups that many hands share are built once."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._games: dict[int, dict[str, Any]] = {}
        self._setups: dict[tuple[Any, ...], Setup] = {}

    def chunk(self, connection: Connection, wanted: Wanted, after: int) -> list[tuple[int, HandRecord]]:
        """The next hands with their ids; none at the end."""
        numbers = list(connection.scalars(wanted.numbers(after).limit(_CHUNK)))
        if not numbers:
            return []
        hands = connection.execute(_HANDS.where(_among(HANDS.c.id, numbers)).order_by(HANDS.c.id))
        seats = _by_hand(
            connection.execute(
                _SEATS.where(_among(SEATS.c.hand, numbers)).order_by(SEATS.c.hand, SEATS.c.seat)
            )
        )
        actions = _by_hand(
            connection.execute(
                _ACTIONS.where(_among(ACTIONS.c.hand, numbers)).order_by(ACTIONS.c.hand, ACTIONS.c.number)
            )
        )
        records = []
        for number, game, *hand in hands:
            try:
                rows = HandRows(tuple(hand), seats[number], actions.get(number, []))
                record = record_of(rows, self._setup(connection, game, rows))
                reason = refuse_names(record)
            except DAMAGE as error:
                reason = f"{type(error).__name__}: {error}"
            if reason is not None:
                raise StoreError(f"{self._address}: hand {number} is damaged: {reason[:_LONGEST_REASON]}")
            records.append((number, record))
        return records

    def _setup(self, connection: Connection, game: int, rows: HandRows) -> Setup:
        stacks, blinds, antes = (
            tuple(column) for column in zip(*(row[3:6] for row in rows.seats), strict=True)
        )
        first = rows.hand[1]
        key = (game, stacks, blinds, antes, first)
        setup = self._setups.get(key)
        if setup is None:
            if len(self._setups) == _MOST_SETUPS:
                self._setups.clear()
            setup = Setup(self._rules(connection, game, stacks), stacks, blinds, antes, first)
            self._setups[key] = setup
        return setup

    def _rules(self, connection: Connection, game: int, stacks: tuple[int, ...]) -> GameRules:
        data = self._games.get(game)
        if data is None:
            text = connection.scalars(select(GAMES.c.rules).where(GAMES.c.id == game)).one()
            data = self._games[game] = json.loads(text)
        return rules_from_json(data if data["stacks"] is not None else data | {"stacks": list(stacks)})


_HANDS = select(
    HANDS.c.id, HANDS.c.game, HANDS.c.hand_id, HANDS.c.first, HANDS.c.board, HANDS.c.venue, HANDS.c.table_name,
    HANDS.c.time, HANDS.c.currency, HANDS.c.chip, HANDS.c.notes, HANDS.c.ending, HANDS.c.events,
)  # fmt: skip
_SEATS = select(
    SEATS.c.hand, SEATS.c.seat, PLAYERS.c.name, SEATS.c.chair, SEATS.c.stack, SEATS.c.blind, SEATS.c.ante,
    SEATS.c.cards, SEATS.c.payoff, SEATS.c.payoff_of,
).join(PLAYERS, PLAYERS.c.id == SEATS.c.player)  # fmt: skip
_ACTIONS = select(
    ACTIONS.c.hand,
    ACTIONS.c.number,
    ACTIONS.c.round,
    ACTIONS.c.seat,
    ACTIONS.c.kind,
    ACTIONS.c.paid,
    ACTIONS.c.bet,
)


def _among(column: ColumnElement[int], numbers: Sequence[int]) -> ColumnElement[bool]:
    """The condition that a column has one of these numbers, which are in order."""
    if numbers[-1] - numbers[0] + 1 == len(numbers):
        return column.between(numbers[0], numbers[-1])
    return column.in_(numbers)


def _by_hand(rows: Any) -> dict[int, list[Any]]:
    """Rows grouped by their first column, the hand, by which they are ordered."""
    return {hand: [row[1:] for row in group] for hand, group in groupby(rows, key=itemgetter(0))}
