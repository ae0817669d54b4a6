"""A killed experiment goes on where it was, and nothing of it can be seen in the results."""

import json
import random
import signal
import time
from dataclasses import fields, replace
from pathlib import Path

import pytest

from experiment_processes import EXPERIMENT, ExperimentProcess, slow_plans
from railbird.agent.faults import Fault
from railbird.arena.play.guard import FaultRecord
from railbird.arena.play.match import MatchResult, play_match
from railbird.arena.play.plan import Bust, Duplicate, FaultPolicy, Limits, MatchPlan, entrants_of
from railbird.arena.results.tally import Tally
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.growing_journal import JournalError
from railbird.arena.run.journal import (
    SCHEMA,
    Journal,
    journal_beside,
    match_result_from_json,
    match_result_to_json,
    plan_digest,
    plan_from_json,
    plan_to_json,
)

PLANS = [
    MatchPlan("limit-2p", entrants_of(["random", opponent]), hands=5, seed="3", name=("match", number))
    for number, opponent in enumerate(["always-call", "always-raise", "random"])
]
UNUSUAL = MatchPlan(
    "limit-3p:stack=100,carry=yes",
    entrants_of(["random", "always-raise", "random"]),
    hands=30,
    seed="Ümläut",
    name=("round", 3, "match", 1),
    duplicate=Duplicate.ROTATIONS,
    bust=Bust.REBUY,
    faults=FaultPolicy.STRICT,
    limits=Limits(decision_s=0.5, memory_mb=300),
    without_luck=True,
)


def written(path: Path) -> list[MatchResult]:
    """A journal with three finished matches."""
    with Journal(path, EXPERIMENT) as journal:
        return run_matches(PLANS, "1", journal)


def heard_from(path: Path, plans: list[MatchPlan]) -> tuple[list[MatchResult], list[Progress]]:
    """The results of a run with a journal, and the progress that it told of."""
    heard: list[Progress] = []
    with Journal(path, EXPERIMENT) as journal:
        return run_matches(plans, "1", journal, heard.append), heard


def test_the_journal_stands_beside_the_results() -> None:
    assert journal_beside(Path("out/results.json")) == Path("out/results.json.journal")


def test_a_plan_is_the_same_after_it_was_written() -> None:
    for plan in (*PLANS, UNUSUAL):
        assert plan_from_json(json.loads(json.dumps(plan_to_json(plan)))) == plan


def test_plans_that_differ_in_anything_have_different_digests() -> None:
    others = [
        replace(UNUSUAL, game="limit-3p"),
        replace(UNUSUAL, entrants=UNUSUAL.entrants[::-1]),
        replace(UNUSUAL, hands=31),
        replace(UNUSUAL, seed="Umlaut"),
        replace(UNUSUAL, name=("round", 3, "match", "1")),
        replace(UNUSUAL, duplicate=Duplicate.NONE),
        replace(UNUSUAL, bust=Bust.LEAVE),
        replace(UNUSUAL, faults=FaultPolicy.NATIVE),
        replace(UNUSUAL, limits=Limits(decision_s=0.5)),
        replace(UNUSUAL, shuffle=True),
        replace(UNUSUAL, snapshot="2"),
        replace(UNUSUAL, without_luck=False),
    ]
    assert len(others) == len(fields(MatchPlan))
    assert len({plan_digest(plan) for plan in (UNUSUAL, *others)}) == len(others) + 1


def test_a_result_is_the_same_after_it_was_written() -> None:
    played = play_match(replace(UNUSUAL, limits=Limits()), keep_log=True)
    fault = FaultRecord("random 1", None, Fault.CRASH, "two\nlines and “quotes”")
    result = replace(
        played,
        plan=UNUSUAL,
        tally=Tally(3, 9, (2**70, -(2**70), 0), ((2**140, 1, 2), (1, 4, 5), (2, 5, 6))),
        faults=(fault, replace(fault, hand_number=3)),
        void=fault,
        experience=(("a hand", "another"), (), ("a third",)),
    )
    assert all(getattr(result, field.name) for field in fields(result)), (
        "a field that is empty proves nothing"
    )
    assert match_result_from_json(json.loads(json.dumps(match_result_to_json(result)))) == result


def test_what_is_in_the_journal_is_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    results = written(path)
    size = path.stat().st_size
    again, heard = heard_from(path, PLANS)
    assert again == results == run_matches(PLANS, "1")
    assert [(step.matches, step.latest) for step in heard] == [
        (1, results[0]),
        (2, results[1]),
        (3, results[2]),
    ]
    assert path.stat().st_size == size


def test_only_missing_matches_are_played_and_results_keep_the_order_of_the_plans(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    new = replace(PLANS[0], name=("match", 9))
    plans = [PLANS[2], new, PLANS[0]]
    results, heard = heard_from(path, plans)
    assert results == run_matches(plans, "1")
    assert [step.latest.plan for step in heard if step.latest] == [PLANS[2], PLANS[0], new]
    assert len(path.read_bytes().splitlines()) == 1 + 4


def test_a_match_is_played_again_when_its_hands_are_wanted_and_were_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    with Journal(path, EXPERIMENT) as journal:
        logged = run_matches(PLANS[:1], "1", journal, keep_log=True)
    assert logged == run_matches(PLANS[:1], "1", keep_log=True)
    assert len(logged[0].log) == 5
    with Journal(path, EXPERIMENT) as journal:
        assert journal.find(PLANS[0], keep_log=True) == logged[0]
        assert journal.find(PLANS[0]) == replace(logged[0], log=())
        assert journal.find(PLANS[1], keep_log=True) is None


def test_the_first_line_says_whose_journal_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    header = json.loads(path.read_bytes().splitlines()[0])
    assert header["schema"] == SCHEMA
    assert header["experiment"] == EXPERIMENT


def test_a_journal_cut_off_anywhere_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    results = written(path)
    data = path.read_bytes()
    ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
    chance = random.Random(1)
    cuts = {0, 1, len(data), *ends, *(end + 1 for end in ends), *chance.sample(range(len(data)), 50)}
    for cut in sorted(cuts):
        path.write_bytes(data[:cut])
        whole = sum(end < cut for end in ends)
        with Journal(path, EXPERIMENT) as journal:
            assert len(journal) == max(0, whole - 1), f"cut off after {cut} bytes"
            for result in results[len(journal) :]:
                journal.add(result)
        assert path.read_bytes() == data, f"cut off after {cut} bytes"


@pytest.mark.parametrize(
    ("experiment", "difference"),
    [
        ({"game": "limit-2p", "seed": "8"}, r"\(its seed is '7', not '8'\)"),
        ({"game": "limit-2p"}, r"\(its seed is '7', not None\)"),
        ({**EXPERIMENT, "hands": 9}, r"\(its hands is None, not 9\)"),
    ],
)
def test_a_journal_of_another_experiment_is_refused_and_left_alone(
    tmp_path: Path, experiment: dict[str, object], difference: str
) -> None:
    path = tmp_path / "journal"
    written(path)
    # A torn line too is the other experiment's.
    path.write_bytes(path.read_bytes()[:-3])
    before = path.read_bytes()
    with pytest.raises(JournalError, match=f"journal belongs to another experiment {difference}"):
        Journal(path, experiment).__enter__()
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", ["precious", "precious\n", "\n", '{"schema": "railbird.results/1"}\n', "[1]\n", "\0\xff\n"]
)
def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "journal"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(
        JournalError, match="journal is not a journal of an experiment; the file was not changed"
    ):
        Journal(path, EXPERIMENT).__enter__()
    assert path.read_text(encoding="latin-1") == content


def test_a_later_form_of_journals_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_text('{"schema":"railbird.journal/4"}\n')
    with pytest.raises(
        JournalError, match="has the schema railbird.journal/4, but railbird.journal/3 is expected"
    ):
        Journal(path, EXPERIMENT).__enter__()


@pytest.mark.parametrize("damage", [b"", b"{}", b"[]", b'{"match": 1, "result": {}}', b"\xff"])
def test_a_damaged_line_is_named(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "journal"
    written(path)
    lines = path.read_bytes().split(b"\n")
    lines[2] = damage
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(JournalError, match="line 3 of .* is damaged"):
        Journal(path, EXPERIMENT).__enter__()
    assert path.read_bytes() == b"\n".join(lines)


def test_a_result_under_the_name_of_another_match_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    written(path)
    path.write_bytes(path.read_bytes().replace(b'"hands":5,', b'"hands":6,', 1))
    with pytest.raises(JournalError, match="line 2 of .* is damaged"):
        Journal(path, EXPERIMENT).__enter__()


def test_two_runs_cannot_share_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, EXPERIMENT), pytest.raises(JournalError, match="journal is in use by another run"):
        Journal(path, EXPERIMENT).__enter__()
    with Journal(path, EXPERIMENT) as journal:
        assert len(journal) == 0


def test_a_journal_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be written: No such file or directory"):
        Journal(tmp_path / "nowhere" / "journal", EXPERIMENT).__enter__()
    with pytest.raises(JournalError, match="cannot be written: Is a directory"):
        Journal(tmp_path, EXPERIMENT).__enter__()
    with pytest.raises(JournalError, match="is not open"):
        Journal(tmp_path / "journal", EXPERIMENT).add(play_match(PLANS[0]))


def kill_and_resume(kills: int, folder: Path) -> None:
    """Kill an experiment that many times at random moments, look at what each kill left, and let it finish."""
    plans = slow_plans(8)
    uninterrupted = run_matches(plans, "1")
    path = folder / "journal"
    chance = random.Random(kills)
    count = 0
    while count < kills:
        with ExperimentProcess(plans, chance.choice("12"), path) as experiment:
            announced = experiment.wait_for_seatings(chance.randrange(1, 5))
            time.sleep(chance.uniform(0, 0.1))
            was_running = experiment.process.poll() is None
            experiment.signal(signal.SIGKILL)
        with Journal(path, EXPERIMENT) as journal:
            found = [journal.find(plan) for plan in plans]
        assert [result for result in found if result] == [
            expected for expected, result in zip(uninterrupted, found, strict=True) if result
        ]
        assert sum(result is not None for result in found) >= announced, "a finished match was lost"
        count += was_running
        if None not in found:
            path.unlink()
    with Journal(path, EXPERIMENT) as journal:
        assert run_matches(plans, "2", journal) == uninterrupted


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes in /proc")
def test_a_killed_and_resumed_experiment_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    kill_and_resume(2, tmp_path)


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks at processes in /proc")
def test_a_hundred_kills_cannot_be_seen_in_the_results(tmp_path: Path) -> None:
    kill_and_resume(100, tmp_path)
