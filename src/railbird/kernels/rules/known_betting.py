"""Betting situations that were reached before: what may be done there, and where it leads.

In a limit game with few players the same situations are reached again and again. A table of them, filled by the rules
of `kernels.rules.betting` as hands are played, takes the place of applying these rules once more. It has room for a
number of situations; those that come later are computed each time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.rules.betting import (
    ACTOR,
    CALL,
    FOLD,
    LIVE,
    MAY_FOLD,
    RAISE,
    RAISE_MAXIMUM,
    RAISE_MINIMUM,
    STATE_LENGTH,
    Vector,
    advance,
)

UNKNOWN = -1
CHOICES, LIVES = 3, 4
"""Columns of a situation, after those that follow fold, call and raise, without the ones that are not legal: the number
of legal actions, 0 when the hand is over, and of the players who have not folded."""
_COLUMNS = 5


class KnownBetting(NamedTuple):
    """The known situations; the first is the opening."""

    links: NDArray[np.int32]
    """By situation and legal action, the situation that follows, or `UNKNOWN`; then the other columns."""
    states: NDArray[np.int64]
    """The state of every situation."""
    filled: NDArray[np.int64]
    """How many there are."""


def known_from(opening: Vector, room: int) -> KnownBetting:
    """A table with the opening alone and room for a number of situations."""
    known = KnownBetting(
        np.empty((room, _COLUMNS), dtype=np.int32),
        np.empty((room, STATE_LENGTH), dtype=np.int64),
        np.ones(1, dtype=np.int64),
    )
    known.states[0] = opening
    describe(known, 0)
    return known


@njit(cache=True, internal=True)
def follow(rules: Vector, known: KnownBetting, situation: int, choice: int) -> int:
    """Compute the situation after a legal action, and enter it in the table; `UNKNOWN` if there is no room."""
    following = known.filled[0]
    if following == len(known.links):
        return UNKNOWN
    known.states[following] = known.states[situation]
    perform_choice(rules, known.states[following], choice)
    describe(known, following)
    known.links[situation, choice] = following
    known.filled[0] += 1
    return int(following)


@njit(cache=True, internal=True)
def perform_choice(rules: Vector, state: Vector, choice: int) -> None:
    """Perform the legal action with a number: fold, call, raise, without those that are not legal."""
    kind = choice if state[MAY_FOLD] else choice + 1
    advance(rules, state, kind, state[RAISE_MINIMUM] if kind == RAISE else 0)


@njit(cache=True)
def describe(known: KnownBetting, situation: int) -> None:
    """Write what may be done in a situation, whose state is there."""
    state, links = known.states[situation], known.links[situation]
    links[FOLD] = links[CALL] = links[RAISE] = UNKNOWN
    links[CHOICES] = 0
    if state[ACTOR] >= 0:
        links[CHOICES] = 1 + state[MAY_FOLD] + (state[RAISE_MAXIMUM] > 0)
    links[LIVES] = state[LIVE]
