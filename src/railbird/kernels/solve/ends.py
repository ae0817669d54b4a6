"""What the holdings of a board win at the end of a hand, against sixteen ranges at once.

A range is an array of lanes with a row for every holding. A holding meets only holdings that share no card with it:
from the weight of the whole range is taken away the weight of those with its first and with its second card; its own
weight, taken away twice, is given back. Ascending by strength, the same goes for the weight below a holding.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.solve.lanes import load, splat, store

DECK = 52


@njit(cache=True, nogil=True, internal=True)
def clear(array: NDArray[np.float32], first: int, rows: int) -> None:
    """Set rows of lanes to 0."""
    zero = splat(np.float32(0))
    for row in range(first, first + rows):
        store(array, row, zero)


@njit(cache=True, nogil=True)
def win_uncontested(
    reach: NDArray[np.float32],
    start: int,
    high: NDArray[np.int64],
    low: NDArray[np.int64],
    stake: Any,
    cards: NDArray[np.float32],
    out: NDArray[np.float32],
    to: int,
) -> None:
    """Write for every holding the stake times the weight that it meets, from row `to` on."""
    clear(cards, 0, DECK)
    weight = splat(np.float32(0))
    for row in range(len(high)):
        own = load(reach, start + row)
        weight = weight + own
        store(cards, high[row], load(cards, high[row]) + own)
        store(cards, low[row], load(cards, low[row]) + own)
    for row in range(len(high)):
        met = weight - load(cards, high[row]) - load(cards, low[row]) + load(reach, start + row)
        store(out, to + row, stake * met)


@njit(cache=True, nogil=True)
def _sweep(
    reach: NDArray[np.float32],
    start: int,
    high: NDArray[np.int64],
    low: NDArray[np.int64],
    ties: NDArray[np.int64],
    cards: NDArray[np.float32],
    out: NDArray[np.float32],
    to: int,
) -> Any:
    """Write for every holding the weight below it and the weight not above it, added up; returns the whole weight.

    Afterwards `cards` has the weight of the holdings with every card.
    """
    clear(cards, 0, DECK)
    weight = splat(np.float32(0))
    first = 0
    group = 0
    while ties[group] > 0:
        beyond = ties[group]
        for row in range(first, beyond):
            store(out, to + row, weight - load(cards, high[row]) - load(cards, low[row]))
        for row in range(first, beyond):
            own = load(reach, start + row)
            weight = weight + own
            store(cards, high[row], load(cards, high[row]) + own)
            store(cards, low[row], load(cards, low[row]) + own)
        for row in range(first, beyond):
            not_above = weight - load(cards, high[row]) - load(cards, low[row])
            store(out, to + row, load(out, to + row) + not_above)
        first = beyond
        group += 1
    return weight


@njit(cache=True, nogil=True)
def win_showdown(
    reach: NDArray[np.float32],
    start: int,
    high: NDArray[np.int64],
    low: NDArray[np.int64],
    ties: NDArray[np.int64],
    stake: Any,
    cards: NDArray[np.float32],
    out: NDArray[np.float32],
    to: int,
) -> None:
    """Write for every holding the stake times the weight it beats less the weight that beats it."""
    weight = _sweep(reach, start, high, low, ties, cards, out, to)
    for row in range(len(high)):
        # below + (below + equal) − (below + equal + above) = below − above; the own weight is in both.
        met = weight - load(cards, high[row]) - load(cards, low[row])
        store(out, to + row, stake * (load(out, to + row) - met))


@njit(cache=True, nogil=True)
def win_showdown_or_fold(
    reach: NDArray[np.float32],
    start: int,
    high: NDArray[np.int64],
    low: NDArray[np.int64],
    ties: NDArray[np.int64],
    stake: Any,
    fold_stake: Any,
    cards: NDArray[np.float32],
    out: NDArray[np.float32],
    to: int,
    fold_to: int,
) -> None:
    """`win_showdown` for a call and `win_uncontested` for a fold against the same range, in one sweep."""
    weight = _sweep(reach, start, high, low, ties, cards, out, to)
    for row in range(len(high)):
        met = weight - load(cards, high[row]) - load(cards, low[row])
        store(out, to + row, stake * (load(out, to + row) - met))
        store(out, fold_to + row, fold_stake * (met + load(reach, start + row)))
