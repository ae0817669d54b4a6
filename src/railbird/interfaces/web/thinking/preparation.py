"""Compiles what a table needs before anyone waits for it: on a first run, agents rehearse before the first table opens.

The folder of compiled code notes which agents have rehearsed, with these sources and on this machine.
`python -m railbird.interfaces.web.thinking.preparation` prepares the default table without a server.
"""

import asyncio
import logging
import platform
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import cycle, islice
from pathlib import Path

import llvmlite.binding

from railbird.agent import agent_names
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.interfaces.company import usual_opponents
from railbird.interfaces.web.thinking.rehearsal import rehearse
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers
from railbird.kernels.shared_cache import compiled_code, compiled_functions, sources

log = logging.getLogger(__name__)

DEFAULT_GAME = "limit-6max"
COMPILED = 156
"""The number of functions that are compiled for the default table; only the percentage depends on it."""
_LOOK_S = 0.5
_RING = 4


class FirstRun:
    """What is prepared for the tables of a server; nothing, until it begins."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._task: asyncio.Task[None] | None = None
        self.percent: int | None = None
        """How much is done; None if nothing is being prepared."""

    def begin(self, rules: GameRules, agents: Sequence[str]) -> None:
        """Prepare for tables of these agents in the background, except for those that an earlier run prepared.

        Agents from files do not rehearse: what they would do while nobody watches is unknown.
        """
        notes = {
            agent: _note_of(agent, rules) for agent in agents if agent.partition(":")[0] in agent_names()
        }
        new = {agent: note for agent, note in notes.items() if not note.exists()}
        if new and self._task is None:
            self.percent = 0
            self._task = asyncio.create_task(self._prepare(rules, new))

    async def wait(self) -> None:
        """Wait until everything is prepared."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def close(self) -> None:
        """Stop preparing."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _prepare(self, rules: GameRules, notes: dict[str, Path]) -> None:
        looking = asyncio.create_task(self._look())
        try:
            await rehearse(self._thinkers, rules, list(islice(cycle(notes), rules.players - 1)))
            for note in notes.values():
                note.touch()
        except* ThinkerError as errors:
            log.warning("the bots could not be prepared: %s", errors.exceptions[0])
        finally:
            looking.cancel()
            self.percent = None

    async def _look(self) -> None:
        while True:
            compiled = await asyncio.to_thread(compiled_functions)
            self.percent = min(99, 100 * compiled // COMPILED)
            await asyncio.sleep(_LOOK_S)


def _note_of(agent: str, rules: GameRules) -> Path:
    """The file that exists once an agent has rehearsed this kind of game, with these sources and on this machine."""
    files = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sources()]
    machine = platform.python_version(), llvmlite.binding.get_host_cpu_name()
    kind = rules.betting, min(rules.players, _RING)
    name = blake2b(repr((files, machine, agent, kind)).encode(), digest_size=8).hexdigest()
    return compiled_code() / f"{name}.prepared"


async def _prepare_default_table() -> None:
    rules = named_game(DEFAULT_GAME)
    thinkers = Thinkers()
    await thinkers.start()
    preparation = FirstRun(thinkers)
    preparation.begin(rules, usual_opponents(rules))
    await preparation.wait()
    await thinkers.close()


if __name__ == "__main__":
    asyncio.run(_prepare_default_table())
