"""The first run: bots rehearse before tables open, the page tells how far they are, and later runs do not wait."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast
from unittest.mock import AsyncMock

import pytest
from playwright.sync_api import Browser, expect

from browsing import PHONE, WIDE, browsing, grave_faults, sit_down, turn
from railbird.engine.actions import CALL
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.interfaces import DEFAULT_GAME
from railbird.interfaces.web.thinking import preparation as preparing
from railbird.interfaces.web.thinking.preparation import FirstRun
from railbird.interfaces.web.thinking.rehearsal import Rehearsal
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers, Thought
from railbird.observation import Observation
from thinking_tables import until
from web_client import Serving, serving

LIMIT_2 = named_game("limit-2p")


class Rehearsals:
    """Stands in for rehearsals: counts them, and lets them end when told."""

    def __init__(self) -> None:
        self.held: list[list[str]] = []
        self.may_end = asyncio.Event()
        self.percent = 50
        self.error: Exception | None = None

    def of(self, _thinkers: Thinkers, _rules: GameRules, agents: Sequence[str]) -> "Rehearsals":
        self.held.append(list(agents))
        return self

    async def hold(self, _at_once: int) -> None:
        await self.may_end.wait()
        if self.error is not None:
            raise ExceptionGroup("rehearsal", [self.error])


@pytest.fixture
def rehearsals(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rehearsals:
    """Rehearsals of this test, without processes and with an empty folder of compiled code."""
    made = Rehearsals()
    monkeypatch.setattr(preparing, "Rehearsal", made.of)
    monkeypatch.setattr(preparing, "compiled_code", lambda: tmp_path)
    monkeypatch.setattr(preparing, "QUIET_S", 0.0)
    monkeypatch.setattr(Thinkers, "start", AsyncMock())
    return made


def test_agents_rehearse_once_and_agents_from_files_never(rehearsals: Rehearsals) -> None:
    async def runs() -> None:
        first = FirstRun()
        await first.ready(LIMIT_2, ["casper"])  # it has not begun
        first.begin(LIMIT_2, ["always-call"])
        waiting = asyncio.create_task(first.wait())
        await until(lambda: first.percent == 50)
        assert first.what == "Always Call"
        assert not waiting.done()
        rehearsals.may_end.set()
        await waiting
        assert first.percent is None
        await first.close()
        for agents in (["always-call"], ["always-call", "random"], ["somewhere.py:Bot"]):
            later = FirstRun()
            later.begin(LIMIT_2, agents)
            await later.wait()
            await later.close()

    asyncio.run(runs())
    assert rehearsals.held == [["always-call"], ["random"]]


def test_a_table_waits_for_its_own_agents_and_kind_of_game_only(rehearsals: Rehearsals) -> None:
    async def runs() -> None:
        preparation = FirstRun()
        rehearsals.may_end.set()
        preparation.begin(LIMIT_2, ["always-call"])
        await preparation.wait()
        rehearsals.may_end.clear()
        thinkers = Thinkers(prepare=preparation.ready)
        await thinkers.prepare(LIMIT_2, ["always-call"])
        left = asyncio.create_task(thinkers.prepare(LIMIT_2, ["simbot:trials=20", "simbot:trials=30"]))
        await until(lambda: preparation.percent is not None)
        assert preparation.what == "Simbot (20 trials)"
        left.cancel()  # the person leaves; the preparation goes on
        tables = [
            asyncio.create_task(thinkers.prepare(LIMIT_2, ["simbot:trials=40"])),
            asyncio.create_task(thinkers.prepare(named_game("nolimit-2p"), ["always-call"])),
        ]
        rehearsals.may_end.set()
        await asyncio.gather(*tables)
        await preparation.close()

    asyncio.run(runs())
    assert rehearsals.held == [["always-call"], ["simbot:trials=20"], ["always-call"]]


def test_other_agents_rehearse_in_the_background_while_nobody_waits(rehearsals: Rehearsals) -> None:
    async def runs() -> None:
        preparation = FirstRun()
        others = [(LIMIT_2, "always-call"), (LIMIT_2, "random"), (LIMIT_2, "always-raise")]
        rehearsals.may_end.set()
        preparation.begin(LIMIT_2, ["always-call"], lambda: others)
        await preparation.wait()
        rehearsals.may_end.clear()
        await until(lambda: rehearsals.held[-1] == ["random"])
        assert preparation.percent is None
        rehearsals.may_end.set()
        await until(lambda: rehearsals.held[-1] == ["always-raise"])
        await preparation.close()

    asyncio.run(runs())
    assert rehearsals.held == [["always-call"], ["random"], ["always-raise"]]


def test_a_rehearsal_that_fails_keeps_nobody_waiting_and_is_repeated_by_the_next_run(
    rehearsals: Rehearsals,
) -> None:
    async def run() -> None:
        preparation = FirstRun()
        preparation.begin(LIMIT_2, ["always-call"])
        await preparation.wait()
        assert preparation.percent is None
        await preparation.ready(LIMIT_2, ["always-call"])
        await preparation.close()

    rehearsals.may_end.set()
    rehearsals.error = ThinkerError("the process that runs the bots has ended")
    asyncio.run(run())
    asyncio.run(run())
    assert len(rehearsals.held) == 2


class _Answering:
    """Stands in for the processes that run agents: agents call, and every question is counted."""

    def __init__(self) -> None:
        self.decided: set[tuple[str, int]] = set()
        self.studied: set[tuple[str, int]] = set()
        self.opened: list[tuple[str, ...]] = []
        self.study = self

    async def open(
        self, _table: str, _rules: GameRules, _players: Sequence[str], agents: Mapping[str, str]
    ) -> None:
        self.opened.append(tuple(agents.values()))

    async def decide(self, _table: str, label: str, observation: Observation, reasons: str) -> Thought:
        assert reasons == "now"
        self.decided.add((label, len(observation.board)))
        return Thought(CALL, None, 0.0, "", "")

    async def end_hand(self, *_: object) -> None: ...

    async def close_table(self, _table: str) -> None: ...

    async def strength(self, observation: Observation) -> None:
        self.studied.add(("strength", len(observation.board)))

    async def range(
        self, agent: str, _rules: GameRules, _players: object, _label: str, observation: Observation
    ) -> None:
        self.studied.add((agent, len(observation.board)))


def test_a_rehearsal_asks_every_agent_on_every_street() -> None:
    answering = _Answering()
    agents = ["always-call", "random"]
    rehearsal = Rehearsal(cast(Thinkers, answering), named_game("limit-3p"), agents)
    assert rehearsal.percent == 0
    asyncio.run(rehearsal.hold())
    assert rehearsal.percent == 100
    assert answering.opened == [("always-call", "random")]
    streets = (0, 3, 4, 5)
    assert answering.decided >= {(agent, street) for agent in agents for street in streets}
    assert answering.studied == {(asked, street) for asked in ("strength", *agents) for street in streets}


def test_agents_that_do_not_fit_at_one_table_play_at_several() -> None:
    answering = _Answering()
    asyncio.run(Rehearsal(cast(Thinkers, answering), LIMIT_2, ["always-call", "random", "casper"]).hold(1))
    assert answering.opened == [("always-call",), ("random",), ("casper",)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("store") / "hands.db") as served:
        yield served


def test_lobby_and_table_tell_how_far_the_first_run_is(
    browser: Browser, server: Serving, rehearsals: Rehearsals
) -> None:
    preparation, in_loop = server.web.preparation, server.loop.call_soon_threadsafe
    rehearsals.percent = 40
    in_loop(preparation.begin, LIMIT_2, ["always-call", "random"])
    with browsing(browser, server.address, WIDE) as page:
        line = page.locator("#preparing")
        expect(line).to_have_text("Preparing the bots, first run only: 40 %")
        assert grave_faults(page) == []
        sit_down(page, "limit-2p", ["always-call"])
        expect(page.get_by_role("progressbar", name="Preparing the bots, first run only")).to_be_visible()
        rehearsals.percent = 80
        expect(line).to_have_text("Preparing the bots, first run only: 80 %")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert grave_faults(page) == []
        expect(page.get_by_role("group", name="Your turn", exact=True)).to_have_count(0)
        in_loop(rehearsals.may_end.set)
        turn(page)
        expect(line).to_be_hidden()
        expect(page.locator("#announcements")).to_contain_text("The bots are ready.")
        in_loop(rehearsals.may_end.clear)
        sit_down(page, "limit-2p", ["always-raise"])
        expect(line).to_have_text("Preparing Always Raise, first run only: 80 %")
        in_loop(rehearsals.may_end.set)
        turn(page)
        expect(line).to_be_hidden()
    asyncio.run_coroutine_threadsafe(preparation.close(), server.loop).result()


TABLE = """
import asyncio, sys
from pathlib import Path
from railbird.engine.games import named_game
from railbird.interfaces.company import usual_opponents
from web_client import Person, serving

async def play(person, session):
    async with person.seat(session) as seat:
        for _ in range(20):
            view = await seat.own_turn()
            now = {"hand": view["hand"], "step": view["step"]}
            await seat.ask("strength", **now)
            await seat.ask("advise", agent="casper02", **now)
            await seat.play_hand()

with serving(Path(sys.argv[1]), workers=2) as served:
    person = Person(served.address)
    game = sys.argv[2]
    asyncio.run(play(person, person.begin(game, usual_opponents(named_game(game)))))
"""
"""Plays hands at a table in the browser, and asks what people ask there."""


@pytest.mark.soak
def test_after_the_preparation_nothing_is_compiled_at_the_default_table(tmp_path: Path) -> None:
    """With an empty folder of compiled code, the default table is prepared; then 20 hands there compile nothing."""
    paths = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), *sys.path)))
    environment = {**os.environ, "RAILBIRD_HOME": str(tmp_path), "PYTHONPATH": paths}
    subprocess.run([sys.executable, "-m", preparing.__name__], env=environment, check=True)
    prepared = _compiled_in(tmp_path)
    assert prepared
    table = [sys.executable, "-c", TABLE, str(tmp_path / "hands.db"), DEFAULT_GAME]
    subprocess.run(table, env=environment, check=True)
    assert sorted(_compiled_in(tmp_path) - prepared) == []


def _compiled_in(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*.nbc")}
