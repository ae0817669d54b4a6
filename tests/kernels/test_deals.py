"""What a deal means to a solver: the same buckets, scores and winners as everywhere else."""

import numpy as np

from made_up_buckets import COARSE
from railbird.hands.evaluator import tables
from railbird.kernels.hands.holdings import holding_index
from railbird.kernels.solve import boards
from railbird.kernels.solve.deals import Deal, find_deal, river_scores
from reference.hand_referees import eval7_values


def test_river_scores_are_those_of_all_holdings() -> None:
    generator = np.random.default_rng(2)
    ordered, room = boards.empty_board(), boards.board_room()
    suits_seen = set()
    for _ in range(40):
        board = generator.permutation(52)[:5]
        suits_seen.add(int(np.bincount(board & 3).max()))
        boards.order_holdings(board.astype(np.uint8), tables(), room, ordered)
        places = generator.integers(boards.LIVE, size=60)
        cards = np.column_stack((ordered.high[places], ordered.low[places])).astype(np.int64).ravel()
        values, scores = np.zeros((2, len(places)), dtype=np.int64)
        river_scores(cards, board, tables(), values, scores)
        assert scores.tolist() == ordered.scores[places].tolist()
    assert suits_seen >= {2, 3, 4}


def test_buckets_and_values_of_a_deal() -> None:
    generator = np.random.default_rng(3)
    known = COARSE.tables()
    for seats in (2, 3):
        deal = Deal(np.zeros((seats, 4), dtype=np.int64), np.zeros(seats, dtype=np.int64))
        for _ in range(10):
            cards = generator.permutation(52)
            find_deal(cards, known, tables(), deal)
            board = cards[2 * seats : 2 * seats + 5].tolist()
            holes = cards[: 2 * seats].reshape(seats, 2)
            for seat, (first, second) in enumerate(holes.tolist()):
                holding = holding_index(first, second)
                expected = [int(COARSE.on_board(board, street)[holding]) for street in range(4)]
                assert deal.buckets[seat].tolist() == expected
            values = eval7_values(np.column_stack((holes, np.tile(board, (seats, 1)))))
            theirs = np.asarray(values, dtype=np.int64)
            for ours, other in ((deal.values, theirs), (theirs, deal.values)):
                assert np.all((ours[:, None] <= ours) | (other[:, None] > other))
