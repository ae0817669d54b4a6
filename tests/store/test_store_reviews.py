"""Reviews of sessions: one for each player, replaced as a whole, gone with the session."""

from collections.abc import Iterator

import pytest
from sqlalchemy import text, update

from played_sessions import a_session
from railbird.store.addresses import StoreError
from railbird.store.sessions import (
    SessionBegun,
    SessionError,
    SessionRemoved,
    StoredReview,
    StoredReviews,
    StoredSessions,
)
from railbird.store.store import Store, open_store
from railbird.store.tables import REVIEW_REASONS

LONG = b'{"summary":"' + b"It is better so. " * 1000 + b'"}'
FIRST = StoredReview("simbot", "1.0", 7, {"different": 2}, {(1, 0): b'{"summary":"Why"}', (3, 2): LONG})
SECOND = StoredReview("equilibrium", "1.1", 9, {"different": 1}, {(5, 1): b"{}"})


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        StoredSessions(opened).write([SessionBegun(a_session("evening")), SessionBegun(a_session("night"))])
        yield opened


@pytest.fixture
def reviews(store: Store) -> StoredReviews:
    return StoredReviews(store)


def reasons_in(reviews: StoredReviews, session: str, player: str) -> dict[tuple[int, int], bytes]:
    places = {*FIRST.reasons, *SECOND.reasons}
    found = {place: reviews.reasons(session, player, *place) for place in places}
    return {place: why for place, why in found.items() if why is not None}


def test_a_review_comes_back_as_it_was(reviews: StoredReviews) -> None:
    reviews.keep("evening", "ann", FIRST)
    found = reviews.review("evening", "ann")
    assert found is not None
    assert (found.agent, found.version, found.last, found.result) == ("simbot", "1.0", 7, {"different": 2})
    assert reasons_in(reviews, "evening", "ann") == FIRST.reasons


@pytest.mark.parametrize("place", [(2, 0), (1, 1), (-1, 0), (1, -1), (2**70, 0), (1, 2**20)])
def test_a_decision_that_was_not_listed_has_no_reasons(
    reviews: StoredReviews, place: tuple[int, int]
) -> None:
    reviews.keep("evening", "ann", FIRST)
    assert reviews.reasons("evening", "ann", *place) is None


def test_everybody_has_a_review_of_their_own_and_the_next_one_replaces_it(reviews: StoredReviews) -> None:
    for session, player in (("evening", "ann"), ("evening", "bob"), ("night", "ann")):
        reviews.keep(session, player, FIRST)
    reviews.keep("evening", "ann", SECOND)
    for session, player, expected in (
        ("evening", "ann", SECOND),
        ("evening", "bob", FIRST),
        ("night", "ann", FIRST),
    ):
        found = reviews.review(session, player)
        assert found is not None
        assert found.result == expected.result
        assert reasons_in(reviews, session, player) == expected.reasons
    assert reviews.review("night", "bob") is None
    assert reasons_in(reviews, "night", "bob") == {}


def test_a_review_goes_with_its_session(store: Store, reviews: StoredReviews) -> None:
    reviews.keep("evening", "ann", FIRST)
    StoredSessions(store).write([SessionRemoved("evening")])
    with store._reading() as connection:
        for table in ("session_reviews", "review_reasons"):
            assert connection.execute(text(f"SELECT COUNT(*) FROM {table}")).scalar_one() == 0
    with pytest.raises(SessionError, match="there is no session 'evening'"):
        reviews.keep("evening", "ann", FIRST)


def test_a_review_that_cannot_be_stored_leaves_the_earlier_one(reviews: StoredReviews) -> None:
    reviews.keep("evening", "ann", FIRST)
    for wrong in (
        StoredReview("sim\0bot", "1.0", 7, {}),
        StoredReview("simbot", "1.0", 7, {"agent": object()}),
    ):
        with pytest.raises(SessionError):
            reviews.keep("evening", "ann", wrong)
    assert reasons_in(reviews, "evening", "ann") == FIRST.reasons


def test_damaged_reviews_are_named(store: Store, reviews: StoredReviews) -> None:
    reviews.keep("evening", "ann", FIRST)
    with store._writing() as connection:
        connection.execute(text("UPDATE session_reviews SET result = '{'"))
        connection.execute(update(REVIEW_REASONS).values(reasons=b"xyz"))
    with pytest.raises(StoreError, match="the review of session 'evening' is damaged"):
        reviews.review("evening", "ann")
    with pytest.raises(StoreError, match="reasons in the review of session 'evening' are damaged"):
        reviews.reasons("evening", "ann", 1, 0)
