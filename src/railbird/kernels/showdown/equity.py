"""Who wins how often: exact sums over deals.

A kernel answers with `outcomes`: for every set of players (bit p for player p) the weight of the deals in
which exactly these players share the pot. Wins, ties, losses and equities of all players follow from it.

- `count_hands`: known holdings, every run-out
- `weigh_ranges`: any number of ranges, given boards, holding by holding
- `weigh_two_ranges`: two ranges, given boards, without looking at pairs of holdings
- `list_deals`: ranges as deals of known holdings, to be merged where only suits differ

A deal's weight is the product of its holdings' weights; deals in which two players hold the same card have
none.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, seven_card_value
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS, holding_index

_NO_CARDS = np.uint64(0)
_VALUES = 7463  # values are 1..7462


@njit(cache=True)
def count_hands(
    holes: NDArray[np.uint8],
    board: NDArray[np.uint8],
    live: NDArray[np.uint8],
    tables: NDArray[np.uint16],
    outcomes: NDArray[np.int64],
) -> None:
    """Count who shares the pot over all ways to complete the board with `live` cards, for known holdings."""
    keys, masks = held_sums(holes)
    board_keys = np.empty(6, dtype=np.uint64)
    board_masks = np.empty(6, dtype=np.uint64)
    board_keys[0] = EMPTY_KEY
    board_masks[0] = _NO_CARDS
    for card in board:
        board_keys[0] += CARD_KEYS[card]
        board_masks[0] |= CARD_MASKS[card]
    missing = 5 - len(board)
    if missing == 0:
        outcomes[best_hands(keys, masks, board_keys[0], board_masks[0], tables)] += 1
        return
    # All combinations of `missing` live cards: `following[n]` is the next candidate for the n-th of them.
    following = np.zeros(5, dtype=np.int64)
    level = 0
    while level >= 0:
        key, mask = board_keys[level], board_masks[level]
        if level == missing - 1:
            for place in range(following[level], len(live)):
                card = live[place]
                outcomes[best_hands(keys, masks, key + CARD_KEYS[card], mask | CARD_MASKS[card], tables)] += 1
            level -= 1
        elif following[level] + missing - level > len(live):
            level -= 1
        else:
            card = live[following[level]]
            following[level] += 1
            following[level + 1] = following[level]
            board_keys[level + 1] = key + CARD_KEYS[card]
            board_masks[level + 1] = mask | CARD_MASKS[card]
            level += 1


@njit(forceinline=True)
def held_sums(holes: Any) -> Any:
    """The keys and masks of known holdings."""
    keys = np.empty(len(holes), dtype=np.uint64)
    masks = np.empty(len(holes), dtype=np.uint64)
    for player in range(len(holes)):
        keys[player] = CARD_KEYS[holes[player, 0]] + CARD_KEYS[holes[player, 1]]
        masks[player] = CARD_MASKS[holes[player, 0]] | CARD_MASKS[holes[player, 1]]
    return keys, masks


@njit(forceinline=True)
def best_hands(keys: Any, masks: Any, board_key: Any, board_mask: Any, tables: Any) -> Any:
    """The set of players with the best hand on a whole board."""
    best = np.uint16(0)
    leaders = 0
    for player in range(len(keys)):
        value = seven_card_value(board_key + keys[player], board_mask | masks[player], tables)
        if value > best:
            best = value
            leaders = 1 << player
        elif value == best:
            leaders |= 1 << player
    return leaders


@njit(forceinline=True)
def board_sums(board: Any) -> Any:
    """A whole board's key and mask."""
    key = EMPTY_KEY
    mask = _NO_CARDS
    for card in board:
        key += CARD_KEYS[card]
        mask |= CARD_MASKS[card]
    return key, mask


@njit(forceinline=True)
def value_on(key: Any, mask: Any, holding: Any, tables: Any) -> Any:
    """The value of a holding on a whole board, 0 where the board blocks it."""
    high, low = HIGH_CARDS[holding], LOW_CARDS[holding]
    held = CARD_MASKS[high] | CARD_MASKS[low]
    if held & mask:
        return np.uint16(0)
    return seven_card_value(key + CARD_KEYS[high] + CARD_KEYS[low], mask | held, tables)


@njit(cache=True)
def weigh_ranges(
    boards: NDArray[np.uint8],
    starts: NDArray[np.int64],
    holdings: NDArray[np.int64],
    weights: NDArray[np.float64],
    tables: NDArray[np.uint16],
    outcomes: NDArray[np.float64],
) -> int:
    """Add up and count deals on whole boards; player p holds one of `holdings[starts[p]:starts[p + 1]]`."""
    players = len(starts) - 1
    last = players - 1
    values = np.empty(len(holdings), dtype=np.uint16)
    held = np.empty(len(holdings), dtype=np.uint64)
    for place in range(len(holdings)):
        held[place] = CARD_MASKS[HIGH_CARDS[holdings[place]]] | CARD_MASKS[LOW_CARDS[holdings[place]]]
    # What the players before player p hold together, its weight, and the best hand among them.
    used = np.zeros(players, dtype=np.uint64)
    weight = np.ones(players, dtype=np.float64)
    best = np.zeros(players, dtype=np.uint16)
    leaders = np.zeros(players, dtype=np.int64)
    following = np.zeros(players, dtype=np.int64)
    deals = 0
    for row in range(len(boards)):
        key, mask = board_sums(boards[row])
        for place in range(len(holdings)):
            values[place] = value_on(key, mask, holdings[place], tables)
        player = 0
        following[0] = starts[0]
        while player >= 0:
            place = following[player]
            if place == starts[player + 1]:
                player -= 1
                continue
            following[player] += 1
            value = values[place]
            if value == 0 or held[place] & used[player]:
                continue
            if value > best[player]:
                winners = 1 << player
            elif value == best[player]:
                winners = leaders[player] | (1 << player)
            else:
                winners = leaders[player]
            if player == last:
                outcomes[winners] += weight[player] * weights[place]
                deals += 1
            else:
                player += 1
                used[player] = used[player - 1] | held[place]
                weight[player] = weight[player - 1] * weights[place]
                best[player] = max(best[player - 1], value)
                leaders[player] = winners
                following[player] = starts[player]
    return deals


@njit(cache=True)
def weigh_two_ranges(
    boards: NDArray[np.uint8],
    listed: NDArray[np.int64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    tables: NDArray[np.uint16],
    outcomes: NDArray[np.float64],
) -> None:
    """Add up the deals of two ranges on whole boards; `listed` are the holdings that either of them has.

    The holdings are put in the order of their values. What the second player holds below a holding of the
    first is then a running sum, less what shares its high card, less what shares its low card: nothing below
    it shares both.
    """
    values = np.empty(len(listed), dtype=np.uint16)
    order = np.empty(len(listed), dtype=np.int64)
    for row in range(len(boards)):
        key, mask = board_sums(boards[row])
        for place in range(len(listed)):
            values[place] = value_on(key, mask, listed[place], tables)
        live = _order_by_value(values, order)
        whole = 0.0
        whole_of_card = np.zeros(52)
        for place in range(live):
            holding = listed[order[place]]
            whole += second[holding]
            whole_of_card[HIGH_CARDS[holding]] += second[holding]
            whole_of_card[LOW_CARDS[holding]] += second[holding]
        below_it = 0.0
        below_of_card = np.zeros(52)
        equal_of_card = np.zeros(52)
        place = 0
        while place < live:
            beyond = place
            equal = 0.0
            while beyond < live and values[order[beyond]] == values[order[place]]:
                holding = listed[order[beyond]]
                equal += second[holding]
                equal_of_card[HIGH_CARDS[holding]] += second[holding]
                equal_of_card[LOW_CARDS[holding]] += second[holding]
                beyond += 1
            for each in range(place, beyond):
                holding = listed[order[each]]
                if first[holding] > 0.0:
                    high, low = HIGH_CARDS[holding], LOW_CARDS[holding]
                    # The holding itself is in the sums of both its cards, so it is taken off twice.
                    same = second[holding]
                    all_others = whole - whole_of_card[high] - whole_of_card[low] + same
                    wins = below_it - below_of_card[high] - below_of_card[low]
                    ties = equal - equal_of_card[high] - equal_of_card[low] + same
                    outcomes[0b01] += first[holding] * wins
                    outcomes[0b10] += first[holding] * (all_others - wins - ties)
                    outcomes[0b11] += first[holding] * ties
            for each in range(place, beyond):
                holding = listed[order[each]]
                high, low = HIGH_CARDS[holding], LOW_CARDS[holding]
                below_it += second[holding]
                below_of_card[high] += second[holding]
                below_of_card[low] += second[holding]
                equal_of_card[high] = 0.0
                equal_of_card[low] = 0.0
            place = beyond


@njit(cache=True)
def _order_by_value(values: NDArray[np.uint16], order: NDArray[np.int64]) -> Any:
    """The places of all values above 0, ascending by value (a counting sort), and their number."""
    following = np.zeros(_VALUES + 1, dtype=np.int64)
    for value in values:
        following[value + 1] += 1
    blocked = following[1]
    following[1] = 0
    for value in range(1, _VALUES):
        following[value + 1] += following[value]
    for place in range(len(values)):
        value = values[place]
        if value:
            order[following[value]] = place
            following[value] += 1
    return len(values) - blocked


@njit(cache=True)
def list_deals(
    starts: NDArray[np.int64],
    holdings: NDArray[np.int64],
    weights: NDArray[np.float64],
    renamings: NDArray[np.uint8],
    codes: NDArray[np.int64],
    products: NDArray[np.float64],
) -> int:
    """List the ways to give every player a holding, each as the smallest code among its renamings of suits.

    A code is the number with the players' holdings as digits in base 1,326, the first player's highest: six
    players fit into 63 bits. `renamings[r, card]` is the card that renaming r makes of a card. Returns how
    many there are.
    """
    players = len(starts) - 1
    chosen = np.zeros(players, dtype=np.int64)
    following = np.zeros(players, dtype=np.int64)
    used = np.zeros(players + 1, dtype=np.uint64)
    weight = np.ones(players + 1, dtype=np.float64)
    found = 0
    player = 0
    following[0] = starts[0]
    while player >= 0:
        place = following[player]
        if place == starts[player + 1]:
            player -= 1
            continue
        following[player] += 1
        holding = holdings[place]
        held = CARD_MASKS[HIGH_CARDS[holding]] | CARD_MASKS[LOW_CARDS[holding]]
        if held & used[player]:
            continue
        chosen[player] = holding
        used[player + 1] = used[player] | held
        weight[player + 1] = weight[player] * weights[place]
        if player + 1 < players:
            player += 1
            following[player] = starts[player]
            continue
        smallest = np.int64(np.iinfo(np.int64).max)
        for renaming in renamings:
            code = np.int64(0)
            for each in chosen:
                code = code * HOLDINGS + holding_index(renaming[HIGH_CARDS[each]], renaming[LOW_CARDS[each]])
            if code < smallest:
                smallest = code
        codes[found] = smallest
        products[found] = weight[players]
        found += 1
    return found
