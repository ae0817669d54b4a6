"""One visitor tries to take everything: the event loop, the queue of tournaments, the tables, the threads."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from folders import SUPPORT
from fuzzing import terminating
from railbird.engine.games import named_game
from railbird.interfaces.web import app
from railbird.interfaces.web.http import desk
from railbird.interfaces.web.http.room import Crowded, Room
from railbird.interfaces.web.http.safety import LONGEST_DOCUMENT_QUERY, LONGEST_QUERY
from railbird.interfaces.web.http.tokens import COOKIE, token_in
from railbird.interfaces.web.lobby import routes as lobby
from railbird.interfaces.web.study import jobs
from railbird.interfaces.web.table import keeper as table_keeper
from railbird.interfaces.web.thinking import thinkers
from railbird.interfaces.web.thinking.thinkers import DECIDING, Thinkers
from railbird.interfaces.web.tournaments import queue as tournament_queue
from railbird.interfaces.web.tournaments.plan import TournamentPlan
from railbird.interfaces.web.tournaments.queue import VISITORS, TournamentError, Tournaments
from railbird.interfaces.web.web import HttpRefusal
from railbird.places import write_whole
from thinking_tables import dealt
from web_client import LONG, Person, Serving, serving

PLAN = TournamentPlan("limit-2p", ["random", "random"], seed="slow")
QUICK_PLAN = TournamentPlan("limit-2p", ["random", "random"], seed="good")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("open") / "store.db") as running:
        yield running


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tournaments are played by a process that stands in for the real one."""
    monkeypatch.setattr(tournament_queue, "_MODULE", "played_tournament")
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT), prepend=":")


def with_tournaments(folder: Path, work: Callable[[Tournaments], Awaitable[None]]) -> None:
    async def run() -> None:
        found = Tournaments(folder, VISITORS)
        await found.start()
        try:
            async with asyncio.timeout(LONG):
                await work(found)
        finally:
            await found.close()

    asyncio.run(run())


# The event loop


@pytest.mark.parametrize(
    "cookie",
    [
        f'{COOKIE}="' + "\\a" * 500_000 + '"',
        "; " * 500_000,
        f"{COOKIE}=" * 60_000,
        " " * 1_000_000,
        f";{COOKIE}=" + "a" * 1_000_000,
    ],
    ids=["escapes", "empty", "names", "blanks", "long"],
)
def test_a_cookie_is_read_in_time_that_grows_with_its_length_only(cookie: str) -> None:
    # Of a thousandth of this, the library's reader of cookies takes a tenth of a second, and of all of it an hour.
    with terminating():
        assert token_in({b"cookie": cookie.encode()}) is None


def test_an_address_has_a_bounded_question(server: Serving) -> None:
    person = Person(server.address)
    for path, longest in (
        ("/api/sessions/x/hands", LONGEST_QUERY),
        ("/api/lobby", LONGEST_QUERY),
        ("/api/explore/packs", LONGEST_DOCUMENT_QUERY),
    ):
        assert person.ask("GET", f"{path}?{'&' * longest}").status in (200, 404)
        reply = person.ask("GET", f"{path}?{'&' * (longest + 1)}")
        assert reply.status == 414
        assert reply.data["error"].startswith("a query string may have at most")


# Tournaments


@pytest.mark.usefixtures("quick")
def test_a_tournament_that_is_removed_while_it_starts_is_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def work(found: Tournaments) -> None:
        starting, going_on = asyncio.Event(), asyncio.Event()

        async def slowly(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
            starting.set()
            await going_on.wait()
            process = await start(*arguments, **options)
            started.append(process)
            return process

        monkeypatch.setattr(asyncio, "create_subprocess_exec", slowly)
        tournament = await found.add("me", "here", PLAN)
        await starting.wait()
        kept = found.find("me", tournament)
        assert kept is not None
        await found.remove(kept)
        going_on.set()
        while not started or started[0].returncode is None:
            await asyncio.sleep(0.01)
        assert started[0].returncode < 0, "it was killed"
        assert found.of_owner("me") == []
        again = await found.add("me", "here", TournamentPlan("limit-2p", ["random", "random"], seed="good"))
        while found.of_owner("me")[0].state != "finished":
            await asyncio.sleep(0.01)
        assert [path.name for path in tmp_path.glob("*.json") if again not in path.name] == []

    with_tournaments(tmp_path, work)


@pytest.mark.usefixtures("quick")
def test_a_tournament_that_is_removed_while_it_is_written_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, going_on = Event(), Event()
    write = write_whole

    def slowly(*arguments: Any) -> None:
        writing.set()
        assert going_on.wait(LONG)
        write(*arguments)

    async def work(found: Tournaments) -> None:
        monkeypatch.setattr(tournament_queue, "write_whole", slowly)
        adding = asyncio.create_task(found.add("me", "here", PLAN))
        await asyncio.to_thread(writing.wait, LONG)
        await found.remove(found.of_owner("me")[0])
        going_on.set()
        await adding
        assert found.of_owner("me") == []

    with_tournaments(tmp_path, work)
    assert list(tmp_path.glob("*.json")) == []


@pytest.mark.usefixtures("quick")
def test_one_address_does_not_take_all_places_and_everybody_has_a_turn(tmp_path: Path) -> None:
    async def work(found: Tournaments) -> None:
        many = [
            await found.add(f"player {player}", "a crowd", PLAN) for player in range(VISITORS.of_one_address)
        ]
        with pytest.raises(TournamentError, match="from your address are not finished"):
            await found.add("one more", "a crowd", PLAN)
        while found.find("player 0", many[0]) is None or found.find("player 0", many[0]).state != "playing":  # type: ignore[union-attr]
            await asyncio.sleep(0.01)
        alone = await found.add("somebody", "elsewhere", PLAN)
        assert found.place(alone) == 1, "next, after the one that is being played"
        assert sorted(found.place(each) for each in many[1:]) == [2, 3, 4, 5, 6]
        kept = found.find("player 0", many[0])
        assert kept is not None
        await found.remove(kept)
        while found.of_owner("somebody")[0].state != "playing":
            await asyncio.sleep(0.01)

    with_tournaments(tmp_path, work)


def test_one_address_does_not_drive_out_the_tournaments_of_others(
    tmp_path: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_queue, "MOST_KEPT", 6)

    async def crowd(found: Tournaments) -> None:
        async def finished(owner: str, address: str) -> str:
            added = await found.add(owner, address, QUICK_PLAN)
            while (kept := found.find(owner, added)) is not None and kept.state in ("waiting", "playing"):
                await asyncio.sleep(0.01)
            return added

        own = await finished("somebody", "elsewhere")
        for place in range(10):
            await finished(f"player {place}", "a crowd")
        assert found.find("somebody", own) is not None
        assert sum(len(found.of_owner(f"player {place}")) for place in range(10)) == 5

    with_tournaments(tmp_path, crowd)


@pytest.mark.parametrize("what", ["tournaments", "comparisons"])
def test_agents_of_one_address_are_looked_at_a_bounded_number_of_times(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "BURST", 3.0)
    monkeypatch.setattr(lobby, "PER_SECOND", 1e-6)
    with serving(tmp_path / "store.db") as running:
        person = Person(running.address)
        session = person.begin("limit-2p", ["always-call"])
        path, body = {
            # Both are refused in the end, but an agent is made before.
            "tournaments": ("/api/tournaments", {"game": "limit-2p", "agents": ["always-call", "nobody"]}),
            "comparisons": (f"/api/sessions/{session}/duplicate", {"agent": "always-call"}),
        }[what]
        statuses = [person.ask("POST", path, body).status for _ in range(3)]
    assert statuses == [422, 422, 429]


def test_no_agent_is_made_for_a_tournament_that_has_no_room(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_queue, "MOST_OF_ONE", 0)

    async def verify(*_: object) -> None:
        raise AssertionError("an agent was made")

    monkeypatch.setattr(server.web.thinkers, "verify", verify)
    wanted = {"game": "limit-2p", "agents": ["always-call", "random"]}
    assert Person(server.address).ask("POST", "/api/tournaments", wanted).status == 409


# Tables, sessions, questions


def test_a_full_house_makes_room_for_who_looks(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_keeper, "MOST_TABLES", 3)
    monkeypatch.setattr(table_keeper, "_ARRIVAL_S", 0.0)
    greedy, other = Person(server.address), Person(server.address)

    async def come_and_go() -> None:
        for _ in range(5):
            async with greedy.seat(greedy.begin("limit-2p", ["always-call"])) as seat:
                await seat.own_turn()
        async with other.seat(other.begin("limit-2p", ["always-call"])) as seat:
            await seat.own_turn()

    asyncio.run(come_and_go())


def test_one_address_begins_a_bounded_number_of_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "BURST", 3.0)
    monkeypatch.setattr(lobby, "PER_SECOND", 1e-6)
    wanted = {"game": "limit-2p", "opponents": ["always-call"]}
    with serving(tmp_path / "store.db") as running:
        statuses = [Person(running.address).ask("POST", "/api/sessions", wanted).status for _ in range(4)]
    assert statuses == [201, 201, 201, 429]


def test_a_player_keeps_a_bounded_number_of_sessions(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MOST_KEPT", 2)
    person = Person(server.address)
    sessions = [person.begin("limit-2p", ["always-call"]) for _ in range(2)]
    for session in sessions:
        assert person.ask("DELETE", f"/api/sessions/{session}").status == 200
    wanted = {"game": "limit-2p", "opponents": ["always-call"]}
    assert person.ask("POST", "/api/sessions", wanted).status == 409
    assert person.ask("DELETE", f"/api/sessions/{sessions[0]}?remove=true").status == 200
    assert person.ask("POST", "/api/sessions", wanted).status == 201


def test_one_address_does_not_keep_all_threads_busy() -> None:
    going_on = Event()

    async def ask_many() -> None:
        asked = desk.Desk("test")
        greedy = [
            asyncio.create_task(asked.find("a crowd", lambda: going_on.wait(LONG)))
            for _ in range(desk.MOST_OF_ONE)
        ]
        await asyncio.sleep(0)
        with pytest.raises(HttpRefusal, match="too many requests at the moment"):
            await asked.find("a crowd", lambda: True)
        other = asyncio.create_task(asked.find("elsewhere", lambda: True))
        await asyncio.sleep(0)
        going_on.set()
        assert all(await asyncio.gather(other, *greedy))
        assert await asked.find("a crowd", lambda: True)

    asyncio.run(ask_many())


def test_nobody_waits_for_all_questions_of_another_address() -> None:
    going_on = Event()

    async def ask_many() -> None:
        asked = desk.Desk("test")
        greedy = [
            asyncio.create_task(asked.find("a crowd", lambda: going_on.wait(LONG)))
            for _ in range(desk.MOST_OF_ONE)
        ]
        await asyncio.sleep(0)
        try:
            async with asyncio.timeout(5.0):
                assert await asked.find("elsewhere", lambda: True)
        finally:
            going_on.set()
        assert all(await asyncio.gather(*greedy))

    asyncio.run(ask_many())


def test_the_lobby_of_one_address_does_not_keep_all_threads_busy(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MOST_OF_ONE", 0)
    with serving(Path(server.web.store.address).with_name("other.db")) as running:
        reply = Person(running.address).ask("GET", "/api/lobby")
    assert (reply.status, reply.data) == (
        503,
        {"error": "too many requests at the moment: try again soon"},
    )


def test_one_address_has_a_bounded_number_of_comparisons() -> None:
    async def waits(_progress: Any) -> dict[str, Any]:
        await asyncio.sleep(LONG)
        return {}

    async def ask_many() -> None:
        found = jobs.Jobs()
        names = [found.begin(f"player {place}", "a crowd", waits) for place in range(jobs.MOST_OF_ONE)]
        with pytest.raises(Crowded):
            found.begin("one more", "a crowd", waits)
        assert found.begin("player 0", "a crowd", waits) not in names, "in place of one's own"
        assert found.begin("somebody", "elsewhere", waits)

    asyncio.run(ask_many())


def test_one_address_does_not_drive_out_the_comparisons_of_others() -> None:
    async def waits(_progress: Any) -> dict[str, Any]:
        await asyncio.sleep(LONG)
        return {}

    async def ask_many() -> None:
        found = jobs.Jobs()
        own = found.begin("somebody", "elsewhere", waits)
        for _ in range(jobs.MOST_JOBS):
            last = found.begin("one", "a crowd", waits)
        kept = found.job("somebody", own)
        assert kept is not None
        assert not kept.is_over
        newest = found.job("one", last)
        assert newest is not None
        assert not newest.is_over

    asyncio.run(ask_many())


def test_one_address_asks_a_bounded_number_of_questions_at_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "MOST_STUDIED_OF_ONE", 0)
    with serving(tmp_path / "store.db") as running:
        person = Person(running.address)

        async def ask() -> dict[str, Any]:
            async with person.seat(person.begin("limit-2p", ["always-call"])) as seat:
                view = await seat.own_turn()
                return await seat.answer("strength", hand=view["hand"], step=view["step"])

        answer = asyncio.run(ask())
    assert (answer["code"], answer["message"]) == (
        "too-fast",
        "too many questions at the moment: try again soon",
    )


def test_agents_of_others_think_while_one_address_has_many_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, players = named_game("limit-2p"), ("caller", "raiser")
    agents = {"caller": "always-call", "raiser": "always-raise"}
    deciding: list[str] = []
    asked = thinkers._asked

    async def decide() -> None:
        going_on = asyncio.Event()

        async def slowly(table: Any, player: Any, question: Any, limit_s: float) -> dict[str, Any]:
            if player.match.players != players:
                deciding.append(player.label)
                await going_on.wait()
            return await asked(table, player, question, limit_s)

        thinking = Thinkers(1)
        await thinking.start()
        try:
            # Those of the crowd sit the other way round.
            hand, crowded = dealt(1, rules, players), dealt(1, rules, players[::-1])
            for place in range(6):
                await thinking.open(f"crowd {place}", rules, players[::-1], agents, "a crowd")
            await thinking.open("other", rules, players, agents, "elsewhere")
            monkeypatch.setattr(thinkers, "_asked", slowly)
            crowd = [
                asyncio.create_task(
                    thinking.decide(f"crowd {place}", crowded.players[1], crowded.observation(1))
                )
                for place in range(6)
            ]
            await asyncio.sleep(0)
            assert not (await thinking.decide("other", hand.players[1], hand.observation(1))).fault
            assert len(deciding) == DECIDING
            going_on.set()
            assert not any(thought.fault for thought in await asyncio.gather(*crowd))
        finally:
            await thinking.close()

    with asyncio.Runner() as runner:
        runner.run(asyncio.wait_for(decide(), LONG))


def test_a_room_is_left_as_it_was_entered() -> None:
    room = Room(3, 2)
    with room.taken("a"), room.taken("a"), room.taken("b"):
        for address in "abc":
            with pytest.raises(Crowded), room.taken(address):
                pass
    with room.taken("a"), room.taken("a"), pytest.raises(Crowded), room.taken("a"):
        pass
