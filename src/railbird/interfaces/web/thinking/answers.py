"""Answers of the processes that run agents, or the reason why there is none."""

from collections.abc import Callable, Mapping
from typing import Any

from railbird.interfaces.web.thinking.process import Late, Lost, ThinkingProcess
from railbird.interfaces.web.thinking.thought import ThinkerError

OPENING_S = 60.0
"""How long an agent may take to join a table, or to process many earlier hands."""


class Gone(ThinkerError):
    """A process ended."""

    def __init__(self) -> None:
        super().__init__("the process that runs the bots has ended")


async def up(process: ThinkingProcess) -> int:
    """Wait until a process is ready; returns its generation."""
    try:
        return await process.up()
    except Lost:
        raise ThinkerError("the bots are not running") from None


async def answered(
    process: ThinkingProcess,
    question: Mapping[str, Any],
    limit_s: float,
    generation: int,
    news: Callable[[Mapping[str, Any]], None] | None = None,
) -> dict[str, Any]:
    """The answer of a process to a question."""
    try:
        return heeded(await process.ask(question, limit_s, generation, news=news))
    except Late:
        raise ThinkerError(f"there was no answer within {limit_s:g} s") from None
    except Lost:
        raise Gone from None


def heeded(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, unless it reports an error, which is raised."""
    if "error" in answer:
        raise ThinkerError(answer["error"])
    return answer
