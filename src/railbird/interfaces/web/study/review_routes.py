"""Reviews of a player's decisions: begun in the background, and stored with the session.

- `GET …/review` → the agent to ask, and the review that is kept, if any
- `POST …/review {"agent": NAME}` → `{"job"}`, whose result is the list of decisions, the worst first
- `GET …/review/HAND/STEP` → why the agent would have acted differently there

`…` is `/api/sessions/ID`. Everybody who plays or played there is reviewed as they saw it. The latest review of each
player is kept until more hands were played, also when the server stops; another version of Railbird, whose agents may
think otherwise, shows it no longer.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from railbird import __version__
from railbird.agent import display_name
from railbird.interfaces.company import strongest_agent
from railbird.interfaces.web.http.desk import Desk
from railbird.interfaces.web.http.replies import answer, decoded
from railbird.interfaces.web.http.room import Crowded
from railbird.interfaces.web.study.jobs import Jobs, Progress, Work
from railbird.interfaces.web.study.questions import StudyError, WrittenHand
from railbird.interfaces.web.study.review import ReviewQuestion
from railbird.interfaces.web.study.session_results import is_finished
from railbird.interfaces.web.table.kept_session import not_kept
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.places import without_passwords
from railbird.store.addresses import StoreError
from railbird.store.sessions import StoredReview, StoredReviews

log = logging.getLogger(__name__)

MOST_REVIEWED = 1000
"""Maximum number of recent hands that are reviewed."""


class ReviewRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The agent whose opinion is asked."""

    agent: str


class Reviews:
    """The reviews that still say what this version of Railbird would say."""

    def __init__(self, web: Web) -> None:
        self._sessions, self._stored = web.sessions, StoredReviews(web.sessions.store)

    def keep(self, session: str, player: str, review: StoredReview) -> None:
        """Keep a review in place of an earlier one of this player."""
        self._stored.keep(session, player, review)

    def of(self, session: str, player: str) -> StoredReview | None:
        """The review of all finished hands of a player's session."""
        kept = self._stored.review(session, player)
        if kept is None or kept.version != __version__ or kept.last != self._sessions.last_over(session):
            return None
        return kept

    def reasons(self, session: str, player: str, hand: int, step: int) -> bytes | None:
        """The reasons in one decision of such a review, as JSON."""
        if self.of(session, player) is None:
            return None
        return self._stored.reasons(session, player, hand, step)


def add_review(routes: APIRouter, web: Web, desk: Desk, jobs: Jobs) -> None:
    """The routes of reviews."""
    reviews = Reviews(web)

    @routes.get("/api/sessions/{session}/review")
    async def look(request: Request, session: str) -> Response:
        plan = SessionPlan.from_json((await web.visible(request, session)).settings)

        def find() -> tuple[str | None, StoredReview | None]:
            return strongest_agent(plan.game()), reviews.of(session, web.player(request))

        agent, kept = await desk.find(web.address(request), find)
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

        def keep(review: StoredReview) -> None:
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
        player = web.player(request)
        found = await desk.find(web.address(request), lambda: reviews.reasons(session, player, hand, step))
        if found is None:
            raise HttpRefusal(404, "these reasons are no longer available: review the session again")
        return Response(found, media_type="application/json")


def _question(
    web: Web, session: str, plan: SessionPlan, player: str, agent: str
) -> tuple[ReviewQuestion, int]:
    """The question about all finished hands that a player saw, and the number of the last one."""
    label, last = plan.name_of(player), web.sessions.last_over(session)
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
    return question, last


def _work(web: Web, question: ReviewQuestion, last: int, keep: Callable[[StoredReview], None]) -> Work:
    async def work(progress: Progress) -> Mapping[str, Any]:
        found = await web.thinkers.study.review(question, progress)
        texts = found.pop("reasons")
        agent = without_passwords(question.agent)
        result = {"agent": agent, "name": display_name(agent), "hands": len(question.hands), **found}
        reasons = {
            (finding["hand"], finding["step"]): text.encode()
            for finding, text in zip(found["findings"], texts, strict=True)
        }
        try:
            await asyncio.to_thread(keep, StoredReview(agent, __version__, last, result, reasons))
        except StoreError as error:
            log.error("a review could not be kept: %s", error)
            raise StudyError(not_kept(error)) from None
        return result

    return work
