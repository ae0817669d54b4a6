"""Games in which a hand never ends: every view of a table tells the whole hand, and a tournament keeps all of it."""

from collections.abc import Iterator

import pytest

from railbird.engine.games import named_game
from railbird.interfaces.offer import MOST_ACTIONS, most_actions
from railbird.interfaces.web.lobby import GAMES
from web_client import Person, Serving, serving

ENDLESS = (
    "limit-2p:cap=none,stack=2147483647",
    "limit-2p:cap=1000000000,stack=2147483647",
    "limit-2p:raises=3/4/4/2000000000,stack=2147483647",
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
