"""Answers of the processes in which agents think, or a sentence that says why there is none."""

from collections.abc import Callable, Mapping
from typing import Any

from railbird.interfaces.web.thinking.process import Late, Lost, ThinkingProcess
from railbird.interfaces.web.thinking.thought import ThinkerError

OPENING_S = 60.0
"""How long an agent may take to sit down, or to hear of many earlier hands."""


class Gone(ThinkerError):
    """A process ended."""

    def __init__(self) -> None:
        super().__init__("the process in which the agents think has ended")


async def up(process: ThinkingProcess) -> int:
    """Wait until a process is ready; the number of its life."""
    try:
        return await process.up()
    except Lost:
        raise ThinkerError("the thinkers are not started, or are closed") from None


async def answered(
    process: ThinkingProcess,
    question: Mapping[str, Any],
    limit_s: float,
    generation: int,
    news: Callable[[Mapping[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """What a process says to a question."""
    try:
        return heeded(await process.ask(question, limit_s, generation, news=news))
    except Late:
        raise ThinkerError(f"there was no answer within {limit_s:g} s") from None
    except Lost:
        raise Gone from None


def heeded(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer, unless it says what went wrong."""
    if "error" in answer:
        raise ThinkerError(answer["error"])
    return answer
