"""What an agent found in a player's decisions, in the tables: the latest review of every player of a session.

It goes when its session goes, and it is replaced, with all its reasons, by the next review of the same player.

>>> import tempfile
>>> from railbird.store.sessions import SessionBegun, StoredSession, StoredSessions
>>> from railbird.store.store import open_store
>>> review = StoredReview("simbot", "1.0", 7, {"different": 1}, {(3, 2): b'{"summary": "Raising won the most."}'})
>>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/sessions.db") as store:
...     begun = SessionBegun(StoredSession("evening", "ann", "2012-03-04T19:00:00+00:00", False, {}))
...     StoredSessions(store).write([begun])
...     reviews = StoredReviews(store)
...     reviews.keep("evening", "ann", review)
...     reviews.review("evening", "ann").agent, reviews.reasons("evening", "ann", 3, 2)
('simbot', b'{"summary": "Raising won the most."}')
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, insert, select

from railbird.store.sessions.changes import SessionError
from railbird.store.sessions.rows import (
    LARGEST_NUMBER,
    LARGEST_STEP,
    is_storable,
    json_text,
    loaded,
    packed_json,
    unpacked_json,
)
from railbird.store.store import Store
from railbird.store.tables import REVIEW_REASONS, SESSION_REVIEWS, SESSIONS


@dataclass(frozen=True, slots=True)
class StoredReview:
    """A review of the decisions that one player made in a session."""

    agent: str
    version: str
    """The version of Railbird that made it."""
    last: int
    """The last finished hand of the session then."""
    result: Mapping[str, Any]
    """Plain JSON: counts and decisions."""
    reasons: Mapping[tuple[int, int], bytes] = field(default_factory=dict, repr=False)
    """JSON by hand and number of previous actions; read one by one, by `StoredReviews.reasons`."""


class StoredReviews:
    """All reviews of a store. It can be used by several threads."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, session: str, player: str, review: StoredReview) -> None:
        """Store a review in place of the player's earlier one; refused if the session does not exist."""
        place = {"session": session, "player": player}
        row = {
            **place,
            "agent": review.agent,
            "version": review.version,
            "last": review.last,
            "result": json_text(review.result, f"the review of session {session!r}"),
        }
        if not all(is_storable(value) for value in row.values() if isinstance(value, str)):
            raise SessionError(
                f"session {session!r}: its review by {review.agent!r} cannot be stored as text"
            )
        reasons = [
            {**place, "hand": hand, "step": step, "reasons": packed_json(why)}
            for (hand, step), why in review.reasons.items()
        ]
        with self._store._writing() as connection:
            if connection.scalar(select(SESSIONS.c.id).where(SESSIONS.c.id == session)) is None:
                raise SessionError(f"there is no session {session!r}")
            reviews = SESSION_REVIEWS.c
            connection.execute(
                delete(SESSION_REVIEWS).where(reviews.session == session, reviews.player == player)
            )
            connection.execute(insert(SESSION_REVIEWS), row)
            if reasons:
                connection.execute(insert(REVIEW_REASONS), reasons)

    def review(self, session: str, player: str) -> StoredReview | None:
        """A player's review without its reasons; None if there is none."""
        reviews = SESSION_REVIEWS.c
        asked = select(reviews.agent, reviews.version, reviews.last, reviews.result).where(
            reviews.session == session, reviews.player == player
        )
        with self._store._reading() as connection:
            row = connection.execute(asked).one_or_none()
        if row is None:
            return None
        where = f"{self._store.address}: the review of session {session!r}"
        return StoredReview(row.agent, row.version, row.last, loaded(row.result, where))

    def reasons(self, session: str, player: str, hand: int, step: int) -> bytes | None:
        """The reasons in one decision of a player's review, as JSON; None if there are none."""
        if not (0 < hand <= LARGEST_NUMBER and 0 <= step <= LARGEST_STEP):
            return None
        reasons = REVIEW_REASONS.c
        asked = select(reasons.reasons).where(
            reasons.session == session,
            reasons.player == player,
            reasons.hand == hand,
            reasons.step == step,
        )
        with self._store._reading() as connection:
            found = connection.scalar(asked)
        where = f"{self._store.address}: the reasons in the review of session {session!r}"
        return None if found is None else unpacked_json(found, where)
