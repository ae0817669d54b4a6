"""Sessions at the browser table, stored so that a killed server can resume them.

- `changes`: sessions and hands as plain data, and the changes to them
- `rows`: validated values for changes, and sessions and hands from their rows
- `stored`: all sessions of a store, with every action
- `reviews`: what an agent found in a player's decisions, with its reasons
"""

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
from railbird.store.sessions.reviews import StoredReview, StoredReviews
from railbird.store.sessions.stored import StoredSessions

__all__ = [
    "ActionsDone",
    "Change",
    "HandBegun",
    "HandOver",
    "HandVoided",
    "ReasonGiven",
    "SessionBegun",
    "SessionError",
    "SessionFinished",
    "SessionOpened",
    "SessionRemoved",
    "SettingsChanged",
    "StoredHand",
    "StoredReview",
    "StoredReviews",
    "StoredSession",
    "StoredSessions",
]
