"""After a session: its hands, replays, results and downloads, and the same deals played by an agent.

- `GET …/hands?player=NAME` → a line for each finished hand; `GET …/hands/NUMBER` → that hand step by step
- `GET …/summary?player=NAME` → the lines of the chart, the rate, and everyone's statistics
- `GET …/hands.phhs`, `…/hands.log`, `…/hands.txt` → all finished hands as PHH, as an ACPC log and as PokerStars text;
  `GET …/hands/NUMBER/phhs` and so on → one of them
- `POST …/duplicate {"agent": NAME}` → `{"job", "name"}`; `GET /api/jobs/JOB` → its progress, and finally three rates

`…` is `/api/sessions/ID`. The player defaults to the person, or to the first agent if agents play alone. Hands are read
and counted in threads, and the results of recently requested sessions are cached; only finished hands are ever used
(`session_results.finished_hands`).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

import msgspec
from fastapi import APIRouter, Request, Response

from railbird.agent import display_name
from railbird.interfaces.web.http.desk import Desk
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.http.room import Crowded
from railbird.interfaces.web.study.jobs import Jobs, Progress, Work
from railbird.interfaces.web.study.questions import Comparison, WrittenHand
from railbird.interfaces.web.study.session_results import (
    SessionHand,
    as_remembered,
    finished_hands,
    hand_list,
    is_finished,
    own_label,
    player_of,
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
        self._known: OrderedDict[tuple[str, str, str], tuple[int, bytes]] = OrderedDict()

    async def tell(
        self, address: str, kind: str, session: str, player: str, find: Callable[[Finished], Any]
    ) -> Response:
        """The answer to one kind of question about the finished hands of a session as a player sees them."""

        def look() -> bytes:
            last = self._sessions.last_over(session)
            key = (kind, session, player)
            known = self._known.get(key)
            if known is not None and known[0] == last:
                return known[1]
            found = msgspec.json.encode(find(finished_hands(self._sessions.hands(session))))
            self._known[key] = last, found
            while len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
            return found

        return Response(await self.find(address, look), media_type="application/json")

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
    _add_duplicate(routes, web, results, Jobs())
    return routes


def _add_hands(routes: APIRouter, web: Web, results: SessionResults) -> None:
    @routes.get("/api/sessions/{session}/hands")
    async def hands(request: Request, session: str, player: str | None = None) -> Response:
        asked = _player(_plan(await web.owned(request, session)), player)
        address = web.address(request)
        return await results.tell(address, "hands", session, asked, lambda hands: hand_list(hands, asked))

    @routes.get("/api/sessions/{session}/summary")
    async def whole(request: Request, session: str, player: str | None = None) -> Response:
        plan = _plan(await web.owned(request, session))
        asked = _player(plan, player)
        address = web.address(request)
        return await results.tell(
            address, "summary", session, asked, lambda hands: summary(hands, plan, asked)
        )

    @routes.get("/api/sessions/{session}/hands/{number}")
    async def one_hand(request: Request, session: str, number: str) -> Response:
        plan = _plan(await web.owned(request, session))
        stored = await _finished(web, session, number)
        found = await results.find(
            web.address(request), lambda: {**replay(stored, plan), **_beside(web, stored)}
        )
        return answer(found)


async def _finished(web: Web, session: str, number: str) -> StoredHand:
    known = number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER
    stored = await asyncio.to_thread(web.sessions.hand, session, int(number)) if known else None
    if stored is None or not is_finished(stored):
        raise HttpRefusal(404, f"this session has no finished hand {number[:_LONGEST_NUMBER]!r}")
    return stored


def _beside(web: Web, stored: StoredHand) -> dict[str, int | None]:
    """The numbers of the finished hands before and after one; there may be a few void hands in between."""
    first = max(0, stored.number - _NEAR - 1)
    before = web.sessions.hands(stored.session, first, stored.number - 1 - first)
    after = web.sessions.hands(stored.session, stored.number, _NEAR)
    return {
        "previous": next((hand.number for hand in reversed(before) if is_finished(hand)), None),
        "next": next((hand.number for hand in after if is_finished(hand)), None),
    }


def _add_downloads(routes: APIRouter, web: Web, results: SessionResults) -> None:
    async def download(
        request: Request, plan: SessionPlan, ending: str, name: str, hands: Callable[[], Iterable[StoredHand]]
    ) -> Response:
        def write() -> str:
            found = finished_hands(hands())
            if ending == TEXT:
                found = (as_remembered(hand, plan, own_label(plan)) for hand in found)
            return written(found, _WRITERS[ending]())

        text = await results.find(web.address(request), write)
        headers = {"Content-Disposition": f'attachment; filename="railbird-{name}.{ending}"'}
        return Response(text, media_type="text/plain", headers=headers)

    @routes.get("/api/sessions/{session}/hands.{ending}")
    async def all_hands(request: Request, session: str, ending: str) -> Response:
        plan = _plan(await web.owned(request, session))
        _require_ending(ending)
        return await download(request, plan, ending, session, lambda: web.sessions.hands(session))

    @routes.get("/api/sessions/{session}/hands/{number}/{ending}")
    async def one_hand(request: Request, session: str, number: str, ending: str) -> Response:
        plan = _plan(await web.owned(request, session))
        _require_ending(ending)
        stored = await _finished(web, session, number)
        return await download(request, plan, ending, f"{session}-{stored.number}", lambda: [stored])


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
            job = jobs.begin(web.player(request), address, _compared(web, comparison))
        except Crowded:
            raise HttpRefusal(
                429, "too many comparisons from your address are running: wait for one to finish"
            ) from None
        return answer({"job": job, "name": display_name(wanted.agent)}, 202)

    @routes.get("/api/jobs/{job}")
    async def progress(request: Request, job: str) -> Response:
        found = jobs.job(web.player(request), job)
        if found is None:
            raise HttpRefusal(404, "there is no such job")
        told = found.to_json()
        return answer({**told, "error": told["error"] and web.sentence(told["error"])})


def _comparison(web: Web, session: str, plan: SessionPlan, agent: str) -> Comparison:
    """The question how an agent would have done in the person's seat."""
    if plan.person is None:
        raise HttpRefusal(422, "there is nobody to compare with: only agents play at this table")
    counted = [hand for hand in web.sessions.hands(session) if hand.counted and is_finished(hand)]
    if not counted:
        raise HttpRefusal(422, "no finished hand counts yet")
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


def _player(plan: SessionPlan, name: str | None) -> str:
    try:
        return player_of(plan, name)
    except ValueError as error:
        raise HttpRefusal(422, str(error)) from None
