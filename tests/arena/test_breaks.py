"""A seating that resumes after a break is played as without one, and where it cannot, it is not kept."""

from pathlib import Path

import pytest

from folders import SUPPORT
from railbird.agent import agent_names
from railbird.arena.play import match
from railbird.arena.play.match import Partial, play_seating
from railbird.arena.play.plan import Bust, MatchPlan, entrants_of
from railbird.arena.run.break_journal import SCHEMA, BreakJournal
from railbird.arena.run.experiment import run_matches
from railbird.arena.run.journal import Journal
from railbird.engine.games import named_game
from railbird.interfaces.company import suits

HANDS, BREAK = 12, 7
FORGETFUL = ("baycarp1", "baycarp2", "baycarp3", "brain", "casey", "casper-online")
"""Agents that cannot go on: what they learnt from their own decisions cannot be told again."""
TABLES = [
    ("limit-3p", ["random", "always-raise", "simbot:trials=20"]),
    ("limit-2p", ["casper02", "pokibot"]),
    ("limit-2p:carry=yes,stack=300", ["sartre", "rulebot"]),
    ("nolimit-2p:carry=yes,stack=1000", ["sartre-nl", "random"]),
    ("limit-2p", ["equilibrium", "equilibrium"]),
]


@pytest.fixture(autouse=True)
def _reports_every_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "TELL_HANDS", 1)
    monkeypatch.setattr(match, "TELL_S", -1.0)


def planned(game: str, agents: list[str]) -> MatchPlan:
    return MatchPlan(game, entrants_of(agents, trusted=True), HANDS, "3", bust=Bust.REBUY)


def check(game: str, agents: list[str], path: Path) -> None:
    plan, parts = planned(game, agents), list[Partial]()
    whole = play_seating(plan, 0, keep_log=True, tell=parts.append)
    with BreakJournal(path) as journal:
        for part in parts[:BREAK]:
            journal.add(plan, 0, part)
    with BreakJournal(path) as journal:
        before = journal.find(plan, 0)
    assert len(before.hands) == BREAK
    assert play_seating(plan, 0, keep_log=True, before=before) == whole


@pytest.mark.parametrize(("game", "agents"), TABLES)
def test_every_hand_after_a_break_is_as_without_it(game: str, agents: list[str], tmp_path: Path) -> None:
    check(game, agents, tmp_path / "breaks")


@pytest.mark.soak
@pytest.mark.parametrize("agent", [name for name in agent_names() if name not in FORGETFUL])
def test_every_agent_goes_on_after_a_break(agent: str, tmp_path: Path) -> None:
    for number, game in enumerate(("limit-2p", "limit-3p", "nolimit-2p", "nolimit-2p:carry=yes,stack=1000")):
        if suits(agent, named_game(game)):
            others = ["random"] * (named_game(game).players - 1)
            check(game, [agent, *others], tmp_path / str(number))


@pytest.mark.parametrize(
    "agents",
    [
        ["baycarp2", "random"],
        ["casey", "random"],
        [f"{SUPPORT / 'slow_agents.py'}:Slow:milliseconds=0", "random"],
    ],
)
def test_agents_without_bookmarks_are_not_interrupted_in_a_match(agents: list[str]) -> None:
    parts: list[Partial] = []
    play_seating(planned("limit-2p", agents), 0, tell=parts.append)
    assert {part.before.bookmarks for part in parts} == {()}


def test_what_another_version_kept_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.unfinished"
    plan = planned("limit-2p", ["random", "random"])
    alone = run_matches([plan])
    for text in (f'{{"schema":"{SCHEMA}","version":"0"}}\n', "dear diary\n"):
        path.write_text(text)
        with Journal(tmp_path / "journal", {"text": text}) as journal:
            assert run_matches([plan], journal=journal) == alone
        assert not path.exists()
        (tmp_path / "journal").unlink()
