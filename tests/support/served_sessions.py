"""The routes of what was played, over a store and thinkers that only pretend."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request, Response

from railbird.arena.results.rates import Rate
from railbird.interfaces.web.http.replies import answer
from railbird.interfaces.web.study import afterwards
from railbird.interfaces.web.study.questions import Compared, Comparison
from railbird.interfaces.web.study.review import ReviewQuestion
from railbird.interfaces.web.table.session_plan import takes_part
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.web import HttpRefusal
from railbird.store.sessions import StoredSession, StoredSessions


@dataclass
class FakeThinkers:
    """Answers at once; what it was asked stays in it."""

    asked: list[Comparison] = field(default_factory=list)
    reviewed: list[ReviewQuestion] = field(default_factory=list)
    fault: str = ""

    @property
    def study(self) -> "FakeThinkers":
        return self

    async def verify(self, spec: str, rules: Any) -> None:
        if spec == "nobody":
            raise ThinkerError("no agent is called 'nobody'")

    async def compare(self, comparison: Comparison, progress: Any) -> dict[str, Any]:
        self.asked.append(comparison)
        progress(1, len(comparison.hands))
        await asyncio.sleep(0)
        if self.fault:
            raise ThinkerError(self.fault)
        rates = [Rate("sb/h", mean, mean - 1, mean + 1, len(comparison.hands)) for mean in (1.0, 0.25, 0.75)]
        progress(len(comparison.hands), len(comparison.hands))
        return Compared(rates[0], rates[1], rates[2]).to_json()

    async def review(self, question: ReviewQuestion, progress: Any) -> dict[str, Any]:
        """Whoever asks for patience waits for ever; others learn that their last decisions were the worst."""
        self.reviewed.append(question)
        progress(0, len(question.hands))
        await (asyncio.Event().wait() if question.agent == "patience" else asyncio.sleep(0))
        progress(len(question.hands), len(question.hands))
        places = [
            (hand.number, step) for hand in question.hands for step in range(min(2, len(hand.done.split())))
        ]
        findings = [
            {
                "hand": hand,
                "step": step,
                "round": "Flop",
                "cards": ["Ah", "Kd"],
                "board": ["2c", "7d", "9h"],
                "pot": 60,
                "own": "call 10",
                "agent": "raise to 20",
                "cost": float(10 * hand + step),
                "error": 2.5,
                "chance": None,
            }
            for hand, step in reversed(places)
        ]
        why = {"summary": "It is better so.", "facts": {}, "sections": []}
        reasons = {
            "name": "Simbot",
            "agent": "simbot",
            "action": "raises to 20",
            "strategy": [],
            "explanation": why,
        }
        return {
            "measure": "value",
            "decisions": 100,
            "different": len(findings),
            "close": 3,
            "cost": sum(finding["cost"] for finding in findings),
            "faults": 0,
            "findings": findings[:40],
            "reasons": [json.dumps(reasons)] * min(40, len(findings)),
        }


@dataclass
class FakeWeb:
    """What the routes need of the server; who asks says so in a header."""

    sessions: StoredSessions
    thinkers: FakeThinkers

    def player(self, request: Request) -> str:
        return request.headers["player"]

    def address(self, request: Request) -> str:
        return request.headers.get("address", "here")

    def begin(self, request: Request) -> None:
        """Everybody may begin as much as they like."""

    def sentence(self, error: object) -> str:
        return str(error)

    async def owned(self, request: Request, session: str) -> StoredSession:
        found = self.sessions.session(session)
        if found is None or found.owner != self.player(request):
            raise HttpRefusal(404, "there is no such session")
        return found

    async def visible(self, request: Request, session: str) -> StoredSession:
        found = self.sessions.session(session)
        if found is None or not takes_part(found, self.player(request)):
            raise HttpRefusal(404, "there is no such session")
        return found


def served(stored: StoredSessions, thinkers: FakeThinkers) -> FastAPI:
    """The routes alone, as the server mounts them."""
    app = FastAPI()
    app.include_router(afterwards.router(FakeWeb(stored, thinkers)))  # type: ignore[arg-type]

    @app.exception_handler(HttpRefusal)
    async def refused(_request: Request, error: Exception) -> Response:
        assert isinstance(error, HttpRefusal)
        return answer({"error": str(error)}, error.status)

    return app
