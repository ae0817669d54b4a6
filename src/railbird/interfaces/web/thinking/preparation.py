"""Compiles what tables need before anyone waits for it: agents rehearse every kind of game before they first play it.

1. When the server starts, the agents of its first table rehearse.
2. A table with agents that have not rehearsed yet waits until they have, and so does advice; pages show the progress.
3. Otherwise, the other agents of the lobby rehearse one after the other, at low priority and on one core.

The folder of compiled code notes who has rehearsed what, with these sources and on this machine: it happens once.
`python -m railbird.interfaces.web.thinking.preparation` prepares the default table without a server.
"""

import asyncio
import logging
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

import llvmlite.binding

from railbird.agent import display_name
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.interfaces import DEFAULT_GAME
from railbird.interfaces.company import usual_opponents
from railbird.interfaces.offer import Offer
from railbird.interfaces.web.thinking.rehearsal import AT_ONCE, Rehearsal
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers
from railbird.kernels.shared_cache import compiled_code, sources
from railbird.spec import SpecError, parse_spec

log = logging.getLogger(__name__)

QUIET_S = 30.0
"""Seconds after the preparation of the first table in which nothing else is prepared, because that table opens."""
NICE, NICEST = 5, 19
"""Priorities of processes that somebody waits for, and of those that nobody waits for; both below the server's."""
_VISITORS = Offer()
_RING = 4

Others = Callable[[], Iterable[tuple[GameRules, str]]]
"""Games and agents that may be chosen later."""


class FirstRun:
    """Prepares agents for the tables of a server; nothing, until it begins."""

    def __init__(self) -> None:
        self._begun: asyncio.Task[None] | None = None
        self._background: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._done: set[Path] = set()
        """The notes of those who rehearsed, in vain or not."""
        self._is_beginning = False
        self._current: Rehearsal | None = None
        self._agents: tuple[str, ...] = ()

    @property
    def percent(self) -> int | None:
        """How much of what somebody waits for is done; None if nobody waits."""
        if self._current is None:
            return 0 if self._is_beginning else None
        return min(99, self._current.percent)

    @property
    def what(self) -> str:
        """What is being prepared, in words."""
        return display_name(self._agents[0]) if len(self._agents) == 1 else "the bots"

    def begin(self, rules: GameRules, agents: Sequence[str], others: Others = tuple) -> None:
        """Prepare these agents now, and the others later."""
        self._begun = asyncio.create_task(self._prepare_first(rules, agents, others))
        self._background = asyncio.create_task(self._prepare_others(others))

    async def wait(self) -> None:
        """Wait until the agents of the beginning are prepared."""
        if self._begun is not None:
            await asyncio.shield(self._begun)

    async def ready(self, rules: GameRules, agents: Sequence[str]) -> None:
        """Wait until agents are prepared for a game; whoever stops waiting does not stop the preparation."""
        if self._begun is not None and await self._unprepared(rules, agents):
            task = asyncio.create_task(self._prepare(rules, agents))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            await asyncio.shield(task)

    async def close(self) -> None:
        """Stop preparing."""
        for task in [self._begun, self._background, *self._tasks]:
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    def _new(self, rules: GameRules, agents: Iterable[str]) -> dict[str, Path]:
        """The agents that have not rehearsed a kind of game yet, and the files that will note that they have.

        Agents from files, or with parameters that may name files and databases, do not rehearse: what they would do
        while nobody watches is unknown.
        """
        new: dict[str, Path] = {}
        for agent in agents:
            with suppress(SpecError):
                _VISITORS.verify(agent)
                note = _note_of(agent, rules)
                if note not in self._done and not note.exists() and note not in new.values():
                    new[agent] = note
        return new

    async def _unprepared(self, rules: GameRules, agents: Sequence[str]) -> dict[str, Path]:
        return await asyncio.to_thread(self._new, rules, agents)

    async def _prepare_first(self, rules: GameRules, agents: Sequence[str], others: Others) -> None:
        if new := await self._unprepared(rules, agents):
            self._agents, self._is_beginning = tuple(new), True
            await asyncio.to_thread(others)  # the lobby needs them too, before compilers take the processors
            self._is_beginning = False
            await self._prepare(rules, agents)

    async def _prepare(self, rules: GameRules, agents: Sequence[str]) -> None:
        async with self._turn:
            if new := await self._unprepared(rules, agents):
                thinkers = Thinkers(1, nice=NICE, compiles=True)
                self._agents, self._current = tuple(new), Rehearsal(thinkers, rules, tuple(new))
                try:
                    await self._hold(self._current, thinkers, new, AT_ONCE)
                finally:
                    self._current = None

    async def _prepare_others(self, others: Others) -> None:
        await self.wait()
        await asyncio.sleep(QUIET_S)
        for rules, agent in await asyncio.to_thread(others):
            async with self._turn:  # somebody may wait for other agents
                pass
            if new := await self._unprepared(rules, [agent]):
                thinkers = Thinkers(1, nice=NICEST, compiles=True)
                await self._hold(Rehearsal(thinkers, rules, [agent]), thinkers, new, 1)

    async def _hold(
        self, rehearsal: Rehearsal, thinkers: Thinkers, notes: Mapping[str, Path], at_once: int
    ) -> None:
        await thinkers.start()
        try:
            await rehearsal.hold(at_once)
            for note in notes.values():
                note.touch()
        except* (ThinkerError, OSError) as errors:
            log.warning("%s could not be prepared: %s", ", ".join(notes), errors.exceptions[0])
        finally:
            self._done.update(notes.values())
            await thinkers.close()


def _note_of(agent: str, rules: GameRules) -> Path:
    """The file that exists once an agent has rehearsed this kind of game, with any numbers among its parameters."""
    spec = parse_spec(agent)
    parameters = sorted((name, text) for name, text in spec.parameters.items() if not _is_number(text))
    kind = rules.betting, min(rules.players, _RING), rules.deals_two_of_52
    name = repr((_this_machine(), spec.name, parameters, kind))
    return compiled_code() / f"{blake2b(name.encode(), digest_size=8).hexdigest()}.prepared"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@cache
def _this_machine() -> str:
    """What compiled code depends on."""
    files = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sources()]
    return repr((files, platform.python_version(), llvmlite.binding.get_host_cpu_name()))


async def _prepare_default_table() -> None:
    rules = named_game(DEFAULT_GAME)
    preparation = FirstRun()
    preparation.begin(rules, usual_opponents(rules))
    await preparation.wait()
    await preparation.close()


if __name__ == "__main__":
    asyncio.run(_prepare_default_table())
