"""Several people at one table: invitations, seats, the clock, sitting out, leaving, and what each of them may see."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from time import monotonic
from typing import Any

import pytest

from railbird.interfaces.web.lobby import invitations
from railbird.interfaces.web.lobby.guests import GuestSessions
from railbird.interfaces.web.study import recent_play
from railbird.interfaces.web.table import pace
from railbird.interfaces.web.table.people import (
    MOST_PEOPLE,
    SeatedPerson,
    SeatError,
    SharedTable,
    verify_public_name,
)
from railbird.interfaces.web.table.socket import NOT_FOUND
from railbird.interfaces.web.table.views import chips_of
from web_client import Person, Refusal, Seat, Serving, assert_chips_conserved, lift_limits, serving
from web_secrets import truth_of

GAME = "limit-4max"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "STEPS", dict.fromkeys(pace.STEPS, 1e-4))
        patch.setattr(pace, "AFTER_HAND", dict.fromkeys(pace.AFTER_HAND, 0.0))
        lift_limits(patch)
        with serving(tmp_path_factory.mktemp("people") / "store.db") as running:
            yield running


def opened(server: Serving, opponents: list[str], seats: int, game: str = GAME, **sharing: Any) -> "Evening":
    """A table of Ann's with seats for so many people."""
    ann = Person(server.address)
    session = ann.begin(game, opponents, name="Ann", sharing={"seats": seats, **sharing})
    return Evening(server, session, {"Ann": ann})


class Evening:
    """A table and the people at it."""

    def __init__(self, server: Serving, session: str, people: dict[str, Person]) -> None:
        self.server, self.session, self.people = server, session, people

    @property
    def plan(self) -> dict[str, Any]:
        stored = self.server.web.sessions.session(self.session)
        assert stored is not None
        return dict(stored.settings)

    @property
    def invitation(self) -> str:
        return f"/api/invitations/{self.session}.{self.plan['shared']['secret']}"

    def join(self, name: str) -> Person:
        person = Person(self.server.address)
        reply = person.ask("POST", self.invitation, {"name": name})
        assert (reply.status, reply.data) == (201, {"id": self.session})
        self.people[name] = person
        return person

    @asynccontextmanager
    async def seats(self) -> AsyncIterator[dict[str, Seat]]:
        """Everybody at the table, until the end of the block."""
        async with AsyncExitStack() as lines:
            seats = {
                name: await lines.enter_async_context(person.seat(self.session))
                for name, person in self.people.items()
            }
            for seat in seats.values():
                await seat.until(bool)
            yield seats


async def play(seats: dict[str, Seat], hands: int, folding: str = "", raising: str = "") -> None:
    """Everybody calls, and one may fold, or raise as little as possible, until so many hands are over."""

    async def one(name: str, seat: Seat) -> None:
        while True:
            view = await seat.until(lambda view: view["actions"] is not None or is_over(view))
            if is_over(view):
                return
            now = (view["hand"], view["step"])
            may: dict[str, Any] = view["actions"]
            act: dict[str, Any] = {"action": "call"}
            if name == folding and may["fold"]:
                act = {"action": "fold"}
            elif name == raising and may["raise"]:
                act = {"action": "raise", "to": may["raise"]["least"]}
            await seat.answer("act", hand=now[0], step=now[1], **act)
            await seat.until(lambda view, now=now: (view["hand"], view["step"]) > now or is_over(view))  # type: ignore[misc]

    def is_over(view: dict[str, Any]) -> bool:
        return bool(view["hand"] > hands or (view["hand"] == hands and view["phase"] == "over"))

    await asyncio.gather(*(one(*each) for each in seats.items()))


def run(evening: Evening, script: Callable[[dict[str, Seat]], Awaitable[None]]) -> None:
    async def through() -> None:
        async with evening.seats() as seats:
            await script(seats)

    asyncio.run(through())


# Invitations and seats


def test_guests_take_seats_by_invitation_and_everybody_plays_from_their_own(server: Serving) -> None:
    evening = opened(server, ["always-call"], 3)
    ann = evening.people["Ann"]
    bob = Person(server.address)
    told = bob.get(evening.invitation)
    assert told == {
        "title": "Limit, 4 players, $10/$20, with Ann, Always Call",
        "host": "Ann",
        "players": ["Ann", "Always Call"],
        "free": 2,
        "clock": 0,
        "session": None,
        "name": "",
    }
    assert bob.ask("GET", f"/api/sessions/{evening.session}").status == 404
    evening.join("Bob")
    evening.join("Cem")
    assert ann.get(f"/api/sessions/{evening.session}")["opponents"] == ["Bob", "Cem", "Always Call"]

    async def script(seats: dict[str, Seat]) -> None:
        for chair, (name, seat) in enumerate(seats.items()):
            view = await seat.until(lambda view: len(view["together"]["people"]) == 3)
            assert [each["chair"] for each in view["chairs"] if each["you"]] == [chair]
            assert view["together"]["host"] == (name == "Ann")
            assert bool(view["together"]["invitation"]) == (name == "Ann")
            assert view["phase"] == "ready"
        with pytest.raises(Refusal, match="only the host"):
            await seats["Bob"].ask("deal")
        await seats["Ann"].ask("deal")
        await play(seats, 3)
        for seat in seats.values():
            assert seat.view["hands"] == 3 if seat.view["hand"] == 3 else seat.view["hands"] >= 3

    run(evening, script)
    hands = [hand for hand in server.web.sessions.hands(evening.session) if hand.ending is not None]
    assert {player for hand in hands for player in hand.start["players"]} == {
        "Ann",
        "Bob",
        "Cem",
        "Always Call",
    }
    assert_chips_conserved(hands)


def test_a_table_is_full_and_whoever_has_a_seat_keeps_it(server: Serving) -> None:
    evening = opened(server, ["always-call", "always-fold"], 2)
    bob = evening.join("Bob")
    late = Person(server.address).ask("POST", evening.invitation, {"name": "Dan"})
    assert (late.status, late.data) == (422, {"error": "no seat is free at the moment"})
    again = bob.ask("POST", evening.invitation, {"name": "Robert"})
    assert again.status == 201
    assert [each["name"] for each in evening.plan["shared"]["people"]] == ["Ann", "Bob"]
    assert bob.get(evening.invitation)["session"] == evening.session


@pytest.mark.parametrize(
    "token", ["x", ".", "{session}", "{session}.", "{session}.wrong", "{session}.{secret}x"]
)
def test_a_wrong_invitation_opens_nothing(server: Serving, token: str) -> None:
    evening = opened(server, ["always-call", "always-fold"], 2)
    tried = token.format(session=evening.session, secret=evening.plan["shared"]["secret"])
    other = Person(server.address)
    for method, body in (("GET", None), ("POST", {"name": "Eve"})):
        reply = other.ask(method, f"/api/invitations/{tried}", body)
        assert (reply.status, reply.data) == (
            404,
            {"error": "this invitation is not valid, or the table is closed"},
        )


def test_invitations_end_with_the_table_and_other_sessions_have_none(server: Serving) -> None:
    evening = opened(server, ["always-call", "always-fold"], 2)
    ann = evening.people["Ann"]
    invitation = evening.invitation
    ann.ask("DELETE", f"/api/sessions/{evening.session}")
    assert Person(server.address).ask("GET", invitation).status == 404
    alone = ann.begin("limit-2p", ["always-call"])
    assert Person(server.address).ask("POST", f"/api/invitations/{alone}.", {"name": "Eve"}).status == 404


def test_trying_invitations_is_limited_by_address(
    server: Serving, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "BURST", 3.0)
    monkeypatch.setattr(invitations, "PER_SECOND", 1e-9)
    with serving(tmp_path / "store.db") as strict:
        statuses = [Person(strict.address).ask("GET", "/api/invitations/a.b").status for _ in range(5)]
    assert statuses == [404, 404, 404, 429, 429]


@pytest.mark.parametrize(
    "name",
    [
        "",
        " Ann",
        "x" * 25,
        "<b>Bob</b>",
        "a&b",
        "Bob\n",
        "You",
        "you",
        "Ann",
        "ANN",
        "always-call",
        "casper02",
        "a|b",
    ],
)
def test_names_that_would_mislead_are_refused(server: Serving, name: str) -> None:
    evening = opened(server, ["always-call", "always-fold"], 2)
    reply = Person(server.address).ask("POST", evening.invitation, {"name": name})
    assert reply.status == 422, reply
    assert len(evening.plan["shared"]["people"]) == 1


@pytest.mark.parametrize(
    ("wanted", "error"),
    [
        ({"sharing": {"seats": 1}}, "2 to 4 seats for people, not 1"),
        ({"sharing": {"seats": 5}}, "2 to 4 seats for people, not 5"),
        ({"sharing": {"seats": 3}}, "needs 1 bot, not 2"),
        ({"sharing": {"seats": 2, "clock": 7}}, "clock"),
        ({"sharing": {"seats": 2, "fill": "nobody"}}, "nobody"),
        ({"sharing": {"seats": 2}, "watch": True}, "neither watched nor used for training"),
        ({"sharing": {"seats": 2}, "training": {"face_up": True}}, "neither watched nor used for training"),
        ({"sharing": {"seats": 2}, "name": "You"}, "choose a name"),
    ],
)
def test_tables_for_several_people_are_validated(server: Serving, wanted: dict[str, Any], error: str) -> None:
    asked = {"game": GAME, "opponents": ["always-call", "always-fold"], "name": "Ann", **wanted}
    reply = Person(server.address).ask("POST", "/api/sessions", asked)
    assert reply.status == 422
    assert error in reply.data["error"]


def test_the_server_of_one_user_invites_nobody(tmp_path: Any) -> None:
    with serving(tmp_path / "store.db", key="k", trusted=True) as own:
        person = Person(f"{own.address}?key=k")
        assert person.get("/api/lobby")["invites"] is False
        asked = {"game": "limit-2p", "opponents": [], "name": "Ann", "sharing": {"seats": 2}}
        reply = person.ask("POST", "/api/sessions", asked)
        assert (reply.status, "railbird serve" in reply.data["error"]) == (422, True)


# Play


def test_free_seats_are_skipped_or_filled_as_the_host_chose(server: Serving) -> None:
    for fill, players in (
        ("", {"Ann", "Always Call"}),
        ("random", {"Ann", "Always Call", "Random 1", "Random 2"}),
    ):
        evening = opened(server, ["always-call"], 3, fill=fill)

        async def script(seats: dict[str, Seat]) -> None:
            await seats["Ann"].ask("deal")
            await play(seats, 1)

        run(evening, script)
        assert set(server.web.sessions.hands(evening.session)[0].start["players"]) == players


def test_a_hand_needs_two_players(server: Serving) -> None:
    evening = opened(server, [], 2, "limit-2p")

    async def script(seats: dict[str, Seat]) -> None:
        with pytest.raises(Refusal, match="a hand needs two players"):
            await seats["Ann"].ask("deal")
        await asyncio.to_thread(evening.join, "Bob")
        await seats["Ann"].until(lambda view: view["together"]["can_deal"])
        await seats["Ann"].ask("deal")
        await seats["Ann"].until(lambda view: view["phase"] == "playing")

    run(evening, script)


def test_the_clock_checks_or_folds_and_two_overruns_sit_out(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = opened(server, [], 3, "limit-3p", clock=15)
    evening.join("Bob")
    evening.join("Cem")
    honest = pace.TurnClock.run

    def run_fast(clock: pace.TurnClock, chair: int, seconds: int) -> bool:
        is_new = honest(clock, chair, seconds)
        if is_new:
            clock._end = monotonic() + 0.2
        return is_new

    monkeypatch.setattr(pace.TurnClock, "run", run_fast)

    async def script(seats: dict[str, Seat]) -> None:
        await seats["Ann"].ask("deal")
        bob = seats.pop("Bob")
        await play(seats, 2)
        clocks = [view["clock"] for seat in seats.values() for view in seat.views if view["clock"]]
        assert {clock["seconds"] for clock in clocks} == {15}
        assert all(0 <= clock["left"] <= 15 for clock in clocks)
        assert any("Bob ran out of time and" in view["notice"] for view in seats["Ann"].views)
        await bob.until(lambda view: view["together"]["people"][1]["out"])

    run(evening, script)
    hands = server.web.sessions.hands(evening.session)
    assert evening.plan["shared"]["people"][1]["out"]
    assert_chips_conserved(hands)


def test_who_sits_out_gets_no_cards_and_comes_back_at_the_next_hand(server: Serving) -> None:
    evening = opened(server, ["always-call"], 3)
    evening.join("Bob")
    evening.join("Cem")

    async def script(seats: dict[str, Seat]) -> None:
        await seats["Bob"].ask("sit-out", out=True)
        await seats["Ann"].ask("settings", auto_deal=False)
        await seats["Ann"].ask("deal")
        await play({name: seats[name] for name in ("Ann", "Cem")}, 1)
        bob = seats["Bob"].view
        assert bob["chairs"][1]["state"] == "out"
        assert bob["hands"] == 0
        await seats["Bob"].ask("sit-out", out=False)
        await seats["Ann"].ask("deal")
        await play(seats, 2)
        # Everybody sits out: the table waits, although an agent is left.
        for seat in seats.values():
            await seat.ask("sit-out", out=True)
        with pytest.raises(Refusal, match="two players"):
            await seats["Ann"].ask("deal")

    run(evening, script)
    first, second = (hand.start["players"] for hand in server.web.sessions.hands(evening.session))
    assert set(first) == {"Ann", "Cem", "Always Call"}
    assert set(second) == {"Ann", "Bob", "Cem", "Always Call"}


def test_leaving_frees_the_seat_and_nobody_sees_the_cards_left_behind(server: Serving) -> None:
    evening = opened(server, [], 3, "nolimit-3p:stack=1000,carry=yes")
    bob = evening.join("Bob")
    evening.join("Cem")

    async def script(seats: dict[str, Seat]) -> None:
        await seats["Ann"].ask("settings", auto_deal=False)
        await seats["Ann"].ask("deal")
        view = await seats["Bob"].until(lambda view: view["phase"] == "playing")
        left = view["chairs"][1]["cards"]
        await seats["Bob"].answer("leave")
        line = seats["Bob"].socket
        await line.wait_closed()
        assert (line.close_code, line.close_reason) == (NOT_FOUND, "you have left the table")
        # The chair is in the hand that is played: it cannot be taken before its end.
        reply = await asyncio.to_thread(
            Person(server.address).ask, "POST", evening.invitation, {"name": "Dan"}
        )
        assert reply.status == 422
        del seats["Bob"], evening.people["Bob"]
        await play(seats, 1, raising="Ann")
        await asyncio.to_thread(evening.join, "Dan")
        async with evening.people["Dan"].seat(evening.session) as dan:
            seen = await dan.until(bool)
            assert not any(card in json.dumps(seen["chairs"]) for card in left)
            await seats["Ann"].ask("deal")
            await play({**seats, "Dan": dan}, 2)

    run(evening, script)
    second = server.web.sessions.hands(evening.session)[1]
    assert second.start["stacks"][second.start["players"].index("Dan")] == 1000
    assert bob.ask("GET", f"/api/sessions/{evening.session}/hands/1").status == 200
    assert bob.ask("GET", f"/api/sessions/{evening.session}/hands/2").status == 404
    dan = evening.people["Dan"]
    assert dan.ask("GET", f"/api/sessions/{evening.session}/hands/1").status == 404
    assert [line["number"] for line in dan.get(f"/api/sessions/{evening.session}/hands")] == [2]
    again = bob.ask("POST", evening.invitation, {"name": "Bobby"})
    assert (again.status, again.data["error"]) == (422, "no seat is free at the moment")


def test_a_guest_finds_the_table_in_the_lobby(server: Serving) -> None:
    evening = opened(server, ["always-call"], 3)
    bob = evening.join("Bob")
    evening.join("Cem")

    async def script(seats: dict[str, Seat]) -> None:
        await seats["Ann"].ask("settings", auto_deal=False)
        await seats["Cem"].ask("sit-out", out=True)
        await seats["Ann"].ask("deal")
        await play({name: seats[name] for name in ("Ann", "Bob")}, 1)
        assert [chair["stack"] for chair in seats["Bob"].view["chairs"]].count(0) == 0
        await seats["Ann"].ask("deal")
        await seats["Bob"].until(lambda view: view["hand"] == 2)

    run(evening, script)
    # Also for a server that was started again.
    for guests in (server.web.guests, GuestSessions(server.web.sessions)):
        known = guests.of(evening.plan["shared"]["people"][1]["player"])
        assert [each.id for each in known] == [evening.session]
    lobbies = {name: person.get("/api/lobby") for name, person in evening.people.items()}
    for name, lobby in lobbies.items():
        (session,) = lobby["sessions"]
        assert (session["id"], session["finished"], session["own"]) == (evening.session, False, name == "Ann")
    assert lobbies["Bob"]["sessions"][0] == {**bob.get(f"/api/sessions/{evening.session}"), "hand": 2}
    assert lobbies["Bob"]["resume"] == lobbies["Ann"]["resume"] == evening.session
    # Who is not in the hand has nothing to resume.
    assert lobbies["Cem"]["resume"] is None
    assert Person(server.address).get("/api/lobby")["sessions"] == []

    async def leave(seats: dict[str, Seat]) -> None:
        await seats["Bob"].answer("leave")
        await seats["Bob"].socket.wait_closed()

    run(evening, leave)
    lobby = bob.get("/api/lobby")
    assert ([each["finished"] for each in lobby["sessions"]], lobby["resume"]) == ([True], None)


def test_the_host_removes_guests_between_hands_only(server: Serving) -> None:
    evening = opened(server, ["always-call"], 3)
    evening.join("Bob")
    evening.join("Cem")

    async def script(seats: dict[str, Seat]) -> None:
        await seats["Ann"].ask("settings", auto_deal=False)
        with pytest.raises(Refusal, match="only the host"):
            await seats["Bob"].ask("remove", name="Cem")
        for nobody in ("Ann", "Eve", "always-call"):
            with pytest.raises(Refusal, match="nobody called"):
                await seats["Ann"].ask("remove", name=nobody)
        await seats["Ann"].ask("deal")
        await seats["Ann"].until(lambda view: view["phase"] == "playing")
        with pytest.raises(Refusal, match="between hands"):
            await seats["Ann"].ask("remove", name="Bob")
        await play(seats, 1)
        await seats["Ann"].ask("remove", name="Bob")
        view = await seats["Cem"].until(lambda view: view["together"]["free"] == 1)
        assert [each["name"] for each in view["together"]["people"]] == ["Ann", "Cem"]

    run(evening, script)


def test_advice_is_for_everybody_or_nobody(server: Serving) -> None:
    for advice in (False, True):
        evening = opened(server, [], 2, "limit-2p", advice=advice)
        evening.join("Bob")

        async def script(seats: dict[str, Seat], advice: bool = advice) -> None:
            await seats["Ann"].ask("deal")
            for seat in seats.values():
                await seat.until(lambda view: view["phase"] == "playing")
            turn = next(seat for seat in seats.values() if seat.view["actions"])
            moment = {"hand": turn.view["hand"], "step": turn.view["step"]}
            answers = [
                await turn.answer("strength", **moment),
                await turn.answer("advise", agent="always-call", **moment),
            ]
            assert [each["type"] for each in answers] == (["strength", "advice"] if advice else ["error"] * 2)

        run(evening, script)


@pytest.mark.parametrize("statistics", [False, True])
def test_statistics_are_for_everybody_or_nobody(
    server: Serving, monkeypatch: pytest.MonkeyPatch, statistics: bool
) -> None:
    monkeypatch.setattr(recent_play, "ENOUGH", 2)
    evening = opened(server, [], 2, "limit-2p", statistics=statistics)
    evening.join("Bob")

    async def script(seats: dict[str, Seat]) -> None:
        await seats["Ann"].ask("deal")
        await play(seats, 2)
        for name, seat in seats.items():
            assert set(seat.view["statistics"]) == ({"Ann", "Bob"} - {name} if statistics else set())

    run(evening, script)


def test_results_of_each_person_hide_what_the_others_did_not_show(server: Serving) -> None:
    evening = opened(server, ["always-call"], 3, "nolimit-4max:stack=1000")
    evening.join("Bob")
    evening.join("Cem")

    async def script(seats: dict[str, Seat]) -> None:
        await seats["Ann"].ask("deal")
        await play(seats, 3, folding="Cem")

    run(evening, script)
    ended = server.web.sessions.last_over(evening.session)
    hands = {hand.number: truth_of(hand) for hand in server.web.sessions.hands(evening.session)}
    starts = {hand.number: hand.start for hand in server.web.sessions.hands(evening.session)}
    endings = {hand.number: hand.ending for hand in server.web.sessions.hands(evening.session)}
    won = {
        name: [
            chips_of(str(ending["payoffs"][starts[number]["players"].index(name)]))
            for number, ending in endings.items()
            if ending is not None
        ]
        for name in evening.people
    }
    hidden = 0
    for name, person in evening.people.items():
        for number in range(1, ended + 1):
            shown = person.get(f"/api/sessions/{evening.session}/hands/{number}")
            truth, players = hands[number], starts[number]["players"]
            for place, player in enumerate(players):
                chair = next(each for each in shown["chairs"] if each["name"] == player)
                revealed = any(
                    line["kind"] == "reveal" and line["text"].startswith(f"{player} shows")
                    for line in shown["views"][-1]["log"]
                )
                known = player in (name, "Always Call") or revealed
                assert chair["cards"] == (list(truth.holes[place]) if known else [None, None])
                hidden += not known
        told = person.get(f"/api/sessions/{evening.session}")
        assert (told["hands"], told["net"]) == (ended, int(sum(won[name])))
        for file in ("hands.phhs", "hands.log", "hands.txt", "hands/1/txt"):
            assert person.ask("GET", f"/api/sessions/{evening.session}/{file}").status == 200
        reply = person.ask("POST", f"/api/sessions/{evening.session}/duplicate", {"agent": "random"})
        assert reply.status in (404, 422)
    assert hidden


# Plain data


def test_names_are_letters_digits_and_a_few_signs() -> None:
    for name in ("Ann", "Jean-Luc", "O'Neil", "Zoë 2", "Łukasz", "李"):
        verify_public_name(name)
    for name in ("Ann!", "a/b", "a\u202eb", "a\u200bb", "x  y"):
        with pytest.raises(SeatError):
            verify_public_name(name)


def test_a_table_remembers_a_limited_number_of_people() -> None:
    shared = SharedTable("s", [SeatedPerson("host", "Host", 0)])
    for number in range(1, MOST_PEOPLE):
        shared = shared.joined(f"p{number}", f"Guest {number}", [1], number).left(f"p{number}", number)
    with pytest.raises(SeatError, match="this table has had 100 people, the maximum"):
        shared.joined("one more", "One more", [1], 0)
    back = shared.joined("p7", "Somebody else", [1], 200)
    assert back.person("p7") == SeatedPerson("p7", "Guest 7", 1, 7)
    assert not shared.admits("S")
    assert shared.admits("s")
