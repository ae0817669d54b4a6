"""Strategies at rest: what was written is read, and what is not a strategy is refused with a sentence."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up_buckets import COARSE
from railbird.engine.games import named_game
from railbird.strategies.card_abstraction import CardAbstraction
from railbird.strategies.files import StrategyFileError, read_numbers, write_numbers
from railbird.strategies.solvers.limit_solver import LimitSolver
from railbird.strategies.streets import TreeLayout
from railbird.strategies.table_strategy import Recipe, TableStrategy, in_bytes
from railbird.strategies.tree import public_tree


@pytest.fixture(scope="module")
def solver() -> LimitSolver:
    made = LimitSolver(named_game("limit-2p:raises=1"), COARSE, 4)
    made.run(3)
    return made


def test_what_is_written_is_read(solver: LimitSolver, tmp_path: Path) -> None:
    written = TableStrategy.average_of(solver)
    written.write(tmp_path / "limit.strategy")
    read = TableStrategy.read(tmp_path / "limit.strategy")
    assert read.recipe == written.recipe
    assert read.recipe.iterations == 3
    assert np.array_equal(read.numbers, written.numbers)
    assert not read.numbers.flags.writeable
    for node in read.tree.decisions.tolist():
        sums = solver.layout.numbers(solver.learned.sums, node).astype(np.float64)
        probabilities = read.probabilities(node)
        assert probabilities.sum(axis=1) == pytest.approx(1)
        assert not probabilities[:, read.tree.children[node] < 0].any()
        met = sums.sum(axis=1) > 0
        shares = sums[met] / sums[met].sum(axis=1, keepdims=True)
        assert probabilities[met] == pytest.approx(shares, abs=2 / 255)


def test_kernels_find_the_same_bytes(solver: LimitSolver) -> None:
    strategy = TableStrategy.average_of(solver)
    lanes = strategy.in_lanes(solver.layout)
    for node in strategy.tree.decisions.tolist():
        assert np.array_equal(solver.layout.numbers(lanes, node), strategy.bytes_of(node))


def test_one_byte_for_each_letter_but_calling(solver: LimitSolver) -> None:
    tree = public_tree(named_game("limit-2p"))
    layout = TreeLayout(named_game("limit-2p"), (169, 2000, 1000, 500))
    free = ((tree.children >= 0).sum(axis=1) - 1)[tree.decisions]
    size = int((free * np.array(layout.books[0])[tree.rounds[tree.decisions]]).sum())
    assert size < 5_900_000
    strategy = TableStrategy.average_of(solver)
    assert strategy.starts[-1] == len(strategy.numbers)


@given(st.lists(st.floats(0, 1e6, width=32), min_size=3, max_size=3), st.booleans(), st.booleans())
def test_bytes_add_up_and_are_near(weights: list[float], folds: bool, raises: bool) -> None:
    possible = np.array([folds, True, raises])
    row = in_bytes(np.array([weights], dtype=np.float32), possible)[0].astype(np.int64)
    assert row.sum() == 255
    assert not row[~possible].any()
    known = np.where(possible, np.array(weights, dtype=np.float32).astype(np.float64), 0)
    shares = known / known.sum() if known.sum() > 0 else possible / possible.sum()
    assert row / 255 == pytest.approx(shares, abs=1.5 / 255)


def strategy_file(path: Path, **changes: object) -> Path:
    header = {"game": "limit-2p", "actions": "fcr", "cards": "percentiles:2", "iterations": 1, "seed": 1}
    write_numbers(
        path, "strategy", header | {"against": "", "version": "0"} | changes, [np.zeros(3, dtype=np.uint8)]
    )
    return path


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "has 3 probabilities, but limit-2p with percentiles:2 needs"),
        ({"game": "chess"}, "is for a game that cannot be played: .*chess"),
        ({"cards": "dust:7"}, "is for a game that cannot be played: 'dust:7' is not a card abstraction"),
        ({"actions": "xyz"}, "is for a game that cannot be played: 'xyz' is not an action abstraction"),
        (
            {"seed": "x"},
            "has no valid header: seed of the header of .* is text, but a whole number is expected",
        ),
    ],
)
def test_foreign_recipes_are_refused(changes: dict[str, object], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(StrategyFileError, match=sentence):
        TableStrategy.read(strategy_file(tmp_path / "some.strategy", **changes))


def test_damage_is_noticed_wherever_it_is(solver: LimitSolver, tmp_path: Path) -> None:
    path = tmp_path / "limit.strategy"
    TableStrategy.average_of(solver).write(path)
    whole = path.read_bytes()
    generator = np.random.default_rng(5)
    places = [*range(40), *generator.integers(0, len(whole), 60).tolist(), len(whole) - 1]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << generator.integers(8)
        path.write_bytes(damaged)
        with pytest.raises(StrategyFileError, match="limit.strategy"):
            TableStrategy.read(path)
    for length in (0, 5, 30, 200, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(StrategyFileError, match="limit.strategy"):
            TableStrategy.read(path)
    path.write_bytes(whole + b"x")
    with pytest.raises(StrategyFileError, match="bytes, but its header says"):
        TableStrategy.read(path)


def test_other_files_and_formats_are_named(tmp_path: Path) -> None:
    path = tmp_path / "some.strategy"
    path.write_bytes(b"PAR1 something else entirely")
    with pytest.raises(StrategyFileError, match="is not a strategy file"):
        TableStrategy.read(path)
    path.write_bytes(b"railbird strategy 3\n{}\n")
    with pytest.raises(
        StrategyFileError, match="has format 3 of strategy files, but this version reads format 1 or 2"
    ):
        TableStrategy.read(path)
    path.write_bytes(b"railbird strategy 1\nno json\n")
    with pytest.raises(StrategyFileError, match="has no valid header"):
        TableStrategy.read(path)


def test_empty_arrays_have_files_too(tmp_path: Path) -> None:
    write_numbers(tmp_path / "none", "test", {"a": 1}, [])
    header, numbers = read_numbers(tmp_path / "none", "test", {"a": 0})
    assert header["a"] == 1
    assert len(numbers) == 0


def test_a_recipe_names_the_version() -> None:
    assert Recipe("limit-2p", "fcr", "percentiles:2", 1, 1).version
    assert isinstance(COARSE, CardAbstraction)
