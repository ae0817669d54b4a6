"""A holding against the others on the present board: ahead, tied or behind, holding by holding.

This is the hand-strength loop of casper-2007 §5 and baycarp-2011 fig. 6.3, where every opponent's holding may
have its own weight (loki-1999). Against a random holding all weights are one, and the sums are then
exact counts.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, hand_value

AHEAD, TIED, BEHIND = 0, 1, 2
"""How a holding stands against another one: the order of every array over these three."""

_NO_CARDS = np.uint64(0)


@njit(cache=True, internal=True)
def compare(own: Any, other: Any) -> Any:
    """AHEAD, TIED or BEHIND, from two values of hands."""
    # 0 if own > other, 1 if own == other, else 2: sums of comparisons avoid unpredictable branches.
    return np.int64(own <= other) + np.int64(own < other)


@njit(cache=True)
def compare_with_all(
    cards: NDArray[np.int64],
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    now: NDArray[np.float64],
) -> None:
    """Write the weights of the holdings that two hole cards, followed in `cards` by the board, stand against.

    `now` has the weight of those they are AHEAD of, TIED with and BEHIND.
    """
    board_key = EMPTY_KEY
    board_mask = _NO_CARDS
    for i in range(2, cards.size):
        board_key += CARD_KEYS[cards[i]]
        board_mask |= CARD_MASKS[cards[i]]
    own = hand_value(
        board_key + CARD_KEYS[cards[0]] + CARD_KEYS[cards[1]],
        board_mask | CARD_MASKS[cards[0]] | CARD_MASKS[cards[1]],
        tables,
    )
    live = live_cards(cards)
    now[:] = 0.0
    for i in range(live.size):
        high = live[i]
        key = board_key + CARD_KEYS[high]
        mask = board_mask | CARD_MASKS[high]
        first_holding = high * (high - 1) // 2
        for j in range(i):
            low = live[j]
            other = hand_value(key + CARD_KEYS[low], mask | CARD_MASKS[low], tables)
            now[compare(own, other)] += weights[first_holding + low]


@njit(cache=True, internal=True)
def live_cards(seen: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cards that have not been seen, ascending."""
    is_live = np.ones(52, dtype=np.bool_)
    for i in range(seen.size):
        is_live[seen[i]] = False
    live = np.empty(52 - seen.size, dtype=np.int64)
    count = 0
    for card in range(52):
        if is_live[card]:
            live[count] = card
            count += 1
    return live
