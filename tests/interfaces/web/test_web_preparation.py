"""The first run: bots rehearse before tables open, the page tells how far they are, and later runs do not wait."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, WIDE, browsing, grave_faults, sit_down, turn
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.interfaces.company import usual_opponents
from railbird.interfaces.offer import Offer
from railbird.interfaces.web.thinking import preparation as preparing
from railbird.interfaces.web.thinking.preparation import COMPILED, DEFAULT_GAME, FirstRun
from railbird.interfaces.web.thinking.rehearsal import rehearse
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers
from thinking_tables import until
from web_client import Serving, serving

LIMIT_2 = named_game("limit-2p")


class Rehearsals:
    """Stands in for rehearsals: counts them, and lets them end when told."""

    def __init__(self) -> None:
        self.held: list[list[str]] = []
        self.may_end = asyncio.Event()
        self.error: Exception | None = None

    async def rehearse(self, _thinkers: Thinkers, _rules: GameRules, agents: Sequence[str]) -> None:
        self.held.append(list(agents))
        await self.may_end.wait()
        if self.error is not None:
            raise ExceptionGroup("rehearsal", [self.error])


@pytest.fixture
def rehearsals(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rehearsals:
    """Rehearsals of this test, with an empty folder of compiled code."""
    made = Rehearsals()
    monkeypatch.setattr(preparing, "rehearse", made.rehearse)
    monkeypatch.setattr(preparing, "compiled_code", lambda: tmp_path)
    monkeypatch.setattr(preparing, "compiled_functions", lambda: COMPILED // 2)
    return made


def test_agents_rehearse_once_and_agents_from_files_never(rehearsals: Rehearsals) -> None:
    async def begin(agents: Sequence[str]) -> FirstRun:
        preparation = FirstRun(Thinkers(1))
        preparation.begin(LIMIT_2, agents)
        await preparation.wait()
        assert preparation.percent is None
        return preparation

    async def runs() -> None:
        first = FirstRun(Thinkers(1))
        assert first.percent is None
        first.begin(LIMIT_2, ["always-call"])
        waiting = asyncio.create_task(first.wait())
        await until(lambda: first.percent == 50)
        assert not waiting.done()
        rehearsals.may_end.set()
        await waiting
        assert first.percent is None
        await begin(["always-call"])
        await begin(["always-call", "random"])
        await begin(["somewhere.py:Bot"])

    asyncio.run(runs())
    assert rehearsals.held == [["always-call"], ["random"]]


def test_a_rehearsal_that_fails_keeps_nobody_waiting_and_is_repeated(rehearsals: Rehearsals) -> None:
    async def run() -> None:
        preparation = FirstRun(Thinkers(1))
        preparation.begin(LIMIT_2, ["always-call"])
        await preparation.wait()
        assert preparation.percent is None

    rehearsals.may_end.set()
    rehearsals.error = ThinkerError("the process that runs the agents has ended")
    asyncio.run(run())
    asyncio.run(run())
    assert len(rehearsals.held) == 2


def test_a_rehearsal_asks_every_agent_on_every_street(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked of whom, with the simplest agents, which answer at once."""
    boards: set[int] = set()
    asked: set[str] = set()

    async def run() -> None:
        thinkers = Thinkers(2, offer=Offer(trusted=True))
        decide, strength = thinkers.decide, thinkers.study.strength

        async def decided(table, label, observation, reasons):  # type: ignore[no-untyped-def]
            assert reasons == "now"
            asked.add(label)
            return await decide(table, label, observation, reasons)

        async def measured(observation):  # type: ignore[no-untyped-def]
            boards.add(len(observation.board))
            return await strength(observation)

        monkeypatch.setattr(thinkers, "decide", decided)
        monkeypatch.setattr(thinkers.study, "strength", measured)
        await thinkers.start()
        await rehearse(thinkers, named_game("limit-3p"), ["always-call", "random"])
        await thinkers.close()

    asyncio.run(run())
    assert boards == {0, 3, 4, 5}
    assert asked == {"always-call", "random"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("store") / "hands.db") as served:
        yield served


def _hold(server: Serving, percent: int) -> asyncio.Event:
    """Let the server prepare until the event is set."""
    preparation = server.web.preparation
    ends = asyncio.Event()

    async def prepare() -> None:
        await ends.wait()
        preparation.percent = None

    async def begin() -> None:
        preparation.percent = percent
        preparation._task = asyncio.create_task(prepare())

    asyncio.run_coroutine_threadsafe(begin(), server.loop).result()
    return ends


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_lobby_and_table_tell_how_far_the_first_run_is(
    browser: Browser, server: Serving, size: tuple[int, int]
) -> None:
    ends = _hold(server, 40)
    with browsing(browser, server.address, size) as page:
        line = page.locator("#preparing")
        expect(line).to_have_text("Preparing the bots, first run only: 40 %")
        assert grave_faults(page) == []
        sit_down(page, "limit-2p", ["always-call"])
        expect(page.get_by_role("progressbar", name="Preparing the bots, first run only")).to_be_visible()
        assert _plates(page) == 0
        server.web.preparation.percent = 80
        expect(line).to_have_text("Preparing the bots, first run only: 80 %")
        assert grave_faults(page) == []
        server.loop.call_soon_threadsafe(ends.set)
        turn(page)
        expect(line).to_be_hidden()
        expect(page.locator("#announcements")).to_contain_text("The bots are ready.")


def _plates(page: Page) -> int:
    return page.locator(".table > *").count()


@pytest.mark.soak
def test_after_the_preparation_nothing_is_compiled_at_the_default_table(tmp_path: Path) -> None:
    """With an empty folder of compiled code, the default table rehearses; then 40 other hands compile nothing."""
    environment = {**os.environ, "RAILBIRD_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-m", preparing.__name__], env=environment, check=True)
    prepared = _compiled_in(tmp_path)
    assert len(prepared) == COMPILED
    seats = ",".join((*usual_opponents(named_game(DEFAULT_GAME)), "always-call"))
    match = ["match", "--game", DEFAULT_GAME, "--seats", seats, "--hands", "40", "--seed", "afterwards"]
    subprocess.run([sys.executable, "-m", "railbird", *match], env=environment, check=True)
    assert _compiled_in(tmp_path) == prepared


def _compiled_in(folder: Path) -> set[Path]:
    return set(folder.rglob("*.nbc"))
