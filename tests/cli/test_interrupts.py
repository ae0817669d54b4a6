"""Ctrl-C: what a stopped command kept, the command that goes on, and that it does."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from command import railbird
from experiment_processes import SLOW, wait_until
from railbird.agent import Decision
from railbird.agents.loki.pokibot import Pokibot
from railbird.arena.play import match
from railbird.arena.run import break_journal, kept_journals
from railbird.arena.run.experiment import Progress
from railbird.arena.run.journal import Journal
from railbird.arena.run.kept_journals import kept_journal
from railbird.cli.interrupts import kept_of_contest
from railbird.cli.progress import ContestDisplay
from railbird.engine.games import named_game
from railbird.observation import Observation

GOES_ON = "this command resumes"
STARTS_AGAIN = "this command starts over"


@pytest.mark.parametrize(
    ("arguments", "function", "sentence"),
    [
        ("match --seats random,random", "arena.run.contest.match", f"so nothing was kept; {STARTS_AGAIN}"),
        ("tournament --agents random,random", "arena.run.contest.tournament", f"nothing was kept; {STARTS_AGAIN}"),
        ("selfplay --seats random,random -o x.log", "arena.run.contest.match", f"nothing was kept; {STARTS_AGAIN}"),
        ("solve --iterations 5 -o x.strategy", "learning.solve.solve", f"nothing was kept yet; {STARTS_AGAIN}"),
        ("exploit random", "learning.exploit.exploit", f"the finished flops or hands are kept; {GOES_ON}"),
        ("rate --quick", "experiments.ratings.measure_ratings", f"the finished matches are kept; {GOES_ON}"),
        ("reproduce loki-simbot", "experiments.running.run_experiment", f"the finished matches are kept; {GOES_ON}"),
        ("evolve casper --pack p.parquet -o x.toml", "learning.evolve.weights.evolve_weights",
         f"the finished trials are kept; {GOES_ON}"),
        ("watch h.log --player a --as casper -o x.parquet", "learning.packs.watch",
         f"nothing was written; {STARTS_AGAIN}"),
        ("imitate h.log --player a", "learning.fidelity.imitate", f"nothing was written; {STARTS_AGAIN}"),
        ("train-network h.log -o x.xdsl", "learning.training.train_network", f"nothing was written; {STARTS_AGAIN}"),
        ("import h.log --store postgresql://ann:secret@host/hands", "store.importing.import_hands",
         "the hands imported so far are kept; this command completes the import"),
    ],
)  # fmt: skip
def test_a_stopped_command_says_what_was_kept_and_how_it_goes_on(
    arguments: str, function: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    module, _, name = f"railbird.{function}".rpartition(".")
    monkeypatch.setattr(import_module(module), name, stop)
    objectives = import_module("railbird.learning.evolve.objectives")
    monkeypatch.setattr(objectives.Imitation, "of", lambda *_: None)
    experiments = import_module("railbird.experiments")
    monkeypatch.setattr(
        experiments, "experiment_named", lambda _: next(iter(experiments.experiments().values()))
    )
    monkeypatch.chdir(tmp_path)
    Path("h.log").touch()
    outcome = railbird(*arguments.split())
    assert outcome.code == 130
    shown = arguments.replace("secret", "'***'") if "secret" in arguments else arguments
    last = outcome.error.splitlines()[-1]
    assert last.startswith("railbird: stopped; ")
    assert f"{sentence}: railbird " in last
    assert shlex.split(last.partition(": railbird ")[2]) == shown.replace("'", "").split()


def test_ctrl_c_keeps_finished_matches_in_the_user_folder_and_the_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    arguments = [
        "match",
        "--seats",
        f"{SLOW}:milliseconds=20,always-call",
        "--hands",
        "4",
        "--matches",
        "30",
    ]
    running = subprocess.Popen(
        [sys.executable, "-m", "railbird", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        # A shell starts what runs in the background with SIGINT ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    folder = tmp_path / "railbird" / "journals"

    def matches() -> int:
        return sum(len(path.read_bytes().splitlines()) - 1 for path in folder.glob("*.journal"))

    wait_until(lambda: matches() > 2)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    last = errors.splitlines()[-1]
    found = re.fullmatch(
        r"railbird: stopped; (\d+) of 30 matches are kept; this command resumes: railbird (.*)", last
    )
    assert found is not None, last
    assert matches() - 1 <= int(found[1]) <= matches() < 30, "a match is kept before it is told of"
    monkeypatch.setattr(time, "sleep", lambda _: None)
    goes_on = railbird(*shlex.split(found[2]))
    assert goes_on.code == 0, goes_on.error
    assert not list(folder.iterdir()), "the journal of a finished run is removed"
    anew = railbird(*arguments, "--json", tmp_path / "anew.json")
    digest = re.search(rb"digest (\w+)", goes_on.out)
    assert digest is not None
    assert json.loads((tmp_path / "anew.json").read_text())["digest"].startswith(digest[1].decode())
    assert anew.code == 0


def test_selfplay_goes_on_in_the_middle_and_writes_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(match, "TELL_S", -1.0)
    monkeypatch.setattr(break_journal, "WRITE_S", -1.0)
    order = ("selfplay", "--seats", "pokibot,random", "--hands", 100, "-o")
    show = ContestDisplay.__call__

    def stop(display: ContestDisplay, progress: Progress) -> None:
        show(display, progress)
        if progress.kept_hands > 40:
            raise KeyboardInterrupt

    choose, asked = Pokibot.choose, list[int]()

    def counted(agent: Pokibot, observation: Observation) -> Decision:
        asked.append(observation.hand_number)
        return choose(agent, observation)

    output, whole = tmp_path / "hands.log", tmp_path / "whole.log"
    with monkeypatch.context() as patch:
        patch.setattr(ContestDisplay, "__call__", stop)
        outcome = railbird(*order, output)
    assert outcome.code == 130
    last = outcome.error.splitlines()[-1]
    found = re.fullmatch(
        r"railbird: stopped; (\d+) hands of 100 are kept; this command resumes: railbird (.*)", last
    )
    assert found is not None, last
    assert 40 < int(found[1]) < 100
    assert not output.exists()
    with monkeypatch.context() as patch:
        patch.setattr(Pokibot, "choose", counted)
        outcome = railbird(*shlex.split(found[2]))
    assert outcome.code == 0, outcome.error
    assert min(asked) >= int(found[1]), "kept hands are not played again"
    assert railbird(*order, whole).code == 0
    assert output.read_bytes() == whole.read_bytes()
    assert not list((tmp_path / "railbird" / "journals").iterdir())


def test_what_cannot_be_kept_is_told_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    display = ContestDisplay(named_game("limit-2p"), ("random", "brain"))
    nothing = Progress(0, 1, 40, 100, (), obstacle="brain cannot go on in the middle of a match")
    full = replace(
        nothing, write_error="contest.journal.unfinished cannot be written: No space left on device"
    )
    display(nothing)
    assert kept_of_contest(display) == (
        "no match is finished, so nothing was kept (brain cannot go on in the middle of a match); "
        "this command starts over"
    )
    assert not capsys.readouterr().err
    display(replace(nothing, kept_hands=1))
    assert kept_of_contest(display) == "1 hand of 100 is kept; this command resumes"
    for _ in range(2):
        display(full)
    assert capsys.readouterr().err == (
        "railbird: contest.journal.unfinished cannot be written: No space left on device; the match continues, "
        "but after an interruption its latest hands are played again\n"
    )
    assert "(contest.journal.unfinished cannot be written: No space left on device)" in kept_of_contest(
        display
    )


def test_journals_in_the_user_folder_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path))
    monkeypatch.setattr(kept_journals, "MOST", 3)
    folder = tmp_path / "data" / "journals"

    def stopped(number: int) -> None:
        with suppress(KeyboardInterrupt), kept_journal("contest", {"number": number}) as journal:
            assert isinstance(journal, Journal)
            journal.add_note("begun", number)
            with kept_journal("contest", {"number": number}) as second:
                assert second is None, "the same run is in progress elsewhere"
            raise KeyboardInterrupt

    for number in range(3):
        stopped(number)
    first = min(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    month = 31 * 86_400
    os.utime(first, (os.stat(first).st_mtime - month,) * 2)
    stopped(1)
    assert first not in folder.iterdir()
    for number in range(3, 6):
        stopped(number)
    assert len(list(folder.iterdir())) == 3
    with kept_journal("contest", {"number": 5}) as journal:
        assert journal is not None
        assert journal.note("begun") == 5
    assert len(list(folder.iterdir())) == 2
