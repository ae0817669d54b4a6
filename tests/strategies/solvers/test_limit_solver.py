"""The solver of heads-up limit hold'em: it does what the papers say, and always the same."""

from pathlib import Path

import numpy as np
import pytest

from made_up_buckets import COARSE, MadeUpBuckets
from railbird.engine.games import named_game
from railbird.strategies.files import StrategyFileError
from railbird.strategies.solvers.limit_solver import LimitSolver
from railbird.strategies.streets import UnsolvableGame
from railbird.strategies.table_strategy import TableStrategy
from reference.limit_regrets import BoardGame, Tables


@pytest.mark.parametrize(
    ("game", "books"),
    [
        ("limit-2p:raises=1/0/0/1", (COARSE,)),
        ("limit-2p:raises=0/1/1/0", (COARSE, MadeUpBuckets("percentiles", (30, 40, 50)))),
        pytest.param("limit-2p", (COARSE,), marks=pytest.mark.soak),
    ],
    ids=["preflop and river", "flop and turn", "all"],
)
def test_regrets_and_averages_are_those_of_the_papers(game: str, books: tuple[MadeUpBuckets, ...]) -> None:
    rules = named_game(game)
    solver = LimitSolver(rules, books[0], seed=5, button=books[1] if len(books) > 1 else None)
    tree, tables = solver.layout.tree, Tables()
    of_seats = (books * 2)[:2]
    for iteration in range(2):
        won = solver.run(1)
        cards = solver.cards_of_iteration(iteration)
        board = BoardGame(tree, cards)
        holdings = board.holdings()
        buckets = [
            {street: book.on_board(cards, street)[holdings] for street in range(4)} for book in of_seats
        ]
        counts = [book.buckets for book in of_seats]
        reach = np.full(len(board.holes), 1 / 990)
        for seat in (0, 1):
            values = board.improve(tables, buckets, counts, seat, iteration + 1.0, 0, reach)
            assert values.mean() == pytest.approx(won[0, seat], abs=1e-5)
    for node in tree.decisions.tolist():
        for ours, theirs in ((solver.learned.regrets, tables.regrets), (solver.learned.sums, tables.sums)):
            expected = theirs[node]
            precision = 1e-4 * max(1.0, np.abs(expected).max())
            assert solver.layout.numbers(ours, node) == pytest.approx(expected, abs=precision), node


def test_threads_and_stops_change_no_bit() -> None:
    rules = named_game("limit-2p")
    alone, threaded = LimitSolver(rules, COARSE, 9), LimitSolver(rules, COARSE, 9, threads=3)
    first = alone.run(3)
    won = [threaded.run(1), threaded.run(2)]
    assert np.array_equal(np.concatenate(won), first)
    assert np.array_equal(alone.learned.regrets, threaded.learned.regrets)
    assert np.array_equal(alone.learned.sums, threaded.learned.sums)
    other = LimitSolver(rules, COARSE, 10)
    other.run(3)
    assert not np.array_equal(alone.learned.regrets, other.learned.regrets)


def test_lanes_without_a_history_stay_empty() -> None:
    solver = LimitSolver(named_game("limit-2p"), COARSE, 3)
    solver.run(2)
    used = np.zeros((solver.layout.size, 16), dtype=bool)
    for node in solver.layout.tree.decisions.tolist():
        row, count = solver.layout.rows[node], COARSE.buckets[solver.layout.tree.rounds[node]]
        used[row : row + 3 * count, solver.layout.lanes[node]] = True
    assert not solver.learned.regrets[~used].any()
    assert not solver.learned.sums[~used].any()


@pytest.mark.parametrize(
    "game", ["nolimit-2p", "limit-3p", "leduc-2p", "limit-2p:stack=95", "limit-2p:raises=8/1/1/1"]
)
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(UnsolvableGame, match=game.partition(":")[0]):
        LimitSolver(named_game(game), COARSE, 1)


def test_a_resumed_solver_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    rules, path = named_game("limit-2p:raises=1"), tmp_path / "solver.checkpoint"
    alone, resumed = LimitSolver(rules, COARSE, 9), LimitSolver(rules, COARSE, 9, threads=2)
    alone.run(2)
    alone.save(path)
    alone.run(2)
    resumed.resume(path)
    assert resumed.iterations == 2
    resumed.run(2)
    assert np.array_equal(alone.learned.regrets, resumed.learned.regrets)
    assert np.array_equal(alone.learned.sums, resumed.learned.sums)
    with pytest.raises(StrategyFileError, match="is a checkpoint for seed 9, not 8"):
        LimitSolver(rules, COARSE, 8).resume(path)
    with pytest.raises(StrategyFileError, match="is a checkpoint for game limit-2p:raises=1, not limit-2p"):
        LimitSolver(named_game("limit-2p"), COARSE, 9).resume(path)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(StrategyFileError, match="bytes, but its header says"):
        LimitSolver(rules, COARSE, 9).resume(path)


def test_one_abstraction_for_both_seats_is_the_same_as_the_same_for_each() -> None:
    rules = named_game("limit-2p:raises=1")
    both, each = LimitSolver(rules, COARSE, 9), LimitSolver(rules, COARSE, 9, button=COARSE)
    assert np.array_equal(both.run(3), each.run(3))
    assert np.array_equal(both.learned.regrets, each.learned.regrets)
    joined, alone = TableStrategy.joined_average_of(each, each), TableStrategy.average_of(both)
    assert np.array_equal(joined.numbers, alone.numbers)
    assert joined.recipe.against == str(COARSE)
