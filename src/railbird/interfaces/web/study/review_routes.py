"""Reviews of a player's decisions: begun in the background, and kept until more hands were played.

- `GET …/review` → the agent to ask, and the review that is kept, if any
- `POST …/review {"agent": NAME}` → `{"job"}`, whose result is the list of decisions, the worst first
- `GET …/review/HAND/STEP` → why the agent would have acted differently there

`…` is `/api/sessions/ID`. Everybody who plays or played there is reviewed as they saw it. Reviews are kept in memory,
one for each player of a session; the oldest make room.
"""

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from railbird.agent import display_name
from railbird.interfaces.company import strongest_agent
from railbird.interfaces.web.http.desk import Desk
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.http.room import Crowded
from railbird.interfaces.web.study.jobs import Jobs, Progress, Work
from railbird.interfaces.web.study.questions import WrittenHand
from railbird.interfaces.web.study.review import ReviewQuestion
from railbird.interfaces.web.study.session_results import is_finished
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.web import HttpRefusal, Web

MOST_REVIEWED = 1000
"""Maximum number of recent hands that are reviewed."""
MOST_KEPT = 100
"""Maximum number of reviews kept; each has at most 40 decisions with compressed reasons."""


class ReviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agent whose opinion is asked."""

    agent: str


@dataclass(frozen=True, slots=True)
class KeptReview:
    """A finished review of a session."""

    last: int
    """The last finished hand when it was asked for; after another one the review is out of date."""
    result: Mapping[str, Any]
    reasons: Mapping[tuple[int, int], bytes]
    """Compressed JSON by hand and step."""


class Reviews:
    """The reviews that were made, by session and player."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], KeptReview] = OrderedDict()

    def keep(self, session: str, player: str, review: KeptReview) -> None:
        """Keep a review, in place of an earlier one of this player."""
        self._kept[session, player] = review
        self._kept.move_to_end((session, player))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def of(self, session: str, player: str, last: int) -> KeptReview | None:
        """The review of a player's session up to its last finished hand."""
        kept = self._kept.get((session, player))
        return kept if kept is not None and kept.last == last else None


def add_review(routes: APIRouter, web: Web, desk: Desk, jobs: Jobs) -> None:
    """The routes of reviews."""
    reviews = Reviews()

    @routes.get("/api/sessions/{session}/review")
    async def look(request: Request, session: str) -> Response:
        plan = SessionPlan.from_json((await web.visible(request, session)).settings)

        def find() -> tuple[str | None, int]:
            return strongest_agent(plan.game()), web.sessions.last_over(session)

        agent, last = await desk.find(web.address(request), find)
        kept = reviews.of(session, web.player(request), last)
        return answer({"agent": agent, "kept": None if kept is None else kept.result})

    @routes.post("/api/sessions/{session}/review")
    async def begin(request: Request, session: str) -> Response:
        found = await web.visible(request, session)
        wanted = await decoded(request, ReviewRequest)
        web.begin(request)
        plan = SessionPlan.from_json(found.settings)
        try:
            await web.thinkers.verify(wanted.agent, plan.game())
        except (ValueError, ThinkerError) as error:
            raise HttpRefusal(422, str(error)) from None
        address, player = web.address(request), web.player(request)
        question, last = await desk.find(
            address, lambda: _question(web, found.id, plan, player, wanted.agent)
        )

        def keep(review: KeptReview) -> None:
            reviews.keep(session, player, review)

        try:
            job = jobs.begin(player, address, _work(web, question, last, keep), "review")
        except Crowded:
            raise HttpRefusal(
                429, "too many reviews from your address are running: wait for one to finish"
            ) from None
        return answer({"job": job}, 202)

    @routes.get("/api/sessions/{session}/review/{hand}/{step}")
    async def why(request: Request, session: str, hand: int, step: int) -> Response:
        await web.visible(request, session)
        kept = reviews.of(
            session, web.player(request), await asyncio.to_thread(web.sessions.last_over, session)
        )
        found = None if kept is None else kept.reasons.get((hand, step))
        if found is None:
            raise HttpRefusal(404, "these reasons are no longer available: review the session again")
        return Response(zlib.decompress(found), media_type="application/json")


def _question(
    web: Web, session: str, plan: SessionPlan, player: str, agent: str
) -> tuple[ReviewQuestion, int]:
    """The question about all finished hands that a player saw, and the number of the last one."""
    label = plan.name_of(player)
    if label is None:
        raise HttpRefusal(422, "there is nothing to review: only bots play at this table")
    hands = [
        WrittenHand(hand.number, hand.start, hand.actions)
        for hand in web.sessions.hands(session)
        if is_finished(hand) and plan.saw(player, hand.number)
    ][-MOST_REVIEWED:]
    if not hands:
        raise HttpRefusal(422, "there are no finished hands yet")
    players = tuple(dict.fromkeys(name for hand in hands for name in hand.start["players"]))
    question = ReviewQuestion(plan.game(), label, agent, players, hands, seed=session)
    return question, web.sessions.last_over(session)


def _work(web: Web, question: ReviewQuestion, last: int, keep: Callable[[KeptReview], None]) -> Work:
    async def work(progress: Progress) -> Mapping[str, Any]:
        found = await web.thinkers.study.review(question, progress)
        texts = found.pop("reasons")
        places = [(each["hand"], each["step"]) for each in found["findings"]]
        packed = await asyncio.to_thread(lambda: [zlib.compress(text.encode()) for text in texts])
        named = {"agent": question.agent, "name": display_name(question.agent)}
        result = {**named, "hands": len(question.hands), **found}
        keep(KeptReview(last, result, dict(zip(places, packed, strict=True))))
        return result

    return work
