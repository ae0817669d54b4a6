"""After a session: its hands, replays, results and downloads, and the same deals played by an agent.

- `GET …/hands?player=NAME` → a line for each finished hand; `GET …/hands/NUMBER` → that hand step by step
- `GET …/summary?player=NAME` → the lines of the chart, the rate, and everyone's statistics
- `GET …/hands.phhs`, `…/hands.log`, `…/hands.txt` → all finished hands as PHH, as an ACPC log and as PokerStars text;
  `GET …/hands/NUMBER/phhs` and so on → one of them
- `POST …/duplicate {"agent": NAME}` → `{"job", "name"}`; `GET /api/jobs/JOB` → its progress, and finally three rates;
  `DELETE /api/jobs/JOB` stops it
- reviews of decisions: `review_routes`

`…` is `/api/sessions/ID`. The player defaults to the person, or to the first agent if agents play alone. Hands are read
and counted in threads, and the results of recently requested sessions are cached; only finished hands are ever used
(`session_results.finished_hands`).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import msgspec
from fastapi import APIRouter, Request, Response

from railbird.agent import display_name
from railbird.interfaces.web.http.desk import Desk
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.http.room import Crowded
from railbird.interfaces.web.study.jobs import Jobs, Progress, StudyJob, Work
from railbird.interfaces.web.study.questions import Comparison, WrittenHand
from railbird.interfaces.web.study.review_routes import add_review
from railbird.interfaces.web.study.session_results import (
    SessionHand,
    as_remembered,
    finished_hands,
    hand_list,
    is_finished,
    label_of,
    own_label,
    replay,
    summary,
    written,
)
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.notation.acpc.log import LogWriter
from railbird.notation.formats import EachAlone, HandWriter
from railbird.notation.phh.writing import PhhsWriter
from railbird.notation.rooms.pokerstars_writing import format_pokerstars
from railbird.store.sessions import StoredHand, StoredSession, StoredSessions

MOST_REMEMBERED = 32
"""Maximum number of cached answers about sessions."""
MOST_COMPARED = 2000
"""Maximum number of recent hands that are played again."""
TEXT = "txt"
"""The ending of PokerStars text, which has the cards that the player saw; other files have all of them."""
_LONGEST_NUMBER = 9
_NEAR = 5
"""Number of hands in each direction that are searched for the next finished one."""
_WRITERS: Mapping[str, Callable[[], HandWriter]] = {
    "phhs": PhhsWriter,
    "log": LogWriter,
    TEXT: lambda: EachAlone(format_pokerstars),
}

_Found = TypeVar("_Found")
Finished: TypeAlias = Iterator[SessionHand]


class DuplicateRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agent that plays the same deals."""

    agent: str


class SessionResults:
    """A cache of answers about sessions, valid until another hand is finished."""

    def __init__(self, sessions: StoredSessions) -> None:
        self.desk = Desk("afterwards")
        self._sessions = sessions
        self._known: OrderedDict[tuple[str, ...], tuple[int, bytes]] = OrderedDict()

    async def tell(self, asked: "_Asked", kind: str, find: Callable[[Finished], Any]) -> Response:
        """The answer to one kind of question about the finished hands of a session as a player sees them."""

        def look() -> bytes:
            session, last = asked.session, self._sessions.last_over(asked.session)
            key = (kind, session, asked.player, asked.label)
            known = self._known.get(key)
            if known is not None and known[0] == last:
                return known[1]
            hands = finished_hands(self._sessions.hands(session), asked.plan, asked.player)
            found = msgspec.json.encode(find(hands))
            self._known[key] = last, found
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
            return found

        return Response(await self.find(asked.address, look), media_type="application/json")

    async def find(self, address: str, find: Callable[[], _Found]) -> _Found:
        """Run a request outside the event loop; an invalid request is refused with its message."""
        try:
            return await self.desk.find(address, find)
        except ValueError as error:
            raise HttpRefusal(422, str(error)) from None


def router(web: Web) -> APIRouter:
    """The routes about a session, during and after it."""
    results = SessionResults(web.sessions)
    routes = APIRouter(lifespan=results.desk.lifespan)
    _add_hands(routes, web, results)
    _add_downloads(routes, web, results)
    jobs = Jobs()
    _add_duplicate(routes, web, results, jobs)
    add_review(routes, web, results.desk, jobs)
    _add_jobs(routes, web, jobs)
    return routes


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question of a player about a session."""

    address: str
    session: str
    plan: SessionPlan
    player: str
    """The id of the player who asks."""
    label: str
    """Whose results are asked for."""


async def _asked(web: Web, request: Request, session: str, name: str | None = None) -> _Asked:
    """A question about a session in which the player takes part."""
    plan = _plan(await web.visible(request, session))
    player = web.player(request)
    try:
        label = label_of(plan, player, name)
    except ValueError as error:
        raise HttpRefusal(422, str(error)) from None
    return _Asked(web.address(request), session, plan, player, label)


def _add_hands(routes: APIRouter, web: Web, results: SessionResults) -> None:
    @routes.get("/api/sessions/{session}/hands")
    async def hands(request: Request, session: str, player: str | None = None) -> Response:
        asked = await _asked(web, request, session, player)
        return await results.tell(asked, "hands", lambda hands: hand_list(hands, asked.label))

    @routes.get("/api/sessions/{session}/summary")
    async def whole(request: Request, session: str, player: str | None = None) -> Response:
        asked = await _asked(web, request, session, player)
        own = own_label(asked.plan, asked.player)
        return await results.tell(
            asked, "summary", lambda hands: summary(hands, asked.plan, asked.label, own)
        )

    @routes.get("/api/sessions/{session}/hands/{number}")
    async def one_hand(request: Request, session: str, number: str) -> Response:
        asked = await _asked(web, request, session)
        stored = await _finished(web, asked, number)
        found = await results.find(
            asked.address, lambda: {**replay(stored, asked.plan, asked.player), **_beside(web, stored, asked)}
        )
        return answer(found)


async def _finished(web: Web, asked: _Asked, number: str) -> StoredHand:
    """A finished hand that the player saw."""
    known = number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER
    stored = await asyncio.to_thread(web.sessions.hand, asked.session, int(number)) if known else None
    if stored is None or not is_finished(stored) or not asked.plan.saw(asked.player, stored.number):
        raise HttpRefusal(404, f"this session has no finished hand {number[:_LONGEST_NUMBER]!r}")
    return stored


def _beside(web: Web, stored: StoredHand, asked: _Asked) -> dict[str, int | None]:
    """The numbers of the finished hands before and after one; there may be a few void hands in between."""

    def is_told(hand: StoredHand) -> bool:
        return is_finished(hand) and asked.plan.saw(asked.player, hand.number)

    first = max(0, stored.number - _NEAR - 1)
    before = web.sessions.hands(stored.session, first, stored.number - 1 - first)
    after = web.sessions.hands(stored.session, stored.number, _NEAR)
    return {
        "previous": next((hand.number for hand in reversed(before) if is_told(hand)), None),
        "next": next((hand.number for hand in after if is_told(hand)), None),
    }


def _add_downloads(routes: APIRouter, web: Web, results: SessionResults) -> None:
    async def download(
        asked: _Asked, ending: str, name: str, hands: Callable[[], Iterable[StoredHand]]
    ) -> Response:
        def write() -> str:
            found = finished_hands(hands(), asked.plan, asked.player)
            if ending == TEXT:
                found = (as_remembered(hand, asked.plan, asked.label) for hand in found)
            return written(found, _WRITERS[ending]())

        text = await results.find(asked.address, write)
        headers = {"Content-Disposition": f'attachment; filename="railbird-{name}.{ending}"'}
        return Response(text, media_type="text/plain", headers=headers)

    @routes.get("/api/sessions/{session}/hands.{ending}")
    async def all_hands(request: Request, session: str, ending: str) -> Response:
        asked = await _asked(web, request, session)
        _require_ending(ending)
        return await download(asked, ending, session, lambda: web.sessions.hands(session))

    @routes.get("/api/sessions/{session}/hands/{number}/{ending}")
    async def one_hand(request: Request, session: str, number: str, ending: str) -> Response:
        asked = await _asked(web, request, session)
        _require_ending(ending)
        stored = await _finished(web, asked, number)
        return await download(asked, ending, f"{session}-{stored.number}", lambda: [stored])


def _require_ending(ending: str) -> None:
    if ending not in _WRITERS:
        raise HttpRefusal(404, f"hands can be downloaded as {', '.join(_WRITERS)}")


def _add_duplicate(routes: APIRouter, web: Web, results: SessionResults, jobs: Jobs) -> None:
    @routes.post("/api/sessions/{session}/duplicate")
    async def begin(request: Request, session: str) -> Response:
        found = await web.owned(request, session)
        wanted = await decoded(request, DuplicateRequest)
        web.begin(request)
        plan = _plan(found)
        try:
            await web.thinkers.verify(wanted.agent, plan.game())
        except (ValueError, ThinkerError) as error:
            raise HttpRefusal(422, str(error)) from None
        address = web.address(request)
        comparison = await results.find(address, lambda: _comparison(web, session, plan, wanted.agent))
        try:
            job = jobs.begin(web.player(request), address, _compared(web, comparison), "duplicate")
        except Crowded:
            raise HttpRefusal(
                429, "too many comparisons from your address are running: wait for one to finish"
            ) from None
        return answer({"job": job, "name": display_name(wanted.agent)}, 202)


def _add_jobs(routes: APIRouter, web: Web, jobs: Jobs) -> None:
    def owned(request: Request, name: str) -> StudyJob:
        found = jobs.job(web.player(request), name)
        if found is None:
            raise HttpRefusal(404, "there is no such job")
        return found

    @routes.get("/api/jobs/{job}")
    async def progress(request: Request, job: str) -> Response:
        told = owned(request, job).to_json()
        return answer({**told, "error": told["error"] and web.sentence(told["error"])})

    @routes.delete("/api/jobs/{job}")
    async def stop(request: Request, job: str) -> Response:
        owned(request, job).end()
        return answer({"job": job})


def _comparison(web: Web, session: str, plan: SessionPlan, agent: str) -> Comparison:
    """The question how an agent would have done in the person's seat."""
    if plan.shared is not None:
        raise HttpRefusal(422, "hands between people cannot be played again by a bot")
    if plan.person is None:
        raise HttpRefusal(422, "there is nobody to compare with: only bots play at this table")
    counted = [hand for hand in web.sessions.hands(session) if hand.counted and is_finished(hand)]
    if not counted:
        raise HttpRefusal(422, "there are no counted hands yet")
    label = plan.names[plan.person]
    opponents = {name: spec for name, spec in zip(plan.names, plan.agents, strict=True) if name != label}
    hands = [WrittenHand(hand.number, hand.start, hand.actions) for hand in counted[-MOST_COMPARED:]]
    return Comparison(plan.game(), label, agent, opponents, hands, seed=session)


def _compared(web: Web, comparison: Comparison) -> Work:
    async def work(progress: Progress) -> Mapping[str, Any]:
        return await web.thinkers.study.compare(comparison, progress)

    return work


def _plan(session: StoredSession) -> SessionPlan:
    return SessionPlan.from_json(session.settings)
