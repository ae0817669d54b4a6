"""A session in the browser from the first page to the last hand: `railbird play`, and what one can do at a table."""

import asyncio
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from command import railbird
from railbird.cards import format_card, parse_card
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.equities.range_notation import parse_weights
from railbird.explanation import RangeGrid, section_from_json
from railbird.hands.holdings import holding
from railbird.interfaces.web import starting
from railbird.interfaces.web.server import KEY_FILE
from railbird.interfaces.web.study.inquiries import TableInquiries
from railbird.interfaces.web.table import dealing, pace
from railbird.interfaces.web.table import keeper as table_keeper
from railbird.store.addresses import StoreError
from railbird.store.sessions import Change, HandBegun
from web_client import (
    LONG,
    Person,
    Refusal,
    Seat,
    Serving,
    View,
    address_in,
    ask,
    assert_chips_conserved,
    home_at,
    served_process,
    serving,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server whose hands follow each other at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "AFTER_HAND", dict.fromkeys(pace.AFTER_HAND, 0.0))
        with serving(tmp_path_factory.mktemp("play") / "store.db") as running:
            yield running


@pytest.fixture
def person(server: Serving) -> Person:
    return Person(server.address)


# The command


def test_play_prints_an_address_that_works_with_its_key_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = (
        "--no-prepare",
        "--game",
        "limit-2p",
        "--against",
        "always-call",
        "--name",
        "Ann",
        "--store",
        tmp_path / "hands.db",
    )
    with served_process(tmp_path, "play", "--no-browser", *table) as (process, line):
        address = address_in(line)
        found = address.removeprefix("http://127.0.0.1:")
        port, rest = found.split("/?key=")
        key, session = rest.split("#/table/")
        assert port.isdigit()
        assert key == (Path(home_at(tmp_path)["RAILBIRD_HOME"]) / "data" / KEY_FILE).read_text()
        plain = f"http://127.0.0.1:{port}/"
        assert ask(plain, "GET", "/").status == 403
        assert ask(plain, "GET", f"/?key={key[:-1]}").status == 403
        ann = Person(f"{plain}?key={key}")
        assert b"<html" in ask(plain, "GET", "/", headers=ann.headers).body
        listed = ann.get("/api/lobby")["sessions"]
        assert [(each["id"], each["opponents"], each["finished"]) for each in listed] == [
            (session, ["Always Call"], False)
        ]

        async def play() -> None:
            async with ann.seat(session) as seat:
                await seat.until(lambda view: view["phase"] == "playing")
                await seat.ask("settings", speed="instant", auto_deal=False)
                view = await seat.play_hand()
                assert view["chairs"][0]["name"] == "Ann"

        asyncio.run(play())
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=LONG)
        assert error == ""
        assert process.returncode == 0

    # Another day the session is still there, and goes on as it was set.
    with served_process(tmp_path, "play", "--no-browser", *table) as (_, line):
        ann = Person(address_in(line).split("#")[0])
        assert ann.token == key
        kept = {each["id"]: each for each in ann.get("/api/lobby")["sessions"]}
        assert len(kept) == 2
        assert kept[session]["hands"] == 1

        async def resume() -> None:
            async with ann.seat(session) as seat:
                view = await seat.until(bool)
                assert (view["hands"], view["speed"], view["auto_deal"]) == (1, "instant", False)
                await asyncio.sleep(0.3)
                assert seat.view["phase"] == "over"
                await seat.ask("deal")
                view = await seat.play_hand()
                assert view["hand"] == 2

        asyncio.run(resume())
        (empty,) = set(kept) - {session}

    # Where nothing was played nothing is left behind.
    monkeypatch.setenv("RAILBIRD_HOME", home_at(tmp_path)["RAILBIRD_HOME"])
    monkeypatch.setattr(starting, "run", lambda _web, _gate, _bound, ready: asyncio.run(ready()))
    again = railbird("play", "--no-browser", "--no-prepare", *table)
    assert (again.code, again.error) == (0, "")
    assert address_in(again.out.decode().splitlines()[0]).endswith(f"#/table/{empty}")


def test_what_cannot_be_played_is_refused_before_anything_starts(tmp_path: Path) -> None:
    for arguments, sentence in (
        (("--against", "nobody"), "nobody"),
        (("--game", "limit-2p", "--against", "random,random"), "needs 1 bot, not 2"),
        (("--hands", "3"), "--hands has no effect without --terminal"),
        (("--name", ""), "a name must have 1 to 24 characters"),
    ):
        options = ("--no-browser", "--store", tmp_path / "hands.db", *arguments)
        outcome = railbird("play", *options)
        assert (outcome.code, outcome.out) == (2, b"")
        assert sentence in outcome.error
        assert len(outcome.error.splitlines()) == 1


# At a table


async def fold_out(seat: Seat) -> int:
    """Fold the hand that is played; its number."""
    view = await seat.own_turn()
    while not view["actions"]["fold"]:
        await seat.act("call")
        view = await seat.own_turn()
    await seat.act("fold")
    number: int = view["hand"]
    return number


def test_training_deals_only_chosen_hands_and_counts_nothing(server: Serving, person: Person) -> None:
    chosen = "TT+,AQs,72o"
    weights = parse_weights(chosen)
    session = person.begin("limit-2p", ["always-call"], training={"face_up": True, "hands": chosen})

    async def play() -> None:
        async with person.seat(session) as seat:
            for _ in range(4):
                view = await seat.play_hand()
                assert view["training"] == {"face_up": True, "hands": chosen}
                assert (view["hands"], view["net"]) == (0, 0)
                assert weights[holding([parse_card(card) for card in view["chairs"][0]["cards"]])] > 0

            view = await seat.own_turn()
            assert None not in view["chairs"][1]["cards"]
            await seat.until(lambda view: len(view["reasons"]) == view["step"] > 0 or view["step"] == 0)
            for reason in seat.view["reasons"]:
                why = await seat.ask("why", hand=view["hand"], step=reason["step"])
                assert (why["reasons"]["name"], why["reasons"]["agent"]) == ("Always Call", "always-call")

    asyncio.run(play())
    hands = server.web.sessions.hands(session)
    assert not any(hand.counted for hand in hands)
    assert server.web.sessions.totals(session) == (0, "0")
    assert not in_store(server, session)
    summary = person.get(f"/api/sessions/{session}/summary")
    assert summary["net"] == []
    assert person.get(f"/api/sessions/{session}")["training"] is True


def in_store(server: Serving, session: str) -> bool:
    """Whether the hands of a session are among those of all sources."""
    return any(session in source.name for source in server.web.store.sources())


def test_hands_that_count_are_among_those_of_all_sources(server: Serving, person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def play() -> None:
        async with person.seat(session) as seat:
            for _ in range(2):
                await seat.play_hand()

    asyncio.run(play())
    assert in_store(server, session)
    assert person.get(f"/api/sessions/{session}")["hands"] >= 2


def test_somebody_who_comes_back_sees_the_same(person: Person) -> None:
    session = person.begin("limit-3p", ["always-call", "random"])

    async def play() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            await seat.act("call")
            before = await seat.own_turn()
        for _ in range(2):
            async with person.seat(session) as seat, person.seat(session) as twin:
                assert await seat.until(bool) == await twin.until(bool) == before

    asyncio.run(play())


def test_advice_and_strength_are_of_the_own_hand(person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def play() -> None:
        async with person.seat(session) as seat:
            view = await seat.own_turn()
            while view["round"] != "flop":
                await seat.act("call")
                view = await seat.own_turn()
            now = {"hand": view["hand"], "step": view["step"]}
            strength = await seat.ask("strength", **now)
            facts = {fact["name"]: fact["value"] for fact in strength["facts"]}
            assert 0 <= facts["hand strength"] <= 1
            assert any(name.startswith("equity against 1 random hand") for name in facts)
            for agent, name in (("probtriple", "ProbTriple"), ("always-raise", "Always Raise")):
                advice = await seat.ask("advise", agent=agent, **now)
                assert (advice["reasons"]["name"], advice["reasons"]["agent"]) == (name, agent)
                assert sum(each["chance"] for each in advice["reasons"]["strategy"]) in (0, pytest.approx(1))
                assert advice["reasons"]["explanation"]["summary"]
            assert advice["reasons"]["action"].startswith(("bets", "raises"))
            assert seat.view == view, "advice changes nothing"
            with pytest.raises(Refusal, match="no agent is called"):
                await seat.ask("advise", agent="nobody", **now)

    asyncio.run(play())


def test_a_newer_question_replaces_one_that_waits(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    session = person.begin("limit-2p", ["always-call"])
    asked: list[int] = []

    async def play() -> None:
        async with person.seat(session) as seat:
            view = await seat.own_turn()
            now = {"hand": view["hand"], "step": view["step"]}
            first_is_asked, answers = asyncio.Event(), threading.Event()

            async def strength(*_: object) -> list[dict[str, object]]:
                asked.append(len(asked))
                here.call_soon_threadsafe(first_is_asked.set)
                await asyncio.to_thread(answers.wait)
                return [{"name": "question", "value": asked[-1]}]

            here = asyncio.get_running_loop()
            monkeypatch.setattr(TableInquiries, "strength", strength)
            questions = [asyncio.create_task(seat.answer("strength", **now))]
            await first_is_asked.wait()
            questions += [asyncio.create_task(seat.answer("strength", **now)) for _ in range(2)]
            await asyncio.sleep(0)
            # Messages are answered in order, so the third question has arrived.
            await seat.ask("hold", held=False)
            answers.set()
            first, second, third = await asyncio.gather(*questions)
            assert (first["type"], third["type"]) == ("strength", "strength")
            assert (second["code"], second["message"]) == (
                "too-late",
                "a newer question has replaced this one",
            )
            assert asked == [0, 1]

    asyncio.run(play())


def test_the_range_of_an_agent_is_told_where_its_reasons_are(person: Person) -> None:
    session = person.begin("limit-2p", ["probtriple"])

    async def play() -> None:
        async with person.seat(session) as seat:
            hand = (await seat.own_turn())["hand"]
            await seat.ask("settings", auto_deal=False)
            with pytest.raises(Refusal, match="available when the hand is over"):
                await seat.ask("range", hand=hand, step=0)
            await seat.play_hand()
            view = await seat.until(lambda view: view["phase"] == "over" and bool(view["reasons"]))
            step = view["reasons"][-1]["step"]
            with pytest.raises(Refusal, match="there are no reasons for step 99"):
                await seat.ask("range", hand=hand, step=99)
            told = await seat.ask("range", hand=hand, step=step)
            sections = map(section_from_json, told["sections"])
            grids = [section for section in sections if isinstance(section, RangeGrid)]
            why = (await seat.ask("why", hand=hand, step=step))["reasons"]
            for grid, chance in zip(grids, why["strategy"], strict=True):
                assert grid.title.startswith(f"{chance['action']}: ")
            weights = [sum(each) for each in zip(*(grid.weights for grid in grids), strict=True)]
            # The board may block all combos of a starting hand.
            assert weights == pytest.approx([float(combos > 0) for combos in grids[0].combos])
            await seat.ask("deal")
            await seat.until(lambda view: view["hand"] > hand)
            assert (await seat.ask("range", hand=hand, step=step))["sections"] == told["sections"]

    asyncio.run(play())


def test_an_agent_without_a_range_says_why(person: Person) -> None:
    session = person.begin("limit-2p", ["simbot:trials=5"], training={"face_up": True, "hands": ""})

    async def play() -> None:
        async with person.seat(session) as seat:
            view = await seat.own_turn()
            while not view["reasons"]:
                await seat.act("call")
                view = await seat.own_turn()
            with pytest.raises(Refusal, match="cannot state a strategy for other cards"):
                await seat.ask("range", hand=view["hand"], step=view["reasons"][0]["step"])

    asyncio.run(play())


def test_who_folded_may_see_the_rest_at_once(person: Person) -> None:
    session = person.begin("limit-3p", ["always-raise", "always-call"], speed="normal")

    async def play() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            with pytest.raises(Refusal, match="you are still in the hand"):
                await seat.ask("forward")
            number = await fold_out(seat)
            await seat.ask("forward")
            await seat.until(lambda view: view["forwarding"] or view["hand"] > number)
            await seat.until(lambda view: view["hand"] > number)
            assert seat.view["forwarding"] is False

    asyncio.run(play())


def test_nobody_acts_while_the_table_is_paused(person: Person) -> None:
    session = person.begin("limit-3p", ["always-call", "always-call"])

    async def play() -> None:
        async with person.seat(session) as seat:
            await seat.own_turn()
            await seat.ask("pause")
            await seat.until(lambda view: view["paused"])
            with pytest.raises(Refusal, match="the table is paused"):
                await seat.act("call")
            await seat.ask("continue")
            await seat.act("call")
            await seat.ask("pause")
            paused = await seat.until(lambda view: view["paused"])
            await asyncio.sleep(0.4)
            assert seat.view["step"] <= paused["step"] + 1
            step = seat.view["step"]
            await asyncio.sleep(0.3)
            assert seat.view["step"] == step
            await seat.ask("continue")
            await seat.play_hand()

    asyncio.run(play())


def test_stacks_that_are_carried_on_keep_all_chips_and_are_bought_again(
    server: Serving, person: Person
) -> None:
    session = person.begin("nolimit-3p:stack=300,carry=yes", ["always-call", "random"])

    async def play() -> None:
        async with person.seat(session) as seat:
            while seat.view.get("hand", 0) < 12:
                view = await seat.own_turn()
                may_raise = view["actions"]["raise"]
                if may_raise is None:
                    await seat.act("call")
                else:
                    await seat.act("raise", may_raise["most"])

    asyncio.run(play())
    hands = server.web.sessions.hands(session)
    assert_chips_conserved(hands)
    bought = [
        hand.number
        for hand in hands[1:]
        if sum(hand.start["stacks"]) > sum(hands[hand.number - 2].start["stacks"])
    ]
    assert bought, "nobody lost all chips"


def test_agents_alone_play_while_somebody_looks(person: Person) -> None:
    session = person.begin("limit-3p", ["always-call", "random", "always-raise"], watch=True)

    async def look() -> int:
        async with person.seat(session) as seat:
            view = await seat.until(lambda view: view["hand"] == 2)
            assert view["watching"]
            assert view["actions"] is None
            assert all(None not in chair["cards"] for chair in view["chairs"])
            with pytest.raises(Refusal, match="not your turn"):
                await seat.ask("advise", hand=view["hand"], step=seat.view["step"], agent="random")
        return int(seat.view["hand"])

    number = asyncio.run(look())
    assert number >= 2
    assert person.get(f"/api/sessions/{session}")["watching"] is True


# Ends and beginnings


async def shown_down(seat: Seat) -> View:
    """Check and call until the cards of a hand decide, and nothing more is to be done in it."""
    while True:
        view = await seat.until(
            lambda view: view["hand"] > 0 and (view["actions"] is not None or view["to_act"] is None)
        )
        if view["to_act"] is None:
            return view
        await seat.act("call")


def test_a_hand_that_was_seen_to_its_end_counts_even_if_one_leaves_at_once(
    server: Serving, person: Person
) -> None:
    async def play(session: str) -> int:
        async with person.seat(session) as seat:
            view = await shown_down(seat)
            await seat.ask("leave")
            await seat.until(lambda view: view["phase"] == "closed")
            return int(view["hand"])

    for _ in range(4):
        session = person.begin("limit-2p", ["pokibot"])
        number = asyncio.run(play(session))
        hands = server.web.sessions.hands(session)
        # The next hand may have begun meanwhile.
        assert not any(hand.voided for hand in hands[:number])
        assert server.web.sessions.totals(session)[0] >= number >= 1


def test_one_can_leave_at_any_moment(server: Serving, person: Person) -> None:
    async def watch(session: str, wait: float) -> None:
        async with person.seat(session) as one, person.seat(session) as other:
            await one.until(lambda view: view["hand"] > 1)
            await asyncio.sleep(wait)
            await asyncio.gather(one.ask("leave"), other.ask("leave"))
            view = await other.until(lambda view: view["phase"] == "closed")
            assert view["notice"] == ""

    for attempt in range(5):
        session = person.begin("limit-3p", ["always-call", "random", "always-call"], watch=True)
        asyncio.run(watch(session, attempt * 0.013))
        hands = server.web.sessions.hands(session)
        assert all(hand.over for hand in hands)
        assert all(not hand.voided for hand in hands[:-1])


def test_a_table_stops_at_any_moment(tmp_path: Path) -> None:
    with serving(tmp_path / "store.db") as server:
        person = Person(server.address)
        session = person.begin("limit-2p", ["always-call"], speed="slow")

        async def stop() -> None:
            table = server.web.keeper.opened(session)
            assert table is not None
            # Something happens in the moment in which it is stopped.
            table._stir()
            async with asyncio.timeout(LONG / 2):
                await table.stop()

        async def play() -> None:
            async with person.seat(session) as seat:
                await seat.ask("settings", speed="slow")
                await seat.until(lambda view: view["hand"] == 1 and view["to_act"] == 1)
                await asyncio.sleep(0.3)
                # The agent has thought, and waits until it may act.
                stopping = asyncio.run_coroutine_threadsafe(stop(), server.loop)
                await asyncio.wrap_future(stopping)

        asyncio.run(play())


def test_settings_of_two_browsers_at_once_both_hold(person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def change() -> None:
        async with person.seat(session) as one, person.seat(session) as other:
            await asyncio.gather(one.ask("settings", speed="slow"), other.ask("settings", auto_deal=False))
            await one.until(lambda view: (view["speed"], view["auto_deal"]) == ("slow", False))

    asyncio.run(change())


def test_two_servers_over_one_store_play_one_hand(tmp_path: Path) -> None:
    with serving(tmp_path / "store.db") as here, serving(tmp_path / "store.db") as there:
        ann = Person(here.address)
        elsewhere = Person(there.address, ann.token)
        session = ann.begin("limit-2p", ["always-call"])

        async def play() -> None:
            async with ann.seat(session) as seat:
                await seat.own_turn()
                async with elsewhere.seat(session) as other:
                    await other.own_turn()
                    await seat.act("call")
                    await seat.own_turn()
                    with pytest.raises(Refusal, match="continued elsewhere"):
                        await other.act("raise", other.view["actions"]["raise"]["least"])
                    view = await other.until(lambda view: view["paused"])
                    assert "elsewhere" in view["notice"]
                    assert view["log"] == seat.view["log"]
                    assert view["board"] == seat.view["board"]

        asyncio.run(play())
        (hand,) = here.web.sessions.hands(session)
        assert "r" not in hand.actions


def dealt_or_paused(hand: int, view: View) -> bool:
    return bool(view["hand"] == hand or view["paused"])


def test_a_hand_that_could_not_be_kept_is_dealt_again_from_the_same_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path / "store.db") as server:
        person = Person(server.address)
        session = person.begin("limit-3p:carry=yes", ["always-call", "random"])
        failing = [False, True, True]
        honest = server.web.journal.write

        async def write(*changes: Change) -> None:
            if isinstance(changes[0], HandBegun) and failing and failing.pop(0):
                raise StoreError("the disk is full")
            await honest(*changes)

        monkeypatch.setattr(server.web.journal, "write", write)

        async def play() -> View:
            async with person.seat(session) as seat:
                await seat.ask("settings", auto_deal=False)
                for hand in range(1, 4):
                    while seat.view["hand"] < hand:
                        # The first hand may have been dealt by itself in this moment, which is no reason to stop.
                        answer = await seat.answer("deal")
                        assert answer["type"] == "done" or answer["code"] == "not-now", answer
                        await seat.until(partial(dealt_or_paused, hand))
                        if seat.view["paused"]:
                            assert seat.view["notice"] == (
                                "The table stopped: the change could not be saved: nothing was changed. "
                                "Press Continue to try again."
                            )
                            await seat.ask("continue")
                    await seat.play_hand()
                return seat.view

        before = asyncio.run(play())
        assert not failing
    with serving(tmp_path / "store.db") as server:
        person = Person(server.address, person.token)

        async def look() -> tuple[View, View]:
            async with person.seat(session) as seat:
                restored = await seat.until(bool)
                await seat.ask("deal")
                return restored, await seat.until(lambda view: view["hand"] == 4)

        restored, following = asyncio.run(look())
    stacks, later = ([chair["stack"] for chair in view["chairs"]] for view in (before, restored))
    assert later == stacks
    assert following["button"] == (before["button"] + 1) % 3
    assert sum(chair["stack"] + chair["bet"] for chair in following["chairs"]) == sum(stacks)


@pytest.mark.parametrize("hands", ["AA:0", "AA:0,KK:0"])
def test_training_needs_a_hand_that_can_be_dealt(person: Person, hands: str) -> None:
    wanted = {"game": "limit-2p", "opponents": ["always-call"], "training": {"hands": hands}}
    reply = person.ask("POST", "/api/sessions", wanted)
    assert reply.status == 422
    assert "does not contain a starting hand" in reply.data["error"]


def test_chosen_hands_come_by_their_weights() -> None:
    setup = Setup.of(named_game("limit-2p"))
    dealt: Counter[str] = Counter()
    for _ in range(60):
        cards = dealing.deal_chosen(setup, 0, "AA:0.1,KK").hole_cards(0)
        assert cards is not None
        dealt[format_card(cards[0])[0]] += 1
    assert dealt["K"] > 40 > 20 > dealt["A"], "one pair of aces to ten of kings"
    assert dealt["A"] + dealt["K"] == 60


def test_a_line_that_is_refused_says_why(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_keeper, "MOST_VIEWERS", 2)
    session = person.begin("limit-2p", ["always-call"])

    async def turned_away(name: str) -> tuple[int, str]:
        async with person.line(name) as line:
            with pytest.raises(ConnectionClosed):
                await line.recv()
            return line.close_code or 0, line.close_reason or ""

    async def look() -> None:
        assert await turned_away("unknown") == (4404, "there is no such session")
        async with person.seat(session) as first:
            async with person.seat(session) as second:
                await first.until(lambda view: view["hand"] == 1)
                await second.until(lambda view: view["hand"] == 1)
                assert await turned_away(session) == (
                    1013,
                    "the maximum of 2 browsers at this table is reached",
                )
            while (await turned_away("unknown"))[0] and not await can_look(person, session):
                # Who looks away makes room, a moment later.
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(look(), LONG))


async def can_look(person: Person, session: str) -> bool:
    async with person.line(session) as line:
        try:
            await line.recv()
        except ConnectionClosed:
            return False
        return True


def test_sessions_can_be_removed(server: Serving, person: Person) -> None:
    kept, removed = (person.begin("limit-2p", ["always-call"]) for _ in range(2))

    async def play() -> None:
        async with person.seat(removed) as seat:
            await seat.play_hand()

    asyncio.run(play())
    assert person.ask("DELETE", f"/api/sessions/{removed}?remove=true").status == 200
    assert [each["id"] for each in person.get("/api/lobby")["sessions"]] == [kept]
    assert server.web.sessions.session(removed) is None
    assert server.web.sessions.hands(removed) == []
    assert person.ask("DELETE", f"/api/sessions/{removed}?remove=true").status == 404


def test_every_offered_agent_is_rated_in_every_game_that_some_agent_plays_with_skill(person: Person) -> None:
    lobby = person.get("/api/lobby")
    assert person.get("/api/agents") == {name: lobby[name] for name in ("agents", "ratings")}
    rated, ratings = lobby["ratings"]["rated"], lobby["ratings"]["games"]
    games = {game for offered in lobby["games"] for game in offered["game"].values()}
    assert games - set(rated) == {"nolimit-3p", *(f"nolimit-{seats}max" for seats in range(4, 11))}
    assert set(rated.values()) == set(ratings) == {"limit-2p", "limit-3p", "limit-6max", "nolimit-2p"}
    for agent in lobby["agents"]:
        for game in set(agent["plays"]) & set(rated):
            assert agent["name"] in ratings[rated[game]]["agents"], (agent["name"], game)
    playing = {game: {agent["name"] for agent in lobby["agents"] if game in agent["plays"]} for game in games}
    for game, opponents in lobby["usual"]["opponents"].items():
        assert {spec.split(":")[0] for spec in opponents} <= playing[game]
    for game, found in ratings.items():
        assert [table["id"] for table in found["tables"]] == ["friendly", "tougher", "toughest"]
        for table in found["tables"]:
            assert {spec.split(":")[0] for spec in table["opponents"]} <= playing[game]


def test_an_easy_decision_takes_as_long_as_a_hard_one() -> None:
    rhythm = pace.Rhythm()
    assert rhythm.needed("bot", 3.0, hides=True) == 3.0, "the first time much is read"
    assert rhythm.needed("bot", 0.01, hides=True) == 0.01
    assert rhythm.needed("bot", 0.2, hides=True) == 0.2
    assert {rhythm.needed("bot", 0.01, hides=True) for _ in range(20)} == {0.2}
    assert rhythm.needed("bot", 0.3, hides=True) == 0.3
    assert rhythm.needed("another", 0.01, hides=True) == 0.01
    assert rhythm.needed("bot", 0.01, hides=False) == 0.01, (
        "where all cards are open there is nothing to hide"
    )
    # What happened once is forgotten, and nobody waits for ever.
    assert [rhythm.needed("bot", 0.01, hides=True) for _ in range(100)][-1] == 0.01
    assert rhythm.needed("bot", 5.0, hides=True) == 5.0
    for _ in range(5):
        rhythm.needed("bot", 4.0, hides=True)
    assert rhythm.needed("bot", 0.01, hides=True) == pace.Rhythm.LONGEST
