"""Sessions at the browser table, in the tables: every action is stored, so that a killed server can resume.

After `write` has returned, its changes are stored durably; if the process is killed before that, none of them is.

>>> import tempfile
>>> from railbird.store.store import open_store
>>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/sessions.db") as store:
...     sessions = StoredSessions(store)
...     begun = SessionBegun(StoredSession("evening", "ann", "2012-03-04T19:00:00+00:00", False, {"speed": "slow"}))
...     sessions.write([begun, HandBegun("evening", 1, {"cards": "AhKs"}, True), ActionsDone("evening", 1, "c r20")])
...     sessions.write([ActionsDone("evening", 1, "c r20 f"), HandOver("evening", 1, {"won": 10}, None)])
...     sessions.hand("evening", 1).actions, sessions.totals("evening")
('c r20 f', (1, '10'))
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import groupby, islice
from typing import Any

from sqlalchemy import Connection, TextClause, func, select, text, update

from railbird.store.rows import UnstorableHand
from railbird.store.sessions.changes import (
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
    StoredSession,
)
from railbird.store.sessions.rows import (
    LARGEST_NUMBER,
    hand_of_row,
    is_storable,
    session_of,
    session_of_row,
    values_of,
)
from railbird.store.sources import Source
from railbird.store.store import Store
from railbird.store.tables import SESSION_HANDS, SESSION_REASONS, SESSIONS, SOURCES
from railbird.store.writing import Preparation, PreparedHand, add_hands_of, remove_source, source_numbers

_CHUNK = 500
"""Number of hands read in one transaction; on SQLite, no writer can commit during a read."""
_CHUNK_WITH_REASONS = 50

_STATEMENTS: Mapping[type[Change], TextClause] = {
    SessionBegun: text(
        "INSERT INTO sessions (id, owner, started, finished, settings) "
        "VALUES (:session, :owner, :started, :finished, :settings) ON CONFLICT DO NOTHING"
    ),
    SettingsChanged: text("UPDATE sessions SET settings = :settings WHERE id = :session"),
    SessionOpened: text("UPDATE sessions SET used = :now WHERE id = :session"),
    SessionFinished: text("UPDATE sessions SET finished = TRUE, used = :now WHERE id = :session"),
    SessionRemoved: text("DELETE FROM sessions WHERE id = :session"),
    HandBegun: text(
        "INSERT INTO session_hands (session, number, start, actions, over, counted) "
        "SELECT id, :number, :start, '', FALSE, :counted FROM sessions WHERE id = :session AND NOT finished "
        "ON CONFLICT DO NOTHING"
    ),
    ActionsDone: text(
        "UPDATE session_hands SET actions = :actions "
        "WHERE session = :session AND number = :number AND NOT over AND (actions = '' OR "
        "substr(CAST(:actions AS TEXT) || ' ', 1, length(actions) + 1) = actions || ' ')"
    ),
    ReasonGiven: text(
        "INSERT INTO session_reasons (session, hand, step, reasons) "
        "SELECT session, number, :step, :reasons FROM session_hands "
        "WHERE session = :session AND number = :number "
        "ON CONFLICT (session, hand, step) DO UPDATE SET reasons = excluded.reasons"
    ),
    HandOver: text(
        "UPDATE session_hands SET over = TRUE, ending = :ending, won = :won, won_of = :won_of "
        "WHERE session = :session AND number = :number AND NOT over"
    ),
    HandVoided: text(
        "UPDATE session_hands SET over = TRUE, counted = FALSE, voided = :why "
        "WHERE session = :session AND number = :number AND NOT over"
    ),
}
"""The statement of every change. It must affect exactly one row, otherwise the change is refused."""


class StoredSessions:
    """All sessions of a store. It can be used by several threads; writers wait for each other."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # Writing

    def write(self, changes: Sequence[Change]) -> None:
        """Make all changes in one transaction, those of a session in order, or none and raise the reason."""
        prepared = [_Prepared(change, values_of(change), _record_of(change)) for change in changes]
        if not prepared:
            return
        try:
            self._write(_waves(prepared))
        except _NotAll:
            # Everything was rolled back; retrying one by one finds the change that is wrong.
            self._write([each] for each in prepared)

    def _write(self, waves: Iterable[list["_Prepared"]]) -> None:
        with self.store._writing() as connection:
            for wave in waves:
                statement = _STATEMENTS[type(wave[0].change)]
                if connection.execute(statement, [each.values for each in wave]).rowcount != len(wave):
                    raise _refusal(connection, wave[0].change) if len(wave) == 1 else _NotAll
                _add_records(connection, wave)
                for each in wave:
                    if isinstance(each.change, SessionRemoved):
                        _remove_records(connection, each.change.id)

    # Reading

    def session(self, id: str) -> StoredSession | None:  # noqa: A002
        """A session; None if it does not exist."""
        if not is_storable(id):
            return None
        with self.store._reading() as connection:
            row = connection.execute(select(SESSIONS).where(SESSIONS.c.id == id)).mappings().one_or_none()
        return None if row is None else session_of_row(row, self.store.address)

    def of_owner(self, owner: str) -> list[StoredSession]:
        """All sessions of a player, the newest first."""
        asked = (
            select(SESSIONS)
            .where(SESSIONS.c.owner == owner)
            .order_by(SESSIONS.c.started.desc(), SESSIONS.c.id)
        )
        with self.store._reading() as connection:
            rows = connection.execute(asked).mappings().all()
        return [session_of_row(row, self.store.address) for row in rows]

    def with_settings(self, part: str) -> list[StoredSession]:
        """All sessions whose settings, as text, contain a part; every session is looked at."""
        asked = select(SESSIONS).where(SESSIONS.c.settings.contains(part, autoescape=True))
        with self.store._reading() as connection:
            rows = connection.execute(asked.order_by(SESSIONS.c.started, SESSIONS.c.id)).mappings().all()
        return [session_of_row(row, self.store.address) for row in rows]

    def outlived(self, before: str, after: str = "", limit: int = 20) -> list[str]:
        """The next ids, in order, of sessions last used before a time that are finished or were never played.

        Times are ISO 8601, UTC. A session that was never opened counts as used when it was created.
        """
        played = select(SESSION_HANDS.c.number).where(SESSION_HANDS.c.session == SESSIONS.c.id)
        asked = (
            select(SESSIONS.c.id)
            .where(SESSIONS.c.id > after, func.coalesce(SESSIONS.c.used, SESSIONS.c.started) < before)
            .where(SESSIONS.c.finished | ~played.exists())
            .order_by(SESSIONS.c.id)
            .limit(limit)
        )
        with self.store._reading() as connection:
            return list(connection.scalars(asked))

    def hands(
        self, session: str, after: int = 0, limit: int | None = None, with_reasons: bool = False
    ) -> list[StoredHand]:
        """The hands of a session in order, after a given number; the last may be in progress.

        Reasons are many times longer than everything else, so they are read only on request.
        """
        return list(islice(self._hands(session, after, limit, with_reasons), limit))

    def hand(self, session: str, number: int) -> StoredHand | None:
        """One hand with its reasons; None if it does not exist."""
        if not 0 < number <= LARGEST_NUMBER:
            return None
        found = self.hands(session, number - 1, 1, with_reasons=True)
        return found[0] if found and found[0].number == number else None

    def last_over(self, session: str) -> int:
        """The number of the last finished hand of a session, 0 if there is none."""
        hands = SESSION_HANDS.c
        asked = select(func.max(hands.number)).where(hands.session == session, hands.over)
        with self.store._reading() as connection:
            return int(connection.scalar(asked) or 0)

    def hands_in_progress(self, owner: str) -> dict[str, int]:
        """The number of the hand in progress by session, for a player's sessions; the last one opened first."""
        hands, sessions = SESSION_HANDS.c, SESSIONS.c
        asked = (
            select(hands.session, hands.number)
            .join(SESSIONS, sessions.id == hands.session)
            .where(sessions.owner == owner, ~sessions.finished, ~hands.over)
            .order_by(func.coalesce(sessions.used, sessions.started).desc(), sessions.id, hands.number)
        )
        with self.store._reading() as connection:
            return {session: int(number) for session, number in connection.execute(asked)}

    def totals(self, session: str) -> tuple[int, str]:
        """The number of finished hands of a session that count, and the chips that its player won in them, as text."""
        hands = SESSION_HANDS.c
        asked = (
            select(hands.won_of, func.count(), func.sum(hands.won))
            .where(hands.session == session, hands.counted, hands.won.is_not(None))
            .group_by(hands.won_of)
        )
        with self.store._reading() as connection:
            parts = [(int(won_of), count, int(won)) for won_of, count, won in connection.execute(asked)]
        won = sum((Fraction(won, won_of) for won_of, _, won in parts), Fraction(0))
        return sum(count for _, count, _ in parts), str(won)

    def totals_of_owner(self, owner: str) -> dict[str, tuple[int, str]]:
        """The totals of all sessions of a player with at least one finished hand that counts."""
        hands = SESSION_HANDS.c
        asked = (
            select(hands.session, hands.won_of, func.count(), func.sum(hands.won))
            .join(SESSIONS, SESSIONS.c.id == hands.session)
            .where(SESSIONS.c.owner == owner, hands.counted, hands.won.is_not(None))
            .group_by(hands.session, hands.won_of)
        )
        found: dict[str, tuple[int, Fraction]] = {}
        with self.store._reading() as connection:
            for session, won_of, count, won in connection.execute(asked):
                before, net = found.get(session, (0, Fraction(0)))
                found[session] = before + count, net + Fraction(int(won), int(won_of))
        return {session: (count, str(net)) for session, (count, net) in found.items()}

    def _hands(self, session: str, after: int, limit: int | None, with_reasons: bool) -> Iterator[StoredHand]:
        most = _CHUNK_WITH_REASONS if with_reasons else _CHUNK
        size = most if limit is None else min(most, limit)
        while is_storable(session) and after < LARGEST_NUMBER:
            with self.store._reading() as connection:
                rows, reasons = _chunk(connection, session, after, size, with_reasons)
            for row in rows:
                yield hand_of_row(row, reasons.get(row["number"], ()), self.store.address)
            if len(rows) < size:
                return
            after = rows[-1]["number"]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A change, ready for the database."""

    change: Change
    values: dict[str, Any]
    record: PreparedHand | None


class _NotAll(Exception):
    """At least one of several changes affected no row."""


def _waves(prepared: Iterable[_Prepared]) -> list[list[_Prepared]]:
    """Changes grouped by kind, which is much faster than one by one; those of a session stay in order."""
    waves: list[list[_Prepared]] = []
    reached: dict[str, int] = {}
    for each in prepared:
        session = session_of(each.change)
        first = reached.get(session, 0)
        found = next(
            (at for at in range(first, len(waves)) if type(waves[at][0].change) is type(each.change)),
            len(waves),
        )
        if found == len(waves):
            waves.append([])
        waves[found].append(each)
        reached[session] = found
    return waves


def _chunk(
    connection: Connection, session: str, after: int, size: int, with_reasons: bool
) -> tuple[Sequence[Any], dict[int, list[Any]]]:
    """The rows of the next hands, and those of their reasons by hand number."""
    hands, given = SESSION_HANDS.c, SESSION_REASONS.c
    rows = (
        connection.execute(
            select(SESSION_HANDS)
            .where(hands.session == session, hands.number > after)
            .order_by(hands.number)
            .limit(size)
        )
        .mappings()
        .all()
    )
    if not rows or not with_reasons:
        return rows, {}
    found = connection.execute(
        select(SESSION_REASONS)
        .where(given.session == session, given.hand.between(rows[0]["number"], rows[-1]["number"]))
        .order_by(given.hand, given.step)
    ).mappings()
    return rows, {number: list(group) for number, group in groupby(found, key=lambda row: row["hand"])}


def _record_of(change: Change) -> PreparedHand | None:
    """The rows of a finished hand's record, prepared before the transaction begins."""
    if not isinstance(change, HandOver) or change.record is None:
        return None
    try:
        return Preparation().hand(change.record)
    except UnstorableHand as error:
        raise SessionError(f"session {change.session!r}: {error}") from None


def _add_records(connection: Connection, wave: Sequence[_Prepared]) -> None:
    """Add hands that count to the hand store; their sources are always complete."""
    over = {
        (each.values["session"], each.values["number"]): each.record
        for each in wave
        if each.record is not None
    }
    if not over:
        return
    hands = SESSION_HANDS.c
    asked = select(hands.session, hands.number).where(
        hands.session.in_({session for session, _ in over}),
        hands.number.in_({number for _, number in over}),
        hands.counted,
    )
    counted = [
        (session, number) for session, number in connection.execute(asked) if (session, number) in over
    ]
    sources = {session: Source.of_session(session) for session, _ in counted}
    names = {source.digest: source.name for source in sources.values()}
    numbers = source_numbers(connection, names, datetime.now(UTC).isoformat(timespec="seconds"))
    records = [(numbers[sources[each[0]].digest], over[each]) for each in counted]
    if records:
        add_hands_of(connection, records)
        connection.execute(
            update(SOURCES)
            .where(SOURCES.c.id.in_(numbers.values()), ~SOURCES.c.complete)
            .values(complete=True)
        )


def _remove_records(connection: Connection, session: str) -> None:
    digest = Source.of_session(session).digest
    number = connection.scalar(select(SOURCES.c.id).where(SOURCES.c.digest == digest))
    if number is not None:
        remove_source(connection, number)


def _refusal(connection: Connection, change: Change) -> SessionError:
    """Why a change affected no row."""
    session = session_of(change)
    finished = connection.scalar(select(SESSIONS.c.finished).where(SESSIONS.c.id == session))
    if isinstance(change, SessionBegun):
        return SessionError(f"session {session!r} already exists")
    if finished is None:
        return SessionError(f"there is no session {session!r}")
    assert not isinstance(change, SettingsChanged | SessionOpened | SessionFinished | SessionRemoved)
    if isinstance(change, HandBegun):
        reason = "is finished" if finished else f"already has a hand {change.number}"
        return SessionError(f"session {session!r} {reason}")
    hands = SESSION_HANDS.c
    asked = select(hands.over).where(hands.session == session, hands.number == change.number)
    over = connection.scalar(asked)
    if over:
        return SessionError(f"hand {change.number} of session {session!r} is over")
    if over is not None:
        return SessionError(f"hand {change.number} of session {session!r} has continued differently")
    return SessionError(f"session {session!r} has no hand {change.number}")
