"""Starting the table in the browser: for the user of this machine, or for others."""

import asyncio
import sys
import webbrowser
from threading import Thread

from railbird.agent import make_agent
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.interfaces import DEFAULT_GAME
from railbird.interfaces.company import usual_opponents
from railbird.interfaces.web.app import make_web
from railbird.interfaces.web.http.safety import Gate
from railbird.interfaces.web.http.tokens import owner_of
from railbird.interfaces.web.lobby.beginning import begin_session, empty_session
from railbird.interfaces.web.lobby.games import offered_games
from railbird.interfaces.web.lobby.opponents import offered_agents
from railbird.interfaces.web.server import LOOPBACK, address_of, bind, own_key, run, signing_key
from railbird.interfaces.web.table.session_plan import plan_session
from railbird.interfaces.web.thinking.preparation import FirstRun
from railbird.interfaces.web.wire.proxies import proxies_at
from railbird.store.store import open_store

_TELL_S = 0.2


def play_in_browser(
    rules: GameRules,
    opponents: list[str],
    name: str,
    port: int,
    browser: bool,
    store: str | None,
    prepare: bool,
) -> None:
    """Start a table in the browser for the user of this machine."""
    if opponents != usual_opponents(rules):
        for opponent in dict.fromkeys(opponents):
            make_agent(opponent).verify_game(rules)
    plan = plan_session(rules, opponents, name=name)
    key = own_key()
    with open_store(store) as opened, bind(LOOPBACK, port) as bound:
        web = make_web(opened, trusted=True)
        left = empty_session(web.sessions, owner_of(key), plan)

        async def ready() -> None:
            session = left or await begin_session(web, owner_of(key), plan)
            address = f"{address_of(bound)}?key={key}#/table/{session}"
            print(
                f"The table is at {address}\nCtrl-C closes it; sessions are kept and can be resumed.",
                flush=True,
            )
            if browser:
                Thread(target=webbrowser.open, args=(address,), daemon=True).start()
            if prepare:
                web.preparation.begin(rules, opponents, _others)
                await _tell(web.preparation)

        run(web, Gate(key), bound, ready)


def serve_others(
    host: str,
    port: int,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    workers: int,
    store: str | None,
    keep_days: int,
    prepare: bool,
) -> None:
    """Serve tables to everyone who can reach this machine."""
    believed = proxies_at(proxies)
    with open_store(store) as opened, bind(host, port) as bound:
        web = make_web(opened, workers=workers, keep_days=keep_days)

        async def ready() -> None:
            print(f"Tables are at {address_of(bound)} (Ctrl-C stops the server)", flush=True)
            if prepare:
                rules = named_game(DEFAULT_GAME)
                web.preparation.begin(rules, usual_opponents(rules), _others)
                await _tell(web.preparation)

        run(web, Gate(None, ("localhost", *names), signing_key(opened.address), believed), bound, ready)


def _others() -> list[tuple[GameRules, str]]:
    """All games and agents of the lobby; the default opponents of every game first."""
    agents = offered_agents()
    return [
        *((rules, agent) for rules in offered_games() for agent in usual_opponents(rules)),
        *(
            (rules, agent["name"])
            for rules in offered_games()
            for agent in agents
            if rules.name in agent["plays"]
        ),
    ]


async def _tell(preparation: FirstRun) -> None:
    """Show in the terminal how far the preparation of a first run is; the line disappears when it is done."""
    if not sys.stderr.isatty():
        return
    waiting = asyncio.create_task(preparation.wait())
    while not (await asyncio.wait([waiting], timeout=_TELL_S))[0]:
        if (percent := preparation.percent) is not None:
            print(f"\rPreparing the bots, first run only: {percent} %", end="", file=sys.stderr, flush=True)
    print("\r\033[K", end="", file=sys.stderr, flush=True)
