"""Breaks in a seating: what is kept of the hands before, and how they are retold to new agents.

A seating resumes between two hands if all its agents offer bookmarks (`Agent.bookmark`) and none had a fault. The
agents begin the match anew, are told of the hands before without being asked, and go on at their bookmarks: from there
every action is as without the break.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from railbird.agent import Agent, Decision, HandResult
from railbird.arena.play.guard import GuardedAgent
from railbird.arena.play.hand import finish_hand, learns, listens
from railbird.engine.actions import Action
from railbird.engine.events import Event
from railbird.engine.state import State
from railbird.observation import Observation


@dataclass(frozen=True, slots=True)
class HandsBefore:
    """The actions of the hands before a break, or of those since the last report, and the bookmarks of the agents."""

    hands: tuple[tuple[Action, ...], ...] = ()
    bookmarks: tuple[Any, ...] = ()
    """Plain data, by seat; empty if an agent has none."""


NOTHING_BEFORE = HandsBefore()


def bookmarks_of(agents: Sequence[GuardedAgent]) -> tuple[Any, ...]:
    """The bookmarks of all agents; empty if one of them has none, or has failed.

    A class outside of Railbird must define its own: it may keep more than the class it is derived from.
    """
    marks = []
    for agent in agents:
        kind = type(agent.agent)
        is_own = kind.__module__.startswith("railbird.") or "bookmark" in vars(kind)
        mark = agent.agent.bookmark() if is_own and not agent.records else None
        if mark is None:
            return ()
        marks.append(mark)
    return tuple(marks)


def retell(
    state: State, agents: Sequence[Agent], players: tuple[str, ...], number: int, actions: Sequence[Action]
) -> None:
    """Play a hand as it was, telling its agents everything, without asking them."""
    script = iter(actions)
    finish_hand(state, [_Retold(agent, script) for agent in agents], players, number)


class _Retold(Agent):
    """Stands for an agent in a hand that is retold."""

    def __init__(self, agent: Agent, script: Iterator[Action]) -> None:
        self.listens, self.learns = listens(agent), learns(agent)
        self._agent, self._script = agent, script

    def hear(self, event: Event) -> None:
        self._agent.hear(event)

    def act(self, observation: Observation) -> Decision:  # noqa: ARG002
        return Decision(next(self._script))

    def end_hand(self, result: HandResult) -> None:
        self._agent.end_hand(result)
