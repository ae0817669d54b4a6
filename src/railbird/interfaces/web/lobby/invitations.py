"""Invitations to tables for several people.

- `GET /api/invitations/TOKEN` → the table, who sits there, and whether the visitor does
- `POST /api/invitations/TOKEN {"name": NAME}` → `{"id"}` of the session, with a seat for the visitor

A token is the id of a session and a secret. Trying tokens is limited by address, and a wrong one is not told from one
whose table has ended.
"""

import asyncio
from secrets import token_urlsafe

import msgspec
from fastapi import APIRouter, Request, Response

from railbird.engine.rules import GameRules
from railbird.interfaces.web.http.rates import RateBuckets
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.table.keeper import TooMany
from railbird.interfaces.web.table.messages import RefusedMessage, Speed
from railbird.interfaces.web.table.people import SeatedPerson, Seconds, SharedTable
from railbird.interfaces.web.table.session_plan import SessionPlan, plan_shared_session
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.spec import SpecError
from railbird.store.sessions import StoredSession

PER_SECOND, BURST = 0.5, 60.0
"""Rate limit of tokens tried from one address: per second, and in a burst."""
LONGEST_TOKEN = 100
SECRET_BYTES = 18
"""Random bytes in the secret of an invitation."""


class NewSharing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choices of a host who invites people."""

    seats: int
    """For people, including the host."""
    clock: Seconds = 0
    fill: str = ""
    advice: bool = False
    statistics: bool = False


class Acceptance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of somebody who takes a seat."""

    name: str


async def shared_plan(
    web: Web, rules: GameRules, agents: list[str], host: SeatedPerson, sharing: NewSharing, speed: Speed
) -> SessionPlan:
    """The plan of a table to which a host invites people; raises ValueError or ThinkerError if it is not valid."""
    if web.trusted:
        raise ValueError("this server is for one person: to play with other people, start `railbird serve`")
    shared = SharedTable(
        secret=token_urlsafe(SECRET_BYTES),
        people=[host],
        clock=sharing.clock,
        fill=sharing.fill,
        advice=sharing.advice,
        statistics=sharing.statistics,
    )
    plan = plan_shared_session(rules, agents, shared, seats=sharing.seats, speed=speed)
    for spec in dict.fromkeys([*agents, *filter(None, [sharing.fill])]):
        web.thinkers.admit(spec)
        # With people who sit out, any number of players may be left.
        for players in {2, rules.players}:
            await web.thinkers.verify(spec, rules.for_players(players))
    return plan


def router(web: Web) -> APIRouter:
    """The routes of invitations."""
    routes = APIRouter()
    tried = RateBuckets(PER_SECOND, BURST)

    async def invited(request: Request, token: str) -> tuple[StoredSession, SessionPlan, SharedTable]:
        """The table of an invitation."""
        if not tried.take(web.address(request)):
            raise HttpRefusal(429, "too many invitations were tried from your address: wait a moment")
        session, _, secret = token[:LONGEST_TOKEN].partition(".")
        found = await asyncio.to_thread(web.sessions.session, session)
        if found is not None and not found.finished and found.settings.get("shared") is not None:
            plan = SessionPlan.from_json(found.settings)
            if plan.shared is not None and plan.shared.admits(secret):
                return found, plan, plan.shared
        raise HttpRefusal(404, "this invitation is not valid, or the table is closed")

    @routes.get("/api/invitations/{token}")
    async def look(request: Request, token: str) -> Response:
        found, plan, shared = await invited(request, token)
        own = shared.person(web.player(request))
        return answer(
            {
                "title": plan.title,
                "host": shared.people[0].name,
                "players": [name for name in plan.names if name],
                "free": sum(plan.is_free(chair) for chair in range(len(plan.names))),
                "clock": shared.clock,
                "session": found.id if own is not None and own.chair is not None else None,
                "name": "" if own is None else own.name,
            }
        )

    @routes.post("/api/invitations/{token}")
    async def accept(request: Request, token: str) -> Response:
        wanted = await decoded(request, Acceptance)
        found, _, _ = await invited(request, token)
        player = web.player(request)
        try:
            table = await web.keeper.table(found, player, web.address(request))
            await table.take_seat(player, wanted.name)
            await asyncio.to_thread(web.guests.add, player, found.id)
        except (RefusedMessage, SpecError) as error:
            raise HttpRefusal(422, str(error)) from None
        except TooMany as error:
            raise HttpRefusal(503, str(error)) from None
        return answer({"id": found.id}, 201)

    return routes
