"""What closed tables leave behind: many short sessions do not make the processes of the agents grow."""

import asyncio
import gc
import os
from collections.abc import Iterator
from typing import Any
from weakref import ref

import pytest

from folders import SUPPORT
from railbird.engine.actions import CALL
from railbird.engine.games import named_game
from railbird.features.action_kinds import actions_so_far
from railbird.features.playing_style import StyleBook
from railbird.interfaces.offer import Offer
from railbird.interfaces.web.thinking import process as thinking_process
from railbird.interfaces.web.thinking.resident import resident
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers
from railbird.observation import Observation
from railbird.opponents.network.rows import Coder
from thinking_tables import dealt, play, until

COMPILES = f"{SUPPORT / 'thinking_agents.py'}:Compiles"
TWO = named_game("limit-2p")
SIX = named_game("limit-6max")
KINDS = (
    "simbot:trials=25",
    "pokibot",
    "casper02",
    "baycarp2",
    "casey",
    "casper-general",
    "baycarp1",
    "rulebot",
    "baycarp3",
    "jagbot",
)
GROWTH = 1.15
"""How much larger processes may be after all sessions than after a quarter of them."""


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


class Sizes:
    """How large processes are said to be, by their numbers."""

    def __init__(self) -> None:
        self.of: dict[int | None, int] = {}

    def __call__(self, pid: int) -> int:
        return self.of.get(pid, 0)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> Sizes:
    told = Sizes()
    monkeypatch.setattr(thinking_process, "resident", told)
    return told


async def open_table(thinkers: Thinkers, table: str, agent: str = "always-call") -> None:
    await thinkers.open(table, TWO, ("it", "other"), {"it": agent, "other": "always-call"})


async def started(workers: int, **options: Any) -> Thinkers:
    thinkers = Thinkers(workers, **options)
    await thinkers.start()
    await until(lambda: None not in thinkers.pids)
    return thinkers


def test_what_is_remembered_of_a_situation_does_not_keep_the_tree_of_a_closed_table() -> None:
    hand = dealt(1, SIX, tuple("abcdef"))
    root = ref(hand.state.setup.tree.root.vector)
    coder = Coder()
    for _ in range(6):
        hand.state.act(CALL)
    observation = Observation.of(hand.state, 0, hand.players, 1)
    assert actions_so_far(hand.state.setup, hand.state.node).folds
    assert coder.evidence(observation, StyleBook()).seats
    del hand, observation
    gc.collect()
    assert root() is None


def test_a_process_that_has_grown_too_large_is_replaced_between_tables(
    runner: asyncio.Runner, sizes: Sizes
) -> None:
    async def session() -> None:
        thinkers = await started(1, largest=100)
        first = thinkers.pids
        await open_table(thinkers, "one")
        await open_table(thinkers, "two")
        sizes.of = {first[0]: 101}
        await thinkers.close_table("one")
        assert await play(thinkers, "two", dealt(1, TWO, ("it", "other")))
        assert thinkers.pids == first, "somebody still plays there"
        await thinkers.close_table("two")
        await open_table(thinkers, "three")
        assert await play(thinkers, "three", dealt(2, TWO, ("it", "other")))
        assert None not in thinkers.pids
        assert thinkers.pids != first
        await thinkers.close()

    runner.run(session())


def test_a_process_that_is_far_too_large_takes_no_more_tables(runner: asyncio.Runner, sizes: Sizes) -> None:
    async def session() -> None:
        thinkers = await started(2, largest=100)
        large, other = thinkers.pids
        await open_table(thinkers, "one")
        sizes.of = {large: 201}
        for number in range(3):
            await open_table(thinkers, f"more {number}")
        await thinkers.close_table("one")
        await until(lambda: thinkers.pids[0] not in (None, large))
        assert thinkers.pids[1] == other

        sizes.of = dict.fromkeys(thinkers.pids, 201)
        with pytest.raises(ThinkerError, match="no memory left for another table: try again later"):
            await open_table(thinkers, "no more")
        assert await play(thinkers, "more 0", dealt(1, TWO, ("it", "other")))
        await thinkers.close()

    runner.run(session())


def test_a_process_that_compiled_is_replaced_between_tables(runner: asyncio.Runner) -> None:
    async def session() -> None:
        thinkers = await started(1, offer=Offer(trusted=True))
        first = thinkers.pids
        await open_table(thinkers, "one", COMPILES)
        assert await play(thinkers, "one", dealt(1, TWO, ("it", "other")))
        assert thinkers.pids == first
        await thinkers.close_table("one")
        await until(lambda: thinkers.pids[0] not in (None, *first))
        await thinkers.close()

    runner.run(session())


def test_the_memory_of_a_process_is_known_while_it_lives() -> None:
    assert resident(os.getpid()) > 1 << 20
    assert resident(2**22 + 1) == 0, "no process has this number"


@pytest.mark.soak
@pytest.mark.parametrize("sessions", [50, 200])
def test_many_short_sessions_do_not_make_processes_grow(runner: asyncio.Runner, sessions: int) -> None:
    players = tuple("abcdef")

    async def visit(thinkers: Thinkers, number: int) -> None:
        agents = {label: KINDS[(number * 6 + place) % len(KINDS)] for place, label in enumerate(players)}
        for agent in agents.values():
            await thinkers.verify(agent, SIX)
        await thinkers.open(str(number), SIX, players, agents)
        for hand in (2 * number, 2 * number + 1):
            await play(thinkers, str(number), dealt(hand, SIX, players))
        await thinkers.close_table(str(number))

    async def session() -> tuple[int, int]:
        thinkers = await started(1)
        sizes = []
        for number in range(1, sessions + 1):
            await visit(thinkers, number)
            if number in (sessions // 4, sessions):
                await until(lambda: None not in thinkers.pids)
                sizes.append(sum(resident(pid) for pid in thinkers.pids if pid is not None))
        await thinkers.close()
        return sizes[0], sizes[1]

    early, late = runner.run(session())
    assert late < GROWTH * early, f"{early >> 20} MB became {late >> 20} MB"
