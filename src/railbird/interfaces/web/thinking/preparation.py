"""Compiles what a table needs before anyone waits for it: on a first run, agents rehearse before the first table opens.

What has been rehearsed is noted in the folder of compiled code, for these sources and this machine.
"""

import asyncio
import logging
import platform
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import llvmlite.binding

from railbird.engine.rules import GameRules
from railbird.interfaces.web.thinking.rehearsal import rehearse
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers
from railbird.kernels.shared_cache import compiled_code, compiled_functions, sources

log = logging.getLogger(__name__)

COMPILED = 117
"""The number of functions that are compiled for the default table; only the percentage depends on it."""
_LOOK_S = 0.5


class Preparation:
    """What is prepared for the tables of a server; nothing, until it begins."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._task: asyncio.Task[None] | None = None
        self.percent: int | None = None
        """How much of it is done; None if nothing is being prepared."""

    def begin(self, rules: GameRules, agents: Sequence[str]) -> None:
        """Prepare for tables of these agents in the background, unless it was done in an earlier run."""
        note = compiled_code() / f"{_name_of(rules, agents)}.prepared"
        if self._task is None and not note.exists():
            self.percent = 0
            self._task = asyncio.create_task(self._prepare(rules, agents, note))

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

    async def _prepare(self, rules: GameRules, agents: Sequence[str], note: Path) -> None:
        looking = asyncio.create_task(self._look())
        try:
            await rehearse(self._thinkers, rules, agents)
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


def _name_of(rules: GameRules, agents: Sequence[str]) -> str:
    """A name for agents in a game, with the compiler's input and target."""
    files = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sources()]
    machine = platform.python_version(), llvmlite.binding.get_host_cpu_name()
    return blake2b(repr((files, machine, rules, sorted(agents))).encode(), digest_size=8).hexdigest()
