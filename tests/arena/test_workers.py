"""The same results to the byte, whoever plays the jobs and whoever is killed meanwhile."""

import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from experiment_processes import SLOW, ExperimentProcess, slow_plans, wait_until
from railbird.agents.baselines import AlwaysCall
from railbird.arena.play import match
from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Duplicate, Limits, MatchPlan, entrants_of
from railbird.arena.run import pool
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.job import TRIES, Job, WorkerError
from railbird.arena.run.workers import run_jobs
from railbird.engine.rules import GameRules
from railbird.extras import MissingExtra
from railbird.spec import SpecError

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes in /proc")

SEATS = ["random", "always-call", "random", "always-raise"]
PLANS = [
    MatchPlan(
        f"limit-{players}p",
        entrants_of(SEATS[:players], trusted=True),
        hands=20,
        seed="5",
        duplicate=duplicate,
    )
    for players, duplicate in ((2, Duplicate.PERMUTATIONS), (3, Duplicate.PERMUTATIONS), (2, Duplicate.NONE))
]


@pytest.fixture(scope="module")
def alone() -> list[MatchResult]:
    """What one process makes of the plans."""
    return run_matches(PLANS, "1", keep_log=True)


@pytest.mark.parametrize("workers", ["2", pytest.param("8", marks=pytest.mark.soak)])
def test_a_pool_gives_the_results_of_one_process(workers: str, alone: list[MatchResult]) -> None:
    assert run_matches(PLANS, workers, keep_log=True) == alone
    assert not multiprocessing.active_children()


def test_progress_counts_matches_and_hands_up_to_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    # A seating that takes long, as the first one of a process does, would tell of its hands too.
    monkeypatch.setattr(match, "TELL_S", inf)
    heard: list[Progress] = []
    results = run_matches(PLANS, "1", progress=heard.append)
    assert [(step.hands, step.matches) for step in heard] == [
        (20, 0),
        (40, 1),
        (60, 1),
        (80, 1),
        (100, 1),
        (120, 1),
        (140, 1),
        (160, 2),
        (180, 3),
    ]
    assert {(step.all_hands, step.all_matches) for step in heard} == {(180, 3)}
    assert {step.totals for step in heard} == {()}  # who plays differs from match to match
    assert [step.latest for step in heard if step.latest] == results


def test_agents_prepare_once_for_the_hands_they_will_play(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def prepare(_: AlwaysCall, rules: GameRules, hands: int, progress: Callable[[int, int], object]) -> None:
        asked.append((rules.name, hands))
        progress(1, 4)

    monkeypatch.setattr(AlwaysCall, "prepare", prepare)
    heard: list[Progress] = []
    isolated = replace(PLANS[0], limits=Limits(decision_s=10), name=("isolated",))
    run_matches([*PLANS, isolated], "1", progress=heard.append)
    assert sorted(asked) == [("limit-2p", 60), ("limit-3p", 120)]
    assert [step.table for step in heard[:3]] == [(1, 4), (1, 4), None]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_progress_tells_what_was_won_while_a_seating_is_played(workers: str) -> None:
    heard: list[Progress] = []
    plans = slow_plans(1, hands=150)
    (result,) = run_matches(plans, workers, progress=heard.append)
    hands = [step.hands for step in heard]
    assert hands == sorted(hands)
    assert len(heard) > len(plans[0].seatings())
    assert all(sum(step.totals) == 0 for step in heard)
    assert heard[-1].totals == result.tally.totals
    assert heard[-1].hands == heard[-1].all_hands


def test_the_same_plan_twice_is_one_match() -> None:
    heard: list[Progress] = []
    first, second = run_matches([PLANS[2], PLANS[2]], "1", progress=heard.append)
    assert first == second
    assert len(heard) == 1


@pytest.mark.parametrize(
    "workers", ["0", "-1", "", "two", "1.5", "²", "ray:", "ray://", "ray://host", "http://h:1"]
)
def test_a_text_that_names_no_workers_is_refused(workers: str) -> None:
    with pytest.raises(
        WorkerError, match="workers must be a whole number from 1, ray .* or ray://host:port, not "
    ):
        run_jobs([Job(PLANS[0])], workers)


@pytest.mark.parametrize("workers", ["ray", "ray://127.0.0.1:10001"])
def test_without_ray_a_sentence_says_how_to_install_it(workers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    sentence = r"^--workers ray needs the extra \"ray\": pip install 'railbird\[ray\]'$"
    with pytest.raises(MissingExtra, match=sentence):
        list(run_jobs([Job(PLANS[0])], workers))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_is_wrong_with_a_plan_is_said_in_the_same_words(workers: str) -> None:
    plan = MatchPlan("limit-2p", entrants_of(["randon", "always-call"]), hands=1, seed="1")
    with pytest.raises(SpecError, match="randon"):
        list(run_jobs([Job(plan), Job(plan)], workers))


def test_only_the_job_of_a_killed_worker_is_played_again(tmp_path: Path) -> None:
    note = tmp_path / "note"

    def begun() -> list[str]:
        return note.read_text().splitlines()

    jobs = [Job(plan) for plan in slow_plans(4, hands=3, agent=f"{SLOW}:milliseconds=50,note={note}")]
    answers = run_jobs(jobs, "2")
    received = [next(answers)]
    # Whoever answered has the third job by now.
    wait_until(lambda: len(begun()) == 3)
    os.kill(int(begun()[-1]), signal.SIGKILL)
    received += answers
    assert len(begun()) == len(jobs) + 1
    assert sorted(number for number, _ in received) == [0, 1, 2, 3]
    assert dict(received) == {number: job.play() for number, job in enumerate(jobs)}


def test_a_job_that_kills_its_worker_is_given_up_by_name_after_three_tries(tmp_path: Path) -> None:
    note = tmp_path / "note"
    (deadly,) = slow_plans(1, agent=f"{SLOW.replace(':Slow', ':Deadly')}:note={note}")
    with pytest.raises(
        WorkerError, match=r"^seating 1 of match 0 .* was started 3 times, .* lost \(signal 9\)$"
    ):
        list(run_jobs([Job(deadly)], "2"))
    assert len(note.read_text().splitlines()) == TRIES == 3
    assert not multiprocessing.active_children()


def test_a_worker_that_leaves_without_an_answer_ends_the_run_with_its_exit_code() -> None:
    (leaves,) = slow_plans(1, agent=SLOW.replace(":Slow", ":Leaves"))
    with pytest.raises(WorkerError, match="seating 2 of match 0 .* ended with exit code 3 and no answer"):
        list(run_jobs([Job(leaves, 1)], "2"))


def kill_workers(kills: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kill a worker after every second seating; nothing of it may be seen in the results."""
    # Chance may hit the same job again and again, which is not what this is about.
    monkeypatch.setattr(pool, "TRIES", kills + 1)
    plans = slow_plans(kills + 2)
    chance = random.Random(kills)
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if progress.hands // plans[0].hands % 2 and len(killed) < kills:
            victim = chance.choice(multiprocessing.active_children()).pid
            assert victim is not None
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    assert run_matches(plans, "2", progress=kill) == run_matches(plans, "1")
    assert len(killed) == kills
    assert not multiprocessing.active_children()


def test_killed_workers_cannot_be_seen_in_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    kill_workers(2, monkeypatch)


@pytest.mark.soak
def test_a_hundred_killed_workers_cannot_be_seen_in_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    kill_workers(100, monkeypatch)


def test_workers_end_when_nobody_wants_their_answers() -> None:
    answers = run_jobs([Job(plan) for plan in slow_plans(3)], "2")
    next(answers)
    assert multiprocessing.active_children()
    answers.close()
    assert not multiprocessing.active_children()


@needs_proc
def test_ctrl_c_ends_all_processes_and_only_the_parent_says_so(tmp_path: Path) -> None:
    with ExperimentProcess(slow_plans(50), "2", tmp_path / "journal") as experiment:
        experiment.wait_for_seatings(2)
        assert len(experiment.alive()) >= 3
        errors = experiment.signal(signal.SIGINT, everyone=True)
    assert errors.count("Traceback") == 1
    assert errors.rstrip().endswith("KeyboardInterrupt")


@needs_proc
def test_no_worker_outlives_a_killed_parent(tmp_path: Path) -> None:
    # One decision alone takes minutes in the first job, so its worker does not leave because it is done.
    (endless,) = slow_plans(1, agent=f"{SLOW}:milliseconds=1000000")
    plans = [replace(endless, duplicate=Duplicate.NONE), *slow_plans(20)[1:]]
    with ExperimentProcess(plans, "2", tmp_path / "journal") as experiment:
        experiment.wait_for_seatings(1)
        assert len(experiment.alive()) >= 3
        assert experiment.signal(signal.SIGKILL) == ""


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder for temporary files with a name that is short enough for Ray's sockets."""
    with tempfile.TemporaryDirectory(prefix="rb") as folder:
        yield Path(folder)


@needs_proc
def test_ray_gives_the_same_results_and_leaves_nothing_behind(
    tmp_path: Path, short_folder: Path, alone: list[MatchResult]
) -> None:
    pytest.importorskip("ray")
    # The last match takes so long that the processes are still there when they are looked at.
    plans = [*PLANS, *slow_plans(1, agent=f"{SLOW}:milliseconds=100")]
    with ExperimentProcess(plans, "ray", tmp_path / "journal", TMPDIR=str(short_folder)) as experiment:
        experiment.wait_for_seatings(1)
        running = experiment.alive()
        assert len(running) > 3
        assert listening_addresses(running) == {"127.0.0.1"}
        servers = [process for process in running if command(process).endswith((b"/gcs_server", b"/raylet"))]
        assert len(servers) == 2
        assert all(asks_for_a_token(process) for process in servers)
        *results, _ = experiment.results()
    assert [result.digest for result in results] == [result.digest for result in alone]
    assert [result.tally for result in results] == [result.tally for result in alone]
    assert not list(short_folder.iterdir())


def command(process: int) -> bytes:
    """What a process was started as; nothing where it ended meanwhile."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0]
    except FileNotFoundError:
        return b""


def asks_for_a_token(process: int) -> bool:
    environment = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    tokens = [entry for entry in environment if entry.startswith(b"RAY_AUTH_TOKEN=")]
    return b"RAY_AUTH_MODE=token" in environment and all(len(token) > 64 for token in tokens) and bool(tokens)


def listening_addresses(processes: list[int]) -> set[str]:
    """Where processes accept connections."""
    sockets = {file for process in processes for file in open_files(process)}
    addresses = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                # The last 32 bits of an address, lowest byte first: an IPv4 address, also where it is mapped to IPv6.
                digits = fields[1].split(":")[0][-8:]
                addresses.add(".".join(str(byte) for byte in reversed(bytes.fromhex(digits))))
    return addresses


def open_files(process: int) -> list[str]:
    """What a process has open, as the system names it; nothing where it ended meanwhile."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):
                found.append(os.readlink(descriptor))
    return found


def is_open(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.soak
def test_an_existing_ray_cluster_can_be_joined(
    tmp_path: Path, short_folder: Path, alone: list[MatchResult]
) -> None:
    pytest.importorskip("ray")
    environment = {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": "t" * 64,
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    }
    start = [
        str(Path(sys.executable).with_name("ray")),
        *("start", "--head", "--block", "--include-dashboard=false", "--disable-usage-stats"),
        *("--node-ip-address=127.0.0.1", "--port=6399", "--ray-client-server-port=20099"),
        *("--num-cpus=2", f"--temp-dir={short_folder}"),
    ]
    head = subprocess.Popen(
        start,
        # gRPC's care for forks ends the server that the head starts for each client.
        env={**os.environ, **environment, "GRPC_ENABLE_FORK_SUPPORT": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: is_open(20099))
        address = "ray://127.0.0.1:20099"
        wrong = {**environment, "RAY_AUTH_TOKEN": "u" * 64}
        with ExperimentProcess(PLANS, address, tmp_path / "stranger", **wrong) as stranger:
            errors = stranger.process.communicate(timeout=120)[1]
        assert f"WorkerError: the Ray cluster {address} cannot be joined" in errors
        with ExperimentProcess(PLANS, address, tmp_path / "journal", **environment) as experiment:
            results = experiment.results()
    finally:
        head.terminate()
        head.wait(60)
    assert [result.digest for result in results] == [result.digest for result in alone]
