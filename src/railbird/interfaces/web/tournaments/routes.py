"""Tournaments of agents, to start and to watch: `/api/tournaments…`, JSON; errors are answered with a message.

    POST   /api/tournaments                   {game, agents, hands, matches, seed} → 201 {id}
    GET    /api/tournaments                   the player's tournaments, the newest first, and the limits of new ones
    GET    /api/tournaments/ID                one, with its standings so far
    GET    /api/tournaments/ID/results.json   the results of a finished one, as `railbird tournament --json` writes them
    DELETE /api/tournaments/ID                stop and delete one

A tournament is `{id, made, game, game_title, agents, names, hands, matches, seed, state: "waiting" | "playing" |
"finished" | "failed", before, progress: null | {matches, all_matches, hands, all_hands}, error, command}`; with
standings also `{unit, players: [{name, label, agent, hands, net, rate}], standings: {total_bankroll, instant_runoff},
crosstable, void, digest}`.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from railbird.agent import display_names
from railbird.arena.play.plan import labels_of
from railbird.engine.games import game_title
from railbird.interfaces.web.http.asked import not_found, wrong
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.table.views import unit_of
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.tournaments.plan import (
    MOST_AGENTS,
    MOST_DEALS,
    MOST_HANDS,
    MOST_MATCHES,
    TournamentPlan,
)
from railbird.interfaces.web.tournaments.queue import OWN, VISITORS, Tournament, TournamentError, Tournaments
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.store.addresses import beside

_STANDINGS = ("players", "standings", "crosstable", "void")
_BOUNDS = {"agents": MOST_AGENTS, "hands": MOST_DEALS, "matches": MOST_MATCHES, "all_hands": MOST_HANDS}


def router(web: Web) -> APIRouter:
    """The routes; tournaments are played while the server runs."""
    allowance = OWN if web.trusted else VISITORS
    tournaments = Tournaments(beside(web.store.address, "tournaments"), allowance)
    bounds = {**_BOUNDS, "unfinished": allowance.unfinished, "seconds": allowance.seconds}

    @asynccontextmanager
    async def playing(_: object) -> AsyncIterator[None]:
        await tournaments.start()
        try:
            yield
        finally:
            await tournaments.close()

    routes = APIRouter(prefix="/api/tournaments", lifespan=playing)

    def owned(request: Request, tournament: str) -> Tournament:
        found = tournaments.find(web.player(request), tournament)
        if found is None:
            raise not_found("there is no such tournament")
        return found

    @routes.post("")
    async def begin(request: Request) -> Response:
        plan = await decoded(request, TournamentPlan)
        web.begin(request)
        try:
            rules = plan.rules()
            web.thinkers.offer.verify_game(rules)
            plan.require(rules)
            # Before agents are created to check whether they play the game.
            tournaments.require_room(web.player(request), web.address(request))
            for agent in plan.agents:
                web.thinkers.admit(agent)
            for agent in dict.fromkeys(plan.agents):
                await web.thinkers.verify(agent, rules)
            added = await tournaments.add(web.player(request), web.address(request), plan)
            return answer({"id": added}, 201)
        except TournamentError as error:
            raise HttpRefusal(409, str(error)) from None
        except (ValueError, ThinkerError) as error:
            raise wrong(error) from None

    @routes.get("")
    async def listed(request: Request) -> Response:
        found = tournaments.of_owner(web.player(request))
        return answer({"tournaments": [_summary(web, tournaments, each) for each in found], "bounds": bounds})

    @routes.get("/{tournament}")
    async def look(request: Request, tournament: str) -> Response:
        found = owned(request, tournament)
        if found.state == "finished":
            standings = await asyncio.to_thread(_final_standings, tournaments, found)
        else:
            standings = _standings(tournaments.told(found.id).standings or {}, found.plan)
        return answer({**_summary(web, tournaments, found), **standings})

    @routes.get("/{tournament}/results.json")
    async def results(request: Request, tournament: str) -> Response:
        found = owned(request, tournament)
        content = await asyncio.to_thread(tournaments.results, found) if found.state == "finished" else None
        if content is None:
            raise not_found("this tournament has no results yet")
        name = f'attachment; filename="railbird-tournament-{found.id}.json"'
        return Response(content, media_type="application/json", headers={"Content-Disposition": name})

    @routes.delete("/{tournament}")
    async def remove(request: Request, tournament: str) -> Response:
        found = owned(request, tournament)
        await tournaments.remove(found)
        return answer({"id": found.id})

    return routes


def _summary(web: Web, tournaments: Tournaments, tournament: Tournament) -> dict[str, Any]:
    return {
        "id": tournament.id,
        "made": tournament.made,
        **msgspec.to_builtins(tournament.plan),
        "game_title": game_title(tournament.plan.rules()),
        "names": list(display_names(tournament.plan.agents)),
        "state": tournament.state,
        "before": tournaments.place(tournament.id) if tournament.state == "waiting" else 0,
        "progress": tournaments.told(tournament.id).progress,
        "error": web.sentence(tournament.error),
        "command": tournament.plan.command(),
    }


def _final_standings(tournaments: Tournaments, tournament: Tournament) -> dict[str, Any]:
    """The part of the results that the page shows; the file may be long or damaged."""
    try:
        return _standings(msgspec.json.decode(tournaments.results(tournament) or b"{}"), tournament.plan)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise HttpRefusal(500, "the results of this tournament are damaged") from None


def _standings(report: Mapping[str, Any], plan: TournamentPlan) -> dict[str, Any]:
    """The part of a report, or of the standings so far, that the page shows."""
    if not report:
        return {}
    names = dict(zip(labels_of(plan.agents), display_names(plan.agents), strict=True))
    return {
        "unit": unit_of(plan.rules()),
        **{key: report[key] for key in _STANDINGS},
        "players": [
            {
                "name": names.get(player["label"], player["label"]),
                **{key: player[key] for key in ("label", "agent", "hands", "net", "rate")},
            }
            for player in report["players"]
        ],
        "digest": report.get("digest", ""),
    }
