"""`railbird evolve`: weights by evolution, the same from one seed whoever works and however often it is stopped."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, log, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command import Outcome, railbird
from railbird.agents.baycarp import cases as baycarp_cases
from railbird.agents.baycarp.agent import BayCaRP2
from railbird.agents.casper.agent import Casper
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.cases import TABLE, similarity
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import Duplicate, Entrant, MatchPlan, entrants_of
from railbird.arena.results.rates import Rate
from railbird.arena.run.growing_journal import JournalError
from railbird.arena.run.job import Job
from railbird.arena.run.journal import journal_beside
from railbird.arena.run.workers import kept_workers, run_jobs
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.retrieve import AtLeastElseNearest
from railbird.cbr.packs.files import Pack, read_pack, write_pack
from railbird.cbr.weights import MOST_WEIGHT, format_weights, read_weights
from railbird.engine.games import named_game
from railbird.learning.evolve.convergence import convergence
from railbird.learning.evolve.evolution import LEAST_WEIGHT, Lineage, evolve, found_weights
from railbird.learning.evolve.objectives import Imitation, Play
from railbird.learning.evolve.trials import Trial, TrialJournal
from railbird.learning.imitation import Targets, predict, split
from small_packs import watched_pack

FEW = ("--generations", 2, "--population", 4, "--targets", 40)


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return watched_pack(tmp_path_factory.mktemp("evolve"))


def run(pack: Path, output: Path, *options: object) -> Outcome:
    return railbird("evolve", "casper", "--pack", pack, "-o", output, *options)


def weights_in(path: Path) -> str:
    """A file of weights without its comments, which tell the command."""
    return "".join(line for line in path.read_text().splitlines(True) if not line.startswith("#"))


@pytest.fixture(scope="module")
def finished(pack: Path) -> Path:
    """The weights of a short evolution, with its journal beside them."""
    path = pack.with_name("w.toml")
    done = run(pack, path, *FEW, "--seed", 7)
    assert done.code == 0, done.error
    return path


# the evolution


@dataclass
class Sphere:
    """Weights are the better the nearer the square roots are to a wanted point."""

    wanted: Mapping[str, float]
    held_out: Callable[[], float] = lambda: 0.0
    tried: list[Trial] = field(default_factory=list)
    unit: str = "distance"

    def blocks(self) -> tuple[tuple[str, ...], ...]:
        return tuple((stage,) for stage in self.wanted)

    def identity(self) -> Mapping[str, Any]:
        return {"objective": "sphere"}

    def loss(self, trial: Trial) -> float:
        [(stage, weights)] = trial.weights.items()
        return sum((sqrt(weight) - self.wanted[stage]) ** 2 for weight in weights.values())

    def run(self, trials: Sequence[Trial], workers: str, take: Callable[[int, float], None]) -> None:
        for number, trial in Random(len(self.tried)).sample(list(enumerate(trials)), len(trials)):
            self.tried.append(trial)
            take(number, self.held_out() if trial.held_out else self.loss(trial))


def evolved(objective: Any, path: Path, generations: int, **options: Any) -> tuple[Lineage, ...]:
    with TrialJournal(path, objective.identity()) as journal:
        return evolve(objective, journal, TABLE, generations=generations, **options)


def test_the_best_weights_are_found_where_they_are_known(tmp_path: Path) -> None:
    objective = Sphere({"preflop": 3.0, "river": 9.0})
    lineages = evolved(objective, tmp_path / "journal", 60)
    for lineage, wanted in zip(lineages, (3.0, 9.0), strict=True):
        for weight in lineage.found.weights[lineage.stages[0]].values():
            assert sqrt(weight) == pytest.approx(wanted, abs=0.15)
        assert lineage.found.loss == min(generation.loss for generation in lineage.generations)
        assert lineage.start.weights == {lineage.stages[0]: similarity(lineage.stages[0]).weights()}
        assert isnan(lineage.start.best)
        for generation in lineage.generations[1:]:
            assert generation.best <= generation.median


def test_points_that_would_lie_beyond_the_bounds_are_drawn_within(tmp_path: Path) -> None:
    objective = Sphere({"preflop": -5.0, "river": 50.0})
    lineages = evolved(objective, tmp_path / "journal", 25)
    weights = [value for trial in objective.tried for of in trial.weights.values() for value in of.values()]
    assert min(weights) == LEAST_WEIGHT
    assert max(weights) == MOST_WEIGHT
    assert all(value == round(value, 2) for value in weights)
    assert min(lineages[1].found.weights["river"].values()) > 80


def test_what_is_held_out_decides_nothing(tmp_path: Path) -> None:
    random = Random(1)
    calm, wild = Sphere({"flop": 4.0}), Sphere({"flop": 4.0}, held_out=lambda: random.uniform(-9, 9))
    first, second = (evolved(each, tmp_path / f"{n}", 6) for n, each in enumerate((calm, wild)))
    assert found_weights(first) == found_weights(second)
    assert [each.loss for each in first[0].generations] == [each.loss for each in second[0].generations]


def test_the_global_generator_is_neither_used_nor_changed(tmp_path: Path) -> None:
    found = []
    for seed in (1, 2):
        np.random.seed(seed)
        before = np.random.get_state(legacy=False)
        found.append(found_weights(evolved(Sphere({"flop": 4.0}), tmp_path / f"{seed}", 5)))
        after = np.random.get_state(legacy=False)
        assert (before["state"]["key"] == after["state"]["key"]).all()
    assert found[0] == found[1]


def test_other_seeds_and_sizes_are_other_evolutions(tmp_path: Path) -> None:
    options: Sequence[dict[str, Any]] = ({"seed": "1"}, {"seed": "2"}, {"seed": "1", "population": 6})
    found = [
        json.dumps(found_weights(evolved(Sphere({"flop": 4.0}), tmp_path / f"{n}", 3, **each)))
        for n, each in enumerate(options)
    ]
    assert len(set(found)) == 3


@given(stop=st.integers(0, 120), torn=st.booleans())
@settings(max_examples=12)
def test_an_evolution_that_was_stopped_anywhere_goes_on(
    tmp_path_factory: pytest.TempPathFactory, stop: int, torn: bool
) -> None:
    objective, folder = Sphere({"flop": 4.0, "river": 8.0}), tmp_path_factory.mktemp("stopped")
    whole = evolved(objective, folder / "whole", 4)
    lines = (folder / "whole").read_bytes().splitlines(keepends=True)
    kept = lines[: min(stop, len(lines))]
    rest = lines[len(kept)][:20] if torn and len(kept) < len(lines) else b""
    (folder / "part").write_bytes(b"".join(kept) + rest)
    again = Sphere({"flop": 4.0, "river": 8.0})
    assert repr(evolved(again, folder / "part", 4)) == repr(whole)  # by text, in which nan is equal to nan
    assert len(again.tried) == len(objective.tried) - max(0, len(kept) - 1)
    assert sorted((folder / "part").read_bytes().splitlines()) == sorted(line.rstrip() for line in lines)


def test_a_longer_evolution_goes_on_from_a_shorter_one(tmp_path: Path) -> None:
    long, short = Sphere({"flop": 4.0}), Sphere({"flop": 4.0})
    whole = evolved(long, tmp_path / "whole", 5)
    evolved(short, tmp_path / "part", 2)
    assert repr(evolved(short, tmp_path / "part", 5)) == repr(whole)
    assert len(short.tried) == len(long.tried)


def test_ctrl_c_in_the_middle_costs_nothing_that_was_finished(tmp_path: Path) -> None:
    def interrupt(done: int, expected: int) -> None:
        assert done <= expected
        if done == 17:
            raise KeyboardInterrupt

    objective = Sphere({"flop": 4.0})
    with pytest.raises(KeyboardInterrupt):
        evolved(objective, tmp_path / "journal", 4, progress=interrupt)
    assert len(objective.tried) == 17
    heard: list[tuple[int, int]] = []
    found = evolved(objective, tmp_path / "journal", 4, progress=lambda *each: heard.append(each))
    assert repr(found) == repr(evolved(Sphere({"flop": 4.0}), tmp_path / "other", 4))
    assert heard[-1][0] == heard[-1][1] == len(objective.tried)


def test_a_journal_that_is_not_ours_or_damaged_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    evolved(Sphere({"flop": 4.0}), path, 1)
    content = path.read_bytes()
    with pytest.raises(JournalError, match=r"another evolution \(its objective is 'sphere', not 'cube'\)"):
        TrialJournal(path, {"objective": "cube"}).__enter__()
    with (
        TrialJournal(path, {"objective": "sphere"}),
        pytest.raises(JournalError, match="in use by another run"),
    ):
        TrialJournal(path, {"objective": "sphere"}).__enter__()
    assert path.read_bytes() == content
    lines = content.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b'{"loss": 1}\n', *lines[4:]]))
    with pytest.raises(JournalError, match="line 4 of .* is damaged"):
        TrialJournal(path, {"objective": "sphere"}).__enter__()
    path.write_text("my notes\n")
    with pytest.raises(JournalError, match="is not a journal of an evolution"):
        TrialJournal(path, {"objective": "sphere"}).__enter__()
    assert path.read_text() == "my notes\n"


# imitation


def test_an_imitation_loss_is_the_log_loss_of_the_stage(pack: Path) -> None:
    objective, parts = Imitation.of(pack, 30, "casper"), split(read_pack(pack))
    weights = {"flop": dict.fromkeys(similarity("flop").weights(), 10.0)}
    losses: dict[int, float] = {}
    objective.run([Trial(weights), Trial(weights, held_out=True)], "1", losses.__setitem__)
    for number, side in enumerate((parts.tuning, parts.held_out)):
        targets = Targets.of(side.bases["flop"], 30)
        found = predict(parts.cases.bases["flop"], targets, similarity("flop", weights["flop"]))
        assert losses[number] == found.log_loss
        assert losses[number] == pytest.approx(-sum(map(log, found.chances)) / len(targets))


def test_the_weights_are_ready_for_casper_and_no_worse_where_they_were_chosen(
    pack: Path, finished: Path
) -> None:
    weights = read_weights(finished, TABLE)
    assert list(weights) == list(STAGES)
    for stage in STAGES:
        assert list(weights[stage]) == list(similarity(stage).weights())
        assert all(LEAST_WEIGHT <= weight <= MOST_WEIGHT for weight in weights[stage].values())
    agent = Casper(pack=str(pack), weights=str(finished))
    agent.verify_game(named_game("limit-6max"))
    objective = Imitation.of(pack, 40, "casper")
    better = 0
    for stage in STAGES:
        losses: dict[int, float] = {}
        trials = [Trial({stage: similarity(stage).weights()}), Trial({stage: weights[stage]})]
        objective.run(trials, "1", losses.__setitem__)
        assert losses[1] <= losses[0]
        better += losses[1] < losses[0]
    assert better > 0


def test_baycarps_weights_evolve_with_its_own_retrieval(pack: Path, tmp_path: Path) -> None:
    own, weights = tmp_path / "own.parquet", tmp_path / "own.toml"
    log = pack.with_name("h.log")
    assert railbird("watch", log, "--as", "baycarp", "--all-players", "-o", own).code == 0
    command = ("evolve", "baycarp", "--pack", own, "-o", weights, *FEW)
    assert railbird(*command).code == 0
    assert weights.read_text().startswith("# Weights of baycarp, found by evolution")
    BayCaRP2(pack=str(own), weights=str(weights)).verify_game(named_game("limit-6max"))
    objective, parts = Imitation.of(own, 30, "baycarp"), split(read_pack(own))
    losses: dict[int, float] = {}
    picked = baycarp_cases.similarity("flop")
    objective.run([Trial({"flop": picked.weights()})], "1", losses.__setitem__)
    policy = AtLeastElseNearest(baycarp_cases.THRESHOLDS["flop"], 20)
    targets = Targets.of(parts.tuning.bases["flop"], 30)
    assert losses[0] == predict(parts.cases.bases["flop"], targets, picked, policy).log_loss
    refused = railbird("evolve", "casper", "--pack", own, "-o", tmp_path / "other.toml", *FEW)
    assert "holds cases of baycarp, not of casper" in refused.error


def test_the_recipe_stands_above_the_weights(pack: Path, finished: Path) -> None:
    lines = [line for line in finished.read_text().splitlines() if line.startswith("#")]
    assert lines[1].startswith(f"# railbird evolve casper --pack {pack} -o {finished} --generations 2")
    assert lines[2].startswith("# p.parquet has the SHA-256 ")
    for stage, line in zip(STAGES, lines[3:], strict=True):
        assert line.startswith(f"# {stage}: log-loss in nats ")


def test_the_summary_tells_both_weights_on_all_that_was_held_out(pack: Path, finished: Path) -> None:
    done = run(pack, finished, *FEW, "--seed", 7)  # everything is in the journal
    assert done.code == 0, done.error
    rows = [line.split() for line in done.out.decode().splitlines()]
    held_out = split(read_pack(pack)).held_out
    for stage in STAGES:
        count = f"{len(held_out.bases[stage]):,}"
        for name in ("baseline", "hand-picked", "evolved"):
            assert any(row[:3] == [f"{stage}:", name, count] for row in rows)
    assert (
        done.out.decode().rstrip().endswith(f"42 weights of preflop, flop, turn, river written to {finished}")
    )


def test_a_pool_finds_the_same_weights(pack: Path, finished: Path, tmp_path: Path) -> None:
    done = run(pack, tmp_path / "w.toml", "--generations", 1, "--population", 4, "--targets", 40, "--seed", 7)
    assert done.code == 0, done.error
    pool = run(
        pack,
        tmp_path / "p.toml",
        "--generations",
        1,
        "--population",
        4,
        "--targets",
        40,
        "--seed",
        7,
        "--workers",
        2,
    )
    assert pool.code == 0, pool.error
    assert weights_in(tmp_path / "p.toml") == weights_in(tmp_path / "w.toml") != weights_in(finished)
    journals = [journal_beside(tmp_path / name).read_bytes().splitlines() for name in ("w.toml", "p.toml")]
    assert sorted(journals[0]) == sorted(journals[1])


@pytest.mark.soak
def test_ray_finds_the_same_weights(pack: Path, finished: Path, tmp_path: Path) -> None:
    """In a process of its own: one that has had a cluster cannot start another."""
    pytest.importorskip("ray")
    command = [
        "evolve",
        "casper",
        "--pack",
        pack,
        "-o",
        tmp_path / "w.toml",
        *FEW,
        "--seed",
        7,
        "--workers",
        "ray",
    ]
    with tempfile.TemporaryDirectory(prefix="rb") as folder:  # short enough for Ray's sockets
        done = subprocess.run(
            [sys.executable, "-m", "railbird", *map(str, command)],
            env={**os.environ, "TMPDIR": folder},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert weights_in(tmp_path / "w.toml") == weights_in(finished)


def test_workers_stay_from_one_generation_to_the_next() -> None:
    jobs = [Job(MatchPlan("limit-2p", entrants_of(["always-call", "always-fold"]), hands=2, seed="7"))]
    with kept_workers():
        [(_, expected)] = run_jobs(jobs, "2")
        [worker] = multiprocessing.active_children()
        assert list(run_jobs(jobs, "2")) == [(0, expected)]
        assert multiprocessing.active_children() == [worker]
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)  # one that is killed while it waits is replaced
        assert list(run_jobs(jobs, "2")) == [(0, expected)]
        assert [other.pid for other in multiprocessing.active_children()] != [worker.pid]
    assert not multiprocessing.active_children()


def test_a_stopped_command_goes_on_to_the_same_weights(pack: Path, finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "w.toml"
    lines = journal_beside(finished).read_bytes().splitlines(keepends=True)
    journal_beside(path).write_bytes(b"".join(lines[: len(lines) // 2]) + b'{"held_')
    done = run(pack, path, *FEW, "--seed", 7)
    assert done.code == 0, done.error
    assert weights_in(path) == weights_in(finished)


def test_stages_without_decisions_keep_their_weights(pack: Path, tmp_path: Path) -> None:
    found = read_pack(pack)
    bases = {
        stage: base if stage != "river" else CaseBase(base.schema) for stage, base in found.bases.items()
    }
    riders = {**found.riders, "river": {"hand": []}}
    write_pack(Pack("casper", bases, riders), tmp_path / "short.parquet")
    assert Imitation.of(tmp_path / "short.parquet", 10, "casper").blocks() == (
        ("preflop",),
        ("flop",),
        ("turn",),
    )


def test_the_figure_shows_every_curve(pack: Path, finished: Path, tmp_path: Path) -> None:
    done = run(pack, finished, *FEW, "--seed", 7, "--figure", tmp_path / "f.png")
    assert done.code == 0, done.error
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    lineages = evolved(Sphere({"flop": 4.0, "turn": 3.0, "river": 8.0}), tmp_path / "journal", 3)
    figure = convergence(lineages, "distance")
    assert [axes.get_title() for axes in figure.axes[:3]] == ["flop", "turn", "river"]
    for axes, lineage in zip(figure.axes, lineages, strict=False):
        curves = {str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.get_lines()}
        generations = lineage.generations
        assert curves["best"][1:] == [each.best for each in generations[1:]]
        assert curves["median"][1:] == [each.median for each in generations[1:]]
        assert curves["mean"] == [each.loss for each in generations]
        assert curves["mean, held out"] == [each.held_out for each in generations]
        assert set(curves["hand-picked"]) == {lineage.start.loss}
        assert set(curves["hand-picked, held out"]) == {lineage.start.held_out}
        assert curves["found"] == [lineage.found.loss]


# play


@pytest.fixture(scope="module")
def bot(pack: Path) -> Path:
    path = pack.with_name("bot.py")
    path.write_text("from railbird.agents.casper.agent import Casper\n", encoding="utf-8")
    return path


def test_a_loss_in_play_is_what_is_lost_in_every_seat_over_the_same_deals(
    pack: Path, bot: Path, tmp_path: Path
) -> None:
    objective = Play(f"{bot}:Casper", pack, "limit-3p", ("random", "rulebot"), 6, "5", tmp_path / "tried")
    objective.verify()
    assert objective.unit == "lost sb/h"
    [stages] = objective.blocks()
    weights = {stage: similarity(stage).weights() | {"hand strength": 1.0} for stage in stages}
    losses: dict[int, float] = {}
    objective.run([Trial(weights), Trial(weights, held_out=True)], "1", losses.__setitem__)
    (tmp_path / "w.toml").write_text(format_weights(weights))
    agent = f"{bot}:Casper:pack={pack},weights={tmp_path / 'w.toml'}"
    [named] = entrants_of([agent], trusted=True)
    for number, name in enumerate(("tuning", "held out")):
        plan = MatchPlan(
            "limit-3p",
            (Entrant("candidate", agent, named.files), *entrants_of(["random", "rulebot"])),
            6,
            "5",
            ("evolve", name),
            Duplicate.ROTATIONS,
        )
        rate = Rate.from_tally(named_game("limit-3p"), play_match(plan).tally, (1, 0, 0))
        assert losses[number] == -rate.mean
    assert losses[0] != losses[1]


@pytest.mark.soak
def test_weights_evolve_by_play_with_a_pool_as_without(pack: Path, bot: Path, tmp_path: Path) -> None:
    options = ("--table", "always-call", "--game", "limit-2p", "--deals", 3, "--agent", f"{bot}:Casper",
               "--generations", 1, "--population", 4, "--seed", 2)  # fmt: skip
    for name, workers in (("a.toml", 1), ("b.toml", 2)):
        done = run(pack, tmp_path / name, *options, "--workers", workers)
        assert done.code == 0, done.error
    assert weights_in(tmp_path / "a.toml") == weights_in(tmp_path / "b.toml")
    assert list(read_weights(tmp_path / "a.toml", TABLE)) == list(STAGES)
    assert "lost sb/h" in done.out.decode()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.toml", "a.toml.journal", "b.toml", "b.toml.journal",
    ]  # fmt: skip
    header = json.loads(journal_beside(tmp_path / "a.toml").read_text().splitlines()[0])["evolution"]
    assert (header["objective"], header["game"], header["deals"]) == ("play", "limit-2p", 3)


# what a user can do wrong


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("sartre",), "no system whose weights evolve is called 'sartre': there are baycarp, casper"),
        (("casper", "--objective", "imitatoin"), "no objective is called 'imitatoin': did you mean 'imitation'?"),
        (("casper", "--objective", "play"), "evolving by play needs --table with the other players"),
        (("casper", "--objective", "imitation", "--table", "random"), "--table does not apply to the objective imit"),
        (("casper", "--game", "limit-2p"), "--game does not apply to the objective imitation"),
        (("casper", "--table", "random", "--targets", "3"), "--targets does not apply to the objective play"),
        (("casper", "--table", "random"), "limit-9max has 9 seats: besides the agent whose weights are tried, 8 other"),
        (("casper", "--table", "random", "--game", "nolimit-2p"), "plays limit hold'em"),
        (("casper", "--table", "rnadom", "--game", "limit-2p"), "no agent is called 'rnadom': did you mean 'random'?"),
        (("casper", "--workers", "none"), "workers must be a whole number from 1, ray"),
        (("casper", "--figure", "f.jpg"), "f.jpg must end in .png or .svg"),
        (("casper", "--figure", "nowhere/f.png"), "nowhere/f.png cannot be written: nowhere is not a folder"),
    ],
)  # fmt: skip
def test_what_is_asked_wrongly_is_told_before_anything_is_tried(
    options: tuple[str, ...],
    sentence: str,
    pack: Path,
    bot: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    play = ("--agent", f"{bot}:Casper") if "--game" in options and "--table" in options else ()
    done = railbird("evolve", *options, *play, "--pack", pack, "-o", tmp_path / "w.toml")
    assert done.code == 2
    assert sentence in done.error
    assert done.error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_outputs_and_packs_that_cannot_be(pack: Path, finished: Path, tmp_path: Path) -> None:
    def error(*arguments: object) -> str:
        done = railbird("evolve", "casper", *arguments, *FEW)
        assert done.code == 2
        return done.error.removeprefix("railbird: ").rstrip()

    path = tmp_path / "w.toml"
    assert error("--pack", pack, "-o", tmp_path / "w.txt") == f"{tmp_path / 'w.txt'} must end in .toml"
    assert error("--pack", tmp_path / "no.parquet", "-o", path).endswith(
        "cannot be read: No such file or directory"
    )
    (tmp_path / "bad.parquet").write_text("no pack")
    assert "not a pack of cases" in error("--pack", tmp_path / "bad.parquet", "-o", path)
    write_pack(Pack("baycarp", {}), tmp_path / "other.parquet")
    assert "holds cases of baycarp, not of casper" in error("--pack", tmp_path / "other.parquet", "-o", path)
    write_pack(Pack("casper", read_pack(pack).bases), tmp_path / "nobody.parquet")
    assert "do not state from which hands" in error("--pack", tmp_path / "nobody.parquet", "-o", path)
    assert not journal_beside(path).exists()
    path.write_text("mine")
    assert error("--pack", pack, "-o", path) == f"{path} exists already: use --force to overwrite it"
    assert path.read_text() == "mine"
    done = run(pack, path, "--generations", 1, "--population", 4, "--targets", 5, "--force")
    assert done.code == 0, done.error
    assert list(read_weights(path, TABLE)) == list(STAGES)
    before = journal_beside(finished).read_bytes()
    assert "(its seed is '7', not '8')" in error("--pack", pack, "-o", finished, "--seed", 8)
    assert journal_beside(finished).read_bytes() == before
