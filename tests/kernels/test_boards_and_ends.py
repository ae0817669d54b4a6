"""Holdings in the order of their strength, and what they win against ranges, pair by pair."""

from itertools import pairwise

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from made_up_buckets import COARSE
from railbird.cards import parse_cards
from railbird.hands.evaluator import evaluate, tables
from railbird.hands.holdings import cards_of
from railbird.kernels.solve import boards, buckets, ends
from railbird.kernels.solve.lanes import LANES, aligned_zeros, load

BOARDS = ("Qh 8h 3c Ks 2d", "As Ks Qs Js Ts", "7c 7d 7h 2s 2c", "9h 8h 7h 6h 2h")
STAKES = aligned_zeros(2)
STAKES[0], STAKES[1] = np.arange(LANES), -2


def ordered(text: str) -> boards.Board:
    board, room = boards.empty_board(), boards.board_room()
    cards = np.array(parse_cards(text), dtype=np.uint8)
    boards.order_holdings(cards, tables(), room, board)
    return board


@pytest.mark.parametrize("text", BOARDS)
def test_holdings_ascend_and_ties_end_where_values_change(text: str) -> None:
    board, cards = ordered(text), parse_cards(text)
    values = [evaluate((*cards_of(each), *cards)) for each in board.holdings.tolist()]
    assert values == sorted(values)
    assert len(set(board.holdings.tolist())) == boards.LIVE
    changes = [place + 1 for place, (one, other) in enumerate(pairwise(values)) if one != other]
    groups = len(changes) + 1
    assert board.ties[: groups + 1].tolist() == [*changes, boards.LIVE, 0]
    for row in (0, 500, 1080):
        assert (board.high[row], board.low[row]) == cards_of(int(board.holdings[row]))


def test_slots_number_the_buckets_that_occur() -> None:
    cards = np.array(parse_cards(BOARDS[0]), dtype=np.uint8)
    board = boards.empty_board()
    boards.order_holdings(cards, tables(), boards.board_room(), board)
    buckets.find_buckets(cards, COARSE.tables(), 1, buckets.bucket_room(169), board)
    for street in range(4):
        row = boards.STREETS + street
        expected = COARSE.on_board(cards.tolist(), street)[board.holdings]
        assert np.array_equal(board.buckets[row], expected)
        assert np.array_equal(board.present[row][board.slots[row]], expected)
        assert board.slot_counts[row] == len(set(expected.tolist()))
    assert not board.slot_counts[: boards.STREETS].any()


@njit(nogil=True)
def win(
    board: boards.Board, reach: NDArray[np.float32], stakes: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    cards = np.zeros((52, 16), dtype=np.float32)
    called, folded = load(stakes, 0), load(stakes, 1)
    high, low, ties = board.high, board.low, board.ties
    ends.win_uncontested(reach, 1, high, low, folded, cards, out, 0)
    ends.win_showdown(reach, 1, high, low, ties, called, cards, out, boards.LIVE)
    ends.win_showdown_or_fold(
        reach, 1, high, low, ties, called, folded, cards, out, 3 * boards.LIVE, 2 * boards.LIVE
    )


@pytest.mark.parametrize("text", BOARDS)
def test_wins_are_the_sums_over_all_holdings_that_can_be_met(text: str) -> None:
    board, cards = ordered(text), parse_cards(text)
    generator = np.random.default_rng(2)
    reach = aligned_zeros(boards.LIVE + 1)
    reach[:] = generator.random(reach.shape) * (generator.random(reach.shape) < 0.3)
    out = aligned_zeros(4, boards.LIVE)
    win(board, reach, STAKES, out)
    holes = np.column_stack((board.high, board.low))
    values = np.array([evaluate((*hole, *cards)) for hole in holes.tolist()])
    meets = ~(holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
    folded = STAKES[1] * (meets @ reach[1:].astype(np.float64))
    beats = np.sign(values[:, None] - values[None, :]) * meets
    called = STAKES[0] * (beats @ reach[1:].astype(np.float64))
    assert out[0] == pytest.approx(folded, abs=1e-2)
    assert out[1] == pytest.approx(called, abs=1e-1)
    assert np.array_equal(out[2], out[0])
    assert np.array_equal(out[3], out[1])
