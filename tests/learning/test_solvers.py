"""Seats that learn in solvers of their own: workers do many iterations at once and change no bit."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from made_up_buckets import COARSE, MadeUpBuckets
from railbird.arena.run.workers import kept_workers
from railbird.engine.games import named_game
from railbird.learning import solvers
from railbird.learning.solve import SolvingReport, SolvingRun
from railbird.learning.solvers import SeatSolvers
from railbird.strategies.table_strategy import TableStrategy

RULES = named_game("limit-2p:raises=1")
FINER = MadeUpBuckets("percentiles", (30, 25, 20))


def seats(workers: str = "1") -> SeatSolvers:
    return SeatSolvers(RULES, COARSE, 3, against=FINER, workers=workers)


@pytest.fixture(scope="module", autouse=True)
def kept() -> Iterator[None]:
    with kept_workers():
        yield


@pytest.fixture(scope="module")
def alone() -> TableStrategy:
    return SolvingRun(seats()).until(9)


def test_workers_change_no_bit(alone: TableStrategy, tmp_path: Path) -> None:
    reports: list[SolvingReport] = []
    first = SolvingRun(seats("2"), checkpoint=tmp_path / "some.checkpoint").until(5)
    again = SolvingRun(seats("2"), checkpoint=tmp_path / "some.checkpoint")
    found = again.until(9, listener=reports.append)
    assert (first.recipe.iterations, found.recipe) == (5, alone.recipe)
    assert np.array_equal(found.numbers, alone.numbers)
    resumed = SolvingRun(seats(), checkpoint=tmp_path / "some.checkpoint")
    assert resumed.solver.iterations == 9
    assert np.array_equal(resumed.until(9).numbers, alone.numbers)
    assert reports[-1].button is not None


def test_what_the_button_wins_is_counted_as_by_one_process(alone: TableStrategy) -> None:
    both = seats(), seats("2")
    for each in both:
        SolvingRun(each).until(3)
    values = [each.value() for each in both]
    assert values[0] == pytest.approx(values[1], rel=1e-12)
    assert alone.recipe.against == str(FINER)


def test_a_seat_that_is_behind_catches_up(alone: TableStrategy, tmp_path: Path) -> None:
    path = tmp_path / "some.strategy.checkpoint"
    SolvingRun(seats(), checkpoint=path).until(4)
    (tmp_path / "some.strategy.button.checkpoint").unlink()
    found = SolvingRun(seats("2"), checkpoint=path).until(9)
    assert np.array_equal(found.numbers, alone.numbers)


def test_workers_get_more_iterations_until_they_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[list[int]] = []
    clock = iter([0, 1, 10, 40, 50, 51, 60, 61])

    def run_here(jobs: list[solvers.SeatJob], _: str) -> Iterator[object]:
        given.append([job.iterations for job in jobs])
        yield from ((number, job.play()) for number, job in enumerate(jobs))

    monkeypatch.setattr(solvers, "run_jobs", run_here)
    monkeypatch.setattr(solvers, "monotonic", lambda: next(clock))
    both = SeatSolvers(named_game("limit-2p:raises=1/0/0/0"), COARSE, 3, against=FINER, workers="2")
    while both.iterations < 200:
        both.iterate(200 - both.iterations)
    assert given == [[16, 16], [64, 64], [64, 64], [56, 56]]
    assert [solver.iterations for solver in both.solvers] == [200, 200]


@pytest.mark.soak
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
def test_ray_writes_the_same_file(tmp_path: Path) -> None:
    made = []
    for workers in ("1", "ray"):
        path = tmp_path / f"{workers}.strategy"
        options = "--cards percentiles:5 --against percentiles:20 --iterations 40 --threads 1 --workers"
        command = [sys.executable, "-m", "railbird", "solve", *options.split(), workers, "-o", str(path)]
        subprocess.run(command, check=True)
        made.append(path.read_bytes())
    assert made[0] == made[1]
