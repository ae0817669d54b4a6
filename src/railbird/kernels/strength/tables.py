"""Tables of hand strength over canonical situations: filled board by board, and looked up.

A table has a row of three measures for every situation of `isomorphism`: the strength now and, over all
run-outs, the mean of the final strength and of its square.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.kernels.compiler import njit
from railbird.kernels.hands.holdings import HIGH_CARDS, HOLDINGS, LOW_CARDS
from railbird.kernels.hands.isomorphism import (
    card_bit,
    card_set,
    deals_of_sets,
    list_cards,
    situation_of_sets,
    situation_sets,
    situations_of_board,
)
from railbird.kernels.strength.board import compare_all, comparison
from railbird.kernels.strength.kinds import count_final_scores

STRENGTH, MEAN_STRENGTH, MEAN_SQUARE = 0, 1, 2
"""The columns of a table: HS, E[HS] and E[HS²]."""
MEASURES = 3
RIVER_SCORES = 1981
"""A river score is twice the holdings beaten and once those tied, of 990: 0 … 1980."""


@njit(forceinline=True)
def _blocked(holding: Any, board_set: Any) -> Any:
    return (card_bit(HIGH_CARDS[holding]) | card_bit(LOW_CARDS[holding])) & board_set


@njit(cache=True, nogil=True)
def measure_boards(
    first: int, board_cards: int, tables: NDArray[np.uint16], rows: NDArray[np.float32]
) -> None:
    """Write the measures of all holdings on the boards from number `first` on; NaN where a board blocks."""
    ones = np.ones(HOLDINGS, dtype=np.int32)
    now = comparison(ones)
    scores = np.zeros(HOLDINGS, dtype=np.int64)
    squares = np.zeros(HOLDINGS, dtype=np.int64)
    cards = np.empty(board_cards, dtype=np.uint8)
    live = 50 - board_cards
    run_outs = live * (live - 1) // 2 if board_cards == 3 else live
    most = 1980.0  # the score of a holding that beats all 990 others on the river
    for row in range(len(rows)):
        _, board_set = situation_sets(first + row, 0, board_cards)
        list_cards(board_set, cards)
        board = cards.astype(np.int64)
        compare_all(board, ones, tables, now)
        count_final_scores(board, tables, scores, squares)
        for holding in range(HOLDINGS):
            if _blocked(holding, board_set):
                rows[row, holding, :] = np.nan
            else:
                rows[row, holding, 0] = now.scores[holding] / (2.0 * now.possible[holding])
                rows[row, holding, 1] = scores[holding] / (run_outs * most)
                rows[row, holding, 2] = squares[holding] / (run_outs * most * most)


@njit(cache=True, nogil=True)
def enter_boards(first: int, board_cards: int, rows: NDArray[np.float32], table: NDArray[np.float32]) -> None:
    """Enter what `measure_boards` wrote into the table, each holding in the row of its situation."""
    situations = np.empty(HOLDINGS, dtype=np.int64)
    cards = np.empty(board_cards, dtype=np.uint8)
    for row in range(len(rows)):
        list_cards(situation_sets(first + row, 0, board_cards)[1], cards)
        situations_of_board(cards, situations)
        for holding in range(HOLDINGS):
            if situations[holding] >= 0:
                table[situations[holding]] = rows[row, holding]


@njit(cache=True)
def look_up(
    hole: NDArray[np.uint8], board: NDArray[np.uint8], measure: int, table: NDArray[np.float32]
) -> Any:
    """One measure of hole cards on a board."""
    return table[situation_of_sets(card_set(hole), card_set(board)), measure]


@njit(cache=True)
def look_up_each(
    holes: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    measure: int,
    table: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """One measure of every row's hole cards on the same row's board."""
    for row in range(len(holes)):
        out[row] = look_up(holes[row], boards[row], measure, table)


@njit(cache=True)
def look_up_board(
    board: NDArray[np.uint8], measure: int, table: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """One measure of all holdings on a board; NaN where the board blocks a holding."""
    situations = np.empty(HOLDINGS, dtype=np.int64)
    situations_of_board(board, situations)
    for holding in range(HOLDINGS):
        situation = situations[holding]
        out[holding] = np.nan if situation < 0 else table[situation, measure]


@njit(cache=True)
def count_river_scores(
    first: int, beyond: int, tables: NDArray[np.uint16], counts: NDArray[np.int64]
) -> None:
    """Add up by score the deals of hole cards and river boards, boards from `first` to before `beyond`."""
    ones = np.ones(HOLDINGS, dtype=np.int32)
    now = comparison(ones)
    cards = np.empty(5, dtype=np.uint8)
    for number in range(first, beyond):
        hole_set, board_set = situation_sets(number, 0, 5)
        list_cards(board_set, cards)
        deals = deals_of_sets(hole_set, board_set)
        compare_all(cards.astype(np.int64), ones, tables, now)
        for holding in range(HOLDINGS):
            if not _blocked(holding, board_set):
                counts[now.scores[holding]] += deals
