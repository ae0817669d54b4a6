"""Sessions at the table in the browser as plain data: what the store keeps of them, and what can happen to them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from railbird.engine.record import HandRecord
from railbird.store.addresses import StoreError


class SessionError(StoreError):
    """A change that cannot be made, such as an action in a hand that is over."""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session of a player."""

    id: str
    owner: str
    """A digest of the token by which the player is known."""
    started: str
    """ISO 8601, UTC."""
    finished: bool
    settings: Mapping[str, Any]
    """Plain JSON, whatever the table needs to go on."""


@dataclass(frozen=True, slots=True)
class StoredHand:
    """A hand of a session, as far as it went."""

    session: str
    number: int
    """Counted from 1."""
    start: Mapping[str, Any] = field(repr=False)
    """Plain JSON: setup, chairs and cards. No log shows them by accident."""
    actions: str
    """Everything that was done: `f`, `c` and `r40` with spaces between them."""
    over: bool
    """Whether it was played to its end or voided."""
    counted: bool
    """Whether it counts: not in training, and not when it was voided."""
    ending: Mapping[str, Any] | None
    """Plain JSON; None before the end, and where there was none because the hand was voided."""
    reasons: Mapping[int, Mapping[str, Any]]
    """By the number of actions before them; empty where they were not asked for."""
    voided: str = ""
    """Why the hand was voided; empty where it was not."""


@dataclass(frozen=True, slots=True)
class SessionBegun:
    """A new session."""

    session: StoredSession


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """The table goes on with other settings."""

    id: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """Somebody sits down at the table of a session, for the first time or again."""

    id: str


@dataclass(frozen=True, slots=True)
class SessionFinished:
    """The player has left for good: no more hands."""

    id: str


@dataclass(frozen=True, slots=True)
class SessionRemoved:
    """Everything of a session goes, also its hands among those of all sources."""

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
    """All actions of a hand so far, which go on from those that are kept."""

    session: str
    number: int
    actions: str


@dataclass(frozen=True, slots=True)
class ReasonGiven:
    """Why the action after `step` others was chosen; the hand may be over by then."""

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
    """Plain JSON. `won` in it is what the session's player won, 7 or "-5/2" chips; nothing where agents are alone."""
    record: HandRecord | None
    """Goes among the hands of all sources where the hand counts, as it is. Hands that look alike count once there, so
    its details say in which session it was played."""


@dataclass(frozen=True, slots=True)
class HandVoided:
    """A hand that cannot be played to its end and counts for nothing."""

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
