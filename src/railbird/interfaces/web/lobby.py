"""The lobby: games, opponents and new sessions."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from secrets import token_urlsafe
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from railbird.agent import AgentInfo, agent_info, agent_names, display_name
from railbird.arena.results.rates import UNIT_WORDS
from railbird.engine.games import game_title, named_game
from railbird.engine.rules import GameRules
from railbird.interfaces.company import recommended_tables, suits, usual_opponents
from railbird.interfaces.ratings import MEANINGS, rated_game, ratings_for
from railbird.interfaces.web.http.desk import Desk
from railbird.interfaces.web.http.rates import RateBuckets
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.invitations import NewSharing, shared_plan
from railbird.interfaces.web.table import messages
from railbird.interfaces.web.table.dealing import chosen_weights
from railbird.interfaces.web.table.messages import Practice, Speed
from railbird.interfaces.web.table.people import SeatedPerson
from railbird.interfaces.web.table.session_plan import (
    LONGEST_GAME,
    SessionPlan,
    plan_session,
)
from railbird.interfaces.web.table.views import chips_of, chips_to_json, unit_of
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.papers import cited
from railbird.store.sessions import (
    SessionBegun,
    SessionError,
    SessionFinished,
    SessionRemoved,
    StoredSession,
    StoredSessions,
)

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


@dataclass(frozen=True, slots=True)
class Offered:
    """A kind of game."""

    id: str
    title: str
    about: str
    family: str
    seats: tuple[int, ...]
    stakes: Mapping[str, str]
    """Parameters of the game by the name of the stakes."""

    def game(self, seats: int) -> str:
        """The name of the game with a number of seats."""
        return f"{self.family}-{seats}{'p' if seats < 4 else 'max'}"


_LIMIT_STAKES = {
    "$10/$20": "",
    "$2/$4": "blinds=1/2,bets=2/4,stack=400",
    "$50/$100": "blinds=25/50,bets=50/100,stack=10000",
    "$10/$20, stacks carry over": "carry=yes",
}
_NO_LIMIT_STAKES = {
    "50/100, 200 big blinds": "",
    "50/100, 100 big blinds": "stack=10000",
    "50/100, 20 big blinds": "stack=2000",
    "50/100, 200 big blinds, stacks carry over": "carry=yes",
}
GAMES = (
    Offered(
        "limit-ring",
        "Limit, ring game",
        "The game of Loki, CASPER and BayCaRP: two to ten players, fixed bets.",
        "limit",
        tuple(range(2, 11)),
        _LIMIT_STAKES,
    ),
    Offered(
        "limit-heads-up", "Limit, heads-up", "One against one, fixed bets.", "limit", (2,), _LIMIT_STAKES
    ),
    Offered(
        "nolimit-heads-up",
        "No-limit, heads-up",
        "One against one, bets of any size.",
        "nolimit",
        (2,),
        _NO_LIMIT_STAKES,
    ),
    Offered(
        "limit-three",
        "Limit, three players",
        "Fixed bets, as in the Annual Computer Poker Competition.",
        "limit",
        (3,),
        _LIMIT_STAKES,
    ),
    Offered(
        "nolimit-ring",
        "No-limit, ring game",
        "Two to ten players, bets of any size.",
        "nolimit",
        tuple(range(2, 11)),
        _NO_LIMIT_STAKES,
    ),
)


class NewSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's request for a new session."""

    game: str
    opponents: list[str]
    name: str = "You"
    speed: Speed = "normal"
    watch: bool = False
    training: Practice | None = None
    sharing: NewSharing | None = None


@cache
def offered_games() -> tuple[GameRules, ...]:
    """Every offered game with every number of seats, by name."""
    return tuple(
        named_game(game) for game in sorted({each.game(seats) for each in GAMES for seats in each.seats})
    )


@cache
def offered_agents() -> list[dict[str, Any]]:
    """Every registered agent, with the names of the games it plays."""
    told = []
    for name in agent_names():
        info = agent_info(name)
        plays = [game.name for game in offered_games() if suits(name, game)]
        if plays:
            # An agent with a required parameter, such as the address of a brain, must be named with it.
            told.append(_told(info, plays))
    return told


def _told(info: AgentInfo, plays: Sequence[str]) -> dict[str, Any]:
    parameters = [
        {
            "name": parameter.name,
            "kind": parameter.kind,
            "default": parameter.default if isinstance(parameter.default, str | int | float | bool) else "",
        }
        for parameter in info.parameters
    ]
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "papers": [cited(each) for each in info.papers],
        "parameters": parameters,
        "plays": list(plays),
    }


@cache
def _ratings() -> dict[str, Any]:
    """The rated game of every offered game, and ratings and recommended tables by rated game."""
    games = {}
    for rules in offered_games():
        ratings = ratings_for(rules)
        if ratings is not None and ratings.game == rules.name:
            games[rules.name] = {
                "unit": UNIT_WORDS[ratings.unit],
                "field": len(ratings.field),
                "agents": {
                    agent: {
                        "title": display_name(agent),
                        "stars": rating.stars,
                        "mean": rating.mean,
                        "margin": rating.margin,
                        "hands": rating.hands,
                    }
                    for agent, rating in ratings.ratings.items()
                },
                "tables": [asdict(table) for table in recommended_tables(rules)],
            }
    return {
        "rated": {rules.name: rated_game(rules) for rules in offered_games() if rated_game(rules) in games},
        "games": games,
        "meanings": {str(stars): words for stars, words in MEANINGS.items()},
    }


async def checked_plan(web: Web, player: str, wanted: NewSession) -> SessionPlan:
    """The plan of a session that a player requests; raises ValueError or ThinkerError if it is not valid."""
    if len(wanted.game) > LONGEST_GAME:
        raise ValueError(f"a game's name may have at most {LONGEST_GAME} characters")
    rules = named_game(wanted.game)
    web.thinkers.offer.verify_game(rules)
    # Names from a client are checked before they are used for anything.
    for spec in wanted.opponents[: rules.players]:
        web.thinkers.admit(spec)
    if wanted.sharing is not None:
        if wanted.watch or wanted.training is not None:
            raise ValueError("a table for several people can be neither watched nor used for training")
        host = SeatedPerson(player, wanted.name, 0)
        return await shared_plan(web, rules, wanted.opponents, host, wanted.sharing, wanted.speed)
    if wanted.training is not None and wanted.training.hands:
        await asyncio.to_thread(chosen_weights, wanted.training.hands)
    plan = plan_session(
        rules,
        wanted.opponents,
        name=None if wanted.watch else wanted.name,
        training=wanted.training,
        speed=wanted.speed,
    )
    for spec in dict.fromkeys(wanted.opponents):
        await web.thinkers.verify(spec, rules)
    return plan


async def begin_session(web: Web, owner: str, plan: SessionPlan) -> str:
    """Create a session; returns its id."""
    session = token_urlsafe(12)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    await web.journal.write(SessionBegun(StoredSession(session, owner, now, False, plan.to_json())))
    return session


def empty_session(sessions: StoredSessions, owner: str, plan: SessionPlan) -> str | None:
    """An earlier session with this plan in which no hand was played."""
    for kept in sessions.of_owner(owner):
        same = not kept.finished and SessionPlan.from_json(kept.settings) == plan
        if same and not sessions.hands(kept.id, limit=1):
            return kept.id
    return None


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
        "games": [
            {
                "id": offered.id,
                "title": offered.title,
                "about": offered.about,
                "seats": list(offered.seats),
                "game": {str(seats): offered.game(seats) for seats in offered.seats},
                "titles": {
                    str(seats): game_title(named_game(offered.game(seats))) for seats in offered.seats
                },
                "stakes": [
                    {"title": title, "parameters": parameters} for title, parameters in offered.stakes.items()
                ],
            }
            for offered in GAMES
        ],
        "agents": offered_agents(),
        "ratings": _ratings(),
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
        return answer({"agents": await asyncio.to_thread(offered_agents), "ratings": _ratings()})

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
