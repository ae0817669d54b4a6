"""Values of all 1,326 holdings on a board, and the probabilities of their actions: the kernels of re-weighting.

An opponent's weights are multiplied, holding by holding, by the probability that this player would act so with it
(Papp 1998, §7.2; Peña, "Probabilities and Simulations in Poker", 1999, ch. 4). That needs the strength and potential
of every holding. Strength is exact (`strength_board`); for the potential Loki used a crude estimate from features of
the hand, because the exact one of a thousand holdings is too expensive (Papp §7.2.3). Here the features are the draw
(`draws`), overcards and pocket pairs; the numbers are the means of the exact one-card PPot over random flops and
turns.
"""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.draws import board_sets, draw_of
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.play.prob_triple import Style, shares, triple_from_shares
from railbird.kernels.play.situations import Situation

# Cards are signed here, because numba turns signed with unsigned 64-bit numbers into floats.
_HIGH_CARDS, _LOW_CARDS = HIGH_CARDS.astype(np.int64), LOW_CARDS.astype(np.int64)

POTENTIAL_OF_DRAW: NDArray[np.float64] = np.array([0.084, 0.153, 0.222, 0.248, 0.295, 0.352])
"""The mean PPot with one card to come, by the number of the draw in `draws`."""
POTENTIAL_OF_OVERCARD = 0.009
POTENTIAL_OF_POCKET_PAIR = -0.034


@njit(cache=True, borrows=True)
def crude_potential(
    first: int, second: int, ranks: int, rank_counts: int, suit_ranks: NDArray[np.int64]
) -> float:
    """The approximate PPot of two hole cards with one card to come, on a board given by its `draws.board_sets`."""
    potential = POTENTIAL_OF_DRAW[draw_of(first, second, ranks, rank_counts, suit_ranks)]
    first_rank, second_rank = first >> 2, second >> 2
    if first_rank == second_rank:
        return potential + POTENTIAL_OF_POCKET_PAIR  # type: ignore[no-any-return]
    if ranks >> first_rank == 0:
        potential += POTENTIAL_OF_OVERCARD
    if ranks >> second_rank == 0:
        potential += POTENTIAL_OF_OVERCARD
    return potential  # type: ignore[no-any-return]


@njit(cache=True)
def crude_potentials(board: NDArray[np.int64], potentials: NDArray[np.float64]) -> None:
    """Write the crude potential of every holding; 0 on the river and for holdings that the board blocks."""
    potentials[:] = 0.0
    if len(board) == 5:
        return
    suit_ranks = np.empty(4, dtype=np.int64)
    ranks, rank_counts = board_sets(board, suit_ranks)
    for holding in range(HOLDINGS):
        high, low = _HIGH_CARDS[holding], _LOW_CARDS[holding]
        if not ((suit_ranks[high & 3] >> (high >> 2)) & 1 or (suit_ranks[low & 3] >> (low >> 2)) & 1):
            potentials[holding] = crude_potential(high, low, ranks, rank_counts, suit_ranks)


@njit(cache=True, borrows=True)
def act_chances(
    situation: Situation,
    style: Style,
    strengths: NDArray[np.float64],
    potentials: NDArray[np.float64],
    chances: NDArray[np.float64],
) -> None:
    """Write ProbTriple's probabilities by kind of action and holding; 0 for holdings whose strength is NaN."""
    staying, raising, width = shares(situation, style)
    for holding in range(len(strengths)):
        strength = strengths[holding]
        if np.isnan(strength):
            chances[0, holding] = 0.0
            chances[1, holding] = 0.0
            chances[2, holding] = 0.0
        else:
            fold, call, raise_ = triple_from_shares(
                situation, style, staying, raising, width, strength, potentials[holding]
            )
            chances[0, holding] = fold
            chances[1, holding] = call
            chances[2, holding] = raise_
