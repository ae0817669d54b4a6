"""Random showdowns: of known holdings on random boards, and of ranges.

`sample_boards` completes the board at random. `sample_ranges` also deals holdings, and weights the deals so that they
represent all deals without a conflict:

Players are dealt their holdings one after another, each from what the cards already dealt leave of the range.
A deal comes up with probability Π wᵢ / Rᵢ, where wᵢ is the weight of player i's holding and Rᵢ the remainder
of the range it was drawn from; it is counted with weight Π Rᵢ. So the weighted deals are distributed as Π wᵢ
over all deals in which no card is held twice, which is what exact enumeration adds up, and no deal is thrown
away. (Drawing independently and throwing conflicts away has the same distribution, but ten random players
conflict in 98 deals of 100. Between ranges of all holdings every Rᵢ is the same in every deal, and the
weights are equal.) The rest of the board is drawn uniformly: there are equally many boards for every deal.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS, holding_index
from railbird.kernels.random import below, draw_cards, load, store, unit_interval
from railbird.kernels.showdown.equity import best_hands, board_sums, held_sums

_NO_CARDS = np.uint64(0)
_GUIDES = 2048
_TRIES = 64
_SAFE_REMAINDER = 1e-6  # of the whole range: below it, differences of sums would be mostly rounding


@njit(cache=True)
def sample_boards(
    holes: NDArray[np.uint8],
    live: NDArray[np.int64],
    samples: int,
    words: NDArray[np.uint64],
    tables: NDArray[np.uint16],
    outcomes: NDArray[np.int64],
) -> None:
    """Count who shares the pot on random boards of five `live` cards, for known holdings; `live` is shuffled."""
    keys, masks = held_sums(holes)
    state = load(words)
    for _ in range(samples):
        state = draw_cards(state, live, 5)
        board_key, board_mask = board_sums(live[:5])
        outcomes[best_hands(keys, masks, board_key, board_mask, tables)] += 1
    store(state, words)


@njit(cache=True)
def sample_ranges(
    weights: NDArray[np.float64],
    order: NDArray[np.int64],
    board: NDArray[np.uint8],
    dead: NDArray[np.uint8],
    samples: int,
    words: NDArray[np.uint64],
    tables: NDArray[np.uint16],
    outcomes: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Add up random deals and the squares of their weights; players are dealt to in the given order."""
    players = len(weights)
    cumulative, guides, of_card = _prepare_draws(weights)
    board_key, board_mask = board_sums(board)
    dead_mask = board_mask
    for card in dead:
        dead_mask |= CARD_MASKS[card]
    keys = np.empty(players, dtype=np.uint64)
    masks = np.empty(players, dtype=np.uint64)
    taken = np.empty(2 * players, dtype=np.int64)
    for _ in range(samples):
        deal_weight = 1.0
        used = _NO_CARDS
        for turn in range(players):
            player = order[turn]
            whole = cumulative[player, HOLDINGS - 1]
            remainder = whole
            for each in range(2 * turn):
                remainder -= of_card[player, taken[each]]
                for other in range(each):
                    remainder += weights[player, holding_index(taken[each], taken[other])]
            if remainder > _SAFE_REMAINDER * whole:
                holding = _draw(cumulative[player], guides[player], used, words)
            else:
                holding = -1
            if holding < 0:
                remainder, holding = _draw_by_scanning(weights[player], used, words)
            deal_weight *= remainder / whole
            if deal_weight == 0.0:
                break
            high, low = HIGH_CARDS[holding], LOW_CARDS[holding]
            keys[player] = CARD_KEYS[high] + CARD_KEYS[low]
            masks[player] = CARD_MASKS[high] | CARD_MASKS[low]
            used |= masks[player]
            taken[2 * turn] = high
            taken[2 * turn + 1] = low
        if deal_weight == 0.0:
            continue
        key, mask = board_key, board_mask
        missing = 5 - len(board)
        while missing > 0:
            card = below(words, 52)
            if not (used | dead_mask) & CARD_MASKS[card]:
                used |= CARD_MASKS[card]
                key += CARD_KEYS[card]
                mask |= CARD_MASKS[card]
                missing -= 1
        winners = best_hands(keys, masks, key, mask, tables)
        outcomes[winners] += deal_weight
        squares[winners] += deal_weight * deal_weight


@njit(cache=True)
def _prepare_draws(weights: NDArray[np.float64]) -> Any:
    """For every player the running sums of weights, where to begin in them, and the weight of each card."""
    players = len(weights)
    cumulative = np.empty((players, HOLDINGS))
    guides = np.empty((players, _GUIDES), dtype=np.int64)
    of_card = np.zeros((players, 52))
    for player in range(players):
        running = 0.0
        for holding in range(HOLDINGS):
            running += weights[player, holding]
            cumulative[player, holding] = running
            of_card[player, HIGH_CARDS[holding]] += weights[player, holding]
            of_card[player, LOW_CARDS[holding]] += weights[player, holding]
        holding = 0
        for guide in range(_GUIDES):
            while cumulative[player, holding] <= running * guide / _GUIDES:
                holding += 1
            guides[player, guide] = holding
    return cumulative, guides, of_card


@njit(cache=True)
def _draw(cumulative: Any, guides: Any, used: Any, words: Any) -> Any:
    """A holding by its weight that uses none of the used cards, −1 if none came up in many tries."""
    whole = cumulative[HOLDINGS - 1]
    for _ in range(_TRIES):
        place = unit_interval(words)
        holding = guides[int(place * _GUIDES)]
        # Stop at the full sum, in case rounding asks for more.
        while cumulative[holding] <= place * whole and cumulative[holding] < whole:
            holding += 1
        if not (CARD_MASKS[HIGH_CARDS[holding]] | CARD_MASKS[LOW_CARDS[holding]]) & used:
            return holding
    return -1


@njit(cache=True)
def _draw_by_scanning(weights: Any, used: Any, words: Any) -> Any:
    """What the used cards leave of a range, and a holding of it by its weight; (0, −1) if nothing is left."""
    remainder = 0.0
    for holding in range(HOLDINGS):
        if not (CARD_MASKS[HIGH_CARDS[holding]] | CARD_MASKS[LOW_CARDS[holding]]) & used:
            remainder += weights[holding]
    place = unit_interval(words) * remainder
    running = 0.0
    drawn = -1
    for holding in range(HOLDINGS):
        free = not (CARD_MASKS[HIGH_CARDS[holding]] | CARD_MASKS[LOW_CARDS[holding]]) & used
        if free and weights[holding] > 0.0:
            drawn = holding
            running += weights[holding]
            if running > place:
                break
    return remainder, drawn
