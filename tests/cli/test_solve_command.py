"""`railbird solve`: the same strategy however often it is stopped; foreign files and impossible games are refused."""

import io
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress, TextColumn

from command import Outcome, railbird
from made_up_buckets import MadeUpBuckets, use_made_up_buckets
from railbird.cli.progress import SolvingDisplay
from railbird.learning import solve as solving
from railbird.learning.flop_responses import FLOP_SEED, exploit_table
from railbird.learning.solve import SolvingReport
from railbird.learning.solvers import ExactSolver
from railbird.strategies.best_response import Exploitability, IntervalEstimate
from railbird.strategies.exact_strategy import ExactStrategy, read_strategy
from railbird.strategies.solvers.limit_solver import LimitSolver
from railbird.strategies.solvers.sampled_solver import SampledSolver
from railbird.strategies.table_strategy import TableStrategy

ANY_TREE = (
    "--game",
    "nolimit-2p:stack=500",
    "--actions",
    "fcpa/fca",
    "--cards",
    "percentiles:5/4/3",
    "--threads",
    1,
)
LIMIT = ("--game", "limit-2p:raises=1", "--cards", "percentiles:5", "--seed", 3, "--threads", 1)
JOINED = (*LIMIT, "--against", "percentiles:8/7/6")


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buckets that need no tables."""
    use_made_up_buckets(monkeypatch)


def run(output: Path, *options: object) -> Outcome:
    return railbird("solve", "-o", output, *options)


def solved(output: Path, *options: object) -> Outcome:
    outcome = run(output, *options)
    assert outcome.code == 0, outcome.error
    return outcome


def refused(output: Path, *options: object) -> str:
    outcome = run(output, *options)
    assert outcome.code == 2
    assert outcome.error.count("\n") == 1
    return outcome.error


@pytest.mark.parametrize(("game", "chips"), [("kuhn-2p", 1 / 18), ("leduc-2p", 0.0856)])
def test_small_games_are_solved_exactly(game: str, chips: float, tmp_path: Path) -> None:
    path = tmp_path / "small.strategy"
    outcome = solved(path, "--game", game, "--iterations", 300)
    strategy = read_strategy(path)
    assert isinstance(strategy, ExactStrategy)
    assert strategy.recipe.iterations == 300
    assert strategy.game.values(strategy.profile)[1] == pytest.approx(chips, abs=1e-3)
    assert strategy.game.exploitability(strategy.profile) < 0.01
    assert (
        f"the last seat wins {1000 * strategy.game.values(strategy.profile)[1]:+.1f} mbb/h".encode()
        in outcome.out
    )
    assert b"exploitability" in outcome.out


def test_more_iterations_go_on_from_the_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = tmp_path / "whole.strategy", tmp_path / "parts.strategy"
    for options, solver, method in (
        (("--game", "leduc-2p"), ExactSolver, "iterate"),
        (LIMIT, LimitSolver, "run"),
        (JOINED, LimitSolver, "run"),
        (ANY_TREE, SampledSolver, "run"),
    ):
        solved(whole, *options, "--iterations", 4, "--force")
        solved(parts, *options, "--iterations", 2, "--force")
        solved(parts, *options, "--iterations", 4)
        assert parts.read_bytes() == whole.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(solver, method, None)
            solved(parts, *options, "--iterations", 4)
        assert parts.read_bytes() == whole.read_bytes()
        for checkpoint in tmp_path.glob("*.checkpoint"):
            checkpoint.unlink()


def test_each_seat_learns_against_a_finer_abstraction(tmp_path: Path) -> None:
    path = tmp_path / "joined.strategy"
    solved(path, *JOINED, "--iterations", 2)
    found = TableStrategy.read(path)
    assert (found.recipe.cards, found.recipe.against) == ("percentiles:5", "percentiles:8/7/6")
    own, finer = MadeUpBuckets("percentiles", (5, 5, 5)), MadeUpBuckets("percentiles", (8, 7, 6))
    rules = found.tree.rules
    seats = LimitSolver(rules, own, 3, button=finer), LimitSolver(rules, finer, 3, button=own)
    for seat in seats:
        seat.run(2)
    assert np.array_equal(found.numbers, TableStrategy.joined_average_of(*seats).numbers)


def test_any_betting_tree_is_solved_with_the_abstractions_of_its_recipe(tmp_path: Path) -> None:
    path = tmp_path / "some.strategy"
    outcome = solved(path, *ANY_TREE, "--iterations", 2)
    assert b"nolimit-2p:stack=500, fcpa/fca, percentiles:5/4/3, 2 iterations, seed 0" in outcome.out
    found = TableStrategy.read(path)
    assert (found.recipe.actions, found.recipe.iterations) == ("fcpa/fca", 2)
    other = [option if option != "fcpa/fca" else "fca" for option in ANY_TREE]
    assert "exists already" in refused(path, *other, "--iterations", 2)
    assert "exists already" in refused(path, *ANY_TREE, "--against", "strangers:.02", "--iterations", 2)


def test_seats_that_learn_against_strangers_say_so(tmp_path: Path) -> None:
    path = tmp_path / "some.strategy"
    outcome = solved(path, *ANY_TREE, "--against", "strangers:.02", "--iterations", 2)
    assert b"percentiles:5/4/3 against strangers:0.02, 2 iterations" in outcome.out
    assert TableStrategy.read(path).recipe.against == "strangers:0.02"


def test_limit_trees_that_are_not_uniform_or_not_whole_are_sampled(tmp_path: Path) -> None:
    for game, actions in (("limit-2p:stack=35", "fcr/fcr/fc"), ("limit-2p:raises=1", "fcr/fc")):
        path = tmp_path / f"{actions.count('/')}.strategy"
        options = () if "stack" in game else ("--actions", actions)
        solved(path, "--game", game, *options, "--cards", "percentiles:2", "--iterations", 1)
        assert TableStrategy.read(path).recipe.actions == actions


def test_a_seat_that_was_killed_before_its_checkpoint_catches_up(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole.strategy", tmp_path / "killed.strategy"
    solved(whole, *JOINED, "--iterations", 3)
    solved(killed, *JOINED, "--iterations", 2)
    (tmp_path / "killed.strategy.button.checkpoint").unlink()
    killed.unlink()
    solved(killed, *JOINED, "--iterations", 3)
    assert killed.read_bytes() == whole.read_bytes()


def test_an_interrupt_ends_the_iteration_and_the_same_command_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, whole = tmp_path / "leduc.strategy", tmp_path / "whole.strategy"
    iterate = ExactSolver.iterate

    def interrupted(solver: ExactSolver, most: int) -> None:
        iterate(solver, most)
        if solver.iterations == 5:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(ExactSolver, "iterate", interrupted)
        outcome = run(path, "--game", "leduc-2p", "--iterations", 10)
    assert outcome.code == 130
    assert outcome.error == (
        "railbird: stopped; the iterations up to the checkpoint are kept; this command resumes: "
        f"railbird solve -o {path} --game leduc-2p --iterations 10\n"
    )
    assert not path.exists()
    counted: list[int] = []

    def counting(solver: ExactSolver, most: int) -> None:
        iterate(solver, most)
        counted.append(solver.iterations)

    with monkeypatch.context() as patch:
        patch.setattr(ExactSolver, "iterate", counting)
        solved(path, "--game", "leduc-2p", "--iterations", 10)
    assert counted == [6, 7, 8, 9, 10]
    solved(whole, "--game", "leduc-2p", "--iterations", 10)
    assert path.read_bytes() == whole.read_bytes()


def test_workers_are_refused_where_they_have_nothing_to_share(tmp_path: Path) -> None:
    for options in (("--game", "kuhn-2p"), LIMIT, ANY_TREE):
        done = refused(tmp_path / "new.strategy", *options, "--iterations", 2, "--workers", 2)
        assert "--workers has no effect" in done


def test_minutes_record_the_iterations_reached(tmp_path: Path) -> None:
    path, again = tmp_path / "kuhn.strategy", tmp_path / "again.strategy"
    solved(path, "--game", "kuhn-2p", "--minutes", 0.002)
    reached = read_strategy(path).recipe.iterations
    assert reached >= 1
    solved(again, "--game", "kuhn-2p", "--iterations", reached)
    assert again.read_bytes() == path.read_bytes()


def test_exploitability_is_measured_on_fixed_flops_at_doublings_and_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[int] = []

    def counting(strategy: TableStrategy, *arguments: Any, **named: Any) -> Exploitability:
        measured.append(strategy.recipe.iterations)
        return exploit_table(strategy, *arguments, **named)

    monkeypatch.setattr(solving, "exploit_table", counting)
    monkeypatch.setattr(solving, "FIRST_MEASUREMENT", 1)
    game = ("--game", "limit-2p:raises=1/0/0/0", "--cards", "percentiles:5", "--threads", 1)
    outcome = solved(tmp_path / "limit.strategy", *game, "--iterations", 3, "--measure", 2)
    assert measured == [1, 2, 3]
    assert b"on 2 flops" in outcome.out
    assert FLOP_SEED == 7, "figures in the documentation are those of these flops"


def test_a_foreign_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.strategy"
    kuhn = ("--game", "kuhn-2p", "--iterations", 2)
    path.write_text("my notes")
    assert refused(path, *kuhn) == f"railbird: {path} exists already: use --force to overwrite it\n"
    assert path.read_text() == "my notes"
    solved(path, *kuhn, "--force")
    for other in (("--game", "kuhn-3p"), ("--game", "leduc-2p")):
        assert "exists already" in refused(path, *other, "--iterations", 2)
    (tmp_path / "notes.strategy.checkpoint").unlink()
    assert "exists already" in refused(path, *kuhn), "without its checkpoint the file would lose iterations"


@pytest.mark.parametrize(
    ("options", "checkpoint", "others"),
    [
        (
            ("--game", "kuhn-2p"),
            "checkpoint",
            [(("--game", "leduc-2p"), "game kuhn-2p, not leduc-2p")],
        ),
        (
            JOINED,
            "button.checkpoint",
            [
                (("--against", "percentiles:9"), "cards percentiles:5 and percentiles:8/7/6, not"),
                (("--game", "limit-2p:raises=2"), "game limit-2p:raises=1, not limit-2p:raises=2"),
            ],
        ),
        (
            ANY_TREE,
            "checkpoint",
            [
                (("--seed", 5), "seed 0, not 5"),
                (("--actions", "fca"), "actions fcpa/fca, not fca"),
                (("--cards", "percentiles:5"), "cards percentiles:5/4/3, not percentiles:5"),
                (("--game", "nolimit-2p:stack=600"), "game nolimit-2p:stack=500, not nolimit-2p:stack=600"),
            ],
        ),
    ],
    ids=["exact", "seats", "sampled"],
)
def test_a_foreign_or_damaged_checkpoint_is_refused_and_kept(
    options: tuple[object, ...],
    checkpoint: str,
    others: list[tuple[tuple[object, ...], str]],
    tmp_path: Path,
) -> None:
    path, kept = tmp_path / "some.strategy", tmp_path / f"some.strategy.{checkpoint}"
    solved(path, *options, "--iterations", 2)
    whole = path.read_bytes()
    path.unlink()
    for other, reason in others:
        assert f"is a checkpoint for {reason}" in refused(path, *options, *other, "--iterations", 2)
    content = kept.read_bytes()
    for damaged, reason in (
        (content[:-1] + bytes([content[-1] ^ 1]), "is damaged"),
        (content[:-100], "bytes, but its header says"),
        (content[:30], "has no valid header"),
        (content.replace(b"checkpoint 1", b"checkpoint 2", 1), "has format 2 of checkpoint files"),
        (b"something else", "is not a checkpoint file"),
        (b"", "is not a checkpoint file"),
        (whole, "is not a checkpoint file"),
    ):
        kept.write_bytes(damaged)
        said = refused(path, *options, "--iterations", 2)
        assert said.startswith(f"railbird: {kept} ")
        assert reason in said
        assert kept.read_bytes() == damaged
        assert not path.exists()
    kept.write_bytes(content)
    solved(path, *options, "--iterations", 2)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--game", "nolimit-2p", "--actions", "fcap"), "'fcap' is not an action abstraction"),
        (("--game", "nolimit-2p", "--cards", "clusters:5"), "is solved with percentiles"),
        (("--game", "nolimit-2p", "--against", "percentiles:5"), "'percentiles:5' does not name strangers"),
        (("--game", "limit-3p", "--against", "strangers:0"), "'strangers:0' does not name strangers"),
        (
            ("--game", "limit-3p", "--against", "strangers:0.01", "--workers", 2),
            "--workers has no effect with strangers",
        ),
        (("--against", "strangers:0.01"), "'strangers:0.01' is not a card abstraction"),
        (("--game", "limit-3p", "--measure", 4), "cannot be measured while it is solved"),
        (("--game", "leduc-2p", "--actions", "fcr"), "so actions has no effect"),
        (("--game", "tarot"), "tarot"),
        (("--game", "leduc-2p", "--cards", "percentiles:5"), "so cards has no effect"),
        (("--cards", "colours:5"), "'colours:5' is not a card abstraction"),
        (("--cards", "percentiles:5", "--against", "x"), "'x' is not a card abstraction"),
        (("--measure", 2, "--workers", "many"), "workers must be a whole number from 1"),
        (("--minutes", 1), "give either --iterations or --minutes"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_a_sentence(
    options: tuple[object, ...], reason: str, tmp_path: Path
) -> None:
    assert reason in refused(tmp_path / "some.strategy", *options, "--iterations", 2)
    assert not list(tmp_path.iterdir())


def test_places_that_cannot_be_written_are_refused_before_solving(tmp_path: Path) -> None:
    kuhn = ("--game", "kuhn-2p", "--iterations", 2)
    assert "is a folder" in refused(tmp_path, *kuhn)
    assert "is not a folder" in refused(tmp_path / "nowhere" / "kuhn.strategy", *kuhn)


def test_the_display_shows_tables_first_and_then_iterations() -> None:
    written = io.StringIO()
    bars = Progress(
        TextColumn("{task.description} {task.completed} of {task.total} {task.fields[running]}"),
        console=Console(file=written, force_terminal=True, width=200),
    )
    display = SolvingDisplay(bars)
    display.tables(3, 7)
    bars.refresh()
    found = IntervalEstimate(400, 300, 500)
    display(SolvingReport(9, None, 2.0, 4.5, 88.0, Exploitability(found, IntervalEstimate(290, 280, 300), 4)))
    bars.stop()
    shown = written.getvalue()
    assert shown.index("tables of buckets 3 of 7") < shown.index("iterations 9 of None")
    assert (
        "4.5 iterations per second, the last seat wins +88.0 mbb/h, exploitability 400 mbb/h, "
        "with its own preflop play 290, on 4 flops" in shown
    )
