"""Roll-outs: deal whole tables at random, let all players call to the end, record each one's income."""

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.evaluation import CARD_KEYS, CARD_MASKS, EMPTY_KEY, seven_card_value
from railbird.kernels.hands.holdings import holding_index
from railbird.kernels.random import shuffle_first

BET = 2520
"""A bet in the units of a roll-out: one to ten winners share any number of bets without a remainder."""

MOST_PLAYERS = 10


@njit(cache=True)
def roll_out(
    players: int,
    deals: int,
    words: NDArray[np.uint64],
    class_of_holding: NDArray[np.uint8],
    tables: NDArray[np.uint16],
) -> NDArray[np.int64]:
    """Per class of holdings: how often it was dealt, its net income in units, the sum of its squared incomes.

    Each player pays one bet, nobody folds or raises, and the best hands share the pot.
    """
    totals = np.zeros((169, 3), dtype=np.int64)
    deck = np.zeros(52, dtype=np.int64)
    values = np.zeros(MOST_PLAYERS, dtype=np.uint16)
    for _ in range(deals):
        # From an ordered deck, so that a deal depends on the generator alone: the board, then two cards each.
        for card in range(52):
            deck[card] = card
        shuffle_first(words, deck, 5 + 2 * players)
        board_key = EMPTY_KEY
        board_mask = np.uint64(0)
        for place in range(5):
            board_key += CARD_KEYS[deck[place]]
            board_mask |= CARD_MASKS[deck[place]]

        best = np.uint16(0)
        winners = 0
        for player in range(players):
            first, second = deck[5 + 2 * player], deck[6 + 2 * player]
            key = board_key + CARD_KEYS[first] + CARD_KEYS[second]
            mask = board_mask | CARD_MASKS[first] | CARD_MASKS[second]
            value = seven_card_value(key, mask, tables)
            values[player] = value
            if value > best:
                best = value
                winners = 1
            elif value == best:
                winners += 1

        share = players * BET // winners
        for player in range(players):
            first, second = int(deck[5 + 2 * player]), int(deck[6 + 2 * player])
            income = -BET
            if values[player] == best:
                income += share
            row = class_of_holding[holding_index(first, second)]
            totals[row, 0] += 1
            totals[row, 1] += income
            totals[row, 2] += income * income
    return totals
