"""Agents that learn: matches start from a stated snapshot, and what was lived is committed in match order."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from folders import SUPPORT
from railbird.agent import keeps_experience
from railbird.agent.faults import Fault
from railbird.arena.play.experience import (
    NO_EXPERIENCE,
    ExperienceBook,
    ExperienceError,
    of_agents,
    snapshot_digest,
)
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import Duplicate, FaultPolicy, Limits, MatchPlan, PlanError, entrants_of
from railbird.arena.run.experiment import run_matches
from railbird.arena.run.journal import match_result_from_json, match_result_to_json

AGENTS = SUPPORT / "learning_agents.py"
LEARNER = f"{AGENTS}:Remembers"
BEFORE = {LEARNER: ("-5 in hand 0", "-10 in hand 3")}


def plan(number: int = 0, agent: str = LEARNER, **fields: object) -> MatchPlan:
    return MatchPlan(
        "limit-2p",
        entrants_of([agent, "random"], trusted=True),
        20,
        "7",
        ("match", number),
        Duplicate.PERMUTATIONS,
        **fields,  # type: ignore[arg-type]
    )


def test_what_an_agent_lived_through_comes_back_with_the_result() -> None:
    result = play_match(plan(), keep_log=True)
    own, others = result.experience
    hands = [line.split(":", 5)[4:] for line in result.log]
    payoffs = [dict(zip(names.split("|"), won.split("|"), strict=True)) for won, names in hands]
    assert own == tuple(f"{won['Remembers']} in hand {number % 20}" for number, won in enumerate(payoffs))
    assert others == ()
    assert match_result_from_json(json.loads(json.dumps(match_result_to_json(result)))) == result


def test_play_depends_on_the_snapshot_and_the_plan_states_it() -> None:
    fresh = play_match(plan())
    with_past = play_match(plan(snapshot=snapshot_digest(BEFORE)), experience=BEFORE)
    assert fresh.digest != with_past.digest
    assert play_match(plan(snapshot=snapshot_digest(BEFORE)), experience=BEFORE) == with_past


@pytest.mark.parametrize("given", [NO_EXPERIENCE, {LEARNER: ("something else",)}])
def test_another_snapshot_than_planned_is_refused(given: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(PlanError, match="is not the one this match was planned with"):
        play_match(plan(snapshot=snapshot_digest(BEFORE)), experience=given)


def test_what_other_agents_lived_through_does_not_matter() -> None:
    more = BEFORE | {"someone else": ("a", "b")}
    assert of_agents(more, [LEARNER, "random"]) == BEFORE
    planned = plan(snapshot=snapshot_digest(BEFORE))
    assert play_match(planned, experience=more) == play_match(planned, experience=BEFORE)


@pytest.mark.parametrize("workers", ["2", pytest.param("8", marks=pytest.mark.soak)])
def test_workers_cannot_be_seen_in_what_was_lived(workers: str, tmp_path: Path) -> None:
    plans = [plan(number, snapshot=snapshot_digest(BEFORE)) for number in range(4)]
    alone = run_matches(plans, "1", experience=BEFORE)
    assert run_matches(plans, workers, experience=BEFORE) == alone


def test_an_agent_in_its_own_process_lives_through_the_same() -> None:
    there = play_match(
        plan(snapshot=snapshot_digest(BEFORE), limits=Limits(decision_s=30.0)), experience=BEFORE
    )
    here = play_match(plan(snapshot=snapshot_digest(BEFORE)), experience=BEFORE)
    assert there.experience == here.experience
    assert there.digest == here.digest


@pytest.mark.parametrize(
    ("agent", "keeps"),
    [
        ("baycarp2", False),
        ("baycarp2:retain=yes", True),
        ("baycarp2:retain=yes,store={folder}/a.db", False),
        ("baycarp2:join=bn-cbr-1", False),
        ("casper-online:pack=none", True),
        ("casper-online:pack=none,store={folder}/b.db", False),
        ("casey", True),
        ("casey:keeps=no", False),
        ("pokibot", True),
        ("simbot:models=no,trials=1", False),
        ("random", False),
        (LEARNER, True),
    ],
)
def test_agents_say_whether_they_keep_experience_with_these_parameters(
    agent: str, keeps: bool, tmp_path: Path
) -> None:
    agent = agent.format(folder=tmp_path)
    assert keeps_experience(agent) is keeps
    played = MatchPlan("limit-2p", entrants_of([agent, "random"], trusted=True), 3, "7")
    assert any(play_match(played).experience) is keeps


@pytest.mark.parametrize(("name", "fault"), [("Confused", Fault.NOT_A_DECISION), ("Forgetful", Fault.CRASH)])
def test_a_fault_about_experience_is_recorded_and_costs_no_hand(name: str, fault: Fault) -> None:
    result = play_match(plan(agent=f"{AGENTS}:{name}"))
    assert result.experience == ()
    assert [record.fault for record in result.faults] == [fault, fault]
    assert result.tally.hands == 40
    void = play_match(plan(agent=f"{AGENTS}:{name}", faults=FaultPolicy.STRICT))
    assert void.void is not None


def commits(book: ExperienceBook, *matches: tuple[str, dict[str, list[str]]]) -> int:
    return book.commit((key, list(lived.items())) for key, lived in matches)


def test_a_book_keeps_the_order_of_matches_and_every_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    book = ExperienceBook(path)
    assert (len(book), book.snapshot()) == (0, {})
    assert commits(book, ("one", {"a": ["1", "2"], "b": ["3"]}), ("two", {"a": ["4"]})) == 2
    again = ExperienceBook(path)
    assert again.snapshot() == book.snapshot() == {"a": ("1", "2", "4"), "b": ("3",)}
    assert again.snapshot(1) == {"a": ("1", "2"), "b": ("3",)}
    assert again.snapshot(0) == {}
    with pytest.raises(ExperienceError, match=r"contains 2 matches, so there is no snapshot of 3"):
        again.snapshot(3)


def test_a_match_is_committed_once(tmp_path: Path) -> None:
    book = ExperienceBook(tmp_path / "book.jsonl")
    commits(book, ("one", {"a": ["1"]}))
    content = book.path.read_bytes()
    assert commits(book, ("one", {"a": ["1"]})) == 0
    assert book.path.read_bytes() == content


@pytest.mark.parametrize("content", ["", "hello", "{}", '{"schema": "railbird.journal/2"}'])
def test_a_file_that_is_no_book_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "book"
    path.write_text(content)
    with pytest.raises(ExperienceError, match="is not an experience book; the file was not changed"):
        ExperienceBook(path)
    assert path.read_text() == content


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "book"
    commits(ExperienceBook(path), ("one", {"a": ["1"]}))
    path.write_text(path.read_text() + '{"match": "two"}\n')
    with pytest.raises(ExperienceError, match="line 3 of .* is damaged"):
        ExperienceBook(path)


def test_a_changed_file_is_another_player(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(AGENTS.read_text())
    agent = f"{file}:Remembers"
    planned = plan(agent=agent)
    play_match(planned)
    file.write_text(AGENTS.read_text() + "\n# changed\n")
    with pytest.raises(PlanError, match=r"the files of .*bot.py:Remembers have changed"):
        play_match(planned)
    assert replace(planned, entrants=entrants_of([agent, "random"], trusted=True)) != planned
