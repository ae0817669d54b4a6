"""New sessions: what a browser asks for, checked and stored."""

import asyncio
from datetime import UTC, datetime
from secrets import token_urlsafe

import msgspec

from railbird.engine.games import named_game
from railbird.interfaces.web.lobby.invitations import NewSharing, shared_plan
from railbird.interfaces.web.table.dealing import chosen_weights
from railbird.interfaces.web.table.messages import Practice, Speed
from railbird.interfaces.web.table.people import SeatedPerson
from railbird.interfaces.web.table.session_plan import LONGEST_GAME, SessionPlan, plan_session
from railbird.interfaces.web.web import Web
from railbird.store.sessions import SessionBegun, StoredSession, StoredSessions


class NewSession(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's request for a new session."""

    game: str
    opponents: list[str]
    name: str = "You"
    speed: Speed = "normal"
    watch: bool = False
    training: Practice | None = None
    sharing: NewSharing | None = None


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
