"""The routes of the lobby: what can be played, the player's sessions, and new ones."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request, Response

from railbird.interfaces.company import usual_opponents
from railbird.interfaces.web.http.desk import Desk
from railbird.interfaces.web.http.rates import RateBuckets
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.lobby.beginning import NewSession, begin_session, checked_plan
from railbird.interfaces.web.lobby.games import GAMES, games_to_json, offered_games
from railbird.interfaces.web.lobby.opponents import offered_agents, ratings_to_json
from railbird.interfaces.web.table import messages
from railbird.interfaces.web.table.messages import Speed
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.table.views import chips_of, chips_to_json, unit_of
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.store.sessions import SessionError, SessionFinished, SessionRemoved, StoredSession

MOST_SESSIONS = 500
"""Maximum number of unfinished sessions per player."""
PER_SECOND, BURST = 1.0, 100.0
"""Rate limit of new sessions, tournaments and comparisons from one address: per second, and in a burst."""
SHARED_PER_SECOND, SHARED_BURST = 1 / 60, 20.0
"""Rate limit of new tables for several people from one address."""
MOST_KEPT = 5000
"""Maximum number of stored sessions per player, including finished ones."""
USUAL_SEATS = 6
SPEEDS: Mapping[Speed, str] = {
    "slow": "Slow, to read along",
    "normal": "Normal",
    "fast": "Fast",
    "instant": "Instant",
}


def summary(
    session: StoredSession, totals: tuple[int, str], player: str, hand: int | None = None
) -> dict[str, Any]:
    """A summary of a session for a player, with its totals in the store and the number of its hand in progress."""
    plan = SessionPlan.from_json(session.settings)
    hands, net = totals
    return {
        "id": session.id,
        "title": plan.title,
        "game": plan.rules["name"],
        "game_title": plan.game_title,
        "opponents": [name for name in plan.names if name and name != plan.name_of(player)],
        "started": session.started,
        "hands": hands,
        "net": chips_to_json(chips_of(net)),
        "unit": unit_of(plan.game()),
        "training": plan.training is not None,
        "watching": plan.watching,
        "finished": session.finished or (plan.shared is not None and plan.chair_of(player) is None),
        "own": session.owner == player,
        "hand": hand,
    }


def _lobby(web: Web, player: str) -> dict[str, Any]:
    totals, playing = web.sessions.totals_of_owner(player), web.sessions.hands_in_progress(player)
    sessions = [
        summary(session, totals.get(session.id, (0, "0")), player, playing.get(session.id))
        for session in web.sessions.of_owner(player)
        if session.id in totals or not session.finished
    ]
    for session in web.guests.of(player):
        hand = web.guests.hand(session, player)
        told = summary(session, web.guests.totals(session, player), player, hand)
        if told["hands"] or not told["finished"]:
            sessions.append(told)
            playing |= {} if hand is None else {session.id: hand}
    sessions.sort(key=lambda each: each["started"], reverse=True)
    return {
        "games": games_to_json(),
        "agents": offered_agents(),
        "ratings": ratings_to_json(),
        "speeds": [{"id": speed, "title": title} for speed, title in SPEEDS.items()],
        "usual": {
            "game": GAMES[0].id,
            "seats": USUAL_SEATS,
            "opponents": {rules.name: usual_opponents(rules) for rules in offered_games()},
        },
        "sessions": sessions,
        "resume": _to_resume(sessions, playing),
        "invites": not web.trusted,
    }


def _to_resume(sessions: Sequence[Mapping[str, Any]], playing: Iterable[str]) -> str | None:
    """The session whose hand the player is most likely to return to; agents among themselves wait for nobody."""
    own = {each["id"] for each in sessions if not each["watching"] and not each["finished"]}
    return next((session for session in playing if session in own), None)


def router(web: Web) -> APIRouter:
    """The routes of the lobby."""
    desk = Desk("lobby")
    routes = APIRouter(lifespan=desk.lifespan)
    invited = RateBuckets(SHARED_PER_SECOND, SHARED_BURST)

    @routes.get("/api/lobby")
    async def lobby(request: Request) -> Response:
        player = web.player(request)
        return answer(await desk.find(web.address(request), lambda: _lobby(web, player)))

    @routes.get("/api/agents")
    async def agents() -> Response:
        return answer({"agents": await asyncio.to_thread(offered_agents), "ratings": ratings_to_json()})

    @routes.post("/api/sessions")
    async def begin(request: Request) -> Response:
        wanted = await decoded(request, NewSession)
        web.begin(request)
        if wanted.sharing is not None and not invited.take(web.address(request)):
            raise HttpRefusal(429, "too many tables for several people from your address: wait a while")
        player = web.player(request)
        kept = await asyncio.to_thread(web.sessions.of_owner, player)
        if sum(not each.finished for each in kept) >= MOST_SESSIONS:
            raise HttpRefusal(409, f"a player may have at most {MOST_SESSIONS} open sessions: end one first")
        if len(kept) >= MOST_KEPT:
            raise HttpRefusal(409, f"a player may have at most {MOST_KEPT:,} sessions: remove one first")
        try:
            plan = await checked_plan(web, player, wanted)
        except (ValueError, ThinkerError) as error:
            raise HttpRefusal(422, str(error)) from None
        session = await begin_session(web, player, plan)
        return answer({"id": session}, 201)

    @routes.get("/api/sessions/{session}")
    async def look(request: Request, session: str) -> Response:
        found = await web.visible(request, session)
        player = web.player(request)

        def totals() -> tuple[int, str]:
            own = found.owner == player
            return web.sessions.totals(session) if own else web.guests.totals(found, player)

        return answer(summary(found, await asyncio.to_thread(totals), player))

    @routes.delete("/api/sessions/{session}")
    async def end(request: Request, session: str, remove: bool = False) -> Response:
        found = await web.owned(request, session)
        table = web.keeper.opened(session)
        try:
            if table is not None:
                await table.leave(found.owner)
                await web.keeper.put_away(session)
            elif not found.finished:
                await web.journal.write(SessionFinished(session))
            if remove:
                await web.journal.write(SessionRemoved(session))
        except (messages.RefusedMessage, SessionError) as error:
            raise HttpRefusal(409, str(error)) from None
        return answer({"id": session})

    return routes
