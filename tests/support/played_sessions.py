"""Sessions for tests: hands that were played somehow, written down step by step as a table does it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from hand_records import plain_record
from railbird.engine.actions import ActionKind
from railbird.engine.record import Details, HandRecord
from railbird.store.sessions import (
    ActionsDone,
    Change,
    HandBegun,
    HandOver,
    ReasonGiven,
    SessionBegun,
    StoredHand,
    StoredSession,
)

DIFFERENT = 20
"""Hands that differ in their play; later ones are these again."""


def a_session(
    name: str = "evening", owner: str = "ann", started: str = "2012-03-04T19:00:00"
) -> StoredSession:
    return StoredSession(name, owner, started, False, {"game": "limit-2p", "speed": "slow"})


@cache
def _play(number: int) -> tuple[HandRecord, tuple[str, ...], int]:
    record = plain_record(number % DIFFERENT)
    letters = {ActionKind.FOLD: "f", ActionKind.CALL: "c", ActionKind.RAISE: "r"}
    actions = tuple(f"{letters[action.kind]}{action.to or ''}" for action in record.actions())
    won = record.payoffs[0]
    assert isinstance(won, int)
    return record, actions, won


def record_of(session: str, number: int) -> HandRecord:
    record, _, _ = _play(number)
    return replace(record, hand_id=str(number), details=Details(venue="Railbird", table=session))


def writes_of(session: str, number: int) -> Iterator[tuple[Change, ...]]:
    """What is written down of a hand, every step with the reason for it, and the end."""
    _, actions, won = _play(number)
    yield (HandBegun(session, number, {"cards": "AhKs", "number": number}, True),)
    for step in range(len(actions)):
        done = ActionsDone(session, number, " ".join(actions[: step + 1]))
        yield done, ReasonGiven(session, number, step, reasons_of(number, step))
    yield (HandOver(session, number, {"won": won}, record_of(session, number)),)


def reasons_of(number: int, step: int) -> dict[str, object]:
    """Sometimes long, sometimes short."""
    return {
        "summary": f"{number} {step}" * (1 + 1000 * (step % 3 == 1)),
        "facts": {"hand strength": step / 8},
    }


def hand_after(session: str, number: int, writes: int) -> StoredHand:
    """What the store must hold of a hand after so many of its writes, the beginning included."""
    _, actions, won = _play(number)
    over = writes == len(actions) + 2
    done = min(writes - 1, len(actions))
    return StoredHand(
        session,
        number,
        {"cards": "AhKs", "number": number},
        " ".join(actions[:done]),
        over,
        True,
        {"won": won} if over else None,
        {step: reasons_of(number, step) for step in range(done)},
    )


def writes_of_session(session: str) -> Iterator[tuple[Change, ...]]:
    """A session that goes on for ever."""
    yield (SessionBegun(a_session(session)),)
    number = 0
    while True:
        number += 1
        yield from writes_of(session, number)


def hands_after(session: str, writes: int) -> list[StoredHand]:
    """What the store must hold of a session after so many of its writes."""
    hands: list[StoredHand] = []
    number, left = 0, writes - 1
    while left > 0:
        number += 1
        needed = len(_play(number)[1]) + 2
        hands.append(hand_after(session, number, min(left, needed)))
        left -= needed
    return hands
