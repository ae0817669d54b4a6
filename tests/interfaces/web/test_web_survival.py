"""kill -9 loses nothing that anybody was told: the same hand goes on at the same step with the same cards."""

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from folders import SUPPORT
from railbird.interfaces.web.table import pace
from railbird.store.sessions import StoredSessions
from railbird.store.store import open_store
from web_client import (
    LONG,
    STARTING_S,
    Person,
    Seat,
    Serving,
    View,
    address_in,
    assert_chips_conserved,
    served_process,
    serving,
)
from web_secrets import Said, Table, check_table

SLOW_AGENTS = SUPPORT / "slow_agents.py"
GAME = "nolimit-3p:stack=600,carry=yes"


def without_version(view: View) -> View:
    return {key: value for key, value in view.items() if key != "version"}


def children_of(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def wait_until_gone(pids: list[int]) -> None:
    """Wait for processes to end. One that is just starting learns of it only then, on a busy machine minutes later."""
    until = monotonic() + STARTING_S
    while any(Path(f"/proc/{pid}/task").exists() for pid in pids):
        assert monotonic() < until, "the thinkers outlive their server"
        sleep(0.02)


class Lives:
    """One session through many lives of its server."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.folder, self.random = folder, random
        self.store = folder / "store.db"
        self.session = ""
        self.token: str | None = None
        """By which the servers know who plays."""
        self.before: View = {}
        """The last view of the life before."""
        self.at_own_turn = False
        """Whether nothing could happen after it."""
        self.transcript: list[Said] = []
        self.acknowledged: list[tuple[int, int, str]] = []
        """Every action that was answered by `done`: hand, step, what."""

    def live(self) -> None:
        """Start the server, see that nothing is lost, play on, and kill it."""
        with served_process(self.folder, "serve", "--port", 0, "--workers", 1, "--store", self.store) as (
            process,
            line,
        ):
            address = address_in(line)
            assert address.startswith("http://127.0.0.1:")
            person = Person(address, self.token)
            self.token = person.token
            if not self.session:
                self.session = person.begin(GAME, ["random", "always-call"])
            asyncio.run(self._play(person))
            thinkers = children_of(process.pid)
            assert thinkers
            process.send_signal(signal.SIGKILL)
            process.wait(LONG)
            wait_until_gone(thinkers)

    async def _play(self, person: Person) -> None:
        async with person.seat(self.session) as seat:
            first = await seat.until(bool)
            if self.before:
                self._compare(first)
            for _ in range(self.random.randrange(2, 9)):
                await self._act(seat)
            self.at_own_turn = self.random.random() < 0.5
            if self.at_own_turn:
                await seat.own_turn()
            else:
                await asyncio.sleep(self.random.uniform(0, 0.15))
            self.before = seat.view
            self.transcript += [Said("received", text) for text in seat.frames if '"type":"table"' in text]

    def _compare(self, first: View) -> None:
        before = self.before
        if self.at_own_turn:
            assert without_version(first) == without_version(before)
        assert (first["hand"], first["step"]) >= (before["hand"], before["step"])
        if first["hand"] == before["hand"]:
            told = [line for line in before["log"] if line["kind"] != "award"]
            assert first["log"][: len(told)] == told
            assert first["chairs"][0]["cards"] == before["chairs"][0]["cards"]

    async def _act(self, seat: Seat) -> None:
        view = await seat.own_turn()
        action = self.random.choice(("call", "call", "call", "fold", "raise"))
        to = 0
        if action == "raise" and view["actions"]["raise"] is not None:
            to = view["actions"]["raise"]["least"]
        elif action == "raise" or not view["actions"]["fold"]:
            action = "call"
        await seat.act(action, to)
        self.acknowledged.append((view["hand"], view["step"], f"r{to}" if to else action[0]))

    def check(self) -> None:
        """What the store has is what was seen and done, and no chip is lost."""
        with open_store(self.store) as store:
            stored = StoredSessions(store)
            session = stored.session(self.session)
            assert session is not None
            hands = stored.hands(self.session)
        table = Table(self.session, tuple(session.settings["names"]), tuple(session.settings["agents"]))
        assert check_table(table, hands, self.transcript) > len(self.acknowledged)
        done = {hand.number: hand.actions.split() for hand in hands}
        for number, step, action in self.acknowledged:
            assert done[number][step] == action
        assert not any(hand.voided for hand in hands)
        assert [hand.number for hand in hands] == list(range(1, len(hands) + 1))
        assert_chips_conserved(hands)


@pytest.mark.parametrize("kills", [1, pytest.param(50, marks=pytest.mark.soak)])
def test_a_killed_server_goes_on_where_it_was(tmp_path: Path, kills: int) -> None:
    lives = Lives(tmp_path, Random(f"kills {kills}"))
    for _ in range(kills + 1):
        lives.live()
    lives.check()


async def views_of(people: list[Person], session: str, actions: int) -> list[View]:
    """What everybody sees at a turn of somebody, after so many actions of people; who is there is left out."""
    async with people[0].seat(session) as ann, people[1].seat(session) as bob:
        for seat in (ann, bob):
            await seat.until(bool)
        if ann.view["phase"] == "ready":
            await ann.ask("deal")
        for left in range(actions, -1, -1):
            async with asyncio.timeout(LONG):
                while not (turns := [seat for seat in (ann, bob) if seat.view["actions"] is not None]):
                    await asyncio.sleep(0.005)
            if left:
                await turns[0].act("call")
        now = turns[0].view["hand"], turns[0].view["step"]
        views = [await seat.until(lambda view: (view["hand"], view["step"]) == now) for seat in (ann, bob)]
    changing = ("version", "together", "clock", "countdown")
    return [{key: value for key, value in view.items() if key not in changing} for view in views]


def test_a_killed_server_brings_everybody_back_to_their_seats(tmp_path: Path) -> None:
    store, session = tmp_path / "store.db", ""
    tokens: list[str] = []
    seen: list[list[View]] = []
    for actions in (5, 0):
        with served_process(tmp_path, "serve", "--port", 0, "--workers", 1, "--store", store) as (
            process,
            line,
        ):
            people = [Person(address_in(line), token) for token in tokens or (None, None)]
            tokens = [person.token for person in people]
            session = session or people[0].invite(GAME, ["random"], people[1:], clock=60)
            seen.append(asyncio.run(views_of(people, session, actions)))
            process.send_signal(signal.SIGKILL)
            process.wait(LONG)
    assert seen[0] == seen[1]
    ann, bob = seen[1]
    assert [chair["chair"] for view in (ann, bob) for chair in view["chairs"] if chair["you"]] == [0, 1]
    assert ann["chairs"][0]["cards"] != bob["chairs"][0]["cards"]
    with open_store(store) as opened:
        hands = StoredSessions(opened).hands(session)
    assert not any(hand.voided for hand in hands)


# The processes in which agents think


@pytest.fixture
def trusting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    monkeypatch.setattr(pace, "AFTER_HAND", dict.fromkeys(pace.AFTER_HAND, 0.0))
    with serving(tmp_path / "store.db", trusted=True) as running:
        yield running


def kill_thinkers(server: Serving) -> None:
    pids = [pid for pid in server.web.thinkers.pids if pid is not None]
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def test_a_hand_goes_on_when_the_process_of_its_agents_is_killed(trusting: Serving) -> None:
    person = Person(trusting.address)
    slow = f"{SLOW_AGENTS}:Slow:milliseconds=300"
    session = person.begin("limit-3p", [slow, "always-call"])

    async def play() -> None:
        async with person.seat(session) as seat:
            for moment in ("own turn", "thinking"):
                view = await seat.own_turn()
                number = view["hand"]
                if moment == "thinking":
                    await seat.act("call")
                    await seat.until(lambda view: view["to_act"] == 1)
                    await asyncio.sleep(0.1)
                kill_thinkers(trusting)
                cards = seat.view["chairs"][0]["cards"]
                ended = await seat.play_hand()
                assert (ended["hand"], ended["chairs"][0]["cards"]) == (number, cards)
                assert sum(chair["won"] for chair in ended["chairs"]) == 0
                assert not ended["paused"]
            frames: list[Any] = [Said("received", text) for text in seat.frames if '"type":"table"' in text]
        table = Table(session, tuple(chair["name"] for chair in view["chairs"]), ("", slow, "always-call"))
        assert check_table(table, trusting.web.sessions.hands(session), frames) > 10

    asyncio.run(play())
    assert_chips_conserved(trusting.web.sessions.hands(session))
