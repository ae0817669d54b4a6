"""The public betting tree of a game, grown by the rules: all situations that the letters of an abstraction lead to."""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.rules import betting
from railbird.kernels.rules.betting import Vector

KIND, ACTOR, ROUND, FOLDED, PAID = range(5)
"""The columns of a node: four entries of its state, then what every seat has paid. Further columns have for every
letter the following node (−1 if there is none), and then to how much it raises (0 if it is no raise)."""

RAISER, RAISED_IN, PARENT, LETTER = range(betting.STATE_LENGTH, betting.STATE_LENGTH + 4)
"""What a situation has after its state: who made the last raise of the hand and in which round (−1 before the first
raise), the node before it, and the letter that leads to it (−1 at the opening)."""
SITUATION_LENGTH = betting.STATE_LENGTH + 4
_FIRST_ROOM = 1024


@njit(cache=True)
def grow(
    rules: Vector,
    opening: Vector,
    words: NDArray[np.bool_],
    shares: NDArray[np.int64],
    last_round: int,
    most_nodes: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All nodes up to a betting round in preorder, a row for each; one more than `most_nodes` if there are more.

    The situations that open the round after it are no nodes; they are returned too, in their order.

    `words` has the letters that are possible after no raise in the betting round, after one …, the last row also
    after more. `shares` has the share of the pot, as numerator and denominator, by which every letter raises; 0/1 is
    the least raise and 1/0 the largest. The first two letters fold and call.
    """
    seats, letters = rules[betting.SEATS], words.shape[1]
    children = PAID + seats
    amounts = children + letters
    nodes = np.empty((_FIRST_ROOM, amounts + letters), dtype=np.int64)
    waiting = np.empty((_FIRST_ROOM, SITUATION_LENGTH), dtype=np.int64)
    later = np.empty((_FIRST_ROOM, SITUATION_LENGTH), dtype=np.int64)
    situation = np.empty(SITUATION_LENGTH, dtype=np.int64)
    state = situation[: betting.STATE_LENGTH]
    waiting[0] = opening
    waiting[0, PARENT] = -1
    count, left, opened = 0, 1, 0
    while left and count <= most_nodes:
        if count == len(nodes):
            nodes = _doubled(nodes)
        if left + letters > len(waiting):
            waiting = _doubled(waiting)
        left -= 1
        situation[:] = waiting[left]
        if state[betting.ROUND] > last_round and state[betting.ACTOR] >= 0:
            if opened == len(later):
                later = _doubled(later)
            later[opened] = situation
            opened += 1
            continue
        if situation[PARENT] >= 0:
            nodes[situation[PARENT], children + situation[LETTER]] = count
        node = nodes[count]
        node[KIND], node[ACTOR] = state[betting.OUTCOME], state[betting.ACTOR]
        node[ROUND], node[FOLDED] = state[betting.ROUND], state[betting.FOLDED]
        node[PAID:children] = state[betting.PAID : betting.PAID + seats]
        node[children:amounts] = -1
        node[amounts:] = 0
        if state[betting.ACTOR] >= 0:
            word = words[min(state[betting.RAISES], len(words) - 1)]
            find_raises(state, word, shares, node[amounts:])
            for letter in range(letters - 1, -1, -1):  # the last one in is the first one out
                amount = node[amounts + letter]
                if amount or letter == betting.CALL or (letter == betting.FOLD and state[betting.MAY_FOLD]):
                    waiting[left] = situation
                    waiting[left, PARENT], waiting[left, LETTER] = count, letter
                    if amount:
                        waiting[left, RAISER], waiting[left, RAISED_IN] = node[ACTOR], node[ROUND]
                    betting.step(
                        rules, waiting[left, : betting.STATE_LENGTH], min(letter, betting.RAISE), amount
                    )
                    left += 1
        count += 1
    return nodes[:count], later[:opened]


@njit(cache=True, internal=True)
def find_raises(
    state: Vector, word: NDArray[np.bool_], shares: NDArray[np.int64], amounts: NDArray[np.int64]
) -> None:
    """Write to how much every letter of a word raises; 0 where it cannot, or where a later letter means the same."""
    least, most = state[betting.RAISE_MINIMUM], state[betting.RAISE_MAXIMUM]
    pot = state[betting.POT] + state[betting.TO_CALL]
    above = 0
    for letter in range(len(word) - 1, betting.CALL, -1):
        if most and word[letter]:
            numerator, denominator = shares[letter]
            amount = most
            if numerator == 0:
                amount = least
            elif denominator:
                amount = min(state[betting.HIGH] + numerator * pot // denominator, most)
            if amount >= least and amount != above:
                amounts[letter] = amount
                above = amount


@njit(cache=True)
def _doubled(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    larger = np.empty((2 * len(rows), rows.shape[1]), dtype=np.int64)
    larger[: len(rows)] = rows
    return larger
