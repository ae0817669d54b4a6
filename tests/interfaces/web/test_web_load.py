"""The server carries the load: hundreds of tables with an action each second, in the soak.

RAILBIRD_LOAD_TABLES and RAILBIRD_LOAD_SECONDS make it smaller for a look; `pytest -s` shows the figures. The server is
the command in a process of its own, with its agents in others; this process is all the browsers.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from web_client import LONG, Person, View, address_in, served_process

TABLES = int(os.environ.get("RAILBIRD_LOAD_TABLES", "300"))
SECONDS = float(os.environ.get("RAILBIRD_LOAD_SECONDS", "300"))
TABLES_OF_A_PERSON = 10
WARM_UP_S = min(60.0, SECONDS / 5)
"""Memory is compared from then on."""
MOST_P99_S = 0.15
MOST_GROWTH = 0.05


@dataclass
class Measured:
    """What the browsers noticed."""

    answered: list[float] = field(default_factory=list)
    """From sending an action to the word that it is done."""
    seen: list[float] = field(default_factory=list)
    """From sending an action to the view that shows it."""
    actions: int = 0
    errors: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    """Of the server, in bytes, after the warm-up."""

    def __str__(self) -> str:
        memory = (
            f"memory from {self.memory[0] / 1e6:.0f} to {self.memory[-1] / 1e6:.0f} MB" if self.memory else ""
        )
        return (
            f"{self.actions} actions in {SECONDS:g} s; answered {_times(self.answered)}; seen "
            f"{_times(self.seen)}; {memory}; {len(self.errors)} errors {self.errors[:3]}"
        )

    def require(self, actions: float) -> None:
        """The bounds that hold for tables of every kind."""
        assert self.errors == []
        assert self.actions > actions
        assert percentile(self.answered, 99) < MOST_P99_S
        assert max(self.memory[-10:]) < (1 + MOST_GROWTH) * self.memory[0]


def percentile(times: list[float], share: int) -> float:
    return quantiles(times, n=100)[share - 1]


def _times(times: list[float]) -> str:
    if len(times) < 2:
        return "never"
    half, nearly_all = (percentile(times, share) * 1000 for share in (50, 99))
    return f"in {half:.0f} ms, 99 of 100 within {nearly_all:.0f} ms"


def memory_of(pid: int) -> int:
    """The bytes of a process that lie in memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


class Table:
    """A browser that acts once a second, if it is its turn."""

    def __init__(self, line: ClientConnection, measured: Measured, since: float) -> None:
        self.line, self.measured, self.since = line, measured, since
        self.view: View = {}
        self.sent: dict[int, float] = {}
        self.shown: tuple[int, int, float] | None = None

    async def hear(self) -> None:
        async for text in self.line:
            now = monotonic()
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "table":
                self._see(message, now)
            elif message["type"] == "done":
                took = now - self.sent.pop(message["id"])
                if now > self.since:
                    self.measured.answered.append(took)
            else:
                self.measured.errors.append(str(text))

    def _see(self, view: View, now: float) -> None:
        self.view = view
        if view["notice"]:
            self.measured.errors.append(view["notice"])
        if self.shown is not None and (view["hand"], view["step"]) > self.shown[:2]:
            if now > self.since:
                self.measured.seen.append(now - self.shown[2])
            self.shown = None

    async def act(self, until: float, first: float) -> None:
        number = 0
        due = first
        while due < until:
            await asyncio.sleep(max(0.0, due - monotonic()))
            due += 1.0
            view = self.view
            if not view or view["actions"] is None or self.shown is not None:
                continue
            number += 1
            self.sent[number] = monotonic()
            self.shown = (view["hand"], view["step"], self.sent[number])
            act = {"type": "act", "id": number, "hand": view["hand"], "step": view["step"], "action": "call"}
            await self.line.send(json.dumps(act))
            self.measured.actions += 1
        await asyncio.sleep(1.0)


async def play(sessions: list[tuple[Person, str]], pid: int, measured: Measured) -> None:
    """Let every browser play for the given time. Nothing is awaited for longer than `LONG` after that."""
    began = monotonic() + 2 + len(sessions) / 40
    until = began + SECONDS

    async def one(person: Person, session: str, number: int) -> None:
        await asyncio.sleep(number / 40)
        async with person.line(session) as line:
            table = Table(line, measured, began + WARM_UP_S)
            hearing = asyncio.create_task(table.hear())
            # Hands of four actions each: without this they would all end within the same second.
            await table.act(until, began + number / len(sessions) + number % 4)
            while table.sent and not hearing.done() and monotonic() < until + LONG / 2:
                await asyncio.sleep(0.1)
            measured.errors += [f"action {each} was not answered" for each in table.sent]
            hearing.cancel()
            heard = (await asyncio.gather(hearing, return_exceptions=True))[0]
            if isinstance(heard, Exception):
                measured.errors.append(repr(heard))

    async def weigh() -> None:
        await asyncio.sleep(began + WARM_UP_S - monotonic())
        while monotonic() < until:
            measured.memory.append(memory_of(pid))
            await asyncio.sleep(SECONDS / 100)

    async with asyncio.timeout(until + LONG - monotonic()):
        await asyncio.gather(weigh(), *(one(*each, number) for number, each in enumerate(sessions)))


@contextmanager
def measuring(what: str) -> Iterator[Measured]:
    """The figures are printed, whatever happens."""
    measured = Measured()
    try:
        yield measured
    finally:
        print(f"\n{what}: {measured}", flush=True)


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """The address and the process of a server that must say nothing; everybody has an address of their own, as behind a
    reverse proxy, because one alone may not open so many tables."""
    # Into a file: a pipe that nobody reads fills up, and then the server waits.
    errors = folder / "errors.txt"
    arguments = ("--port", 0, "--store", folder / "store.db", "--proxy", "127.0.0.1")
    with served_process(folder, "serve", *arguments, log=errors) as (process, line):
        yield address_in(line), process.pid
        process.terminate()
        process.wait(LONG)
    assert errors.read_text(encoding="utf-8") == ""


@pytest.mark.soak
def test_tables_of_several_people_are_served_without_delay(tmp_path: Path) -> None:
    tables = TABLES // TABLES_OF_A_PERSON
    with measuring(f"{tables} tables of three people") as measured, served(tmp_path) as (address, pid):
        lines: list[tuple[Person, str]] = []
        for number in range(tables):
            people = [Person(address, visitor=f"10.0.{number}.{seat}") for seat in range(3)]
            session = people[0].invite("limit-4max", ["always-call"], people[1:])
            lines += [(person, session) for person in people]
            asyncio.run(deal(people[0], session))
        asyncio.run(play(lines, pid, measured))
        measured.require(actions=len(lines))


async def deal(host: Person, session: str) -> None:
    async with host.seat(session) as seat:
        await seat.ask("deal")


@pytest.mark.soak
def test_hundreds_of_tables_are_served_without_delay(tmp_path: Path) -> None:
    with measuring(f"{TABLES} tables") as measured, served(tmp_path) as (address, pid):
        people = [
            Person(address, visitor=f"10.0.0.{number}")
            for number in range(1, 1 + -(-TABLES // TABLES_OF_A_PERSON))
        ]
        sessions = [
            (person, person.begin("limit-2p", ["always-call"]))
            for number, person in enumerate(people * TABLES_OF_A_PERSON)
            if number < TABLES
        ]
        asyncio.run(play(sessions, pid, measured))
        measured.require(actions=0.9 * TABLES * (SECONDS - 4))
        assert percentile(measured.seen, 99) < MOST_P99_S
        for person, session in sessions[::50]:
            summary = person.get(f"/api/sessions/{session}")
            assert summary["hands"] >= 1
