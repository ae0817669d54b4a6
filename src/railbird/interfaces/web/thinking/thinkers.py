"""Runs agents in separate processes, so that tables do not wait for each other, nor the event loop for them.

`Thinkers` is the server's side: tables are opened, asked and closed here, and all agents of a table run in one process
(`thinker`), the one with the fewest tables. Questions outside of play are answered by other processes
(`study.thinkers`).

Agents that misbehave are handled as follows:

- A crash or an illegal action is a fault: the agent checks if possible, otherwise it folds.
- A decision that is late is a fault too, and so is every further decision until the late answer has arrived. If it
  never arrives (within twice the limit), the process is killed, and the agent is no longer asked at that table. If
  visitors choose the parameters of agents, no agent of that name with parameters is used anywhere for a while.
- When a process ends for any reason, its tables are gone: `ThinkerError` at the next question. A new process is
  started immediately; open the table again and send it the earlier hands (`remember`). An agent that was thinking when
  this happened twice in a row is at fault, and after the third time it is no longer asked.

Only a few tables of one address decide at a time: otherwise a client with a hundred tables of slow agents would keep
all others waiting.

A process that has grown too large is replaced once its last table is closed (`thinking.process`).
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any, Literal, TypeAlias
from weakref import WeakValueDictionary

from railbird.agent import HandResult, MatchStart
from railbird.agent.faults import Fault
from railbird.agent.plain_form import result_to_json
from railbird.arena.play.guard import STRIKES
from railbird.engine.rules import GameRules
from railbird.interfaces.brain.messages import Opening, inquiry_to_json, opening_to_json
from railbird.interfaces.offer import Offer
from railbird.interfaces.web.study.thinkers import StudyThinkers
from railbird.interfaces.web.thinking.answers import OPENING_S, Gone, answered, heeded, up
from railbird.interfaces.web.thinking.process import LARGEST, Late, Lost, ThinkingProcess
from railbird.interfaces.web.thinking.quarantine import Quarantine
from railbird.interfaces.web.thinking.thought import ThinkerError, Thought, at_fault, seen_by, thought_of
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.spec import SpecError

__all__ = ["ThinkerError", "Thinkers", "Thought"]

WORKERS = 2
VISITORS_OFFER = Offer()
LIMIT_S = 10.0
"""How long a decision may take."""
DECIDING = 2
"""Number of simultaneous decisions for the tables of one address, for each process."""
_TOLD_AT_ONCE = 20
"""Number of hands sent in one message."""

When: TypeAlias = Literal["now", "later", "never"]
Prepare: TypeAlias = Callable[[GameRules, Sequence[str]], Coroutine[Any, Any, None]]
"""Waits until agents are prepared for a game."""


@dataclass(slots=True, eq=False)
class _Player:
    """An agent at a table."""

    label: str
    spec: str
    match: MatchStart
    seat: int
    learns: bool = False
    remembers: bool = False
    """Whether it already has the earlier hands."""
    late: "asyncio.Future[None] | None" = None
    """Pending until a late answer has arrived."""

    @property
    def is_late(self) -> bool:
        """Whether it is still working on an answer that is no longer needed."""
        return self.late is not None and not self.late.done()


@dataclass(slots=True, eq=False)
class _Table:
    """A table and the process that runs its agents."""

    process: ThinkingProcess
    generation: int
    players: dict[str, _Player]
    quarantine: Quarantine
    turns: asyncio.Semaphore
    """The semaphore of the address from which it was opened."""
    losses: Counter[str] = field(default_factory=Counter)
    """How often in a row the process ended while an agent was thinking."""
    barred: set[str] = field(default_factory=set)
    """The agents that are no longer asked."""


async def _unprepared(_rules: GameRules, _agents: Sequence[str]) -> None:
    """Let agents compile what they need when they need it."""


class Thinkers:
    """The agents of all tables."""

    def __init__(
        self,
        workers: int = WORKERS,
        *,
        offer: Offer = VISITORS_OFFER,
        limit_s: float = LIMIT_S,
        largest: int = LARGEST,
        nice: int = 0,
        compiles: bool = False,
        prepare: Prepare = _unprepared,
    ) -> None:
        self.limit_s = limit_s
        self._workers = [
            ThinkingProcess(trusted=offer.trusted, largest=largest, nice=nice, compiles=compiles)
            for _ in range(workers)
        ]
        self.prepare = prepare
        self.study = StudyThinkers(trusted=offer.trusted, largest=largest, nice=nice, compiles=compiles)
        """Answers questions outside of play."""
        self._tables: dict[str, _Table] = {}
        self.offer = offer
        self._quarantine = Quarantine()
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        """By address, as long as it has an open table."""
        self._seats = count(1)
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the processes in the background; questions wait until they are ready."""
        for process in self._workers:
            process.start()
        self._starting = asyncio.create_task(self._start_study())

    async def _start_study(self) -> None:
        """Tables come first: the processes outside of play start when the others are ready, or when first asked."""
        for process in self._workers:
            await process.was_ready.wait()
        self.study.start()

    async def close(self) -> None:
        """End all processes."""
        self._tables.clear()
        for process in self._workers:
            process.tables = 0
        if self._starting is not None:
            self._starting.cancel()
        await asyncio.gather(self.study.close(), *(each.close() for each in self._workers))

    @property
    def pids(self) -> tuple[int | None, ...]:
        """The ids of the processes that run the agents of tables; None while there is none."""
        return tuple(process.pid for process in self._workers)

    async def open(
        self,
        table: str,
        rules: GameRules,
        players: Sequence[str],
        agents: Mapping[str, str],
        address: str = "",
    ) -> None:
        """Seat agents, by label, at a table of these players and begin their match; replaces an earlier table."""
        await self.prepare(rules, tuple(agents.values()))
        process, generation = await self._emptiest()
        before = self._tables.get(table)
        opened = _Table(
            process,
            generation,
            {
                label: _Player(
                    label,
                    spec,
                    MatchStart(rules, label, tuple(players), Stream.live(), is_reset=before is not None),
                    next(self._seats),
                )
                for label, spec in agents.items()
            },
            self._quarantine,
            self._turns.setdefault(address, asyncio.Semaphore(DECIDING * len(self._workers))),
        )
        process.tables += 1
        if before is not None:
            _leave(before)
            opened.losses, opened.barred = before.losses, before.barred
        if not self.offer.trusted:
            opened.barred.update(label for label, spec in agents.items() if self._quarantine.has(spec))
        self._tables[table] = opened
        try:
            await asyncio.gather(*(self._sit_down(opened, player) for player in opened.players.values()))
        except BaseException:
            if self._tables.get(table) is opened:
                await self.close_table(table)
            raise

    async def _emptiest(self) -> tuple[ThinkingProcess, int]:
        """The process with the fewest tables, and its generation."""
        while True:
            chosen = self._fewest_tables()
            generation = await up(chosen)
            if chosen is self._fewest_tables():  # others may have opened a table meanwhile
                return chosen, generation

    def _fewest_tables(self) -> ThinkingProcess:
        free = [each for each in self._workers if not each.is_full]
        if not free:
            raise ThinkerError("the server has no memory left for another table: try again later")
        return min(free, key=lambda each: (each.tables, each.pid is None))

    async def _sit_down(self, table: _Table, player: _Player) -> None:
        question = {
            "ask": "open",
            "seat": player.seat,
            "opening": opening_to_json(Opening(player.spec, player.match)),
        }
        answer = await answered(table.process, question, OPENING_S, table.generation)
        player.learns, player.remembers = answer["learns"], answer["remembers"]

    async def close_table(self, table: str) -> None:
        """Close a table and release its agents, if it is open."""
        closed = self._tables.pop(table, None)
        if closed is not None:
            _leave(closed)

    async def decide(
        self, table: str, label: str, observation: Observation, reasons: When = "later"
    ) -> Thought:
        """An agent's decision; raises `ThinkerError` if its table is gone and must be opened again."""
        if self.offer.trusted:
            return await self._decide(table, label, observation, reasons)
        async with self._table(table).turns:
            return await self._decide(table, label, observation, reasons)

    async def _decide(self, table: str, label: str, observation: Observation, reasons: When) -> Thought:
        asked, player = self._player(table, label)
        if label in asked.barred:
            return at_fault(observation, Fault.TIMEOUT.value, "it no longer decides at this table")
        if player.is_late:
            return at_fault(
                observation, Fault.TIMEOUT.value, "it is still thinking about an earlier decision"
            )
        question = {"ask": "decide", "reasons": reasons, **seen_by(observation, player.match)}
        began = perf_counter()
        try:
            answer = await _asked(asked, player, question, self.limit_s)
        except Late:
            detail = f"it did not decide within {self.limit_s:g} s"
            return at_fault(observation, Fault.TIMEOUT.value, detail, perf_counter() - began)
        except Lost:
            return self._lose(asked, label, observation)
        asked.losses.pop(label, None)
        return thought_of(answer, observation)

    async def reasons(self, table: str, label: str, decision: int) -> dict[str, Any]:
        """The reasons of a decision of this hand or the one before, if they were requested for "later"."""
        asked, player = self._player(table, label)
        answer = await _told(asked, player, {"ask": "reasons", "decision": decision}, self.limit_s)
        found: dict[str, Any] = answer["reasons"]
        return found

    async def end_hand(self, table: str, results: Mapping[str, HandResult]) -> dict[str, str]:
        """Send all agents the result of a hand, each as its seat saw it; returns errors by label."""
        return await self._tell(table, [results], self.limit_s)

    async def remember(self, table: str, hands: Sequence[Mapping[str, HandResult]]) -> dict[str, str]:
        """Send hands that were played before the table was opened; returns errors by label."""
        return await self._tell(table, hands, OPENING_S, again=True)

    async def _tell(
        self, table: str, hands: Sequence[Mapping[str, HandResult]], limit_s: float, again: bool = False
    ) -> dict[str, str]:
        asked = self._table(table)
        awaited = [
            (player, [hand[player.label] for hand in hands if player.label in hand])
            for player in asked.players.values()
            if player.label not in asked.barred and not player.is_late and not (again and player.remembers)
        ]
        told = await asyncio.gather(*(self._tell_player(asked, *each, limit_s) for each in awaited))
        return {player.label: fault for (player, _), fault in zip(awaited, told, strict=True) if fault}

    async def _tell_player(
        self, asked: _Table, player: _Player, results: Sequence[HandResult], limit_s: float
    ) -> str:
        told = results if player.learns else ()
        for first in range(0, max(1, len(told)), _TOLD_AT_ONCE):
            part = [result_to_json(result) for result in told[first : first + _TOLD_AT_ONCE]]
            try:
                await _told(asked, player, {"ask": "end", "results": part}, limit_s)
            except Gone:
                raise
            except ThinkerError as error:
                return str(error)
        return ""

    def _lose(self, asked: _Table, label: str, observation: Observation) -> Thought:
        asked.losses[label] += 1
        if asked.losses[label] < STRIKES - 1:
            raise Gone from None
        if asked.losses[label] >= STRIKES:
            asked.barred.add(label)
        return at_fault(observation, Fault.DISCONNECT.value, "its process ended again while it was thinking")

    def _table(self, table: str) -> _Table:
        asked = self._tables.get(table)
        if asked is None:
            raise ThinkerError("there are no bots at this table")
        if asked.generation != asked.process.generation or asked.process.pid is None:
            raise Gone
        return asked

    def _player(self, table: str, label: str) -> tuple[_Table, _Player]:
        asked = self._table(table)
        if label not in asked.players:
            raise ThinkerError(f"there is no bot {label!r} at this table")
        return asked, asked.players[label]

    def admit(self, spec: str) -> None:
        """Raise an error for an agent that is not offered, by its name alone: nothing is read or created for it."""
        try:
            self.offer.verify(spec)
        except SpecError as error:
            raise ThinkerError(str(error)) from None
        if not self.offer.trusted and self._quarantine.has(spec):
            name = spec.partition(":")[0]
            raise ThinkerError(
                f"{name} with parameters was too slow for this server: try it without parameters, or later"
            )

    async def verify(self, spec: str, rules: GameRules) -> None:
        """Raise an error for an agent that is not offered, does not exist, or does not play the game."""
        self.admit(spec)
        # Asked in the process that will run it, so that its data is read once.
        process, generation = await self._emptiest()
        question = {"ask": "verify", "inquiry": inquiry_to_json(spec, rules)}
        await answered(process, question, OPENING_S, generation)


def _leave(table: _Table) -> None:
    """Release the agents of a table, and possibly the process with them."""
    for player in table.players.values():
        table.process.tell({"ask": "close", "seat": player.seat}, table.generation)
    table.process.tables -= 1
    table.process.renew_if_spent()


async def _asked(
    table: _Table, player: _Player, question: Mapping[str, Any], limit_s: float
) -> dict[str, Any]:
    """The answer of a seat; it is asked nothing else until the answer arrives, and never again if it does not."""

    def give_up() -> None:
        table.barred.add(player.label)
        table.quarantine.add(player.spec)

    try:
        return await table.process.ask(
            {"seat": player.seat, **question},
            limit_s,
            table.generation,
            given_up=give_up,
        )
    except Late as late:
        player.late = late.settled
        raise


async def _told(
    table: _Table, player: _Player, question: Mapping[str, Any], limit_s: float
) -> dict[str, Any]:
    """The answer of a seat to anything but a decision."""
    try:
        return heeded(await _asked(table, player, question, limit_s))
    except Late:
        raise ThinkerError(f"{player.label} did not answer within {limit_s:g} s") from None
    except Lost:
        raise Gone from None
