"""Runs of a solver: they end when they should, report, and go on from checkpoints."""

import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from made_up_buckets import COARSE, use_made_up_buckets
from railbird.engine.games import named_game
from railbird.learning import solve
from railbird.learning.solve import SolvingError, SolvingReport, SolvingRun
from railbird.learning.solvers import SeatSolvers
from railbird.strategies.table_strategy import TableStrategy

RULES = named_game("limit-2p:raises=1")


@pytest.fixture(scope="module")
def whole() -> TableStrategy:
    return SolvingRun(SeatSolvers(RULES, COARSE, 3)).until(6)


def test_a_stopped_run_goes_on_to_the_same_strategy(
    whole: TableStrategy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    path = tmp_path / "checkpoint"
    stops = iter([False, False, True])
    first = SolvingRun(SeatSolvers(RULES, COARSE, 3), checkpoint=path).until(
        6, is_stopped=lambda: next(stops)
    )
    assert first.recipe.iterations == 2
    second = SolvingRun(SeatSolvers(RULES, COARSE, 3, threads=2), checkpoint=path)
    assert second.solver.iterations == 2
    found = second.until(6)
    assert found.recipe == whole.recipe
    assert np.array_equal(found.numbers, whole.numbers)
    again = SolvingRun(SeatSolvers(RULES, COARSE, 3), checkpoint=path).until(6)
    assert np.array_equal(again.numbers, whole.numbers)


SOLVING = """
import sys
from pathlib import Path
from railbird.learning import solve
solve.SECONDS_BETWEEN_CHECKPOINTS = 0.2
output, cards, against, iterations, threads = sys.argv[1:]
solve.solve("limit-2p", Path(output), cards=cards, against=against or None, iterations=int(iterations), seed=4,
            threads=int(threads))
"""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("cards", "against", "iterations"),
    [("percentiles:20", "", 1500), ("percentiles:5", "percentiles:20", 600), ("clusters:20", "", 1000)],
)
def test_kills_and_threads_change_no_byte(cards: str, against: str, iterations: int, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.strategy", tmp_path / "killed.strategy"
    command = [sys.executable, "-c", SOLVING]
    rest = [cards, against, str(iterations)]
    subprocess.run([*command, str(whole), *rest, "1"], check=True)
    random, kills = Random(f"kills {cards}"), 0
    while not killed.exists():
        process = subprocess.Popen([*command, str(killed), *rest, str(random.randint(1, 4))])
        try:
            assert process.wait(timeout=random.uniform(3.0, 9.0)) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    assert kills >= 2
    assert killed.read_bytes() == whole.read_bytes()


def test_reports_count_all_iterations(tmp_path: Path) -> None:
    reports: list[SolvingReport] = []
    run = SolvingRun(SeatSolvers(RULES, COARSE, 3))
    run.until(2)
    run.until(5, listener=reports.append)
    assert reports[-1].iterations == 5
    assert reports[-1].total == 5
    assert reports[-1].per_second > 0
    assert reports[-1].button is not None
    assert abs(reports[-1].button) < 2000
    with pytest.raises(SolvingError, match="there are already 5 iterations, more than the 4 requested"):
        run.until(4)


def test_minutes_end_a_run() -> None:
    found = SolvingRun(SeatSolvers(RULES, COARSE, 3)).until(minutes=0.002)
    assert found.recipe.iterations >= 1
    with pytest.raises(SolvingError, match="needs a number of iterations or minutes"):
        SolvingRun(SeatSolvers(RULES, COARSE, 3)).until()


@pytest.mark.parametrize(("game", "cards"), [("kuhn-2p", None), ("limit-2p:raises=1", "percentiles:5")])
def test_workers_change_nothing_where_there_are_no_seats_to_share_out(
    tmp_path: Path, game: str, cards: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_made_up_buckets(monkeypatch)
    files = [tmp_path / f"{workers}.strategy" for workers in (1, 2)]
    for path in files:
        solve.solve(game, path, iterations=2, cards=cards, seed=3, threads=1, workers=path.stem)
    assert files[0].read_bytes() == files[1].read_bytes()
