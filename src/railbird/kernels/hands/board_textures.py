"""The texture of a board: which flushes and straights it allows (sartre-2012, table 5), by number."""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit

_RANKS, _SUITS, _STRAIGHT = 13, 4, 5
_ACE = 12
_TEXTURES = np.array([[0, 2, 4], [1, 3, 5], [6, 7, 8]], dtype=np.int64)
"""The number of a texture by what is possible of flushes and of straights: nothing, possible, highly possible."""


@njit(cache=True, nogil=True)
def texture_of(board: NDArray[np.uint8]) -> int:
    """The texture of a board of three, four or five cards."""
    suits = np.zeros(_SUITS, dtype=np.int64)
    ranks = np.zeros(_RANKS + 1, dtype=np.int64)  # the ace is also below the deuce, in place 0
    for card in board:
        suits[card % _SUITS] += 1
        rank = card // _SUITS
        ranks[rank + 1] = 1
        if rank == _ACE:
            ranks[0] = 1
    toward_straight = 0
    for lowest in range(_RANKS + 1 - _STRAIGHT + 1):
        toward_straight = max(toward_straight, ranks[lowest : lowest + _STRAIGHT].sum())
    return int(_TEXTURES[_possibility(suits.max()), _possibility(toward_straight)])


@njit(cache=True, nogil=True)
def _possibility(cards: int) -> int:
    """0, 1 or 2 for not possible, possible or highly possible, from how many of the five cards are on the board."""
    return max(0, min(cards, 4) - 2)
