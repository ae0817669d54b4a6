"""The processes that answer questions outside of play: hand strength, advice, ranges, duplicates, reviews.

One process answers short questions; another one, started when it is first needed, plays comparisons and reviews
decisions. Tables wait for neither.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from railbird.agent import HandResult, MatchStart
from railbird.agent.plain_form import result_to_json
from railbird.engine.json_form import rules_to_json
from railbird.engine.rules import GameRules
from railbird.interfaces.brain.messages import Opening, opening_to_json
from railbird.interfaces.web.study.questions import Comparison, WrittenHand
from railbird.interfaces.web.study.review import ReviewQuestion
from railbird.interfaces.web.thinking.answers import Gone, answered, up
from railbird.interfaces.web.thinking.process import LARGEST, ThinkingProcess
from railbird.interfaces.web.thinking.thought import Thought, seen_by, thought_of
from railbird.observation import Observation
from railbird.plain_data import write_json
from railbird.rng import Stream

ADVICE_S = 30.0
COMPARISON_S = 120.0
"""How long a hand of a comparison or a review may take."""
MOST_LONG = 1
"""Maximum number of comparisons and reviews at a time; others wait."""

Progress: TypeAlias = Callable[[int, int], None]


class StudyThinkers:
    """The two processes outside of play."""

    def __init__(
        self, *, trusted: bool, largest: int = LARGEST, nice: int = 0, compiles: bool = False
    ) -> None:
        self._study = ThinkingProcess(trusted=trusted, largest=largest, nice=nice, compiles=compiles)
        self._long = ThinkingProcess(trusted=trusted, largest=largest, nice=nice, compiles=compiles)
        self._answering = asyncio.Semaphore(MOST_LONG)

    def start(self) -> None:
        """Start the process for short questions in advance."""
        self._study.start()

    async def close(self) -> None:
        """End both."""
        await asyncio.gather(self._study.close(), self._long.close())

    async def advise(
        self,
        spec: str,
        rules: GameRules,
        players: Sequence[str],
        label: str,
        observation: Observation,
        earlier: Sequence[HandResult] = (),
    ) -> Thought:
        """What a new agent would do in a player's seat, and why, after hearing the earlier hands as that seat did."""
        match = MatchStart(rules, label, tuple(players), Stream.live())
        question = {"ask": "advise", **_joining(spec, match, observation, earlier)}
        return thought_of(await self._studied(question, ADVICE_S), observation)

    async def range(
        self,
        spec: str,
        rules: GameRules,
        players: Sequence[str],
        label: str,
        observation: Observation,
        earlier: Sequence[HandResult] = (),
    ) -> list[dict[str, Any]]:
        """What a fresh agent would do in a seat with every starting hand: a grid for each action, as plain data."""
        match = MatchStart(rules, label, tuple(players), Stream.live())
        question = {"ask": "range", **_joining(spec, match, observation, earlier)}
        sections: list[dict[str, Any]] = (await self._studied(question, ADVICE_S))["sections"]
        return sections

    async def strength(self, observation: Observation) -> list[dict[str, Any]]:
        """The strength of a seat's hand: names and values."""
        question = {"ask": "strength", "observation": observation.to_json()}
        facts: list[dict[str, Any]] = (await self._studied(question, ADVICE_S))["facts"]
        return facts

    async def compare(self, comparison: Comparison, progress: Progress) -> dict[str, Any]:
        """How an agent does with a player's deals (`study.Compared` as plain data); cancel the task to stop it."""
        question = {
            "ask": "compare",
            "rules": rules_to_json(comparison.rules),
            "label": comparison.label,
            "agent": comparison.agent,
            "opponents": dict(comparison.opponents),
            "seed": comparison.seed,
        }
        compared: dict[str, Any] = (await self._followed(question, comparison.hands, progress))["compared"]
        return compared

    async def review(self, asked: ReviewQuestion, progress: Progress) -> dict[str, Any]:
        """Which decisions an agent would have made differently (`review.Reviewed` as plain data); can be cancelled."""
        question = {
            "ask": "review",
            "rules": rules_to_json(asked.rules),
            "label": asked.label,
            "agent": asked.agent,
            "players": list(asked.players),
            "seed": asked.seed,
        }
        reviewed: dict[str, Any] = (await self._followed(question, asked.hands, progress))["reviewed"]
        return reviewed

    async def _followed(
        self, question: Mapping[str, Any], hands: Sequence[WrittenHand], progress: Progress
    ) -> dict[str, Any]:
        """The answer to a long question about hands, one question at a time."""
        # Thousands of hands are written one by one, so that the event loop can run in between.
        texts = await asyncio.to_thread(_texts, hands)
        async with self._answering:
            self._long.start()
            generation = await up(self._long)
            return await answered(
                self._long,
                {**question, "hands": texts},
                COMPARISON_S,
                generation,
                lambda news: progress(news["done"], news["of"]),
            )

    async def _studied(self, question: Mapping[str, Any], limit_s: float) -> dict[str, Any]:
        """The answer of the process outside of play, asked once more if it ends."""
        self._study.start()
        try:
            return await answered(self._study, question, limit_s, await up(self._study))
        except Gone:
            return await answered(self._study, question, limit_s, await up(self._study))


def _joining(
    spec: str, match: MatchStart, observation: Observation, earlier: Sequence[HandResult]
) -> dict[str, Any]:
    """A fresh agent in a seat, the hands it hears of first, and what the seat sees now."""
    return {
        "opening": opening_to_json(Opening(spec, match)),
        "results": [result_to_json(result) for result in earlier],
        **seen_by(observation, match),
    }


def _texts(hands: Sequence[WrittenHand]) -> list[str]:
    return [
        write_json({"number": hand.number, "start": hand.start, "done": hand.done}).decode() for hand in hands
    ]
