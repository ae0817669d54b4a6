"""Games in which a hand, a deal or a session never ends.

Every view of a table tells the whole hand, a tournament keeps all of it, and the results of a session are read as a
whole.
"""

import asyncio
from collections.abc import Iterator

import pytest

from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.offer import MOST_ACTIONS, most_actions
from railbird.interfaces.web.lobby.games import GAMES
from railbird.interfaces.web.table import dealing, live_table
from railbird.rng import Stream
from web_client import Person, Serving, serving

ENDLESS = (
    "limit-2p:cap=none,stack=2147483647",
    "limit-2p:cap=1000000000,stack=2147483647",
    "limit-2p:raises=3/4/4/1000000000,stack=2147483647",
    "limit-3p:cap=none,bets=1",
    "nolimit-2p:stack=2147483647",
    "nolimit-2p:blinds=1/2",
    "nolimit-2p:bets=100/100/100/1",
    "nolimit-2p:stack=100/2147483647",
    "potlimit-10max:stack=1000000",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("games") / "store.db") as running:
        yield running


@pytest.mark.parametrize("game", ENDLESS)
def test_no_visitor_begins_a_session_whose_hands_go_on_and_on(server: Serving, game: str) -> None:
    opponents = ["always-raise"] * named_game(game).players
    wanted = {"game": game, "opponents": opponents, "watch": True}
    reply = Person(server.address).ask("POST", "/api/sessions", wanted)
    assert reply.status == 422
    assert "choose smaller stacks, larger bets or a cap" in reply.data["error"]


@pytest.mark.parametrize("game", ENDLESS)
def test_no_visitor_begins_a_tournament_whose_hands_go_on_and_on(server: Serving, game: str) -> None:
    agents = ["always-raise"] * named_game(game).players
    reply = Person(server.address).ask(
        "POST", "/api/tournaments", {"game": game, "agents": agents, "hands": 1}
    )
    assert reply.status == 422
    assert "choose smaller stacks, larger bets or a cap" in reply.data["error"]


def test_every_game_of_the_lobby_is_short_enough() -> None:
    for offered in GAMES:
        for seats in offered.seats:
            for parameters in offered.stakes.values():
                name = offered.game(seats)
                assert (
                    most_actions(named_game(f"{name}:{parameters}" if parameters else name)) <= MOST_ACTIONS
                )


@pytest.mark.parametrize("hands", ["AsAh", "2c2d:1e-9,3c3d:1e-6"])
def test_rare_starting_hands_are_dealt_as_quickly_as_any(hands: str, monkeypatch: pytest.MonkeyPatch) -> None:
    deals: list[Setup] = []
    deal = State.deal

    def counted(setup: Setup, source: Stream) -> State:
        deals.append(setup)
        return deal(setup, source)

    monkeypatch.setattr(State, "deal", counted)
    setup = Setup.of(named_game("limit-10max"))
    for position in range(10):
        state = dealing.deal_chosen(setup, position, hands)
        assert set(state.hole_cards(position) or ()) in [{50, 51}, {51, 49}, {0, 1}, {4, 5}]
        assert len(set(state.cards)) == len(state.cards) == setup.cards_dealt
    assert len(deals) <= 10


def test_a_session_has_a_bounded_number_of_hands(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "MOST_HANDS", 2)
    person = Person(server.address)
    session = person.begin("limit-2p", ["always-fold", "always-fold"], watch=True)

    async def watch() -> None:
        async with person.seat(session) as seat:
            view = await seat.until(lambda view: view["paused"])
            assert (view["hand"], view["phase"]) == (2, "over")
            assert view["notice"] == "A session can have at most 2 hands: end it and start another one."
            await seat.ask("deal")
            await seat.ask("continue")
            await seat.until(lambda view: view["paused"])
            assert max(view["hand"] for view in seat.views) == 2
            await seat.ask("leave")

    asyncio.run(watch())
    assert len(server.web.sessions.hands(session)) == 2
