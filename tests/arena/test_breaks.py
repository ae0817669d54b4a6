"""A seating that resumes after a break is played as without one, and where it cannot, it is not kept."""

import sys
from contextlib import nullcontext
from dataclasses import dataclass, replace
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from folders import SUPPORT
from railbird.agent import agent_names, named
from railbird.agents.baselines import AlwaysCall
from railbird.arena.play import match
from railbird.arena.play.breaks import HandsBefore
from railbird.arena.play.match import Partial, play_seating
from railbird.arena.play.plan import Bust, MatchPlan, entrants_of
from railbird.arena.run import break_journal, growing_journal, ray_cluster
from railbird.arena.run.break_journal import SCHEMA, BreakJournal
from railbird.arena.run.experiment import Progress, run_matches
from railbird.arena.run.journal import Journal
from railbird.engine.games import named_game
from railbird.interfaces.company import suits
from railbird.store.experiences import StoredExperience
from railbird.store.lived import LivedHand
from railbird.store.store import open_store

HANDS, BREAKS = 12, (4, 9)
TABLES = [
    ("limit-3p", ["random", "always-raise", "simbot:trials=20"]),
    ("limit-2p", ["casper02", "pokibot"]),
    ("limit-2p:carry=yes,stack=300", ["sartre", "rulebot"]),
    ("limit-2p:carry=yes,stack=120", ["pokibot", "baycarp2:players=adapting"]),
    ("limit-3p:carry=yes,stack=120", ["casey:adequate=2", "simbot:trials=20", "always-raise"]),
    ("nolimit-2p:carry=yes,stack=1000", ["sartre-nl", "random"]),
    ("limit-2p", ["equilibrium", "equilibrium"]),
]
LEARNERS = [
    "casey:adequate=2",
    "casey:adequate=2,keeps=no",
    "casper-online",
    "casper-online:pack=none",
    "baycarp1:retain=yes",
    "baycarp3:retain=yes",
    "baycarp2:join=bn-cbr-1",
    "baycarp2:join=cbr-bn-1-adapt",
    "baycarp2:join=cbr-bn-2",
    "baycarp2:solutions=strategies",
]
"""Agents that learn from their own decisions, or that read opponents in other ways."""
REMOTE = "brain"
"""The agent that cannot go on: its state is in another program, whose contract has no bookmarks."""


@pytest.fixture(autouse=True)
def _reports_every_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "TELL_HANDS", 1)
    monkeypatch.setattr(match, "TELL_S", -1.0)


def planned(game: str, agents: list[str]) -> MatchPlan:
    return MatchPlan(game, entrants_of(agents, trusted=True), HANDS, "3", bust=Bust.REBUY)


def check(game: str, agents: list[str], path: Path) -> None:
    """Play a seating with two breaks: it must be the same as without them."""
    plan, parts = planned(game, agents), list[Partial]()
    whole = play_seating(plan, 0, keep_log=True, tell=parts.append)
    for stop in (break_ for break_ in BREAKS if break_ < len(parts)):
        with BreakJournal(path) as journal:
            kept = len(journal.find(plan, 0).hands)
            for part in parts[kept:stop]:
                journal.add(plan, 0, part)
        with BreakJournal(path) as journal:
            before = journal.find(plan, 0)
        assert len(before.hands) == stop
        parts.clear()
        assert play_seating(plan, 0, keep_log=True, before=before, tell=parts.append) == whole
        assert [len(part.before.hands) for part in parts] == [0] * stop + [1] * (len(parts) - stop), (
            "it was played again"
        )


@pytest.mark.parametrize(("game", "agents"), TABLES)
def test_every_hand_after_a_break_is_as_without_it(game: str, agents: list[str], tmp_path: Path) -> None:
    check(game, agents, tmp_path / "breaks")


@pytest.mark.parametrize("agent", [*(name for name in agent_names() if name != REMOTE), *LEARNERS])
def test_every_agent_goes_on_after_a_break(agent: str, tmp_path: Path) -> None:
    games = ("limit-2p", "nolimit-2p", "limit-3p")
    game = next(game for game in games if suits(agent, named_game(game)))
    check(game, [agent, *["random"] * (named_game(game).players - 1)], tmp_path / "breaks")


@pytest.mark.soak
@pytest.mark.parametrize("agent", [*(name for name in agent_names() if name != REMOTE), *LEARNERS])
def test_every_agent_goes_on_in_every_game(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = sys.modules[__name__]
    monkeypatch.setattr(here, "HANDS", 400)
    monkeypatch.setattr(here, "BREAKS", (50, 123, 300))
    games = ("limit-2p", "limit-3p", "limit-2p:carry=yes,stack=300", "limit-3p:carry=yes,stack=300")
    more = ("nolimit-2p", "nolimit-2p:carry=yes,stack=1000")
    for number, game in enumerate((*games, *more)):
        if suits(agent, named_game(game)):
            others = ["random"] * (named_game(game).players - 1)
            check(game, [agent, *others], tmp_path / str(number))


@pytest.mark.parametrize(
    ("agent", "name", "system"),
    [
        ("casper-online:pack=none", "casper-online", "casper:look-ahead=1"),
        ("baycarp2:retain=yes", "baycarp", "baycarp"),
    ],
)
def test_hands_in_a_store_are_remembered_and_not_stored_twice(
    agent: str, name: str, system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = MatchPlan("limit-2p", entrants_of([f"{agent},store=lived.db", "random"], trusted=True), HANDS, "3")
    other = LivedHand(9.0)

    def stored() -> list[str]:
        with open_store("lived.db") as store:
            return [hand.to_text() for hand in StoredExperience(store, name, system).hands()]

    def begin(folder: str) -> None:
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        play_seating(replace(plan, hands=3, seed="4"), 0)  # an earlier match

    begin("whole")
    whole, lived = play_seating(plan, 0, keep_log=True), stored()
    begin("broken")
    parts: list[Partial] = []
    # The last bookmark that was kept is older than the last hand in the store, and another learner is at work.
    play_seating(replace(plan, hands=BREAKS[1]), 0, tell=parts.append)
    with open_store("lived.db") as store:
        StoredExperience(store, name, system).retain(other)
    kept = parts[: BREAKS[0]]
    before = HandsBefore(
        tuple(hand for part in kept for hand in part.before.hands), kept[-1].before.bookmarks
    )
    assert play_seating(plan, 0, keep_log=True, before=before) == whole
    assert stored() == [*lived[: 3 + BREAKS[1]], other.to_text(), *lived[3 + BREAKS[1] :]]


class Stranger(AlwaysCall):
    """Offers what cannot be kept, or fails when it goes on."""

    offers: ClassVar[object] = None

    def bookmark(self) -> object:
        if self.offers is None:
            raise RuntimeError("no bookmark today")
        return self.offers

    def go_on(self, bookmark: object) -> None:
        raise RuntimeError("nowhere to go on")


@pytest.mark.parametrize("offer", [None, object(), {1, 2}])
def test_a_bookmark_that_cannot_be_kept_is_no_fault(offer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stranger, "offers", offer)
    parts: list[Partial] = []
    outcome = play_seating(planned("limit-2p", [named(Stranger), "random"]), 0, tell=parts.append)
    assert not outcome.faults
    assert {len(part.before.bookmarks) for part in parts} == {0}
    assert {part.before.obstacle for part in parts} == {"Stranger cannot go on in the middle of a match"}


def test_where_an_agent_fails_to_go_on_its_match_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stranger, "offers", {})
    plan, parts = planned("limit-2p", [named(Stranger), "random"]), list[Partial]()
    whole = play_seating(plan, 0, keep_log=True, tell=parts.append)
    before = HandsBefore(parts[0].before.hands, parts[0].before.bookmarks)
    assert len(before.hands) == 1
    assert play_seating(plan, 0, keep_log=True, before=before) == whole


@pytest.mark.parametrize(
    ("agent", "obstacle"),
    [
        (
            f"{SUPPORT / 'slow_agents.py'}:Slow:milliseconds=0",
            "Slow:milliseconds=0 cannot go on in the middle of a match",
        ),
        (f"{SUPPORT / 'misbehaving_agents.py'}:Raises", "Raises had a fault"),
    ],
)
def test_agents_without_bookmarks_are_not_interrupted_in_a_match(agent: str, obstacle: str) -> None:
    parts: list[Partial] = []
    play_seating(planned("limit-2p", [agent, "random"]), 0, tell=parts.append)
    assert {len(part.before.bookmarks) for part in parts} == {0}
    assert obstacle in {part.before.obstacle for part in parts}


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


def test_on_a_full_disk_the_match_goes_on_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(break_journal, "WRITE_S", -1.0)
    plan, told = planned("limit-2p", ["random", "casey"]), list[str]()
    alone = run_matches([plan], keep_log=True)
    path = tmp_path / "journal"

    def stop(progress: Progress) -> None:
        if progress.kept_hands == BREAKS[0]:
            raise KeyboardInterrupt

    with Journal(path, {}) as journal, pytest.raises(KeyboardInterrupt):
        run_matches([plan], "1", journal, stop, keep_log=True)
    kept = (tmp_path / "journal.unfinished").read_bytes()

    def full(_: FileIO, __: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    def hear(progress: Progress) -> None:
        told.append(progress.write_error)
        if progress.latest is None:
            assert progress.kept_hands >= BREAKS[0]
            assert (tmp_path / "journal.unfinished").read_bytes() == kept

    with Journal(path, {}) as journal, monkeypatch.context() as patch:
        append = growing_journal._append
        patch.setattr(
            growing_journal,
            "_append",
            lambda file, entry: full(file, entry) if "bookmarks" in entry else append(file, entry),
        )
        assert run_matches([plan], "1", journal, hear, keep_log=True) == alone
    assert set(told) == {"", f"{path}.unfinished cannot be written: No space left on device"}
    assert told == sorted(told), "once it is full, nothing more is kept"


def test_where_hands_cannot_be_kept_at_all_the_match_is_played(tmp_path: Path) -> None:
    plan, told = planned("limit-2p", ["random", "random"]), list[str]()
    (tmp_path / "journal.unfinished").mkdir()
    (tmp_path / "journal.unfinished" / "file").touch()
    with Journal(tmp_path / "journal", {}) as journal:
        found = run_matches([plan], "1", journal, lambda progress: told.append(progress.write_error))
    assert found == run_matches([plan])
    assert set(told) == {f"{tmp_path}/journal.unfinished cannot be written: Is a directory"}


class FakeRay:
    """What `ray_cluster` uses of Ray, in this process: tasks are played when they are given."""

    exceptions = SimpleNamespace(RayActorError=LookupError)

    def __init__(self) -> None:
        self.killed = 0

    def remote(self, *functions: Any, **_: Any) -> Any:
        if not functions:
            return self.remote
        (function,) = functions
        if not isinstance(function, type):
            return SimpleNamespace(remote=lambda *arguments: _Reference(function(*arguments)))

        def make() -> Any:
            made = function()
            names = [name for name in vars(function) if not name.startswith("_")]
            return SimpleNamespace(**{name: self.remote(getattr(made, name)) for name in names})

        return SimpleNamespace(remote=make)

    def wait(self, references: list[Any], timeout: float | None = None) -> tuple[list[Any], list[Any]]:
        return references[:1], references[1:]

    def get(self, reference: Any) -> Any:
        return reference.answer

    def kill(self, _: Any) -> None:
        self.killed += 1


@dataclass(eq=False)
class _Reference:
    answer: Any


def test_jobs_on_ray_tell_of_their_hands_and_go_on_after_a_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = FakeRay()
    monkeypatch.setattr(ray_cluster, "_session", lambda _: nullcontext(ray))
    plan = planned("limit-2p", ["casey:adequate=2", "random"])
    alone = run_matches([plan], keep_log=True)

    def stop(progress: Progress) -> None:
        if progress.kept_hands == BREAKS[0]:
            raise KeyboardInterrupt

    with Journal(tmp_path / "journal", {}) as journal, pytest.raises(KeyboardInterrupt):
        run_matches([plan], "ray", journal, stop, keep_log=True)
    heard: list[Progress] = []
    with Journal(tmp_path / "journal", {}) as journal:
        assert run_matches([plan], "ray", journal, heard.append, keep_log=True) == alone
    assert heard[0].kept_hands == BREAKS[0]
    assert ray.killed == 2
