"""Sessions at the browser table as plain data: their stored form, and the changes to them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from railbird.engine.record import HandRecord
from railbird.store.addresses import StoreError


class SessionError(StoreError):
    """An impossible change, such as an action in a hand that is over."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session of a player."""

    id: str
    owner: str
    """A digest of the token that identifies the player."""
    started: str
    """ISO 8601, UTC."""
    finished: bool
    settings: Mapping[str, Any]
    """Plain JSON with everything needed to resume the table."""


@dataclass(frozen=True, slots=True)
class StoredHand:
    """A hand of a session, finished or not."""

    session: str
    number: int
    """Counted from 1."""
    start: Mapping[str, Any] = field(repr=False)
    """Plain JSON: setup, chairs and cards. Excluded from `repr`, so that logs do not show cards by accident."""
    actions: str
    """All actions: `f`, `c` and `r40`, separated by spaces."""
    over: bool
    """Whether it was played to its end or voided."""
    counted: bool
    """Whether it counts: training hands and voided hands do not."""
    ending: Mapping[str, Any] | None
    """Plain JSON; None before the end, and if the hand was voided."""
    reasons: Mapping[int, Mapping[str, Any]]
    """By the number of previous actions; empty if they were not requested."""
    voided: str = ""
    """Why the hand was voided; empty if it was not."""


@dataclass(frozen=True, slots=True)
class SessionBegun:
    """A new session."""

    session: StoredSession


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The settings of the table have changed."""

    id: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """The player opens the table of a session, for the first time or again."""

    id: str


@dataclass(frozen=True, slots=True)
class SessionFinished:
    """The session has ended: no more hands."""

    id: str


@dataclass(frozen=True, slots=True)
class SessionRemoved:
    """A session is deleted, including its hands in the hand store."""

    id: str


@dataclass(frozen=True, slots=True)
class HandBegun:
    """A hand is dealt."""

    session: str
    number: int
    start: Mapping[str, Any] = field(repr=False)
    counted: bool


@dataclass(frozen=True, slots=True)
class ActionsDone:
    """All actions of a hand so far, which must continue the stored ones."""

    session: str
    number: int
    actions: str


@dataclass(frozen=True, slots=True)
class ReasonGiven:
    """The reasons for the action after `step` others; the hand may be over by then."""

    session: str
    number: int
    step: int
    reasons: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class HandOver:
    """A hand was played to its end."""

    session: str
    number: int
    ending: Mapping[str, Any]
    """Plain JSON. Its `won` is what the session's player won, 7 or "-5/2" chips; absent if only agents play."""
    record: HandRecord | None
    """The record to add to the hand store if the hand counts. Identical hands are stored once there, so its details
    name the session in which it was played."""


@dataclass(frozen=True, slots=True)
class HandVoided:
    """A hand cannot be completed and does not count."""

    session: str
    number: int
    why: str


Change: TypeAlias = (
    SessionBegun
    | SettingsChanged
    | SessionOpened
    | SessionFinished
    | SessionRemoved
    | HandBegun
    | ActionsDone
    | ReasonGiven
    | HandOver
    | HandVoided
)
